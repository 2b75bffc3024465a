//! Owns the archive in a database: contents that are too large or too rarely needed for documents, by their hash.
//!
//! A content is one row, compressed. Keeping the same content again changes nothing, so that an attempt whose answer was
//! lost is simply made again. If the address names an object store, the content is there and its row is empty: a row is
//! written after its object and removed before it, under a lock of the name, so that what has a row can be fetched.
//! What contents mean is others' business.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use tokio_postgres::types::Type;
use twiceshy_wit::host::{Archive, Error};

use super::PostgresStore;
use super::failure::Failure;
use super::objects::Objects;
use super::session::{Session, Statement};

/// A content in bytes, as the contract has it.
const CONTENT_BYTES: usize = 64 << 20;

/// How hard to compress. Beyond 3, time grows and size hardly shrinks.
const LEVEL: i32 = 3;

/// The archive of a memory in a database.
#[derive(Debug, Clone)]
pub struct PostgresArchive(Arc<PostgresStore>);

impl PostgresArchive {
    /// The archive beside a store.
    pub fn new(store: Arc<PostgresStore>) -> PostgresArchive {
        PostgresArchive(store)
    }

    /// The object store, if the address names one.
    fn objects(&self) -> Result<Option<Objects>, Error> {
        let address = self.0.address();
        let objects = address.objects.as_ref();
        objects
            .map(|objects| Objects::new(objects, address.memory(), self.0.patience))
            .transpose()
    }

    /// Where contents are, if not in the database, and whether it answers.
    ///
    /// # Errors
    /// If it does not.
    pub fn look_at_objects(&self) -> Result<Option<String>, Error> {
        let Some(objects) = self.objects()? else {
            return Ok(None);
        };
        objects.look()?;
        Ok(Some(objects.address().to_string()))
    }

    fn named(&self, sql: &str, name: &str) -> Result<Statement, Failure> {
        Ok(Statement::new(sql)
            .with(self.0.memory()?, Type::INT4)
            .with(name.to_owned(), Type::TEXT))
    }

    /// Works while nobody else keeps or discards the same content.
    fn alone(
        &self,
        name: &str,
        mut work: impl FnMut() -> Result<(), Error>,
        sql: &str,
        is_before: bool,
    ) -> Result<(), Error> {
        self.0.with_primary(|session, deadline| {
            let mut in_transaction = |session: &mut Session| {
                let lock = "SELECT pg_advisory_xact_lock(hashtextextended($1::text || ' ' || $2, 846424190))";
                session.run(&[Statement::new("BEGIN"), self.named(lock, name)?], deadline)?;
                if is_before {
                    session.one(self.named(sql, name)?, deadline)?;
                }
                work().map_err(Failure::Contract)?;
                if !is_before {
                    session.one(self.named(sql, name)?, deadline)?;
                }
                session.one(Statement::new("COMMIT"), deadline).map(drop)
            };
            let worked = in_transaction(session);
            if worked.is_err() {
                session.roll_back();
            }
            worked
        })
    }

    /// How many bytes the contents take, compressed.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub fn size_bytes(&self) -> Result<u64, Error> {
        let sql = "SELECT coalesce(sum(octet_length(content)), 0)::bigint FROM twiceshy.archive WHERE memory = $1";
        self.0.with_primary(|session, deadline| {
            let statement = Statement::new(sql).with(self.0.memory()?, Type::INT4);
            let rows = session.one(statement, deadline)?;
            let bytes = rows.first().map_or(0, |row| row.get::<_, i64>(0));
            Ok(u64::try_from(bytes).unwrap_or_default())
        })
    }

    fn elsewhere(&self, name: &str) -> Error {
        Error::Other(format!(
            "the content {name} of {} is in an object store; name it with &objects=https://HOST/BUCKET in the address",
            self.0.address()
        ))
    }

    fn corrupt(&self, name: &str, cause: &str) -> Error {
        Error::Corrupt(format!(
            "the content {name} {cause} in {}; restore a backup of the database",
            self.0.address()
        ))
    }
}

fn name_of(content: &[u8]) -> String {
    let digest = Sha256::digest(content);
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digits}")
}

