//! A memory as a whole, for moving it: documents with their versions, listed and written, and its writers held.

use tokio_postgres::Row;
use tokio_postgres::types::Type;
use twiceshy_wit::host::{Change, Document, Error, Key, Precondition, Put, Removal, Store};

use super::entries;
use super::failure::Failure;
use super::schema::WRITERS;
use super::session::{Lent, Statement};
use super::{LONGEST_QUESTION, PostgresStore};
use crate::migration::{Entry, Hold, Kept, Whole};
use crate::{bodies, coarse};

/// So many entries of a list are asked for at once.
const LISTED_AT_ONCE: usize = 50_000;

/// A transaction that has the lock of writers alone.
struct Held<'s>(Lent<'s>);

impl Hold for Held<'_> {}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Ok(session) = self.0.session() {
            session.roll_back();
        }
    }
}

impl PostgresStore {
    fn listed(&self, kind: i32, after: &str) -> Result<Vec<(i64, Entry)>, Error> {
        self.with_primary(|session, deadline| {
            let sql = "SELECT doc, id, version, octet_length(body)::bigint,
                       ('x' || left(md5(md5(body) || entries::text), 16))::bit(64)::bigint # doc
                       FROM twiceshy.documents WHERE kind = $1 AND id > $2 ORDER BY id LIMIT $3";
            let limit = i64::try_from(LISTED_AT_ONCE).unwrap_or(i64::MAX);
            let statement = Statement::new(sql)
                .with(kind, Type::INT4)
                .with(after.to_owned(), Type::TEXT)
                .with(limit, Type::INT8);
            let entry = |row: &Row| {
                let (version, bytes): (i64, i64) = (row.get(2), row.get(3));
                let entry = Entry {
                    id: row.get(1),
                    version: u32::try_from(version).unwrap_or(u32::MAX),
                    mark: row.get::<_, i64>(4).cast_unsigned(),
                    bytes: u64::try_from(bytes).unwrap_or_default(),
                };
                (row.get(0), entry)
            };
            Ok(session
                .one(statement, deadline)?
                .iter()
                .map(entry)
                .collect())
        })
    }

    fn number_of(&self, kind: &str) -> Result<Option<i32>, Error> {
        self.with_primary(|session, deadline| self.kind(session, kind, deadline))
    }
}

fn kept(kind: &str, row: &Row) -> Result<Kept, Failure> {
    let content = bodies::unpacked(row.get(2))?;
    let attributes = row
        .get::<_, Vec<&[u8]>>(3)
        .into_iter()
        .map(entries::attribute)
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| Failure::Damaged("a document's attributes are damaged".into()))?;
    let text = content.text().to_owned();
    let version: i64 = row.get(1);
    Ok(Kept {
        document: Document {
            key: Key {
                kind: kind.to_owned(),
                id: row.get(0),
            },
            body: content.into_body(),
            attributes,
            text,
            vector: row
                .get::<_, Option<&[u8]>>(4)
                .map(coarse::components)
                .unwrap_or_default(),
        },
        version: u32::try_from(version).unwrap_or(u32::MAX),
    })
}

impl Whole for PostgresStore {
    fn kinds(&self) -> Result<Vec<String>, Error> {
        self.with_primary(|session, deadline| {
            let sql = "SELECT name FROM twiceshy.kinds WHERE memory = $1 ORDER BY name";
            let statement = Statement::new(sql).with(self.memory()?, Type::INT4);
            let rows = session.one(statement, deadline)?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })
    }

    fn entries(&self, kind: &str) -> Result<Vec<Entry>, Error> {
        let Some(kind) = self.number_of(kind)? else {
            return Ok(Vec::new());
        };
        let mut all: Vec<(i64, Entry)> = Vec::new();
        loop {
            let after = all.last().map(|(_, entry)| entry.id.clone());
            let some = self.listed(kind, after.as_deref().unwrap_or_default())?;
            let is_last = some.len() < LISTED_AT_ONCE;
            all.extend(some);
            if is_last {
                break;
            }
        }
        all.sort_unstable_by_key(|(doc, _)| *doc);
        Ok(all.into_iter().map(|(_, entry)| entry).collect())
    }

    fn documents(&self, kind: &str, ids: &[&str]) -> Result<Vec<Kept>, Error> {
        let Some(number) = self.number_of(kind)? else {
            return Ok(Vec::new());
        };
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        self.with_primary(|session, deadline| {
            let sql = "SELECT d.id, d.version, d.body, d.entries, v.vector
                       FROM unnest($2) WITH ORDINALITY u(id, n) JOIN twiceshy.documents d ON d.kind = $1 AND d.id = u.id
                       LEFT JOIN twiceshy.vectors v ON v.kind = d.kind AND v.doc = d.doc ORDER BY n";
            let statement = Statement::new(sql)
                .with(number, Type::INT4)
                .with(ids.clone(), Type::TEXT_ARRAY);
            let rows = session.one(statement, deadline)?;
            rows.iter().map(|row| kept(kind, row)).collect()
        })
    }

    fn place(&self, removed: &[Key], put: &[Kept]) -> Result<(), Error> {
        let mut batch: Vec<Change> = removed
            .iter()
            .map(|key| {
                Change::Remove(Removal {
                    key: key.clone(),
                    precondition: Precondition::Anything,
                })
            })
            .collect();
        // A removal has no version.
        let mut versions = vec![0; batch.len()];
        for Kept { document, version } in put {
            versions.push(*version);
            batch.push(Change::Put(Put {
                document: document.clone(),
                precondition: Precondition::Anything,
            }));
        }
        self.change_with(&batch, true, Some(&versions))
    }

    fn hold(&self) -> Result<Box<dyn Hold + '_>, Error> {
        let until = std::time::Instant::now() + self.patience;
        let held = (|| {
            let mut lent = self.primary.lend(until)?;
            let memory = self.memory()?;
            let session = lent.session()?;
            let lock = Statement::new("SELECT pg_advisory_xact_lock($1, $2)")
                .with(WRITERS, Type::INT4)
                .with(memory, Type::INT4);
            let deadline = std::time::Instant::now() + LONGEST_QUESTION;
            if let Err(failure) = session.run(&[Statement::new("BEGIN"), lock], deadline) {
                session.roll_back();
                return Err(failure);
            }
            Ok(lent)
        })();
        let lent = held.map_err(|failure| self.describe(failure, false))?;
        Ok(Box::new(Held(lent)))
    }

    /// A commit that waits for the disk brings all light ones before it there.
    fn settle(&self) -> Result<(), Error> {
        self.optimize()?;
        self.with_primary(|session, deadline| {
            let sql = "INSERT INTO twiceshy.commits (memory, id) VALUES ($1, $2)";
            let statement = Statement::new(sql)
                .with(self.memory()?, Type::INT4)
                .with(super::commit::unique(), Type::BYTEA);
            session.one(statement, deadline).map(drop)
        })
    }
}
