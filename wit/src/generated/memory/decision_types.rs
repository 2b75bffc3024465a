//! `twiceshy:memory/decision-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Tally, Timestamp};

/// A decision to record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct NewDecision {
    /// What the hypothesis is about, such as `data_processor`. 1 to 256 bytes.
    pub module: String,
    /// The change that was considered. 1 to 2,000 characters.
    pub hypothesis: String,
    /// What the improvement does. At most 4,000 characters.
    #[serde(default)]
    pub description: Option<String>,
    /// `accepted`, `rejected` or `held`.
    pub outcome: String,
    /// Why. Required.
    #[serde(default)]
    pub rationale: Option<String>,
    /// The message of the failed check or the verdict, verbatim. Only for `rejected`.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "rejection-reason"))]
    pub rejection_reason: Option<String>,
}

/// A decision: a hypothesis that was accepted, rejected or held. Immutable.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Decision {
    /// Its id.
    pub id: String,
    /// What the hypothesis is about.
    pub module: String,
    /// The change that was considered.
    pub hypothesis: String,
    /// What the improvement does. Empty if unknown.
    pub description: String,
    /// `accepted`, `rejected` or `held`.
    pub outcome: String,
    /// Why. Missing only in decisions that were imported from an old file.
    #[serde(default)]
    pub rationale: Option<String>,
    /// Why it was rejected, verbatim.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "rejection-reason"))]
    pub rejection_reason: Option<String>,
    /// When it was recorded.
    pub timestamp: Timestamp,
}

/// A hypothesis to look up among the decisions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct DecisionQuery {
    /// The module it is about.
    pub module: String,
    /// The hypothesis.
    pub hypothesis: String,
    /// What the improvement does. Compared as well.
    #[serde(default)]
    pub description: Option<String>,
    /// For how many days an acceptance counts as recent. Default: 7.
    #[serde(default)]
    pub days: Option<u32>,
}

/// The decision that was found for a hypothesis.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct DecisionMatch {
    /// Whether there is such a decision.
    pub found: bool,
    /// The decision.
    #[serde(default)]
    pub record: Option<Decision>,
    /// How similar it is, from 0.8 to 1. 0 if there is none.
    pub similarity: f64,
}

/// What was decided about a hypothesis before.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct DecisionCheck {
    /// Whether it was rejected, at any time.
    pub rejected: bool,
    /// Whether it was accepted recently.
    #[cfg_attr(feature = "wasmtime", component(name = "accepted-recently"))]
    pub accepted_recently: bool,
    /// How similar the decision is, from 0.8 to 1. 0 if there is none.
    pub similarity: f64,
    /// The rejection, or else the acceptance.
    #[serde(default)]
    pub record: Option<Decision>,
    /// Whether to skip it: it was rejected or recently accepted.
    #[cfg_attr(feature = "wasmtime", component(name = "should-skip"))]
    pub should_skip: bool,
}

/// A question about a hypothesis or a module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct DecisionQuestion {
    /// The module it is about.
    pub module: String,
    /// The hypothesis. May be empty for `get-patterns`.
    #[serde(default)]
    pub hypothesis: Option<String>,
    /// What the improvement does. Compared as well.
    #[serde(default)]
    pub description: Option<String>,
    /// `was-rejected`, `was-accepted` or `get-patterns`.
    #[cfg_attr(feature = "wasmtime", component(name = "query-type"))]
    pub query_type: String,
    /// For how many days an acceptance counts as recent. Default: 7.
    #[serde(default)]
    pub days: Option<u32>,
}

/// Hypotheses about one module, to be filtered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct HypothesisList {
    /// The module they are about.
    pub module: String,
    /// The hypotheses. At most 1,000.
    #[serde(default)]
    pub hypotheses: Vec<String>,
    /// For how many days an acceptance counts as recent. Default: 7.
    #[serde(default)]
    pub days: Option<u32>,
    /// Keeps hypotheses that were rejected before, to explore more boldly.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "keep-rejected"))]
    pub keep_rejected: Option<bool>,
}

