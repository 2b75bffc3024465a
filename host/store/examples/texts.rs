//! Measures full-text search: `cargo run --release -p twiceshy-store --example texts [documents] [directory]`.
//!
//! Texts are tasks of agents, as like each other as tasks are: a few thousand phrasings over and over, each with names
//! of its own. The answers are compared with BM25 over all terms of the question, and light commits with others.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use twiceshy_store::{MapStore, Options, SqliteStore};
use twiceshy_wit::host::{
    Attribute, Change, Condition, Document, Key, Order, Precondition, Put, Query, Store, Test,
    Value,
};

const VERBS: [&str; 16] = [
    "fix",
    "add",
    "migrate",
    "refactor",
    "deploy",
    "test",
    "rename",
    "remove",
    "upgrade",
    "document",
    "profile",
    "review",
    "revert",
    "configure",
    "build",
    "trace",
];
const THINGS: [&str; 48] = [
    "login",
    "form",
    "database",
    "schema",
    "index",
    "cache",
    "pipeline",
    "parser",
    "token",
    "session",
    "invoice",
    "report",
    "export",
    "import",
    "queue",
    "worker",
    "scheduler",
    "config",
    "endpoint",
    "router",
    "socket",
    "image",
    "container",
    "cluster",
    "secret",
    "certificate",
    "payment",
    "webhook",
    "email",
    "template",
    "layout",
    "button",
    "chart",
    "table",
    "column",
    "migration",
    "branch",
    "release",
    "changelog",
    "package",
    "module",
    "crate",
    "binary",
    "test",
    "fixture",
    "snapshot",
    "metric",
    "alert",
];
const TROUBLES: [&str; 20] = [
    "timeout",
    "permission denied",
    "not found",
    "type mismatch",
    "deadlock",
    "out of memory",
    "flaky",
    "unreachable",
    "missing argument",
    "unknown option",
    "bad request",
    "overflow",
    "encoding error",
    "stale lock",
    "duplicate key",
    "syntax error",
    "connection refused",
    "disk full",
    "race condition",
    "null pointer",
];

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    /// Small numbers are frequent, as in language.
    fn skewed(&mut self, sides: usize) -> usize {
        let (a, b) = (self.roll(sides), self.roll(sides));
        a * b / sides
    }
}

/// The terms of a task and what came of it; one of some thousands of phrasings, with names of its own.
fn text(number: u64) -> String {
    let mut dice = Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    dice.roll(7);
    let phrasing = dice.skewed(4_000);
    let mut words = phrase(phrasing as u64);
    words.push_str(&format!(
        " service-{} run-{}",
        dice.skewed(3_000),
        dice.roll(40)
    ));
    for _ in 0..dice.roll(12) {
        words.push_str(&format!(
            " {} w{}",
            THINGS[dice.skewed(48)],
            dice.skewed(8_000)
        ));
    }
    words
}

fn phrase(phrasing: u64) -> String {
    let mut dice = Dice(phrasing.wrapping_mul(0xd134_2543_de82_ef95) | 1);
    dice.roll(7);
    let mut words = format!("the task is to {}", VERBS[dice.skewed(16)]);
    for _ in 0..3 + dice.roll(6) {
        words.push_str(&format!(" {}", THINGS[dice.skewed(48)]));
    }
    words.push_str(&format!(" in rust after {}", TROUBLES[dice.skewed(20)]));
    words
}

fn document(number: u64) -> Document {
    let attribute = |name: &str, value| Attribute {
        name: name.into(),
        value,
    };
    Document {
        key: Key {
            kind: "episode".into(),
            id: format!("{number:08}"),
        },
        body: "x".repeat(1_500),
        attributes: vec![
            attribute("at", Value::Number(number as f64)),
            attribute(
                "domain",
                Value::Text(["cli", "api", "code"][number as usize % 3].into()),
            ),
            attribute("user", Value::Text(format!("user-{}", number % 1_000))),
        ],
        text: text(number),
        vector: vec![],
    }
}

fn put(document: Document) -> Change {
    Change::Put(Put {
        document,
        precondition: Precondition::Anything,
    })
}

/// What a piece of work took: time, and time of the processor, which others on the machine do not lengthen.
type Took = (Duration, Duration);

fn figures(name: &str, took: Vec<Took>) {
    let mut times: Vec<Duration> = took.iter().map(|took| took.0).collect();
    times.sort();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    let busy = took.iter().map(|took| took.1).sum::<Duration>() / took.len() as u32;
    println!(
        "{name:<40} p50 {:>9.1?}  p99 {:>9.1?}  processor {busy:>9.1?}",
        at(50),
        at(99)
    );
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Took) {
    let (start, busy) = (Instant::now(), processor());
    let result = work();
    (result, (start.elapsed(), processor().saturating_sub(busy)))
}

