//! One writer of a fleet, and the one who counts afterwards: what was acknowledged must be there, once.
//!
//! `fleet write URL WRITER COUNT [FILE]` makes commits, so many and then until FILE is there, each a new document and one more on a counter, mixed with questions, and
//! says what came of each: `made`, `refused`, which was not made, or `unknown`. `fleet check URL` reads such lines from
//! standard input and compares them with what the memory holds. `PATIENCE_MS` is how long it waits for others. `tests/postgres/fleet` starts the writers and kills the
//! server under them.

use std::collections::BTreeMap;
use std::io::{BufRead, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use twiceshy_store::{PostgresAddress, PostgresOptions, PostgresStore};
use twiceshy_wit::host::{
    Attribute, Change, Condition, Document, Error, Key, Order, Precondition, Put, Query, Store,
    Test, Value,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["write", url, writer, count] => {
            write(&open(url), writer, count.parse().expect("a count"), None)
        }
        ["write", url, writer, count, until] => {
            let count = count.parse().expect("a count");
            write(&open(url), writer, count, Some(Path::new(until)))
        }
        ["check", url] => check(&open(url)),
        ["time", url, count] => time(&open(url), count.parse().expect("a count")),
        _ => {
            eprintln!("fleet write URL WRITER COUNT | fleet check URL");
            ExitCode::from(2)
        }
    }
}

fn open(url: &str) -> PostgresStore {
    let address = PostgresAddress::parse(url).expect("an address");
    let patience =
        std::env::var("PATIENCE_MS").map_or(60_000, |words| words.parse().expect("a number"));
    let options = PostgresOptions {
        patience: Duration::from_millis(patience),
    };
    PostgresStore::open(&address, options).unwrap_or_else(|error| {
        eprintln!("{error:?}");
        std::process::exit(3);
    })
}

fn key(id: String) -> Key {
    Key {
        kind: "note".into(),
        id,
    }
}

fn put(id: String, body: String, writer: &str, precondition: Precondition) -> Change {
    let attributes = vec![Attribute {
        name: "writer".into(),
        value: Value::Text(writer.into()),
    }];
    let document = Document {
        text: format!("note of {writer} number {}", body.len() % 7),
        vector: vec![body.len() as f32, 1.0, writer.len() as f32],
        key: key(id),
        body,
        attributes,
    };
    Change::Put(Put {
        document,
        precondition,
    })
}

/// Says how long a commit of one new document takes, and a question of words and of a vector.
fn time(store: &PostgresStore, count: u64) -> ExitCode {
    let mean = |begun: Instant, times: u64| begun.elapsed().as_micros() / u128::from(times);
    let begun = Instant::now();
    for number in 0..count {
        let body = format!(
            "{{\"number\": {number}, \"words\": \"{}\"}}",
            "word ".repeat(80)
        );
        let id = format!("t-{number}");
        store
            .commit(&[put(id, body, "time", Precondition::Absent)])
            .expect("a commit");
    }
    let commit = mean(begun, count);
    let find = |order: Order| {
        let query = Query {
            kind: "note".into(),
            conditions: vec![],
            order,
            offset: 0,
            limit: 10,
        };
        let begun = Instant::now();
        for _ in 0..50 {
            store.find(&query).expect("an answer");
        }
        mean(begun, 50)
    };
    let text = find(Order::ByText("number 3 note".into()));
    let vector = find(Order::ByNearest(vec![1.0, 2.0, 3.0]));
    println!(
        "commit {commit} µs, question of words {text} µs, of a vector {vector} µs, among {count} documents"
    );
    ExitCode::SUCCESS
}

/// The counter of a writer: its version, and how often it was counted.
fn counter(store: &PostgresStore, writer: &str) -> Result<(Option<u32>, u64), Error> {
    let found = store.get_many(&[key(format!("counter-{writer}"))])?;
    Ok(found.first().map_or((None, 0), |stored| {
        (
            Some(stored.version),
            stored.body.parse().unwrap_or_default(),
        )
    }))
}

