//! Commands that failed in this project and have not worked since: what a hook warns of before they are run again.
//!
//! A file beside the memory, with hashes of commands and the ids of their last failures, and no word of a command in it. A look at it
//! costs no start of the memory. The oldest are forgotten.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};
use twiceshy::Project;

use super::super::{common_file, line_of_work::text_hash};

const FILE: &str = "unfixed.json";

/// How many are remembered.
const MOST: usize = 500;

/// The commands, by the hashes of their texts.
pub(super) struct Unfixed {
    path: PathBuf,
}

/// The last failure of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Failed {
    /// Its event.
    pub(super) event: String,
    /// The session in which it failed last, as a hash.
    pub(super) session: String,
    /// When, in milliseconds since 1970.
    pub(super) at: u64,
}

type Entries = BTreeMap<u64, Failed>;

impl Unfixed {
    pub(super) fn of(project: &Project) -> Self {
        Self {
            path: project.directory().join(FILE),
        }
    }

    /// The command of a line that failed last and has not worked since, with its hash.
    pub(super) fn find(&self, line: &str) -> Option<(u64, Failed)> {
        let file = common_file::open(&self.path, false).ok()?;
        let mut entries: Entries = common_file::parsed(&file)?;
        let known = hashes(line)
            .into_iter()
            .filter_map(|hash| Some((hash, entries.remove(&hash)?)));
        known.max_by_key(|(_, failed)| failed.at)
    }

    /// Whether a part of this line is among them.
    pub(super) fn has(&self, line: &str) -> bool {
        self.find(line).is_some()
    }

    /// Enters a command that failed.
    pub(super) fn add(&self, action: &str, failed: Failed) {
        self.change(true, |entries| {
            entries.insert(text_hash(action), failed);
            while entries.len() > MOST {
                let oldest = entries.iter().min_by_key(|(_, failed)| failed.at);
                if let Some(oldest) = oldest.map(|(hash, _)| *hash) {
                    entries.remove(&oldest);
                }
            }
        });
    }

    /// Takes out commands that work now, or have an answer.
    pub(super) fn remove(&self, solved: &[u64], line: Option<&str>) {
        let line = line.map(hashes).unwrap_or_default();
        self.change(false, |entries| {
            entries.retain(|hash, _| !solved.contains(hash) && !line.contains(hash));
        });
    }

    /// Changes the file while nobody else does. If that fails, a warning is missed.
    fn change(&self, create: bool, change: impl FnOnce(&mut Entries)) {
        let _ = common_file::change(&self.path, create, change);
    }
}

/// The hashes by which a line may be known: as a whole, and each of its commands.
fn hashes(line: &str) -> Vec<u64> {
    let parsed = twiceshy_shell::parse(line);
    let whole = twiceshy_shell::one_line(&parsed.text).into_owned();
    let parts = parsed
        .commands
        .iter()
        .map(|command| text_hash(&command.text));
    [text_hash(line), text_hash(&whole)]
        .into_iter()
        .chain(parts)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(event: &str, at: u64) -> Failed {
        Failed {
            event: event.to_owned(),
            session: "s".to_owned(),
            at,
        }
    }

    #[test]
    fn a_command_is_known_until_it_works_and_only_so_many_are() {
        let directory = tempfile::tempdir().expect("a directory");
        let unfixed = Unfixed::of(&Project::at(directory.path()));
        assert!(!unfixed.has("make"));
        unfixed.remove(&[1], Some("make"));
        unfixed.add("make all", failed("evt_1", 1));
        unfixed.add("npm test", failed("evt_2", 2));
        assert_eq!(
            unfixed
                .find("cd app && make all")
                .map(|(_, one)| one.event)
                .as_deref(),
            Some("evt_1")
        );
        assert!(!unfixed.has("make"));
        unfixed.remove(&[], Some("make all"));
        assert!(!unfixed.has("make all") && unfixed.has("npm test"));
        unfixed.remove(&[text_hash("npm test")], None);
        assert!(!unfixed.has("npm test"));
        for at in 0..600 {
            unfixed.add(&format!("x{at}"), failed("evt", at));
        }
        assert!(!unfixed.has("x99") && unfixed.has("x100"));
    }
}
