//! The world of the simulated year: fifteen tools, what is done with them, and what they answer.
//!
//! Owns what is right and what is wrong on which day: some operations change during the year, so that what was right is
//! wrong from then on. Nothing of it is known to the agents.

use super::chance::Chance;

/// Kinds of work, each with a tool, a domain and a kind of task of its own.
pub const FAMILIES: usize = 15;

/// Operations of one tool.
const OPERATIONS: usize = 4;

/// Ways to call an operation, of which one works.
pub const FORMS: usize = 4;

const TOOLS: [&str; FAMILIES] = [
    "gridtool", "shipctl", "notely", "quarry", "lumen", "tarn", "forge", "pylon", "sieve", "cask",
    "ember", "flint", "mortar", "ridge", "vane",
];
const TYPES: [&str; FAMILIES] = [
    "reporting",
    "deployment",
    "writing",
    "querying",
    "lighting",
    "storage",
    "building",
    "networking",
    "filtering",
    "packaging",
    "heating",
    "testing",
    "masonry",
    "mapping",
    "forecasting",
];
const VERBS: [&str; 12] = [
    "load", "check", "merge", "publish", "split", "index", "trim", "sign", "render", "tag", "sync",
    "verify",
];
const OPTIONS: [&str; 8] = [
    "input", "source", "target", "sheet", "batch", "layer", "queue", "stage",
];
const THINGS: [&str; 8] = [
    "sales", "orders", "notes", "stock", "routes", "faults", "plans", "trials",
];

/// A kind of work.
pub struct Family {
    pub tool: &'static str,
    pub domain: String,
    pub task_type: &'static str,
    pub operations: Vec<Operation>,
}

/// Something that a tool does.
pub struct Operation {
    verb: &'static str,
    option: &'static str,
    /// The form that works, and the one that works from a day on.
    right: (usize, usize),
    changes_on: Option<u32>,
}

impl Operation {
    /// The form that works on a day.
    pub fn right(&self, day: u32) -> usize {
        match self.has_changed(day) {
            true => self.right.1,
            false => self.right.0,
        }
    }

    pub fn has_changed(&self, day: u32) -> bool {
        self.changes_on.is_some_and(|changes_on| day >= changes_on)
    }

    /// How it is called in a form, for a file.
    pub fn action(&self, tool: &str, form: usize, file: &str) -> String {
        let (verb, option) = (self.verb, self.option);
        match form {
            0 => format!("{tool} {verb} {file}"),
            1 => format!("{tool} {verb} -{} {file}", &option[..1]),
            2 => format!("{tool} {verb} --{option} {file}"),
            _ => format!("{tool} {verb} --{option}={file}"),
        }
    }

    /// What the tool says to a form that does not work.
    pub fn error(&self, tool: &str, form: usize, day: u32, file: &str, line: u64) -> String {
        let version = if self.has_changed(day) { " 2.0" } else { "" };
        let verb = self.verb;
        let trouble = match form {
            0 => "a bare name is not taken",
            1 => "short options are not known",
            2 => "the option wants its value in the same word",
            _ => "the sign = is not understood",
        };
        format!("{tool}{version}: {verb}: {trouble} ({file}, line {line})")
    }
}

/// All kinds of work of a year with so many days.
pub fn families(chance: &Chance, days: u32) -> Vec<Family> {
    let family = |number: usize| {
        let at = number as u64;
        let operation = |place: usize| {
            let luck = chance.bits(1, at, place as u64);
            let right = luck as usize % FORMS;
            // Every third operation changes once, somewhere in the middle of the year.
            let changes = (number + place).is_multiple_of(3);
            Operation {
                verb: VERBS[(number * 5 + place * 3 + (luck >> 8) as usize % 2) % VERBS.len()],
                option: OPTIONS[(luck >> 16) as usize % OPTIONS.len()],
                right: (
                    right,
                    (right + 1 + (luck >> 24) as usize % (FORMS - 1)) % FORMS,
                ),
                changes_on: changes.then(|| days / 4 + (luck >> 32) as u32 % (days / 2).max(1)),
            }
        };
        Family {
            tool: TOOLS[number],
            domain: format!("{}-work", TOOLS[number]),
            task_type: TYPES[number],
            operations: (0..OPERATIONS).map(operation).collect(),
        }
    };
    (0..FAMILIES).map(family).collect()
}

impl Family {
    /// The tasks of this kind: each is done again and again.
    pub fn task(&self, variant: u64) -> String {
        let thing = THINGS[variant as usize % THINGS.len()];
        format!("{} of the {thing} with {}", self.task_type, self.tool)
    }

    /// A file of the day.
    pub fn file(&self, luck: u64) -> String {
        let thing = THINGS[(luck >> 4) as usize % THINGS.len()];
        format!("{thing}-{}.csv", luck % 1_000)
    }
}
