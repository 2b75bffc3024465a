//! Owns the store in a SQLite file: its connections, its transactions, and who waits for whom.
//!
//! Several threads and several processes use one file at once. Readers never wait; writers take turns.
//! A commit is on the disk when it returns; a light one is with the system, and on the disk with the next that is not
//! light, because all go into one log, one after the other. How documents are found and written is in the modules below.

mod accepted;
#[cfg(all(test, feature = "postgres"))]
mod agreement;
mod attributes;
mod by_nearest;
mod by_text;
mod cache;
mod coarse;
mod codes;
mod commit;
mod compact;
mod database;
mod failure;
mod find;
mod group;
mod integrity;
mod log;
mod pending;
#[cfg(test)]
mod plans;
mod schema;
mod snapshot;
mod sql;
mod texts;
mod together;
mod turn;
mod upkeep;
mod usage;
mod vector_cache;
mod vectors;
#[cfg(feature = "postgres")]
mod whole;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior, params};
use twiceshy_wit::host::{Change, Condition, Error, Found, Key, Query, Store, Stored};

use crate::bodies;
use accepted::Accepted;
pub use cache::PageUse;
use database::{Database, UNKNOWN};
pub use failure::OpenError;
use failure::{Failure, Unopened, busy, read_only, unwritable};
pub use group::Group;
use schema::{MIGRATIONS, Shape};
use twiceshy_documents::validate;
pub use usage::Usage;

/// How often a writer looks whether its turn has come. Short and always the same: with SQLite's own
/// growing pauses a process that has waited long looks seldom, and those that came later overtake it.
const LOOK_AGAIN: Duration = Duration::from_micros(500);

/// A log of more pages than this is carried over into the file before the next commit. Short, because the
/// first process to open the file reads all of the log.
const LONGEST_LOG: i64 = 256;

/// The same before a light commit. Carrying over waits for the disk, which a light commit is meant not to do.
const LONGEST_LOG_OF_LIGHT: i64 = 1024;

/// The bytes that the file of the log keeps when the log starts again. Writing over them is much faster
/// than making a file longer.
const LARGEST_LOG: i64 = 4 * 1024 * 1024;

/// Idle connections, kept for the next caller.
const MOST_IDLE: usize = 16;

/// What a connection keeps of the file in memory: the upper parts of every index, and a thousand documents of 10 KB.
const CACHE_KIB: u32 = 16 * 1024;

/// How a store is opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// How long to wait for others who write.
    pub busy_timeout: Duration,
    /// Change nothing: commits are refused, and the file must be there.
    pub read_only: bool,
    /// No commit waits for the disk, as if all were light: for a memory that can be made again.
    pub light: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            busy_timeout: Duration::from_secs(5),
            read_only: false,
            light: false,
        }
    }
}

/// A store in a SQLite file.
///
/// Beside the file lie its log (`-wal`), which holds the latest commits, the log's index (`-shm`), and the
/// queue of writers (`-turn`), which is empty. They stay there when the store is closed, and a copy of the file needs a copy of the log as well.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    patience: Duration,
    access: Access,
    light: bool,
    /// Whether the log was there when the store was opened; one that is new needs its name on the disk, too.
    had_log: bool,
    idle: Arc<Idle>,
    vectors: Arc<vector_cache::VectorCache>,
    grouping: group::Grouping,
    pending: pending::Pending,
    together: together::Together,
}

/// Connections that nobody uses just now.
#[derive(Debug, Default)]
struct Idle(Mutex<Vec<Database>>);

impl Idle {
    fn lock(&self) -> MutexGuard<'_, Vec<Database>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn release(&self, database: Database) {
        let mut idle = self.lock();
        if idle.len() < MOST_IDLE && database.is_autocommit() {
            idle.push(database);
        }
    }
}

/// What the connections to a file may do.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Access {
    Write,
    Read,
    /// Read a file beside which nothing can be written, not even the index of the log.
    Immutable,
}

