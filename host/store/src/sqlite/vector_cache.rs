//! Owns what is kept of vectors in memory, shared by the connections of a store: their binary codes, and the short forms
//! of kinds with few of them.
//!
//! Every question of a vector looks at all of these, and reading them from the file takes longer than comparing them. What is
//! kept of a kind is used as long as the file says that none of its vectors was replaced or removed (`coded.changes`);
//! vectors that are new have larger numbers than all before, and are read from the file. Answers do not depend on it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension, TransactionState, params};

/// Codes of one kind that are kept at most: those of some three million vectors of 256 components. Short forms are asked for of
/// kinds with few vectors alone.
const MOST_BYTES: usize = 100 << 20;

/// Short forms that are newer than what is kept are read again each time, up to so many.
const MOST_NEW: usize = 256;

/// A row in memory: a block of codes under its number, or a short form under its document.
type Row = (i64, Box<[u8]>);

/// The rows of a kind as they were at one moment.
#[derive(Debug)]
struct Kept {
    changes: i64,
    rows: Vec<Row>,
}

/// Kept rows by kind.
type Kinds = Mutex<HashMap<i64, Arc<Kept>>>;

/// What is kept of the vectors of a store.
#[derive(Debug, Default)]
pub struct VectorCache {
    codes: Kinds,
    shorts: Kinds,
}

/// How often vectors of a kind were replaced or removed, or put into blocks.
fn changes(connection: &Connection, kind: i64) -> rusqlite::Result<i64> {
    let changes = connection
        .prepare_cached("SELECT changes FROM coded WHERE kind = ?1")?
        .query_row([kind], |row| row.get(0));
    Ok(changes.optional()?.unwrap_or(0))
}

/// Notes that vectors of a kind were replaced or removed, or put into blocks.
pub fn note_change(connection: &Connection, kind: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO coded (kind, doc, changes) VALUES (?1, 0, 1)
             ON CONFLICT (kind) DO UPDATE SET changes = changes + 1",
        )?
        .execute([kind])?;
    Ok(())
}

impl VectorCache {
    /// Goes through the blocks of codes of a kind, in their order, until `visit` says that one is damaged; says whether
    /// none was.
    pub fn each_block(
        &self,
        connection: &Connection,
        kind: i64,
        mut visit: impl FnMut(i64, &[u8]) -> bool,
    ) -> rusqlite::Result<bool> {
        let (changes, is_apart) = (changes(connection, kind)?, is_apart(connection)?);
        if !is_apart && let Some(kept) = lent(&self.codes, kind, changes) {
            return Ok(kept.rows.iter().all(|(block, codes)| visit(*block, codes)));
        }
        let (mut rows, mut bytes) = (Vec::new(), 0);
        let mut is_sound = true;
        let sql = "SELECT block, codes FROM codes WHERE kind = ?1 ORDER BY block";
        read(connection, sql, params![kind], |block, codes| {
            is_sound = is_sound && visit(block, codes);
            bytes += codes.len();
            if bytes <= MOST_BYTES && !is_apart {
                rows.push((block, codes.into()));
            }
        })?;
        if is_sound && bytes <= MOST_BYTES && !is_apart {
            keep(&self.codes, kind, Kept { changes, rows });
        }
        Ok(is_sound)
    }

    /// Goes through the short forms of a kind's vectors, in the order of their documents.
    pub fn each_short(
        &self,
        connection: &Connection,
        kind: i64,
        mut visit: impl FnMut(i64, &[u8]),
    ) -> rusqlite::Result<()> {
        let (changes, is_apart) = (changes(connection, kind)?, is_apart(connection)?);
        let kept = match is_apart {
            true => None,
            false => lent(&self.shorts, kind, changes),
        };
        let known = kept.as_ref().map_or(&[][..], |kept| &kept.rows);
        // Another connection may have seen vectors that are newer than the moment of this one.
        let newest: Option<i64> = connection
            .prepare_cached("SELECT max(doc) FROM coarse WHERE kind = ?1")?
            .query_row([kind], |row| row.get(0))?;
        let known = &known[..known.partition_point(|(doc, _)| newest >= Some(*doc))];
        known.iter().for_each(|(doc, short)| visit(*doc, short));
        let last = known.last().map_or(0, |(doc, _)| *doc);
        let mut new: Vec<Row> = Vec::new();
        let sql = "SELECT doc, vector FROM coarse WHERE kind = ?1 AND doc > ?2 ORDER BY doc";
        read(connection, sql, params![kind, last], |doc, short| {
            visit(doc, short);
            if !is_apart {
                new.push((doc, short.into()));
            }
        })?;
        if new.len() > MOST_NEW {
            let rows = known.iter().cloned().chain(new).collect();
            keep(&self.shorts, kind, Kept { changes, rows });
        }
        Ok(())
    }
}

