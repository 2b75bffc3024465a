//! Room on disk: what is removed is given back to the system in pieces, and others write in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::host::{Change, Document, Key, Precondition, Put, Removal, Store};

/// Documents, each of which takes some pages: noise can't be compressed.
const DOCUMENTS: u64 = 400;
const BYTES: u64 = 64 << 10;

fn key(id: String) -> Key {
    Key {
        kind: "thing".to_owned(),
        id,
    }
}

fn noise(seed: u64) -> u64 {
    let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn put(id: String, body: String) -> Change {
    Change::Put(Put {
        document: Document {
            key: key(id),
            body,
            attributes: Vec::new(),
            text: String::new(),
            vector: Vec::new(),
        },
        precondition: Precondition::Anything,
    })
}

#[test]
fn room_is_given_back_in_pieces_between_which_others_write() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let options = || Options {
        light: true,
        ..Options::default()
    };
    let store = SqliteStore::open(&path, options()).unwrap();
    for number in 0..DOCUMENTS {
        let words = (0..BYTES / 16).map(|at| format!("{:016x}", noise(number * BYTES + at)));
        let body: String = words.collect();
        let change = put(format!("large{number}"), body);
        store.commit(std::slice::from_ref(&change)).unwrap();
    }
    let full = store.size_bytes().unwrap();
    let remove = |number| {
        Change::Remove(Removal {
            key: key(format!("large{number}")),
            precondition: Precondition::Anything,
        })
    };
    let all: Vec<_> = (0..DOCUMENTS).map(remove).collect();
    store.commit(&all).unwrap();
    let free = |store: &SqliteStore| -> u64 {
        let parts = store.usage().unwrap();
        let free = parts.iter().find(|part| part.name == "free pages");
        free.map_or(0, |part| part.bytes)
    };
    let freed = free(&store);
    // A piece is 4 MiB.
    let pieces = freed / (4 << 20);
    assert!(pieces >= 3, "{freed} bytes are one piece or two");

    let (written, ends) = (
        Arc::new(AtomicU32::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let writer = {
        let (path, written, ends) = (path.clone(), written.clone(), ends.clone());
        thread::spawn(move || {
            let own = SqliteStore::open(&path, options()).unwrap();
            while !ends.load(Ordering::Acquire) {
                let number = written.load(Ordering::Acquire);
                let body = format!("{{\"number\":{number}}}");
                own.commit(&[put(format!("small{}", number % 50), body)])
                    .unwrap();
                written.store(number + 1, Ordering::Release);
            }
        })
    };
    while written.load(Ordering::Acquire) == 0 {
        thread::yield_now();
    }
    let before = written.load(Ordering::Acquire);
    store.give_back().unwrap();
    let between = written.load(Ordering::Acquire) - before;
    ends.store(true, Ordering::Release);
    writer.join().unwrap();
    // Writers queue, so that the other one has a turn after each piece but the last.
    assert!(
        u64::from(between) + 1 >= pieces,
        "{between} commits were made between {pieces} pieces"
    );
    let left = free(&store);
    assert!(
        left < 4 << 20,
        "{left} bytes are free and still in the file"
    );
    let size = store.size_bytes().unwrap();
    assert!(size * 10 < full, "{size} of {full} bytes are left");
    assert_eq!(store.integrity(), Ok(vec![]));
}
