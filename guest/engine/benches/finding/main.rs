//! How well `episodes.search` finds, beside plain BM25 in the same run, on the sets that `recipes/finding/sets.py` makes.
//!
//! ```sh
//! cargo bench -p twiceshy-engine --bench finding -- target/finding
//! cargo bench -p twiceshy-engine --bench finding -- target/finding --set cranfield --aged
//! ```
//!
//! Each document is an episode, and each query a search for ten. `--aged` gives the episodes ends over a year, outcomes and
//! accesses that have nothing to do with the queries: what fits must still come first. `--words` leaves the static model out. The engine runs natively, in memory;
//! `recipes/finding/bench.py` asks the program the same.

mod baseline;
mod set;

use std::{fs, path::PathBuf};

use twiceshy_engine::{Engine, Ports};
use twiceshy_store::MapStore;
use twiceshy_wit::{
    host,
    memory::{EpisodeQuery, Episodes, NewEpisode, Outcome},
};

use set::{Set, quality};

/// The time at which everything happens.
const NOW: u64 = 1_750_000_000_000;
const DAY: u64 = 86_400_000;

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

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let (mut place, mut only, mut aged) = (PathBuf::from("target/finding"), None, false);
    let mut embedder: &dyn host::Embedder = &Static;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--aged" => aged = true,
            "--words" => embedder = &Alone,
            "--set" => only = arguments.next(),
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
        "{:12} {:>9} {:>7}   {:>15}   {:>15}",
        "set", "documents", "queries", "BM25", "search"
    );
    for file in files {
        let set = Set::read(&file);
        if only.as_ref().is_none_or(|only| *only == set.name) {
            measure(&set, aged, embedder);
        }
    }
}

fn measure(set: &Set, aged: bool, embedder: &dyn host::Embedder) {
    let store = MapStore::new();
    let engine = Engine::new(Ports {
        store: &store,
        archive: &Alone,
        embedder,
        model: &Alone,
        clock: &Alone,
        log: &Alone,
    });
    for (number, (id, text)) in set.documents.iter().enumerate() {
        // A sequence that repeats late and is the same everywhere.
        let chance = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let age = if aged { chance % 170 } else { 0 };
        let failed = aged && chance.is_multiple_of(3);
        let episode = NewEpisode {
            id: Some(id.clone()),
            task: text[..text.floor_char_boundary(16 << 10)].to_owned(),
            domain: "bench".to_owned(),
            ended_at: Some(NOW - age * DAY),
            outcome: if failed {
                Outcome::Failure
            } else {
                Outcome::Success
            },
            session: Some(set.sessions[number].clone()).filter(|session| !session.is_empty()),
            agent: None,
            task_type: None,
            tools_used: Vec::new(),
            strategies_applied: Vec::new(),
            tags: Vec::new(),
            summary: None,
            started_at: None,
            score: None,
            trace: Vec::new(),
            account: None,
        };
        engine.add(&episode).expect("an episode");
    }
    let found = |text: &str| {
        let query = EpisodeQuery {
            text: text.to_owned(),
            limit: Some(10),
            ..EpisodeQuery::default()
        };
        let hits = Episodes::search(&engine, &query).expect("an answer");
        hits.into_iter()
            .map(|hit| hit.episode.id)
            .collect::<Vec<_>>()
    };
    let plain = baseline::Bm25::new(&set.documents);
    let [bm25, search] = [quality(set, |text| plain.found(text)), quality(set, found)];
    println!(
        "{:12} {:>9} {:>7}   {:>7.3} {:>7.3}   {:>7.3} {:>7.3}",
        set.name,
        set.documents.len(),
        set.queries.len(),
        bm25.0,
        bm25.1,
        search.0,
        search.1
    );
}
