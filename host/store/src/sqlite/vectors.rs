//! Owns the vectors of documents, apart from their contents, and the rule that all of one kind have the same length.

use rusqlite::{Connection, OptionalExtension, params};

use super::{coarse, codes, vector_cache};

/// The length of the vectors of a kind; none if it has no vector.
pub fn length(connection: &Connection, kind: i64) -> rusqlite::Result<Option<usize>> {
    connection
        .prepare_cached("SELECT length FROM lengths WHERE kind = ?1")?
        .query_row([kind], |row| row.get(0))
        .optional()
}

/// How many documents of a kind have a vector.
pub fn count(connection: &Connection, kind: i64) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("SELECT coalesce(sum(documents), 0) FROM lengths WHERE kind = ?1")?
        .query_row([kind], |row| row.get(0))
}

/// The kinds whose documents have vectors.
pub fn kinds(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    connection
        .prepare("SELECT DISTINCT kind FROM lengths")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// All lengths of the vectors of a kind: one, but while a batch is written.
pub fn lengths(connection: &Connection, kind: i64) -> rusqlite::Result<Vec<usize>> {
    connection
        .prepare_cached("SELECT length FROM lengths WHERE kind = ?1 ORDER BY length")?
        .query_map([kind], |row| row.get(0))?
        .collect()
}

/// Gives a document its vector; an empty one takes it away. Of a document that is new nothing has to be looked for.
pub fn set(
    connection: &Connection,
    kind: i64,
    doc: i64,
    vector: &[f32],
    is_new: bool,
) -> rusqlite::Result<()> {
    if !is_new {
        remove(connection, kind, doc)?;
    }
    if vector.is_empty() {
        return Ok(());
    }
    let bytes: Vec<u8> = vector
        .iter()
        .flat_map(|component| component.to_le_bytes())
        .collect();
    connection
        .prepare_cached("INSERT INTO vectors (doc, vector) VALUES (?1, ?2)")?
        .execute(params![doc, bytes])?;
    add(connection, kind, vector.len(), 1)?;
    coarse::set(connection, kind, doc, vector)?;
    codes::set(connection, kind, doc, vector)
}

/// Takes away a document's vector, if it has one.
pub fn remove(connection: &Connection, kind: i64, doc: i64) -> rusqlite::Result<()> {
    let bytes: Option<usize> = connection
        .prepare_cached("DELETE FROM vectors WHERE doc = ?1 RETURNING length(vector)")?
        .query_row([doc], |row| row.get(0))
        .optional()?;
    match bytes {
        None => Ok(()),
        Some(bytes) => {
            vector_cache::note_change(connection, kind)?;
            codes::set(connection, kind, doc, &[])?;
            add(connection, kind, bytes / 4, -1)?;
            coarse::remove(connection, kind, doc)
        }
    }
}

/// Counts vectors of a length. A kind without vectors has no codes.
fn add(connection: &Connection, kind: i64, length: usize, change: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO lengths (kind, length, documents) VALUES (?1, ?2, ?3)
             ON CONFLICT (kind, length) DO UPDATE SET documents = documents + excluded.documents",
        )?
        .execute(params![kind, length, change])?;
    if change < 0 {
        connection
            .prepare_cached("DELETE FROM lengths WHERE kind = ?1 AND documents < 1")?
            .execute([kind])?;
    }
    Ok(())
}
