//! What a memory in a database costs as it grows: `growth URL COUNT [STEP]` fills it with documents as episodes have them,
//! each with a text, attributes and a vector, and says after every STEP what a question and a commit take, as JSON Lines.
//!
//! `tests/postgres/growth` starts the server, asks a plain `INSERT … RETURNING` beside it, and draws the plot.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use twiceshy_store::{PostgresAddress, PostgresOptions, PostgresStore};
use twiceshy_wit::host::{
    Attribute, Change, Condition, Document, Key, Order, Precondition, Put, Query, Store, Test,
    Value,
};

/// Documents of one commit while it is filled.
const AT_ONCE: u64 = 1_000;

/// How many different words there are, and how long vectors are, as with the static model.
const WORDS: u64 = 60_000;
const LENGTH: u64 = 256;

/// Of each kind of question so many are asked.
const QUESTIONS: u64 = 60;

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

fn vector(number: u64) -> Vec<f32> {
    let noise = |seed: u64| (mixed(seed) >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
    let centre = mixed(number) % 5_000;
    (0..LENGTH)
        .map(|at| noise(centre * LENGTH + at) + 0.6 * noise((number + 9) * 977 + at))
        .collect()
}

fn episode(number: u64) -> Change {
    let text: Vec<String> = (0..30).map(|at| word(number * 64 + at)).collect();
    let attribute = |name: &str, value| Attribute {
        name: name.into(),
        value,
    };
    Change::Put(Put {
        document: Document {
            key: Key {
                kind: "episode".into(),
                id: format!("run_{:016x}", mixed(number)),
            },
            body: format!(
                r#"{{"task":"{}","outcome":"success","steps":{},"summary":"{}"}}"#,
                text[..8].join(" "),
                number % 40,
                text.join(" ")
            ),
            attributes: vec![
                attribute("ended-at", Value::Number(1.7e12 + number as f64 * 1e3)),
                attribute("domain", Value::Text(format!("d{}", number % 20))),
                attribute(
                    "outcome",
                    Value::Text(["success", "failure"][number.is_multiple_of(5) as usize].into()),
                ),
            ],
            text: text.join(" "),
            vector: vector(number),
        },
        precondition: Precondition::Absent,
    })
}

/// The median and the slowest of twenty, in microseconds.
fn timed(mut ask: impl FnMut(u64)) -> (u128, u128) {
    let mut times: Vec<Duration> = (0..QUESTIONS)
        .map(|number| {
            let begun = Instant::now();
            ask(number);
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |share: f64| times[(times.len() as f64 * share) as usize].as_micros();
    (at(0.5), at(0.95))
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (url, count) = match &words[..] {
        [url, count, ..] => (url, count.parse::<u64>().expect("a count")),
        _ => {
            eprintln!("growth URL COUNT [STEP]");
            return ExitCode::from(2);
        }
    };
    let step = words
        .get(2)
        .map_or(count, |step| step.parse().expect("a number"));
    let address = PostgresAddress::parse(url).expect("an address");
    let options = PostgresOptions {
        patience: Duration::from_secs(60),
    };
    let store = PostgresStore::open(&address, options).expect("a memory");
    let (mut filled, mut begun) = (0, Instant::now());
    let mut extra = count;
    while filled < count {
        let batch: Vec<Change> = (filled..filled + AT_ONCE).map(episode).collect();
        store.commit(&batch).expect("a commit");
        filled += AT_ONCE;
        if filled % step != 0 && filled < count {
            continue;
        }
        let filling = begun.elapsed().as_secs_f64();
        store.optimize().expect("indices");
        let find = |conditions: Vec<Condition>, order| {
            let query = Query {
                kind: "episode".into(),
                conditions,
                order,
                offset: 0,
                limit: 10,
            };
            assert!(store.find(&query).expect("an answer").len() <= 10);
        };
        let of_domain = |number: u64| Condition {
            attribute: "domain".into(),
            test: Test::Equals(Value::Text(format!("d{}", number % 20))),
        };
        let phrase = |number: u64| {
            let words = (0..6).map(|at| word(number * 7_919 + at + 3));
            Order::ByText(words.collect::<Vec<_>>().join(" "))
        };
        let text = timed(|number| find(vec![], phrase(number)));
        let filtered = timed(|number| find(vec![of_domain(number)], phrase(number + 500)));
        let nearest = timed(|number| find(vec![], Order::ByNearest(vector(number * 31 + 11))));
        let commit = timed(|_| {
            extra += 1;
            store.commit(&[episode(extra)]).expect("a commit");
        });
        println!(
            r#"{{"documents":{filled},"seconds":{filling:.1},"text":[{},{}],"filtered":[{},{}],"nearest":[{},{}],"commit":[{},{}]}}"#,
            text.0, text.1, filtered.0, filtered.1, nearest.0, nearest.1, commit.0, commit.1
        );
        begun = Instant::now();
    }
    ExitCode::SUCCESS
}