fn check(name: &str) -> Result<(), Error> {
    let digits = name.strip_prefix("sha256:").unwrap_or_default();
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() == 64 && digits.bytes().all(is_digit) {
        return Ok(());
    }
    let shown: String = name.chars().take(80).collect();
    Err(Error::InvalidArgument(format!(
        "name: {shown:?} is not `sha256:` and 64 hexadecimal digits"
    )))
}

#[cfg(feature = "sqlite")]
impl crate::migration::Contents for PostgresArchive {
    fn names(&self) -> Result<std::collections::BTreeSet<String>, Error> {
        self.0.with_primary(|session, deadline| {
            let sql = "SELECT name FROM twiceshy.archive WHERE memory = $1";
            let statement = Statement::new(sql).with(self.0.memory()?, Type::INT4);
            let rows = session.one(statement, deadline)?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })
    }
}

impl Archive for PostgresArchive {
    fn keep(&self, content: &[u8]) -> Result<String, Error> {
        if content.len() > CONTENT_BYTES {
            return Err(Error::InvalidArgument(format!(
                "content: it has {} bytes, and at most {CONTENT_BYTES} are allowed",
                content.len()
            )));
        }
        let name = name_of(content);
        let packed = zstd::bulk::compress(content, LEVEL)
            .map_err(|error| Error::Other(format!("a content can't be compressed: {error}")))?;
        if let Some(objects) = self.objects()? {
            let sql = "INSERT INTO twiceshy.archive (memory, name, content) VALUES ($1, $2, '') ON CONFLICT DO NOTHING";
            self.alone(&name, || objects.put(&name, &packed), sql, false)?;
            return Ok(name);
        }
        self.0.with_primary(|session, deadline| {
            let sql = "INSERT INTO twiceshy.archive (memory, name, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
            let statement = Statement::new(sql)
                .with(self.0.memory()?, Type::INT4)
                .with(name.clone(), Type::TEXT)
                .with(packed.clone(), Type::BYTEA);
            session.one(statement, deadline)
        })?;
        Ok(name)
    }

    fn fetch(&self, name: &str) -> Result<Vec<u8>, Error> {
        check(name)?;
        let rows = self.0.with_primary(|session, deadline| {
            let sql = "SELECT content FROM twiceshy.archive WHERE memory = $1 AND name = $2";
            let statement = Statement::new(sql)
                .with(self.0.memory()?, Type::INT4)
                .with(name.to_owned(), Type::TEXT);
            session.one(statement, deadline)
        })?;
        let row = rows
            .first()
            .ok_or_else(|| self.corrupt(name, "is missing"))?;
        let mut packed: Vec<u8> = row.get(0);
        if packed.is_empty() {
            let Some(objects) = self.objects()? else {
                return Err(self.elsewhere(name));
            };
            packed = objects.get(name)?.ok_or_else(|| {
                Error::Corrupt(format!(
                    "the content {name} is missing in the object store {}; restore a backup of the bucket",
                    objects.address()
                ))
            })?;
        }
        let content = zstd::bulk::decompress(&packed, CONTENT_BYTES)
            .map_err(|_| self.corrupt(name, "can't be unpacked"))?;
        match name_of(&content) == name {
            true => Ok(content),
            false => Err(self.corrupt(name, "does not match its name")),
        }
    }

    fn discard(&self, name: &str) -> Result<(), Error> {
        check(name)?;
        if let Some(objects) = self.objects()? {
            let sql = "DELETE FROM twiceshy.archive WHERE memory = $1 AND name = $2";
            return self.alone(name, || objects.delete(name), sql, true);
        }
        let is_elsewhere = self.0.with_primary(|session, deadline| {
            let sql = "WITH elsewhere AS (SELECT FROM twiceshy.archive WHERE memory = $1 AND name = $2 AND content = ''),
                       removed AS (DELETE FROM twiceshy.archive WHERE memory = $1 AND name = $2 AND content <> '')
                       SELECT EXISTS (SELECT FROM elsewhere)";
            let rows = session.one(self.named(sql, name)?, deadline)?;
            Ok(rows.first().is_some_and(|row| row.get(0)))
        })?;
        match is_elsewhere {
            true => Err(self.elsewhere(name)),
            false => Ok(()),
        }
    }
}
