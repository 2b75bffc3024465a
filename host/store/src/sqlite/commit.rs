//! Owns the writing of documents: one batch, inside the transaction of its caller.
//!
//! It keeps the tables, the attribute index and the full-text index in step. It does not begin or end
//! the transaction, and it does not look at limits.

use std::collections::BTreeSet;

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, OptionalExtension, ToSql, params};
use twiceshy_wit::host::{Change, Document, Key, Put, Value};

use super::failure::Failure;
use super::{coarse, texts};
use crate::rank::terms;
use crate::{validate, version};

/// A document that is there already.
struct Present {
    doc: i64,
    version: u32,
    text: String,
}

/// Makes all changes in their order.
pub fn apply(connection: &Connection, batch: &[Change]) -> Result<(), Failure> {
    for change in batch {
        match change {
            Change::Put(Put {
                document,
                precondition,
            }) => {
                let present = present(connection, &document.key)?;
                let version = present.as_ref().map(|present| present.version);
                version::check(&document.key, version, precondition)?;
                put(
                    connection,
                    document,
                    present,
                    version::next(&document.key, version)?,
                )?;
            }
            Change::Remove(removal) => {
                let present = present(connection, &removal.key)?;
                version::check(
                    &removal.key,
                    present.as_ref().map(|present| present.version),
                    &removal.precondition,
                )?;
                if let Some(present) = present {
                    remove(connection, &removal.key.kind, &present)?;
                }
            }
        }
    }
    let kinds: BTreeSet<&str> = batch
        .iter()
        .filter_map(|change| match change {
            Change::Put(put) if !put.document.text.is_empty() => Some(&*put.document.key.kind),
            _ => None,
        })
        .collect();
    for kind in kinds {
        texts::settle_many(connection, kind)?;
    }
    check_vectors(connection, batch)
}

fn present(connection: &Connection, key: &Key) -> rusqlite::Result<Option<Present>> {
    connection
        .prepare_cached("SELECT doc, version, text FROM documents WHERE kind = ?1 AND id = ?2")?
        .query_row([&key.kind, &key.id], |row| {
            Ok(Present {
                doc: row.get(0)?,
                version: row.get(1)?,
                text: row.get(2)?,
            })
        })
        .optional()
}

fn put(
    connection: &Connection,
    document: &Document,
    present: Option<Present>,
    version: u32,
) -> Result<(), Failure> {
    let Key { kind, id } = &document.key;
    let text = terms(&document.text).collect::<Vec<_>>().join(" ");
    let vector: Option<Vec<u8>> = (!document.vector.is_empty()).then(|| {
        document
            .vector
            .iter()
            .flat_map(|component| component.to_le_bytes())
            .collect()
    });
    let doc = match &present {
        Some(Present { doc, .. }) => {
            connection
                .prepare_cached(
                    "UPDATE documents SET version = ?2, text = ?3, vector = ?4, body = ?5 WHERE doc = ?1",
                )?
                .execute(params![doc, version, text, vector, document.body])?;
            *doc
        }
        None => connection
            .prepare_cached(
                "INSERT INTO documents (kind, id, version, text, vector, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .insert(params![kind, id, version, text, vector, document.body])?,
    };
    set_attributes(connection, document, doc, present.is_some())?;
    coarse::set(connection, kind, doc, &document.vector)?;
    let before = present.map(|present| present.text).unwrap_or_default();
    if before != text {
        texts::remove(connection, kind, doc, &before)?;
        texts::add(connection, kind, doc, &text)?;
    }
    Ok(())
}

fn remove(connection: &Connection, kind: &str, present: &Present) -> rusqlite::Result<()> {
    texts::remove(connection, kind, present.doc, &present.text)?;
    coarse::remove(connection, kind, present.doc)?;
    connection
        .prepare_cached("DELETE FROM attributes WHERE doc = ?1")?
        .execute([present.doc])?;
    connection
        .prepare_cached("DELETE FROM documents WHERE doc = ?1")?
        .execute([present.doc])?;
    Ok(())
}

/// An attribute as it is bound to a statement.
pub struct Bound<'a>(pub &'a Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self.0 {
            Value::Text(text) => text.to_sql(),
            // Both zeros are one value, and the one that is kept is the positive.
            Value::Number(number) => Ok(ToSqlOutput::from(number + 0.0)),
        }
    }
}

fn set_attributes(
    connection: &Connection,
    document: &Document,
    doc: i64,
    replace: bool,
) -> rusqlite::Result<()> {
    let kind = &document.key.kind;
    if replace {
        connection
            .prepare_cached("DELETE FROM attributes WHERE doc = ?1")?
            .execute([doc])?;
    }
    let mut names = BTreeSet::new();
    let mut insert = connection.prepare_cached(
        "INSERT OR IGNORE INTO attributes (kind, name, value, doc) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for attribute in &document.attributes {
        insert.execute(params![kind, attribute.name, Bound(&attribute.value), doc])?;
        if !names.insert(&attribute.name) {
            connection
                .prepare_cached("INSERT OR IGNORE INTO repeated (kind, name) VALUES (?1, ?2)")?
                .execute([kind, &attribute.name])?;
        }
    }
    Ok(())
}

/// The rule of one length is about the state after the batch, so that all vectors of a kind can be
/// replaced together.
fn check_vectors(connection: &Connection, batch: &[Change]) -> Result<(), Failure> {
    let mut checked = BTreeSet::new();
    for (index, change) in batch.iter().enumerate() {
        let Change::Put(Put { document, .. }) = change else {
            continue;
        };
        let (kind, length) = (&document.key.kind, document.vector.len());
        if length == 0 || !checked.insert(kind) {
            continue;
        }
        let extreme = |which: &str| {
            connection
                .prepare_cached(&format!(
                    "SELECT coalesce({which}(length(vector)), 0) / 4 FROM documents INDEXED BY vectors
                     WHERE kind = ?1 AND vector IS NOT NULL"
                ))?
                .query_row([kind], |row| row.get::<_, usize>(0))
        };
        let (shortest, longest) = (extreme("min")?, extreme("max")?);
        if shortest != longest {
            let other = if length == shortest {
                longest
            } else {
                shortest
            };
            validate::same_length(
                &format!("batch[{index}].document.vector"),
                kind,
                length,
                other,
            )?;
        }
    }
    Ok(())
}
