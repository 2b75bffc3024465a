//! The plan: which runs there are, in which order, in which arms.

use serde::Serialize;

use crate::{tasks::Task, tools::Tool};

/// A part of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Phase {
    /// Bootstrap: gridtool, its first run with documentation.
    A,
    /// A new tool: fluxtool, its first run with documentation.
    B,
    /// Retention: gridtool again.
    C,
    /// Transfer: another task in both tools.
    D,
}

/// What kind of memory there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// The memory.
    Memory,
    /// None.
    NoMemory,
    /// The memory, with bad lessons handed in.
    Planted,
}

/// Which runs are done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Plan {
    /// How many seeds, each with a memory of its own in each arm.
    pub seeds: u32,
    /// The first seed.
    pub first_seed: u32,
    /// How many runs each phase has; for D, of each tool.
    pub runs: [u32; 4],
    /// Whether a deterministic evaluator scores the runs; the signals do otherwise.
    pub evaluator: bool,
}

/// One run of the plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planned {
    pub(crate) phase: Phase,
    pub(crate) tool: Tool,
    /// Its place among the runs of its phase and tool, from 1.
    pub(crate) number: u32,
    pub(crate) task: &'static Task,
    pub(crate) docs: bool,
}

impl Phase {
    /// All phases, in their order.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
            Self::C => 'C',
            Self::D => 'D',
        }
    }

    /// What it is about, in a few words.
    pub fn title(self) -> &'static str {
        match self {
            Self::A => "bootstrap",
            Self::B => "new tool",
            Self::C => "retention",
            Self::D => "other tasks",
        }
    }

    fn tools(self) -> &'static [Tool] {
        match self {
            Self::A | Self::C => &[Tool::Gridtool],
            Self::B => &[Tool::Fluxtool],
            Self::D => &[Tool::Gridtool, Tool::Fluxtool],
        }
    }
}

impl Arm {
    /// All arms.
    pub const ALL: [Self; 3] = [Self::Memory, Self::NoMemory, Self::Planted];

    /// Its name in reports.
    pub fn title(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::NoMemory => "no memory",
            Self::Planted => "memory + planted",
        }
    }
}

impl Plan {
    /// The runs of one seed in one arm, in order.
    pub(crate) fn runs(&self) -> Vec<Planned> {
        let mut runs = Vec::new();
        for (phase, count) in Phase::ALL.into_iter().zip(self.runs) {
            for number in 1..=count {
                for tool in phase.tools() {
                    runs.push(Planned {
                        phase,
                        tool: *tool,
                        number,
                        task: match phase {
                            Phase::D => Task::other(*tool),
                            _ => Task::usual(*tool),
                        },
                        docs: number == 1 && matches!(phase, Phase::A | Phase::B),
                    });
                }
            }
        }
        runs
    }

    /// How many runs there are in all.
    pub fn total(&self) -> u64 {
        let runs = self.runs().len() * Arm::ALL.len();
        u64::from(self.seeds) * runs as u64
    }
}

impl Planned {
    /// Its name within a seed, where its chance comes from.
    pub(crate) fn name(&self) -> String {
        format!(
            "{}-{}-{}",
            self.phase.letter(),
            self.tool.name(),
            self.number
        )
    }
}