/// Reads rows of a number and bytes.
fn read(
    connection: &Connection,
    sql: &str,
    parameters: impl rusqlite::Params,
    mut visit: impl FnMut(i64, &[u8]),
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    while let Some(row) = rows.next()? {
        visit(row.get(0)?, row.get_ref(1)?.as_blob()?);
    }
    Ok(())
}

/// Whether a connection sees what others may never see: the commits of a group that is not durable yet.
fn is_apart(connection: &Connection) -> rusqlite::Result<bool> {
    let state = connection.transaction_state(Some("main"))?;
    Ok(state == TransactionState::Write)
}

/// What is kept of a kind, if it is what the file has.
fn lent(kinds: &Kinds, kind: i64, changes: i64) -> Option<Arc<Kept>> {
    let kinds = kinds.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kinds.get(&kind).filter(|kept| kept.changes == changes);
    kept.cloned()
}

fn keep(kinds: &Kinds, kind: i64, kept: Kept) {
    let mut kinds = kinds.lock().unwrap_or_else(PoisonError::into_inner);
    kinds.insert(kind, Arc::new(kept));
}

#[cfg(test)]
mod tests {
    use twiceshy_wit::host::{
        Change, Document, Key, Order, Precondition, Put, Query, Removal, Store,
    };

    use super::super::find::{self, Effort};
    use super::super::{Options, SqliteStore};

    fn vector(number: u64) -> Vec<f32> {
        let noise = |at: u64| {
            let mixed = (number * 64 + at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            ((mixed >> 40) as f32) / ((1 << 24) as f32) - 0.5
        };
        (0..32).map(noise).collect()
    }

    fn key(number: u64) -> Key {
        Key {
            kind: "note".into(),
            id: format!("{number:05}"),
        }
    }

    fn put(number: u64, of: u64) -> Change {
        Change::Put(Put {
            document: Document {
                key: key(number),
                body: "{}".into(),
                attributes: Vec::new(),
                text: String::new(),
                vector: vector(of),
            },
            precondition: Precondition::Anything,
        })
    }

    fn remove(number: u64) -> Change {
        Change::Remove(Removal {
            key: key(number),
            precondition: Precondition::Anything,
        })
    }

    #[test]
    fn what_is_kept_in_memory_is_what_is_in_the_file_whoever_changed_it() {
        let directory = tempfile::tempdir().unwrap();
        let open = || {
            let options = Options {
                light: true,
                ..Options::default()
            };
            SqliteStore::open(&directory.path().join("memory.db"), options).unwrap()
        };
        let (asking, writing) = (open(), open());
        let answers = |store: &SqliteStore, number: u64| {
            [0, u64::MAX].map(|exact| {
                let query = Query {
                    kind: "note".into(),
                    conditions: Vec::new(),
                    order: Order::ByNearest(vector(number)),
                    offset: 0,
                    limit: 5,
                };
                let effort = Effort {
                    exact,
                    ..Effort::default()
                };
                let found = store.read(|database| find::find(database, &query, effort));
                let found = found.unwrap().into_iter();
                found.map(|found| found.document.key.id).collect::<Vec<_>>()
            })
        };
        let first: Vec<_> = (0..2_000).map(|number| put(number, number)).collect();
        for some in first.chunks(500) {
            writing.commit(some).unwrap();
        }
        let more: Vec<_> = (2_000..2_400).map(|number| put(number, number)).collect();
        let last = vec![put(2_400, 2_400)];
        // Replaced, removed, many new ones, the number of the last one given again.
        for batch in [
            vec![put(7, 9_007)],
            vec![remove(8)],
            more,
            last,
            vec![remove(2_400)],
            vec![put(2_401, 9_008)],
        ] {
            for number in [7, 8, 9_007, 2_100, 2_400, 9_008] {
                assert_eq!(answers(&asking, number), answers(&open(), number));
            }
            writing.commit(&batch).unwrap();
            for number in [7, 8, 9_007, 2_100, 2_400, 9_008] {
                assert_eq!(answers(&asking, number), answers(&open(), number));
            }
        }
        assert_eq!(
            answers(&asking, 9_007).map(|found| found[0].clone()),
            ["00007", "00007"]
        );
    }
}
