//! Groups of commits: durable together, each whole, and never in the way of others for long.

use std::sync::Arc;
use std::time::{Duration, Instant};

use twiceshy_store::conformance::cases;
use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::host::{
    Attribute, AttributeOrder, Change, Condition, Document, Error, Key, Order, Precondition, Put,
    Query, Removal, Store, Test, Value,
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
fn a_group_keeps_every_rule_of_the_contract() {
    for case in cases() {
        let directory = tempfile::tempdir().unwrap();
        let store = open(&directory);
        // What was there before the group is asked about together with what came since.
        store.commit(&[put(1, Precondition::Absent)]).unwrap();
        store.commit(&[remove(1)]).unwrap();
        let group = store.group();
        (case.check)(&*store);
        group.end().unwrap();
        assert_eq!(store.integrity(), Ok(vec![]), "{}", case.name);
    }
}

#[test]
fn what_a_group_changes_is_counted_and_put_in_order_among_what_was_there() {
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [single, grouped] = [&directories[0], &directories[1]].map(open);
    let with = |number: u32, state: &str, rank: u32| {
        let text = |name: &str, value: &str| Attribute {
            name: name.into(),
            value: Value::Text(value.into()),
        };
        let Change::Put(mut made) = put(number, Precondition::Anything) else {
            unreachable!()
        };
        made.document.attributes = vec![
            text("state", state),
            text("words", &format!("w{}", number % 5)),
            Attribute {
                name: "rank".into(),
                value: Value::Number(f64::from(rank)),
            },
        ];
        Change::Put(made)
    };
    let states = ["active", "archived"];
    let asked = |store: &SqliteStore| {
        let equals = |name: &str, value: &str| Condition {
            attribute: name.into(),
            test: Test::Equals(Value::Text(value.into())),
        };
        let mut said = Vec::new();
        for state in states {
            said.push(format!(
                "{:?}",
                store.count("note", &[equals("state", state)])
            ));
            for (descending, offset) in [(true, 0), (false, 3)] {
                let query = Query {
                    kind: "note".into(),
                    conditions: vec![equals("state", state), equals("words", "w2")],
                    order: Order::ByAttribute(AttributeOrder {
                        attribute: "rank".into(),
                        descending,
                    }),
                    offset,
                    limit: 7,
                };
                said.push(format!("{:?}", store.find(&query)));
            }
        }
        said.join("\n")
    };
    let before: Vec<_> = (0..60)
        .map(|number| with(number, "active", number % 9))
        .collect();
    for store in [&single, &grouped] {
        store.commit(&before).unwrap();
    }
    let group = grouped.group();
    for round in 0..40 {
        let number = (round * 7) % 80;
        let batch = [
            with(number, states[round as usize % 2], (round * 5) % 11),
            remove((round * 11) % 80 + 80 * (number / 79)),
        ];
        let done = [&single, &grouped].map(|store| store.commit(&batch).is_ok());
        assert_eq!(done[0], done[1], "round {round}");
        assert_eq!(asked(&single), asked(&grouped), "round {round}");
    }
    group.end().unwrap();
    assert_eq!(asked(&single), asked(&open(&directories[1])));
}

#[test]
fn groups_that_follow_each_other_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let own = open(&directory);
    let mut written = 0;
    // Some end at once, and some last so long that they are made durable in between.
    for lasts in [0, 1, 2, 700, 0, 1, 0, 700, 3, 0].map(Duration::from_millis) {
        let group = own.group();
        let begun = Instant::now();
        loop {
            own.commit(&[put(written, Precondition::Absent)]).unwrap();
            written += 1;
            if begun.elapsed() > lasts {
                break;
            }
        }
        assert_eq!(own.count("note", &[]), Ok(written));
        group.end().unwrap();
        assert_eq!(open(&directory).count("note", &[]), Ok(written));
    }
    assert_eq!(own.integrity(), Ok(vec![]));
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
