//! Owns the full-text index: for each kind and term, the documents whose text contains it.
//!
//! A text that is new is only noted in `fresh`, and searched as it stands. When there are some dozens, they are entered
//! into the lists of their terms together: one text has terms all over the index, and entering each alone would write
//! a page for every term. It does not know how scores are made of the lists.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::{Connection, OptionalExtension, params};

use crate::bodies;
use crate::postings::{Entry, read, write};

/// So many texts of a kind may be fresh after a commit.
pub const MOST_FRESH: usize = 32;

/// Texts that are entered at once: what the memory holds meanwhile.
const SETTLED_AT_ONCE: usize = 2_000;

/// What is known of the texts of a kind as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// How many documents have a text.
    pub documents: u64,
    /// How many terms the texts have together.
    pub tokens: u64,
}

/// The texts of a kind as a whole; none if it never had one.
pub fn statistics(connection: &Connection, kind: i64) -> rusqlite::Result<Option<Statistics>> {
    connection
        .prepare_cached("SELECT documents, tokens FROM texts WHERE kind = ?1")?
        .query_row([kind], |row| {
            Ok(Statistics {
                documents: row.get(0)?,
                tokens: row.get(1)?,
            })
        })
        .optional()
}

/// How many documents contain a term, fresh ones left out.
pub fn hits(connection: &Connection, kind: i64, term: &str) -> rusqlite::Result<u64> {
    let sql = "SELECT documents FROM terms WHERE kind = ?1 AND term = ?2";
    let hits = connection
        .prepare_cached(sql)?
        .query_row(params![kind, term], |row| row.get(0));
    Ok(hits.optional()?.unwrap_or(0))
}

/// Goes through the documents that contain a term, fresh ones left out.
pub fn each(
    connection: &Connection,
    kind: i64,
    term: &str,
    mut visit: impl FnMut(Entry),
) -> rusqlite::Result<()> {
    let sql = "SELECT first, entries FROM postings WHERE kind = ?1 AND term = ?2 ORDER BY first";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![kind, term])?;
    while let Some(row) = rows.next()? {
        read(row.get(0)?, row.get_ref(1)?.as_blob()?).for_each(&mut visit);
    }
    Ok(())
}

/// Goes through those of some documents, given in their order, that contain a term, fresh ones left out. A block is read only
/// if one of them may be in it.
pub fn each_of(
    connection: &Connection,
    kind: i64,
    term: &str,
    docs: &[i64],
    mut visit: impl FnMut(Entry),
) -> rusqlite::Result<()> {
    let mut entries: Vec<Entry> = Vec::new();
    for doc in docs {
        // Behind the last entry of a block the document may be in a later one.
        if entries.last().is_none_or(|last| last.doc < *doc) {
            match block(connection, kind, term, *doc)? {
                Some((_, found)) => entries = found,
                None => continue,
            }
        }
        if let Ok(at) = entries.binary_search_by_key(doc, |entry| entry.doc) {
            visit(entries[at]);
        }
    }
    Ok(())
}

/// Goes through the texts that are in no list yet.
pub fn each_fresh(
    connection: &Connection,
    kind: i64,
    most: usize,
    mut visit: impl FnMut(i64, &str),
) -> rusqlite::Result<()> {
    let sql = "SELECT doc, text FROM fresh WHERE kind = ?1 ORDER BY doc LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![kind, most])?;
    while let Some(row) = rows.next()? {
        visit(row.get(0)?, row.get_ref(1)?.as_str()?);
    }
    Ok(())
}

/// The terms of a text as it is kept, and how many they are.
pub fn frequencies(text: &str) -> (BTreeMap<&str, u64>, u64) {
    let mut frequencies = BTreeMap::new();
    let mut length = 0;
    for term in text.split(' ').filter(|term| !term.is_empty()) {
        *frequencies.entry(term).or_default() += 1;
        length += 1;
    }
    (frequencies, length)
}

/// What a batch does to texts: counted, and taken out of the lists, all at once when it is made.
#[derive(Debug, Default)]
pub struct Changes {
    /// For each kind, how many documents and terms there are more.
    counts: BTreeMap<i64, (i64, i64)>,
    /// For each kind, the texts that are in the lists and have to go.
    gone: BTreeMap<i64, Vec<(i64, String)>>,
}

