//! Owns the way of a file from the first form of its tables to the compact one.
//!
//! In the first form kinds and names were texts in every entry, each attribute was in two indices, and bodies were not
//! compressed. Documents keep their numbers, so that equal scores keep their order.

use rusqlite::{Connection, params};

use super::{attributes, texts, vectors};
use crate::bodies;
use twiceshy_documents::rank::terms;

/// Puts the tables of the first form aside.
pub const ASIDE: &str = "
    DROP TABLE texts; DROP TABLE terms; DROP TABLE postings; DROP TABLE fresh; DROP TABLE coarse; DROP TABLE repeated;
    DROP INDEX vectors;
    ALTER TABLE documents RENAME TO first_documents;
    ALTER TABLE attributes RENAME TO first_attributes;";

/// The tables of the compact form.
///
/// `kinds` and `names` give numbers to the kinds of documents and to the names of their attributes. `repeated` says
/// that some document has, or once had, several values under the name: for all others one entry in the index is one
/// document. The clustered key of `attributes` serves conditions and orders; what a document at hand has is packed in
/// `documents.attributes`, in words in `attributes.rs`. `body` is in words in `bodies.rs`. Vectors are f32,
/// little-endian, `lengths` counts them, `coarse` and `codes` are in words in the modules of their names. The full-text index is in words in `texts.rs`.
pub const TABLES: &str = "
    CREATE TABLE kinds (
        kind INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE names (
        name INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        attribute TEXT NOT NULL,
        repeated INTEGER NOT NULL DEFAULT 0,
        UNIQUE (kind, attribute)
    ) STRICT;
    CREATE TABLE documents (
        doc INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        id TEXT NOT NULL,
        version INTEGER NOT NULL,
        attributes BLOB NOT NULL,
        has_text INTEGER NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (kind, id)
    ) STRICT;
    CREATE TABLE attributes (
        name INTEGER NOT NULL,
        value ANY NOT NULL,
        doc INTEGER NOT NULL,
        PRIMARY KEY (name, value, doc)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE vectors (
        doc INTEGER PRIMARY KEY,
        vector BLOB NOT NULL
    ) STRICT;
    CREATE TABLE lengths (
        kind INTEGER NOT NULL,
        length INTEGER NOT NULL,
        documents INTEGER NOT NULL,
        PRIMARY KEY (kind, length)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE coarse (
        kind INTEGER NOT NULL,
        doc INTEGER NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (kind, doc)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE codes (
        kind INTEGER NOT NULL,
        block INTEGER NOT NULL,
        codes BLOB NOT NULL,
        PRIMARY KEY (kind, block)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE coded (
        kind INTEGER PRIMARY KEY,
        doc INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE texts (
        kind INTEGER PRIMARY KEY,
        documents INTEGER NOT NULL,
        tokens INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE terms (
        kind INTEGER NOT NULL,
        term TEXT NOT NULL,
        documents INTEGER NOT NULL,
        PRIMARY KEY (kind, term)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE postings (
        kind INTEGER NOT NULL,
        term TEXT NOT NULL,
        first INTEGER NOT NULL,
        entries BLOB NOT NULL,
        PRIMARY KEY (kind, term, first)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE fresh (
        kind INTEGER NOT NULL,
        doc INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (kind, doc)
    ) STRICT, WITHOUT ROWID;";

/// Brings the documents over.
pub fn fill(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "INSERT INTO kinds (name) SELECT DISTINCT kind FROM first_documents ORDER BY kind;
         INSERT INTO names (kind, attribute)
            SELECT DISTINCT k.kind, a.name FROM first_attributes a JOIN kinds k ON k.name = a.kind ORDER BY 1, 2;",
    )?;
    let mut own = connection.prepare(
        "SELECT n.name, a.value FROM first_attributes a JOIN names n ON n.kind = ?2 AND n.attribute = a.name
         WHERE a.doc = ?1 ORDER BY n.name, a.value",
    )?;
    let mut insert = connection.prepare(
        "INSERT INTO documents (doc, kind, id, version, attributes, has_text, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let mut all = connection.prepare(
        "SELECT d.doc, k.kind, d.id, d.version, d.text, d.vector, d.body
         FROM first_documents d JOIN kinds k ON k.name = d.kind ORDER BY d.doc",
    )?;
    let mut rows = all.query([])?;
    let mut texts = texts::Changes::default();
    while let Some(row) = rows.next()? {
        let (doc, kind): (i64, i64) = (row.get(0)?, row.get(1)?);
        let (id, version): (String, i64) = (row.get(2)?, row.get(3)?);
        let mut packed = Vec::new();
        let mut values = own.query(params![doc, kind])?;
        while let Some(value) = values.next()? {
            attributes::append_raw(&mut packed, value.get(0)?, value.get_ref(1)?);
        }
        let text = terms(row.get_ref(4)?.as_str()?)
            .collect::<Vec<_>>()
            .join(" ");
        let body = bodies::packed(row.get_ref(6)?.as_str()?, &text);
        insert.execute(params![
            doc,
            kind,
            id,
            version,
            packed,
            !text.is_empty(),
            body
        ])?;
        attributes::enter(connection, |_| Ok(true), doc, &packed)?;
        if let Some(vector) = row.get_ref(5)?.as_blob_or_null()? {
            let vector = super::coarse::components(vector);
            vectors::set(connection, kind, doc, &vector, true)?;
        }
        texts.add(connection, kind, doc, &text)?;
    }
    texts.finish(connection)?;
    for kind in texts::kinds(connection)? {
        texts::settle(connection, kind)?;
    }
    Ok(())
}

/// Removes the tables of the first form.
pub const REMOVE: &str = "DROP TABLE first_documents; DROP TABLE first_attributes;";
