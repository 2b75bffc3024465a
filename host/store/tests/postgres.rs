//! The store in a database, held against every rule of the contract and against the other stores.
//!
//! These tests need a server: `tests/postgres/with cargo test -p twiceshy-store postgres`. Without one, they say so.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use twiceshy_agreement::hostile;
use twiceshy_store::conformance::conformance;
use twiceshy_store::migration::Whole;
use twiceshy_store::{MapStore, PostgresAddress, PostgresArchive, PostgresOptions, PostgresStore};
use twiceshy_wit::host::{
    Archive, Attribute, AttributeOrder, Change, Condition, Document, Error, Key, Order,
    Precondition, Put, Query, Store, Test, Value,
};

use crate::skipped::skipped;

/// The address of the server, if there is one for tests.
pub fn server() -> Option<String> {
    let server = std::env::var("TWICESHY_POSTGRES").ok();
    if server.is_none() {
        skipped("TWICESHY_POSTGRES names no server; see tests/postgres/with");
    }
    server
}

/// The address of a memory that nobody has used yet.
pub fn new_memory(server: &str) -> PostgresAddress {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("test-{}-{}-{number}", std::process::id(), now.as_millis());
    PostgresAddress::parse(server)
        .unwrap()
        .with_memory(&name)
        .unwrap()
}

pub fn new_store(server: &str) -> PostgresStore {
    let options = PostgresOptions {
        patience: Duration::from_secs(20),
    };
    PostgresStore::open(&new_memory(server), options).unwrap()
}

#[test]
fn the_store_in_postgres_keeps_the_contract() {
    let Some(server) = server() else { return };
    conformance(&mut || Box::new(new_store(&server)));
}

fn note(id: &str, text: &str) -> Document {
    Document {
        key: Key {
            kind: "note".into(),
            id: id.into(),
        },
        body: text.into(),
        attributes: vec![Attribute {
            name: "said".into(),
            value: Value::Text(text.chars().take(200).collect()),
        }],
        text: text.into(),
        vector: vec![],
    }
}

fn put(document: Document) -> Change {
    Change::Put(Put {
        document,
        precondition: Precondition::Anything,
    })
}

#[test]
fn pages_in_the_order_of_an_attribute_in_postgres_are_those_that_a_map_gives() {
    let Some(server) = server() else { return };
    let (store, map) = (new_store(&server), MapStore::new());
    let attribute = |name: &str, number: usize| Attribute {
        name: name.into(),
        value: Value::Number(number as f64),
    };
    let document = |number: usize| {
        let mut document = note(&format!("{:03}", number * 389 % 700), "");
        // Groups of the same value that do not end where a page ends, and documents with two values.
        document.attributes = vec![attribute("at", number / 90), attribute("size", number % 10)];
        if number.is_multiple_of(3) {
            document.attributes.push(attribute("at", number / 50 + 2));
        }
        put(document)
    };
    let batch: Vec<Change> = (0..700).map(document).collect();
    assert_eq!(store.commit(&batch), Ok(()));
    assert_eq!(map.commit(&batch), Ok(()));
    let size = |test| Condition {
        attribute: "size".into(),
        test,
    };
    let at_least = Condition {
        attribute: "at".into(),
        test: Test::AtLeast(Value::Number(3.0)),
    };
    for conditions in [
        vec![size(Test::AtLeast(Value::Number(8.0)))],
        vec![size(Test::AtMost(Value::Number(0.0))), at_least],
        vec![size(Test::Missing)],
    ] {
        for (descending, offset, limit) in [
            (true, 0, 5),
            (false, 0, 100),
            (true, 90, 20),
            (false, 60, 700),
            (true, 0, 0),
        ] {
            let query = Query {
                kind: "note".into(),
                conditions: conditions.clone(),
                order: Order::ByAttribute(AttributeOrder {
                    attribute: "at".into(),
                    descending,
                }),
                offset,
                limit,
            };
            assert_eq!(store.find(&query), map.find(&query), "{query:?}");
        }
    }
}