impl SqliteStore {
    /// Opens the store in the file `path`, and makes it if it is not there. Its directory must be there.
    ///
    /// A file that can't be written, or in a place where nothing can be written, is opened to be read, and
    /// commits are refused.
    pub fn open(path: &Path, options: Options) -> Result<SqliteStore, OpenError> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let patience = options.busy_timeout;
        let wanted = if options.read_only {
            Access::Read
        } else {
            Access::Write
        };
        let mut store = SqliteStore {
            had_log: beside(&path, "-wal").is_file(),
            path,
            patience,
            light: options.light,
            access: wanted,
            idle: Arc::default(),
            pending: pending::Pending::default(),
            together: together::Together::default(),
            vectors: Arc::default(),
            grouping: group::Grouping::default(),
        };
        let connection = match store.connect_and_prepare() {
            Err(Unopened::Sqlite(error)) if store.only_log_index_is_missing(&error) => {
                store.access = Access::Immutable;
                store.connect_and_prepare()
            }
            result => result,
        };
        let connection = connection.map_err(|error| match error {
            Unopened::Refused(refused) => refused,
            Unopened::Sqlite(error) if unwritable(&error) && store.log_bytes() > 0 => {
                OpenError::Failed(failure::log_unreadable(&store.path))
            }
            Unopened::Sqlite(error) => OpenError::Failed(store.describe(Failure::Sqlite(error))),
        })?;
        // SQLite opens a file that may not be written as if it had been asked only to read.
        if store.access == Access::Write && connection.is_readonly("main").unwrap_or(false) {
            store.access = Access::Read;
        }
        store
            .idle
            .release(Database::new(connection, store.vectors.clone()));
        Ok(store)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The room that the store takes on the disk: the file and its log.
    pub fn size_bytes(&self) -> Result<u64, Error> {
        self.pending.wait();
        let file = std::fs::metadata(&self.path).map_err(|error| {
            Error::Other(format!(
                "the size of {} can't be read: {error}",
                self.path.display()
            ))
        })?;
        Ok(file.len() + self.log_bytes())
    }

    /// How often pages of the file were in memory when they were needed, over all connections that are idle now.
    pub fn page_use(&self) -> PageUse {
        let idle = self.idle.lock();
        let all = idle.iter().map(|database| cache::page_use(database));
        all.fold(PageUse::default(), |sum, one| PageUse {
            hits: sum.hits + one.hits,
            misses: sum.misses + one.misses,
        })
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        beside(&self.path, suffix)
    }

    fn describe(&self, failure: Failure) -> Error {
        failure.describe(&self.path, self.patience)
    }

