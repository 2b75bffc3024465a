//! What a memory of 100,000 episodes and 5,000 patterns costs: in time, on the disk and in memory.
//!
//! ```sh
//! cargo bench -p twiceshy --bench knowledge
//! cargo bench -p twiceshy --bench knowledge -- --quick
//! cargo bench -p twiceshy --bench knowledge -- --record docs/figures/knowledge.json
//! ```
//!
//! `--record` also writes the figures down, relative to the root of the repository; a test compares what is on record
//! with what the documents ask for.
//!
//! The memory is made once, by the engine's own `episodes.add` and `patterns.add`, and kept under `target/`; while it is
//! filled, commits are left to the system. Then a process that only opens and asks measures the component, another one
//! the native engine. Beside them: the same by hand in plain SQL. Times are for JSON calls,
//! reading of arguments and writing of answers included.

#[path = "knowledge/work.rs"]
mod work;

use std::{
    fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use indicatif::ProgressBar;
use rusqlite::Connection;
use serde_json::{Value, json};
use twiceshy::{Cache, MemoryComponent, Options, SqliteStore, Unavailable};
use twiceshy_engine::{Engine, Ports};
use twiceshy_wit::{
    host::{Clock, Store},
    memory::Error,
    rpc,
};

/// How much there is.
#[derive(Clone, Copy)]
struct Size {
    episodes: u64,
    patterns: u64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let given = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let size = if given("--quick") {
        Size {
            episodes: 2_000,
            patterns: 200,
        }
    } else {
        Size {
            episodes: 100_000,
            patterns: 5_000,
        }
    };
    let place = place(size);
    if given("--ask-component") {
        return ask_component(&place, size);
    }
    if given("--ask-native") {
        let store = open(&place);
        with_engine(&store, size, |engine| ask(engine, &place));
        let rate = 100.0 * store.page_use().hit_rate();
        return amount("pages found in the store's cache", "percent", rate);
    }
    if given("--ask-by-hand") {
        return by_hand(&place);
    }
    fill(&place, size);
    let bytes = open(&place).size_bytes().expect("a size");
    println!(
        "{} episodes and {} patterns: {} MiB, {:.1} KiB for each episode",
        size.episodes,
        size.patterns,
        bytes >> 20,
        bytes as f64 / 1024.0 / size.episodes as f64
    );
    let mut record = json!({
        "episodes": size.episodes,
        "patterns": size.patterns,
        "store-mib": bytes >> 20,
    });
    for (name, flag) in [
        ("the component", "--ask-component"),
        ("the native engine", "--ask-native"),
        ("by hand", "--ask-by-hand"),
    ] {
        println!(
            "\n{:<44} {:>12} {:>12} {:>12}",
            name, "p50", "p99", "processor"
        );
        let mut fresh = Command::new(std::env::current_exe().expect("this program"));
        let fresh = fresh.arg(flag).args(given("--quick").then_some("--quick"));
        let told = fresh.stderr(Stdio::inherit()).output().expect("a process");
        assert!(told.status.success(), "{name}");
        let told = String::from_utf8(told.stdout).expect("text");
        let rows: Vec<Value> = told
            .lines()
            .map(|line| serde_json::from_str(line).expect("a figure"))
            .collect();
        rows.iter().for_each(show);
        record[name.replace(' ', "-")] = rows.into();
    }
    let mut arguments = arguments
        .iter()
        .skip_while(|argument| *argument != "--record");
    if let Some(file) = arguments.nth(1) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let text = serde_json::to_string_pretty(&record).expect("JSON") + "\n";
        fs::write(root.join(file), text).expect("the record");
    }
}

/// Where the memory of a size is kept.
fn place(size: Size) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    target.join(format!("knowledge-{}-{}", size.episodes, size.patterns))
}

fn open(place: &Path) -> SqliteStore {
    SqliteStore::open(&place.join("memory.db"), Options::default()).expect("a store")
}

