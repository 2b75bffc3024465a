//! The conformance kit: whether a component is an adapter that can be relied on.
//!
//! Owns the report. What is asked of an adapter is in `checks`, with what it is tried in `steps`, made from its own
//! schemas in `values`; an author's golden traces are in `golden`. It needs nothing but the adapter: the same steps
//! are made every time, so the same adapter always passes or always fails.
//!
//! ```
//! use twiceshy::{Adapter, Cache, conformance};
//!
//! let cli = Adapter::cli(&Cache::none())?;
//! let report = conformance::check(&cli);
//! assert!(report.passed(), "{report:?}");
//! # Ok::<(), twiceshy::PluginError>(())
//! ```

mod checks;
mod golden;
mod steps;
mod trace;
mod values;

use std::path::Path;

use serde::Serialize;

use crate::{Adapter, PluginError};

pub use trace::{Answer, Entry, EntryGoal, Replay};

/// What the kit found.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The name by which the host knows the adapter.
    pub adapter: String,
    /// The checks, in the order in which they were made.
    pub checks: Vec<Check>,
}

/// One check.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    /// What was looked at, in a word.
    #[serde(rename = "check")]
    pub name: &'static str,
    /// Whether all is well.
    #[serde(rename = "ok")]
    pub passed: bool,
    /// How much was looked at.
    pub note: String,
    /// What is wrong and how to fix it. A problem may have several lines.
    pub problems: Vec<String>,
}

impl Report {
    /// The report of a component that can't even be loaded.
    pub fn of_failure(error: &PluginError) -> Self {
        let mut check = Check::new("component");
        check.fail(format!("{}: {}", error.kind.as_str(), error.message));
        Self {
            adapter: error.plugin.clone(),
            checks: vec![check],
        }
    }

    /// Whether every check passed.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.passed)
    }

    /// Adds what an author's golden traces say. With `update`, those that differ are rewritten.
    #[must_use]
    pub fn with_golden(mut self, adapter: &Adapter, directory: &Path, update: bool) -> Self {
        self.checks.push(golden::check(adapter, directory, update));
        self
    }
}

impl Check {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            passed: true,
            note: String::new(),
            problems: Vec::new(),
        }
    }

    fn fail(&mut self, problem: String) {
        self.passed = false;
        self.problems.push(problem);
    }
}

/// Makes every check that needs nothing of the author.
pub fn check(adapter: &Adapter) -> Report {
    Report {
        adapter: adapter.name().to_owned(),
        checks: checks::all(adapter),
    }
}
