//! `twiceshy:memory/episode-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Episode, Json, Outcome, Phase, Timestamp};

/// A number with a name, such as `tokens_used` or `coverage`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Measure {
    /// What is measured. 1 to 64 bytes.
    pub name: String,
    /// The value.
    pub value: f64,
}

/// A change of plan during the work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Adaptation {
    /// The step at which it was made, if known.
    #[serde(default)]
    pub step: Option<u32>,
    /// What was changed.
    pub change: String,
    /// The reason.
    pub reason: String,
}

/// An error of a run and what resolved it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct EncounteredError {
    /// The kind of error, such as `TypeScript compilation`.
    pub kind: String,
    /// Its message.
    pub message: String,
    /// What resolved it. Empty if nothing did.
    pub resolution: String,
}

/// A content that is kept outside the store, or a file that is only named.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Artifact {
    /// Its name, such as `src/routes/todos.ts`.
    pub name: String,
    /// Its media type. Empty if unknown.
    #[cfg_attr(feature = "wasmtime", component(name = "media-type"))]
    pub media_type: String,
    /// `sha256:` and 64 hexadecimal digits, if its content is kept. Missing if it is only named.
    #[serde(default)]
    pub hash: Option<String>,
    /// The size of the content in bytes.
    pub bytes: u32,
}

/// The account of an episode: how the task was understood, how it was carried out, what the result was, and
/// reflections on it. All members may be left out. Immutable.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Account {
    /// The goals of the task. At most 64.
    #[serde(default)]
    pub goals: Vec<String>,
    /// The constraints. At most 64.
    #[serde(default)]
    pub constraints: Vec<String>,
    /// The criteria of success. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "success-criteria"))]
    pub success_criteria: Vec<String>,
    /// The circumstances: an object with any members.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    pub context: Json,
    /// The phase of the work, such as `development`.
    #[serde(default)]
    pub phase: Option<String>,
    /// The files involved. At most 256.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "files-involved"))]
    pub files_involved: Vec<String>,
    /// How hard it seemed, from 0 to 1.
    #[serde(default)]
    pub complexity: Option<f64>,
    /// The plan, step by step. At most 256.
    #[serde(default)]
    pub plan: Vec<String>,
    /// Changes of plan. At most 64.
    #[serde(default)]
    pub adaptations: Vec<Adaptation>,
    /// The resources it used: tokens, calls, cost. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "resource-usage"))]
    pub resource_usage: Vec<Measure>,
    /// The main result. A long one is shortened in the middle, and kept whole as an artifact.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "primary-output"))]
    pub primary_output: Option<String>,
    /// What else it changed. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "side-effects"))]
    pub side_effects: Vec<String>,
    /// Measures of the quality of the result. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "quality-metrics"))]
    pub quality_metrics: Vec<Measure>,
    /// What was learned. At most 64.
    #[serde(default)]
    pub insights: Vec<String>,
    /// Lessons learned from it, by id. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "patterns-discovered"))]
    pub patterns_discovered: Vec<String>,
    /// The errors and what resolved them. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "errors-encountered"))]
    pub errors_encountered: Vec<EncounteredError>,
    /// Reflections on its efficiency.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "performance-analysis"))]
    pub performance_analysis: Option<String>,
    /// What it produced. At most 256.
    #[serde(default)]
    pub artifacts: Vec<Artifact>,
    /// The commit that it ended with.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "git-commit"))]
    pub git_commit: Option<String>,
}

/// What is known about a run besides its steps. Becomes part of its episode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Description {
    /// What kind of task it is, such as `refactoring`.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "task-type"))]
    pub task_type: Option<String>,
    /// The tools that were used. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "tools-used"))]
    pub tools_used: Vec<String>,
    /// The strategies that were applied: patterns by id, or in words. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "strategies-applied"))]
    pub strategies_applied: Vec<String>,
    /// Its tags. At most 32.
    #[serde(default)]
    pub tags: Vec<String>,
    /// A summary. Default: made from the rest.
    #[serde(default)]
    pub summary: Option<String>,
    /// Its account.
    #[serde(default)]
    pub account: Option<Account>,
}

/// The part of an episode that a vector represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Facet {
    /// The task.
    #[cfg_attr(feature = "wasmtime", component(name = "task"))]
    Task,
    /// The result.
    #[cfg_attr(feature = "wasmtime", component(name = "outcome"))]
    Outcome,
    /// The whole episode.
    #[cfg_attr(feature = "wasmtime", component(name = "full"))]
    Full,
}

impl Facet {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Task, Self::Outcome, Self::Full];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Outcome => "outcome",
            Self::Full => "full",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// Whether an episode is at hand, in cold storage, or deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum ArchivalStatus {
    /// At hand.
    #[cfg_attr(feature = "wasmtime", component(name = "active"))]
    Active,
    /// Its account is in cold storage.
    #[cfg_attr(feature = "wasmtime", component(name = "archived"))]
    Archived,
    /// Deleted, but recoverable.
    #[cfg_attr(feature = "wasmtime", component(name = "deleted"))]
    Deleted,
}

