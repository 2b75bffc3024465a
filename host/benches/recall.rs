//! What recall costs among many lessons, with the native engine beside the component.
//!
//! ```sh
//! cargo bench -p twiceshy --bench recall -- --count 100000
//! ```
//!
//! A hundredth of the lessons, at least one, answers one and the same error text, each for another action.

use std::{
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

use twiceshy::{
    Cache, MemoryComponent, Options, SqliteStore, SystemClock, Unavailable,
    wit::memory::{FailureContext, LessonCandidate, Lessons, Recall, TaskContext},
};
use twiceshy_engine::{Engine, Ports};

/// Words of tools, things and troubles: as in real errors, a few are everywhere and most are rare.
const TOOLS: [&str; 12] = [
    "cargo",
    "git",
    "npm",
    "pytest",
    "docker",
    "kubectl",
    "gridtool",
    "fluxtool",
    "psql",
    "ffmpeg",
    "terraform",
    "rsync",
];
const THINGS: [&str; 24] = [
    "option",
    "column",
    "branch",
    "module",
    "file",
    "path",
    "key",
    "schema",
    "package",
    "target",
    "region",
    "volume",
    "table",
    "index",
    "socket",
    "certificate",
    "token",
    "image",
    "layer",
    "sheet",
    "stage",
    "pipeline",
    "argument",
    "symbol",
];
const TROUBLES: [&str; 12] = [
    "unknown",
    "not found",
    "already exists",
    "expected one more",
    "is not allowed here",
    "does not match",
    "is missing",
    "timed out",
    "is read-only",
    "has the wrong type",
    "is locked by another process",
    "was refused",
];

fn main() {
    let count = count();
    let directory = std::env::temp_dir().join(format!("twiceshy-recall-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    let file = directory.join("memory.db");
    let store = SqliteStore::open(&file, Options::default()).expect("store");
    let engine = Engine::new(Ports {
        store: &store,
        archive: &Unavailable,
        embedder: &Unavailable,
        model: &Unavailable,
        clock: &SystemClock,
        log: &Unavailable,
    });
    let begun = Instant::now();
    for number in 0..count - crowd(count) {
        engine.propose(&lesson(number)).expect("taken in");
    }
    for number in 0..crowd(count) {
        engine.propose(&crowded(number)).expect("taken in");
    }
    println!(
        "{count} lessons, {:.0} a second, on SQLite",
        f64::from(count) / begun.elapsed().as_secs_f64()
    );
    let cache = Cache::new(directory.join("cache"), |_| {});
    let component = MemoryComponent::bundled(&cache).expect("memory");
    let memory = component
        .over(SqliteStore::open(&file, Options::default()).expect("store"))
        .build();
    println!(
        "\n{:<34} {:>22} {:>22}",
        "", "component p50 / p99", "native p50 / p99"
    );
    compare(
        "on error, a lesson answers it",
        &memory,
        &engine,
        |memory, turn| {
            memory
                .on_error(&failure(&error(turn * 37 % (count - crowd(count)))))
                .expect("hints")
        },
    );
    compare(
        "on error, lessons are like it",
        &memory,
        &engine,
        |memory, turn| {
            let error = error(turn * 37 % (count - crowd(count))).replacen(": ", ": the whole ", 1);
            memory.on_error(&failure(&error)).expect("hints")
        },
    );
    let crowded = crowd(count);
    compare(
        &format!("on error, {crowded} lessons answer it"),
        &memory,
        &engine,
        |memory, turn| {
            let number = turn * 37 % crowded;
            let mut failure = failure(CROWDED);
            failure.action_text = Some(format!("gridtool --sheet {}", name(number)));
            let hints = memory.on_error(&failure).expect("hints");
            assert!(
                hints[0].text.contains(&name(number)),
                "the right one of them"
            );
            hints
        },
    );
    compare(
        "on error, nothing is like it",
        &memory,
        &engine,
        |memory, turn| {
            memory
                .on_error(&failure(&format!("zzq{turn} wibble frobnicated the quux")))
                .expect("hints")
        },
    );
    compare("before a task", &memory, &engine, |memory, turn| {
        memory
            .for_task(&task(turn * 37 % (count - crowd(count))))
            .expect("hints")
    });
    fs::remove_dir_all(&directory).expect("cleaned up");
}

fn count() -> u32 {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--count");
    let count = arguments.nth(1);
    count.map_or(10_000, |count| count.parse().expect("a number"))
}

/// The error text that many lessons answer.
const CROWDED: &str = "gridtool: that is not how a sheet is named";

/// How many lessons answer one error text.
fn crowd(count: u32) -> u32 {
    (count / 100).max(1)
}

/// One of many lessons for one error text.
fn crowded(number: u32) -> LessonCandidate {
    LessonCandidate {
        rule_text: format!(
            "WRONG: gridtool --sheet {} → CORRECT: gridtool sheet={}",
            name(number),
            name(number)
        ),
        trigger_texts: vec![CROWDED.to_owned()],
        ..lesson(number)
    }
}

/// Asks both the same, and shows how long it took.
fn compare<T>(
    name: &str,
    memory: &dyn Recall,
    engine: &dyn Recall,
    ask: impl Fn(&dyn Recall, u32) -> T,
) {
    let [component, native] = [memory, engine].map(|memory| {
        for turn in 0..20 {
            black_box(ask(memory, turn));
        }
        let mut times: Vec<_> = (0..500)
            .map(|turn| {
                let begun = Instant::now();
                black_box(ask(memory, turn));
                begun.elapsed()
            })
            .collect();
        times.sort();
        format!("{} / {}", shown(times[250]), shown(times[494]))
    });
    println!("{name:<34} {component:>22} {native:>22}");
}

fn shown(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1_000.0)
}

/// An error of its own for each number.
fn error(number: u32) -> String {
    let pick = |words: &[&'static str], by: u32| words[(by as usize) % words.len()];
    let tool = pick(&TOOLS, number);
    let thing = pick(&THINGS, number / 12);
    let trouble = pick(&TROUBLES, number / 288);
    format!("{tool}: {thing} {} {trouble}", name(number))
}

/// A word of its own for each number.
fn name(number: u32) -> String {
    let letters = "abcdefghijklmnopqrstuvwxyz".as_bytes();
    let mut rest = number;
    let mut name = String::from("ex");
    loop {
        name.push(letters[(rest % 26) as usize] as char);
        rest /= 26;
        if rest == 0 {
            return name;
        }
    }
}

fn lesson(number: u32) -> LessonCandidate {
    let tool = TOOLS[(number as usize) % TOOLS.len()];
    let thing = THINGS[(number as usize / 12) % THINGS.len()];
    LessonCandidate {
        rule_text: format!(
            "WRONG: {tool} --{thing} {} → CORRECT: {tool} {thing}={}",
            name(number),
            name(number)
        ),
        trigger_fingerprints: Vec::new(),
        trigger_texts: vec![error(number)],
        tags: Vec::new(),
        scope_hint: None,
        kind: None,
        domain: Some("cli".into()),
        task: Some(format!(
            "use {tool} to change the {thing} {}",
            name(number / 7)
        )),
        run: Some(format!("run_{}", number / 5)),
        steps: Vec::new(),
        source: None,
    }
}

fn failure(evidence: &str) -> FailureContext {
    FailureContext {
        evidence: evidence.to_owned(),
        fingerprint: None,
        action_text: None,
        domain: "cli".into(),
        task: String::new(),
        limit: None,
        tokens: None,
    }
}

fn task(number: u32) -> TaskContext {
    let tool = TOOLS[(number as usize) % TOOLS.len()];
    let thing = THINGS[(number as usize / 12) % THINGS.len()];
    TaskContext {
        task: format!("use {tool} to change the {thing} of the project and run it again"),
        domain: "cli".into(),
        recent_fingerprints: Vec::new(),
        limit: None,
        tokens: Some(1_000),
    }
}
