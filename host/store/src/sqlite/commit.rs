//! Owns the writing of documents: one batch, inside the transaction of its caller.
//!
//! It keeps the documents, the index of attributes, the full-text index and the vectors in step. It does not begin or
//! end the transaction, and it does not look at limits.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{OptionalExtension, Row, params};
use twiceshy_wit::host::{Change, Document, Key, Precondition, Put};

use super::database::{Database, UNKNOWN};
use super::failure::Failure;
use super::{attributes, codes, texts, vectors};
use crate::bodies;
#[cfg(feature = "postgres")]
use crate::migration::Kept;
use twiceshy_documents::rank::terms;
use twiceshy_documents::{validate, version};

/// After so many vectors it is looked whether they are to be put into blocks.
const CODED_AT_ONCE: u64 = 64;

/// A document that is there already.
struct Present {
    doc: i64,
    version: u32,
    attributes: Vec<u8>,
    text: String,
}

/// Where a document is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// In this row.
    At(i64),
    /// It is not there.
    Nowhere,
    /// It has to be looked for.
    Unknown,
}

/// Where the document of each change of a batch is.
pub type Places = Vec<Place>;

/// Makes all changes in their order. So many texts of a kind may be left to be entered into the full-text index later.
pub fn apply(
    database: &Database,
    batch: &[Change],
    places: Option<Places>,
    most_fresh: usize,
) -> Result<(), Failure> {
    let mut texts = texts::Changes::default();
    for (index, change) in batch.iter().enumerate() {
        let known = places.as_ref().and_then(|places| places.get(index));
        let place = known.copied().unwrap_or(Place::Unknown);
        match change {
            Change::Put(Put {
                document,
                precondition,
            }) => {
                let kind = database.kind_or_new(&document.key.kind)?;
                let is_new = match place {
                    Place::At(_) => false,
                    Place::Nowhere => true,
                    Place::Unknown => *precondition == Precondition::Absent,
                };
                if is_new && enter(database, &mut texts, kind, document, FIRST_VERSION)? {
                    continue;
                }
                let present = match place {
                    Place::At(doc) => present_at(database, doc)?,
                    _ => present(database, kind, &document.key.id)?,
                };
                let version = present.as_ref().map(|present| present.version);
                version::check(&document.key, version, precondition)?;
                let version = version::next(&document.key, version)?;
                put(database, &mut texts, kind, document, present, version)?;
            }
            Change::Remove(removal) => {
                let kind = database.kind(&removal.key.kind)?;
                let present = match (kind, place) {
                    (UNKNOWN, _) | (_, Place::Nowhere) => None,
                    (_, Place::At(doc)) => present_at(database, doc)?,
                    (kind, Place::Unknown) => present(database, kind, &removal.key.id)?,
                };
                version::check(
                    &removal.key,
                    present.as_ref().map(|present| present.version),
                    &removal.precondition,
                )?;
                if let Some(present) = present {
                    remove(database, &mut texts, kind, present)?;
                }
            }
        }
    }
    let documents = batch.iter().filter_map(|change| match change {
        Change::Put(put) => Some(&put.document),
        Change::Remove(_) => None,
    });
    settle(database, &texts, documents, most_fresh)?;
    match places {
        // It was looked before the batch was accepted.
        Some(_) => Ok(()),
        None => check_vectors(database, batch),
    }
}

/// Brings the indices of what was written up to date.
fn settle<'d>(
    database: &Database,
    texts: &texts::Changes,
    documents: impl Iterator<Item = &'d Document>,
    most_fresh: usize,
) -> Result<(), Failure> {
    texts.finish(database)?;
    // Within a group the rest is settled when it ends.
    if most_fresh == usize::MAX {
        return Ok(());
    }
    for kind in texts.kinds() {
        texts::settle_many(database, kind, most_fresh)?;
    }
    let mut written: BTreeMap<&str, u64> = BTreeMap::new();
    for document in documents.filter(|document| !document.vector.is_empty()) {
        *written.entry(&document.key.kind).or_default() += 1;
    }
    for (kind, written) in written {
        let kind = database.kind(kind)?;
        let count = vectors::count(database, kind)?;
        // Finding out how many are in no block is not worth its while each time.
        if count / CODED_AT_ONCE != count.saturating_sub(written) / CODED_AT_ONCE {
            codes::settle_many(database, kind)?;
        }
    }
    Ok(())
}

/// Removes documents, then writes others with the versions that they have.
#[cfg(feature = "postgres")]
pub fn replace(
    database: &Database,
    removed: &[Key],
    put_now: &[Kept],
    most_fresh: usize,
) -> Result<(), Failure> {
    let mut texts = texts::Changes::default();
    for key in removed {
        let kind = database.kind(&key.kind)?;
        if kind != UNKNOWN
            && let Some(present) = present(database, kind, &key.id)?
        {
            remove(database, &mut texts, kind, present)?;
        }
    }
    for Kept { document, version } in put_now {
        let kind = database.kind_or_new(&document.key.kind)?;
        let present = present(database, kind, &document.key.id)?;
        put(database, &mut texts, kind, document, present, *version)?;
    }
    let documents = put_now.iter().map(|kept| &kept.document);
    settle(database, &texts, documents, most_fresh)?;
    // All vectors of a kind have one length.
    for kept in put_now {
        let (kind, length) = (&kept.document.key.kind, kept.document.vector.len());
        let lengths = match length {
            0 => Vec::new(),
            _ => vectors::lengths(database, database.kind(kind)?)?,
        };
        if let Some(other) = lengths.into_iter().find(|other| *other != length) {
            validate::same_length("put.document.vector", kind, length, other)?;
        }
    }
    Ok(())
}

