//! Owns the store in a PostgreSQL database: who is asked, what is tried again, and which memory is meant.
//!
//! Many processes on many machines use one database at once, and one database holds many memories. A commit carries an
//! id that is written in the same transaction; whoever lost the answer tries the same commit again, and finds the id if
//! it was made. So a commit that returned is there, and none is made twice.

mod address;
mod archive;
mod beside;
mod best;
mod commit;
pub(crate) mod entries;
mod failure;
pub(crate) mod find;
mod fresh;
mod nearest;
mod objects;
mod pause;
mod pieces;
mod rows;
mod schema;
mod seen;
mod session;
mod settler;
mod texts;
mod tls;
#[cfg(feature = "sqlite")]
mod upkeep;
mod vector_index;
#[cfg(feature = "sqlite")]
mod whole;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio_postgres::types::Type;
use twiceshy_documents::validate;
use twiceshy_wit::host::{Change, Condition, Error, Found, Key, Query, Store, Stored};

pub use address::PostgresAddress;
pub use archive::PostgresArchive;
use commit::{Commit, Present, SETTLED_EVERY};
use failure::Failure;
use find::{Effort, Search};
use pause::Pause;
use pieces::Repeated;
use schema::MIGRATIONS;
use seen::Seen;
use session::{Pool, Session, Statement};
use settler::Settler;
use tls::Tls;
pub use tls::authorities;

/// How a store is opened.
#[derive(Debug, Clone, PartialEq)]
pub struct PostgresOptions {
    /// How long to wait for others who write, for a connection, and for a server that went away.
    pub patience: Duration,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        PostgresOptions {
            patience: Duration::from_secs(5),
        }
    }
}

/// A question may take longer than a commit waits: as long as the server lets it.
const LONGEST_QUESTION: Duration = Duration::from_secs(60);

/// Among more vectors than this the nearest are looked for by their binary codes.
const EXACT: usize = 10_000;

/// Ids of commits are kept for so long; nobody tries a commit again later.
const COMMITS_KEPT: &str = "1 day";

/// A memory in a PostgreSQL database.
#[derive(Debug)]
pub struct PostgresStore {
    address: PostgresAddress,
    patience: Duration,
    primary: Arc<Pool>,
    replica: Option<Arc<Pool>>,
    memory: OnceLock<i32>,
    kinds: RwLock<HashMap<String, i32>>,
    repeated: Repeated,
    seen: Seen,
    settler: OnceLock<Option<Settler>>,
    /// Up to where the log of the server was written when this store last committed.
    position: Mutex<Option<String>>,
}

impl PostgresStore {
    /// Opens the memory that an address names. Makes the tables and the memory if they are not there.
    ///
    /// # Errors
    /// If the database can't be reached or used; says what to do.
    pub fn open(
        address: &PostgresAddress,
        options: PostgresOptions,
    ) -> Result<PostgresStore, Error> {
        let store = PostgresStore::unopened(address, options)?;
        store.with_primary(|session, deadline| store.prepare(session, deadline))?;
        Ok(store)
    }

    /// Opens another memory of the same database over the same connections: for a process that uses many of them.
    ///
    /// # Errors
    /// As [`open`](Self::open), or if the name is none.
    pub fn another(&self, memory: &str) -> Result<PostgresStore, Error> {
        let address = self.address.clone().with_memory(memory);
        let address = address.map_err(Error::InvalidArgument)?;
        let store = PostgresStore::over(
            &address,
            self.patience,
            self.primary.clone(),
            self.replica.clone(),
        );
        store.with_primary(|session, deadline| store.prepare(session, deadline))?;
        Ok(store)
    }

    fn unopened(
        address: &PostgresAddress,
        options: PostgresOptions,
    ) -> Result<PostgresStore, Error> {
        let tls = Tls::new(address.root_certificate.as_deref())
            .map_err(|why| Error::Other(format!("the database {address}: {why}")))?;
        let pool = |config: &tokio_postgres::Config| {
            Arc::new(Pool::new(config.clone(), tls.clone(), address.connections))
        };
        let primary = pool(&address.config);
        let replica = address.replica.as_ref().map(pool);
        Ok(PostgresStore::over(
            address,
            options.patience,
            primary,
            replica,
        ))
    }

    fn over(
        address: &PostgresAddress,
        patience: Duration,
        primary: Arc<Pool>,
        replica: Option<Arc<Pool>>,
    ) -> PostgresStore {
        PostgresStore {
            primary,
            replica,
            address: address.clone(),
            patience,
            memory: OnceLock::new(),
            kinds: RwLock::default(),
            repeated: Repeated::default(),
            seen: Seen::default(),
            settler: OnceLock::new(),
            position: Mutex::default(),
        }
    }

