//! `twiceshy:memory/types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Feedback, Step, Timestamp};

/// A run to start: a task about to be worked on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct NewRun {
    /// Its id: at most 64 letters, digits, dashes and underscores. Default: a new id.
    #[serde(default)]
    pub id: Option<String>,
    /// The task in words. May be empty. At most 16 KiB.
    pub task: String,
    /// The domain of its steps, such as `cli`: at most 64 lowercase letters, digits and dashes.
    pub domain: String,
    /// The hold-out: the share of runs, 0 to 0.5, from which a lesson is withheld so that its effect can be
    /// measured. Default: 0.1, and less the more is known about the lesson. 0 turns it off.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "hold-out"))]
    pub hold_out: Option<f64>,
    /// How many hints to return after a failed step. Default: 3. Maximum: 32.
    #[serde(default)]
    pub hints: Option<u32>,
    /// The session it belongs to. At most 128 bytes.
    #[serde(default)]
    pub session: Option<String>,
    /// Who works on it. At most 128 bytes.
    #[serde(default)]
    pub agent: Option<String>,
    /// What kind of task it is, such as `refactoring`. At most 64 bytes.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "task-type"))]
    pub task_type: Option<String>,
    /// Tags of its episode. At most 32 of 64 bytes each.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// A run: a task being worked on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Run {
    /// Its id.
    pub id: String,
    /// The task in words.
    pub task: String,
    /// The domain of its steps.
    pub domain: String,
    /// When it started.
    #[cfg_attr(feature = "wasmtime", component(name = "started-at"))]
    pub started_at: Timestamp,
    /// How many steps it has so far.
    pub steps: u32,
    /// How many of them failed.
    pub failures: u32,
}

/// A step and the feedback on it, from an adapter or from the host's own evaluator.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Observed {
    /// The step.
    pub step: Step,
    /// The feedback on it. The step failed if `hard-failure` is there, if `constraint-failure` has an entry, or
    /// if `progress-signal` is 0 or less.
    pub feedback: Feedback,
}

/// A step as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct TraceStep {
    /// The run it belongs to.
    pub run: String,
    /// Its index in the run, from 0.
    pub index: u32,
    /// The domain of the run.
    pub domain: String,
    /// When it was observed.
    pub at: Timestamp,
    /// The step. Long payloads are shortened in the middle.
    pub step: Step,
    /// The feedback on it.
    pub feedback: Feedback,
    /// The id of its event, if it failed.
    #[serde(default)]
    #[serde(alias = "event")]
    #[cfg_attr(feature = "wasmtime", component(name = "event-id"))]
    pub event_id: Option<String>,
    /// The fingerprint of its failure, if it failed.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// A fingerprint: a failure without its volatile parts, such as paths, numbers and names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Fingerprint {
    /// Its id: the same failure has the same id on every machine and day.
    pub id: String,
    /// The readable form, with typed holes such as `<path>` in place of volatile parts.
    pub template: String,
    /// The kinds of failure it is, in words that fit any domain, sorted.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// An event: a failed step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Event {
    /// Its id.
    pub id: String,
    /// The run it happened in.
    pub run: String,
    /// The index of the step in the run, from 0.
    pub step: u32,
    /// When it happened.
    pub at: Timestamp,
    /// The domain of the step.
    pub domain: String,
    /// The id of its fingerprint.
    pub fingerprint: String,
    /// The readable form of its fingerprint.
    pub template: String,
    /// The kinds of failure it is, sorted. `no_progress` means that the same failure happened before.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The action, in one line.
    #[cfg_attr(feature = "wasmtime", component(name = "action-text"))]
    pub action_text: String,
    /// Why it counts as failed: the hard failure's reason, or the conditions that do not hold.
    pub reason: String,
    /// The error text, shortened in the middle.
    pub evidence: String,
    /// Whether the step failed on the hard-failure channel.
    #[cfg_attr(feature = "wasmtime", component(name = "hard-failure"))]
    pub hard_failure: bool,
    /// Whether the step failed on the constraint-failure channel.
    #[cfg_attr(feature = "wasmtime", component(name = "constraint-failure"))]
    pub constraint_failure: bool,
    /// The progress signal of the step.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "progress-signal"))]
    pub progress_signal: Option<f64>,
    /// The difference from the previous progress signal in the run.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "progress-delta"))]
    pub progress_delta: Option<f64>,
    /// The efficiency signal of the step.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "efficiency-signal"))]
    pub efficiency_signal: Option<f64>,
    /// The difference from the previous efficiency signal in the run.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "efficiency-delta"))]
    pub efficiency_delta: Option<f64>,
    /// How often this fingerprint was seen in this memory so far, this event included.
    pub occurrence: u32,
    /// How often it was seen in this run so far, this event included.
    #[cfg_attr(feature = "wasmtime", component(name = "occurrence-in-run"))]
    pub occurrence_in_run: u32,
    /// In how many runs it was seen so far, this run included.
    pub runs: u32,
}

