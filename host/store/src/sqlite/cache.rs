//! Owns what is known of the pages that connections keep in memory: how often a page was there when it was needed.
//!
//! What is longer than a page SQLite reads past its own cache, from that of the system, and does not count.

use rusqlite::{Connection, ffi};

/// How often a page of the file was needed, by where it was found.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PageUse {
    /// In memory.
    pub hits: u64,
    /// In the file.
    pub misses: u64,
}

impl PageUse {
    /// The share of pages that were in memory; 0 if none was needed.
    pub fn hit_rate(&self) -> f64 {
        let all = self.hits + self.misses;
        if all == 0 {
            return 0.0;
        }
        self.hits as f64 / all as f64
    }
}

/// What one connection has needed since it was opened.
pub fn page_use(connection: &Connection) -> PageUse {
    let read = |what| {
        let (mut now, mut highest) = (0, 0);
        // SAFETY: the handle is that of a connection that is open and used by nobody else meanwhile, because it is
        // borrowed and a connection is not shared between threads; both numbers outlive the call.
        unsafe {
            ffi::sqlite3_db_status(connection.handle(), what, &raw mut now, &raw mut highest, 0);
        }
        u64::try_from(now).unwrap_or_default()
    };
    PageUse {
        hits: read(ffi::SQLITE_DBSTATUS_CACHE_HIT),
        misses: read(ffi::SQLITE_DBSTATUS_CACHE_MISS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_read_again_are_in_memory() {
        let directory = tempfile::tempdir().unwrap();
        let connection = Connection::open(directory.path().join("a.db")).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE t (x);
                 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                 INSERT INTO t SELECT zeroblob(400) FROM n;",
            )
            .unwrap();
        let again = Connection::open(directory.path().join("a.db")).unwrap();
        let read = || {
            again
                .query_row("SELECT sum(length(hex(x))) FROM t", [], |row| {
                    row.get::<_, i64>(0)
                })
                .unwrap()
        };
        read();
        let first = page_use(&again);
        assert!(first.misses > 20, "{first:?}");
        read();
        let second = page_use(&again);
        assert!(second.hits > first.hits + 20, "{second:?}");
        assert!(second.misses < first.misses + 5, "{second:?}");
    }
}
