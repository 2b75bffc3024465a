//! Owns groups of commits: what many commits change becomes durable together, with one wait for the disk.
//!
//! Within a group each commit is still made as a whole or not at all, and everything that is read through the same store
//! sees it at once. A thread of its own writes what was accepted, so that whoever commits can go on meanwhile. Others
//! see a group, and the disk has it, when it is flushed or ends. Until then nobody else can write; so one that lasts is ended
//! and begun again every now and then, also while its owner does something else.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use twiceshy_wit::host::{Change, Error};

use super::accepted::{Accepted, Batch};
use super::database::Database;
use super::failure::Failure;
use super::turn::Turn;
use super::{SqliteStore, codes, commit, pending, texts, vectors};

/// So long a group keeps others waiting at most, beside the commits that are being written.
const LONGEST: Duration = Duration::from_millis(250);

/// What the connection of a group keeps of the file in memory: pages that many commits change are written once.
const CACHE_KIB: i64 = 64 * 1024;

/// A log of more pages than this is carried over into the file between the parts of a group. Many commits change the same
/// pages, which are carried over once.
const LONGEST_LOG: i64 = 8 * 1024;

/// So many texts of a kind may be left to be entered into the full-text index while a group goes on: the more are
/// entered together, the less each costs, and what is removed before that costs nothing.
const MOST_FRESH: usize = 4_000;

/// So many commits may wait to be written before whoever commits waits, too.
const MOST_WAITING: usize = 64;

/// Whether commits are grouped just now, and what is not durable yet.
#[derive(Default)]
pub(super) struct Grouping {
    state: Mutex<State>,
    /// Something was accepted, written, begun or ended.
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct State {
    is_on: bool,
    /// Whether there is a thread that writes: one at most, so that what one has nobody else settles.
    has_writer: bool,
    open: Option<Open>,
    /// The connection of the group between two of its transactions, with the pages that it keeps in memory.
    own: Option<Database>,
    /// Whether texts may be left that are not entered into the full-text index.
    has_fresh: bool,
    /// Why commits of this group are lost, if they are.
    failed: Option<Error>,
}

/// A transaction that holds the commits of a group.
struct Open {
    /// None while the thread that writes has it.
    database: Option<Database>,
    /// None if everything is written at once until the transaction ends.
    accepted: Option<Accepted>,
    _turn: Turn,
    since: Instant,
}

impl fmt::Debug for Grouping {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Grouping")
    }
}

impl Grouping {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Lends the connection that sees all commits of the group; none if there is nothing that others do not see.
    pub(super) fn lend(&self) -> Option<Lent<'_>> {
        let state = self.lock();
        state.open.as_ref()?;
        let state = self.written(state);
        state.open.is_some().then_some(Lent(state))
    }

    /// Waits until everything that was accepted is written.
    fn written<'s>(&self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        while state.open.as_ref().is_some_and(|open| !open.is_written()) {
            state = self.wait(state);
        }
        state
    }
}

impl Open {
    fn is_written(&self) -> bool {
        let waiting = self.accepted.as_ref().map(|accepted| &accepted.waiting);
        self.database.is_some() && waiting.is_none_or(|waiting| waiting.is_empty())
    }

    fn is_full(&self) -> bool {
        let waiting = self.accepted.as_ref().map(|accepted| &accepted.waiting);
        waiting.is_some_and(|waiting| waiting.len() >= MOST_WAITING)
    }

    fn is_over(&self) -> bool {
        let is_large = self.accepted.as_ref().is_some_and(Accepted::is_large);
        is_large || self.since.elapsed() > LONGEST
    }

    /// What waits to be written, and the connection to write it with.
    fn next(&mut self) -> Option<(Database, Vec<Batch>)> {
        let waiting = &mut self.accepted.as_mut()?.waiting;
        if waiting.is_empty() {
            return None;
        }
        Some((self.database.take()?, waiting.drain(..).collect()))
    }
}

/// The connection of the group, which nobody else uses meanwhile.
pub(super) struct Lent<'s>(MutexGuard<'s, State>);

impl Lent<'_> {
    pub(super) fn database(&self) -> Option<&Database> {
        self.0.open.as_ref()?.database.as_ref()
    }
}

/// A group of commits, until it is ended or dropped.
#[derive(Debug)]
#[must_use = "a group ends when it is dropped"]
pub struct Group<'s> {
    store: &'s SqliteStore,
}

