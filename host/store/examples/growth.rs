//! What a memory in a database costs as it grows: `growth URL SIZE,SIZE SERVER` fills it with episodes, each with its task,
//! its vector, a text and the attributes by which a search looks for it, and says at each size what a search and a commit
//! take, as JSON Lines. It waits for a line after each. What was filled before is not filled again. SERVER is the number of
//! the server's process: what its connections use of the processor counts, which other work beside does not change as
//! it changes the time on a clock.
//!
//! A search is the questions that one `episodes.search` puts to the store, one after the other. `tests/postgres/growth`
//! starts the server, asks a plain `INSERT … RETURNING` beside it, and draws the plot.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use twiceshy_store::{PostgresAddress, PostgresOptions, PostgresStore};
use twiceshy_wit::host::{
    Attribute, AttributeOrder, Change, Condition, Document, Found, Key, Order, Precondition, Put,
    Query, Store, Test, Value,
};

/// Episodes of one commit while it is filled: two documents each, and three of every fifth.
const AT_ONCE: u64 = 450;

/// How many different words there are, and how long vectors are, as with the static model.
const WORDS: u64 = 60_000;
const LENGTH: u64 = 256;

/// Of each kind of question so many are asked.
const QUESTIONS: u64 = 100;

/// The times of episodes: what is older than the beginning is not looked for.
const BEGINNING: f64 = 1.7e12;

/// Episodes and tasks that a search looks at, as the engine has them.
const POOL: u32 = 32;
const TASKS: u32 = 8;

fn mixed(seed: u64) -> u64 {
    let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 27)
}

/// A word: few are frequent, most are rare, as in any language.
fn word(seed: u64) -> String {
    let share = (mixed(seed) >> 11) as f64 / (1u64 << 53) as f64;
    format!("w{}", (WORDS as f64).powf(share) as u64)
}

fn words(number: u64, count: u64) -> String {
    let words: Vec<String> = (0..count).map(|at| word(number * 64 + at)).collect();
    words.join(" ")
}

fn vector(number: u64) -> Vec<f32> {
    let noise = |seed: u64| (mixed(seed) >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
    let centre = mixed(number) % 5_000;
    (0..LENGTH)
        .map(|at| noise(centre * LENGTH + at) + 0.6 * noise((number + 9) * 977 + at))
        .collect()
}

fn episode_id(number: u64) -> String {
    format!("run_{:016x}", mixed(number))
}

/// Five episodes have one task.
fn task_id(number: u64) -> String {
    format!("tsk_{:016x}", mixed(number / 5))
}

fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into())
}

fn document(kind: &str, id: String, attributes: Vec<(&str, Value)>) -> Document {
    let attribute = |(name, value): (&str, Value)| Attribute {
        name: name.into(),
        value,
    };
    Document {
        key: Key {
            kind: kind.into(),
            id,
        },
        body: String::new(),
        attributes: attributes.into_iter().map(attribute).collect(),
        text: String::new(),
        vector: Vec::new(),
    }
}

