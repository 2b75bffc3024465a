//! Checks that questions are answered by an index, by looking at plans and not at a watch.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params, params_from_iter};
use twiceshy_wit::host::{
    AttributeOrder, Change, Condition, Document, Error, Key, Order, Precondition, Put, Query,
    Store, Test, Value,
};

use super::attributes;
use super::database::Database;
use super::find::{Effort, Search};
use super::sql::Sql;
use super::{Options, SqliteStore};

const DOCUMENTS: u32 = 100_000;

/// A store with many events: `at` is another for each, `status` is one of two, `session` is one of a
/// thousand.
fn store() -> (tempfile::TempDir, SqliteStore) {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&directory.path().join("memory.db"), Options::default()).unwrap();
    let fill = format!(
        "BEGIN;
         CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {DOCUMENTS})
            SELECT i FROM n;
         INSERT INTO kinds VALUES (1, 'event');
         INSERT INTO names (name, kind, attribute) VALUES (1, 1, 'at'), (2, 1, 'status'), (3, 1, 'session');
         INSERT INTO documents (doc, kind, id, version, attributes, has_text, body)
            SELECT i, 1, printf('%08d', i), 1, x'', 0, x'0000' FROM n;
         INSERT INTO attributes SELECT 1, 1.7e12 + i, i FROM n;
         INSERT INTO attributes SELECT 2, iif(i < 500, 'old', 'new'), i FROM n;
         INSERT INTO attributes SELECT 3, 's-' || (i / 100), i FROM n;
         DROP TABLE n;
         COMMIT;"
    );
    let fill = |database: &Database| {
        database.execute_batch(&fill)?;
        // Only those that tests sort have their attributes beside them.
        for doc in 1..500 {
            let mut packed = Vec::new();
            attributes::append_raw(&mut packed, 1, ValueRef::Real(1.7e12 + f64::from(doc)));
            let sql = "UPDATE documents SET attributes = ?2 WHERE doc = ?1";
            database
                .prepare_cached(sql)?
                .execute(params![doc, packed])?;
        }
        Ok(())
    };
    store.with(fill).unwrap();
    (directory, store)
}

fn equals(attribute: &str, value: &str) -> Condition {
    Condition {
        attribute: attribute.into(),
        test: Test::Equals(Value::Text(value.into())),
    }
}

fn newest() -> AttributeOrder {
    AttributeOrder {
        attribute: "at".into(),
        descending: true,
    }
}

fn plan(connection: &Connection, sql: &Sql) -> String {
    let mut statement = connection
        .prepare(&format!("EXPLAIN QUERY PLAN {}", sql.text))
        .unwrap();
    let rows = statement
        .query_map(params_from_iter(&sql.parameters), |row| {
            row.get::<_, String>(3)
        })
        .unwrap();
    rows.map(Result::unwrap).collect::<Vec<_>>().join("\n")
}

/// Puts a search to the store and looks at it.
fn looking(store: &SqliteStore, conditions: &[Condition], look: impl FnOnce(&Search, &Connection)) {
    let looked = store.read(|connection| {
        let search = Search::new(connection, "event", conditions, Effort::default())?.unwrap();
        look(&search, connection);
        Ok(())
    });
    assert_eq!(looked, Ok(()));
}

#[test]
fn the_newest_are_read_from_the_end_of_the_index() {
    let (_directory, store) = store();
    looking(&store, &[equals("status", "new")], |search, connection| {
        let walk = search.attribute_walk(&newest(), 1, false);
        let plan = plan(connection, &walk);
        assert!(
            plan.contains("SEARCH x USING PRIMARY KEY (name=?)"),
            "{plan}"
        );
        assert!(
            plan.contains("SEARCH attributes USING PRIMARY KEY (name=? AND value=? AND doc=?)"),
            "{plan}"
        );
        assert!(
            plan.contains("USE TEMP B-TREE FOR LAST TERM OF ORDER BY"),
            "{plan}"
        );
        assert!(!plan.contains("SCAN"), "{plan}");
        // Fifty answers take hardly more than fifty steps.
        assert!(search.walked(&walk, false, (0, 50), 60).unwrap().is_some());
    });
}