    /// Lets a thread with a connection of its own enter what is fresh into its indices from now on, so that no writer waits
    /// for it. For a process that lives long: otherwise every 64th commit enters them.
    pub fn settle_beside(&self) {
        self.settler.get_or_init(|| {
            let memory = self.memory.get().copied()?;
            Settler::start(self.primary.another(1), memory)
        });
    }

    /// Where it is, without the password.
    pub fn address(&self) -> &PostgresAddress {
        &self.address
    }

    /// Finds the memory, and the numbers of its kinds.
    fn prepare(&self, session: &mut Session, deadline: Instant) -> Result<(), Failure> {
        let prepared = schema::prepare(session, &self.address, MIGRATIONS, deadline)?;
        prepared.map_err(|why| Failure::Contract(Error::Other(why.to_string())))?;
        let name = self.address.memory();
        let look = || {
            Statement::new("SELECT memory FROM twiceshy.memories WHERE name = $1")
                .with(name.to_owned(), Type::TEXT)
        };
        let mut rows = session.one(look(), deadline)?;
        if rows.is_empty() {
            let sql = "INSERT INTO twiceshy.memories (name) VALUES ($1) ON CONFLICT DO NOTHING";
            session.one(
                Statement::new(sql).with(name.to_owned(), Type::TEXT),
                deadline,
            )?;
            rows = session.one(look(), deadline)?;
        }
        let Some(memory) = rows.first().map(|row| row.get(0)) else {
            return Err(Failure::Contract(Error::Denied(format!(
                "the memory `{name}` of {} is another role's; name another one with ?memory=NAME",
                self.address
            ))));
        };
        let memory = *self.memory.get_or_init(|| memory);
        let sql = "SELECT name, kind FROM twiceshy.kinds WHERE memory = $1";
        let rows = session.one(Statement::new(sql).with(memory, Type::INT4), deadline)?;
        let mut kinds = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
        kinds.extend(rows.iter().map(|row| (row.get(0), row.get(1))));
        Ok(())
    }

    fn memory(&self) -> Result<i32, Failure> {
        let memory = self.memory.get().copied();
        memory.ok_or_else(|| Failure::Other("the memory was not looked up".into()))
    }

    fn describe(&self, failure: Failure, may_be_made: bool) -> Error {
        failure.describe(&self.address, may_be_made)
    }

    /// Works with the primary; what was lost or crossed is tried again while there is time.
    fn with_primary<T>(
        &self,
        work: impl FnMut(&mut Session, Instant) -> Result<T, Failure>,
    ) -> Result<T, Error> {
        self.persistently(&self.primary, work)
            .map_err(|failure| self.describe(failure, false))
    }

    fn persistently<T>(
        &self,
        pool: &Pool,
        mut work: impl FnMut(&mut Session, Instant) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let until = Instant::now() + self.patience;
        let mut pause = Pause::new(until);
        let mut first = None;
        loop {
            let worked = pool
                .lend(until)
                .and_then(|mut lent| work(lent.session()?, Instant::now() + LONGEST_QUESTION));
            match worked {
                Err(failure @ (Failure::Lost(_) | Failure::Crossed(_))) => {
                    if matches!(failure, Failure::Lost(_)) {
                        pool.forget_idle();
                    }
                    // What was wrong at first says more than that there was no time left at the end.
                    let failure = first.take().unwrap_or(failure);
                    if !pause.take() {
                        return Err(failure);
                    }
                    first = Some(failure);
                }
                other => return other,
            }
        }
    }

    /// Reads from a replica that has everything this store wrote, or else from the primary.
    fn read<T>(
        &self,
        mut work: impl FnMut(&mut Session, Instant) -> Result<T, Failure>,
    ) -> Result<T, Error> {
        if let Some(pool) = &self.replica {
            let position = self
                .position
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            let deadline = Instant::now() + LONGEST_QUESTION;
            let read = pool.lend(Instant::now() + self.patience).and_then(|mut lent| {
                let session = lent.session()?;
                // Asked before anything is read: what follows sees at least this.
                if let Some(position) = position {
                    let sql = "SELECT coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, NOT pg_is_in_recovery())";
                    let rows = session.one(Statement::new(sql).with(position, Type::TEXT), deadline)?;
                    if rows.first().map(|row| row.get(0)) != Some(true) {
                        return Ok(None);
                    }
                }
                work(session, deadline).map(Some)
            });
            match read {
                Ok(Some(answer)) => return Ok(answer),
                Err(Failure::Contract(error)) => return Err(error),
                // Whatever is the matter with a replica, the primary knows better.
                Ok(None) | Err(_) => {}
            }
        }
        self.with_primary(work)
    }