/// What this thread has had of the processor; zero where the system does not say so.
fn processor() -> Duration {
    let known = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = known.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

/// A question about what some document is about, in other words here and there.
fn question(turn: u64, documents: u64) -> String {
    let like = text(turn * 7_919 % documents);
    let mut words: Vec<&str> = like.split(' ').collect();
    words.swap_remove(turn as usize % words.len());
    words.push("please");
    words.join(" ")
}

fn query(text: String, conditions: Vec<Condition>) -> Query {
    Query {
        kind: "episode".into(),
        conditions,
        order: Order::ByText(text),
        offset: 0,
        limit: 10,
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let documents: u64 = arguments
        .next()
        .map_or(100_000, |count| count.parse().expect("a number"));
    let directory = arguments
        .next()
        .map_or_else(std::env::temp_dir, PathBuf::from);
    let path = directory.join(format!("texts-{}.db", std::process::id()));
    let store = SqliteStore::open(&path, Options::default()).expect("a store");
    let (_, filled) = timed(|| {
        for first in (0..documents).step_by(500) {
            let batch: Vec<Change> = (first..(first + 500).min(documents))
                .map(|number| put(document(number)))
                .collect();
            store.commit_lightly(&batch).expect("written");
        }
    });
    println!(
        "{documents} documents, {:.0} a second",
        documents as f64 / filled.0.as_secs_f64()
    );
    let is = |attribute: &str, value: &str| {
        vec![Condition {
            attribute: attribute.into(),
            test: Test::Equals(Value::Text(value.into())),
        }]
    };
    let ask = |name: &str,
               conditions: &dyn Fn(u64) -> Vec<Condition>,
               shape: &dyn Fn(String) -> String| {
        let times = (0..300u64).map(|turn| {
            let query = query(shape(question(turn, documents)), conditions(turn));
            timed(|| store.find(&query).expect("answered")).1
        });
        figures(name, times.collect());
    };
    let same = |text: String| text;
    ask("find by text, top 10", &|_| vec![], &same);
    ask(
        "of one domain of three",
        &|turn| is("domain", ["cli", "api", "code"][turn as usize % 3]),
        &same,
    );
    ask(
        "of one user of a thousand",
        &|turn| is("user", &format!("user-{}", turn % 1_000)),
        &same,
    );
    let lately = || Condition {
        attribute: "at".into(),
        test: Test::AtLeast(Value::Number(documents as f64 * 0.95)),
    };
    ask("of the latest twentieth", &|_| vec![lately()], &same);
    ask("a question of common words alone", &|_| vec![], &|_| {
        "the task is to fix rust test in after".into()
    });
    ask("a question of a hundred words", &|_| vec![], &|text| {
        (0..5)
            .map(|more| format!("{text} {} ", phrase(more * 13)))
            .collect()
    });
    figures(
        "read by key",
        (0..1_000u64)
            .map(|turn| {
                let key = document(turn * 7_919 % documents).key;
                timed(|| store.get_many(&[key]).expect("read")).1
            })
            .collect(),
    );
    let more = |turn: u64| Document {
        body: "x".repeat(2_000),
        text: String::new(),
        ..document(documents + turn)
    };
    figures(
        "commit of 2 KB",
        (0..300)
            .map(|turn| timed(|| store.commit(&[put(more(turn))])).1)
            .collect(),
    );
    figures(
        "light commit of 2 KB",
        (0..3_000)
            .map(|turn| timed(|| store.commit_lightly(&[put(more(turn))])).1)
            .collect(),
    );
    figures(
        "light commit with text",
        (0..1_000)
            .map(|turn| {
                let document = document(documents + 10_000 + turn);
                timed(|| store.commit_lightly(&[put(document)])).1
            })
            .collect(),
    );
    let (_, time) = timed(|| store.optimize().expect("optimized"));
    println!(
        "optimize {:.1?}; {} MiB",
        time.0,
        store.size_bytes().expect("a size") >> 20
    );
    quality(&store, documents);
    drop(store);
    for suffix in ["", "-wal", "-shm", "-turn"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
}

/// How much of the exact answer is found: nDCG at 10 by the exact scores, which a store without a budget gives.
fn quality(store: &SqliteStore, documents: u64) {
    let map = MapStore::new();
    for first in (0..documents).step_by(1_000) {
        let bare = |number| Document {
            body: String::new(),
            attributes: vec![],
            ..document(number)
        };
        let batch: Vec<Change> = (first..(first + 1_000).min(documents))
            .map(|number| put(bare(number)))
            .collect();
        map.commit(&batch).expect("written");
    }
    let exact = |text: &str| {
        map.find_exactly(&Query {
            limit: 10_000,
            ..query(text.to_owned(), vec![])
        })
        .expect("answered")
    };
    for (name, long) in [("questions", false), ("questions of a hundred words", true)] {
        let (mut sum, mut same, turns) = (0.0, 0, 20);
        for turn in 0..turns {
            let mut text = question(turn, documents);
            if long {
                (0..5).for_each(|more| text.push_str(&format!(" {}", phrase(more * 13))));
            }
            let best = exact(&text);
            let gain = |id: &str| {
                best.iter()
                    .find(|found| found.document.key.id == id)
                    .map_or(0.0, |found| found.score)
            };
            let discounted = |gains: Vec<f64>| -> f64 {
                gains
                    .iter()
                    .zip(2..)
                    .map(|(gain, place)| gain / f64::from(place).log2())
                    .sum()
            };
            let found = store.find(&query(text, vec![])).expect("answered");
            let ideal = discounted(best.iter().take(10).map(|found| found.score).collect());
            sum += discounted(
                found
                    .iter()
                    .map(|found| gain(&found.document.key.id))
                    .collect(),
            ) / ideal;
            let ids = |all: &[twiceshy_wit::host::Found]| -> Vec<String> {
                all.iter()
                    .take(10)
                    .map(|found| found.document.key.id.clone())
                    .collect()
            };
            let wanted = ids(&best);
            same += ids(&found).iter().filter(|id| wanted.contains(id)).count();
        }
        println!(
            "{name}: nDCG@10 {:.4} of the exact answer, {:.1} % of its documents",
            sum / turns as f64,
            same as f64 / turns as f64 * 10.0
        );
    }
}