fn write(store: &PostgresStore, writer: &str, count: u64, until: Option<&Path>) -> ExitCode {
    let mut longest = Duration::ZERO;
    let goes_on = |number: &u64| *number < count || until.is_some_and(|until| !until.exists());
    for number in (0..).take_while(goes_on) {
        let begun = Instant::now();
        let made = counter(store, writer).and_then(|(version, counted)| {
            let precondition = version.map_or(Precondition::Absent, Precondition::At);
            let body = format!(
                "{{\"number\": {number}, \"words\": \"{}\"}}",
                "word ".repeat(80)
            );
            // A document that is written twice would have the version 2.
            let new = put(
                format!("{writer}-{number}"),
                body,
                writer,
                Precondition::Anything,
            );
            let id = format!("counter-{writer}");
            let one_more = put(id, (counted + 1).to_string(), writer, precondition);
            match number % 8 {
                7 => store.commit_lightly(&[new, one_more]).map(|()| "light"),
                _ => store.commit(&[new, one_more]).map(|()| "made"),
            }
        });
        longest = longest.max(begun.elapsed());
        let said = match &made {
            Ok(how) => *how,
            Err(Error::Other(_)) => "unknown",
            Err(_) => "refused",
        };
        println!("{said} {writer} {number}");
        if let Err(error) = &made {
            eprintln!("{writer} {number}: {error:?}");
        }
        let _ = std::io::stdout().flush();
        if number % 10 == 9 {
            ask(store, writer);
        }
    }
    println!("longest {writer} {}", longest.as_millis());
    ExitCode::SUCCESS
}

/// A question that a writer's own documents must be among the answers of.
fn ask(store: &PostgresStore, writer: &str) {
    let query = Query {
        kind: "note".into(),
        conditions: vec![Condition {
            attribute: "writer".into(),
            test: Test::Equals(Value::Text(writer.into())),
        }],
        order: Order::ByText(format!("{writer} note")),
        offset: 0,
        limit: 5,
    };
    match store.find(&query) {
        Ok(found) if found.is_empty() => println!("stale {writer} 0"),
        Ok(_) => {}
        Err(error) => eprintln!("{writer}: {error:?}"),
    }
}

fn check(store: &PostgresStore) -> ExitCode {
    let (mut lost, mut twice, mut ghosts, mut stale) = (0u64, 0u64, 0u64, 0u64);
    let mut tallies: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    let (mut longest, mut unknown, mut light_lost) = (0u64, 0u64, 0u64);
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split(' ').collect();
        let [said, writer, number] = words[..] else {
            continue;
        };
        match said {
            "longest" => longest = longest.max(number.parse().unwrap_or_default()),
            "stale" => stale += 1,
            said => {
                let found = store
                    .get_many(&[key(format!("{writer}-{number}"))])
                    .expect("a read");
                let version = found.first().map(|stored| stored.version);
                *tallies
                    .entry(writer.into())
                    .or_default()
                    .entry(said.into())
                    .or_default() += 1;
                lost += u64::from(said == "made" && version.is_none());
                light_lost += u64::from(said == "light" && version.is_none());
                twice += u64::from(version.is_some_and(|version| version > 1));
                ghosts += u64::from(said == "refused" && version.is_some());
                unknown += u64::from(said == "unknown");
            }
        }
    }
    let mut miscounted = 0u64;
    for (writer, tally) in &tallies {
        let said = |what: &str| tally.get(what).copied().unwrap_or_default();
        let counted = counter(store, writer).expect("a read").1;
        let least = said("made");
        let most = said("made") + said("light") + said("unknown");
        miscounted += u64::from(counted < least || counted > most);
    }
    let made: u64 = tallies.values().filter_map(|tally| tally.get("made")).sum();
    let light: u64 = tallies
        .values()
        .filter_map(|tally| tally.get("light"))
        .sum();
    println!(
        "made {made}, light {light}, lost {lost}, light ones lost {light_lost}, twice {twice}, refused but there {ghosts}, \
         unknown {unknown}, counters wrong {miscounted}, stale {stale}, longest wait {longest} ms"
    );
    let problems = store.integrity().expect("a look");
    problems.iter().for_each(|problem| println!("{problem}"));
    match lost + twice + ghosts + miscounted + stale == 0 && problems.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
