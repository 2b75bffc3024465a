//! Owns groups of commits: what many commits change becomes durable together, with one wait for the disk.
//!
//! Within a group each commit is still made as a whole or not at all, and everything that is read through the same store
//! sees it at once. Others see a group, and the disk has it, when it ends. Until then nobody else can write; so a
//! group that lasts is ended and begun again every now and then, also while its owner does something else.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use twiceshy_wit::host::Error;

use super::database::Database;
use super::failure::Failure;
use super::turn::Turn;
use super::{SqliteStore, codes, texts, vectors};

/// So long a group keeps others waiting at most, beside the one commit that is being made.
const LONGEST: Duration = Duration::from_millis(250);

/// What the connection of a group keeps of the file in memory: pages that many commits change are written once.
const CACHE_KIB: i64 = 64 * 1024;

/// A log of more pages than this is carried over into the file between the parts of a group. Many commits change the same
/// pages, which are carried over once.
const LONGEST_LOG: i64 = 8 * 1024;

/// So many texts of a kind may be left to be entered into the full-text index while a group goes on: the more are
/// entered together, the less each costs, and what is removed before that costs nothing.
const MOST_FRESH: usize = 4_000;

/// Whether commits are grouped just now, and what is not durable yet.
#[derive(Default)]
pub(super) struct Grouping {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
pub(super) struct State {
    is_on: bool,
    open: Option<Open>,
    /// Whether texts may be left that are not entered into the full-text index.
    has_fresh: bool,
    /// Why commits of this group are lost, if they are.
    failed: Option<Error>,
}

/// A transaction that holds the commits of a group.
struct Open {
    database: Database,
    _turn: Turn,
    since: Instant,
}

impl fmt::Debug for Grouping {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Grouping")
    }
}

impl Grouping {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The connection with commits that only it can see.
    pub(super) fn database(&self) -> Option<&Database> {
        self.open.as_ref().map(|open| &open.database)
    }
}

/// A group of commits, until it is ended or dropped.
#[derive(Debug)]
#[must_use = "a group ends when it is dropped"]
pub struct Group<'s> {
    store: &'s SqliteStore,
}

impl Group<'_> {
    /// Makes everything that was committed since the group began durable.
    ///
    /// # Errors
    /// If that fails. Then the latest commits are lost, each as a whole.
    pub fn end(self) -> Result<(), Error> {
        self.store.end_group()
    }
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        // Whoever wants to know calls `end`.
        let _ = self.store.end_group();
    }
}

