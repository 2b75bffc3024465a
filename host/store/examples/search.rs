//! Measures one `episodes.search` of the native engine in a memory that is there, or one `recall.context` or `recall.for-task`:
//! how long, and what is asked of the store.
//!
//! `cargo run --release -p twiceshy-store --example search -- DIR/memory.db EPISODES [TURNS] [search|context|task]` for a memory that
//! the example `intake` or `twiceshy bench` has filled with so many episodes.

#[allow(dead_code)]
#[path = "../../src/cli/bench/work.rs"]
mod work;

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::json;
use twiceshy_engine::{Engine, Ports};
use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::{
    host::{
        Archive, Change, Clock, Condition, Embedder, Error, Found, Key, Level, Log, Model, Order,
        Query, Store, Stored,
    },
    rpc,
};

/// A host with the static model and nothing else beside its store.
struct Host {
    store: SqliteStore,
    /// How often each question was asked, and how long it took.
    times: RefCell<BTreeMap<String, (u64, Duration)>>,
}

impl Host {
    fn timed<T>(&self, name: String, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let answer = work();
        let mut times = self.times.borrow_mut();
        let time = times.entry(name).or_default();
        time.0 += 1;
        time.1 += begun.elapsed();
        answer
    }
}

impl Store for Host {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        let kind = keys.first().map_or("", |key| &key.kind);
        self.timed(format!("get {kind}"), || self.store.get_many(keys))
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        self.store.commit(batch)
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        self.timed("commit lightly".into(), || self.store.commit_lightly(batch))
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        let order = match &query.order {
            Order::ById => "id",
            Order::ByAttribute(_) => "attribute",
            Order::ByText(_) => "text",
            Order::ByNearest(_) => "nearest",
        };
        let names: Vec<_> = (query.conditions.iter())
            .map(|condition| condition.attribute.as_str())
            .collect();
        let name = format!("find {} by {order} with {}", query.kind, names.join(","));
        self.timed(name, || self.store.find(query))
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        self.timed(format!("count {kind}"), || {
            self.store.count(kind, conditions)
        })
    }

    fn optimize(&self) -> Result<(), Error> {
        self.store.optimize()
    }
}

impl Embedder for Host {
    fn identity(&self) -> Result<String, Error> {
        Ok(twiceshy_meaning::IDENTITY.to_owned())
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let vector = |text: &String| match twiceshy_meaning::embed(text) {
            vector if vector.is_empty() => vec![0.0; 256],
            vector => vector,
        };
        self.timed("embed".into(), || Ok(texts.iter().map(vector).collect()))
    }
}

impl Model for Host {
    fn complete(&self, _: &str, _: &str) -> Result<String, Error> {
        unavailable()
    }
}

impl Clock for Host {
    fn now(&self) -> u64 {
        1_795_000_000_000
    }
}

impl Log for Host {
    fn write(&self, level: Level, message: &str) {
        if level != Level::Debug {
            eprintln!("{message}");
        }
    }
}

fn unavailable<T>() -> Result<T, Error> {
    Err(Error::Unavailable(String::new()))
}

impl Archive for Host {
    fn keep(&self, _: &[u8]) -> Result<String, Error> {
        unavailable()
    }

    fn fetch(&self, _: &str) -> Result<Vec<u8>, Error> {
        unavailable()
    }

    fn discard(&self, _: &str) -> Result<(), Error> {
        unavailable()
    }
}

/// What this process has had of processors, in milliseconds.
fn processor_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split(' ').collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok());
    (ticks(12).unwrap_or(0.0) + ticks(13).unwrap_or(0.0)) * 10.0
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: u64 = arguments[1].parse().expect("how many episodes there are");
    let turns: u64 = arguments
        .get(2)
        .map_or(200, |turns| turns.parse().expect("a number"));
    let what = arguments.get(3).map_or("search", String::as_str);
    let begun = Instant::now();
    let store = SqliteStore::open(Path::new(&arguments[0]), Options::default()).expect("a store");
    let host = Host {
        store,
        times: RefCell::default(),
    };
    let engine = Engine::new(Ports {
        store: &host,
        archive: &host,
        embedder: &host,
        model: &host,
        clock: &host,
        log: &host,
    });
    let (mut took, mut found) = (Vec::new(), 0);
    for turn in 0..turns {
        let task = work::task(turn * count / turns);
        let (function, arguments) = match what {
            "context" => (
                "recall.context",
                json!({"request": {"task": task, "domain": "cli", "tokens": 2_000}}),
            ),
            "task" => (
                "recall.for-task",
                json!({"task": {"task": task, "domain": "cli", "recent-fingerprints": []}}),
            ),
            _ => (
                "episodes.search",
                json!({"query": {"text": task, "limit": 10}}),
            ),
        };
        let arguments = arguments.to_string();
        let begun = Instant::now();
        let answer = rpc::call(&engine, function, &arguments).expect("an answer");
        took.push(begun.elapsed());
        found += usize::from(answer.contains(&task));
        if turn == 0 {
            host.times.borrow_mut().clear();
        }
    }
    let processor = processor_ms() / turns as f64;
    let rest: Duration = took[1..].iter().sum();
    println!(
        "the first, with opening the store: {:?}",
        begun.elapsed() - rest
    );
    took.sort_unstable();
    let at = |share: usize| took[took.len() * share / 100];
    println!(
        "{what}: p50 {:?}, p99 {:?}, {processor:.3} ms processor; {found} of {turns} found",
        at(50),
        at(99)
    );
    for (name, (calls, time)) in host.times.borrow().iter() {
        let each = time.as_secs_f64() * 1e6 / turns.max(2) as f64;
        println!(
            "{name}: {:.2} a search, {each:.0} us a search",
            *calls as f64 / turns as f64
        );
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!(
        "{:?}",
        status.lines().find(|line| line.starts_with("VmHWM"))
    );
}
