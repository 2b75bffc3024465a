//! The tasks: what is wanted, in words and in parts, and what must come out of it.
//!
//! An intent is one thing to do with a tool: the parts of one command, each a choice and a value. The expected
//! files are written down here by hand, so that the evaluator does not depend on the tools that it judges.

mod flux;
mod grid;

use std::collections::BTreeMap;

use crate::tools::Tool;

/// Something to do with a tool.
#[derive(Debug)]
pub struct Task {
    /// Its short name.
    pub name: &'static str,
    /// The tool to do it with.
    pub tool: Tool,
    /// The task in words, as an agent is given it.
    pub text: &'static str,
    /// The files that are there at first.
    files: &'static [(&'static str, &'static str)],
    /// What to do, one command each.
    pub(crate) intents: &'static [Intent],
    /// The files that must be there in the end.
    expected: &'static [(&'static str, &'static str)],
}

/// The parts of one command, in their order.
pub(crate) type Intent = &'static [Part];

/// A part of a command: a choice and the value to be spelled, empty if it has none.
pub(crate) type Part = (&'static str, &'static str);

/// A part that is the same in every tool's spelling.
pub(crate) const AS_IT_IS: &str = "as-it-is";

/// What the evaluator says of the files that a run left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Every expected file is as it must be.
    pub passed: bool,
    /// From 0 to 1: four fifths for the share of right files, one fifth for how few steps it took.
    pub score: f64,
}

impl Task {
    /// The task that phases A and C repeat, or B for fluxtool.
    pub fn usual(tool: Tool) -> &'static Self {
        match tool {
            Tool::Gridtool => &grid::USUAL,
            Tool::Fluxtool => &flux::USUAL,
        }
    }

    /// Another task for the same tool, which phase D is about.
    pub fn other(tool: Tool) -> &'static Self {
        match tool {
            Tool::Gridtool => &grid::OTHER,
            Tool::Fluxtool => &flux::OTHER,
        }
    }

    /// The steps that it takes somebody who knows the tool.
    pub fn needed_steps(&self) -> u32 {
        u32::try_from(self.intents.len()).unwrap_or(u32::MAX)
    }

    /// The files that are there at first.
    pub fn files(&self) -> BTreeMap<String, String> {
        let files = self.files.iter();
        files
            .map(|(name, content)| ((*name).to_owned(), (*content).to_owned()))
            .collect()
    }

    /// Judges what a run left, by the content of files and the number of steps alone.
    pub fn evaluate(&self, files: &BTreeMap<String, String>, steps: u32) -> Evaluation {
        let right = self
            .expected
            .iter()
            .filter(|(name, content)| files.get(*name).is_some_and(|found| found == content))
            .count();
        let share = right as f64 / self.expected.len() as f64;
        let thrift = f64::from(self.needed_steps()) / f64::from(steps.max(self.needed_steps()));
        Evaluation {
            passed: right == self.expected.len(),
            score: share * (0.8 + 0.2 * thrift),
        }
    }
}
