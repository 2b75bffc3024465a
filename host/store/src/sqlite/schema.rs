//! Owns the shape of the database file: its tables, its version, and the way from one version to the next.
//!
//! It decides whether a file is a store of twiceshy that this program can use. It does not know how
//! documents are read or written.

use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use super::failure::Failure;

/// Marks a database as a store of twiceshy: `2shy`.
pub const APPLICATION_ID: i32 = i32::from_be_bytes(*b"2shy");

/// The steps from an empty database to today's. The version of a schema is the number of steps made.
/// A step that was released is never changed; a new one is added at the end.
pub const MIGRATIONS: &[&str] = &[
    // `text` holds the terms in the form in which they are indexed; `vector` is f32, little-endian.
    // The clustered key of `attributes` serves conditions and orders, `by_document` the conditions on a
    // document that is already at hand. `repeated` names the attributes of which some document has, or
    // once had, several values: for all others one entry in the index is one document.
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
];

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
    migrations: &[&str],
    upgrade: bool,
    patience: Duration,
) -> Result<Shape, Failure> {
    // One look at one moment: another process may be making the store just now.
    let moment = connection.transaction()?;
    let shape = inspect(&moment, migrations)?;
    drop(moment);
    let Shape::Older(from) = shape else {
        return Ok(shape);
    };
    if !upgrade {
        return Ok(shape);
    }
    if from == 0 {
        use_wal(connection, patience)?;
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done the work while this one waited for its turn.
    let shape = inspect(&transaction, migrations)?;
    let Shape::Older(from) = shape else {
        return Ok(shape);
    };
    for step in &migrations[from as usize..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", migrations.len())?;
    transaction.commit()?;
    Ok(Shape::Ready)
}

fn inspect(connection: &Connection, migrations: &[&str]) -> Result<Shape, Failure> {
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

/// The full-text table of a kind. Kinds have no quotes and no underscore in them, so that the name needs
/// no escape and meets no table that FTS5 makes for itself.
pub fn text_table(kind: &str) -> String {
    format!("\"text-{kind}\"")
}

/// Whether some document of this kind has, or once had, a text.
pub fn has_text_table(connection: &Connection, kind: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE name = 'text-' || ?1";
    connection.prepare_cached(sql)?.exists([kind])
}

/// The kinds that have a full-text table.
pub fn text_kinds(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT substr(name, 6) FROM sqlite_schema
               WHERE type = 'table' AND name LIKE 'text-%' AND instr(name, '_') = 0";
    connection
        .prepare(sql)?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// Makes the full-text table of a kind. Each kind has its own, because BM25 weighs a term by the texts of
/// its kind. The terms are in `documents` already; a view shows them to FTS5.
pub fn create_text_table(connection: &Connection, kind: &str) -> rusqlite::Result<()> {
    let table = text_table(kind);
    // Everything but the space is part of a term: the text was cut into terms before.
    let characters: String = (1u8..128)
        .map(char::from)
        .filter(|c| !matches!(c, ' ' | '\t'..='\r'))
        .collect();
    let tokenizer =
        format!("ascii tokenchars '{}'", characters.replace('\'', "''")).replace('"', "\"\"");
    connection.execute_batch(&format!(
        "CREATE VIEW \"terms-{kind}\" AS SELECT doc, text FROM documents WHERE kind = '{kind}' AND text <> '';
         CREATE VIRTUAL TABLE {table}
         USING fts5(text, content = \"terms-{kind}\", content_rowid = doc, tokenize = \"{tokenizer}\");"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &[&str] = &["CREATE TABLE documents (name TEXT)"];
    const NEW: &[&str] = &[
        "CREATE TABLE documents (name TEXT)",
        "ALTER TABLE documents ADD COLUMN size INTEGER NOT NULL DEFAULT 7",
        "CREATE TABLE more (x)",
    ];
    const NO_TIME: Duration = Duration::ZERO;

    fn prepare(connection: &mut Connection, migrations: &[&str], upgrade: bool) -> Shape {
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

    #[test]
    fn a_step_that_fails_leaves_the_older_schema_whole() {
        let mut connection = Connection::open_in_memory().unwrap();
        prepare(&mut connection, OLD, true);
        let broken = [
            OLD[0],
            "CREATE TABLE half (x)",
            "CREATE TABLE documents (y)",
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
