//! The run of a session: what is tried by the same hand until it works.
//!
//! Owns the file between two commands. Which commands belong together is the rule of [`line_of_work`](super::line_of_work), and
//! which are of the same hand is said by [`session`](super::session). A command that fails opens a run; a command that works
//! while nothing is open is a run of its own. Who opens a task by name holds it: it takes every step of the session until
//! somebody ends it.
//!
//! The file is beside the memory, one for each session, with a run's id and hashes and no word of a command in it. It names
//! a run before the run has a step, so that a process may be killed anywhere. It is locked while it is used; a
//! command that can't get the lock is remembered by itself.

use std::{
    fs::{self, File},
    io::{Seek, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};

use nix::fcntl::{Flock, FlockArg};
use serde::{Deserialize, Serialize};
use twiceshy::{
    Home, Memory, Ownership, Project, limits,
    traces::SESSIONS,
    wit::memory::{Ending, Error, NewRun, Observed, Reaction, Run, Runs},
};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    common_file,
    line_of_work::{self, Act, Work},
    session::{Owner, Session},
};

/// What it was called when only terminals had runs. What is left there is ended like everything that is idle.
const FORMER_DIRECTORY: &str = "terminals";

/// A run with more steps than this is no single attempt any more.
const MOST_STEPS: u32 = 100;

/// A file that nobody used for so long belongs to a session that is gone.
const FORGOTTEN: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// A task that somebody holds is given up after such a pause, if nobody can tell whether its session has ended.
const HELD_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a command waits for another one of its session that is being remembered.
const LOCK_WAIT: Duration = Duration::from_secs(1);

/// The run of one session, while its file is locked.
pub(crate) struct SessionRun {
    file: Flock<File>,
    state: State,
    owner: Option<Owner>,
    /// When the file was written last.
    used: SystemTime,
}

/// What is in the file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    #[serde(flatten)]
    open: Option<Open>,
    #[serde(default)]
    notes: Notes,
}

/// An open run between two commands.
#[derive(Debug, Serialize, Deserialize)]
struct Open {
    run: String,
    task: u64,
    #[serde(default)]
    owner: Option<Owner>,
    #[serde(default)]
    work: Work,
    /// Somebody opened it by name, and will end it so.
    #[serde(default)]
    held: bool,
}

impl Open {
    /// How long nothing may happen in it.
    fn longest_pause(&self) -> Duration {
        match self.held {
            true => HELD_PAUSE,
            false => limits::SESSION_PAUSE,
        }
    }
}

/// What a hook keeps from one event of a session to the next.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Notes {
    /// The briefing was given.
    pub(crate) briefed: bool,
    /// The run that ended last: its task is still the one at hand.
    pub(crate) last_run: Option<String>,
    /// The calls of tools that were taken in last, as hashes: a host may tell of one twice.
    pub(crate) calls: Vec<u64>,
    /// The commands that were warned of, as hashes.
    pub(crate) warned: Vec<u64>,
    /// Lessons of the user's own memory that were shown, as hashes of their ids.
    pub(crate) borrowed: Vec<u64>,
    /// Lessons of the open run were shown.
    pub(crate) shown: bool,
    /// What the memory has to say as soon as the host can pass it on.
    pub(crate) waiting: String,
}

/// What became of a command that was taken in.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// None if the command opened nothing and nothing was open.
    pub(crate) reaction: Option<Reaction>,
    /// The run that the command brought to its end.
    pub(crate) ended: Option<String>,
    /// The commands that failed and have an answer now, as hashes.
    pub(crate) solved: Vec<u64>,
}

impl SessionRun {
    /// The run of a session. None if nothing is open and nothing is to be opened, or if others of the session keep it.
    pub(crate) fn of(project: &Project, session: &Session, failed: bool) -> Option<Self> {
        let directory = project.directory().join(SESSIONS);
        if failed && !directory.is_dir() {
            Ownership::of(&Home::find()).create(project).ok()?;
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
        let mut found = Self::lock(&directory.join(session.file_name()), failed, LOCK_WAIT)?;
        found.owner = session.owner();
        Some(found)
    }

    fn lock(path: &Path, create: bool, wait: Duration) -> Option<Self> {
        let deadline = Instant::now() + wait;
        let mut file = common_file::open(path, create).ok()?;
        let file = loop {
            file = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                Ok(file) => break file,
                Err((file, _)) if Instant::now() < deadline => file,
                Err(_) => return None,
            };
            thread::sleep(Duration::from_millis(5));
        };
        let metadata = file.metadata().ok()?;
        // Somebody removed it before it was locked: what is written now would be lost.
        if metadata.nlink() == 0 {
            return None;
        }
        Some(Self {
            // What can't be read is nothing to go on with.
            state: common_file::parsed(&file).unwrap_or_default(),
            owner: None,
            used: metadata.modified().ok()?,
            file,
        })
    }

