//! Groups of commits: durable together, each whole, and never in the way of others for long.

use std::sync::Arc;

use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::host::{
    Attribute, Change, Document, Error, Key, Order, Precondition, Put, Query, Removal, Store, Value,
};

fn key(number: u32) -> Key {
    Key {
        kind: "note".into(),
        id: format!("{number:05}"),
    }
}

fn put(number: u32, precondition: Precondition) -> Change {
    let document = Document {
        key: key(number),
        body: format!("{{\"number\":{number},\"noise\":\"{:x}\"}}", noise(number)),
        attributes: vec![Attribute {
            name: "number".into(),
            value: Value::Number(f64::from(number)),
        }],
        text: format!("all word{} x{:x}", number % 7, noise(number)),
        vector: vec![number as f32, 1.0],
    };
    Change::Put(Put {
        document,
        precondition,
    })
}

fn noise(number: u32) -> u64 {
    (u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn remove(number: u32) -> Change {
    Change::Remove(Removal {
        key: key(number),
        precondition: Precondition::Anything,
    })
}

fn open(directory: &tempfile::TempDir) -> Arc<SqliteStore> {
    let path = directory.path().join("memory.db");
    Arc::new(SqliteStore::open(&path, Options::default()).unwrap())
}

/// Every answer of a store, in one text.
fn answers(store: &SqliteStore) -> String {
    let orders = [
        Order::ById,
        Order::ByText("word3 all".into()),
        Order::ByNearest(vec![5.0, 1.0]),
    ];
    let ask = |order| {
        let query = Query {
            kind: "note".into(),
            conditions: vec![],
            order,
            offset: 0,
            limit: 400,
        };
        format!("{:?}", store.find(&query).unwrap())
    };
    orders.map(ask).join("\n")
}

#[test]
fn what_a_group_commits_is_seen_within_at_once_and_by_others_at_its_end() {
    let directory = tempfile::tempdir().unwrap();
    let (own, other) = (open(&directory), open(&directory));
    let group = own.group();
    own.commit(&[put(1, Precondition::Absent)]).unwrap();
    assert_eq!(own.count("note", &[]), Ok(1));
    assert_eq!(own.get_many(&[key(1)]).unwrap().len(), 1);
    assert_eq!(other.count("note", &[]), Ok(0));
    group.end().unwrap();
    assert_eq!(other.count("note", &[]), Ok(1));
    own.commit(&[put(2, Precondition::Absent)]).unwrap();
    assert_eq!(
        other.count("note", &[]),
        Ok(2),
        "afterwards all is as before"
    );
}

#[test]
fn a_commit_that_is_refused_leaves_the_rest_of_its_group() {
    let directory = tempfile::tempdir().unwrap();
    let own = open(&directory);
    let group = own.group();
    own.commit(&[put(1, Precondition::Absent)]).unwrap();
    let refused = own.commit(&[put(2, Precondition::Absent), put(1, Precondition::Absent)]);
    assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
    own.commit(&[put(3, Precondition::Absent)]).unwrap();
    group.end().unwrap();
    let there = |number| open(&directory).get_many(&[key(number)]).unwrap().len();
    assert_eq!([1, 2, 3].map(there), [1, 0, 1]);
    assert_eq!(own.integrity(), Ok(vec![]));
}

#[test]
fn others_can_write_while_a_group_lasts() {
    let directory = tempfile::tempdir().unwrap();
    let (own, other) = (open(&directory), open(&directory));
    let group = own.group();
    own.commit(&[put(1, Precondition::Absent)]).unwrap();
    // The owner does something else; the other one waits for its turn, and gets it.
    other.commit(&[put(2, Precondition::Absent)]).unwrap();
    assert_eq!(other.count("note", &[]), Ok(2));
    own.commit(&[put(3, Precondition::Absent)]).unwrap();
    group.end().unwrap();
    assert_eq!(other.count("note", &[]), Ok(3));
}

#[test]
fn a_group_that_is_dropped_keeps_what_it_has() {
    let directory = tempfile::tempdir().unwrap();
    let own = open(&directory);
    let group = own.group();
    own.commit(&[put(1, Precondition::Absent)]).unwrap();
    drop(group);
    assert_eq!(open(&directory).count("note", &[]), Ok(1));
}

#[test]
fn grouped_and_single_commits_give_the_same_answers() {
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [single, grouped] = [&directories[0], &directories[1]].map(open);
    let change = |store: &SqliteStore| {
        for number in 0..300 {
            store.commit(&[put(number, Precondition::Absent)]).unwrap();
            if number % 5 == 4 {
                let again = put(number - 2, Precondition::At(1));
                store.commit(&[remove(number - 4), again]).unwrap();
            }
        }
    };
    change(&single);
    let group = grouped.group();
    change(&grouped);
    let within = answers(&grouped);
    group.end().unwrap();
    assert_eq!(answers(&single), within);
    assert_eq!(within, answers(&grouped));
    grouped.optimize().unwrap();
    assert_eq!(within, answers(&open(&directories[1])));
    assert_eq!(grouped.integrity(), Ok(vec![]));
}

#[test]
fn the_room_of_what_is_removed_is_given_back() {
    let directory = tempfile::tempdir().unwrap();
    let own = open(&directory);
    let group = own.group();
    for number in 0..6_000 {
        own.commit(&[put(number, Precondition::Absent)]).unwrap();
    }
    group.end().unwrap();
    own.optimize().unwrap();
    let before = own.size_bytes().unwrap();
    let group = own.group();
    for number in 0..5_940 {
        own.commit(&[remove(number)]).unwrap();
    }
    group.end().unwrap();
    own.give_back().unwrap();
    let after = own.size_bytes().unwrap();
    assert!(after * 10 < before, "{after} of {before} bytes are left");
    assert_eq!(own.count("note", &[]), Ok(60));
    assert_eq!(own.integrity(), Ok(vec![]));
    // Whoever had it open goes on.
    own.commit(&[put(9_999, Precondition::Absent)]).unwrap();
    assert_eq!(open(&directory).count("note", &[]), Ok(61));
}
