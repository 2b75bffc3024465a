//! Owns a connection to the file, and the numbers by which kinds and names of attributes are kept in it.
//!
//! A kind and a name occur in every entry of an index, so that a short number stands for each. Numbers are given once
//! and never change; a connection remembers those that it has seen. What a transaction that failed had given is
//! forgotten with it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};

use super::vector_cache::VectorCache;
use crate::indexed::NOT_INDEXED;

/// Notes which attributes are not indexed, and takes those of earlier documents out of the index.
pub fn leave_out(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("ALTER TABLE names ADD COLUMN indexed INTEGER NOT NULL DEFAULT 1")?;
    for (kind, attribute) in NOT_INDEXED {
        let of_it = "(SELECT n.name FROM names n JOIN kinds k USING (kind) WHERE k.name = ?1 AND attribute = ?2)";
        for sql in [
            format!("UPDATE names SET indexed = 0 WHERE name IN {of_it}"),
            format!("DELETE FROM attributes WHERE name IN {of_it}"),
        ] {
            connection.execute(&sql, params![kind, attribute])?;
        }
    }
    Ok(())
}

/// Stands for what has no number: no entry has it.
pub const UNKNOWN: i64 = -1;

/// A connection, and whether its commits wait for the disk.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    syncs: bool,
    numbers: RefCell<Numbers>,
    /// What all connections of the store keep of its vectors.
    pub vectors: Arc<VectorCache>,
}

#[derive(Debug, Default)]
struct Numbers {
    kinds: HashMap<String, i64>,
    names: HashMap<i64, HashMap<String, i64>>,
    /// Whether values under a name are in the index, for each that was asked for.
    indexed: HashMap<i64, bool>,
}

impl Deref for Database {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl Database {
    /// A connection whose commits wait for the disk.
    pub fn new(connection: Connection, vectors: Arc<VectorCache>) -> Database {
        Database {
            connection,
            syncs: true,
            numbers: RefCell::default(),
            vectors,
        }
    }

    /// From now on commits wait for the disk, or leave that to the system. Without waiting, too, SQLite waits where
    /// the file would be damaged by a power failure otherwise.
    pub fn sync(&mut self, syncs: bool) -> rusqlite::Result<()> {
        if self.syncs != syncs {
            let level = if syncs { "FULL" } else { "NORMAL" };
            self.connection.pragma_update(None, "synchronous", level)?;
            self.syncs = syncs;
        }
        Ok(())
    }

    /// The number of a kind; [`UNKNOWN`] if there never was a document of it.
    pub fn kind(&self, kind: &str) -> rusqlite::Result<i64> {
        if let Some(number) = self.numbers.borrow().kinds.get(kind) {
            return Ok(*number);
        }
        let number = self
            .prepare_cached("SELECT kind FROM kinds WHERE name = ?1")?
            .query_row([kind], |row| row.get(0))
            .optional()?;
        Ok(self.remembered_kind(kind, number))
    }

    /// The number of a kind, which is given now if it has none.
    pub fn kind_or_new(&self, kind: &str) -> rusqlite::Result<i64> {
        match self.kind(kind)? {
            UNKNOWN => {
                let number = self
                    .prepare_cached("INSERT INTO kinds (name) VALUES (?1)")?
                    .insert([kind])?;
                Ok(self.remembered_kind(kind, Some(number)))
            }
            number => Ok(number),
        }
    }

    fn remembered_kind(&self, kind: &str, number: Option<i64>) -> i64 {
        if let Some(number) = number {
            let kinds = &mut self.numbers.borrow_mut().kinds;
            kinds.insert(kind.to_owned(), number);
        }
        number.unwrap_or(UNKNOWN)
    }

    /// The number of an attribute's name in a kind; [`UNKNOWN`] if no document of the kind ever had it.
    pub fn name(&self, kind: i64, name: &str) -> rusqlite::Result<i64> {
        let known = self.numbers.borrow();
        if let Some(number) = known.names.get(&kind).and_then(|names| names.get(name)) {
            return Ok(*number);
        }
        drop(known);
        let number = self
            .prepare_cached("SELECT name FROM names WHERE kind = ?1 AND attribute = ?2")?
            .query_row(params![kind, name], |row| row.get(0))
            .optional()?;
        Ok(self.remembered_name(kind, name, number))
    }

    /// The number of an attribute's name, which is given now if it has none.
    pub fn name_or_new(&self, kind: i64, name: &str) -> rusqlite::Result<i64> {
        match self.name(kind, name)? {
            UNKNOWN => {
                let number = self
                    .prepare_cached(
                        "INSERT INTO names (kind, attribute, indexed) VALUES (?1, ?2, ?3)",
                    )?
                    .insert(params![kind, name, self.is_worth_an_index(kind, name)?])?;
                Ok(self.remembered_name(kind, name, Some(number)))
            }
            number => Ok(number),
        }
    }

    fn remembered_name(&self, kind: i64, name: &str, number: Option<i64>) -> i64 {
        if let Some(number) = number {
            let names = &mut self.numbers.borrow_mut().names;
            names
                .entry(kind)
                .or_default()
                .insert(name.to_owned(), number);
        }
        number.unwrap_or(UNKNOWN)
    }

    /// Whether values under a name are in the index.
    pub fn is_indexed(&self, name: i64) -> rusqlite::Result<bool> {
        if let Some(indexed) = self.numbers.borrow().indexed.get(&name) {
            return Ok(*indexed);
        }
        let indexed = self
            .prepare_cached("SELECT indexed FROM names WHERE name = ?1")?
            .query_row([name], |row| row.get(0))
            .optional()?;
        if let Some(indexed) = indexed {
            self.numbers.borrow_mut().indexed.insert(name, indexed);
        }
        Ok(indexed.unwrap_or(true))
    }

    fn is_worth_an_index(&self, kind: i64, attribute: &str) -> rusqlite::Result<bool> {
        let kind: String = self
            .prepare_cached("SELECT name FROM kinds WHERE kind = ?1")?
            .query_row([kind], |row| row.get(0))?;
        Ok(!NOT_INDEXED.contains(&(kind.as_str(), attribute)))
    }

    /// Forgets all numbers: some were given in a transaction that failed.
    pub fn forget(&self) {
        self.numbers.take();
    }
}
