//! `twiceshy:memory/pattern-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Guidance, Lesson, LessonKind, PatternContent, Scope, Source, Timestamp};

/// A test on a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum FeatureTest {
    /// Equal to the value, ignoring case.
    #[cfg_attr(feature = "wasmtime", component(name = "equals"))]
    Equals,
    /// Present, and not equal to the value.
    #[cfg_attr(feature = "wasmtime", component(name = "differs"))]
    Differs,
    /// Contains the value.
    #[cfg_attr(feature = "wasmtime", component(name = "contains"))]
    Contains,
    /// A number, at least the value.
    #[cfg_attr(feature = "wasmtime", component(name = "at-least"))]
    AtLeast,
    /// A number, at most the value.
    #[cfg_attr(feature = "wasmtime", component(name = "at-most"))]
    AtMost,
    /// Present.
    #[cfg_attr(feature = "wasmtime", component(name = "present"))]
    Present,
    /// Not present.
    #[cfg_attr(feature = "wasmtime", component(name = "absent"))]
    Absent,
}

impl FeatureTest {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 7] = [
        Self::Equals,
        Self::Differs,
        Self::Contains,
        Self::AtLeast,
        Self::AtMost,
        Self::Present,
        Self::Absent,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equals => "equals",
            Self::Differs => "differs",
            Self::Contains => "contains",
            Self::AtLeast => "at-least",
            Self::AtMost => "at-most",
            Self::Present => "present",
            Self::Absent => "absent",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(6)]
    }
}

/// A condition on one feature of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Requirement {
    /// The feature, such as `language`.
    pub feature: String,
    /// The test.
    pub test: FeatureTest,
    /// The value; empty for `present` and `absent`.
    pub value: String,
}

/// A feature of a task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Feature {
    /// Its name, such as `language`.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// When a pattern applies. Empty members do not restrict.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Applicability {
    /// The types of task it is for. At most 32.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "problem-types"))]
    pub problem_types: Vec<String>,
    /// The domains it is for. At most 32.
    #[serde(default)]
    pub domains: Vec<String>,
    /// The least complexity it is for, from 0 to 1.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "least-complexity"))]
    pub least_complexity: Option<f64>,
    /// The greatest complexity it is for, from 0 to 1.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "most-complexity"))]
    pub most_complexity: Option<f64>,
    /// What the agent must be able to do. At most 32.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "required-capabilities"))]
    pub required_capabilities: Vec<String>,
    /// All of these must hold. At most 32.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "context-conditions"))]
    pub context_conditions: Vec<Requirement>,
    /// None of these may hold. At most 32.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "anti-conditions"))]
    pub anti_conditions: Vec<Requirement>,
    /// Conditions in words, for a reader. At most 32.
    #[serde(default)]
    pub conditions: Vec<String>,
}

/// The evidence from the applications of a pattern.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct PatternEvidence {
    /// Episodes that support it, newest last. At most 256.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "supporting-episodes"))]
    pub supporting_episodes: Vec<String>,
    /// Episodes that contradict it, newest last. At most 256.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "counter-episodes"))]
    pub counter_episodes: Vec<String>,
    /// Applications in the last 90 days, since its evidence was last reset; each episode counts once. At most
    /// 1,000.
    pub applications: u32,
    /// How many of them succeeded.
    pub successes: u32,
    /// Successes over applications. 0 without applications.
    #[cfg_attr(feature = "wasmtime", component(name = "success-rate"))]
    pub success_rate: f64,
    /// How much faster an application is than the same type of task without it, in milliseconds. 0 if unknown.
    #[cfg_attr(feature = "wasmtime", component(name = "average-time-saving"))]
    pub average_time_saving: f64,
    /// How much cheaper an application is. 0 if unknown.
    #[cfg_attr(feature = "wasmtime", component(name = "average-cost-saving"))]
    pub average_cost_saving: f64,
    /// The success rate minus the base rate. 0 if unknown.
    #[cfg_attr(feature = "wasmtime", component(name = "success-rate-improvement"))]
    pub success_rate_improvement: f64,
    /// The share of successes among the newest episodes of the same type of task and domain without it. Missing
    /// if there are fewer than 5.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "base-rate"))]
    pub base_rate: Option<f64>,
    /// `0.5·success-rate + 0.3·(1 − e^(−n/20)) + 0.2·(1 − p)`, from 0 to 1. Without applications, what was
    /// claimed when it was added.
    pub confidence: f64,
    /// The one-sided binomial p-value against a rate of 0.5; 1 without applications.
    pub significance: f64,
    /// The p-value against the base rate. Missing if that is unknown.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "base-significance"))]
    pub base_significance: Option<f64>,
    /// When it was last validated.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "last-validated"))]
    pub last_validated: Option<Timestamp>,
}

