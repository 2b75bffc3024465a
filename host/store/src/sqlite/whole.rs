//! The store as a whole, for moving it: documents with their versions, listed and written, and its writers held.

use std::hash::{DefaultHasher, Hasher};

use rusqlite::{OptionalExtension, params};
use twiceshy_wit::host::{Attribute, Document, Error, Key, Store, Value};

use super::attributes::{self, Packed};
use super::database::{Database, UNKNOWN};
use super::turn::Turn;
use super::{Access, SqliteStore, commit, pending};
use crate::migration::{Entry, Hold, Kept, Whole};
use crate::{bodies, coarse};

/// The turn of writers and SQLite's own lock.
struct Held {
    database: Database,
    _turn: Turn,
}

impl Hold for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        // The connection ends with it in any case.
        let _ = self.database.execute_batch("ROLLBACK");
    }
}

/// Nobody can write to a file that can't be written from here, as far as this process knows.
struct Unheld;

impl Hold for Unheld {}

impl Whole for SqliteStore {
    fn kinds(&self) -> Result<Vec<String>, Error> {
        self.read(|database| {
            let mut read = database.prepare("SELECT name FROM kinds ORDER BY name")?;
            let kinds = read.query_map([], |row| row.get(0))?;
            Ok(kinds.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn entries(&self, kind: &str) -> Result<Vec<Entry>, Error> {
        self.read(|database| {
            // Sorting here is quicker than reading the whole table in its order once for each kind.
            let mut read = database.prepare(
                "SELECT doc, id, version, attributes, body FROM documents WHERE kind = ?1",
            )?;
            let rows = read.query_map([database.kind(kind)?], |row| {
                let (packed, body) = (row.get_ref(3)?.as_blob()?, row.get_ref(4)?.as_blob()?);
                let mut hash = DefaultHasher::new();
                hash.write(packed);
                hash.write(body);
                let entry = Entry {
                    id: row.get(1)?,
                    version: row.get(2)?,
                    mark: hash.finish(),
                    bytes: (packed.len() + body.len()) as u64,
                };
                Ok((row.get::<_, i64>(0)?, entry))
            })?;
            let mut entries = rows.collect::<rusqlite::Result<Vec<_>>>()?;
            entries.sort_unstable_by_key(|(doc, _)| *doc);
            Ok(entries.into_iter().map(|(_, entry)| entry).collect())
        })
    }

    fn documents(&self, kind: &str, ids: &[&str]) -> Result<Vec<Kept>, Error> {
        self.read(|database| {
            let number = database.kind(kind)?;
            if number == UNKNOWN {
                return Ok(Vec::new());
            }
            let mut name =
                database.prepare_cached("SELECT attribute FROM names WHERE name = ?1")?;
            let mut read = database.prepare_cached(
                "SELECT d.id, d.version, d.attributes, d.body, v.vector FROM documents d
                 LEFT JOIN vectors v USING (doc) WHERE d.kind = ?1 AND d.id = ?2",
            )?;
            let mut documents = Vec::with_capacity(ids.len());
            for id in ids {
                let found = read.query_row(params![number, id], |row| {
                    let content = bodies::unpacked(row.get_ref(3)?.as_blob()?)?;
                    let text = content.text().to_owned();
                    let mut all = Vec::new();
                    for (number, value) in attributes::unpacked(row.get_ref(2)?.as_blob()?) {
                        all.push(Attribute {
                            name: name.query_row([number], |row| row.get(0))?,
                            value: match value {
                                Packed::Number(number) => Value::Number(number),
                                Packed::Text(text) => Value::Text(text.to_owned()),
                            },
                        });
                    }
                    let vector = row.get_ref(4)?.as_blob_or_null()?;
                    Ok(Kept {
                        document: Document {
                            key: Key {
                                kind: kind.to_owned(),
                                id: row.get(0)?,
                            },
                            body: content.into_body(),
                            attributes: all,
                            text,
                            vector: vector.map(coarse::components).unwrap_or_default(),
                        },
                        version: row.get(1)?,
                    })
                });
                documents.extend(found.optional()?);
            }
            Ok(documents)
        })
    }

    fn place(&self, removed: &[Key], put: &[Kept]) -> Result<(), Error> {
        self.write(false, |database, fresh| {
            commit::replace(database, removed, put, fresh)
        })
    }

    fn hold(&self) -> Result<Box<dyn Hold + '_>, Error> {
        if self.access != Access::Write {
            return Ok(Box::new(Unheld));
        }
        let turn = self.turn()?;
        let mut database = self.idle_database()?;
        pending::settle(&mut database)
            .and_then(|()| Ok(database.execute_batch("BEGIN IMMEDIATE")?))
            .map_err(|failure| self.describe(failure))?;
        Ok(Box::new(Held {
            database,
            _turn: turn,
        }))
    }

    fn settle(&self) -> Result<(), Error> {
        self.optimize()?;
        self.sync()
    }
}
