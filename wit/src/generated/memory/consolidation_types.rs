//! `twiceshy:memory/consolidation-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Tally, Timestamp};

/// A stage of consolidation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Stage {
    /// Merges similar episodes, and moves old ones to cold storage.
    #[cfg_attr(feature = "wasmtime", component(name = "episodes"))]
    Episodes,
    /// Extracts patterns and anti-patterns from recent episodes.
    #[cfg_attr(feature = "wasmtime", component(name = "extraction"))]
    Extraction,
    /// Tests and promotes patterns.
    #[cfg_attr(feature = "wasmtime", component(name = "validation"))]
    Validation,
    /// Narrows declining patterns, merges similar ones and deprecates obsolete ones.
    #[cfg_attr(feature = "wasmtime", component(name = "refinement"))]
    Refinement,
    /// Updates the indices of the store.
    #[cfg_attr(feature = "wasmtime", component(name = "indices"))]
    Indices,
    /// Writes the report.
    #[cfg_attr(feature = "wasmtime", component(name = "report"))]
    Report,
}

impl Stage {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 6] = [
        Self::Episodes,
        Self::Extraction,
        Self::Validation,
        Self::Refinement,
        Self::Indices,
        Self::Report,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Episodes => "episodes",
            Self::Extraction => "extraction",
            Self::Validation => "validation",
            Self::Refinement => "refinement",
            Self::Indices => "indices",
            Self::Report => "report",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(5)]
    }
}

/// What to consolidate.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ConsolidationRequest {
    /// Only these stages, in their order. Empty: all.
    #[serde(default)]
    pub stages: Vec<Stage>,
    /// Whether to change nothing and report what would be done, in one call.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "dry-run"))]
    pub dry_run: Option<bool>,
    /// Extract patterns from the episodes of this many last hours. Default: 24, or since the last consolidation
    /// if that is longer ago.
    #[serde(default)]
    pub hours: Option<u32>,
    /// Only merge episodes that are at most this many days apart. Default: 7.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "window-days"))]
    pub window_days: Option<u32>,
    /// The similarity from which episodes are merged. Default: 0.95.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "episode-similarity"))]
    pub episode_similarity: Option<f64>,
    /// The similarity from which patterns are the same. Default: 0.9.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "pattern-similarity"))]
    pub pattern_similarity: Option<f64>,
    /// The confidence from which a pattern is accepted. Default: 0.8.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// For how many days what earlier consolidations changed is kept, so that they can be undone. Default: 30.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "undo-days"))]
    pub undo_days: Option<u32>,
    /// Resumes a consolidation: the `next` of the previous answer.
    #[serde(default)]
    pub after: Option<String>,
}

/// A change made by a consolidation, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ConsolidationChange {
    /// The stage that made it.
    pub stage: Stage,
    /// The id of what was changed.
    pub memory: String,
    /// What was done, in words.
    pub change: String,
    /// Why, in words.
    pub reason: String,
}

/// The result of a finished consolidation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ConsolidationReport {
    /// How many changes each stage made.
    #[serde(default)]
    pub stages: Vec<Tally>,
    /// Patterns by status: the summary of the validation.
    #[serde(default)]
    pub patterns: Vec<Tally>,
    /// Documents by kind: what the memory holds.
    #[serde(default)]
    pub storage: Vec<Tally>,
}

/// A consolidation: what it did, or would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Consolidation {
    /// Its id. Needed to undo it.
    pub id: String,
    /// When it began.
    #[cfg_attr(feature = "wasmtime", component(name = "started-at"))]
    pub started_at: Timestamp,
    /// When it ended. Missing while it is running.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "ended-at"))]
    pub ended_at: Option<Timestamp>,
    /// Whether it was a dry run, which changes nothing.
    #[cfg_attr(feature = "wasmtime", component(name = "dry-run"))]
    pub dry_run: bool,
    /// The stage it is in.
    pub stage: Stage,
    /// How many parts of this stage are done.
    pub done: u32,
    /// How many parts this stage has.
    pub total: u32,
    /// What this call changed. At most 1,000.
    #[serde(default)]
    pub changes: Vec<ConsolidationChange>,
    /// Pass it as `after` to continue. Missing when the consolidation has ended.
    #[serde(default)]
    pub next: Option<String>,
    /// The result. Missing while it is running, and for a dry run.
    #[serde(default)]
    pub report: Option<ConsolidationReport>,
    /// Whether it was undone.
    pub undone: bool,
}

/// How many memories of each kind, phase and status there are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Inventory {
    /// Documents by kind, such as `episode` or `lesson`.
    #[serde(default)]
    pub documents: Vec<Tally>,
    /// Episodes by phase: `active`, `mature`, `aged`, `archived`, `deleted`.
    #[serde(default)]
    pub episodes: Vec<Tally>,
    /// Lessons by status.
    #[serde(default)]
    pub lessons: Vec<Tally>,
    /// Shown lessons by kind.
    #[serde(default)]
    pub kinds: Vec<Tally>,
}

/// How the runs of one day went, and what they cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct DayMetrics {
    /// The day, as `2026-01-06`.
    pub day: String,
    /// Episodes that ended on that day.
    pub episodes: u32,
    /// How many of them succeeded.
    pub successes: u32,
    /// Steps.
    pub steps: u32,
    /// Failed steps.
    pub failures: u32,
    /// Failures that recurred in the same run.
    pub retries: u32,
    /// Agents that worked on that day.
    pub agents: u32,
    /// Time spent, in seconds.
    #[cfg_attr(feature = "wasmtime", component(name = "duration-seconds"))]
    pub duration_seconds: f64,
    /// New lessons.
    #[cfg_attr(feature = "wasmtime", component(name = "new-lessons"))]
    pub new_lessons: u32,
    /// The mean score, if there is one.
    #[serde(default)]
    pub score: Option<f64>,
    /// The mean efficiency signal, if there is one.
    #[serde(default)]
    pub efficiency: Option<f64>,
    /// Lessons that helped minus lessons that harmed, as a share of those judged. Missing if none was judged.
    #[serde(default)]
    pub preference: Option<f64>,
}

/// How the last days went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Metrics {
    /// The days, newest last.
    #[serde(default)]
    pub days: Vec<DayMetrics>,
    /// The sum over all days.
    pub total: DayMetrics,
}