impl ArchivalStatus {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Active, Self::Archived, Self::Deleted];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
            Self::Deleted => "deleted",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// What happened to an episode after the end of its run. The episode itself does not change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Lifecycle {
    /// Its phase, by its age.
    pub phase: Phase,
    /// Whether it is at hand.
    #[cfg_attr(feature = "wasmtime", component(name = "archival-status"))]
    pub archival_status: ArchivalStatus,
    /// How often it was retrieved.
    #[cfg_attr(feature = "wasmtime", component(name = "access-count"))]
    pub access_count: u32,
    /// When it was last retrieved.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "last-accessed"))]
    pub last_accessed: Option<Timestamp>,
    /// Lessons and episodes that refer to it. At most 256.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "referenced-by"))]
    pub referenced_by: Vec<String>,
    /// The name of its steps in cold storage, if they were moved there.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "cold-trace"))]
    pub cold_trace: Option<String>,
    /// The name of its account in cold storage, if it was moved there.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "cold-account"))]
    pub cold_account: Option<String>,
    /// The episode that now stands for it.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "consolidated-into"))]
    pub consolidated_into: Option<String>,
    /// When it was deleted.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "deleted-at"))]
    pub deleted_at: Option<Timestamp>,
    /// Why it was deleted.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "delete-reason"))]
    pub delete_reason: Option<String>,
}

/// How an episode of a group differs from the one that stands for it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Variation {
    /// The episode.
    pub episode: String,
    /// The difference, in words.
    pub difference: String,
}

/// What several similar episodes, for which one stands, have in common.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Consolidated {
    /// The episode that stands for them.
    pub representative: String,
    /// How many there are.
    pub instances: u32,
    /// The actions that they share, in order.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "common-structure"))]
    pub common_structure: Vec<String>,
    /// How each of them differs. At most 256.
    #[serde(default)]
    pub variations: Vec<Variation>,
    /// The mean duration in milliseconds.
    #[cfg_attr(feature = "wasmtime", component(name = "average-duration"))]
    pub average_duration: f64,
    /// The share of successes.
    #[cfg_attr(feature = "wasmtime", component(name = "success-rate"))]
    pub success_rate: f64,
    /// The lessons that several of them have in common.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "common-patterns"))]
    pub common_patterns: Vec<String>,
}

/// Everything that is known about an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct FullEpisode {
    /// The episode.
    pub episode: Episode,
    /// Its account.
    pub account: Account,
    /// What happened to it since it ended.
    pub lifecycle: Lifecycle,
    /// What it has in common with the episodes it stands for, if there are any.
    #[serde(default)]
    pub consolidated: Option<Consolidated>,
}

/// One action of an imported episode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct TraceEntry {
    /// Milliseconds since the start.
    pub after: u32,
    /// What was done, such as `run_test`.
    pub action: String,
    /// What it was done to.
    #[serde(default)]
    pub target: Option<String>,
    /// The result, such as `pass` or `fail`.
    #[serde(default)]
    pub result: Option<String>,
    /// The error, if it failed.
    #[serde(default)]
    pub error: Option<String>,
}

/// An episode from elsewhere, to store as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct NewEpisode {
    /// Its id, with the same rules as for a run. Default: a new id.
    #[serde(default)]
    pub id: Option<String>,
    /// The task in words. 1 byte to 16 KiB.
    pub task: String,
    /// The domain, such as `cli`.
    pub domain: String,
    /// The session it belongs to.
    #[serde(default)]
    pub session: Option<String>,
    /// Who did it.
    #[serde(default)]
    pub agent: Option<String>,
    /// What kind of task it is, such as `refactoring`.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "task-type"))]
    pub task_type: Option<String>,
    /// The tools that were used. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "tools-used"))]
    pub tools_used: Vec<String>,
    /// The strategies that were applied: lessons by id, or in words. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "strategies-applied"))]
    pub strategies_applied: Vec<String>,
    /// Its tags. At most 32.
    #[serde(default)]
    pub tags: Vec<String>,
    /// A summary. Default: made from the rest.
    #[serde(default)]
    pub summary: Option<String>,
    /// When it began. Default: computed from its end and the time of its last action.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "started-at"))]
    pub started_at: Option<Timestamp>,
    /// When it ended. Default: the time of its last action, or now if its beginning is unknown. Never later than
    /// now.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "ended-at"))]
    pub ended_at: Option<Timestamp>,
    /// How it ended.
    pub outcome: Outcome,
    /// The score from 0 to 1, if there is one.
    #[serde(default)]
    pub score: Option<f64>,
    /// What was done, in order. At most 200. Failed actions become events, as in a run.
    #[serde(default)]
    pub trace: Vec<TraceEntry>,
    /// Its account.
    #[serde(default)]
    pub account: Option<Account>,
}

/// What aging did, or would do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Aging {
    /// Episodes whose steps moved to cold storage.
    pub traces: u32,
    /// Episodes whose account moved to cold storage.
    pub accounts: u32,
    /// KiB that left the store.
    pub kib: u32,
    /// Whether there is more to do.
    pub more: bool,
}

/// What was learned from an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct LearningSummary {
    /// The episode.
    pub episode: Episode,
    /// Lessons that are new.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "new-lessons"))]
    pub new_lessons: Vec<String>,
    /// Known lessons that got one more origin.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "reinforced-lessons"))]
    pub reinforced_lessons: Vec<String>,
    /// Patterns whose application was recorded.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "applied-patterns"))]
    pub applied_patterns: Vec<String>,
    /// The summary in words.
    pub text: String,
}