    /// Takes in a command that started at some time: into the open run of its task, or into one that it opens. None if there
    /// is nothing to open, and the command is a run of its own.
    pub(crate) fn take_in(
        mut self,
        memory: &Memory,
        run: &NewRun,
        observed: &Observed,
        act: &Act,
        started: SystemTime,
        ending: &Ending,
    ) -> Result<Option<Reaction>, Error> {
        let task = xxh3_64(run.task.as_bytes());
        self.end_if_over(memory, started, Some(task), Some(act))?;
        let taken = self.take(memory, || Ok(run.clone()), observed, act, ending)?;
        Ok(taken.reaction)
    }

    /// Ends the open run if there was a long pause before a command that started at some time, if the command is for another
    /// task, or if it begins other work. Gives the run that ended.
    pub(crate) fn end_if_over(
        &mut self,
        memory: &Memory,
        started: SystemTime,
        task: Option<u64>,
        act: Option<&Act>,
    ) -> Result<Option<String>, Error> {
        // A clock that was set back is no reason to end anything, nor is a command that took long.
        let pause = started.duration_since(self.used).unwrap_or_default();
        let is_over = |open: &Open| {
            let same_task = task.is_none_or(|task| task == open.task);
            let is_left = act.is_some_and(|act| open.work.is_left_by(act));
            !open.held && (line_of_work::is_over(pause, same_task) || is_left)
        };
        match self.state.open.as_ref().is_some_and(is_over) {
            true => self.end(memory),
            false => Ok(None),
        }
    }

    /// Takes a command into the open run, or into one that it opens if it failed. What the run is ended with says `ending`.
    pub(crate) fn take(
        &mut self,
        memory: &Memory,
        opening: impl FnOnce() -> Result<NewRun, Error>,
        observed: &Observed,
        act: &Act,
        ending: &Ending,
    ) -> Result<Taken, Error> {
        let mut taken = Taken::default();
        if let Some(open) = &self.state.open {
            match memory.observe(&open.run, observed) {
                Ok(reaction) => taken.reaction = Some(reaction),
                // Somebody else has ended it.
                Err(Error::NotFound(_) | Error::Conflict(_)) => self.state.open = None,
                Err(error) => return Err(error),
            }
        }
        if self.state.open.is_none() && act.failed {
            let id = self.start(memory, &opening()?)?;
            taken.reaction = Some(memory.observe(&id, observed)?);
        }
        if let (Some(mut open), Some(reaction)) = (self.state.open.take(), &taken.reaction) {
            // A run that a prompt began has nothing to be done with until something fails.
            let was_idle = open.work.is_idle();
            let progress = open.work.take(act);
            taken.solved = progress.solved;
            let is_done = (progress.is_done && !was_idle) || reaction.index + 1 >= MOST_STEPS;
            if is_done && !open.held {
                memory.finish(&open.run, ending)?;
                taken.ended = Some(open.run.clone());
                self.state.notes.last_run = Some(open.run);
            } else {
                self.state.open = Some(open);
            }
        }
        self.save();
        Ok(taken)
    }

    /// Starts a run for a prompt, unless the work on something that failed goes on. Gives the open run, and the one that ended
    /// for it.
    pub(crate) fn begin(
        &mut self,
        memory: &Memory,
        run: &NewRun,
    ) -> Result<(String, Option<String>), Error> {
        if let Some(open) = &self.state.open
            && let Ok(known) = Runs::get(memory, &open.run)
            // A run without a step is as good as a new one.
            && (open.held || known.steps == 0 || !open.work.is_idle())
        {
            return Ok((open.run.clone(), None));
        }
        let ended = self.end(memory)?;
        Ok((self.start(memory, run)?, ended))
    }

    fn start(&mut self, memory: &Memory, run: &NewRun) -> Result<String, Error> {
        let Run { id, .. } = memory.start(run)?;
        // Known before it has a step: a run that nobody knows would stay open for ever.
        self.state.open = Some(Open {
            run: id.clone(),
            task: xxh3_64(run.task.as_bytes()),
            owner: self.owner,
            work: Work::default(),
            held: false,
        });
        self.state.notes.shown = false;
        self.save();
        Ok(id)
    }

