//! Steps that hooks told of lately: one that an agent reports over MCP as well counts once.
//!
//! A file beside the memory, with hashes of commands and no word of them in it. Host and agent speak of the same step within the
//! time that a model takes to answer; each entry stands for one report. The hook and the server of one host have its processes above
//! them, so that two hosts which do the same in one project are told apart.

use std::{
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use twiceshy::Project;

use super::{common_file, line_of_work::text_hash};

const FILE: &str = "told.json";

/// How many are remembered.
const MOST: usize = 64;

/// How long, in milliseconds: a model thinks before it reports.
const LATELY_MS: u64 = 120_000;

/// The steps of a project that hooks told of.
pub(crate) struct Told {
    path: PathBuf,
    /// The processes of the host that speaks here, the nearest first.
    host: Vec<u64>,
}

/// A step that a hook told of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    command: u64,
    failed: bool,
    /// Whether the host passed on what is known.
    answered: bool,
    /// When, in milliseconds since 1970.
    at: u64,
    /// The processes of the host that told of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    host: Vec<u64>,
}

impl Entry {
    fn is_recent(&self, now: u64) -> bool {
        // A clock that was set back makes nothing recent.
        (self.at..=self.at.saturating_add(LATELY_MS)).contains(&now)
    }

    /// Whether this host told of it, as far as that can be said.
    fn is_of(&self, host: &[u64]) -> bool {
        let (Some(teller), Some(asker)) = (self.host.first(), host.first()) else {
            return true;
        };
        host.contains(teller) || self.host.contains(asker)
    }
}

impl Told {
    /// Of a project, as the host with these processes knows it.
    pub(crate) fn of(project: &Project, host: Vec<u64>) -> Self {
        Self {
            path: project.directory().join(FILE),
            host,
        }
    }

    /// Enters a step. If that fails, it may count twice.
    pub(crate) fn add(&self, line: &str, failed: bool, answered: bool) {
        let now = now();
        let _ = common_file::change(&self.path, true, |entries: &mut Vec<Entry>| {
            entries.retain(|entry| entry.is_recent(now));
            entries.push(Entry {
                command: hash(line),
                failed,
                answered,
                at: now,
                host: self.host.clone(),
            });
            let excess = entries.len().saturating_sub(MOST);
            entries.drain(..excess);
        });
    }

    /// Whether a hook told of this step, and if so, whether its host passed on what is known. It is told no more.
    pub(crate) fn take(&self, line: &str, failed: bool) -> Option<bool> {
        let (command, now) = (hash(line), now());
        let mut answered = None;
        let _ = common_file::change(&self.path, false, |entries: &mut Vec<Entry>| {
            let is_it = |entry: &Entry| {
                entry.command == command
                    && entry.failed == failed
                    && entry.is_recent(now)
                    && entry.is_of(&self.host)
            };
            if let Some(at) = entries.iter().position(is_it) {
                answered = Some(entries.remove(at).answered);
            }
        });
        answered
    }
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or_default()
}

/// A line by what is run, whatever shell it was handed to.
fn hash(line: &str) -> u64 {
    let parsed = twiceshy_shell::parse(line);
    text_hash(&twiceshy_shell::one_line(&parsed.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_known_once_by_its_command_and_its_outcome() {
        let directory = tempfile::tempdir().expect("a directory");
        let told = Told {
            path: directory.path().join(FILE),
            host: Vec::new(),
        };
        assert_eq!(told.take("make", true), None);
        told.add("bash -lc 'make all'", true, true);
        assert_eq!(told.take("make all", false), None);
        assert_eq!(told.take("make", true), None);
        assert_eq!(told.take("make all", true), Some(true));
        assert_eq!(told.take("make all", true), None);
    }

    #[test]
    fn a_step_that_another_host_told_of_is_another_step() {
        let directory = tempfile::tempdir().expect("a directory");
        let told_by = |host: &[u64]| Told {
            path: directory.path().join(FILE),
            host: host.to_vec(),
        };
        // A host, and the program that started it.
        told_by(&[2, 1]).add("make", true, true);
        assert_eq!(told_by(&[4, 3]).take("make", true), None);
        assert_eq!(
            told_by(&[5, 1]).take("make", true),
            None,
            "both by one program"
        );
        assert_eq!(told_by(&[2, 1]).take("make", true), Some(true));
        told_by(&[2, 1]).add("make", true, true);
        let wrapped = told_by(&[6, 2, 1]).take("make", true);
        assert_eq!(wrapped, Some(true), "its server has a wrapper");
        told_by(&[2, 1]).add("make", true, true);
        assert_eq!(
            told_by(&[]).take("make", true),
            Some(true),
            "nobody can tell"
        );
    }

    #[test]
    fn what_was_told_long_ago_or_by_another_clock_is_another_step() {
        let entry = Entry {
            command: 1,
            failed: true,
            answered: true,
            at: 1_000_000,
            host: Vec::new(),
        };
        assert!(entry.is_recent(1_000_000) && entry.is_recent(1_000_000 + LATELY_MS));
        assert!(!entry.is_recent(1_000_001 + LATELY_MS) && !entry.is_recent(999_999));
    }
}