    fn connect(&self) -> rusqlite::Result<Connection> {
        let read = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = match self.access {
            Access::Write => Connection::open_with_flags(
                &self.path,
                OpenFlags::SQLITE_OPEN_READ_WRITE
                    | OpenFlags::SQLITE_OPEN_CREATE
                    | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )?,
            Access::Read => Connection::open_with_flags(&self.path, read)?,
            Access::Immutable => {
                let uri = format!("file:{}?immutable=1", percent_encoded(&self.path));
                Connection::open_with_flags(uri, read | OpenFlags::SQLITE_OPEN_URI)?
            }
        };
        connection.busy_handler(Some(patient(self.patience)))?;
        connection.set_prepared_statement_cache_capacity(64);
        // Plans do not depend on what is bound: otherwise SQLite plans a statement again for nearly every value.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        rusqlite::vtab::array::load_module(&connection)?;
        attributes::add_functions(&connection)?;
        connection.pragma_update(None, "cache_size", -i64::from(CACHE_KIB))?;
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        if self.access == Access::Write {
            // A command that ends must not pay for carrying over a short log: the next commits do.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            connection.execute_batch(&format!(
                "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
                 PRAGMA journal_size_limit = {LARGEST_LOG}"
            ))?;
        }
        Ok(connection)
    }

    fn connect_and_prepare(&self) -> Result<Connection, Unopened> {
        let mut connection = self.connect()?;
        let upgrade = self.access == Access::Write;
        let path = self.path.display();
        let refused = match schema::prepare(&mut connection, MIGRATIONS, upgrade, self.patience)? {
            Shape::Ready => return Ok(connection),
            Shape::Foreign => OpenError::Foreign(format!(
                "{path} is a database of another program, not a store of twiceshy; give another path"
            )),
            Shape::Newer(version) => OpenError::Newer(format!(
                "the store {path} was written by a newer twiceshy (schema {version}, this one knows {}); \
                 upgrade twiceshy",
                MIGRATIONS.len()
            )),
            Shape::Older(0) => OpenError::Older(format!(
                "{path} is empty and was opened read-only; open it once for writing to create the store"
            )),
            Shape::Older(version) => OpenError::Older(format!(
                "the store {path} was written by an older twiceshy (schema {version}, this one needs {}) and was \
                 opened read-only; open it once for writing",
                MIGRATIONS.len()
            )),
        };
        Err(Unopened::Refused(refused))
    }

    /// A file in a place where nothing can be written has no index of its log. If the log is empty as
    /// well, the file alone is the whole store, and nobody is writing to it through that place.
    fn only_log_index_is_missing(&self, error: &rusqlite::Error) -> bool {
        unwritable(error) && self.log_bytes() == 0 && self.path.is_file()
    }

    fn log_bytes(&self) -> u64 {
        std::fs::metadata(self.beside("-wal")).map_or(0, |log| log.len())
    }

    /// Lends a connection that nobody else uses, or the one of the group, which alone sees its commits.
    fn with<T>(&self, work: impl FnOnce(&Database) -> Result<T, Failure>) -> Result<T, Error> {
        if let Some(lent) = self.grouping.lend()
            && let Some(database) = lent.database()
        {
            return work(database).map_err(|failure| self.describe(failure));
        }
        self.pending.wait();
        let mut database = self.idle_database()?;
        let result = match pending::is_left(&database) {
            Ok(false) => work(&database),
            Ok(true) => self.with_left(&mut database, work),
            Err(error) => Err(error.into()),
        };
        self.idle.release(database);
        result.map_err(|failure| self.describe(failure))
    }

    fn idle_database(&self) -> Result<Database, Error> {
        let idle = self.idle.lock().pop();
        match idle {
            Some(database) => Ok(database),
            None => match self.connect() {
                Ok(connection) => Ok(Database::new(connection, self.vectors.clone())),
                Err(error) => Err(self.describe(error.into())),
            },
        }
    }

    /// Waits until it is this store's turn to write.
    fn turn(&self) -> Result<turn::Turn, Error> {
        if self.access != Access::Write {
            return Err(read_only(&self.path.display()));
        }
        loop {
            self.pending.wait();
            let turn = turn::wait(&self.beside("-turn"), self.patience)
                .ok_or_else(|| busy(&self.path, self.patience))?;
            // Another thread may have written something down while this one waited.
            if self.pending.is_empty() {
                return Ok(turn);
            }
        }
    }

    /// Works in a transaction that writes, when it is this store's turn. The work is told how many texts it may leave to
    /// be entered into the full-text index later.
    fn write(
        &self,
        syncs: bool,
        mut work: impl FnMut(&Database, usize) -> Result<(), Failure>,
    ) -> Result<(), Error> {
        if let Some(written) = self.write_grouped(&mut work) {
            return written;
        }
        let _turn = self.turn()?;
        let mut database = self.idle_database()?;
        let written = (|| {
            database.sync(syncs)?;
            let longest = if syncs {
                LONGEST_LOG
            } else {
                LONGEST_LOG_OF_LIGHT
            };
            log::shorten_log(&database, longest);
            // Taking the turn at once, and not at the first write, is what makes waiting possible.
            let transaction =
                rusqlite::Transaction::new_unchecked(&database, TransactionBehavior::Immediate)?;
            pending::enter_left(&database)?;
            work(&database, texts::MOST_FRESH)?;
            Ok(transaction.commit()?)
        })();
        if written.is_err() {
            database.forget();
        }
        self.idle.release(database);
        written.map_err(|failure| self.describe(failure))
    }

    fn change(&self, batch: &[Change], syncs: bool) -> Result<(), Error> {
        validate::batch(batch)?;
        if batch.is_empty() && self.access == Access::Write {
            return Ok(());
        }
        if let Some(changed) = self.change_grouped(batch) {
            return changed;
        }
        if syncs {
            return self.commit_together(batch);
        }
        self.write(false, |database, fresh| {
            commit::apply(database, batch, None, fresh)
        })
    }

    /// Asks about documents as commits left them that the tables do not have; none if there are none, or only the tables
    /// know.
    fn ask_accepted<T>(
        &self,
        ask: impl Fn(&mut Accepted) -> Result<Option<T>, Failure>,
    ) -> Option<Result<T, Error>> {
        self.ask_grouped(&ask).or_else(|| self.ask_noted(&ask))
    }

    /// Reads in one transaction, so that everything is seen as of one moment.
    fn read<T>(&self, work: impl FnOnce(&Database) -> Result<T, Failure>) -> Result<T, Error> {
        self.with(|database| {
            // A group is one moment anyway.
            let _moment = match database.is_autocommit() {
                true => Some(Moment::begin(database)?),
                false => None,
            };
            work(database)
        })
    }
}

/// A transaction that only reads, until it is dropped. Its statements are kept, because a small question takes hardly
/// longer than parsing them.
struct Moment<'d>(&'d Database);

impl<'d> Moment<'d> {
    fn begin(database: &'d Database) -> rusqlite::Result<Self> {
        database.prepare_cached("BEGIN")?.execute([])?;
        Ok(Self(database))
    }
}

