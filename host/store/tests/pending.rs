//! Commits that were written down and are not in the tables yet.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::host::{Change, Error, Order, Precondition, Query, Removal, Store};

use crate::files::{key, open, put, read_only};

/// A commit as a process that was killed leaves it: durable, and not in the tables.
fn leave_behind(path: &Path, batch: &[Change]) {
    let bytes = postcard::to_allocvec(batch).unwrap();
    let connection = Connection::open(path).unwrap();
    connection
        .execute("INSERT INTO pending (batch) VALUES (?1)", [bytes])
        .unwrap();
}

#[test]
fn a_commit_that_was_written_down_and_not_entered_is_seen_by_whoever_comes_next() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let (reading, writing) = (open(&path), open(&path));
    let batch = |round: u32| ["a", "b", "c"].map(|id| put(&format!("{id}{round}"), "left"));
    for round in 0..4 {
        leave_behind(&path, &batch(round));
        let grouping = Arc::new(open(&path));
        match round {
            0 => assert_eq!(reading.count("note", &[]), Ok(3)),
            1 => assert_eq!(open(&path).get_many(&[key("b1")]).unwrap().len(), 1),
            2 => writing.commit(&[put("a2", "again")]).unwrap(),
            _ => {
                let group = grouping.group();
                grouping.commit(&[put("a3", "again")]).unwrap();
                assert_eq!(grouping.get_many(&[key("c3")]).unwrap()[0].body, "left");
                group.end().unwrap();
            }
        }
        assert_eq!(reading.count("note", &[]), Ok(3 * (round + 1)));
        assert_eq!(writing.integrity(), Ok(vec![]));
    }
    let read = reading.get_many(&[key("a2"), key("a3")]).unwrap();
    assert_eq!(
        read.iter().map(|read| read.version).collect::<Vec<_>>(),
        [2, 2]
    );
    // Who may only read says so instead of leaving it out.
    leave_behind(&path, &batch(9));
    let options = Options {
        busy_timeout: Duration::ZERO,
        ..read_only()
    };
    let refused = SqliteStore::open(&path, options)
        .unwrap()
        .count("note", &[]);
    assert!(matches!(refused, Err(Error::Busy(_))), "{refused:?}");
}

/// Batches, each of which changes documents of the one before it.
fn batches(count: u32) -> impl Iterator<Item = Vec<Change>> {
    (0..count).map(|round| {
        let mut batch = vec![
            put(&format!("a{round:03}"), "first"),
            put("latest", &format!("{round}")),
            put(&format!("b{}", round % 3), "again"),
        ];
        if round > 0 {
            let key = key(&format!("a{:03}", round - 1));
            let precondition = Precondition::At(1);
            batch.push(Change::Remove(Removal { key, precondition }));
        }
        batch
    })
}

/// What a store answers in three ways, in one text.
fn answers(store: &SqliteStore) -> String {
    let query = Query {
        kind: "note".into(),
        conditions: vec![],
        order: Order::ById,
        offset: 0,
        limit: 100,
    };
    let read = store.get_many(&[key("latest"), key("b1"), key("a000")]);
    let count = store.count("note", &[]);
    format!("{:?} {:?} {count:?}", store.find(&query), read)
}

#[test]
fn commits_in_a_row_are_seen_at_once_whether_or_not_they_are_in_the_tables() {
    let directories = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [own, slow] = [0, 1].map(|at| open(&directories[at].path().join("memory.db")));
    let other = open(&directories[0].path().join("memory.db"));
    for (round, batch) in batches(100).enumerate() {
        own.commit(&batch).unwrap();
        // A light commit goes into the tables at once.
        slow.commit_lightly(&batch).unwrap();
        let expected = answers(&slow);
        assert_eq!(answers(&own), expected, "round {round}");
        if round % 7 == 3 {
            assert_eq!(answers(&other), expected, "another process, round {round}");
        }
        if round % 10 == 5 {
            let refused = own.commit(&[
                put("x", ""),
                put("y", ""),
                Change::Remove(Removal {
                    key: key("latest"),
                    precondition: Precondition::Absent,
                }),
            ]);
            assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
        }
    }
    assert_eq!(own.integrity(), Ok(vec![]));
    assert_eq!(answers(&other), answers(&slow));
}

#[test]
fn several_writers_that_take_turns_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let stores = [(); 2].map(|()| open(&path));
    std::thread::scope(|scope| {
        for (at, store) in stores.iter().enumerate() {
            for thread in 0..2 {
                scope.spawn(move || {
                    for round in 0..60 {
                        let id = |part: u32| format!("{at}.{thread}.{round}.{part}");
                        let batch = [0, 1, 2].map(|part| put(&id(part), "kept"));
                        store.commit(&batch).unwrap();
                        assert_eq!(store.get_many(&[key(&id(2))]).unwrap().len(), 1);
                    }
                });
            }
        }
    });
    for store in &stores {
        assert_eq!(store.count("note", &[]), Ok(2 * 2 * 60 * 3));
        assert_eq!(store.integrity(), Ok(vec![]));
    }
}

#[test]
fn what_a_process_did_not_come_to_enter_is_there_for_the_next() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let ending = open(&path);
    for batch in batches(10) {
        ending.commit(&batch).unwrap();
    }
    // It never comes to its end.
    std::mem::forget(ending);
    let next = open(&path);
    let latest = next.get_many(&[key("latest")]).unwrap();
    assert_eq!(latest[0].version, 10);
    // One `a`, three `b`, and the latest.
    assert_eq!(next.count("note", &[]), Ok(5));
    assert_eq!(next.integrity(), Ok(vec![]));
}

#[test]
fn a_copy_of_one_moment_is_written_to_as_its_original() {
    let directory = tempfile::tempdir().unwrap();
    let [first, second] = ["memory.db", "copy.db"].map(|name| directory.path().join(name));
    let original = open(&first);
    original.commit(&[put("a", "1")]).unwrap();
    original.snapshot(&second).unwrap();
    let impatient = Options {
        busy_timeout: Duration::from_secs(2),
        ..Options::default()
    };
    let copy = SqliteStore::open(&second, impatient).unwrap();
    // Three changes are written down first and entered later, beside a reader.
    let three = ["b", "c", "d"].map(|id| put(id, "2"));
    copy.commit(&three).unwrap();
    copy.commit(&[put("e", "3")]).unwrap();
    drop(copy);
    let all = ["a", "d", "e"].map(key);
    assert_eq!(open(&second).get_many(&all).unwrap().len(), 3);
}