/// What a change is about, and the condition for it.
pub fn key_and_precondition(change: &Change) -> (&Key, &Precondition) {
    match change {
        Change::Put(put) => (&put.document.key, &put.precondition),
        Change::Remove(removal) => (&removal.key, &removal.precondition),
    }
}

/// Where a document is, and its version.
pub fn place(database: &Database, key: &Key) -> Result<(Place, Option<u32>), Failure> {
    let kind = database.kind(&key.kind)?;
    if kind == UNKNOWN {
        return Ok((Place::Nowhere, None));
    }
    let sql = "SELECT doc, version FROM documents WHERE kind = ?1 AND id = ?2";
    let found = database
        .prepare_cached(sql)?
        .query_row(params![kind, key.id], |row| {
            Ok((Place::At(row.get(0)?), Some(row.get(1)?)))
        });
    Ok(found.optional()?.unwrap_or((Place::Nowhere, None)))
}

fn present(database: &Database, kind: i64, id: &str) -> rusqlite::Result<Option<Present>> {
    let sql = "SELECT doc, version, attributes, has_text, body FROM documents WHERE kind = ?1 AND id = ?2";
    let mut statement = database.prepare_cached(sql)?;
    statement
        .query_row(params![kind, id], Present::read)
        .optional()
}

fn present_at(database: &Database, doc: i64) -> rusqlite::Result<Option<Present>> {
    let sql = "SELECT doc, version, attributes, has_text, body FROM documents WHERE doc = ?1";
    let mut statement = database.prepare_cached(sql)?;
    statement.query_row([doc], Present::read).optional()
}

impl Present {
    fn read(row: &Row) -> rusqlite::Result<Present> {
        Ok(Present {
            doc: row.get(0)?,
            version: row.get(1)?,
            attributes: row.get(2)?,
            text: match row.get(3)? {
                true => bodies::unpacked(row.get_ref(4)?.as_blob()?)?.into_text(),
                false => String::new(),
            },
        })
    }
}

fn put(
    database: &Database,
    texts: &mut texts::Changes,
    kind: i64,
    document: &Document,
    present: Option<Present>,
    version: u32,
) -> rusqlite::Result<()> {
    let Some(before) = present else {
        return enter(database, texts, kind, document, version).map(|_| ());
    };
    let Written { text, packed, body } = written(database, kind, document)?;
    let has_text = !text.is_empty();
    let doc = before.doc;
    database
        .prepare_cached(
            "UPDATE documents SET version = ?2, attributes = ?3, has_text = ?4, body = ?5 WHERE doc = ?1",
        )?
        .execute(params![doc, version, packed, has_text, body])?;
    attributes::exchange(database, doc, &before.attributes, &packed)?;
    vectors::set(database, kind, doc, &document.vector, false)?;
    if before.text != text {
        texts.remove(database, kind, doc, before.text)?;
        texts.add(database, kind, doc, &text)?;
    }
    Ok(())
}

/// A document as it is kept.
struct Written {
    text: String,
    packed: Vec<u8>,
    body: Vec<u8>,
}

fn written(database: &Database, kind: i64, document: &Document) -> rusqlite::Result<Written> {
    let text = terms(&document.text).collect::<Vec<_>>().join(" ");
    Ok(Written {
        packed: attributes::packed(database, kind, &document.attributes)?,
        body: bodies::packed(&document.body, &text),
        text,
    })
}

/// The version of a document that is new.
const FIRST_VERSION: u32 = 1;

/// Writes a document unless there is one of its key; says whether it did.
fn enter(
    database: &Database,
    texts: &mut texts::Changes,
    kind: i64,
    document: &Document,
    version: u32,
) -> rusqlite::Result<bool> {
    let Written { text, packed, body } = written(database, kind, document)?;
    let row = params![
        kind,
        document.key.id,
        version,
        packed,
        !text.is_empty(),
        body
    ];
    if database.prepare_cached(INSERT)?.execute(row)? == 0 {
        return Ok(false);
    }
    let doc = database.last_insert_rowid();
    attributes::enter(database, |name| database.is_indexed(name), doc, &packed)?;
    vectors::set(database, kind, doc, &document.vector, true)?;
    texts.add(database, kind, doc, &text)?;
    Ok(true)
}

const INSERT: &str = "INSERT INTO documents (kind, id, version, attributes, has_text, body)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";

fn remove(
    database: &Database,
    texts: &mut texts::Changes,
    kind: i64,
    present: Present,
) -> rusqlite::Result<()> {
    let doc = present.doc;
    texts.remove(database, kind, doc, present.text)?;
    vectors::remove(database, kind, doc)?;
    attributes::leave(database, doc, &present.attributes)?;
    database
        .prepare_cached("DELETE FROM documents WHERE doc = ?1")?
        .execute([doc])?;
    Ok(())
}

/// The rule of one length is about the state after the batch, so that all vectors of a kind can be
/// replaced together.
fn check_vectors(database: &Database, batch: &[Change]) -> Result<(), Failure> {
    let mut checked = BTreeSet::new();
    for (index, change) in batch.iter().enumerate() {
        let Change::Put(Put { document, .. }) = change else {
            continue;
        };
        let (Key { kind, .. }, length) = (&document.key, document.vector.len());
        if length == 0 || !checked.insert(kind) {
            continue;
        }
        let lengths = vectors::lengths(database, database.kind(kind)?)?;
        if lengths.len() > 1
            && let Some(other) = lengths.into_iter().find(|other| *other != length)
        {
            let member = format!("batch[{index}].document.vector");
            validate::same_length(&member, kind, length, other)?;
        }
    }
    Ok(())
}