#[test]
fn a_time_range_bounds_the_walk() {
    let (_directory, store) = store();
    let before = Condition {
        attribute: "at".into(),
        test: Test::AtMost(Value::Number(1.7e12 + 5_000.0)),
    };
    looking(&store, &[before], |search, connection| {
        let walk = search.attribute_walk(&newest(), 1, false);
        let plan = plan(connection, &walk);
        assert!(plan.contains("(name=? AND value<?)"), "{plan}");
        assert_eq!(
            search.walked(&walk, false, (0, 50), 60).unwrap().unwrap()[0].0,
            5_000
        );
    });
}

#[test]
fn few_documents_are_taken_by_their_condition() {
    let (_directory, store) = store();
    let conditions = [equals("status", "new"), equals("session", "s-77")];
    looking(&store, &conditions, |search, connection| {
        assert_eq!(
            search.fewest(Effort::default().few, |_| true).unwrap(),
            Some(1)
        );
        let plan = plan(
            connection,
            &search.attribute_sort(Some(1), 1, true, (0, 50)),
        );
        assert!(
            plan.contains("SEARCH x USING PRIMARY KEY (name=? AND value=?)"),
            "{plan}"
        );
        assert!(!plan.contains("SCAN"), "{plan}");
    });
}

#[test]
fn a_walk_that_finds_nothing_is_given_up_for_the_condition() {
    let (_directory, store) = store();
    // All that pass are at the other end of the order.
    looking(&store, &[equals("status", "old")], |search, _| {
        assert_eq!(
            search.fewest(Effort::default().few, |_| true).unwrap(),
            None
        );
        let walk = search.attribute_walk(&newest(), 1, false);
        assert!(
            search
                .walked(&walk, false, (0, 50), Effort::default().steps)
                .unwrap()
                .is_none()
        );
        assert_eq!(
            search.fewest(Effort::default().many, |_| true).unwrap(),
            Some(0)
        );
    });
    let query = Query {
        kind: "event".into(),
        conditions: vec![equals("status", "old")],
        order: Order::ByAttribute(newest()),
        offset: 0,
        limit: 2,
    };
    let found = store.find(&query).unwrap();
    assert_eq!(found[0].document.key.id, "00000499");
    assert_eq!(found[1].document.key.id, "00000498");
}

#[test]
fn documents_by_id_are_read_from_the_index_of_ids() {
    let (_directory, store) = store();
    looking(&store, &[], |search, connection| {
        let plan = plan(connection, &search.id_walk());
        assert!(
            plan.contains("SEARCH x USING COVERING INDEX sqlite_autoindex_documents_1 (kind=?)"),
            "{plan}"
        );
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    });
}

#[test]
fn a_database_that_may_not_grow_is_full_and_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&directory.path().join("memory.db"), Options::default()).unwrap();
    let put = |id: &str, length: usize| {
        let key = Key {
            kind: "note".into(),
            id: id.into(),
        };
        let document = Document {
            key,
            // Nothing in it can be said shorter.
            body: (0..length as u32 / 8)
                .map(|number| {
                    format!(
                        "{:08x}",
                        number.wrapping_mul(0x9e37_79b9).rotate_left(number % 31)
                    )
                })
                .collect(),
            attributes: vec![],
            text: "word".into(),
            vector: vec![],
        };
        [Change::Put(Put {
            document,
            precondition: Precondition::Anything,
        })]
    };
    store.commit(&put("a", 10)).unwrap();
    store
        .with(|database| {
            let pages: i64 = database.pragma_query_value(None, "page_count", |row| row.get(0))?;
            Ok(database.execute_batch(&format!("PRAGMA max_page_count = {}", pages + 9))?)
        })
        .unwrap();
    let full = store.commit(&put("b", 200_000));
    assert!(
        matches!(&full, Err(Error::Full(message)) if message.contains("nothing was changed")),
        "{full:?}"
    );
    assert_eq!(store.count("note", &[]), Ok(1));
    assert_eq!(store.integrity(), Ok(vec![]));
    store.commit(&put("b", 10)).unwrap();
}