impl Group<'_> {
    /// Makes everything that was committed so far durable, and goes on.
    ///
    /// # Errors
    /// If that fails. Then the latest commits are lost, each as a whole, and nothing more is committed in this group.
    pub fn flush(&self) -> Result<(), Error> {
        let grouping = &self.store.grouping;
        let mut state = grouping.written(grouping.lock());
        self.store.settle(&mut state, MOST_FRESH);
        grouping.changed.notify_all();
        state.failed.clone().map_or(Ok(()), Err)
    }

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
        state.is_on = true;
        // That of the group before may not have noticed yet that it ended.
        if !state.has_writer {
            let store = Arc::downgrade(self);
            let writer = std::thread::Builder::new().spawn(move || write_behind(&store));
            state.has_writer = writer.is_ok();
        }
        Group { store: self }
    }

    fn end_group(&self) -> Result<(), Error> {
        let mut state = self.grouping.written(self.grouping.lock());
        state.is_on = false;
        if state.open.is_none() && state.has_fresh {
            state.open = self.begin(&mut state, false).ok();
        }
        self.settle(&mut state, texts::MOST_FRESH);
        if let Some(own) = state.own.take() {
            super::log::shorten_log(&own, super::LONGEST_LOG);
            let cache = -i64::from(super::CACHE_KIB);
            if own.pragma_update(None, "cache_size", cache).is_ok() {
                self.idle.release(own);
            }
        }
        self.grouping.changed.notify_all();
        state.failed.take().map_or(Ok(()), Err)
    }

    /// Makes what was committed so far durable.
    pub(super) fn settle_group(&self) {
        let mut state = self.grouping.written(self.grouping.lock());
        self.settle(&mut state, texts::MOST_FRESH);
    }

    /// Asks about documents as the group left them; none if that is not known, or there is no group.
    pub(super) fn ask_grouped<T>(
        &self,
        ask: impl FnOnce(&mut Accepted) -> Result<Option<T>, Failure>,
    ) -> Option<Result<T, Error>> {
        let mut state = self.grouping.lock();
        let accepted = state.open.as_mut()?.accepted.as_mut()?;
        let answer = ask(accepted).transpose()?;
        Some(answer.map_err(|failure| self.describe(failure)))
    }

    /// Commits a batch within the group; none if there is no group.
    pub(super) fn change_grouped(&self, batch: &[Change]) -> Option<Result<(), Error>> {
        let mut state = self.grouping.lock();
        while state.open.as_ref().is_some_and(Open::is_full) {
            state = self.grouping.wait(state);
        }
        if let Err(error) = self.begin_in(&mut state)? {
            return Some(Err(error));
        }
        let accept = |accepted: &mut Accepted| {
            let done = accepted.accept(batch)?;
            Ok::<_, Failure>((done, accepted.waiting.len()))
        };
        let accepted = state.open.as_mut().and_then(|open| open.accepted.as_mut());
        match accepted.map(accept) {
            Some(Ok((true, waiting))) => {
                // A thread that has something to write does not wait for more.
                if waiting == 1 {
                    self.grouping.changed.notify_all();
                }
                Some(Ok(()))
            }
            Some(Err(failure)) => Some(Err(self.describe(failure))),
            Some(Ok((false, _))) | None => {
                drop(state);
                self.write_grouped(&mut |database, fresh| {
                    commit::apply(database, batch, None, fresh)
                })
            }
        }
    }

    /// Writes within the group at once, and so does everything until its transaction ends; none if there is no group.
    pub(super) fn write_grouped(
        &self,
        work: &mut dyn FnMut(&Database, usize) -> Result<(), Failure>,
    ) -> Option<Result<(), Error>> {
        let mut state = self.grouping.written(self.grouping.lock());
        if let Err(error) = self.begin_in(&mut state)? {
            return Some(Err(error));
        }
        let open = state.open.as_mut()?;
        if let Some(connection) = open.accepted.take().map(Accepted::into_connection) {
            connection
                .into_iter()
                .for_each(|one| self.idle.release(one));
        }
        let database = open.database.as_ref()?;
        let written = one(database, work);
        let is_lost = database.is_autocommit();
        let is_over = open.is_over();
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

    /// Begins a transaction if there is none, unless commits of this group were lost; none if there is no group.
    fn begin_in(&self, state: &mut State) -> Option<Result<(), Error>> {
        if !state.is_on {
            return None;
        }
        if let Some(error) = &state.failed {
            return Some(Err(error.clone()));
        }
        if state.open.is_none() {
            let accepts = state.has_writer;
            match self.begin(state, accepts) {
                Ok(open) => state.open = Some(open),
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(()))
    }

    fn begin(&self, state: &mut State, accepts: bool) -> Result<Open, Error> {
        let turn = self.turn()?;
        let mut database = match state.own.take() {
            Some(own) => own,
            None => self.idle_database()?,
        };
        let begun = (|| {
            pending::settle(&mut database)?;
            database.sync(!self.light)?;
            super::log::shorten_log(&database, LONGEST_LOG);
            database.pragma_update(None, "cache_size", -CACHE_KIB)?;
            database.execute_batch("BEGIN IMMEDIATE")?;
            Ok(())
        })();
        begun.map_err(|error: Failure| self.describe(error))?;
        let accepted = match accepts {
            true => Some(Accepted::new(self.idle_database()?)),
            false => None,
        };
        let accepted = accepted.transpose();
        Ok(Open {
            database: Some(database),
            accepted: accepted.map_err(|error| self.describe(error.into()))?,
            _turn: turn,
            since: Instant::now(),
        })
    }

    /// Makes what a group holds durable while more may be accepted, as far as that is possible.
    fn finish<'s>(&'s self, mut state: MutexGuard<'s, State>) {
        let database = state.open.as_mut().and_then(|open| open.database.take());
        if let Some(database) = database {
            drop(state);
            let settled = whole(|| Ok(settle_indices(&database, MOST_FRESH)?));
            state = self.grouping.lock();
            self.give_back_to(&mut state, database, settled);
        }
        // From here on nobody can get in between.
        while let Some((database, batches)) = state.open.as_mut().and_then(Open::next) {
            let written = write_all(&database, batches);
            self.give_back_to(&mut state, database, written);
        }
        self.settle(&mut state, MOST_FRESH);
    }

    /// Gives a group the connection back with which something was written. What can't be taken back alone takes the
    /// whole transaction with it.
    fn give_back_to(&self, state: &mut State, database: Database, written: Result<(), Failure>) {
        match (written, state.open.as_mut()) {
            (Ok(()), Some(open)) => open.database = Some(database),
            // It had failed meanwhile.
            (Ok(()), None) => {}
            (Err(failure), _) => {
                state.failed = Some(self.describe(failure));
                state.open = None;
            }
        }
    }

    /// Makes the commits of a group durable, which are written. If that fails the state says so. So many texts of a kind
    /// may be left to be entered into the full-text index later.
    fn settle(&self, state: &mut State, most_fresh: usize) {
        if !state.open.as_ref().is_some_and(Open::is_written) {
            return;
        }
        let Some(Open {
            database: Some(database),
            accepted,
            _turn,
            ..
        }) = state.open.take()
        else {
            return;
        };
        state.has_fresh = most_fresh > texts::MOST_FRESH;
        if let Some(connection) = accepted.map(Accepted::into_connection) {
            connection
                .into_iter()
                .for_each(|one| self.idle.release(one));
        }
        let done = (|| {
            settle_indices(&database, most_fresh)?;
            database.execute_batch("COMMIT")
        })();
        match done {
            Ok(()) => state.own = Some(database),
            // The connection goes, and with it what it had not committed.
            Err(error) => state.failed = Some(self.describe(error.into())),
        }
    }
}

