//! Owns commits that the disk has and the tables have not yet.
//!
//! What a batch of several documents changes lies all over the file, and a commit that waits until the disk has all of
//! it waits long. So such a batch is first written down as it is, in one row: with that it is made. What this process has
//! written down it answers for from memory, so that whoever commits again and again waits for nothing else. A thread
//! enters it into the tables, several batches at once: when nobody has committed for a moment, when it has become much, or
//! when something is asked that only the tables know. Other processes that read or write enter it themselves first, and
//! what a process that was killed left is entered by the next one.
//!
//! **Who has both the turn to write and what is noted took the turn first.** So whoever has the turn, and saw that
//! nothing is noted, knows that nothing will be.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::{Transaction, TransactionBehavior};
use twiceshy_wit::host::{Change, Error};

use super::accepted::Accepted;
use super::commit;
use super::database::Database;
use super::failure::{Failure, busy, left_behind};
use super::group::whole;
use super::{Access, Idle, LONGEST_LOG, LOOK_AGAIN, SqliteStore, log, texts, turn};

/// Batches of fewer changes are hardly anything but themselves.
const FEWEST: usize = 3;

/// Larger batches are written once, not twice.
const MOST_BYTES: usize = 256 << 10;

/// So many batches are noted at most: whoever commits the next one waits until they are entered.
const MOST_NOTED: usize = 16;

/// If nobody has committed for so long, what is noted is entered. Longer than slow disks take for a commit.
const REST: Duration = Duration::from_millis(20);

/// What this process has to enter.
#[derive(Default)]
pub(super) struct Pending {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Something was entered or written down.
    changed: Condvar,
    /// There is something to enter.
    work: Condvar,
}

#[derive(Default)]
struct State {
    noted: Option<Noted>,
    /// Somebody has what is noted, to write more down or to enter it.
    is_lent: bool,
    /// Somebody waits until everything is entered.
    is_awaited: bool,
    is_over: bool,
}

/// Batches that were written down and are not in the tables.
struct Noted {
    /// What wrote them down: it knows whether somebody else has written since.
    writer: Database,
    /// The version of the file's data, as the writer sees it.
    version: i64,
    accepted: Accepted,
    last: Instant,
}

/// Where the turn of writers is waited for, and how long.
struct Queue {
    file: PathBuf,
    patience: Duration,
}

impl fmt::Debug for Pending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Pending")
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// What is noted, when nobody else has it.
    fn settled(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while state.is_lent {
            state = self.wait(state);
        }
        state
    }

    fn take(&self) -> Option<Noted> {
        let mut state = self.settled();
        state.is_lent = true;
        state.noted.take()
    }

    fn give_back(&self, noted: Option<Noted>) {
        let mut state = self.lock();
        state.is_lent = false;
        state.is_awaited &= noted.is_some();
        state.noted = noted;
        self.changed.notify_all();
    }

    /// Enters what is noted whenever it is time, until the store is closed.
    fn enter_all(&self, queue: &Queue, idle: &Idle) {
        loop {
            let state = self.settled();
            let Some(noted) = &state.noted else {
                if state.is_over {
                    return;
                }
                drop(self.work.wait(state));
                continue;
            };
            let rest = REST.saturating_sub(noted.last.elapsed());
            if state.is_over || state.is_awaited || noted.is_much() || rest.is_zero() {
                drop(state);
                self.enter(queue, idle);
            } else {
                drop(self.work.wait_timeout(state, rest));
            }
        }
    }

    fn enter(&self, queue: &Queue, idle: &Idle) {
        let turn = turn::wait(&queue.file, queue.patience);
        if let Some(mut noted) = self.take() {
            // What fails stays in its rows, and whoever needs it next is told why.
            let entered = turn.is_some() && whole(|| noted.enter()).is_ok();
            let Noted {
                writer, accepted, ..
            } = noted;
            if let Ok(before) = accepted.into_connection() {
                idle.release(before);
            }
            if entered {
                log::shorten_log(&writer, LONGEST_LOG);
                idle.release(writer);
            }
        }
        self.give_back(None);
    }
}

impl Noted {
    /// Nothing, over a file in which nothing is pending; in the transaction of the writer, in which nobody else writes.
    /// None if somebody got in between.
    fn begin(store: &SqliteStore) -> Result<Option<Noted>, Failure> {
        let mut writer = store.idle_database()?;
        settle(&mut writer)?;
        writer.sync(true)?;
        log::shorten_log(&writer, LONGEST_LOG);
        begin(&writer)?;
        if is_left(&writer)? {
            roll_back(&writer)?;
            return Ok(None);
        }
        Ok(Some(Noted {
            version: version(&writer)?,
            accepted: Accepted::new(store.idle_database()?)?,
            writer,
            last: Instant::now(),
        }))
    }

    fn is_much(&self) -> bool {
        self.accepted.waiting.len() >= MOST_NOTED
    }

    /// Whether nobody else has written since.
    fn is_current(&self) -> rusqlite::Result<bool> {
        Ok(version(&self.writer)? == self.version)
    }

    /// Writes a batch down in the open transaction, and ends that; says whether it did. Otherwise nothing but the file
    /// could still make it fail.
    fn note(&mut self, batch: &[Change], bytes: &[u8]) -> Result<bool, Failure> {
        let is_accepted = self.accepted.accept(batch);
        if !matches!(is_accepted, Ok(true)) {
            roll_back(&self.writer)?;
            return is_accepted;
        }
        let written = (|| {
            self.writer
                .prepare_cached("INSERT INTO pending (batch) VALUES (?1)")?
                .execute([bytes])?;
            self.writer.prepare_cached("COMMIT")?.execute([])
        })();
        if let Err(error) = written {
            // It was accepted and is not there: nobody may ask here any more.
            self.version = -1;
            roll_back(&self.writer)?;
            return Err(error.into());
        }
        self.last = Instant::now();
        Ok(true)
    }