#[test]
fn hostile_texts_are_nothing_but_texts() {
    let Some(server) = server() else { return };
    let store = new_store(&server);
    let map = MapStore::new();
    // Every store refuses a NUL, and a rule of the contract says so.
    let hostile = |number: usize| hostile(number).replace('\0', "");
    let count: usize =
        std::env::var("TWICESHY_HOSTILE").map_or(400, |count| count.parse().unwrap());
    for numbers in (0..count).collect::<Vec<_>>().chunks(200) {
        let batch: Vec<Change> = numbers
            .iter()
            .map(|number| put(note(&hostile(*number), &hostile(*number))))
            .collect();
        assert_eq!(store.commit(&batch), Ok(()));
        assert_eq!(map.commit(&batch), Ok(()));
        for number in numbers {
            let text = hostile(*number);
            let key = Key {
                kind: "note".into(),
                id: text.clone(),
            };
            assert_eq!(
                store.get_many(std::slice::from_ref(&key)),
                map.get_many(&[key])
            );
            let equal = Condition {
                attribute: "said".into(),
                test: Test::Equals(Value::Text(text.clone())),
            };
            let conditions = [equal];
            assert_eq!(store.count("note", &conditions), Ok(1), "{text:?}");
            if number % 10 == 0 {
                let query = Query {
                    kind: "note".into(),
                    conditions: vec![],
                    order: Order::ByText(text),
                    offset: 0,
                    limit: 20,
                };
                assert_eq!(store.find(&query), map.find(&query));
            }
        }
    }
    // A name is no text: it is refused before it gets anywhere.
    for name in ["note'; --", "Note", "no te"] {
        assert!(matches!(
            store.count(name, &[]),
            Err(Error::InvalidArgument(_))
        ));
    }
    assert_eq!(store.integrity(), Ok(vec![]));
}

#[test]
fn contents_of_the_archive_are_kept_by_their_hash() {
    let Some(server) = server() else { return };
    let archive = PostgresArchive::new(std::sync::Arc::new(new_store(&server)));
    let content = b"some steps ".repeat(1_000);
    let name = archive.keep(&content).unwrap();
    assert_eq!(
        archive.keep(&content),
        Ok(name.clone()),
        "the same is kept once"
    );
    assert_eq!(archive.fetch(&name), Ok(content));
    assert!(archive.size_bytes().unwrap() < 1_000);
    assert_eq!(archive.discard(&name), Ok(()));
    assert_eq!(archive.discard(&name), Ok(()));
    assert!(matches!(archive.fetch(&name), Err(Error::Corrupt(_))));
    assert!(matches!(
        archive.fetch("sha256:x"),
        Err(Error::InvalidArgument(_))
    ));
}

/// The address of a memory whose contents are in an object store, if there is one for tests.
pub fn with_objects(memory: &PostgresAddress, server: &str) -> Option<String> {
    let Ok(bucket) = std::env::var("TWICESHY_OBJECTS") else {
        skipped("TWICESHY_OBJECTS names no bucket; see tests/postgres/with --objects");
        return None;
    };
    let name = memory.memory();
    Some(format!("{server}?memory={name}&objects={bucket}"))
}

#[test]
fn contents_are_in_the_object_store_that_the_address_names_and_older_ones_stay_in_the_database() {
    let Some(server) = server() else { return };
    let memory = new_memory(&server);
    let Some(url) = with_objects(&memory, &server) else {
        return;
    };
    let archive = |address: &PostgresAddress| {
        let store = PostgresStore::open(address, PostgresOptions::default()).unwrap();
        PostgresArchive::new(std::sync::Arc::new(store))
    };
    let within = archive(&memory);
    let beside = archive(&PostgresAddress::parse(&url).unwrap());
    assert_eq!(within.look_at_objects(), Ok(None));
    assert!(beside.look_at_objects().unwrap().is_some());
    let [old, new] = [b"old ", b"new "].map(|word| word.repeat(10_000));
    let kept_within = within.keep(&old).unwrap();
    let size = within.size_bytes().unwrap();
    let kept_beside = beside.keep(&new).unwrap();
    assert_eq!(
        beside.keep(&new),
        Ok(kept_beside.clone()),
        "the same is kept once"
    );
    assert_eq!(within.size_bytes(), Ok(size), "the database holds no more");
    assert_eq!(beside.fetch(&kept_within), Ok(old));
    assert_eq!(beside.fetch(&kept_beside), Ok(new));
    // Whoever does not know the object store is told so, and does not forget what is there.
    for refused in [
        within.fetch(&kept_beside).map(drop),
        within.discard(&kept_beside),
    ] {
        let Err(Error::Other(words)) = refused else {
            panic!("{refused:?}");
        };
        assert!(words.contains("objects="), "{words}");
    }
    assert!(beside.fetch(&kept_beside).is_ok());
    for name in [&kept_within, &kept_beside] {
        assert_eq!(beside.discard(name), Ok(()));
        assert_eq!(beside.discard(name), Ok(()));
        assert!(matches!(beside.fetch(name), Err(Error::Corrupt(_))));
    }
}

