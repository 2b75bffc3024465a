//! How well each kind of memory is found, beside plain BM25 in the same run, on the sets that `recipes/finding/sets.py` makes.
//!
//! ```sh
//! cargo bench -p twiceshy-engine --bench finding -- target/finding
//! cargo bench -p twiceshy-engine --bench finding -- target/finding --set cranfield --aged
//! cargo bench -p twiceshy-engine --bench finding -- target/finding --kind lessons --part
//! ```
//!
//! Each document is a memory of the kind, and each query asks for ten. `--aged` gives episodes ends over a year, outcomes and
//! accesses that have nothing to do with the queries: what fits must still come first. `--words` leaves the static model out, `--part` takes 150
//! queries of each set and 500 documents. The engine runs natively, in memory;
//! `recipes/finding/bench.py` asks the program the same.
//!
//! Some kinds keep silent about what may not help, so beside the quality of what is given it says how well plain BM25 orders
//! the very same answers, how many there are, and how many are given for the queries of the other sets, which have nothing
//! to do with this one.

mod baseline;
mod kind;
mod set;

use std::{collections::BTreeMap, fs, path::PathBuf};

use twiceshy_engine::{Engine, Ports};
use twiceshy_store::MapStore;
use twiceshy_wit::host;

use kind::Kind;
use set::{Set, quality};

/// The time at which everything happens.
const NOW: u64 = 1_750_000_000_000;

/// A host with a clock that stands still, and nothing else.
struct Alone;

impl host::Clock for Alone {
    fn now(&self) -> u64 {
        NOW
    }
}

impl host::Log for Alone {
    fn write(&self, level: host::Level, message: &str) {
        if level == host::Level::Warn {
            eprintln!("{message}");
        }
    }
}

fn unavailable<T>() -> Result<T, host::Error> {
    Err(host::Error::Unavailable("not here".to_owned()))
}

impl host::Archive for Alone {
    fn keep(&self, _: &[u8]) -> Result<String, host::Error> {
        unavailable()
    }
    fn fetch(&self, _: &str) -> Result<Vec<u8>, host::Error> {
        unavailable()
    }
    fn discard(&self, _: &str) -> Result<(), host::Error> {
        unavailable()
    }
}

impl host::Embedder for Alone {
    fn identity(&self) -> Result<String, host::Error> {
        unavailable()
    }
    fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, host::Error> {
        unavailable()
    }
}

/// The static model that ships with the program.
struct Static;

impl host::Embedder for Static {
    fn identity(&self) -> Result<String, host::Error> {
        Ok(twiceshy_meaning::IDENTITY.to_owned())
    }
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, host::Error> {
        let vector = |text: &String| {
            let mut vector = twiceshy_meaning::embed(text);
            vector.resize(256, 0.0);
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}

impl host::Model for Alone {
    fn complete(&self, _: &str, _: &str) -> Result<String, host::Error> {
        unavailable()
    }
}

/// Documents and queries of a part of a set.
const PART: (usize, usize) = (500, 150);

/// Queries of other sets that are asked.
const FOREIGN: usize = 60;

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let (mut place, mut only, mut aged) = (PathBuf::from("target/finding"), None, false);
    let mut embedder: &dyn host::Embedder = &Static;
    let (mut kind, mut part) = (Kind::Episodes, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--aged" => aged = true,
            "--words" => embedder = &Alone,
            "--part" => part = true,
            "--set" => only = arguments.next(),
            "--kind" => kind = Kind::named(&arguments.next().unwrap_or_default()),
            path => place = PathBuf::from(path),
        }
    }
    let files = fs::read_dir(&place).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; make the sets by recipes/finding/sets.py",
            place.display()
        )
    });
    let mut files: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    println!(
        "{:12} {:>9} {:>7}   {:>15}   {:>15}   {:>9} {:>6} {:>7}",
        "set", "documents", "queries", "BM25", "search", "same ones", "given", "foreign"
    );
    let read = |file: &PathBuf| match part {
        true => Set::read(file).part(PART.0, PART.1),
        false => Set::read(file),
    };
    let sets: Vec<_> = files.iter().map(read).collect();
    for set in &sets {
        if only.as_ref().is_none_or(|only| *only == set.name) {
            let others = sets.iter().filter(|other| other.name != set.name);
            let foreign: Vec<_> = others.flat_map(|other| &other.queries).collect();
            let apart = foreign.len().div_ceil(FOREIGN).max(1);
            let foreign = foreign.into_iter().step_by(apart);
            let foreign: Vec<_> = foreign.map(|query| query.text.as_str()).collect();
            measure(&kind.cut(set), aged, embedder, kind, &foreign);
        }
    }
}

fn measure(set: &Set, aged: bool, embedder: &dyn host::Embedder, kind: Kind, foreign: &[&str]) {
    let store = MapStore::new();
    let engine = Engine::new(Ports {
        store: &store,
        archive: &Alone,
        embedder,
        model: &Alone,
        clock: &Alone,
        log: &Alone,
    });
    let named = kind.keep(&engine, set, aged);
    let ask = |text: &str| -> Vec<String> {
        let ids = kind.found(&engine, text).into_iter();
        ids.map(|id| named.get(&id).cloned().unwrap_or(id))
            .collect()
    };
    let found: BTreeMap<_, _> = set
        .queries
        .iter()
        .map(|query| (query.text.as_str(), ask(&query.text)))
        .collect();
    let plain = [0.75, 0.4].map(|b| baseline::Bm25::new(&set.documents, b));
    let [first, second] = plain
        .each_ref()
        .map(|plain| quality(set, |text| plain.found(text, None)));
    let (bm25, plain) = match first.0 >= second.0 {
        true => (first, &plain[0]),
        false => (second, &plain[1]),
    };
    let search = quality(set, |text| found[text].clone());
    let same = quality(set, |text| plain.found(text, Some(&found[text])));
    let mean = |counts: &mut dyn Iterator<Item = usize>, of: usize| {
        counts.sum::<usize>() as f64 / of.max(1) as f64
    };
    println!(
        "{:12} {:>9} {:>7}   {:>7.3} {:>7.3}   {:>7.3} {:>7.3}   {:>9.3} {:>6.2} {:>7.2}",
        set.name,
        set.documents.len(),
        set.queries.len(),
        bm25.0,
        bm25.1,
        search.0,
        search.1,
        same.0,
        mean(&mut found.values().map(Vec::len), found.len()),
        mean(
            &mut foreign.iter().map(|text| ask(text).len()),
            foreign.len()
        ),
    );
}