impl Drop for Moment<'_> {
    fn drop(&mut self) {
        // A connection that stays in a transaction is not used again.
        let _ = self
            .0
            .prepare_cached("COMMIT")
            .and_then(|mut end| end.execute([]));
    }
}

impl Store for SqliteStore {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        validate::keys(keys)?;
        if let Some(read) = self.ask_accepted(|accepted| accepted.read(keys).map(Some)) {
            return read;
        }
        let get = |database: &Database| -> Result<Vec<Stored>, Failure> {
            let mut found = Vec::with_capacity(keys.len());
            // Many keys are mostly of one kind, which is looked up once.
            for some in keys.chunk_by(|one, next| one.kind == next.kind) {
                match database.kind(&some[0].kind)? {
                    UNKNOWN => {}
                    kind => {
                        for key in some {
                            found.extend(read_document(database, kind, key)?);
                        }
                    }
                }
            }
            Ok(found)
        };
        match keys {
            // One statement is one moment by itself.
            [_] => self.with(get),
            _ => self.read(get),
        }
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        self.change(batch, !self.light)
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        self.change(batch, false)
    }

    /// Writers get their turn between the pieces.
    fn optimize(&self) -> Result<(), Error> {
        self.settle_indices()?;
        self.give_back()
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        validate::query(query)?;
        if let Some(found) = self.ask_accepted(|accepted| accepted.find(query)) {
            return found;
        }
        self.read(|database| find::find(database, query, find::Effort::default()))
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        validate::conditions(kind, conditions)?;
        let count = |accepted: &mut Accepted| accepted.count(kind, conditions).map(Some);
        if let Some(count) = self.ask_accepted(count) {
            return count;
        }
        self.read(|database| find::count(database, kind, conditions))
    }
}

/// A document of the kind with this number, if it is there.
fn read_document(database: &Database, kind: i64, key: &Key) -> rusqlite::Result<Option<Stored>> {
    let sql = "SELECT version, body FROM documents WHERE kind = ?1 AND id = ?2";
    let document = database
        .prepare_cached(sql)?
        .query_row(params![kind, key.id], |row| {
            Ok(Stored {
                key: key.clone(),
                version: row.get(0)?,
                body: bodies::unpacked(row.get_ref(1)?.as_blob()?)?.into_body(),
            })
        });
    document.optional()
}

/// The path of a file beside the store's own.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(suffix);
    name.into()
}

/// Waits for a lock until the time is over.
fn patient(patience: Duration) -> impl FnMut(i32) -> bool + Send + 'static {
    let mut since = Instant::now();
    move |attempts| {
        if attempts == 0 {
            since = Instant::now();
        }
        let goes_on = since.elapsed() < patience;
        if goes_on {
            std::thread::sleep(LOOK_AGAIN);
        }
        goes_on
    }
}

/// A path as part of a URI.
fn percent_encoded(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let encoded = |byte: u8| {
        if plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02x}")
        }
    };
    path.as_os_str()
        .as_encoded_bytes()
        .iter()
        .copied()
        .map(encoded)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_shared_between_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<SqliteStore>();
    }

    #[test]
    fn every_connection_syncs_every_commit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("memory.db");
        for _ in 0..2 {
            let store = SqliteStore::open(&path, Options::default()).unwrap();
            let settings = |connection: &Database| {
                let synchronous: i64 =
                    connection.pragma_query_value(None, "synchronous", |row| row.get(0))?;
                let journal: String =
                    connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
                Ok((synchronous, journal))
            };
            // The second is asked while the first is in use, so that it is another one.
            let both = store
                .with(|first| Ok((settings(first)?, store.with(settings)?)))
                .unwrap();
            assert_eq!(both.0, (2, "wal".into()));
            assert_eq!(both.1, (2, "wal".into()));
            assert_eq!(store.idle.lock().len(), 2, "both are kept");
        }
    }

    #[test]
    fn a_path_keeps_its_characters_in_a_uri() {
        let path = Path::new("/a b/50%#?ü.db");
        assert_eq!(percent_encoded(path), "/a%20b/50%25%23%3f%c3%bc.db");
    }

    #[test]
    fn patience_ends() {
        let mut waits = patient(Duration::from_millis(5));
        let attempts = (0..).take_while(|attempt| waits(*attempt)).count();
        assert!((1..=10).contains(&attempts), "{attempts}");
        assert!(waits(0), "and begins anew for the next lock");
    }
}
