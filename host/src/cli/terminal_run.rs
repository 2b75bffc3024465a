//! The run of a terminal: what a person tries at a prompt until it works.
//!
//! Owns which commands belong together. A command that fails opens a run; what is typed after it in the same
//! shell, for the same task, goes on in it; and when the commands that failed have worked, or nothing was typed
//! for a while, it ends, so that what was wrong and what was right can be learned from it. A command that works
//! while nothing is open is a run of its own, as is everything that nobody types.
//!
//! Between two commands it is a small file beside the memory, one for each shell, with a run's id and hashes and
//! no word of a command in it. The file is locked while it is used; a second command of the same shell that ends
//! at that very moment is remembered by itself.

use std::{
    fs::{self, File, OpenOptions},
    io::{IsTerminal, Read, Seek, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use nix::{
    fcntl::{Flock, FlockArg},
    sys::stat::fstat,
    unistd::{getppid, getsid},
};
use serde::{Deserialize, Serialize};
use twiceshy::{
    Memory, Project,
    wit::memory::{Ending, Error, NewRun, Observed, Reaction, Run, Runs},
};
use xxhash_rust::xxh3::xxh3_64;

/// The directory of the files, within the memory's.
const DIRECTORY: &str = "terminals";

/// Whoever types nothing for so long has turned to something else.
const IDLE: Duration = Duration::from_secs(15 * 60);

/// A run with more steps than this is no single attempt any more.
const MOST_STEPS: u32 = 100;

/// A file that nobody used for so long belongs to a shell that is gone.
const FORGOTTEN: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The run of one shell, while its file is locked.
pub(crate) struct TerminalRun {
    file: Flock<File>,
    open: Option<Open>,
    /// When the file was written last.
    used: SystemTime,
}

/// An open run between two commands.
#[derive(Debug, Serialize, Deserialize)]
struct Open {
    run: String,
    task: u64,
    /// The commands that failed and have not worked since.
    unsolved: Vec<Attempt>,
}

/// A command, without its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attempt {
    program: u64,
    arguments: u64,
    /// Whether there was such a program.
    started: bool,
}

impl Attempt {
    pub(crate) fn new(command: &[std::ffi::OsString], started: bool) -> Self {
        let hash = |parts: &[std::ffi::OsString]| {
            let mut bytes = Vec::new();
            for part in parts {
                bytes.extend_from_slice(part.as_encoded_bytes());
                bytes.push(0);
            }
            xxh3_64(&bytes)
        };
        let (program, arguments) = command.split_at(1.min(command.len()));
        Self {
            program: hash(program),
            arguments: hash(arguments),
            started,
        }
    }

    /// Whether this command, having worked, is what the other was meant to be: the same program, or the same
    /// arguments for a program that there is.
    fn solves(&self, other: &Self) -> bool {
        self.program == other.program || (!other.started && self.arguments == other.arguments)
    }
}

impl TerminalRun {
    /// The run of the shell that this command was typed in. None if it was not typed in one, if nothing is open
    /// and nothing is to be opened, or if another command of the shell is at it.
    pub(crate) fn of(project: &Project, failed: bool) -> Option<Self> {
        let stderr = std::io::stderr();
        if !stderr.is_terminal() {
            return None;
        }
        let session = getsid(None).ok()?;
        let terminal = fstat(&stderr).ok()?.st_rdev;
        let shell = format!("{} {session} {terminal}", getppid());
        let name = format!("{:016x}", xxh3_64(shell.as_bytes()));
        let directory = project.directory().join(DIRECTORY);
        if failed && !directory.is_dir() {
            project.create().ok()?;
            fs::DirBuilder::new()
                .mode(0o700)
                .create(&directory)
                .or_else(|error| {
                    if directory.is_dir() {
                        Ok(())
                    } else {
                        Err(error)
                    }
                })
                .ok()?;
        }
        Self::lock(&directory.join(name), failed)
    }

    fn lock(path: &Path, create: bool) -> Option<Self> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(create)
            .truncate(false)
            .mode(0o600)
            .open(path)
            .ok()?;
        let mut file = Flock::lock(file, FlockArg::LockExclusiveNonblock).ok()?;
        let metadata = file.metadata().ok()?;
        // Somebody removed it before it was locked: what is written now would be lost.
        if metadata.nlink() == 0 {
            return None;
        }
        let mut text = String::new();
        file.read_to_string(&mut text).ok()?;
        Some(Self {
            // What can't be read is nothing to go on with.
            open: serde_json::from_str(&text).ok(),
            used: metadata.modified().ok()?,
            file,
        })
    }

    /// Takes in a command that was typed: into the open run, or into one that it opens. None if there is nothing
    /// to open, and the command is a run of its own.
    pub(crate) fn take(
        mut self,
        memory: &Memory,
        run: &NewRun,
        observed: &Observed,
        attempt: Attempt,
        ending: &Ending,
    ) -> Result<Option<Reaction>, Error> {
        let failed = has_failed(observed);
        let task = xxh3_64(run.task.as_bytes());
        let over = self.is_idle() || self.open.as_ref().is_some_and(|open| open.task != task);
        if over && let Some(open) = self.open.take() {
            finish(memory, &open.run)?;
        }
        let mut reaction = None;
        if let Some(open) = &self.open {
            match memory.observe(&open.run, observed) {
                Ok(taken) => reaction = Some(taken),
                // Somebody else has ended it.
                Err(Error::NotFound(_) | Error::Conflict(_)) => self.open = None,
                Err(error) => return Err(error),
            }
        }
        if self.open.is_none() && failed {
            let Run { id, .. } = memory.start(run)?;
            // Known before it has a step: a run that nobody knows would stay open for ever.
            self.open = Some(Open {
                run: id.clone(),
                task,
                unsolved: Vec::new(),
            });
            self.save();
            reaction = Some(memory.observe(&id, observed)?);
        }
        if let (Some(mut open), Some(reaction)) = (self.open.take(), &reaction) {
            open.unsolved.retain(|other| !attempt.solves(other));
            if failed {
                open.unsolved.push(attempt);
            }
            if open.unsolved.is_empty() || reaction.index + 1 >= MOST_STEPS {
                memory.finish(&open.run, ending)?;
            } else {
                self.open = Some(open);
            }
        }
        self.save();
        Ok(reaction)
    }

    fn is_idle(&self) -> bool {
        // A clock that was set back is no reason to end anything.
        self.used.elapsed().is_ok_and(|idle| idle >= IDLE)
    }

    /// Writes down what is open. If that fails, the next command begins anew.
    fn save(&mut self) {
        let text = self
            .open
            .as_ref()
            .and_then(|open| serde_json::to_string(open).ok())
            .unwrap_or_default();
        let file = &mut *self.file;
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(text.as_bytes()));
    }
}