/// The hour after the last episode.
struct AfterAll(Size);

impl Clock for AfterAll {
    fn now(&self) -> u64 {
        work::ended_at(self.0.episodes) + 3_600_000
    }
}

fn with_engine(store: &dyn Store, size: Size, work: impl FnOnce(&Engine<'_>)) {
    work(&Engine::new(Ports {
        store,
        archive: &Unavailable,
        embedder: &Unavailable,
        model: &Unavailable,
        clock: &AfterAll(size),
        log: &Unavailable,
    }));
}

/// Fills a memory and writes down the ids of what is in it, once all of a kind are there.
fn fill(place: &Path, size: Size) {
    fs::create_dir_all(place).expect("a directory");
    let options = Options {
        light: true,
        ..Options::default()
    };
    let store = SqliteStore::open(&place.join("memory.db"), options).expect("a store");
    with_engine(&store, size, |engine| {
        for (method, count, make) in [
            (
                "episodes.add",
                size.episodes,
                work::episode as fn(u64) -> Value,
            ),
            ("patterns.add", size.patterns, work::pattern),
        ] {
            if place.join(method).exists() {
                continue;
            }
            let bar = ProgressBar::new(count).with_message(method);
            let begun = Instant::now();
            let mut ids = String::new();
            for number in 0..count {
                let answer = rpc::call(engine, method, &make(number).to_string()).expect(method);
                let answer: Value = serde_json::from_str(&answer).expect("JSON");
                // A pattern has the id of its lesson.
                let id = answer["id"].as_str().or(answer["lesson"]["id"].as_str());
                ids.push_str(id.expect("an id"));
                ids.push('\n');
                bar.inc(1);
            }
            bar.finish_and_clear();
            let rate = count as f64 / begun.elapsed().as_secs_f64();
            println!("{method}: {rate:.0} a second");
            fs::write(place.join(method), ids).expect("written");
        }
    });
    store.optimize().expect("optimized");
}

/// The ids that a method gave.
fn ids(place: &Path, method: &str) -> Vec<String> {
    let ids = fs::read_to_string(place.join(method)).expect("ids");
    ids.lines().map(str::to_owned).collect()
}

fn ask_component(place: &Path, size: Size) {
    let cache = Cache::new(place.join("cache"), |_| {});
    let component = MemoryComponent::bundled(&cache).expect("memory");
    let memory = component.over(open(place)).clock(AfterAll(size)).build();
    ask(&memory, place);
}

/// Puts every question to a memory.
fn ask(memory: &impl rpc::Memory, place: &Path) {
    let [episodes, patterns] = ["episodes.add", "patterns.add"].map(|method| ids(place, method));
    // Most of what is asked for is recent, and some of it is asked for again and again.
    let recent = |dice: &mut work::Dice| {
        let among = if dice.roll(5) > 0 {
            1_000.min(episodes.len())
        } else {
            episodes.len()
        };
        (episodes.len() - 1 - dice.skewed(among)) as u64
    };
    let question =
        |name: &str, turns: u32, method: &str, arguments: &dyn Fn(&mut work::Dice) -> Value| {
            let mut dice = work::Dice::new(1);
            let one = |dice: &mut work::Dice| {
                let arguments = arguments(dice).to_string();
                timed(|| rpc::call(memory, method, &arguments))
            };
            if let (Err(error), _) = one(&mut dice) {
                return refused(name, &error);
            }
            let took = (0..turns).map(|_| {
                let (answer, took) = one(&mut dice);
                black_box(answer).expect("an answer");
                took
            });
            figures(name, took.collect());
        };
    let by_id = |dice: &mut work::Dice| json!({"episode": episodes[recent(dice) as usize]});
    question("an episode by id", 2_000, "episodes.get", &by_id);
    question(
        "an episode with account and steps",
        1_000,
        "episodes.retrieve",
        &by_id,
    );
    question(
        "episodes by attributes, 20",
        300,
        "episodes.find",
        &|dice| {
            let (domain, task_type) = work::domain_and_type(recent(dice));
            json!({"filter": {"domain": domain, "task-type": task_type, "outcome": "failure", "limit": 20}})
        },
    );
    question(
        "episodes by tool and time, 20",
        300,
        "episodes.find",
        &|dice| {
            let until = work::ended_at(recent(dice));
            json!({"filter": {"tool": "terraform", "until": until, "since": until - 30 * 86_400_000, "limit": 20}})
        },
    );
    question("hybrid search, 10", 300, "episodes.search", &|dice| {
        let number = recent(dice);
        let (domain, _) = work::domain_and_type(number);
        json!({"query": {"text": work::task(number), "domain": domain, "limit": 10}})
    });
    question(
        "search by words alone, 10",
        300,
        "episodes.search",
        &|dice| json!({"query": {"text": work::task(recent(dice)), "limit": 10}}),
    );
    question(
        "similar failures, 10",
        300,
        "episodes.similar-failures",
        &|dice| json!({"failure": {"evidence": work::error(recent(dice)), "limit": 10}}),
    );
    question(
        "a pattern by id",
        1_000,
        "patterns.get",
        &|dice| json!({"pattern": patterns[dice.skewed(patterns.len())]}),
    );
    question(
        "patterns that fit a task, 10",
        300,
        "patterns.find-applicable",
        &|dice| work::features(recent(dice)),
    );
    question("context for a task", 200, "recall.context", &|dice| {
        let number = recent(dice);
        let (domain, task_type) = work::domain_and_type(number);
        json!({"request": {"task": work::task(number), "domain": domain, "task-type": task_type, "tokens": 2_000}})
    });
    working(memory, &question);
    let mebibytes = (most_resident() >> 20) as f64;
    amount("memory of the process, at most", "mib", mebibytes);
}

type Question<'a> = dyn Fn(&str, u32, &str, &dyn Fn(&mut work::Dice) -> Value) + 'a;

/// The operations of working memory, on a run of its own.
fn working(memory: &impl rpc::Memory, question: &Question) {
    let start = json!({"run": {"task": "measure working memory", "domain": "cli"}}).to_string();
    let started = rpc::call(memory, "runs.start", &start).expect("a run");
    let started: Value = serde_json::from_str(&started).expect("JSON");
    let run = started["id"]
        .as_str()
        .or(started["run"].as_str())
        .expect("an id")
        .to_owned();
    let of_run = |members: Value| {
        let mut all = members;
        all["run"] = json!(run);
        all
    };
    let context = of_run(json!({"context": {"tools": ["cargo", "git"]}})).to_string();
    if let Err(error) = rpc::call(memory, "working.init", &context) {
        return refused("working memory", &error);
    }
    question("working: set a variable", 1_000, "working.set", &|dice| {
        of_run(
            json!({"variable": {"key": format!("k{}", dice.roll(50)), "value": dice.roll(1_000), "scope": "task-scope"}}),
        )
    });
    question("working: get a variable", 1_000, "working.get", &|dice| {
        of_run(json!({"key": format!("k{}", dice.roll(50)), "scope": "task-scope"}))
    });
    question(
        "working: push a state",
        300,
        "working.push-state",
        &|dice| {
            of_run(
                json!({"state": {"phase": "implementation", "progress": 0.01 * dice.roll(100) as f64}}),
            )
        },
    );
    question("working: all of it", 300, "working.view", &|_| {
        of_run(json!({}))
    });
    rpc::call(memory, "working.clear", &of_run(json!({})).to_string()).expect("cleared");
    let ending = of_run(json!({"ending": {"outcome": "abandoned"}})).to_string();
    rpc::call(memory, "runs.finish", &ending).expect("ended");
}

/// The same in plain SQL, as somebody would write it who knows the tables.
fn by_hand(place: &Path) {
    let connection = Connection::open(place.join("memory.db")).expect("a database");
    let episodes = ids(place, "episodes.add");
    let mut dice = work::Dice::new(1);
    let mut get = connection
        .prepare("SELECT body FROM documents d JOIN kinds k USING (kind) WHERE k.name = 'episode' AND id = ?1")
        .expect("SQL");
    let took = (0..2_000).map(|_| {
        let id = &episodes[episodes.len() - 1 - dice.skewed(1_000.min(episodes.len()))];
        timed(|| {
            get.query_row([id], |row| row.get::<_, Vec<u8>>(0))
                .expect("a row")
        })
        .1
    });
    figures("an episode by id", took.collect());
    let mut structured = connection
        .prepare(
            "WITH named AS (SELECT n.name, attribute FROM names n JOIN kinds k USING (kind) WHERE k.name = 'episode')
             SELECT d.body FROM attributes t
             JOIN attributes a ON a.name = (SELECT name FROM named WHERE attribute = 'domain') AND a.value = ?1 AND a.doc = t.doc
             JOIN attributes o ON o.name = (SELECT name FROM named WHERE attribute = 'outcome') AND o.value = 'failure' AND o.doc = t.doc
             JOIN documents d ON d.doc = t.doc
             WHERE t.name = (SELECT name FROM named WHERE attribute = 'ended-at') ORDER BY t.value DESC LIMIT 20",
        )
        .expect("SQL");
    let took = (0..50).map(|turn| {
        let (domain, _) = work::domain_and_type(turn);
        timed(|| {
            structured
                .query_map([domain], |row| row.get::<_, Vec<u8>>(0))
                .expect("rows")
                .count()
        })
        .1
    });
    figures("episodes by attributes, 20", took.collect());
}

/// What a piece of work took: time, and time of the processor, which others on the machine do not lengthen.
type Took = (Duration, Duration);

fn timed<T>(work: impl FnOnce() -> T) -> (T, Took) {
    let (begun, busy) = (Instant::now(), processor());
    let result = work();
    (result, (begun.elapsed(), processor().saturating_sub(busy)))
}

/// Tells the parent of this process what a question took.
fn figures(name: &str, took: Vec<Took>) {
    let mut times: Vec<Duration> = took.iter().map(|took| took.0).collect();
    times.sort();
    let at = |percent: usize| milliseconds(times[(times.len() - 1) * percent / 100]);
    let busy = took.iter().map(|took| took.1).sum::<Duration>() / took.len() as u32;
    println!(
        "{}",
        json!({"figure": name, "p50-ms": at(50), "p99-ms": at(99), "processor-ms": milliseconds(busy)})
    );
}

/// Tells it anything that is not a time.
fn amount(name: &str, unit: &str, amount: f64) {
    println!("{}", json!({"figure": name, unit: amount}));
}

fn refused(name: &str, error: &Error) {
    println!("{}", json!({"figure": name, "error": error.to_string()}));
}

/// A figure as a line for a person.
fn show(row: &Value) {
    let name = row["figure"].as_str().unwrap_or_default();
    let time = |member: &str| format!("{:.3} ms", row[member].as_f64().unwrap_or(f64::NAN));
    let rest = match row {
        row if row["p50-ms"].is_number() => {
            let [p50, p99, busy] = ["p50-ms", "p99-ms", "processor-ms"].map(time);
            format!("{p50:>12} {p99:>12} {busy:>12}")
        }
        row => {
            let others = row.as_object().into_iter().flatten();
            let others = others.filter(|(member, _)| *member != "figure");
            others
                .map(|(member, value)| format!("{value} {member}"))
                .collect()
        }
    };
    println!("{name:<44} {rest:>12}");
}

/// In milliseconds, to the microsecond.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1_000.0
}

/// What this thread has had of the processor; zero where the system does not say so.
fn processor() -> Duration {
    let known = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = known.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

/// The most bytes that this process ever had in memory; zero where the system does not say so.
fn most_resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or_default() * 1024
}
