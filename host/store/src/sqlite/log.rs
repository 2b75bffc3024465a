//! Owns the write-ahead log: when the disk has it, and when it is carried over into the file.

use std::time::Duration;

use rusqlite::Connection;
use twiceshy_wit::host::Error;

use super::{Access, LONGEST_LOG, SqliteStore, turn};

impl SqliteStore {
    /// Waits until the disk has everything that was committed, light commits included. Light commits and this cost one wait
    /// for the disk, however many they are.
    ///
    /// # Errors
    /// If the system can't write it. What was committed is still seen by every process until the machine ends.
    pub fn sync(&self) -> Result<(), Error> {
        let synced = (|| {
            // Whatever opened it: the system writes what any process put into it.
            std::fs::OpenOptions::new()
                .write(true)
                .open(self.beside("-wal"))?
                .sync_data()?;
            match self.path.parent() {
                #[cfg(unix)]
                Some(directory) if !self.had_log => std::fs::File::open(directory)?.sync_all(),
                _ => Ok(()),
            }
        })();
        match synced {
            // Nothing was ever committed, or another program carried the log over and removed it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            synced => synced.map_err(|error| {
                Error::Other(format!(
                    "the log of {} can't be written to the disk: {error}",
                    self.path.display()
                ))
            }),
        }
    }

    /// Carries a long log over into the file, so that whoever opens it next has less to read and the next commits need not do
    /// it. Leaves it to others if somebody writes.
    ///
    /// # Errors
    /// If the store can't be opened once more.
    pub fn shorten_log(&self) -> Result<(), Error> {
        if self.access != Access::Write {
            return Ok(());
        }
        self.pending.wait();
        let Some(_turn) = turn::wait(&self.beside("-turn"), Duration::ZERO) else {
            return Ok(());
        };
        let database = self.idle_database()?;
        shorten_log(&database, LONGEST_LOG);
        self.idle.release(database);
        Ok(())
    }
}

/// Carries a long log over into the file, so that the commit that follows begins a new one. SQLite's own
/// way, after a commit, does not serve processes that make one commit and end: what it carried over is
/// forgotten with the last process, and the log would only grow. If it fails the log stays as it is.
pub(super) fn shorten_log(connection: &Connection, longest: i64) {
    let checkpoint = |mode: &str| -> rusqlite::Result<(i64, i64)> {
        connection
            .prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?
            .query_row([], |row| Ok((row.get(1)?, row.get(2)?)))
    };
    if let Ok((pages, carried_over)) = checkpoint("NOOP")
        && pages > longest
        && carried_over < pages
    {
        let _ = checkpoint("PASSIVE");
    }
}