/// The run that is open at the terminal that this command was typed at.
pub(crate) fn open_at_this_terminal(project: &Project) -> Option<String> {
    let open = TerminalRun::of(project, false)?.open?;
    Some(open.run)
}

/// Ends the runs of terminals at which nothing was typed for a while, and forgets shells that are gone.
pub(crate) fn end_idle(project: &Project, memory: &Memory) -> Result<(), Error> {
    let Ok(files) = fs::read_dir(project.directory().join(DIRECTORY)) else {
        return Ok(());
    };
    let old = |path: &PathBuf, age: Duration| {
        let written = fs::metadata(path).and_then(|metadata| metadata.modified());
        written.is_ok_and(|written| written.elapsed().is_ok_and(|elapsed| elapsed >= age))
    };
    for path in files.flatten().map(|entry| entry.path()) {
        if !old(&path, IDLE) {
            continue;
        }
        let Some(mut idle) = TerminalRun::lock(&path, false) else {
            continue;
        };
        // Looked at again, now that nobody else is at it.
        if !old(&path, IDLE) {
            continue;
        }
        if let Some(open) = idle.open.take() {
            finish(memory, &open.run)?;
            idle.save();
        } else if old(&path, FORGOTTEN) {
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}

/// Ends a run by how its last step went. One that somebody else has ended is ended.
fn finish(memory: &Memory, run: &str) -> Result<(), Error> {
    let ending = Ending {
        outcome: None,
        score: None,
        referee: None,
    };
    match memory.finish(run, &ending) {
        Ok(_) | Err(Error::NotFound(_) | Error::Conflict(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether a step failed, as the contract says it.
pub(crate) fn has_failed(observed: &Observed) -> bool {
    let feedback = &observed.feedback;
    feedback.hard_failure.is_some()
        || !feedback.constraint_failure.is_empty()
        || feedback
            .progress_signal
            .is_some_and(|progress| progress <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(command: &[&str], started: bool) -> Attempt {
        let command: Vec<_> = command.iter().map(std::ffi::OsString::from).collect();
        Attempt::new(&command, started)
    }

    #[test]
    fn a_command_is_solved_by_its_program_or_by_what_was_meant() {
        let failed = attempt(&["git", "psuh"], true);
        assert!(attempt(&["git", "push"], true).solves(&failed));
        assert!(!attempt(&["ls"], true).solves(&failed));
        let mistyped = attempt(&["gti", "push"], false);
        assert!(attempt(&["git", "push"], true).solves(&mistyped));
        assert!(!attempt(&["git", "pull"], true).solves(&mistyped));
        // Arguments alone say nothing of a program that there is.
        assert!(!attempt(&["cat", "psuh"], true).solves(&failed));
    }

    #[test]
    fn a_file_is_used_by_one_at_a_time_and_never_after_its_removal() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("shell");
        assert!(TerminalRun::lock(&path, false).is_none());
        let first = TerminalRun::lock(&path, true).expect("a file");
        assert!(TerminalRun::lock(&path, true).is_none(), "locked");
        fs::remove_file(&path).expect("ours");
        drop(first);
        let mut second = TerminalRun::lock(&path, true).expect("a new one");
        second.open = Some(Open {
            run: "run_1".to_owned(),
            task: 7,
            unsolved: vec![attempt(&["a"], true)],
        });
        second.save();
        drop(second);
        let third = TerminalRun::lock(&path, true).expect("the same");
        assert_eq!(
            third.open.as_ref().map(|open| open.run.as_str()),
            Some("run_1")
        );
        fs::write(&path, "{ damaged").expect("writable");
        drop(third);
        assert!(
            TerminalRun::lock(&path, true)
                .expect("a file")
                .open
                .is_none()
        );
    }
}
