//! Measures how fast the native engine takes episodes in: `cargo run --release -p twiceshy-store --example intake -- N BYTES [sqlite|map] [DIR] [fill] [consolidate] [prune]`.
//!
//! Processor times, because the clock says what else runs on a machine.

#[allow(dead_code)]
#[path = "../../src/cli/bench/work.rs"]
mod work;

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use twiceshy_engine::{Engine, Ports};
use twiceshy_store::{BareSqlite, MapStore, Options, SqliteStore};
use twiceshy_wit::{
    host::{
        Archive, Change, Clock, Condition, Embedder, Error, Found, Key, Level, Log, Model, Query,
        Store, Stored,
    },
    rpc,
};

/// What time it is.
const NOW: u64 = 1_795_000_000_000;

/// When an episode ended: a million of them ended within the last months.
fn ended_at(number: u64) -> u64 {
    NOW - 1_100_000 * work::APART_MS + number * work::APART_MS
}

/// A host with the static model and nothing else beside its store.
struct Host;

impl Embedder for Host {
    fn identity(&self) -> Result<String, Error> {
        Ok(twiceshy_meaning::IDENTITY.to_owned())
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let vector = |text: &String| match twiceshy_meaning::embed(text) {
            vector if vector.is_empty() => vec![0.0; 256],
            vector => vector,
        };
        Ok(texts.iter().map(vector).collect())
    }
}

impl Model for Host {
    fn complete(&self, _: &str, _: &str) -> Result<String, Error> {
        Err(Error::Unavailable(String::new()))
    }
}

impl Clock for Host {
    fn now(&self) -> u64 {
        NOW
    }
}

impl Log for Host {
    fn write(&self, level: Level, message: &str) {
        if level != Level::Debug {
            eprintln!("{message}");
        }
    }
}

/// A store that counts what goes through it, and how long it takes.
struct Counted<'s> {
    store: &'s dyn Store,
    times: RefCell<BTreeMap<String, (u64, Duration)>>,
    puts: RefCell<BTreeMap<String, (u64, u64, u64)>>,
}

impl Counted<'_> {
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

impl Store for Counted<'_> {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        let kind = keys.first().map_or("", |key| &key.kind);
        self.timed(format!("get {kind}"), || self.store.get_many(keys))
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        for change in batch {
            if let Change::Put(put) = change {
                let mut puts = self.puts.borrow_mut();
                let put_ = puts.entry(put.document.key.kind.clone()).or_default();
                put_.0 += 1;
                put_.1 += put.document.attributes.len() as u64;
                put_.2 += put.document.body.len() as u64;
            }
        }
        self.timed("commit".into(), || self.store.commit(batch))
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        self.timed("commit lightly".into(), || self.store.commit_lightly(batch))
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        let names: Vec<_> = query
            .conditions
            .iter()
            .map(|condition| condition.attribute.as_str())
            .collect();
        let order = format!("{:?}", query.order);
        let order: String = order.chars().take(9).collect();
        let name = format!("find {} by {} order {order}", query.kind, names.join(","));
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

fn processor_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split(' ').collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok());
    (ticks(12).unwrap_or(0.0) + ticks(13).unwrap_or(0.0)) * 10.0
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: u64 = arguments[0].parse().expect("a number");
    let bytes: usize = arguments[1].parse().expect("a number of bytes");
    let which = arguments.get(2).map_or("sqlite", String::as_str);
    let place = arguments
        .get(3)
        .map_or_else(|| std::env::temp_dir().join("intake"), PathBuf::from);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("a directory");
    let sqlite =
        Arc::new(SqliteStore::open(&place.join("memory.db"), Options::default()).expect("a store"));
    let map = MapStore::default();
    let store: &dyn Store = match which {
        "map" => &map,
        _ => &*sqlite,
    };
    let counted = Counted {
        store,
        times: RefCell::default(),
        puts: RefCell::default(),
    };
    let host = Host;
    let engine = Engine::new(Ports {
        store: &counted,
        archive: &host,
        embedder: &host,
        model: &host,
        clock: &host,
        log: &host,
    });
    let mut text = 0;
    let mut done = 0;
    let group = sqlite.group();
    while done < count {
        let until = count.min(done + (count / 10).max(1_000));
        let episodes: Vec<_> = (done..until)
            .map(|number| work::episode(number, bytes, ended_at(number)).to_string())
            .collect();
        text += episodes.iter().map(String::len).sum::<usize>();
        let (begun, processor) = (Instant::now(), processor_ms());
        for episode in &episodes {
            rpc::call(&engine, "episodes.add", episode).expect("an episode");
        }
        group.flush().expect("a group");
        let each = (until - done) as f64;
        println!(
            "{until}: {:.3} ms processor, {:.3} ms clock, {:.0} a second",
            (processor_ms() - processor) / each,
            begun.elapsed().as_secs_f64() * 1e3 / each,
            each / begun.elapsed().as_secs_f64()
        );
        done = until;
    }
    group.end().expect("a group");
    let size = sqlite.size_bytes().expect("a size");
    println!(
        "{text} bytes of text, {size} on disk: {:.2} times",
        size as f64 / text as f64
    );
    for (kind, (puts, attributes, bytes)) in counted.puts.borrow().iter() {
        println!(
            "put {kind}: {:.2} an episode, {:.1} attributes each, {} bytes each",
            *puts as f64 / count as f64,
            *attributes as f64 / *puts as f64,
            bytes / puts
        );
    }
    for (name, (calls, time)) in counted.times.borrow().iter() {
        println!(
            "{name}: {:.2} an episode, {:.1} us each, {:.1} us an episode",
            *calls as f64 / count as f64,
            time.as_secs_f64() * 1e6 / *calls as f64,
            time.as_secs_f64() * 1e6 / count as f64
        );
    }
    if which == "map" || arguments.iter().any(|argument| argument == "fill") {
        return;
    }
    durable(&engine, &place, count, bytes);
    let number = |turn: u64| turn * count / TURNS;
    ask("search", &engine, |turn| {
        let task = work::task(number(turn));
        (
            "episodes.search",
            json!({"query": {"text": task, "limit": 10}}),
        )
    });
    ask("recall for a task", &engine, |turn| {
        let task = work::task(number(turn));
        let request = json!({"task": task, "domain": "cli", "tokens": 2_000});
        ("recall.context", json!({ "request": request }))
    });
    ask("recall on error", &engine, |turn| {
        let (evidence, task) = (work::error(number(turn)), work::task(number(turn)));
        let failure = json!({"action-text": "cargo test", "evidence": evidence, "domain": "cli", "task": task});
        ("recall.on-error", json!({ "failure": failure }))
    });
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!(
        "{:?}",
        status.lines().find(|line| line.starts_with("VmHWM"))
    );
    println!("{:?}", sqlite.usage());
    if arguments.iter().any(|argument| argument == "consolidate") {
        consolidate(&engine);
    }
    if arguments.iter().any(|argument| argument == "prune") {
        sqlite.give_back().expect("room");
        let whole = sqlite.size_bytes().expect("a size");
        let before = ended_at(count - count / 100);
        let processor = processor_ms();
        let group = sqlite.group();
        let request = json!({"before": before, "dry-run": false}).to_string();
        rpc::call(&engine, "upkeep.prune", &request).expect("pruned");
        group.end().expect("a group");
        sqlite.give_back().expect("room");
        let left = sqlite.size_bytes().expect("a size");
        println!(
            "pruned: {whole} bytes, {left} left, {:.2} %, {:.3} ms processor an episode",
            100.0 * left as f64 / whole as f64,
            (processor_ms() - processor) / count as f64
        );
        println!("{:?}", sqlite.usage());
    }
}