/// Which events to list. Members that are left out do not restrict.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct EventFilter {
    /// Only events with this fingerprint.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// Only events of this run.
    #[serde(default)]
    pub run: Option<String>,
    /// Only events of this domain.
    #[serde(default)]
    pub domain: Option<String>,
    /// Only events with this tag.
    #[serde(default)]
    pub tag: Option<String>,
    /// At most this many. Default: 50. Maximum: 1,000.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Outcome {
    /// The goal was reached.
    #[cfg_attr(feature = "wasmtime", component(name = "success"))]
    Success,
    /// The goal was not reached.
    #[cfg_attr(feature = "wasmtime", component(name = "failure"))]
    Failure,
    /// The goal was reached in part.
    #[cfg_attr(feature = "wasmtime", component(name = "partial"))]
    Partial,
    /// The run was given up; nobody can tell.
    #[cfg_attr(feature = "wasmtime", component(name = "abandoned"))]
    Abandoned,
}

impl Outcome {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 4] = [Self::Success, Self::Failure, Self::Partial, Self::Abandoned];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Partial => "partial",
            Self::Abandoned => "abandoned",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(3)]
    }
}

/// Who scored a run, independently of who worked on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Referee {
    /// An evaluator that gives the same score for the same result, such as a command or expectations.
    #[cfg_attr(feature = "wasmtime", component(name = "deterministic"))]
    Deterministic,
    /// A language model.
    #[cfg_attr(feature = "wasmtime", component(name = "model"))]
    Model,
    /// The feedback on the run's own steps.
    #[cfg_attr(feature = "wasmtime", component(name = "signals"))]
    Signals,
}

impl Referee {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Deterministic, Self::Model, Self::Signals];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deterministic => "deterministic",
            Self::Model => "model",
            Self::Signals => "signals",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// How to end a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Ending {
    /// The outcome. Default: `success` or `failure` by the last step, or `abandoned` if there are no steps.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// The score of a referee, from 0 to 1. Default: the score of the model, if there is one and the run has a
    /// task; otherwise a score computed from the feedback on the steps.
    #[serde(default)]
    pub score: Option<f64>,
    /// Who gave the score. Default: `deterministic`, if there is a score.
    #[serde(default)]
    pub referee: Option<Referee>,
}

/// The phase of an episode by its age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Phase {
    /// Up to 30 days old. Fully searchable, preferred.
    #[cfg_attr(feature = "wasmtime", component(name = "active"))]
    Active,
    /// Up to 180 days old. Fully searchable, may be consolidated.
    #[cfg_attr(feature = "wasmtime", component(name = "mature"))]
    Mature,
    /// Up to 365 days old. Its steps are in cold storage; it is found only if it is highly relevant.
    #[cfg_attr(feature = "wasmtime", component(name = "aged"))]
    Aged,
    /// Older. Its steps and its account are in cold storage; it is found only on request.
    #[cfg_attr(feature = "wasmtime", component(name = "archived"))]
    Archived,
    /// Deleted, but recoverable until `purge` removes it for good.
    #[cfg_attr(feature = "wasmtime", component(name = "deleted"))]
    Deleted,
}

impl Phase {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 5] = [
        Self::Active,
        Self::Mature,
        Self::Aged,
        Self::Archived,
        Self::Deleted,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Mature => "mature",
            Self::Aged => "aged",
            Self::Archived => "archived",
            Self::Deleted => "deleted",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(4)]
    }
}

