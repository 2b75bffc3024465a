//! Random changes and questions, put to all stores: they agree on every answer, to the last bit.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use twiceshy_documents::{ByteMap, ByteStore};
use twiceshy_wit::host::{
    Attribute, AttributeOrder, Change, Condition, Document, Error, Key, Order, Precondition, Put,
    Query, Removal, Store, Test, Value,
};

use super::{Group, Options, SqliteStore, find, texts};
use crate::MapStore;
use crate::postgres::find::Effort;

/// Few names and values, so that operations meet.
fn key() -> impl Strategy<Value = Key> {
    (prop_oneof!["note", "a-b"], "[a-f]").prop_map(|(kind, id)| Key { kind, id })
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(vec![-1.5, -0.0, 0.0, 1.0, 2.0, 1e300]).prop_map(Value::Number),
        prop::sample::select(vec!["", "1", "A", "a", "ё"])
            .prop_map(|text| Value::Text(text.into())),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["x", "y"]
}

fn text() -> impl Strategy<Value = String> {
    let terms = ["red", "RED", "foo-bar", "OR", "\"", "ё", "*", "日本", "a.b"];
    vec(prop::sample::select(terms.to_vec()), 0..6).prop_map(|terms| terms.join(" "))
}

fn vector() -> impl Strategy<Value = Vec<f32>> {
    let component = || prop::sample::select(vec![-1.0f32, 0.0, 0.5, 3.0]);
    prop_oneof![4 => vec(component(), 3), 3 => Just(vec![]), 1 => vec(component(), 2)]
}

