//! Measures what an agent waits for: `cargo run --release -p twiceshy-store --example measure [directory]`.
//!
//! A store with 20,000 documents of eight kinds is made in the directory; then commands are played (open,
//! read one document, commit a small batch, close), one after the other and by eight processes at once.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::host::{
    Attribute, AttributeOrder, Change, Condition, Document, Error, Key, Order, Precondition, Put,
    Query, Store, Test, Value,
};

const KINDS: [&str; 8] = [
    "event", "lesson", "session", "failure", "counter", "outcome", "rule", "state",
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments
        .next()
        .map_or_else(std::env::temp_dir, PathBuf::from);
    let path = directory.join("measure.db");
    match arguments.next().as_deref() {
        Some("increments") => increments(&path, true),
        Some("reopening-increments") => increments(&path, false),
        Some("command") => command(&path, 1),
        _ => measure(&path),
    }
}

fn document(number: u32) -> Document {
    let kind = KINDS[number as usize % KINDS.len()];
    let attribute = |name: &str, value| Attribute {
        name: name.into(),
        value,
    };
    let text = (0..20)
        .map(|term| format!("term-{} ", (number * 31 + term * term * 17) % 5000))
        .collect();
    let vector = if kind == "lesson" {
        (0..384)
            .map(|i| ((number * 7 + i) % 101) as f32 - 50.0)
            .collect()
    } else {
        vec![]
    };
    Document {
        key: Key {
            kind: kind.into(),
            id: format!("{number:08}"),
        },
        body: format!("{{\"number\":{number},\"filler\":\"{}\"}}", "x".repeat(300)),
        attributes: vec![
            attribute("at", Value::Number(1.7e12 + f64::from(number))),
            attribute("session", Value::Text(format!("session-{}", number / 200))),
            attribute(
                "status",
                Value::Text(
                    if number.is_multiple_of(3) {
                        "active"
                    } else {
                        "idle"
                    }
                    .into(),
                ),
            ),
        ],
        text,
        vector,
    }
}

fn put(document: Document) -> Change {
    Change::Put(Put {
        document,
        precondition: Precondition::Anything,
    })
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(
        path,
        Options {
            busy_timeout: Duration::from_secs(60),
            ..Options::default()
        },
    )
    .unwrap()
}

fn command(path: &Path, number: u32) {
    let store = open(path);
    store.get_many(&[document(number * 8).key]).unwrap();
    store.commit(&[put(document(30_000 + number * 8))]).unwrap();
}

fn increments(path: &Path, keep_open: bool) {
    let mut store = open(path);
    let counter = document(4).key;
    let mut waits = Vec::new();
    for _ in 0..200 {
        let start = Instant::now();
        if !keep_open {
            store = open(path);
        }
        loop {
            let read = store
                .get_many(std::slice::from_ref(&counter))
                .unwrap()
                .remove(0);
            let put = Put {
                document: Document {
                    key: counter.clone(),
                    ..document(4)
                },
                precondition: Precondition::At(read.version),
            };
            match store.commit(&[Change::Put(put)]) {
                Ok(()) => break,
                Err(Error::Conflict(_)) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
        waits.push(start.elapsed());
    }
    waits.sort();
    println!(
        "one process: median {:?}, longest {:?}",
        waits[100], waits[199]
    );
}

fn figures(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!(
        "{name}: median {:?}, 90 % {:?}, 99 % {:?}, longest {:?}",
        at(50),
        at(90),
        at(99),
        at(100)
    );
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn measure(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    println!("create: {:?}", time(|| drop(open(path))));
    let filled = time(|| {
        let store = open(path);
        for chunk in 0..40 {
            store
                .commit(
                    &(chunk * 500..(chunk + 1) * 500)
                        .map(|number| put(document(number)))
                        .collect::<Vec<_>>(),
                )
                .unwrap();
        }
    });
    println!("fill with 20,000 documents: {filled:?}");

    let probe = path.with_extension("sync");
    let mut file = std::fs::File::create(&probe).unwrap();
    let write = |file: &mut std::fs::File| {
        std::io::Write::write_all(file, &[1; 8192])
            .and_then(|()| file.sync_data())
            .unwrap()
    };
    figures(
        "write 8 KiB and fsync (the floor)",
        (0..300).map(|_| time(|| write(&mut file))).collect(),
    );
    std::fs::remove_file(probe).unwrap();

    figures(
        "open and close",
        (0..300).map(|_| time(|| drop(open(path)))).collect(),
    );
    figures(
        "open, read, close",
        (0..300)
            .map(|n| time(|| drop(open(path).get_many(&[document(n).key]))))
            .collect(),
    );
    figures(
        "open, read, commit, close",
        (0..600)
            .map(|number| time(|| command(path, number)))
            .collect(),
    );
    let run = |what: &str| {
        std::process::Command::new(std::env::current_exe().unwrap())
            .arg(path.parent().unwrap())
            .arg(what)
            .spawn()
            .unwrap()
    };
    figures(
        "the same as a process",
        (0..100)
            .map(|_| time(|| assert!(run("command").wait().unwrap().success())))
            .collect(),
    );

    let store = open(path);
    figures(
        "commit",
        (0..600)
            .map(|n| time(|| store.commit(&[put(document(60_000 + n * 8))]).unwrap()))
            .collect(),
    );
    figures(
        "read",
        (0..600)
            .map(|n| time(|| drop(store.get_many(&[document(n * 8).key]).unwrap())))
            .collect(),
    );
    let ask = |name: &str, kind: &str, conditions: Vec<Condition>, order: Order| {
        let query = Query {
            kind: kind.into(),
            conditions,
            order,
            offset: 0,
            limit: 50,
        };
        figures(
            name,
            (0..100)
                .map(|_| time(|| drop(store.find(&query).unwrap())))
                .collect(),
        );
    };
    let newest = || {
        Order::ByAttribute(AttributeOrder {
            attribute: "at".into(),
            descending: true,
        })
    };
    let is = |attribute: &str, value: &str| {
        vec![Condition {
            attribute: attribute.into(),
            test: Test::Equals(Value::Text(value.into())),
        }]
    };
    ask("find newest", "event", vec![], newest());
    ask(
        "find newest of a session",
        "event",
        is("session", "session-3"),
        newest(),
    );
    ask("find newest idle", "event", is("status", "idle"), newest());
    ask(
        "find by text",
        "event",
        vec![],
        Order::ByText("term-17 term-34 term-51".into()),
    );
    ask(
        "find nearest of 2,500",
        "lesson",
        vec![],
        Order::ByNearest(
            vec![1.0; 384]
                .iter()
                .enumerate()
                .map(|(i, _)| i as f32)
                .collect(),
        ),
    );
    drop(store);

    for what in ["increments", "reopening-increments"] {
        let start = Instant::now();
        for mut child in (0..8).map(|_| run(what)).collect::<Vec<_>>() {
            assert!(child.wait().unwrap().success());
        }
        println!(
            "8 processes with 200 {what} of one counter each: {:.0} commits/s",
            1600.0 / start.elapsed().as_secs_f64()
        );
    }
    let store = open(path);
    println!(
        "size {} KiB, log {} KiB",
        store.size_bytes().unwrap() / 1024,
        std::fs::metadata(format!("{}-wal", path.display())).map_or(0, |log| log.len() / 1024)
    );
    println!(
        "integrity {:?} in {:?}",
        store.integrity(),
        time(|| drop(store.integrity()))
    );
}