fn settle_indices(database: &Database, most_fresh: usize) -> rusqlite::Result<()> {
    for kind in texts::kinds(database)? {
        texts::settle_many(database, kind, most_fresh)?;
    }
    for kind in vectors::kinds(database)? {
        codes::settle_many(database, kind)?;
    }
    Ok(())
}

/// One commit of several in a transaction, as a whole or not at all.
pub(super) fn one(
    database: &Database,
    work: &mut dyn FnMut(&Database, usize) -> Result<(), Failure>,
) -> Result<(), Failure> {
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

/// Writes what a group accepts, and ends what it holds when that has lasted, until the group ends.
fn write_behind(store: &Weak<SqliteStore>) {
    while let Some(store) = store.upgrade() {
        let grouping = &store.grouping;
        let mut state = grouping.lock();
        if !state.is_on {
            state.has_writer = false;
            return;
        }
        let is_over = |state: &State| state.open.as_ref().is_some_and(Open::is_over);
        match state.open.as_mut().and_then(Open::next) {
            Some((database, batches)) => {
                drop(state);
                grouping.changed.notify_all();
                let written = write_all(&database, batches);
                state = grouping.lock();
                store.give_back_to(&mut state, database, written);
            }
            None if !is_over(&state) => {
                let _ = grouping.changed.wait_timeout(state, LONGEST / 2);
                continue;
            }
            None => {}
        }
        if is_over(&state) {
            store.finish(state);
        }
        grouping.changed.notify_all();
    }
}

fn write_all(database: &Database, batches: Vec<Batch>) -> Result<(), Failure> {
    whole(|| {
        batches.into_iter().try_for_each(|batch| {
            commit::apply(database, &batch.changes, Some(batch.places), usize::MAX)
        })
    })
}

/// Work of a thread that others wait for: if it panics, they are told instead of waiting for good.
pub(super) fn whole(work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let lost = "the thread that writes the store failed; open the store again".to_owned();
        Err(Error::Other(lost).into())
    })
}