/// A pattern: a lesson with conditions of use and statistics of its applications.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Pattern {
    /// The lesson. Its id, kind, scope and status are those of the pattern.
    pub lesson: Lesson,
    /// Its name.
    pub name: String,
    /// The version: 1 at first, one more after each update.
    pub version: u32,
    /// A summary in one or two sentences.
    pub summary: String,
    /// A longer explanation.
    pub explanation: String,
    /// The right way, if there is also a wrong way.
    #[cfg_attr(feature = "wasmtime", component(name = "correct-approach"))]
    pub correct_approach: String,
    /// The wrong way.
    #[cfg_attr(feature = "wasmtime", component(name = "incorrect-approach"))]
    pub incorrect_approach: String,
    /// When it applies.
    pub applicability: Applicability,
    /// What it says to do.
    #[serde(default)]
    pub content: Option<PatternContent>,
    /// How to use it.
    pub guidance: Guidance,
    /// The evidence from its applications.
    pub evidence: PatternEvidence,
    /// How often it was applied or shown.
    #[cfg_attr(feature = "wasmtime", component(name = "usage-count"))]
    pub usage_count: u32,
    /// When it was last used.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "last-used"))]
    pub last_used: Option<Timestamp>,
    /// The pattern that supersedes it.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "superseded-by"))]
    pub superseded_by: Option<String>,
    /// Why it is deprecated.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "deprecation-reason"))]
    pub deprecation_reason: Option<String>,
    /// The pattern it is a special case of.
    #[serde(default)]
    pub specializes: Option<String>,
    /// The patterns it is a more general form of.
    #[serde(default)]
    pub generalizes: Vec<String>,
    /// The patterns it is incompatible with.
    #[serde(default)]
    pub contradicts: Vec<String>,
    /// The patterns it works well with.
    #[serde(default)]
    pub complements: Vec<String>,
}

/// A pattern to add. Only `name`, `kind` and `summary` are required.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct NewPattern {
    /// Its id, with the same rules as for a run. Default: computed from its content.
    #[serde(default)]
    pub id: Option<String>,
    /// Its name. 1 to 200 characters.
    pub name: String,
    /// What kind of lesson it is.
    pub kind: LessonKind,
    /// A summary in one or two sentences. 1 to 1,000 characters.
    pub summary: String,
    /// A longer explanation. At most 16 KiB.
    #[serde(default)]
    pub explanation: Option<String>,
    /// The right way, if there is also a wrong way.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "correct-approach"))]
    pub correct_approach: Option<String>,
    /// The wrong way.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "incorrect-approach"))]
    pub incorrect_approach: Option<String>,
    /// When it applies.
    #[serde(default)]
    pub applicability: Option<Applicability>,
    /// What it says to do.
    #[serde(default)]
    pub content: Option<PatternContent>,
    /// How to use it.
    #[serde(default)]
    pub guidance: Option<Guidance>,
    /// The tasks it is for. Default: `global`.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// The domain it was learned in.
    #[serde(default)]
    pub domain: Option<String>,
    /// The kinds of failure it is for. At most 32.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The fingerprints that trigger it. At most 32.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "trigger-fingerprints"))]
    pub trigger_fingerprints: Vec<String>,
    /// The episodes it comes from. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "source-episodes"))]
    pub source_episodes: Vec<String>,
    /// How certain it is, from 0 to 1, until it is applied. Default: 0.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// Who proposes it. Default: `agent`.
    #[serde(default)]
    pub source: Option<Source>,
}

