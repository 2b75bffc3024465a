//! Commits that threads of one process make at once: made together, and each for itself made or refused.

use std::path::Path;
use std::sync::{Arc, Barrier};
use std::thread;

use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::host::{Change, Document, Error, Key, Precondition, Put, Store};

fn put(id: &str, body: &str, precondition: Precondition) -> Change {
    let document = Document {
        key: Key {
            kind: "note".into(),
            id: id.into(),
        },
        body: body.into(),
        attributes: vec![],
        text: format!("said {body}"),
        vector: vec![],
    };
    Change::Put(Put {
        document,
        precondition,
    })
}

fn version(store: &SqliteStore, id: &str) -> Option<u32> {
    let key = Key {
        kind: "note".into(),
        id: id.into(),
    };
    let found = store.get_many(&[key]).unwrap();
    found.first().map(|stored| stored.version)
}

#[test]
fn commits_that_come_at_once_are_each_made_or_refused_as_a_whole() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let store = Arc::new(SqliteStore::open(&path, Options::default()).unwrap());
    store
        .commit(&[put("counter", "0", Precondition::Absent)])
        .unwrap();
    let made = thread::scope(|scope| {
        let threads: Vec<_> = (0..12)
            .map(|writer| {
                let store = &store;
                scope.spawn(move || {
                    let mut made = 0;
                    for number in 0..40 {
                        let id = format!("{writer}-{number}");
                        let seen = version(store, "counter").unwrap();
                        // Of those that saw the same, one is made; the others leave nothing.
                        let committed = store.commit(&[
                            put(&id, "new", Precondition::Absent),
                            put("counter", &id, Precondition::At(seen)),
                            put(&format!("also {id}"), "new", Precondition::Absent),
                        ]);
                        match committed {
                            Ok(()) => made += 1,
                            Err(Error::Conflict(_)) => {
                                assert_eq!(version(store, &id), None, "{id}");
                                continue;
                            }
                            Err(error) => panic!("{error:?}"),
                        }
                        assert_eq!(version(store, &id), Some(1), "{id}");
                    }
                    made
                })
            })
            .collect();
        let made = threads.into_iter().map(|thread| thread.join().unwrap());
        made.sum::<u32>()
    });
    drop(store);
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    assert_eq!(version(&store, "counter"), Some(1 + made));
    assert_eq!(store.count("note", &[]).unwrap(), 1 + 2 * made);
    assert!(store.integrity().unwrap().is_empty());
}

/// How many transactions the log of a file holds: frames that say how large the file is after them.
fn transactions(path: &Path) -> usize {
    let log = std::fs::read(path.with_extension("db-wal")).unwrap();
    let number = |at: usize| u32::from_be_bytes(log[at..at + 4].try_into().unwrap());
    let (page, salt) = (number(8) as usize, number(16));
    let frames = (32..log.len().saturating_sub(23)).step_by(24 + page);
    frames
        .filter(|at| number(at + 8) == salt && number(at + 4) > 0)
        .count()
}

#[test]
fn commits_that_wait_for_the_same_turn_reach_the_disk_together() {
    // A thread may come too late for one turn, but not for all of them.
    let fewest = (0..20).map(|_| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("memory.db");
        let store = SqliteStore::open(&path, Options::default()).unwrap();
        store
            .commit(&[put("first", "", Precondition::Absent)])
            .unwrap();
        let before = transactions(&path);
        let turn = std::fs::File::options()
            .write(true)
            .open(path.with_extension("db-turn"))
            .unwrap();
        turn.lock().unwrap();
        let ready = Barrier::new(11);
        thread::scope(|scope| {
            for writer in 0..10 {
                let (store, ready) = (&store, &ready);
                scope.spawn(move || {
                    ready.wait();
                    let id = format!("n{writer}");
                    store.commit(&[put(&id, "", Precondition::Absent)]).unwrap();
                });
            }
            ready.wait();
            thread::sleep(std::time::Duration::from_millis(50));
            turn.unlock().unwrap();
        });
        assert_eq!(store.count("note", &[]).unwrap(), 11);
        transactions(&path) - before
    });
    assert!(fewest.into_iter().any(|count| count < 6), "each was alone");
}