const TURNS: u64 = 200;

fn ask(name: &str, engine: &Engine<'_>, question: impl Fn(u64) -> (&'static str, Value)) {
    let mut took = Vec::new();
    let processor = processor_ms();
    for turn in 0..TURNS {
        let (method, arguments) = question(turn);
        let arguments = arguments.to_string();
        let begun = Instant::now();
        rpc::call(engine, method, &arguments).expect(name);
        took.push(begun.elapsed());
    }
    let processor = (processor_ms() - processor) / TURNS as f64;
    took.sort_unstable();
    println!(
        "{name}: p50 {:?}, p99 {:?}, {processor:.3} ms processor",
        took[took.len() / 2],
        took[took.len() * 99 / 100]
    );
}

/// A whole consolidation, and what each of its stages took.
fn consolidate(engine: &Engine<'_>) {
    let mut after = Value::Null;
    let mut stages: BTreeMap<String, (u64, f64)> = BTreeMap::new();
    loop {
        let processor = processor_ms();
        let request = json!({"request": {"after": after}}).to_string();
        let piece = rpc::call(engine, "upkeep.consolidate", &request).expect("a piece");
        let piece: Value = serde_json::from_str(&piece).expect("JSON");
        let stage = stages.entry(piece["stage"].to_string()).or_default();
        stage.0 += 1;
        stage.1 += processor_ms() - processor;
        after = piece["next"].clone();
        if after.is_null() {
            break;
        }
    }
    for (stage, (pieces, processor)) in stages {
        println!("consolidation {stage}: {pieces} pieces, {processor:.0} ms processor");
    }
}

/// One episode at a time, beside the same bytes in bare SQLite.
fn durable(engine: &Engine<'_>, place: &Path, count: u64, bytes: usize) {
    let bare = BareSqlite::open(&place.join("bare.db")).expect("bare SQLite");
    let (mut own, mut plain) = (Vec::new(), Vec::new());
    let mut processor = [0.0; 2];
    for number in count..count + TURNS {
        let episode = work::episode(number, bytes, ended_at(number)).to_string();
        let (begun, before) = (Instant::now(), processor_ms());
        rpc::call(engine, "episodes.add", &episode).expect("an episode");
        own.push(begun.elapsed());
        let between = processor_ms();
        let pair = [(episode, work::task(number))];
        let begun = Instant::now();
        bare.write(&pair).expect("written");
        plain.push(begun.elapsed());
        processor[0] += between - before;
        processor[1] += processor_ms() - between;
    }
    own.sort_unstable();
    plain.sort_unstable();
    println!(
        "durable write: p50 {:?}, bare {:?}; {:.3} ms processor, bare {:.3}",
        own[own.len() / 2],
        plain[plain.len() / 2],
        processor[0] / TURNS as f64,
        processor[1] / TURNS as f64
    );
}

impl Archive for Host {
    fn keep(&self, _: &[u8]) -> Result<String, Error> {
        Err(Error::Unavailable(String::new()))
    }

    fn fetch(&self, _: &str) -> Result<Vec<u8>, Error> {
        Err(Error::Unavailable(String::new()))
    }

    fn discard(&self, _: &str) -> Result<(), Error> {
        Err(Error::Unavailable(String::new()))
    }
}