    /// Ends the open run by how its last step went. Gives the run.
    pub(crate) fn end(&mut self, memory: &Memory) -> Result<Option<String>, Error> {
        let Some(open) = self.state.open.take() else {
            return Ok(None);
        };
        finish(memory, &open.run)?;
        self.state.notes.last_run = Some(open.run.clone());
        self.save();
        Ok(Some(open.run))
    }

    /// The open run.
    pub(crate) fn open(&self) -> Option<&str> {
        self.state.open.as_ref().map(|open| open.run.as_str())
    }

    /// Whether something failed in the open run that did not work since.
    pub(crate) fn is_pending(&self) -> bool {
        let open = self.state.open.as_ref();
        open.is_some_and(|open| !open.work.is_idle())
    }

    /// Whether somebody opened the run by name, and will end it so.
    pub(crate) fn is_held(&self) -> bool {
        self.state.open.as_ref().is_some_and(|open| open.held)
    }

    pub(crate) fn notes(&mut self) -> &mut Notes {
        &mut self.state.notes
    }

    /// Makes a run the one of the session, until somebody ends it. Ends what was open, and gives its id.
    pub(crate) fn hold(mut self, memory: &Memory, run: &str) -> Result<Option<String>, Error> {
        let former = self.end(memory)?;
        self.state.open = Some(Open {
            run: run.to_owned(),
            task: 0,
            owner: self.owner,
            work: Work::default(),
            held: true,
        });
        self.save();
        Ok(former)
    }

    /// Forgets a run that somebody has ended.
    pub(crate) fn release(mut self, run: &str) {
        if self.state.open.take_if(|open| open.run == run).is_some() {
            self.save();
        }
    }

    /// Ends what is open, because the session is over.
    pub(crate) fn settle(mut self, memory: &Memory) -> Result<(), Error> {
        self.end(memory).map(drop)
    }

    /// Writes down what is open. If that fails, the next command begins anew.
    pub(crate) fn save(&mut self) {
        let is_empty = self.state.open.is_none() && self.state.notes == Notes::default();
        let text = match is_empty {
            true => String::new(),
            false => serde_json::to_string(&self.state).unwrap_or_default(),
        };
        let file = &mut *self.file;
        let _ = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(text.as_bytes()));
    }
}

/// The run that is open in the session that this process was started in.
pub(crate) fn open_here(project: &Project) -> Option<String> {
    let session = Session::here(None, None)?;
    SessionRun::of(project, &session, false)?
        .open()
        .map(str::to_owned)
}

/// Ends the runs of sessions in which nothing was done for a while or whose process has ended, and forgets sessions that
/// are gone.
pub(crate) fn end_idle(project: &Project, memory: &Memory) -> Result<(), Error> {
    for directory in [SESSIONS, FORMER_DIRECTORY] {
        let Ok(files) = fs::read_dir(project.directory().join(directory)) else {
            continue;
        };
        for path in files.flatten().map(|entry| entry.path()) {
            end_if_idle(&path, memory)?;
        }
    }
    Ok(())
}

fn end_if_idle(path: &PathBuf, memory: &Memory) -> Result<(), Error> {
    // Looked at without the lock, which those who work here need.
    let file = common_file::open(path, false).ok();
    let known: Option<Open> = file.as_ref().and_then(common_file::parsed);
    let is_gone = |open: &Open| open.owner.is_some_and(|owner| owner.is_gone());
    let pause = known
        .as_ref()
        .map_or(limits::SESSION_PAUSE, Open::longest_pause);
    if !is_older(path, pause) && !known.as_ref().is_some_and(is_gone) {
        return Ok(());
    }
    let Some(mut session) = SessionRun::lock(path, false, Duration::ZERO) else {
        return Ok(());
    };
    // Looked at again, now that nobody else is at it.
    match &session.state.open {
        Some(open) if is_older(path, open.longest_pause()) || is_gone(open) => {
            session.end(memory)?;
        }
        None if is_older(path, FORGOTTEN) => {
            let _ = fs::remove_file(path);
        }
        _ => {}
    }
    Ok(())
}

fn is_older(path: &Path, age: Duration) -> bool {
    let written = fs::metadata(path).and_then(|metadata| metadata.modified());
    written.is_ok_and(|written| written.elapsed().is_ok_and(|elapsed| elapsed >= age))
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
mod tests;
