//! Owns commits that threads of one process make at once: what came while one was being made is made together, with one wait
//! for the disk.
//!
//! Each is still made as a whole or not at all, in the order in which they came, and whoever made it is told for itself what came
//! of it, when the disk has it. A commit that nobody came in between with is made at once.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use twiceshy_wit::host::{Change, Error};

use super::failure::busy;
use super::group::{one, whole};
use super::{SqliteStore, commit};

/// So many are made together at most: nobody waits for more than that.
const MOST: usize = 64;

/// Who makes commits just now, and who waits.
#[derive(Debug, Default)]
pub(super) struct Together {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_led: bool,
    waiting: VecDeque<Waiting>,
    next: u64,
    made: HashMap<u64, Result<(), Error>>,
}

/// A commit of a thread that waits for another one.
#[derive(Debug)]
struct Waiting {
    number: u64,
    batch: Vec<Change>,
}

impl Together {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right of one thread to make commits, until it is dropped.
struct Lead<'t>(&'t Together);

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        self.0.lock().is_led = false;
        self.0.changed.notify_all();
    }
}

impl SqliteStore {
    /// Commits a batch, perhaps together with those of other threads.
    pub(super) fn commit_together(&self, batch: &[Change]) -> Result<(), Error> {
        let together = &self.together;
        let mut state = together.lock();
        // Who came before is not passed.
        if !state.is_led && state.waiting.is_empty() {
            state.is_led = true;
            drop(state);
            let _lead = Lead(together);
            return self.commit_alone(batch);
        }
        let number = state.next;
        state.next += 1;
        let batch = batch.to_vec();
        state.waiting.push_back(Waiting { number, batch });
        let until = Instant::now() + self.patience;
        loop {
            if let Some(made) = state.made.remove(&number) {
                return made;
            }
            if !state.is_led {
                // Neither made nor waiting: the thread that had it ended in the middle.
                if state.waiting.is_empty() {
                    return Err(Error::Unavailable(
                        "whoever made this commit ended in the middle of it; look whether it is there, and try again"
                            .to_owned(),
                    ));
                }
                state.is_led = true;
                let count = state.waiting.len().min(MOST);
                let all: Vec<Waiting> = state.waiting.drain(..count).collect();
                drop(state);
                let lead = Lead(together);
                let made = self.commit_all(&all);
                let numbers = all.iter().map(|one| one.number);
                together.lock().made.extend(numbers.zip(made));
                drop(lead);
                state = together.lock();
                continue;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero()
                && let Some(place) = state.waiting.iter().position(|one| one.number == number)
            {
                state.waiting.remove(place);
                return Err(busy(&self.path, self.patience));
            }
            // What is being made is waited for to its end.
            state = match left.is_zero() {
                true => together.changed.wait(state),
                false => match together.changed.wait_timeout(state, left) {
                    Ok((state, _)) => Ok(state),
                    Err(poison) => Ok(poison.into_inner().0),
                },
            }
            .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What comes of each of some commits that are made in one transaction.
    fn commit_all(&self, all: &[Waiting]) -> Vec<Result<(), Error>> {
        if let [alone] = all {
            return vec![self.commit_alone(&alone.batch)];
        }
        let mut made = Vec::new();
        let done = whole(|| {
            let written = self.write(true, |database, fresh| {
                made.clear();
                for each in all {
                    let result = one(database, &mut |database, _| {
                        commit::apply(database, &each.batch, None, fresh)
                    });
                    match result {
                        // Some failures take the whole transaction with them.
                        Err(failure) if database.is_autocommit() => return Err(failure),
                        result => made.push(result.map_err(|failure| self.describe(failure))),
                    }
                }
                Ok(())
            });
            Ok(written?)
        });
        match done {
            Ok(()) => made,
            Err(failure) => vec![Err(self.describe(failure)); all.len()],
        }
    }

    /// Commits a batch by itself.
    fn commit_alone(&self, batch: &[Change]) -> Result<(), Error> {
        if let Some(committed) = self.commit_pending(batch) {
            return committed;
        }
        self.write(true, |database, fresh| {
            commit::apply(database, batch, None, fresh)
        })
    }
}
