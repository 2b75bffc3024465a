//! Owns the shape of the database file: its tables, its version, and the way from one version to the next.
//!
//! It decides whether a file is a store of twiceshy that this program can use. It does not know how
//! documents are read or written.

use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use super::{codes, compact, database, failure::Failure};

/// Marks a database as a store of twiceshy: `2shy`.
pub const APPLICATION_ID: i32 = i32::from_be_bytes(*b"2shy");

/// The steps from an empty database to today's. The version of a schema is the number of steps made.
/// A step that was released is never changed; a new one is added at the end.
pub const MIGRATIONS: &[Step] = &[
    // `text` holds the terms in the form in which they are indexed; `vector` is f32, little-endian.
    // The clustered key of `attributes` serves conditions and orders, `by_document` the conditions on a
    // document that is already at hand. `repeated` names the attributes of which some document has, or
    // once had, several values: for all others one entry in the index is one document.
    Step::Sql(
        "CREATE TABLE documents (
        doc INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        version INTEGER NOT NULL,
        text TEXT NOT NULL,
        vector BLOB,
        body TEXT NOT NULL,
        UNIQUE (kind, id)
    ) STRICT;
    CREATE INDEX vectors ON documents (kind, length(vector)) WHERE vector IS NOT NULL;
    CREATE TABLE attributes (
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        value ANY NOT NULL,
        doc INTEGER NOT NULL,
        PRIMARY KEY (kind, name, value, doc)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX by_document ON attributes (doc, name, value);
    CREATE TABLE repeated (
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (kind, name)
    ) STRICT, WITHOUT ROWID;",
    ),
    // The full-text index, in words in `texts.rs`: what is known of a kind's texts, how many documents contain a
    // term, which they are, and which texts are not entered yet.
    Step::Sql(
        "CREATE TABLE texts (
        kind TEXT NOT NULL PRIMARY KEY,
        documents INTEGER NOT NULL,
        tokens INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE terms (
        kind TEXT NOT NULL,
        term TEXT NOT NULL,
        documents INTEGER NOT NULL,
        PRIMARY KEY (kind, term)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE postings (
        kind TEXT NOT NULL,
        term TEXT NOT NULL,
        first INTEGER NOT NULL,
        entries BLOB NOT NULL,
        PRIMARY KEY (kind, term, first)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE fresh (
        kind TEXT NOT NULL,
        doc INTEGER NOT NULL,
        PRIMARY KEY (kind, doc)
    ) STRICT, WITHOUT ROWID;",
    ),
    Step::Work(drop_fts),
    // Short forms of vectors.
    Step::Sql(
        "CREATE TABLE coarse (
        kind TEXT NOT NULL,
        doc INTEGER NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (kind, doc)
    ) STRICT, WITHOUT ROWID;",
    ),
    // This filled the short forms. Everything that is made of documents is made anew below.
    Step::Sql(""),
    Step::Sql(compact::ASIDE),
    Step::Sql(compact::TABLES),
    Step::Work(compact::fill),
    Step::Sql(compact::REMOVE),
    Step::Work(database::leave_out),
    // How often what is kept of a kind's vectors in memory became stale, in words in `vector_cache.rs`.
    Step::Sql("ALTER TABLE coded ADD COLUMN changes INTEGER NOT NULL DEFAULT 0"),
    Step::Work(codes::settle_all),
    // Batches that are made and not in the tables yet, in words in `pending.rs`.
    Step::Sql("CREATE TABLE pending (number INTEGER PRIMARY KEY, batch BLOB NOT NULL) STRICT"),
];

/// Files of earlier versions become much smaller by the steps, and are written anew for it.
const MADE_SMALLER: u32 = 10;

/// A step from one version of the schema to the next.
#[derive(Clone, Copy)]
pub enum Step {
    /// Statements.
    Sql(&'static str),
    /// What statements alone can't do.
    Work(fn(&Connection) -> rusqlite::Result<()>),
}

/// What a database file turns out to be.
#[derive(Debug, PartialEq)]
pub enum Shape {
    /// A store of today's schema, or one that was just brought there.
    Ready,
    /// A store that needs to be brought to today's schema first, from this one.
    Older(u32),
    /// A store of a schema that this program does not know.
    Newer(u32),
    /// A database of somebody else.
    Foreign,
}

/// Looks at an open database and, where `upgrade` allows it, brings it to the last of `migrations`.
pub fn prepare(
    connection: &mut Connection,
    migrations: &[Step],
    upgrade: bool,
    patience: Duration,
) -> Result<Shape, Failure> {
    // One look at one moment: another process may be making the store just now.
    let moment = connection.transaction()?;
    let shape = inspect(&moment, migrations)?;
    drop(moment);
    // A copy of one moment, such as a backup, has no log. Nobody could write beside a reader.
    if shape == Shape::Ready && upgrade && !has_log(connection)? {
        use_wal(connection, patience)?;
    }
    let Shape::Older(from) = shape else {
        return Ok(shape);
    };
    if !upgrade {
        return Ok(shape);
    }
    if from == 0 {
        // Only before the first table is made. Pages that are free can be given back then, some at a time.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        use_wal(connection, patience)?;
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done the work while this one waited for its turn.
    let shape = inspect(&transaction, migrations)?;
    let Shape::Older(from) = shape else {
        return Ok(shape);
    };
    for step in &migrations[from as usize..] {
        match step {
            Step::Sql(sql) => transaction.execute_batch(sql)?,
            Step::Work(work) => work(&transaction)?,
        }
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", migrations.len())?;
    transaction.commit()?;
    if (1..MADE_SMALLER).contains(&from) {
        shrink(connection);
    }
    Ok(Shape::Ready)
}

/// Writes a file that was brought forward anew, without the room that it does not need any more. If others use it just
/// now it stays as it is: the pages are used again.
fn shrink(connection: &Connection) {
    let vacuumed = connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
    if vacuumed.is_ok() {
        let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }
}

fn inspect(connection: &Connection, migrations: &[Step]) -> Result<Shape, Failure> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let version = pragma("user_version")?;
    if pragma("application_id")? != APPLICATION_ID {
        let empty = "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)";
        let fresh = version == 0 && connection.query_row(empty, [], |row| row.get(0))?;
        return Ok(if fresh {
            Shape::Older(0)
        } else {
            Shape::Foreign
        });
    }
    Ok(match u32::try_from(version) {
        Ok(version) if version as usize == migrations.len() => Shape::Ready,
        Ok(version) if (version as usize) < migrations.len() => Shape::Older(version),
        Ok(version) => Shape::Newer(version),
        Err(_) => Shape::Foreign,
    })
}

/// Whether commits go to a log, or to a place where none is needed.
fn has_log(connection: &Connection) -> rusqlite::Result<bool> {
    connection.pragma_query_value(None, "journal_mode", |row| {
        row.get::<_, String>(0).map(|mode| mode != "delete")
    })
}

/// Turns the write-ahead log on, which stays so for good. SQLite does not wait for others here, so that
/// several processes that create one store at the same time would fail without these attempts.
fn use_wal(connection: &Connection, patience: Duration) -> Result<(), Failure> {
    let start = Instant::now();
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())) {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && start.elapsed() < patience =>
            {
                std::thread::sleep(Duration::from_millis(1));
            }
            result => return Ok(result?),
        }
    }
}