    fn enter(&mut self) -> Result<(), Failure> {
        if self.accepted.waiting.is_empty() {
            return Ok(());
        }
        self.writer.sync(false)?;
        let transaction = Transaction::new_unchecked(&self.writer, TransactionBehavior::Immediate)?;
        // Whoever wrote since has entered it first.
        if !self.is_current()? {
            return Ok(());
        }
        for batch in self.accepted.waiting.drain(..) {
            let places = Some(batch.places);
            commit::apply(&self.writer, &batch.changes, places, texts::MOST_FRESH)?;
        }
        forget_all(&self.writer)?;
        Ok(transaction.commit()?)
    }
}

impl Pending {
    /// Waits until this process has entered what it has to.
    pub(super) fn wait(&self) {
        let mut state = self.shared.settled();
        while state.noted.is_some() || state.is_lent {
            if !state.is_awaited {
                state.is_awaited = true;
                self.shared.work.notify_all();
            }
            state = self.shared.wait(state);
        }
    }

    /// Whether there is nothing that this process has to enter.
    pub(super) fn is_empty(&self) -> bool {
        self.shared.settled().noted.is_none()
    }

    /// Sees to it that there is a thread that enters; says whether there is.
    fn has_thread(&self, store: &SqliteStore) -> bool {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            let (shared, idle) = (self.shared.clone(), store.idle.clone());
            let queue = store.queue();
            let new = thread::Builder::new().spawn(move || shared.enter_all(&queue, &idle));
            *thread = new.ok();
        }
        thread.is_some()
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.work.notify_all();
        let thread = self.thread.get_mut();
        if let Some(thread) = thread.unwrap_or_else(PoisonError::into_inner).take() {
            let _ = thread.join();
        }
    }
}

fn version(database: &Database) -> rusqlite::Result<i64> {
    database
        .prepare_cached("PRAGMA data_version")?
        .query_row([], |row| row.get(0))
}

fn begin(database: &Database) -> rusqlite::Result<()> {
    let mut begin = database.prepare_cached("BEGIN IMMEDIATE")?;
    begin.execute([]).map(drop)
}

/// Ends a transaction without a trace, if it has not ended by itself.
fn roll_back(database: &Database) -> rusqlite::Result<()> {
    database.forget();
    if !database.is_autocommit() {
        database.prepare_cached("ROLLBACK")?.execute([])?;
    }
    Ok(())
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

impl SqliteStore {
    fn queue(&self) -> Queue {
        Queue {
            file: self.beside("-turn"),
            patience: self.patience,
        }
    }

    /// Commits a batch by writing it down; none if it has to be written to the tables at once.
    pub(super) fn commit_pending(&self, batch: &[Change]) -> Option<Result<(), Error>> {
        let Pending { shared, .. } = &self.pending;
        let mut state = shared.settled();
        if self.access != Access::Write || (state.noted.is_none() && batch.len() < FEWEST) {
            return None;
        }
        let bytes = postcard::to_allocvec(batch).ok()?;
        if bytes.len() > MOST_BYTES {
            return None;
        }
        // What is much, or awaited, is entered first.
        while state.is_lent || state.is_awaited || state.noted.as_ref().is_some_and(Noted::is_much)
        {
            shared.work.notify_all();
            state = shared.wait(state);
        }
        drop(state);
        if !self.pending.has_thread(self) {
            return None;
        }
        let Some(_turn) = turn::wait(&self.beside("-turn"), self.patience) else {
            return Some(Err(busy(&self.path, self.patience)));
        };
        let mut noted = shared.take();
        let is_first = noted.is_none();
        let made = self.note(&mut noted, batch, &bytes);
        let is_much = noted.as_ref().is_some_and(Noted::is_much);
        shared.give_back(noted);
        if is_first || is_much {
            shared.work.notify_all();
        }
        match made {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(failure) => Some(Err(self.describe(failure))),
        }
    }

    /// Writes a batch down behind what is noted; says whether it did.
    fn note(
        &self,
        noted: &mut Option<Noted>,
        batch: &[Change],
        bytes: &[u8],
    ) -> Result<bool, Failure> {
        if let Some(known) = noted {
            begin(&known.writer)?;
            if !known.is_current()? {
                roll_back(&known.writer)?;
                self.drop_noted(noted);
            }
        }
        if noted.is_none() {
            *noted = Noted::begin(self)?;
        }
        match noted {
            Some(noted) => noted.note(batch, bytes),
            None => Ok(false),
        }
    }

    /// Forgets what is noted: somebody else has entered it, or it is entered from its rows.
    fn drop_noted(&self, noted: &mut Option<Noted>) {
        if let Some(Noted {
            writer, accepted, ..
        }) = noted.take()
        {
            self.idle.release(writer);
            if let Ok(before) = accepted.into_connection() {
                self.idle.release(before);
            }
        }
    }

    /// Asks about documents as what is noted left them; none if nothing is noted, or only the tables know.
    pub(super) fn ask_noted<T>(
        &self,
        ask: impl FnOnce(&mut Accepted) -> Result<Option<T>, Failure>,
    ) -> Option<Result<T, Error>> {
        let mut state = self.pending.shared.settled();
        let noted = state.noted.as_mut()?;
        match noted.is_current() {
            Ok(true) => {}
            _ => {
                self.drop_noted(&mut state.noted);
                state.is_awaited = false;
                self.pending.shared.changed.notify_all();
                return None;
            }
        }
        let answer = ask(&mut noted.accepted).transpose()?;
        Some(answer.map_err(|failure| self.describe(failure)))
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
