//! What an answer costs among a million decisions about one module, with the native engine beside the component,
//! and whether every match is found: a sample of questions is compared with every text.
//!
//! ```sh
//! cargo bench -p twiceshy --bench decisions                    # 1,000,000 decisions, some minutes to build
//! cargo bench -p twiceshy --bench decisions -- --count 20000
//! ```

use std::{
    fs,
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use twiceshy::{
    Cache, MemoryComponent, Options, SqliteStore, SystemClock, Unavailable,
    wit::memory::{Decision, DecisionQuery, Decisions, ImportRequest},
};
use twiceshy_engine::{
    Engine, Ports,
    likeness::{Wording, compare, similarity},
};

const MODULE: &str = "data_processor";

/// Decisions of one import.
const BATCH: u32 = 6_000;

/// Every so manieth decision is this one, word for word.
const FREQUENT: &str = "Cache the results of slow queries in a global dictionary";

/// Questions of each kind.
const QUESTIONS: u32 = 200;

fn main() {
    let count = std::env::args()
        .skip_while(|argument| argument != "--count")
        .nth(1)
        .map_or(1_000_000, |count| count.parse().expect("--count N"));
    let directory = std::env::temp_dir().join(format!("twiceshy-decisions-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    let file = directory.join("memory.db");
    build(&file, count);

    let open = || SqliteStore::open(&file, Options::default()).expect("a store");
    let cache = Cache::new(directory.join("cache"), |_| {});
    let component = MemoryComponent::bundled(&cache).expect("the component");
    let memory = component.over(open()).build();
    let store = open();
    let engine = native(&store);

    println!("\n{count} decisions about one module in SQLite; milliseconds for one answer");
    println!(
        "{:<44} {:>9} {:>9} {:>9} {:>9}",
        "", "component", "p99", "native", "p99"
    );
    let mut asked = Vec::new();
    for (name, question) in KINDS {
        let questions: Vec<_> = (0..QUESTIONS)
            .map(|number| question(number, count))
            .collect();
        let (within, beside) = (times(&memory, &questions), times(&engine, &questions));
        let at = |times: &[Duration], percent: usize| {
            times[(times.len() - 1) * percent / 100].as_secs_f64() * 1_000.0
        };
        println!(
            "{name:<44} {:>9.2} {:>9.2} {:>9.2} {:>9.2}",
            at(&within, 50),
            at(&within, 99),
            at(&beside, 50),
            at(&beside, 99)
        );
        asked.extend(questions.into_iter().take(10));
    }
    // What a description adds is not a comparison of texts alone.
    asked.retain(|question| question.description.is_none());
    let missed = missed(&engine, &asked, count);
    println!(
        "\n{} questions compared with every text: {missed} answered otherwise",
        asked.len()
    );
    fs::remove_dir_all(&directory).expect("cleaned up");
    assert_eq!(missed, 0, "a match was missed or made up");
}

type Question = fn(u32, u32) -> DecisionQuery;

/// Kinds of questions, by their number and the number of decisions.
const KINDS: [(&str, Question); 7] = [
    ("exactly the same text", |number, count| {
        ask(text(spread(number, count)), None)
    }),
    ("other order, identifiers, endings", |number, count| {
        let text = text(spread(number, count));
        let mut words: Vec<_> = text.split(' ').collect();
        words.rotate_left(2);
        ask(words.join("_").to_uppercase().replace("THE_", ""), None)
    }),
    ("a slip in one word", |number, count| {
        let text = text(spread(number, count));
        let at = text.rfind(' ').unwrap_or_default() + 4;
        ask(
            format!("{}{}", &text[..at], &text[(at + 1).min(text.len())..]),
            None,
        )
    }),
    ("one word more", |number, count| {
        ask(format!("{} now", text(spread(number, count))), None)
    }),
    ("nothing similar", |number, _| {
        ask(
            format!("Paint shed {number} with purple varnish next Tuesday"),
            None,
        )
    }),
    ("a text with many duplicates", |_, _| {
        ask(FREQUENT.to_owned(), None)
    }),
    ("with a description", |number, count| {
        let number = spread(number, count);
        ask(
            format!("{} entirely", text(number)),
            Some(description(number + 1)),
        )
    }),
];

fn ask(hypothesis: String, description: Option<String>) -> DecisionQuery {
    DecisionQuery {
        module: MODULE.to_owned(),
        hypothesis,
        description,
        days: Some(3_650),
    }
}

/// Numbers all over the decisions, none of the frequent ones.
fn spread(number: u32, count: u32) -> u32 {
    let at = (u64::from(number) * 7_919 + 13) % u64::from(count);
    let at = at as u32;
    if at.is_multiple_of(10) { at + 1 } else { at }
}

/// The hypothesis of a decision.
fn text(number: u32) -> String {
    if number.is_multiple_of(10) {
        return FREQUENT.to_owned();
    }
    const VERBS: [&str; 12] = [
        "Refactor",
        "Cache",
        "Simplify",
        "Parallelize",
        "Validate",
        "Rewrite",
        "Memoize",
        "Inline",
        "Batch",
        "Stream",
        "Compress",
        "Profile",
    ];
    const KINDS: [&str; 11] = [
        "slow", "nested", "global", "legacy", "shared", "remote", "hidden", "typed", "sparse",
        "pending", "stale",
    ];
    const THINGS: [&str; 13] = [
        "connection",
        "transaction",
        "iterator",
        "validator",
        "scheduler",
        "tokenizer",
        "serializer",
        "dispatcher",
        "registry",
        "allocator",
        "formatter",
        "subscriber",
        "compositor",
    ];
    const PLACES: [&str; 17] = [
        "pipeline",
        "gateway",
        "warehouse",
        "frontend",
        "backend",
        "importer",
        "exporter",
        "dashboard",
        "notifier",
        "crawler",
        "planner",
        "resolver",
        "mailbox",
        "ledger",
        "catalogue",
        "profiler",
        "sandbox",
    ];
    let pick = |words: &[&'static str], salt: u32| words[(number / salt) as usize % words.len()];
    format!(
        "{} the {} {} of stage {} in the {}",
        pick(&VERBS, 1),
        pick(&KINDS, 12),
        pick(&THINGS, 132),
        number / 1_716,
        pick(&PLACES, 7)
    )
}

fn description(number: u32) -> String {
    format!("Split step {number} into validate, transform and save methods")
}

fn outcome(number: u32) -> &'static str {
    match number % 3 {
        0 => "accepted",
        _ => "rejected",
    }
}

fn native(store: &SqliteStore) -> Engine<'_> {
    Engine::new(Ports {
        store,
        archive: &Unavailable,
        embedder: &Unavailable,
        model: &Unavailable,
        clock: &SystemClock,
        log: &Unavailable,
    })
}

/// Takes the decisions in, as a file of the exchange format is.
fn build(file: &Path, count: u32) {
    let store = SqliteStore::open(file, Options::default()).expect("a store");
    let engine = native(&store);
    let bar = progress("recording", count);
    let started = Instant::now();
    for first in (0..count).step_by(BATCH as usize) {
        let records: Vec<_> = (first..count.min(first + BATCH))
            .map(|number| {
                json!({
                    "module": MODULE,
                    "hypothesis": text(number),
                    "description": description(number),
                    "outcome": outcome(number),
                    "rationale": "measured",
                    "rejection_reason": null,
                    "timestamp": format!("2026-01-01T{:02}:{:02}:{:02}Z", number / 3_600 % 24, number / 60 % 60, number % 60),
                })
            })
            .collect();
        let text = json!({ "version": "1.0.0", "records": records }).to_string();
        let request = ImportRequest {
            text,
            check_only: None,
        };
        let imported = engine.import_file(&request).expect("imported");
        bar.inc(u64::from(imported.records));
    }
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "recorded {count} decisions in {seconds:.0} s ({:.0} a second), {} MiB",
        f64::from(count) / seconds,
        store.size_bytes().expect("a size") >> 20
    );
}

fn times(memory: &impl Decisions, questions: &[DecisionQuery]) -> Vec<Duration> {
    let mut times: Vec<_> = questions
        .iter()
        .map(|question| {
            let started = Instant::now();
            black_box(memory.check(question).expect("an answer"));
            started.elapsed()
        })
        .collect();
    times.sort();
    times
}

/// How many questions are answered otherwise than by a comparison of words with every text. What says the same in other words may be
/// found besides, if it does.
fn missed(engine: &Engine, asked: &[DecisionQuery], count: u32) -> usize {
    let sought: Vec<_> = asked
        .iter()
        .map(|question| Wording::new(MODULE, &question.hypothesis))
        .collect();
    let mut expected = vec![(false, false); asked.len()];
    let bar = progress("comparing", count);
    for number in 0..count {
        for text in [text(number), description(number)] {
            let wording = Wording::new(MODULE, &text);
            for (sought, expected) in sought.iter().zip(&mut expected) {
                if compare(sought, &wording).is_some() {
                    match outcome(number) {
                        "rejected" => expected.0 = true,
                        _ => expected.1 = true,
                    }
                }
            }
        }
        if number.is_multiple_of(1_000) {
            bar.set_position(u64::from(number));
        }
    }
    bar.finish_and_clear();
    let found = expected
        .iter()
        .filter(|(rejected, accepted)| *rejected || *accepted);
    println!("of which {} have a match", found.count());
    asked
        .iter()
        .zip(expected)
        .filter(|(question, expected)| {
            let check = engine.check(question).expect("an answer");
            let is_missed = expected.0 && !check.rejected || expected.1 && !check.accepted_recently;
            is_missed || !check.record.is_none_or(|found| are_same(question, &found))
        })
        .count()
}

fn are_same(question: &DecisionQuery, found: &Decision) -> bool {
    let is_same = |text: &str| similarity(MODULE, &question.hypothesis, text).is_some();
    is_same(&found.hypothesis) || is_same(&found.description)
}

fn progress(what: &'static str, count: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} {eta}");
    ProgressBar::new(u64::from(count))
        .with_style(style.expect("a template"))
        .with_message(what)
}
