//! Executors: who works on a task, by commands, and what they see.
//!
//! Owns the contract between a run and its executor. One executor is ours and deterministic
//! ([`trial`]); callers of this crate can bring another.

pub(crate) mod trial;

use serde::Serialize;
use twiceshy_wit::memory::Hint;

use crate::{tasks::Task, tools::Ran};

/// What an executor is given before a run. It knows nothing else of the world: not the phase, not the arm,
/// not what happened in other runs.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'a> {
    /// The task.
    pub task: &'a Task,
    /// The documentation, if it may be read in this run.
    pub docs: Option<&'a str>,
    /// What the memory tells before the run.
    pub briefing: &'a Told,
}

/// What the memory tells: as lessons, and as the text that goes into an agent's context.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// The lessons, best first.
    pub hints: Vec<Hint>,
    /// The same as text.
    pub text: String,
}

/// What came of an action.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// What the tool did.
    pub ran: &'a Ran,
    /// What the memory tells about it.
    pub told: &'a Told,
}

/// What an executor does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// Runs a command.
    Act(Vec<String>),
    /// Says that the task is done.
    Done,
    /// Gives no usable answer: why, and whether it can be asked again.
    Trouble {
        /// Why.
        cause: String,
        /// It can't be asked again.
        is_over: bool,
    },
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

/// Who works on a task. Made again for each run, so that only the memory carries anything over.
pub trait Executor {
    /// The next move; `seen` is what came of the last action, none at first.
    fn next(&mut self, seen: Option<Seen<'_>>) -> Move;

    /// What became of the lessons it followed; all zero where nobody can know.
    fn following(&self) -> Following {
        Following::default()
    }
}