/// Drops the tables of FTS5, of which each kind had one. The texts are in the documents, too.
fn drop_fts(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "SELECT name FROM sqlite_schema
               WHERE type = 'table' AND name LIKE 'text-%' AND instr(name, '_') = 0";
    let tables = connection
        .prepare(sql)?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<String>>>()?;
    for table in tables {
        let view = table.replacen("text", "terms", 1);
        connection.execute_batch(&format!("DROP TABLE \"{table}\"; DROP VIEW \"{view}\";"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use twiceshy_wit::host::{Change, Key, Order, Precondition, Query, Removal, Store};

    use super::super::{Options, SqliteStore};
    use super::*;

    const OLD: &[Step] = &[Step::Sql("CREATE TABLE documents (name TEXT)")];
    const NEW: &[Step] = &[
        Step::Sql("CREATE TABLE documents (name TEXT)"),
        Step::Sql("ALTER TABLE documents ADD COLUMN size INTEGER NOT NULL DEFAULT 7"),
        Step::Work(|connection| connection.execute_batch("CREATE TABLE more (x)")),
    ];
    const NO_TIME: Duration = Duration::ZERO;

    fn prepare(connection: &mut Connection, migrations: &[Step], upgrade: bool) -> Shape {
        super::prepare(connection, migrations, upgrade, NO_TIME).unwrap()
    }

    #[test]
    fn an_older_schema_is_brought_forward_and_keeps_what_is_in_it() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert_eq!(prepare(&mut connection, OLD, true), Shape::Ready);
        connection
            .execute("INSERT INTO documents VALUES ('kept')", [])
            .unwrap();
        assert_eq!(prepare(&mut connection, NEW, false), Shape::Older(1));
        assert_eq!(prepare(&mut connection, NEW, true), Shape::Ready);
        let kept: (String, i64) = connection
            .query_row("SELECT name, size FROM documents", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .unwrap();
        assert_eq!(kept, ("kept".into(), 7));
        assert_eq!(
            prepare(&mut connection, NEW, true),
            Shape::Ready,
            "a second time changes nothing"
        );
        assert_eq!(prepare(&mut connection, OLD, true), Shape::Newer(3));
    }

    /// A file as it was written when FTS5 kept the texts.
    #[test]
    fn texts_of_the_first_schema_are_found_after_the_upgrade() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("memory.db");
        let mut connection = Connection::open(&path).unwrap();
        assert_eq!(
            prepare(&mut connection, &MIGRATIONS[..1], true),
            Shape::Ready
        );
        connection
            .execute_batch(
                r#"CREATE VIEW "terms-note" AS SELECT doc, text FROM documents WHERE kind = 'note' AND text <> '';
                   CREATE VIRTUAL TABLE "text-note" USING fts5(text, content = "terms-note", content_rowid = doc,
                      tokenize = "ascii tokenchars '-_.'");
                   INSERT INTO documents (doc, kind, id, version, text, body)
                      VALUES (1, 'note', 'a', 3, 'red red green', 'A'), (2, 'note', 'b', 1, 'red blue', 'B'),
                             (3, 'note', 'c', 1, '', 'C'), (4, 'other', 'd', 1, '', 'D');
                   INSERT INTO attributes VALUES ('note', 'color', 'red', 1);
                   INSERT INTO "text-note" (rowid, text) VALUES (1, 'red red green'), (2, 'red blue');"#,
            )
            .unwrap();
        drop(connection);
        let store = SqliteStore::open(&path, Options::default()).unwrap();
        assert_eq!(store.integrity(), Ok(vec![]));
        let ids = |text: &str| -> Vec<String> {
            let query = Query {
                kind: "note".into(),
                conditions: vec![],
                order: Order::ByText(text.into()),
                offset: 0,
                limit: 10,
            };
            let found = store.find(&query).unwrap().into_iter();
            found.map(|found| found.document.key.id).collect()
        };
        assert_eq!(ids("RED"), ["a", "b"]);
        assert_eq!(ids("blue"), ["b"]);
        let a = Key {
            kind: "note".into(),
            id: "a".into(),
        };
        let read = store.get_many(std::slice::from_ref(&a)).unwrap();
        assert_eq!((read[0].version, read[0].body.as_str()), (3, "A"));
        let removal = Removal {
            key: a,
            precondition: Precondition::At(3),
        };
        store.commit(&[Change::Remove(removal)]).unwrap();
        assert_eq!(ids("red"), ["b"]);
        assert_eq!(store.integrity(), Ok(vec![]));
    }

    #[test]
    fn a_step_that_fails_leaves_the_older_schema_whole() {
        let mut connection = Connection::open_in_memory().unwrap();
        prepare(&mut connection, OLD, true);
        let broken = [
            OLD[0],
            Step::Sql("CREATE TABLE half (x)"),
            Step::Sql("CREATE TABLE documents (y)"),
        ];
        assert!(super::prepare(&mut connection, &broken, true, NO_TIME).is_err());
        assert_eq!(prepare(&mut connection, OLD, true), Shape::Ready);
        assert!(!connection.table_exists(None, "half").unwrap());
    }

    #[test]
    fn processes_that_upgrade_at_once_do_it_once() {
        let directory = tempfile::tempdir().unwrap();
        for round in 0..20 {
            let path = directory.path().join(format!("{round}.db"));
            let open = || {
                let mut connection = Connection::open(&path).unwrap();
                super::prepare(&mut connection, NEW, true, Duration::from_secs(10)).unwrap()
            };
            std::thread::scope(|scope| {
                let all: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
                for one in all {
                    assert_eq!(one.join().unwrap(), Shape::Ready);
                }
            });
        }
    }

    #[test]
    fn a_database_of_somebody_else_is_foreign() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE theirs (x)").unwrap();
        assert_eq!(prepare(&mut connection, MIGRATIONS, true), Shape::Foreign);
    }
}