impl Changes {
    /// Takes in the text of a document that has none in the index.
    pub fn add(
        &mut self,
        connection: &Connection,
        kind: i64,
        doc: i64,
        text: &str,
    ) -> rusqlite::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        connection
            .prepare_cached("INSERT INTO fresh (kind, doc, text) VALUES (?1, ?2, ?3)")?
            .execute(params![kind, doc, text])?;
        self.count(kind, 1, text);
        Ok(())
    }

    /// Takes out the text of a document. The index does not keep texts, so the caller passes the text to remove.
    pub fn remove(
        &mut self,
        connection: &Connection,
        kind: i64,
        doc: i64,
        text: String,
    ) -> rusqlite::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.count(kind, -1, &text);
        let fresh = connection
            .prepare_cached("DELETE FROM fresh WHERE kind = ?1 AND doc = ?2")?
            .execute(params![kind, doc])?;
        if fresh == 0 {
            self.gone.entry(kind).or_default().push((doc, text));
        }
        Ok(())
    }

    fn count(&mut self, kind: i64, sign: i64, text: &str) {
        let tokens = text.split(' ').filter(|term| !term.is_empty()).count() as i64;
        let counts = self.counts.entry(kind).or_default();
        counts.0 += sign;
        counts.1 += sign * tokens;
    }

    /// The kinds that have other texts than before.
    pub fn kinds(&self) -> impl Iterator<Item = i64> {
        self.counts.keys().copied()
    }

    /// Writes what is left to be written.
    pub fn finish(&self, connection: &Connection) -> rusqlite::Result<()> {
        for (kind, (documents, tokens)) in &self.counts {
            let sql = "INSERT INTO texts (kind, documents, tokens) VALUES (?1, ?2, ?3)
                       ON CONFLICT (kind) DO UPDATE SET
                          documents = documents + excluded.documents, tokens = tokens + excluded.tokens";
            connection
                .prepare_cached(sql)?
                .execute(params![kind, documents, tokens])?;
        }
        for (kind, gone) in &self.gone {
            take_out(connection, *kind, gone)?;
        }
        Ok(())
    }
}

/// Takes texts out of the lists of their terms.
fn take_out(connection: &Connection, kind: i64, gone: &[(i64, String)]) -> rusqlite::Result<()> {
    let mut lists: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
    for (doc, text) in gone {
        for term in text.split(' ').filter(|term| !term.is_empty()) {
            lists.entry(term).or_default().insert(*doc);
        }
    }
    for (term, docs) in lists {
        let mut done = i64::MIN;
        for doc in &docs {
            // One block may have several of them.
            if *doc <= done {
                continue;
            }
            let Some((first, mut entries)) = block(connection, kind, term, *doc)? else {
                continue;
            };
            done = entries.last().map_or(done, |last| last.doc);
            entries.retain(|entry| !docs.contains(&entry.doc));
            let whole = write(first, &entries);
            if whole.is_empty() {
                connection
                    .prepare_cached(
                        "DELETE FROM postings WHERE kind = ?1 AND term = ?2 AND first = ?3",
                    )?
                    .execute(params![kind, term, first])?;
            }
            put(connection, kind, term, whole)?;
        }
        connection
            .prepare_cached(
                "UPDATE terms SET documents = documents - ?3 WHERE kind = ?1 AND term = ?2",
            )?
            .execute(params![kind, term, docs.len()])?;
        connection
            .prepare_cached("DELETE FROM terms WHERE kind = ?1 AND term = ?2 AND documents < 1")?
            .execute(params![kind, term])?;
    }
    Ok(())
}

/// Enters fresh texts into the lists of their terms, if there are more than `most_fresh`.
pub fn settle_many(connection: &Connection, kind: i64, most_fresh: usize) -> rusqlite::Result<()> {
    if most_fresh == usize::MAX {
        return Ok(());
    }
    let fresh: usize = connection
        .prepare_cached("SELECT count(*) FROM fresh WHERE kind = ?1")?
        .query_row([kind], |row| row.get(0))?;
    if fresh > most_fresh {
        settle(connection, kind)?;
    }
    Ok(())
}

/// Enters all fresh texts of a kind into the lists of their terms.
pub fn settle(connection: &Connection, kind: i64) -> rusqlite::Result<()> {
    loop {
        let mut lists: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        let mut last = None;
        each_fresh(connection, kind, SETTLED_AT_ONCE, |doc, text| {
            last = Some(doc);
            let (frequencies, length) = frequencies(text);
            for (term, frequency) in frequencies {
                let entry = Entry {
                    doc,
                    frequency,
                    length,
                };
                match lists.get_mut(term) {
                    Some(list) => list.push(entry),
                    None => _ = lists.insert(term.to_owned(), vec![entry]),
                }
            }
        })?;
        let Some(last) = last else { return Ok(()) };
        let mut count = connection.prepare_cached(
            "INSERT INTO terms (kind, term, documents) VALUES (?1, ?2, ?3)
             ON CONFLICT (kind, term) DO UPDATE SET documents = documents + excluded.documents",
        )?;
        let mut newest = connection.prepare_cached(
            "SELECT first, entries FROM postings WHERE kind = ?1 AND term = ?2 ORDER BY first DESC LIMIT 1",
        )?;
        let mut put = connection.prepare_cached(PUT)?;
        for (term, entries) in lists {
            count.execute(params![kind, term, entries.len()])?;
            // Documents that are new belong into the last block, or behind it.
            let last_block = newest
                .query_row(params![kind, term], |row| {
                    let first = row.get(0)?;
                    let mut own: Vec<_> = read(first, row.get_ref(1)?.as_blob()?).collect();
                    let is_behind = own.last().is_some_and(|last| last.doc < entries[0].doc);
                    own.extend(&entries);
                    Ok((first, own, is_behind))
                })
                .optional()?;
            let blocks = match last_block {
                None => write(entries[0].doc, &entries),
                Some((first, own, true)) => write(first, &own),
                Some(_) => {
                    insert(connection, kind, &term, &entries)?;
                    continue;
                }
            };
            for (first, block) in blocks {
                put.execute(params![kind, term, first, block])?;
            }
        }
        connection
            .prepare_cached("DELETE FROM fresh WHERE kind = ?1 AND doc <= ?2")?
            .execute(params![kind, last])?;
    }
}

