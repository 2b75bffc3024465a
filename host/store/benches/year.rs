//! A year of work in one memory: 200 runs a day, consolidation every night, over SQLite.
//!
//! ```sh
//! cargo bench -p twiceshy-store --bench year -- --days 365 --runs 200 --output target/year
//! ```
//!
//! Writes `year.json` and `year.svg` into the output directory, and with `--record docs/figures` the same without the single
//! days to `year.json` and `year.svg` there, from where a test reads it. The clock is virtual, so that a year takes minutes; what
//! is done depends on the seed alone, and only times and sizes of files on the machine.

#[path = "year/agent.rs"]
mod agent;
#[path = "year/calendar.rs"]
mod calendar;
#[path = "../../../guest/learning/benches/lifecycle/chance.rs"]
#[allow(dead_code, reason = "not all of it is needed here")]
mod chance;
#[path = "year/plot.rs"]
mod plot;
#[path = "year/trade.rs"]
mod trade;

use std::{cell::Cell, fs, path::Path, time::Instant};

use calendar::{Day, Plan, START};
use serde_json::{Value, json};
use twiceshy_engine::{Engine, Ports};
use twiceshy_store::{DirectoryArchive, Options, SqliteStore};
use twiceshy_wit::{
    host::{Clock, Embedder, Error, Level, Log, Model, Store},
    memory::Upkeep,
};

/// What the memory has no need of in this year, and the time that passes in it.
struct Surroundings(Cell<u64>);

impl Clock for Surroundings {
    fn now(&self) -> u64 {
        self.0.get()
    }
}

impl Log for Surroundings {
    fn write(&self, level: Level, message: &str) {
        if level >= Level::Warn {
            eprintln!("{}: {message}", level.as_str());
        }
    }
}

impl Embedder for Surroundings {
    fn identity(&self) -> Result<String, Error> {
        Err(Error::Unavailable("no embedder".to_owned()))
    }

    fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        Err(Error::Unavailable("no embedder".to_owned()))
    }
}

impl Model for Surroundings {
    fn complete(&self, _: &str, _: &str) -> Result<String, Error> {
        Err(Error::Unavailable("no model".to_owned()))
    }
}

fn main() {
    let argument = |name: &str| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name);
        arguments.nth(1)
    };
    let number = |name: &str, default: u32| {
        let given = argument(name).map(|text| text.parse().expect("a number"));
        given.unwrap_or(default)
    };
    let plan = Plan {
        seed: u64::from(number("--seed", 1)),
        days: number("--days", 365),
        runs: number("--runs", 200),
        stride: u64::from(number("--stride", 1)),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = root.join(argument("--output").unwrap_or_else(|| "target/year".to_owned()));
    let directory = output.join("memory");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory");
    let file = directory.join("memory.db");
    // A year of syncs takes an hour; what is lost by a power failure is simulated again.
    let options = Options {
        light: true,
        ..Options::default()
    };
    let store = SqliteStore::open(&file, options).expect("a store");
    let archive = DirectoryArchive::new(directory.join("archive"));
    let surroundings = Surroundings(Cell::new(START));
    let engine = Engine::new(Ports {
        store: &store,
        archive: &archive,
        embedder: &surroundings,
        model: &surroundings,
        clock: &surroundings,
        log: &surroundings,
    });
    let sizes = || {
        let store = store.size_bytes().unwrap_or(0);
        (store, bytes_below(&directory.join("archive")))
    };
    let begun = Instant::now();
    let mut told = |day: &Day| {
        if (day.day + 1).is_multiple_of(30) {
            eprintln!(
                "day {}: {:.2} failures a run, {} of {} recalled, {} MiB, night {} ms, {:.0} s so far",
                day.day + 1,
                f64::from(day.failures) / f64::from(day.runs),
                day.recalled,
                day.known,
                day.store_bytes >> 20,
                day.night_ms,
                begun.elapsed().as_secs_f64()
            );
        }
    };
    let (days, nights) = calendar::live(&plan, &surroundings.0, &engine, &sizes, &mut told);
    let seconds = begun.elapsed().as_secs_f64();
    let findings = engine.verify().expect("a check");
    let lost = calendar::lost_origins(&engine);
    let count = |kind: &str| store.count(kind, &[]).unwrap_or(0);
    let kinds = [
        "episode",
        "step",
        "event",
        "lifecycle",
        "consolidated",
        "lesson",
        "pattern",
        "skill",
        "activation",
        "consolidation-change",
    ];
    let documents: serde_json::Map<_, _> = kinds
        .iter()
        .map(|kind| ((*kind).to_owned(), json!(count(kind))))
        .collect();
    let months: Vec<Value> = days.chunks(30).map(month).collect();
    let mut report = json!({
        "seed": plan.seed,
        "days": plan.days,
        "runs-a-day": plan.runs,
        "seconds": seconds,
        "nights": nights,
        "phases": calendar::phases(&engine),
        "documents": documents,
        "findings": findings.len(),
        "lessons-without-origin": lost.len(),
        "months": months,
    });
    let plot = plot::svg(&days);
    if let Some(place) = argument("--record") {
        let place = root.join(place);
        let text = serde_json::to_string_pretty(&report).expect("JSON") + "\n";
        fs::write(place.join("year.json"), text).expect("the record");
        fs::write(place.join("year.svg"), &plot).expect("the plot");
    }
    report["course"] = json!(days);
    fs::write(output.join("year.json"), report.to_string()).expect("the report");
    fs::write(output.join("year.svg"), plot).expect("the plot");
    for month in &months {
        println!("{month}");
    }
    println!("{:?} in phases; {documents:?}", calendar::phases(&engine));
    let runs = f64::from(plan.days * plan.runs);
    for part in store.usage().expect("what takes how much") {
        let documents = part.documents.unwrap_or_default();
        let each = part.bytes as f64 / runs;
        println!(
            "{:24} {documents:8} {:12} bytes {each:9.1} a run",
            part.name, part.bytes
        );
    }
    println!("the nights: {:?}", report["nights"]);
    println!(
        "{} findings, {} lessons without their origin, {seconds:.0} s",
        findings.len(),
        lost.len()
    );
    assert!(findings.is_empty(), "{findings:?}");
    assert!(lost.is_empty(), "{lost:?}");
}

/// What is seen of thirty days together.
fn month(days: &[Day]) -> Value {
    let sum = |of: &dyn Fn(&Day) -> u32| days.iter().map(of).sum::<u32>();
    let share = |part: u32, whole: u32| {
        let share = f64::from(part) / f64::from(whole.max(1));
        (share * 1_000.0).round() / 1_000.0
    };
    let (first, last) = (days.first().expect("a day"), days.last().expect("a day"));
    json!({
        "days": format!("{}–{}", first.day + 1, last.day + 1),
        "failures-a-run": share(sum(&|day| day.failures), sum(&|day| day.runs)),
        "recalled": share(sum(&|day| day.recalled), sum(&|day| day.known)),
        "relevant": share(sum(&|day| day.relevant), sum(&|day| day.briefed)),
        "recall-us-median": last.recall_us_median,
        "recall-us-p95": last.recall_us_p95,
        "store-mib": last.store_bytes >> 20,
        "archive-mib": last.archive_bytes >> 20,
        "night-ms": last.night_ms,
    })
}

fn bytes_below(directory: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(directory) else {
        return 0;
    };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_below(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
