//! Commits that were written down and are not in the tables yet.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::host::{Change, Error, Store};

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