/// Enters documents, in their order, into the list of a term, wherever they belong.
fn insert(
    connection: &Connection,
    kind: i64,
    term: &str,
    mut entries: &[Entry],
) -> rusqlite::Result<()> {
    while let Some(next) = entries.first() {
        let (first, mut merged) =
            block(connection, kind, term, next.doc)?.unwrap_or((next.doc, Vec::new()));
        let end: Option<i64> = connection
            .prepare_cached(
                "SELECT min(first) FROM postings WHERE kind = ?1 AND term = ?2 AND first > ?3",
            )?
            .query_row(params![kind, term, first], |row| row.get(0))?;
        let here = entries.partition_point(|entry| end.is_none_or(|end| entry.doc < end));
        merged.extend(&entries[..here]);
        merged.sort_unstable_by_key(|entry| entry.doc);
        put(connection, kind, term, write(first, &merged))?;
        entries = &entries[here..];
    }
    Ok(())
}

/// The block of a list in which a document is, or would be.
fn block(
    connection: &Connection,
    kind: i64,
    term: &str,
    doc: i64,
) -> rusqlite::Result<Option<(i64, Vec<Entry>)>> {
    let sql = "SELECT first, entries FROM postings WHERE kind = ?1 AND term = ?2 AND first <= ?3
               ORDER BY first DESC LIMIT 1";
    connection
        .prepare_cached(sql)?
        .query_row(params![kind, term, doc], |row| {
            let first = row.get(0)?;
            Ok((first, read(first, row.get_ref(1)?.as_blob()?).collect()))
        })
        .optional()
}

fn put(
    connection: &Connection,
    kind: i64,
    term: &str,
    blocks: Vec<(i64, Vec<u8>)>,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(PUT)?;
    for (first, block) in blocks {
        statement.execute(params![kind, term, first, block])?;
    }
    Ok(())
}

const PUT: &str = "INSERT INTO postings (kind, term, first, entries) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT (kind, term, first) DO UPDATE SET entries = excluded.entries";

/// The kinds that have, or once had, texts.
pub fn kinds(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    connection
        .prepare("SELECT kind FROM texts ORDER BY kind")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// Whether the index of a kind says what its texts say. Both are summed up in any order, entry by entry.
pub fn matches(connection: &Connection, kind: i64) -> rusqlite::Result<bool> {
    let (mut wanted, mut kept) = (0u64, 0u64);
    let mut whole = Statistics {
        documents: 0,
        tokens: 0,
    };
    let enter = |sum: &mut u64, doc: i64, text: &str| {
        let (frequencies, length) = frequencies(text);
        for (term, frequency) in frequencies {
            *sum = sum.wrapping_add(mark(term, doc, frequency, length));
        }
        length
    };
    let mut texts = connection.prepare("SELECT doc, body FROM documents WHERE kind = ?1")?;
    let mut rows = texts.query([kind])?;
    while let Some(row) = rows.next()? {
        let content = bodies::unpacked(row.get_ref(1)?.as_blob()?)?;
        let length = enter(&mut wanted, row.get(0)?, content.text());
        whole.documents += u64::from(length > 0);
        whole.tokens += length;
    }
    each_fresh(connection, kind, usize::MAX >> 1, |doc, text| {
        enter(&mut kept, doc, text);
    })?;
    let mut terms = connection.prepare("SELECT term, documents FROM terms WHERE kind = ?1")?;
    let mut rows = terms.query([kind])?;
    let mut hits_agree = true;
    while let Some(row) = rows.next()? {
        let (term, mut hits): (String, i64) = (row.get(0)?, row.get(1)?);
        each(connection, kind, &term, |entry| {
            hits -= 1;
            kept = kept.wrapping_add(mark(&term, entry.doc, entry.frequency, entry.length));
        })?;
        hits_agree &= hits == 0;
    }
    Ok(wanted == kept && hits_agree && statistics(connection, kind)? == Some(whole))
}

fn mark(term: &str, doc: i64, frequency: u64, length: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (term, doc, frequency, length).hash(&mut hasher);
    hasher.finish()
}