impl SqliteStore {
    /// Begins a group: commits to this store return before they are durable, and [`Group::end`] makes them so together.
    /// There is one group at a time; a second one is part of the first.
    pub fn group(self: &Arc<Self>) -> Group<'_> {
        let mut state = self.grouping.lock();
        if !state.is_on {
            state.is_on = true;
            let store = Arc::downgrade(self);
            std::thread::spawn(move || watch(&store));
        }
        Group { store: self }
    }

    fn end_group(&self) -> Result<(), Error> {
        let mut state = self.grouping.lock();
        state.is_on = false;
        self.grouping.ended.notify_all();
        if state.open.is_none() && state.has_fresh {
            state.open = self.begin().ok();
        }
        self.settle(&mut state, texts::MOST_FRESH);
        state.failed.take().map_or(Ok(()), Err)
    }

    /// Whether commits are grouped; what was committed so far is durable afterwards.
    pub(super) fn settle_group(&self) {
        let mut state = self.grouping.lock();
        self.settle(&mut state, texts::MOST_FRESH);
    }

    /// Commits within the group; none if there is no group.
    pub(super) fn write_grouped(
        &self,
        is_certain: &dyn Fn(&Database) -> Result<bool, Failure>,
        work: &mut dyn FnMut(&Database, usize) -> Result<(), Failure>,
    ) -> Option<Result<(), Error>> {
        let mut state = self.grouping.lock();
        if !state.is_on {
            return None;
        }
        if let Some(error) = &state.failed {
            return Some(Err(error.clone()));
        }
        if state.open.is_none() {
            match self.begin() {
                Ok(open) => state.open = Some(open),
                Err(error) => return Some(Err(error)),
            }
        }
        let open = state.open.as_ref()?;
        let written = one(&open.database, is_certain, work);
        let is_lost = open.database.is_autocommit();
        let is_over = open.since.elapsed() > LONGEST;
        let written = written.map_err(|failure| self.describe(failure));
        if is_lost {
            // Some failures take the whole transaction with them.
            state.open = None;
            state.failed = written.as_ref().err().cloned();
        } else if is_over {
            self.settle(&mut state, MOST_FRESH);
        }
        Some(match (&state.failed, written) {
            (Some(error), Ok(())) => Err(error.clone()),
            (_, written) => written,
        })
    }

    fn begin(&self) -> Result<Open, Error> {
        let turn = self.turn()?;
        let mut database = self.idle_database()?;
        let begun = (|| {
            database.sync(!self.light)?;
            super::log::shorten_log(&database, LONGEST_LOG);
            database.pragma_update(None, "cache_size", -CACHE_KIB)?;
            database.execute_batch("BEGIN IMMEDIATE")
        })();
        begun.map_err(|error| self.describe(error.into()))?;
        Ok(Open {
            database,
            _turn: turn,
            since: Instant::now(),
        })
    }

    /// Makes the commits of a group durable. If that fails the state says so. So many texts of a kind may be left to be
    /// entered into the full-text index later.
    fn settle(&self, state: &mut State, most_fresh: usize) {
        let Some(open) = state.open.take() else {
            return;
        };
        state.has_fresh = most_fresh > texts::MOST_FRESH;
        let done = (|| {
            for kind in texts::kinds(&open.database)? {
                texts::settle_many(&open.database, kind, most_fresh)?;
            }
            for kind in vectors::kinds(&open.database)? {
                codes::settle_many(&open.database, kind)?;
            }
            open.database.execute_batch("COMMIT")?;
            if !state.is_on {
                super::log::shorten_log(&open.database, super::LONGEST_LOG);
            }
            let cache = -i64::from(super::CACHE_KIB);
            open.database.pragma_update(None, "cache_size", cache)
        })();
        match done {
            Ok(()) => self.release(open.database),
            // The connection goes, and with it what it had not committed.
            Err(error) => state.failed = Some(self.describe(error.into())),
        }
    }
}

/// One commit of a group, as a whole or not at all. What can be taken back alone costs a copy of each page that it changes.
fn one(
    database: &Database,
    is_certain: &dyn Fn(&Database) -> Result<bool, Failure>,
    work: &mut dyn FnMut(&Database, usize) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if is_certain(database)? {
        let written = work(database, usize::MAX);
        if written.is_err() {
            database.forget();
            if !database.is_autocommit() {
                database.execute_batch("ROLLBACK")?;
            }
        }
        return written;
    }
    database.prepare_cached("SAVEPOINT one")?.execute([])?;
    let written = work(database, usize::MAX);
    if written.is_err() {
        database.forget();
        if !database.is_autocommit() {
            database.prepare_cached("ROLLBACK TO one")?.execute([])?;
        }
    }
    if !database.is_autocommit() {
        database.prepare_cached("RELEASE one")?.execute([])?;
    }
    written
}

/// Ends what a group holds when it has lasted, until the group ends.
fn watch(store: &Weak<SqliteStore>) {
    while let Some(store) = store.upgrade() {
        let state = store.grouping.lock();
        if !state.is_on {
            return;
        }
        let waited = store.grouping.ended.wait_timeout(state, LONGEST / 2);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let is_over = |open: &Open| open.since.elapsed() > LONGEST;
        if state.open.as_ref().is_some_and(is_over) {
            store.settle(&mut state, MOST_FRESH);
        }
    }
}