/// What to change in a pattern. Members that are left out stay.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct PatternUpdate {
    /// Its name.
    #[serde(default)]
    pub name: Option<String>,
    /// A summary in one or two sentences.
    #[serde(default)]
    pub summary: Option<String>,
    /// A longer explanation.
    #[serde(default)]
    pub explanation: Option<String>,
    /// The right way.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "correct-approach"))]
    pub correct_approach: Option<String>,
    /// The wrong way.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "incorrect-approach"))]
    pub incorrect_approach: Option<String>,
    /// When it applies.
    #[serde(default)]
    pub applicability: Option<Applicability>,
    /// What it says to do.
    #[serde(default)]
    pub content: Option<PatternContent>,
    /// How to use it.
    #[serde(default)]
    pub guidance: Option<Guidance>,
    /// Why it is changed.
    pub reason: String,
}

/// A task to find patterns for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct TaskFeatures {
    /// The task in words. May be empty.
    pub task: String,
    /// The type of task. Empty: only patterns for any type.
    #[cfg_attr(feature = "wasmtime", component(name = "task-type"))]
    pub task_type: String,
    /// Its domain. Empty: only patterns for any domain.
    pub domain: String,
    /// How hard it is, from 0 to 1. Default: not considered.
    #[serde(default)]
    pub complexity: Option<f64>,
    /// What the agent can do. Empty: not considered.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Anything else that is known about it besides `task`, `task-type`, `domain` and `complexity`. At most 64.
    #[serde(default)]
    pub features: Vec<Feature>,
    /// Only patterns of this kind. Then candidates are included.
    #[serde(default)]
    pub category: Option<LessonKind>,
    /// At most this many. Default: 5. Maximum: 100.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// The parts of a pattern's rank, each from 0 to 1:
/// `0.4·confidence + 0.3·success-rate + 0.15·usage + 0.1·recency + 0.05·match-quality`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct RankParts {
    /// How certain it is.
    pub confidence: f64,
    /// How often it works.
    #[cfg_attr(feature = "wasmtime", component(name = "success-rate"))]
    pub success_rate: f64,
    /// `min(ln(1 + usage-count) / 10, 1)`.
    pub usage: f64,
    /// `e^(-days since validation / 90)`.
    pub recency: f64,
    /// How well it fits the task: the mean of the conditions that it names (type, domain, complexity and others;
    /// each 0 or 1) and of the similarity in words, if the task has words.
    #[cfg_attr(feature = "wasmtime", component(name = "match-quality"))]
    pub match_quality: f64,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<RankParts>() == 40 && align_of::<RankParts>() == 8);
    assert!(std::mem::offset_of!(RankParts, confidence) == 0);
    assert!(std::mem::offset_of!(RankParts, success_rate) == 8);
    assert!(std::mem::offset_of!(RankParts, usage) == 16);
    assert!(std::mem::offset_of!(RankParts, recency) == 24);
    assert!(std::mem::offset_of!(RankParts, match_quality) == 32);
};

/// A pattern that applies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ApplicablePattern {
    /// The pattern.
    pub pattern: Pattern,
    /// Its rank.
    pub score: f64,
    /// What that is made of.
    pub parts: RankParts,
}

/// A version of a pattern that was replaced by an update.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct PatternVersion {
    /// Its number.
    pub version: u32,
    /// The pattern as it was.
    pub pattern: Pattern,
    /// Why it was changed.
    pub reason: String,
    /// When it was replaced.
    pub until: Timestamp,
}

/// A pattern that is similar to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct SimilarPattern {
    /// The pattern.
    pub pattern: Pattern,
    /// How similar it is, from 0 to 1.
    pub similarity: f64,
}
