//! Owns the queue of writers: whose turn it is to commit.
//!
//! SQLite's own lock is asked for again and again, and on a busy machine a writer may find it taken
//! every time. So writers first queue for a lock on a file beside the store (`-turn`), which the system hands
//! from one to the next. A program that does not know of the queue is still kept apart by SQLite.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The right to commit, until it is dropped. Without a place for the queue's file there is no queue, and
/// SQLite's lock alone decides.
#[derive(Debug)]
pub struct Turn {
    queue: Option<File>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        // A process that was forked meanwhile has the file open, too: closing it here would not give the turn away.
        if let Some(queue) = &self.queue {
            let _ = queue.unlock();
        }
    }
}

/// Waits for the turn. None if it does not come in time.
pub fn wait(path: &Path, patience: Duration) -> Option<Turn> {
    let Ok(queue) = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
    else {
        return Some(Turn { queue: None });
    };
    match queue.try_lock() {
        Ok(()) => return Some(Turn { queue: Some(queue) }),
        Err(TryLockError::Error(_)) => return Some(Turn { queue: None }),
        Err(TryLockError::WouldBlock) => {}
    }
    // The system's queue knows no end of patience, so a thread waits there and this one waits for it. If it
    // comes too late, the lock is dropped with the file.
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        if queue.lock().is_ok() {
            let _ = sender.send(queue);
        }
    });
    match receiver.recv_timeout(patience) {
        Ok(queue) => Some(Turn { queue: Some(queue) }),
        Err(mpsc::RecvTimeoutError::Timeout) => None,
        Err(mpsc::RecvTimeoutError::Disconnected) => Some(Turn { queue: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_given_to_one_at_a_time_and_passed_on() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("memory.db-turn");
        let first = wait(&path, Duration::ZERO).expect("nobody else waits");
        assert!(
            wait(&path, Duration::from_millis(10)).is_none(),
            "it is taken"
        );
        let waiting = thread::spawn({
            let path = path.clone();
            move || wait(&path, Duration::from_secs(60)).is_some()
        });
        drop(first);
        assert!(waiting.join().unwrap());
    }

    #[test]
    fn without_a_place_for_the_queue_everyone_may_try() {
        let nowhere = Path::new("/proc/nowhere/memory.db-turn");
        assert!(wait(nowhere, Duration::ZERO).is_some());
    }
}
