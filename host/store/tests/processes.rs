//! Several processes on one file: nothing is lost when they hammer it, nor when they are killed.
//!
//! A child is this test binary again, told by an environment variable what to do.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::host::{
    Attribute, Change, Document, Error, Key, Order, Precondition, Put, Query, Store, Value,
};

const ROLE: &str = "TWICESHY_STORE_CHILD";
const PROCESSES: u32 = 8;
const COMMITS: u32 = 200;

fn key(id: &str) -> Key {
    Key {
        kind: "note".into(),
        id: id.into(),
    }
}

fn document(id: &str, body: String) -> Document {
    Document {
        key: key(id),
        body,
        attributes: vec![Attribute {
            name: "name".into(),
            value: Value::Text(id.into()),
        }],
        text: format!("hello {id}"),
        vector: vec![1.0, 2.0],
    }
}

fn put(document: Document, precondition: Precondition) -> [Change; 1] {
    [Change::Put(Put {
        document,
        precondition,
    })]
}

fn open(path: &Path) -> SqliteStore {
    let options = Options {
        busy_timeout: Duration::from_secs(60),
        ..Options::default()
    };
    SqliteStore::open(path, options).unwrap()
}

fn child(role: &str, path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::what_a_child_does", "--nocapture"])
        .env(ROLE, format!("{role} {}", path.display()))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn what_a_child_does() {
    let Ok(role) = std::env::var(ROLE) else {
        return;
    };
    let (role, path) = role.split_once(' ').unwrap();
    let path = PathBuf::from(path);
    match role {
        "increment" => (0..COMMITS).for_each(|_| increment(&open(&path))),
        "increment-and-stay" => {
            let store = open(&path);
            (0..COMMITS).for_each(|_| increment(&store));
        }
        "write" => write(&open(&path), SqliteStore::commit),
        "write-lightly" => write(&open(&path), SqliteStore::commit_lightly),
        other => panic!("no role {other}"),
    }
}

/// Adds one to the number in the counter's body, against all who do the same.
fn increment(store: &SqliteStore) {
    loop {
        let present = store.get_many(&[key("counter")]).unwrap().pop();
        let (number, precondition) = match present {
            None => (0, Precondition::Absent),
            Some(read) => (
                read.body.parse::<u32>().unwrap(),
                Precondition::At(read.version),
            ),
        };
        let document = document("counter", (number + 1).to_string());
        match store.commit(&put(document, precondition)) {
            Ok(()) => return,
            Err(Error::Conflict(_)) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}

/// Writes one document after the other, and says so after each, until it is killed.
fn write(store: &SqliteStore, commit: fn(&SqliteStore, &[Change]) -> Result<(), Error>) {
    let first = store.count("note", &[]).unwrap();
    for number in first.. {
        let id = format!("{number:06}");
        // Several documents in one batch: none must ever be there without the others.
        let twin = |kind: &str| Document {
            key: Key {
                kind: kind.into(),
                id: id.clone(),
            },
            ..document(&id, kind.into())
        };
        let mut batch = put(document(&id, "x".repeat(3000)), Precondition::Absent).to_vec();
        batch.extend(put(twin("twin"), Precondition::Absent));
        batch.extend(put(twin("third"), Precondition::Absent));
        commit(store, &batch).unwrap();
        println!("acknowledged {id}");
    }
}

fn counters_add_up(role: &str) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    // Nobody makes the file before: the children race for that as well.
    let children: Vec<Child> = (0..PROCESSES).map(|_| child(role, &path)).collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    let store = open(&path);
    let counter = store.get_many(&[key("counter")]).unwrap().remove(0);
    assert_eq!(counter.body, (PROCESSES * COMMITS).to_string());
    assert_eq!(counter.version, PROCESSES * COMMITS);
    assert_eq!(store.integrity(), Ok(vec![]));
    let log = std::fs::metadata(directory.path().join("memory.db-wal")).map_or(0, |log| log.len());
    assert!(
        log < 8 * 1024 * 1024,
        "the log does not grow without bound: {log}"
    );
}

#[test]
fn eight_processes_that_stay_lose_no_increment() {
    counters_add_up("increment-and-stay");
}

#[test]
fn eight_processes_that_open_for_every_commit_lose_no_increment() {
    counters_add_up("increment");
}

#[test]
fn eight_threads_with_one_store_lose_no_increment() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(&directory.path().join("memory.db"));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..50).for_each(|_| increment(&store)));
        }
    });
    assert_eq!(store.get_many(&[key("counter")]).unwrap()[0].body, "400");
}

#[test]
fn a_killed_process_loses_nothing_that_it_was_told_is_written() {
    killed("write");
}

#[test]
fn a_killed_process_loses_no_light_commit_either() {
    killed("write-lightly");
}

fn killed(role: &str) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    for round in 0..24u64 {
        let mut child = child(role, &path);
        let mut lines = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map(Result::unwrap);
        let mut acknowledged: Vec<String> = Vec::new();
        // Let it get under way, then kill it at another moment in each round.
        let id = |line: String| line.strip_prefix("acknowledged ").map(str::to_owned);
        acknowledged.extend(lines.by_ref().filter_map(id).take(3 + round as usize));
        std::thread::sleep(Duration::from_micros(round * 137 % 1000));
        child.kill().unwrap();
        child.wait().unwrap();
        // What it said before it was killed counts; a line that was cut off does not.
        acknowledged.extend(lines.filter_map(id).filter(|id| id.len() == 6));

        let store = open(&path);
        let keys: Vec<Key> = acknowledged.iter().map(|id| key(id)).collect();
        for keys in keys.chunks(1000) {
            assert_eq!(
                store.get_many(keys).unwrap().len(),
                keys.len(),
                "round {round}"
            );
        }
        for kind in ["twin", "third"] {
            let all = store.count("note", &[]);
            assert_eq!(all, store.count(kind, &[]), "round {round}");
        }
        assert_eq!(store.integrity(), Ok(vec![]), "round {round}");
        let last = acknowledged.last().unwrap();
        let query = Query {
            kind: "note".into(),
            conditions: vec![],
            order: Order::ByText(last.clone()),
            offset: 0,
            limit: 1,
        };
        assert_eq!(store.find(&query).unwrap()[0].document.key.id, *last);
    }
}
