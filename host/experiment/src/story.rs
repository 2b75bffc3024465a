//! The events of an experiment, for watchers: the demo prints them, a progress bar counts them.

use crate::{
    executor::Told,
    metrics::{Planting, RunMetrics},
    plan::{Arm, Phase},
    tools::{Ran, Tool},
};

/// Something that happens.
#[derive(Debug, Clone, Copy)]
pub enum Happening<'a> {
    /// A run begins.
    Started {
        /// Its seed.
        seed: u32,
        /// Its arm.
        arm: Arm,
        /// Its phase.
        phase: Phase,
        /// Its tool.
        tool: Tool,
        /// Its place among the runs of its phase and tool, from 1.
        run: u32,
        /// The task in words.
        task: &'a str,
        /// What the memory tells before it.
        briefing: &'a Told,
    },
    /// A command was run.
    Stepped {
        /// The command.
        command: &'a [String],
        /// What it did.
        ran: &'a Ran,
        /// What the memory tells after it.
        told: &'a Told,
    },
    /// The executor gave no usable answer.
    Troubled {
        /// Why.
        cause: &'a str,
    },
    /// A run has ended.
    Ended {
        /// What was measured.
        metrics: &'a RunMetrics,
        /// What became of the bad lessons that were planted so far.
        plantings: &'a [Planting],
    },
}

/// Who watches.
pub type Watch<'a> = dyn Fn(&Happening<'_>) + Sync + 'a;