    fn has_replica(&self) -> bool {
        self.replica.is_some()
    }

    fn note_position(&self, position: String) {
        *self.position.lock().unwrap_or_else(PoisonError::into_inner) = Some(position);
    }

    /// The number of a kind; none if there never was a document of it.
    fn kind(
        &self,
        session: &mut Session,
        name: &str,
        deadline: Instant,
    ) -> Result<Option<i32>, Failure> {
        let known = |store: &PostgresStore| {
            let kinds = store.kinds.read().unwrap_or_else(PoisonError::into_inner);
            kinds.get(name).copied()
        };
        if let Some(kind) = known(self) {
            return Ok(Some(kind));
        }
        let rows = session.one(
            Statement::new("SELECT kind FROM twiceshy.kinds WHERE memory = $1 AND name = $2")
                .steady()
                .with(self.memory()?, Type::INT4)
                .with(name.to_owned(), Type::TEXT),
            deadline,
        )?;
        let kind = rows.first().map(|row| row.get(0));
        if let Some(kind) = kind {
            let mut kinds = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
            kinds.insert(name.to_owned(), kind);
        }
        Ok(kind)
    }

    /// The numbers of the kinds of a batch, which are given now if there are none. A number that nothing uses does no
    /// harm, so it does not wait for the commit.
    fn kinds_of<'b>(
        &self,
        session: &mut Session,
        batch: &'b [Change],
        deadline: Instant,
    ) -> Result<BTreeMap<&'b str, i32>, Failure> {
        let names: BTreeSet<&str> = batch
            .iter()
            .map(|change| match change {
                Change::Put(put) => put.document.key.kind.as_str(),
                Change::Remove(removal) => removal.key.kind.as_str(),
            })
            .collect();
        let mut numbers = BTreeMap::new();
        for name in names {
            let mut kind = self.kind(session, name, deadline)?;
            if kind.is_none() {
                let sql = "INSERT INTO twiceshy.kinds (memory, name) VALUES ($1, $2) ON CONFLICT DO NOTHING";
                let insert = Statement::new(sql)
                    .with(self.memory()?, Type::INT4)
                    .with(name.to_owned(), Type::TEXT);
                session.one(insert, deadline)?;
                kind = self.kind(session, name, deadline)?;
            }
            let kind =
                kind.ok_or_else(|| Failure::Other(format!("the kind {name} has no number")))?;
            numbers.insert(name, kind);
        }
        Ok(numbers)
    }

    fn change(&self, batch: &[Change], light: bool) -> Result<(), Error> {
        validate::batch(batch)?;
        self.change_with(batch, light, None)
    }

    /// The same without a look at limits. The versions are those that the documents get, if there are any.
    fn change_with(
        &self,
        batch: &[Change],
        light: bool,
        versions: Option<&[u32]>,
    ) -> Result<(), Error> {
        if batch.is_empty() {
            return Ok(());
        }
        let until = Instant::now() + self.patience;
        let mut pause = Pause::new(until);
        let commit = Commit {
            batch,
            id: commit::unique(),
            light,
            versions,
        };
        // Whether some attempt may have been made although nobody said so.
        let mut may_be_made = false;
        loop {
            let mut sent = false;
            let made = self.primary.lend(until).and_then(|mut lent| {
                let deadline = Instant::now() + LONGEST_QUESTION;
                let session = lent.session()?;
                let number = commit::make(self, session, &commit, &mut sent, deadline)?;
                if number % SETTLED_EVERY == 0 {
                    // Only a way to make questions quicker: a failure is left to the next one.
                    let _ = self.settle(session, batch, deadline);
                }
                Ok(())
            });
            may_be_made |= sent && made.is_err();
            match made {
                Ok(()) => return Ok(()),
                Err(Failure::MadeBefore) if may_be_made => return Ok(()),
                Err(failure @ (Failure::Lost(_) | Failure::Crossed(_))) => {
                    if matches!(failure, Failure::Lost(_)) {
                        self.primary.forget_idle();
                    }
                    if !pause.take() {
                        return Err(self.describe(failure, may_be_made));
                    }
                }
                // The id was noted before, so that an attempt that was made would have been found.
                Err(Failure::Contract(error)) => return Err(error),
                Err(failure) => return Err(self.describe(failure, may_be_made)),
            }
        }
    }

    /// Enters what is fresh of the kinds of a batch, or lets the thread do it whose work it is.
    fn settle(
        &self,
        session: &mut Session,
        batch: &[Change],
        deadline: Instant,
    ) -> Result<(), Failure> {
        let kinds = self.kinds_of(session, batch, deadline)?.into_values();
        if let Some(Some(settler)) = self.settler.get() {
            settler.tell(kinds.collect());
            return Ok(());
        }
        settler::settle(session, self.memory()?, kinds)
    }

    /// Finds documents with more or less effort.
    #[cfg(test)]
    pub(crate) fn find_with(&self, query: &Query, effort: Effort) -> Result<Vec<Found>, Error> {
        validate::query(query)?;
        let (kind, conditions) = (&query.kind, &query.conditions);
        self.search(kind, conditions, effort, Vec::new(), |search, session| {
            search.find(session, query)
        })
    }

    fn search<T>(
        &self,
        kind: &str,
        conditions: &[Condition],
        effort: Effort,
        nothing: T,
        mut work: impl FnMut(&Search, &mut Session) -> Result<T, Failure>,
    ) -> Result<T, Error> {
        let found = self.read(|session, deadline| {
            let Some(number) = self.kind(session, kind, deadline)? else {
                return Ok(None);
            };
            let search = Search {
                kind: number,
                kind_name: kind,
                conditions,
                repeated: &self.repeated,
                effort,
                deadline,
                is_open: Cell::default(),
            };
            work(&search, session).map(Some)
        })?;
        Ok(found.unwrap_or(nothing))
    }
}

