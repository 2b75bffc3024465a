//! Owns what is done to a file as a whole: indices brought up to date, room given back, the file written anew, and checked.
//!
//! Everything but writing it anew is done in pieces, and others write in between.

use twiceshy_wit::host::Error;

use super::database::Database;
use super::failure::{Failure, busy};
use super::{Access, SqliteStore, Usage, codes, integrity, texts, usage, vectors};

/// Pages that are given back at once: 4 MiB.
const GIVEN_BACK: u32 = 1_024;

/// How many entries of an index are looked at for its statistics.
const ANALYSED: u32 = 1_000;

impl SqliteStore {
    /// Writes the whole file anew, so that no word of what was removed is left in it or in its log. Others wait
    /// meanwhile; as long as somebody reads what was there before, it fails and can be done again.
    ///
    /// Overwriting what is removed (`secure_delete`) is not enough: when SQLite moves a row from page to page, it may
    /// leave a copy behind in a part of the page that it does not use.
    pub fn rewrite(&self) -> Result<(), Error> {
        self.settle_group();
        self.write(true, |connection, _| {
            // Samples of values would outlive the documents that had them, and no plan depends on values.
            if connection.table_exists(None, "sqlite_stat4")? {
                connection.execute_batch("DELETE FROM sqlite_stat4")?;
            }
            Ok(())
        })?;
        self.settle_group();
        let _turn = self.turn()?;
        let is_read = self.with(|connection| {
            connection.execute_batch("VACUUM")?;
            let log = "PRAGMA wal_checkpoint(TRUNCATE)";
            Ok(connection.query_row(log, [], |row| row.get::<_, bool>(0))?)
        })?;
        match is_read {
            true => Err(busy(&self.path, self.patience)),
            false => Ok(()),
        }
    }

    /// Gives pages that nothing uses any more back to the system, some at a time, so that others can write meanwhile. What they
    /// free in between is left for the next time.
    pub fn give_back(&self) -> Result<(), Error> {
        self.settle_group();
        let free = |database: &Database| -> Result<u32, Failure> {
            Ok(database.pragma_query_value(None, "freelist_count", |row| row.get(0))?)
        };
        let pieces = match self.access {
            Access::Write => self.with(free)?.div_ceil(GIVEN_BACK),
            Access::Read | Access::Immutable => 0,
        };
        for _ in 0..pieces {
            let mut given = 0;
            self.write(false, |database, _| {
                let before = free(database)?;
                let sql = format!("PRAGMA incremental_vacuum({GIVEN_BACK})");
                let mut statement = database.prepare(&sql)?;
                let mut rows = statement.query([])?;
                while rows.next()?.is_some() {}
                given = before.saturating_sub(free(database)?);
                Ok(())
            })?;
            // A file that was made before pages could be given back has them until it is written anew.
            if given == 0 {
                break;
            }
        }
        self.with(|database| {
            // Others who read keep some of the log in use; the next commits carry over what is left.
            let _ = database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            Ok(())
        })
    }

    /// What takes how much of the file, the largest first. Reads the whole file.
    pub fn usage(&self) -> Result<Vec<Usage>, Error> {
        self.read(|database| Ok(usage::usage(database)?))
    }

    /// Looks for damage: what is wrong, one line each; nothing if all is well. Reads the whole file.
    pub fn integrity(&self) -> Result<Vec<String>, Error> {
        self.with(|database| integrity::problems(database))
    }

    /// Brings every index up to date, and mends what can be made again. Writers get their turn between the pieces.
    pub(super) fn settle_indices(&self) -> Result<(), Error> {
        self.settle_group();
        for kind in self.read(|database| Ok(texts::kinds(database)?))? {
            self.write(true, |database, _| Ok(texts::settle(database, kind)?))?;
        }
        for kind in self.read(|database| Ok(vectors::kinds(database)?))? {
            self.write(true, |database, _| Ok(codes::mend(database, kind)?))?;
        }
        self.write(true, |database, _| {
            Ok(database.execute_batch(&format!(
                "PRAGMA analysis_limit = {ANALYSED}; PRAGMA optimize"
            ))?)
        })
    }
}
