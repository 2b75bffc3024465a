//! What is measured in each run.

use serde::Serialize;

use crate::{
    executor::Following,
    plan::{Arm, Phase},
    planted::Fault,
    tools::Tool,
};

/// One run, measured.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunMetrics {
    /// The seed.
    pub seed: u32,
    /// The arm.
    pub arm: Arm,
    /// The phase.
    pub phase: Phase,
    /// The tool.
    pub tool: Tool,
    /// The task's name.
    pub task: &'static str,
    /// Its place among the runs of its phase and tool, from 1.
    pub run: u32,
    /// Its place among all runs of its memory, from 1.
    pub ordinal: u32,
    /// Whether documentation could be read.
    pub docs: bool,
    /// Whether every expected file was right.
    pub passed: bool,
    /// The evaluator's score, from 0 to 1.
    pub score: f64,
    /// Commands that were run.
    pub steps: u32,
    /// Commands that the task takes.
    pub needed_steps: u32,
    /// Commands that failed.
    pub tool_errors: u32,
    /// Answers of the executor that were none.
    pub executor_troubles: u32,
    /// Different failures.
    pub fingerprints: u32,
    /// Failures that had already been seen in an earlier run of this memory.
    pub recurring_errors: u32,
    /// Lessons that were shown.
    pub lesson_activations: u32,
    /// Lessons that were withheld in order to compare.
    pub withheld: u32,
    /// Shown lessons that helped, as the memory judges.
    pub helped: u32,
    /// Shown lessons that harmed, as the memory judges.
    pub harmed: u32,
    /// Shown lessons that had something to do.
    pub judged: u32,
    /// The retrieval precision proxy: helped of all that were shown and had something to do.
    pub retrieval_precision: Option<f64>,
    /// What became of the advice that the executor took, as the tool judges.
    pub following: Following,
    /// Lessons in the memory that are promoted after the run.
    pub promoted: u32,
    /// Lessons in the memory that are suppressed after the run.
    pub suppressed: u32,
}

/// What became of one planted lesson in the memory of one seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Planting {
    /// The seed.
    pub seed: u32,
    /// Its id in the memory.
    pub lesson: String,
    /// What is bad about it.
    pub fault: Fault,
    /// The tool it is about.
    pub tool: Tool,
    /// What it says.
    pub rule: &'static str,
    /// The run, by its ordinal, in which it was shown first.
    pub first_shown: Option<u32>,
    /// In how many runs it was shown.
    pub shown_runs: u32,
    /// The run, by its ordinal, after which it was no longer recalled.
    pub gone: Option<u32>,
    /// Where it stood in the end.
    pub status: String,
    /// Why it stood there, in the memory's words.
    pub reason: String,
}
