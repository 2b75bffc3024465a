//! Executors: who works on a task, by commands, and what they see.
//!
//! Owns the contract between a run and whoever works in it. One executor is ours and deterministic
//! ([`trial`]); any program can be another ([`program`]).

pub(crate) mod program;
pub(crate) mod trial;

use serde::Serialize;
use twiceshy_wit::memory::Hint;

use crate::{tasks::Task, tools::Ran};

/// What an executor is given before a run. It knows nothing else of the world: not the phase, not the arm,
/// not what happened in other runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Assignment<'a> {
    pub(crate) task: &'a Task,
    /// The documentation, if it may be read in this run.
    pub(crate) docs: Option<&'a str>,
    /// What the memory tells before the run.
    pub(crate) briefing: &'a Told,
}

/// What the memory tells: as lessons, and as the text that goes into an agent's context.
#[derive(Debug, Clone, Default)]
pub(crate) struct Told {
    pub(crate) hints: Vec<Hint>,
    pub(crate) text: String,
}

/// What came of an action.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) ran: &'a Ran,
    pub(crate) told: &'a Told,
}

/// What an executor does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Move {
    /// Runs a command.
    Act(Vec<String>),
    /// Says that the task is done.
    Done,
    /// Gives no usable answer: why, and whether it can be asked again.
    Trouble { cause: String, is_over: bool },
}

/// What became of the lessons that an executor followed in a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Following {
    /// Spellings that were taken from a lesson.
    pub followed: u32,
    /// Those of them that the tool accepted.
    pub worked: u32,
    /// Those of them that the tool refused.
    pub failed: u32,
}

/// Who works on a task. Made anew for each run, so that nothing is carried over but by the memory.
pub(crate) trait Executor {
    /// The next move; `seen` is what came of the last action, none at first.
    fn next(&mut self, seen: Option<Seen<'_>>) -> Move;

    /// What became of the lessons it followed; all zero where nobody can know.
    fn following(&self) -> Following {
        Following::default()
    }
}