/// The documents of an episode: the first of a task brings the task as well.
fn episode(number: u64) -> Vec<Change> {
    let ended = BEGINNING + number as f64 * 20_000.0;
    let outcome = ["success", "failure"][number.is_multiple_of(5) as usize];
    let mut episode = document(
        "episode",
        episode_id(number),
        vec![
            ("ended-at", Value::Number(ended)),
            (
                "task-ended",
                text(format!("{} {ended:016}", task_id(number))),
            ),
            ("domain", text(format!("d{}", number % 20))),
            ("outcome", text(outcome)),
            ("tag", text(format!("t{}", number % 7))),
            ("tag", text(format!("t{}", number % 11))),
        ],
    );
    episode.text = words(number, 30);
    episode.body = format!(
        r#"{{"task":"{}","outcome":"{outcome}","steps":{},"summary":"{}"}}"#,
        words(number / 5, 8),
        number % 40,
        episode.text
    );
    let mut task = document(
        "task",
        task_id(number),
        vec![("domain", text(format!("d{}", number % 20)))],
    );
    task.text = words(number / 5, 8);
    task.body = format!(r#"{{"task":"{}"}}"#, task.text);
    let mut embedding = document(
        "embedding",
        format!("{} task", episode_id(number)),
        vec![
            ("episode", text(episode_id(number))),
            ("ended-at", Value::Number(ended)),
            ("facet", text("task")),
            ("model", text("static")),
        ],
    );
    embedding.body = format!(r#"{{"episode":"{}"}}"#, episode_id(number));
    embedding.vector = vector(number);
    let mut all = vec![episode, embedding];
    if number.is_multiple_of(5) {
        all.push(task);
    }
    let put = |document| {
        Change::Put(Put {
            document,
            precondition: Precondition::Absent,
        })
    };
    all.into_iter().map(put).collect()
}

fn condition(attribute: &str, test: Test) -> Condition {
    Condition {
        attribute: attribute.into(),
        test,
    }
}

/// Whoever asks.
struct Asker(PostgresStore);

impl Asker {
    fn find(&self, kind: &str, conditions: Vec<Condition>, order: Order, limit: u32) -> Vec<Found> {
        let query = Query {
            kind: kind.into(),
            conditions,
            order,
            offset: 0,
            limit,
        };
        self.0.find(&query).expect("an answer")
    }

    /// What one `episodes.search` asks: by words among episodes and among tasks, the newest of each task and their newest
    /// successes, the nearest in meaning, and how near all of these are.
    fn search(&self, number: u64) {
        let words = words(number / 5, 8);
        let recent = condition("ended-at", Test::AtLeast(Value::Number(BEGINNING)));
        let by_text = || Order::ByText(words.clone());
        let found = self.find("episode", vec![recent.clone()], by_text(), POOL);
        let mut ids: Vec<String> = found.into_iter().map(|one| one.document.key.id).collect();
        for task in self.find("task", vec![], by_text(), TASKS) {
            let prefix = format!("{} ", task.document.key.id);
            let mut conditions = vec![
                recent.clone(),
                condition("task-ended", Test::AtLeast(text(&*prefix))),
                condition(
                    "task-ended",
                    Test::AtMost(text(format!("{prefix}{}", char::MAX))),
                ),
            ];
            let newest = || {
                Order::ByAttribute(AttributeOrder {
                    attribute: "task-ended".into(),
                    descending: true,
                })
            };
            let found = self.find("episode", conditions.clone(), newest(), 10);
            conditions.push(condition("outcome", Test::Equals(text("success"))));
            let successes = self.find("episode", conditions, newest(), 3);
            let both = found.into_iter().chain(successes);
            ids.extend(both.map(|one| one.document.key.id));
        }
        let own = [("facet", "task"), ("model", "static")];
        let own = own.map(|(name, value)| condition(name, Test::Equals(text(value))));
        let nearest = || Order::ByNearest(vector(number));
        let conditions = [vec![recent], own.to_vec()].concat();
        let near = self.find("embedding", conditions, nearest(), POOL);
        let missing: Vec<Key> = near
            .iter()
            .map(|one| Key {
                kind: "episode".into(),
                id: one.document.key.id.trim_end_matches(" task").into(),
            })
            .collect();
        ids.extend(missing.iter().map(|key| key.id.clone()));
        ids.sort_unstable();
        ids.dedup();
        self.0.get_many(&missing).expect("episodes");
        let any = Test::AnyOf(ids.iter().map(|id| text(&**id)).collect());
        let conditions = [vec![condition("episode", any)], own.to_vec()].concat();
        let all = self.find("embedding", conditions, nearest(), 2 * ids.len() as u32);
        assert_eq!(
            all.len(),
            ids.len(),
            "each episode that was found has a vector"
        );
        let lifecycle = |id: &String| Key {
            kind: "lifecycle".into(),
            id: id.clone(),
        };
        let keys: Vec<Key> = ids.iter().map(lifecycle).collect();
        self.0.get_many(&keys).expect("lifecycles");
    }
}

/// How long processes were on a processor, in microseconds: this one, and the connections of the server.
fn worked(server: &str) -> [u64; 2] {
    let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap_or_default();
    let nanoseconds = |task: &std::path::Path| -> u64 {
        let all = read(task.join("schedstat"));
        let first = all.split(' ').next().and_then(|first| first.parse().ok());
        first.unwrap_or_default()
    };
    let entries = |place: &str| {
        let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
        entries.map(|entry| entry.path())
    };
    let is_connection = |process: &std::path::PathBuf| {
        let parent = read(process.join("stat"));
        let parent = parent
            .rsplit(") ")
            .next()
            .and_then(|rest| rest.split(' ').nth(1));
        parent == Some(server) && read(process.join("cmdline")).contains("127.0.0.1(")
    };
    let own = entries("/proc/self/task")
        .map(|task| nanoseconds(&task))
        .sum::<u64>();
    let connections = entries("/proc").filter(is_connection);
    let servers = connections
        .map(|process| nanoseconds(&process))
        .sum::<u64>();
    [own / 1_000, servers / 1_000]
}

/// In microseconds: the median, the slowest of a hundred, and what each took of the processor here and in the server.
fn timed(server: &str, mut ask: impl FnMut(u64)) -> String {
    // Connections are made and pages read before anything is measured.
    (0..5).for_each(&mut ask);
    let before = worked(server);
    let mut times: Vec<Duration> = (0..QUESTIONS)
        .map(|number| {
            let begun = Instant::now();
            ask(number);
            begun.elapsed()
        })
        .collect();
    let after = worked(server);
    times.sort_unstable();
    let at = |share: f64| times[(times.len() as f64 * share) as usize].as_micros();
    // A connection that ended meanwhile counts no more.
    let each = |which: usize| after[which].saturating_sub(before[which]) / QUESTIONS;
    format!("[{},{},{},{}]", at(0.5), at(0.99), each(0), each(1))
}

/// Says something, and waits until it was heard.
fn say(line: &str) {
    println!("{line}");
    let _ = std::io::stdin().read_line(&mut String::new());
}

/// How many episodes are there: they come in the order of their numbers, and all of a commit or none.
fn filled(store: &PostgresStore, most: u64) -> u64 {
    let is_there = |number: u64| {
        let key = Key {
            kind: "episode".into(),
            id: episode_id(number),
        };
        !store.get_many(&[key]).expect("an episode").is_empty()
    };
    let (mut there, mut missing) = (0, most);
    while there < missing {
        let middle = there + (missing - there) / 2;
        match is_there(middle) {
            true => there = middle + 1,
            false => missing = middle,
        }
    }
    there
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, sizes, server] = &arguments[..] else {
        eprintln!("growth URL SIZE,SIZE SERVER");
        return ExitCode::from(2);
    };
    let address = PostgresAddress::parse(url).expect("an address");
    let options = PostgresOptions {
        patience: Duration::from_secs(60),
    };
    let asker = Asker(PostgresStore::open(&address, options).expect("a memory"));
    for size in sizes.split(',') {
        let size: u64 = size.parse().expect("a size");
        let begun = Instant::now();
        let mut filled = filled(&asker.0, size);
        let first = filled;
        say(&format!(r#"{{"from": {filled}, "to": {size}}}"#));
        while filled < size {
            let until = (filled + AT_ONCE).min(size);
            let batch: Vec<Change> = (filled..until).flat_map(episode).collect();
            asker.0.commit_lightly(&batch).expect("a commit");
            filled = until;
            if filled / 10_000 > (filled - AT_ONCE.min(filled)) / 10_000 {
                eprintln!("{filled} episodes, {:.0} s", begun.elapsed().as_secs_f64());
            }
        }
        let filling = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        asker.0.optimize().expect("indices");
        let optimizing = begun.elapsed().as_secs_f64();
        say(r#"{"full": true}"#);
        let spread = |number: u64| mixed(number) % filled;
        let search = timed(server, |number| asker.search(spread(number)));
        let phrase = |number: u64| Order::ByText(words(number, 6));
        let text = timed(server, |number| {
            drop(asker.find("episode", vec![], phrase(number), 10));
        });
        let nearest = timed(server, |number| {
            let order = Order::ByNearest(vector(spread(number)));
            asker.find("embedding", vec![], order, 10);
        });
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        // Numbers that no episode has, five apart from each other so that none brings a task.
        let mut extra = 1 + 5 * now.expect("a time").as_millis() as u64;
        let commit = timed(server, |_| {
            extra += 5;
            asker.0.commit(&episode(extra)).expect("a commit");
        });
        // As it is for a service, where a thread enters texts and vectors.
        asker.0.settle_beside();
        let served = timed(server, |_| {
            extra += 5;
            asker.0.commit(&episode(extra)).expect("a commit");
        });
        say(&format!(
            r#"{{"episodes":{filled},"filled":{},"filling":{filling:.1},"optimizing":{optimizing:.1},"search":{search},"text":{text},"nearest":{nearest},"commit":{commit},"served":{served}}}"#,
            filled - first
        ));
    }
    ExitCode::SUCCESS
}