/// A hypothesis that was dropped.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct DroppedHypothesis {
    /// The hypothesis.
    pub hypothesis: String,
    /// The reason, in words.
    pub reason: String,
    /// How similar the decision is.
    pub similarity: f64,
    /// The decision against it.
    pub record: Decision,
}

/// Hypotheses, filtered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct FilteredHypotheses {
    /// The hypotheses with no decision against them, unchanged and in their order.
    #[serde(default)]
    pub kept: Vec<String>,
    /// The other hypotheses.
    #[serde(default)]
    pub dropped: Vec<DroppedHypothesis>,
}

/// Which decisions to list. Members that are left out do not restrict.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct DecisionFilter {
    /// Only decisions about this module.
    #[serde(default)]
    pub module: Option<String>,
    /// Only decisions with this outcome: `accepted`, `rejected` or `held`.
    #[serde(default)]
    pub outcome: Option<String>,
    /// Only decisions recorded at this time or later.
    #[serde(default)]
    pub since: Option<Timestamp>,
    /// At most this many. Default: 50. Maximum: 1,000.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A reason for which hypotheses are rejected.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct RejectionPattern {
    /// Its name: `Principle violation`, `Test failure`, `Type error`, `Syntax error`, `Import error` or
    /// `Other`.
    pub pattern: String,
    /// How many rejections.
    pub count: u32,
    /// Different reasons, verbatim, newest first. At most 5.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// The answer to a question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct DecisionAnswer {
    /// Whether anything was found.
    pub found: bool,
    /// The decision, unless patterns were asked for.
    #[serde(default)]
    pub record: Option<Decision>,
    /// How similar it is, from 0.8 to 1. 0 if there is none.
    pub similarity: f64,
    /// The patterns, if they were asked for.
    #[serde(default)]
    pub patterns: Vec<RejectionPattern>,
}

/// Decisions about one module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ModuleDecisions {
    /// The module.
    pub module: String,
    /// How many were accepted.
    pub accepted: u32,
    /// How many were rejected.
    pub rejected: u32,
    /// How many are held.
    pub held: u32,
    /// Rejected over accepted and rejected, from 0 to 1.
    #[cfg_attr(feature = "wasmtime", component(name = "reject-rate"))]
    pub reject_rate: f64,
}

/// Decisions of one period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct DecisionPeriod {
    /// When it begins.
    pub start: Timestamp,
    /// How many were accepted.
    pub accepted: u32,
    /// How many were rejected.
    pub rejected: u32,
    /// Accepted over accepted and rejected, from 0 to 1.
    #[cfg_attr(feature = "wasmtime", component(name = "acceptance-rate"))]
    pub acceptance_rate: f64,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<DecisionPeriod>() == 24 && align_of::<DecisionPeriod>() == 8);
    assert!(std::mem::offset_of!(DecisionPeriod, start) == 0);
    assert!(std::mem::offset_of!(DecisionPeriod, accepted) == 8);
    assert!(std::mem::offset_of!(DecisionPeriod, rejected) == 12);
    assert!(std::mem::offset_of!(DecisionPeriod, acceptance_rate) == 16);
};

/// Counts over all decisions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct DecisionStats {
    /// All decisions.
    #[cfg_attr(feature = "wasmtime", component(name = "total-records"))]
    pub total_records: u32,
    /// How many were accepted.
    pub accepted: u32,
    /// How many were rejected.
    pub rejected: u32,
    /// How many are held.
    pub held: u32,
    /// The modules by name.
    #[serde(default)]
    pub modules: Vec<ModuleDecisions>,
    /// Rejections by the name of their pattern, most frequent first.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "rejection-reasons"))]
    pub rejection_reasons: Vec<Tally>,
    /// The modules with at least 3 decisions, highest reject rate first. At most 10.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "hardest-modules"))]
    pub hardest_modules: Vec<ModuleDecisions>,
    /// At most 10 periods of equal length from the first to the last decision. Periods without decisions are left
    /// out. A rising rate means that the work converges.
    #[serde(default)]
    pub acceptance: Vec<DecisionPeriod>,
    /// When the last decision was recorded.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "last-updated"))]
    pub last_updated: Option<Timestamp>,
}
