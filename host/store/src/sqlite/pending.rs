//! Owns commits that the disk has and the tables have not yet.
//!
//! What a batch of several documents changes lies all over the file, and a commit that waits until the disk has all of
//! it waits long. So such a batch is first written down as it is, in one row: with that it is made. A thread enters it
//! into the tables while whoever committed goes on. Whoever reads or writes looks first whether something is pending, in
//! whatever process, and waits for it; what a process that was killed left is entered by the next one.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use rusqlite::{Transaction, TransactionBehavior};
use twiceshy_wit::host::{Change, Error};

use super::commit::{self, Places};
use super::database::Database;
use super::failure::{Failure, left_behind};
use super::group::whole;
use super::turn::Turn;
use super::{Access, Idle, LONGEST_LOG, LOOK_AGAIN, SqliteStore, log, texts};

/// Batches of fewer changes are hardly anything but themselves.
const FEWEST: usize = 3;

/// Larger batches are written once, not twice.
const MOST_BYTES: usize = 256 << 10;

/// What this process has to enter.
#[derive(Debug, Default)]
pub(super) struct Pending {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    next: Option<Entry>,
    is_busy: bool,
    is_over: bool,
}

/// A batch on its way into the tables. Nobody else writes before it is there.
#[derive(Debug)]
struct Entry {
    database: Database,
    turn: Turn,
    batch: Vec<Change>,
    places: Places,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters what comes until the store is closed.
    fn enter_all(&self, idle: &Idle) {
        let mut state = self.lock();
        loop {
            match state.next.take() {
                Some(entry) => {
                    drop(state);
                    self.enter(entry, idle);
                    state = self.lock();
                }
                None if state.is_over => return,
                None => state = self.wait(state),
            }
        }
    }

    fn enter(&self, mut entry: Entry, idle: &Idle) {
        // What fails stays pending, and whoever needs it next is told why.
        if whole(|| entry.enter()).is_ok() {
            idle.release(entry.database);
        }
        drop(entry.turn);
        self.lock().is_busy = false;
        self.changed.notify_all();
    }
}

impl Entry {
    fn enter(&mut self) -> Result<(), Failure> {
        self.database.sync(false)?;
        let transaction =
            Transaction::new_unchecked(&self.database, TransactionBehavior::Immediate)?;
        let places = std::mem::take(&mut self.places);
        commit::apply(&self.database, &self.batch, Some(places), texts::MOST_FRESH)?;
        forget_all(&self.database)?;
        transaction.commit()?;
        log::shorten_log(&self.database, LONGEST_LOG);
        Ok(())
    }
}

impl Pending {
    /// Waits until this process has entered what it has to.
    pub(super) fn wait(&self) {
        let mut state = self.shared.lock();
        while state.is_busy {
            state = self.shared.wait(state);
        }
    }

    fn give(&self, entry: Entry, idle: &Arc<Idle>) {
        self.shared.lock().is_busy = true;
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            let (shared, idle) = (self.shared.clone(), idle.clone());
            let new = thread::Builder::new().spawn(move || shared.enter_all(&idle));
            *thread = new.ok();
        }
        match *thread {
            Some(_) => {
                self.shared.lock().next = Some(entry);
                self.shared.changed.notify_all();
            }
            // The system has no thread to give.
            None => self.shared.enter(entry, idle),
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.changed.notify_all();
        let thread = self.thread.get_mut();
        if let Some(thread) = thread.unwrap_or_else(PoisonError::into_inner).take() {
            let _ = thread.join();
        }
    }
}

/// Whether something is pending.
pub(super) fn is_left(database: &Database) -> rusqlite::Result<bool> {
    database
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM pending)")?
        .query_row([], |row| row.get(0))
}

/// Enters what is pending; the caller holds the transaction.
pub(super) fn enter_left(database: &Database) -> Result<(), Failure> {
    if !is_left(database)? {
        return Ok(());
    }
    let left: Vec<Vec<u8>> = database
        .prepare("SELECT batch FROM pending ORDER BY number")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for bytes in left {
        let batch: Vec<Change> = postcard::from_bytes(&bytes).map_err(|error| {
            Error::Corrupt(format!(
                "a commit that waits to be entered can't be read ({error}); restore a backup"
            ))
        })?;
        commit::apply(database, &batch, None, texts::MOST_FRESH)?;
    }
    Ok(forget_all(database)?)
}

fn forget_all(database: &Database) -> rusqlite::Result<()> {
    database
        .prepare_cached("DELETE FROM pending")?
        .execute([])
        .map(drop)
}

/// Enters what is pending as a commit of its own. Its content is on the disk already.
pub(super) fn settle(database: &mut Database) -> Result<(), Failure> {
    if !is_left(database)? {
        return Ok(());
    }
    database.sync(false)?;
    let transaction = Transaction::new_unchecked(database, TransactionBehavior::Immediate)?;
    let entered = enter_left(database);
    if entered.is_err() {
        database.forget();
    }
    entered?;
    Ok(transaction.commit()?)
}

/// Writes a batch down, if nothing but the file can make it fail from then on.
fn note(
    database: &mut Database,
    batch: &[Change],
    bytes: &[u8],
) -> Result<Option<Places>, Failure> {
    database.sync(true)?;
    let transaction = Transaction::new_unchecked(database, TransactionBehavior::Immediate)?;
    enter_left(database)?;
    let Some(places) = commit::certain_places(database, batch)? else {
        return Ok(None);
    };
    database
        .prepare_cached("INSERT INTO pending (batch) VALUES (?1)")?
        .execute([bytes])?;
    transaction.commit()?;
    Ok(Some(places))
}

impl SqliteStore {
    /// Commits a batch by writing it down; none if it has to be written to the tables at once.
    pub(super) fn commit_pending(&self, batch: &[Change]) -> Option<Result<(), Error>> {
        if batch.len() < FEWEST {
            return None;
        }
        let bytes = postcard::to_allocvec(batch).ok()?;
        if bytes.len() > MOST_BYTES {
            return None;
        }
        self.pending.wait();
        let lent = self
            .turn()
            .and_then(|turn| Ok((turn, self.idle_database()?)));
        let (turn, mut database) = match lent {
            Ok(lent) => lent,
            Err(error) => return Some(Err(error)),
        };
        match note(&mut database, batch, &bytes) {
            Ok(Some(places)) => {
                let batch = batch.to_vec();
                let entry = Entry {
                    database,
                    turn,
                    batch,
                    places,
                };
                self.pending.give(entry, &self.idle);
                Some(Ok(()))
            }
            refused => {
                database.forget();
                self.idle.release(database);
                refused
                    .map_err(|failure| self.describe(failure))
                    .err()
                    .map(Err)
            }
        }
    }

    /// Works with a connection for which something is pending that this process does not enter just now.
    pub(super) fn with_left<T>(
        &self,
        database: &mut Database,
        work: impl FnOnce(&Database) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let begun = Instant::now();
        while self.access != Access::Write && is_left(database)? {
            if self.access == Access::Immutable || begun.elapsed() > self.patience {
                return Err(left_behind(&self.path).into());
            }
            thread::sleep(LOOK_AGAIN);
        }
        if self.access != Access::Write {
            return work(database);
        }
        let _turn = self.turn()?;
        if settle(database).is_ok() {
            return work(database);
        }
        // There is no room to write it, but it is read as if it were there.
        database.execute_batch("BEGIN IMMEDIATE")?;
        let done = enter_left(database).and_then(|()| work(database));
        database.forget();
        database.execute_batch("ROLLBACK")?;
        done
    }
}
