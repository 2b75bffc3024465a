//! What knowledge asks of a store: hot documents in memory, vectors of any length, memories apart from each other.

use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::host::{
    Change, Document, Error, Key, Order, Precondition, Put, Query, Removal, Store,
};

fn key(kind: &str, number: usize) -> Key {
    Key {
        kind: kind.into(),
        id: format!("{number:06}"),
    }
}

fn put(kind: &str, number: usize, bytes: usize, vector: Vec<f32>) -> Change {
    Change::Put(Put {
        document: Document {
            key: key(kind, number),
            body: format!("{number:06}").repeat(bytes / 6),
            attributes: vec![],
            text: String::new(),
            vector,
        },
        precondition: Precondition::Anything,
    })
}

fn open(directory: &tempfile::TempDir, name: &str) -> SqliteStore {
    SqliteStore::open(&directory.path().join(name), Options::default()).unwrap()
}

fn fill(store: &SqliteStore, kind: &str, count: usize, bytes: usize) {
    for first in (0..count).step_by(500) {
        let batch: Vec<Change> = (first..first + 500)
            .map(|number| put(kind, number, bytes, vec![]))
            .collect();
        store.commit_lightly(&batch).unwrap();
    }
}

fn nearest(vector: Vec<f32>) -> Query {
    Query {
        kind: "episode".into(),
        conditions: vec![],
        order: Order::ByNearest(vector),
        offset: 0,
        limit: 3,
    }
}

/// Four of five reads are of the latest thousand, the newer the likelier.
#[test]
fn more_than_seven_tenths_of_the_pages_of_hot_episodes_are_in_memory() {
    let directory = tempfile::tempdir().unwrap();
    let episodes = 6_000;
    fill(&open(&directory, "memory.db"), "episode", episodes, 10_000);
    let store = open(&directory, "memory.db");
    let mut seed = 1usize;
    let mut roll = |sides: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % sides
    };
    for _ in 0..10_000 {
        let among = if roll(5) > 0 { 1_000 } else { episodes };
        let back = roll(among) * roll(among) / among;
        let read = store.get_many(&[key("episode", episodes - 1 - back)]);
        assert_eq!(read.unwrap().len(), 1);
    }
    let rate = store.page_use().hit_rate();
    assert!(rate > 0.7, "{rate}");
}

#[test]
fn two_hundred_hot_patterns_are_read_from_memory() {
    let directory = tempfile::tempdir().unwrap();
    fill(&open(&directory, "memory.db"), "pattern", 5_000, 5_000);
    let store = open(&directory, "memory.db");
    let hot: Vec<Key> = (0..200).map(|number| key("pattern", number * 25)).collect();
    assert_eq!(store.get_many(&hot).unwrap().len(), 200);
    let first = store.page_use();
    for _ in 0..10 {
        assert_eq!(store.get_many(&hot).unwrap().len(), 200);
    }
    let later = store.page_use();
    assert!(first.misses > 50, "{first:?}");
    assert_eq!(
        later.misses, first.misses,
        "nothing is read from the file again"
    );
}

#[test]
fn vectors_of_any_length_are_kept_with_their_documents_and_unequal_ones_are_never_compared() {
    for length in [3, 384, 768, 1024, 1536, 4096] {
        let directory = tempfile::tempdir().unwrap();
        let wave = |phase: usize| -> Vec<f32> {
            let component = |at: usize| ((at * 7 + phase * 3) as f32 * 0.1).sin();
            (0..length).map(component).collect()
        };
        let batch: Vec<Change> = (0..50)
            .map(|number| put("episode", number, 60, wave(number)))
            .collect();
        open(&directory, "memory.db").commit(&batch).unwrap();
        // Opened again: nothing has to be embedded a second time.
        let store = open(&directory, "memory.db");
        let found = store.find(&nearest(wave(17))).unwrap();
        assert_eq!(found[0].document.key, key("episode", 17), "{length}");
        assert_eq!(found[0].score, 1.0);
        for other in [length + 1, length - 1] {
            let refused = store.find(&nearest(vec![1.0; other]));
            assert!(
                matches!(refused, Err(Error::InvalidArgument(_))),
                "{refused:?}"
            );
            let refused = store.commit(&[put("episode", 99, 6, vec![1.0; other])]);
            assert!(
                matches!(refused, Err(Error::InvalidArgument(_))),
                "{refused:?}"
            );
        }
        assert_eq!(store.integrity(), Ok(vec![]));
    }
}

#[test]
fn memories_of_two_users_are_apart() {
    let directory = tempfile::tempdir().unwrap();
    let (anna, ben) = (open(&directory, "anna.db"), open(&directory, "ben.db"));
    anna.commit(&[put("episode", 1, 60, vec![1.0, 0.0])])
        .unwrap();
    ben.commit(&[put("episode", 2, 60, vec![1.0, 0.0, 0.0])])
        .unwrap();
    assert_eq!(anna.get_many(&[key("episode", 2)]), Ok(vec![]));
    assert_eq!(ben.count("episode", &[]), Ok(1));
    assert_eq!(anna.find(&nearest(vec![1.0, 0.0])).unwrap().len(), 1);
    let removal = Removal {
        key: key("episode", 1),
        precondition: Precondition::Anything,
    };
    ben.commit(&[Change::Remove(removal)]).unwrap();
    assert_eq!(anna.count("episode", &[]), Ok(1));
}