#[test]
fn of_an_object_that_many_keep_and_discard_at_once_no_row_is_left_without_it() {
    let Some(server) = server() else { return };
    let memory = new_memory(&server);
    let Some(url) = with_objects(&memory, &server) else {
        return;
    };
    let address = PostgresAddress::parse(&url).unwrap();
    let store = PostgresStore::open(&address, PostgresOptions::default()).unwrap();
    let archive = PostgresArchive::new(std::sync::Arc::new(store));
    let content = b"steps ".repeat(100);
    let name = archive.keep(&content).unwrap();
    std::thread::scope(|scope| {
        for number in 0..4 {
            let (archive, content, name) = (&archive, &content, &name);
            scope.spawn(move || {
                for _ in 0..15 {
                    match number % 2 {
                        0 => assert_eq!(archive.keep(content), Ok(name.clone())),
                        _ => assert_eq!(archive.discard(name), Ok(())),
                    }
                }
            });
        }
    });
    use twiceshy_store::migration::Contents;
    match archive.names().unwrap().contains(&name) {
        true => assert_eq!(archive.fetch(&name), Ok(content)),
        false => assert!(archive.fetch(&name).is_err()),
    }
}

#[test]
fn a_reader_at_a_replica_sees_what_it_wrote() {
    let (Some(server), Ok(replica)) = (server(), std::env::var("TWICESHY_POSTGRES_REPLICA")) else {
        return;
    };
    let host = replica
        .rsplit_once('@')
        .unwrap()
        .1
        .split('/')
        .next()
        .unwrap();
    let memory = new_memory(&server);
    let url = format!("{server}?memory={}&replica={host}", memory.memory());
    let store = PostgresStore::open(
        &PostgresAddress::parse(&url).unwrap(),
        PostgresOptions::default(),
    )
    .unwrap();
    for number in 0..200 {
        let id = format!("{number}");
        // Light commits do not wait for the replica, so that it is behind now and then.
        assert_eq!(store.commit_lightly(&[put(note(&id, "hello"))]), Ok(()));
        let key = Key {
            kind: "note".into(),
            id,
        };
        assert_eq!(store.get_many(&[key]).unwrap().len(), 1, "{number}");
        assert_eq!(store.count("note", &[]), Ok(number + 1));
    }
}

#[test]
fn few_connections_serve_many_threads() {
    let Some(server) = server() else { return };
    let memory = new_memory(&server);
    let url = format!("{server}?memory={}&connections=2", memory.memory());
    let options = PostgresOptions {
        patience: Duration::from_secs(30),
    };
    let store = PostgresStore::open(&PostgresAddress::parse(&url).unwrap(), options).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..12 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..10 {
                    let id = format!("{thread}-{number}");
                    assert_eq!(store.commit(&[put(note(&id, "hello"))]), Ok(()));
                }
            });
        }
    });
    assert_eq!(store.count("note", &[]), Ok(120));
}

#[test]
fn a_pool_of_postgres_connections_that_are_all_in_use_says_so_and_changes_nothing() {
    let Some(server) = server() else { return };
    let memory = new_memory(&server);
    let url = format!("{server}?memory={}&connections=1", memory.memory());
    let open = |patience| {
        let options = PostgresOptions {
            patience: Duration::from_millis(patience),
        };
        PostgresStore::open(&PostgresAddress::parse(&url).unwrap(), options).unwrap()
    };
    let (store, other) = (open(400), open(20_000));
    let held = other.hold().unwrap();
    std::thread::scope(|scope| {
        // It waits for the other, with the only connection.
        let waiting = scope.spawn(|| store.commit(&[put(note("first", "hello"))]));
        std::thread::sleep(Duration::from_millis(300));
        let refused = store.commit(&[put(note("second", "hello"))]);
        assert!(
            matches!(&refused, Err(Error::Busy(told)) if told.contains("nothing was changed; try again")
                && told.contains("all 1 connections")),
            "{refused:?}"
        );
        drop(held);
        assert_eq!(waiting.join().unwrap(), Ok(()));
    });
    assert_eq!(store.count("note", &[]), Ok(1));
}

#[test]
fn a_database_that_is_not_there_is_told_with_what_to_do_and_without_the_password() {
    let address = PostgresAddress::parse("postgres://anna:s3cret@127.0.0.1:9/team").unwrap();
    let options = PostgresOptions {
        patience: Duration::from_millis(300),
    };
    match PostgresStore::open(&address, options) {
        Err(Error::Busy(told)) => {
            assert!(
                told.contains("nothing was changed") && told.contains("try again"),
                "{told}"
            );
            assert!(!told.contains("s3cret"), "{told}");
        }
        other => panic!("{other:?}"),
    }
}