fn precondition() -> impl Strategy<Value = Precondition> {
    prop_oneof![
        6 => Just(Precondition::Anything),
        1 => Just(Precondition::Absent),
        1 => (1u32..4).prop_map(Precondition::At),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let attribute = (name(), value()).prop_map(|(name, value)| Attribute { name, value });
    let document = (key(), "[a-z]{0,3}", vec(attribute, 0..4), text(), vector()).prop_map(
        |(key, body, attributes, text, vector)| Document {
            key,
            body,
            attributes,
            text,
            vector,
        },
    );
    let put = (document, precondition()).prop_map(|(document, precondition)| {
        Change::Put(Put {
            document,
            precondition,
        })
    });
    let removal = (key(), precondition())
        .prop_map(|(key, precondition)| Change::Remove(Removal { key, precondition }));
    prop_oneof![4 => put, 1 => removal]
}

fn condition() -> impl Strategy<Value = Condition> {
    let test = prop_oneof![
        value().prop_map(Test::Equals),
        vec(value(), 0..3).prop_map(Test::AnyOf),
        value().prop_map(Test::AtLeast),
        value().prop_map(Test::AtMost),
        Just(Test::Missing),
    ];
    (name(), test).prop_map(|(attribute, test)| Condition { attribute, test })
}

fn query() -> impl Strategy<Value = Query> {
    let order = prop_oneof![
        1 => Just(Order::ById),
        3 => (name(), any::<bool>())
            .prop_map(|(attribute, descending)| Order::ByAttribute(AttributeOrder { attribute, descending })),
        2 => text().prop_map(Order::ByText),
        1 => vector().prop_map(Order::ByNearest),
    ];
    let limit = prop_oneof![3 => Just(100u32), 1 => 0u32..4];
    (key(), vec(condition(), 0..3), order, 0u32..3, limit).prop_map(
        |(key, conditions, order, offset, limit)| Query {
            kind: key.kind,
            conditions,
            order,
            offset,
            limit,
        },
    )
}

/// Same answers, or refusals of the same kind. Words may differ.
fn agree<T: PartialEq + std::fmt::Debug>(
    map: Result<T, Error>,
    sqlite: Result<T, Error>,
) -> TestCaseResult {
    match (&map, &sqlite) {
        (Err(a), Err(b)) => prop_assert_eq!(std::mem::discriminant(a), std::mem::discriminant(b)),
        _ => prop_assert_eq!(map, sqlite),
    }
    Ok(())
}

/// A memory in a database, if there is a server for tests: `tests/postgres/with` runs a command with one.
fn in_postgres() -> Option<crate::PostgresStore> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("TWICESHY_POSTGRES").ok()?;
    let now = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("agreement-{}-{number}", now.unwrap().as_nanos());
    let address = crate::PostgresAddress::parse(&server)
        .unwrap()
        .with_memory(&name)
        .unwrap();
    Some(crate::PostgresStore::open(&address, crate::PostgresOptions::default()).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_stores_agree_on_every_answer(
        steps in vec((vec(change(), 0..8), vec(query(), 1..5)), 1..8)
    ) {
        let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let sqlite = SqliteStore::open(&directory.path().join("memory.db"), Options::default()).unwrap();
        let sqlite = Arc::new(sqlite);
        let postgres = in_postgres();
        let map = MapStore::new();
        let bytes = ByteMap::new();
        let mut boxed = ByteStore::new(bytes.clone());
        for (index, (batch, queries)) in steps.into_iter().enumerate() {
            // Within a group all is as outside of it.
            let group = (index % 4 > 1).then(|| sqlite.group());
            if index % 2 == 0 {
                let answer = map.commit(&batch);
                agree(answer.clone(), sqlite.commit(&batch))?;
                if let Some(postgres) = &postgres {
                    agree(answer.clone(), postgres.commit(&batch))?;
                }
                prop_assert_eq!(answer, boxed.commit(&batch));
                // What was searched is followed, and read again by whoever comes next.
                boxed = ByteStore::new(bytes.clone());
            } else {
                let answer = map.commit_lightly(&batch);
                agree(answer.clone(), sqlite.commit_lightly(&batch))?;
                if let Some(postgres) = &postgres {
                    agree(answer.clone(), postgres.commit_lightly(&batch))?;
                }
                prop_assert_eq!(answer, boxed.commit_lightly(&batch));
            }
            // Texts are fresh, entered alone, or entered many at once; answers do not depend on it.
            match index % 3 {
                1 => sqlite.write(false, |database, _| Ok(texts::settle(database, database.kind("note")?)?)).unwrap(),
                2 => {
                    sqlite.optimize().unwrap();
                    if let Some(postgres) = &postgres {
                        postgres.optimize().unwrap();
                    }
                }
                _ => {}
            }
            for query in queries {
                let answer = map.find(&query);
                agree(answer.clone(), sqlite.find(&query))?;
                if let Some(postgres) = &postgres {
                    agree(answer.clone(), postgres.find(&query))?;
                    agree(map.count(&query.kind, &query.conditions), postgres.count(&query.kind, &query.conditions))?;
                    let keys = ["a", "nothing", "b"].map(|id| Key { kind: query.kind.clone(), id: id.into() });
                    agree(map.get_many(&keys), postgres.get_many(&keys))?;
                    for (few, steps, many) in [(0, usize::MAX >> 2, 0), (0, 1, 100), (0, 1, 0), (100, 0, 0)] {
                        let effort = Effort { few, steps, many, ..Effort::default() };
                        agree(answer.clone(), postgres.find_with(&query, effort))?;
                    }
                    if query.conditions.is_empty() {
                        let effort = Effort { exact: 0, ..Effort::default() };
                        agree(answer.clone(), postgres.find_with(&query, effort))?;
                    }
                    for budget in [0, 3, 7] {
                        let effort = Effort { budget, ..Effort::default() };
                        agree(map.find_within(&query, budget), postgres.find_with(&query, effort))?;
                    }
                }
                prop_assert_eq!(answer.clone(), boxed.find(&query));
                if answer.is_ok() {
                    for (few, steps, many) in [(0, usize::MAX, 0), (0, 1, 100), (0, 1, 0), (100, 0, 0)] {
                        let effort = find::Effort { few, steps, many, ..find::Effort::default() };
                        agree(answer.clone(), sqlite.read(|database| find::find(database, &query, effort)))?;
                    }
                    for budget in [0, 3, 7] {
                        let effort = find::Effort { budget, ..find::Effort::default() };
                        let answer = map.find_within(&query, budget);
                        agree(answer, sqlite.read(|database| find::find(database, &query, effort)))?;
                    }
                }
                agree(map.count(&query.kind, &query.conditions), sqlite.count(&query.kind, &query.conditions))?;
                prop_assert_eq!(map.count(&query.kind, &query.conditions), boxed.count(&query.kind, &query.conditions));
                let keys = [Key { kind: query.kind.clone(), id: "a".into() }, Key { kind: query.kind, id: "b".into() }];
                agree(map.get_many(&keys), sqlite.get_many(&keys))?;
                prop_assert_eq!(map.get_many(&keys), boxed.get_many(&keys));
            }
            prop_assert_eq!(group.map_or(Ok(()), Group::end), Ok(()));
        }
        prop_assert_eq!(sqlite.integrity(), Ok(vec![]));
    }
}
