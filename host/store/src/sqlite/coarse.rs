//! Owns the short forms of a store's vectors: one for each, kept in step with it.

use rusqlite::{Connection, params};

use crate::coarse::short;
pub use crate::coarse::{Asked, components};

/// Notes the short form of a document's vector; an empty vector has none.
pub fn set(connection: &Connection, kind: i64, doc: i64, vector: &[f32]) -> rusqlite::Result<()> {
    if vector.is_empty() {
        return remove(connection, kind, doc);
    }
    let sql = "INSERT INTO coarse (kind, doc, vector) VALUES (?1, ?2, ?3)
               ON CONFLICT (kind, doc) DO UPDATE SET vector = excluded.vector";
    connection
        .prepare_cached(sql)?
        .execute(params![kind, doc, short(vector)])?;
    Ok(())
}

/// Forgets the short form of a document's vector.
pub fn remove(connection: &Connection, kind: i64, doc: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM coarse WHERE kind = ?1 AND doc = ?2")?
        .execute(params![kind, doc])?;
    Ok(())
}

/// What is wrong with the short forms, one line each.
pub fn problems(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut problems: Vec<String> = connection
        .prepare(
            "SELECT 'the short vector of row ' || doc || ' belongs to no vector' FROM coarse c WHERE NOT EXISTS
                (SELECT 1 FROM vectors v JOIN documents d USING (doc) WHERE v.doc = c.doc AND d.kind = c.kind)",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    each_vector(connection, |kind, doc, vector| {
        let sql = "SELECT 1 FROM coarse WHERE kind = ?1 AND doc = ?2 AND vector = ?3";
        let mut same = connection.prepare_cached(sql)?;
        if !same.exists(params![kind, doc, short(vector)])? {
            problems.push(format!(
                "the short vector of row {doc} is not that of its vector"
            ));
        }
        Ok(())
    })?;
    Ok(problems)
}

fn each_vector(
    connection: &Connection,
    mut visit: impl FnMut(i64, i64, &[f32]) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let sql = "SELECT kind, doc, vector FROM vectors JOIN documents USING (doc)";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(
            row.get(0)?,
            row.get(1)?,
            &components(row.get_ref(2)?.as_blob()?),
        )?;
    }
    Ok(())
}
