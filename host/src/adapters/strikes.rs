//! Strikes: how often an adapter has failed in a row.
//!
//! Owns the counting, which outlives a process: every hook is a new one, and an adapter that takes a second to fail
//! would cost a second at every step. A strike is a crash, a timeout, too much memory or an answer that breaks the
//! contract; any call that ends otherwise ends the row, whichever process has counted it. One small file for each
//! content of an adapter: a new version starts clean. Where nothing can be written, a process counts for itself.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

use super::files;
use crate::{PluginError, SystemClock, limits};
use twiceshy_wit::host::Clock;

/// What is kept of the last failure, in characters.
const LAST_CHARACTERS: usize = 300;

/// The strikes of one adapter.
#[derive(Debug)]
pub(crate) struct Strikes {
    file: PathBuf,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    record: Option<StrikeRecord>,
    /// Whether it is in the file, too.
    written: bool,
}

/// Failures in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct StrikeRecord {
    /// How many.
    pub count: u32,
    /// The kind and the words of the last one.
    pub last: String,
    /// When it was, in milliseconds since the Unix epoch.
    pub at: u64,
}

impl StrikeRecord {
    /// Whether the adapter is not called any more.
    pub fn is_quarantine(&self) -> bool {
        self.count >= limits::STRIKES
    }
}

impl Strikes {
    /// The strikes of the adapter with this content, in a directory that need not exist yet.
    pub(crate) fn of(directory: &Path, name: &str, sha256: &str) -> Self {
        let file = directory.join(format!(
            "{name}-{}.json",
            sha256.get(..32).unwrap_or(sha256)
        ));
        let record = read(&file);
        Self {
            known: Mutex::new(Known {
                written: record.is_some(),
                record,
            }),
            file,
        }
    }

    /// What was counted.
    pub(crate) fn record(&self) -> Option<StrikeRecord> {
        self.known().record.clone()
    }

    /// The record, if it is a quarantine. Somebody may have released the adapter since: then it is none.
    pub(crate) fn quarantine(&self) -> Option<StrikeRecord> {
        let mut known = self.known();
        if !known.record.as_ref()?.is_quarantine() {
            return None;
        }
        if known.written {
            known.record = read(&self.file);
            known.written = known.record.is_some();
        }
        known.record.clone().filter(StrikeRecord::is_quarantine)
    }

    /// Counts a failure.
    pub(crate) fn add(&self, error: &PluginError) {
        let mut known = self.known();
        // Others may have counted since, or ended the row.
        let lock = self.lock();
        if lock.is_some() && (known.written || known.record.is_none()) {
            known.record = read(&self.file);
        }
        let said = format!("{}: {}", error.kind.as_str(), error.message);
        let record = StrikeRecord {
            count: known.record.as_ref().map_or(0, |record| record.count) + 1,
            last: said.chars().take(LAST_CHARACTERS).collect(),
            at: SystemClock.now(),
        };
        known.written = lock.is_some()
            && serde_json::to_vec(&record)
                .is_ok_and(|bytes| files::write(&self.file, &bytes).is_ok());
        known.record = Some(record);
    }

    /// Ends the row, after a call that was no failure. A quarantine stays until the adapter is released.
    pub(crate) fn clear(&self) {
        let mut known = self.known();
        known.record = None;
        // Others may have counted what this process has not seen; a look is all that it costs if nobody has.
        if !self.file.exists() {
            known.written = false;
            return;
        }
        let _lock = self.lock();
        known.record = read(&self.file).filter(StrikeRecord::is_quarantine);
        known.written = known.record.is_some();
        if !known.written {
            let _ = fs::remove_file(&self.file);
        }
    }

    /// Forgets all that was counted, also a quarantine.
    pub(crate) fn forget(&self) {
        let mut known = self.known();
        *known = Known::default();
        if self.file.exists() {
            let _lock = self.lock();
            let _ = fs::remove_file(&self.file);
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held while the file is read and written. None where there is no place for it.
    fn lock(&self) -> Option<files::Lock> {
        files::Lock::of(self.file.parent()?).ok()
    }
}

fn read(file: &Path) -> Option<StrikeRecord> {
    // A file that can't be read counts as none: the next failure writes it again.
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::PluginErrorKind;

    fn failure() -> PluginError {
        PluginError::new("odd", PluginErrorKind::Trap, "it crashed")
    }

    #[test]
    fn strikes_of_many_processes_add_up_until_they_are_forgotten() {
        let directory = tempfile::tempdir().unwrap();
        let of = || Strikes::of(directory.path(), "odd", "00");
        // Each has looked before any other has counted, as processes at the same time.
        let all: Vec<_> = (0..8).map(|_| of()).collect();
        thread::scope(|scope| {
            for strikes in &all {
                scope.spawn(|| strikes.add(&failure()));
            }
        });
        let strikes = of();
        assert_eq!(strikes.record().unwrap().count, 8);
        assert_eq!(strikes.quarantine().unwrap().last, "trap: it crashed");
        strikes.clear();
        assert_eq!(of().record().unwrap().count, 8, "a quarantine stays");
        strikes.forget();
        assert_eq!(of().record(), None);
        assert_eq!(all[0].quarantine(), None, "whoever looks again sees it");
    }

    #[test]
    fn a_success_ends_the_row_that_another_process_has_counted() {
        let directory = tempfile::tempdir().unwrap();
        let of = || Strikes::of(directory.path(), "odd", "00");
        let (one, other) = (of(), of());
        one.clear();
        other.add(&failure());
        other.add(&failure());
        one.clear();
        other.add(&failure());
        assert_eq!(of().record().unwrap().count, 1);
    }

    #[test]
    fn another_content_starts_clean() {
        let directory = tempfile::tempdir().unwrap();
        Strikes::of(directory.path(), "odd", "00").add(&failure());
        assert_eq!(Strikes::of(directory.path(), "odd", "01").record(), None);
    }

    #[test]
    fn where_nothing_can_be_written_a_process_counts_for_itself() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let strikes = Strikes::of(&file.path().join("no/directory"), "odd", "00");
        for _ in 0..limits::STRIKES {
            assert_eq!(strikes.quarantine(), None);
            strikes.add(&failure());
        }
        assert!(strikes.quarantine().is_some());
    }
}
