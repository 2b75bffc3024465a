//! Owns a bare SQLite table of texts, which the store is measured against: what a commit, a row and a full-text search
//! cost without anything of ours.

use std::path::Path;

use rusqlite::{Connection, params};

/// A table of texts with FTS5 beside it, in a file with a write-ahead log in which every commit is synced.
#[derive(Debug)]
pub struct BareSqlite {
    connection: Connection,
}

impl BareSqlite {
    /// Opens the file, and makes it if it is not there.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn open(path: &Path) -> Result<BareSqlite, String> {
        let connection = Connection::open(path).map_err(|error| error.to_string())?;
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                 CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
                 CREATE VIRTUAL TABLE IF NOT EXISTS found USING fts5(text, content = bare, content_rowid = id);",
            )
            .map_err(|error| error.to_string())?;
        Ok(BareSqlite { connection })
    }

    /// Writes texts in one commit: what is to be kept, and what it is found by.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn write(&self, texts: &[(String, String)]) -> Result<(), String> {
        let write = || -> rusqlite::Result<()> {
            let transaction = self.connection.unchecked_transaction()?;
            for (kept, found) in texts {
                let mut insert =
                    transaction.prepare_cached("INSERT INTO bare (text) VALUES (?1)")?;
                let id = insert.insert(params![kept])?;
                transaction
                    .prepare_cached("INSERT INTO found (rowid, text) VALUES (?1, ?2)")?
                    .execute(params![id, found])?;
            }
            transaction.commit()
        };
        write().map_err(|error| error.to_string())
    }

    /// The ten best by BM25, any word counting.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn search(&self, words: &str) -> Result<usize, String> {
        let any: Vec<_> = words
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(|word| format!("\"{word}\""))
            .collect();
        let search = || -> rusqlite::Result<usize> {
            let sql = "SELECT b.text FROM found JOIN bare b ON b.id = found.rowid
                       WHERE found MATCH ?1 ORDER BY rank LIMIT 10";
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map([any.join(" OR ")], |row| row.get::<_, String>(0))?;
            Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.len())
        };
        search().map_err(|error| error.to_string())
    }
}