impl Store for PostgresStore {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        validate::keys(keys)?;
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        self.read(|session, deadline| {
            let names: BTreeSet<&str> = keys.iter().map(|key| key.kind.as_str()).collect();
            let mut numbers = HashMap::new();
            for name in names {
                if let Some(kind) = self.kind(session, name, deadline)? {
                    numbers.insert(name, kind);
                }
            }
            let known: Vec<&Key> = keys
                .iter()
                .filter(|key| numbers.contains_key(key.kind.as_str()))
                .collect();
            let kinds: Vec<i32> = known.iter().map(|key| numbers[key.kind.as_str()]).collect();
            let ids: Vec<String> = known.iter().map(|key| key.id.clone()).collect();
            let rows = session.one(
                Statement::new(
                    "SELECT n, d.id, d.version, d.body, d.doc, d.has_vector, d.entries
                     FROM unnest($1, $2) WITH ORDINALITY u(kind, id, n)
                     JOIN twiceshy.documents d ON d.kind = u.kind AND d.id = u.id ORDER BY n",
                )
                .steady()
                .with(kinds, Type::INT4_ARRAY)
                .with(ids, Type::TEXT_ARRAY),
                deadline,
            )?;
            let document = |row: &tokio_postgres::Row| {
                let place = row.get::<_, i64>(0) as usize - 1;
                let (stored, text) = find::stored(row, &known[place].kind)?;
                let present = Present {
                    doc: row.get(4),
                    version: stored.version,
                    has_vector: row.get(5),
                    entries: row.get(6),
                    text,
                };
                let kind = numbers[stored.key.kind.as_str()];
                self.seen.read(kind, &stored.key.id, present);
                Ok(stored)
            };
            rows.iter().map(document).collect()
        })
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        self.change(batch, false)
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        self.change(batch, true)
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        validate::query(query)?;
        self.search(
            &query.kind,
            &query.conditions,
            Effort::default(),
            Vec::new(),
            |search, session| search.find(session, query),
        )
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        validate::conditions(kind, conditions)?;
        let effort = Effort::default();
        let count = self.search(kind, conditions, effort, 0, |search, session| {
            search.count(session)
        })?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// Enters all that is fresh, indexes many vectors if the server can, and forgets the ids of old commits.
    /// Statistics and room are the server's own affair.
    fn optimize(&self) -> Result<(), Error> {
        self.with_primary(|session, deadline| {
            let memory = self.memory()?;
            let sql = "SELECT kind FROM twiceshy.kinds WHERE memory = $1 ORDER BY kind";
            let rows = session.one(Statement::new(sql).with(memory, Type::INT4), deadline)?;
            for kind in rows.iter().map(|row| row.get(0)) {
                settler::settle(session, memory, std::iter::once(kind))?;
                vector_index::make(session, kind)?;
            }
            let sql = format!(
                "DELETE FROM twiceshy.commits WHERE memory = $1 AND at < now() - interval '{COMMITS_KEPT}'"
            );
            let soon = Instant::now() + LONGEST_QUESTION;
            session.one(Statement::new(sql).with(memory, Type::INT4), soon)?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_shared_between_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<PostgresStore>();
    }
}