/// An episode: a run that has ended. Immutable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Episode {
    /// Its id, which is the id of the run.
    pub id: String,
    /// The task in words.
    pub task: String,
    /// The domain of its steps.
    pub domain: String,
    /// When the run started.
    #[cfg_attr(feature = "wasmtime", component(name = "started-at"))]
    pub started_at: Timestamp,
    /// When it ended.
    #[cfg_attr(feature = "wasmtime", component(name = "ended-at"))]
    pub ended_at: Timestamp,
    /// How it ended.
    pub outcome: Outcome,
    /// The score from 0 to 1. Missing for a run without steps.
    #[serde(default)]
    pub score: Option<f64>,
    /// Who gave the score.
    pub referee: Referee,
    /// How many steps it took.
    pub steps: u32,
    /// How many of them failed.
    pub failures: u32,
    /// The fingerprints of its failures, each once, in the order of their first appearance. At most 256.
    #[serde(default)]
    pub fingerprints: Vec<String>,
    /// The lessons that were shown in it, each once. At most 256.
    #[serde(default)]
    pub lessons: Vec<String>,
    /// The session it belongs to. Empty if unknown.
    pub session: String,
    /// Who worked on it. Empty if unknown.
    pub agent: String,
    /// What kind of task it is. Empty if unknown.
    #[cfg_attr(feature = "wasmtime", component(name = "task-type"))]
    pub task_type: String,
    /// The tools that were used. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "tools-used"))]
    pub tools_used: Vec<String>,
    /// The strategies that were applied. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "strategies-applied"))]
    pub strategies_applied: Vec<String>,
    /// Its tags, sorted. At most 32.
    #[serde(default)]
    pub tags: Vec<String>,
    /// A summary in a few lines.
    pub summary: String,
}

/// Which episodes to list. Members that are left out do not restrict.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct EpisodeFilter {
    /// Only episodes of this domain.
    #[serde(default)]
    pub domain: Option<String>,
    /// Only episodes with this outcome.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// Only episodes that had this failure, by its fingerprint.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// Only episodes with this type of task.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "task-type"))]
    pub task_type: Option<String>,
    /// Only episodes of this session.
    #[serde(default)]
    pub session: Option<String>,
    /// Only episodes of this agent.
    #[serde(default)]
    pub agent: Option<String>,
    /// Only episodes with this tag.
    #[serde(default)]
    pub tag: Option<String>,
    /// Only episodes in which this tool was used.
    #[serde(default)]
    pub tool: Option<String>,
    /// Only episodes in which this strategy was applied.
    #[serde(default)]
    pub strategy: Option<String>,
    /// Only episodes that ended at this time or later.
    #[serde(default)]
    pub since: Option<Timestamp>,
    /// Only episodes that ended at this time or earlier.
    #[serde(default)]
    pub until: Option<Timestamp>,
    /// Only episodes in this phase.
    #[serde(default)]
    pub phase: Option<Phase>,
    /// At most this many. Default: 50. Maximum: 1,000.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Why a call failed. A failed call changes nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(variant)
)]
pub enum Error {
    /// Something does not exist; names it.
    #[cfg_attr(feature = "wasmtime", component(name = "not-found"))]
    NotFound(String),
    /// An argument is invalid; names the member, the cause and what to do.
    #[cfg_attr(feature = "wasmtime", component(name = "invalid-argument"))]
    InvalidArgument(String),
    /// The call does not fit the current state, such as a step for a run that has ended.
    #[cfg_attr(feature = "wasmtime", component(name = "conflict"))]
    Conflict(String),
    /// Another process holds the store or the work for too long. Retry later.
    #[cfg_attr(feature = "wasmtime", component(name = "busy"))]
    Busy(String),
    /// The store can't be written or read: it is full, read-only or damaged.
    #[cfg_attr(feature = "wasmtime", component(name = "storage"))]
    Storage(String),
    /// The call needs something that this host does not offer.
    #[cfg_attr(feature = "wasmtime", component(name = "unavailable"))]
    Unavailable(String),
    /// The host offers what the call needs, but not to this memory.
    #[cfg_attr(feature = "wasmtime", component(name = "denied"))]
    Denied(String),
    /// Anything else.
    #[cfg_attr(feature = "wasmtime", component(name = "other"))]
    Other(String),
}

impl Error {
    /// The name of the case in the contract.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not-found",
            Self::InvalidArgument(_) => "invalid-argument",
            Self::Conflict(_) => "conflict",
            Self::Busy(_) => "busy",
            Self::Storage(_) => "storage",
            Self::Unavailable(_) => "unavailable",
            Self::Denied(_) => "denied",
            Self::Other(_) => "other",
        }
    }

    /// What happened, and what to do.
    pub fn message(&self) -> &str {
        match self {
            Self::NotFound(message)
            | Self::InvalidArgument(message)
            | Self::Conflict(message)
            | Self::Busy(message)
            | Self::Storage(message)
            | Self::Unavailable(message)
            | Self::Denied(message)
            | Self::Other(message) => message,
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Error {}

/// How often something occurs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Tally {
    /// What is counted.
    pub name: String,
    /// How often.
    pub count: u32,
}
