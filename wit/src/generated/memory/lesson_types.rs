//! `twiceshy:memory/lesson-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Activation, EarlierActivations, Episode, Link, Timestamp, TraceStep};

/// What kind of knowledge a lesson is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum LessonKind {
    /// Do this instead of that.
    #[cfg_attr(feature = "wasmtime", component(name = "rule"))]
    Rule,
    /// Something that does not work, with no known fix.
    #[cfg_attr(feature = "wasmtime", component(name = "anti-pattern"))]
    AntiPattern,
    /// A fact.
    #[cfg_attr(feature = "wasmtime", component(name = "fact"))]
    Fact,
    /// A way to go about a kind of task.
    #[cfg_attr(feature = "wasmtime", component(name = "strategy"))]
    Strategy,
    /// How to divide a task into parts.
    #[cfg_attr(feature = "wasmtime", component(name = "decomposition"))]
    Decomposition,
    /// An order of actions.
    #[cfg_attr(feature = "wasmtime", component(name = "sequence"))]
    Sequence,
    /// Which tool to use.
    #[cfg_attr(feature = "wasmtime", component(name = "tool-selection"))]
    ToolSelection,
    /// How something fails.
    #[cfg_attr(feature = "wasmtime", component(name = "failure"))]
    Failure,
    /// How to recover from a failure.
    #[cfg_attr(feature = "wasmtime", component(name = "recovery"))]
    Recovery,
    /// How to do something better.
    #[cfg_attr(feature = "wasmtime", component(name = "optimization"))]
    Optimization,
    /// Knowledge about a domain.
    #[cfg_attr(feature = "wasmtime", component(name = "domain"))]
    Domain,
    /// A procedure in steps.
    #[cfg_attr(feature = "wasmtime", component(name = "skill"))]
    Skill,
}

impl LessonKind {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 12] = [
        Self::Rule,
        Self::AntiPattern,
        Self::Fact,
        Self::Strategy,
        Self::Decomposition,
        Self::Sequence,
        Self::ToolSelection,
        Self::Failure,
        Self::Recovery,
        Self::Optimization,
        Self::Domain,
        Self::Skill,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::AntiPattern => "anti-pattern",
            Self::Fact => "fact",
            Self::Strategy => "strategy",
            Self::Decomposition => "decomposition",
            Self::Sequence => "sequence",
            Self::ToolSelection => "tool-selection",
            Self::Failure => "failure",
            Self::Recovery => "recovery",
            Self::Optimization => "optimization",
            Self::Domain => "domain",
            Self::Skill => "skill",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(11)]
    }
}

/// The tasks that a lesson is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Scope {
    /// The task it was learned in.
    #[cfg_attr(feature = "wasmtime", component(name = "task"))]
    Task,
    /// All tasks of its domain.
    #[cfg_attr(feature = "wasmtime", component(name = "domain"))]
    Domain,
    /// All domains.
    #[cfg_attr(feature = "wasmtime", component(name = "global"))]
    Global,
}

impl Scope {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Task, Self::Domain, Self::Global];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Domain => "domain",
            Self::Global => "global",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// The status of a lesson in its lifecycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum LessonStatus {
    /// Proposed, not yet proven. Shown.
    #[cfg_attr(feature = "wasmtime", component(name = "candidate"))]
    Candidate,
    /// Proven to help. Shown.
    #[cfg_attr(feature = "wasmtime", component(name = "promoted"))]
    Promoted,
    /// In doubt. Not shown.
    #[cfg_attr(feature = "wasmtime", component(name = "under-review"))]
    UnderReview,
    /// Found not to help, or to harm. Not shown.
    #[cfg_attr(feature = "wasmtime", component(name = "suppressed"))]
    Suppressed,
    /// No longer right. Not shown.
    #[cfg_attr(feature = "wasmtime", component(name = "deprecated"))]
    Deprecated,
    /// Kept for audit only. Not shown.
    #[cfg_attr(feature = "wasmtime", component(name = "archived"))]
    Archived,
}

impl LessonStatus {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 6] = [
        Self::Candidate,
        Self::Promoted,
        Self::UnderReview,
        Self::Suppressed,
        Self::Deprecated,
        Self::Archived,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Promoted => "promoted",
            Self::UnderReview => "under-review",
            Self::Suppressed => "suppressed",
            Self::Deprecated => "deprecated",
            Self::Archived => "archived",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(5)]
    }
}

/// Who proposed a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Source {
    /// A person.
    #[cfg_attr(feature = "wasmtime", component(name = "person"))]
    Person,
    /// The agent that did the task.
    #[cfg_attr(feature = "wasmtime", component(name = "agent"))]
    Agent,
    /// A language model.
    #[cfg_attr(feature = "wasmtime", component(name = "model"))]
    Model,
    /// Nobody: it was mined from the steps of a run.
    #[cfg_attr(feature = "wasmtime", component(name = "trace"))]
    Trace,
}

impl Source {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 4] = [Self::Person, Self::Agent, Self::Model, Self::Trace];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Agent => "agent",
            Self::Model => "model",
            Self::Trace => "trace",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(3)]
    }
}

/// How far the sources of a lesson are trusted before its effect is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Trust {
    /// An agent or a model claims it.
    #[cfg_attr(feature = "wasmtime", component(name = "claimed"))]
    Claimed,
    /// It was seen in the steps of a run.
    #[cfg_attr(feature = "wasmtime", component(name = "observed"))]
    Observed,
    /// A person vouches for it.
    #[cfg_attr(feature = "wasmtime", component(name = "vouched"))]
    Vouched,
}

impl Trust {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Claimed, Self::Observed, Self::Vouched];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Observed => "observed",
            Self::Vouched => "vouched",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// Where a lesson comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Origin {
    /// The run it was learned in. Empty if there is none.
    pub run: String,
    /// The steps of that run that show it, ascending. At most 16.
    #[serde(default)]
    pub steps: Vec<u32>,
    /// Who proposed it.
    pub source: Source,
    /// When it was proposed.
    pub at: Timestamp,
}

/// A lesson to propose. Only `rule-text` is required.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct LessonCandidate {
    /// The rule: what to do, if possible as `WRONG: … → CORRECT: …`. 1 to 1,000 characters.
    #[cfg_attr(feature = "wasmtime", component(name = "rule-text"))]
    pub rule_text: String,
    /// The fingerprints that trigger it. At most 32.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "trigger-fingerprints"))]
    pub trigger_fingerprints: Vec<String>,
    /// Error texts that trigger it: their fingerprints are added to the triggers. At most 32.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "trigger-texts"))]
    pub trigger_texts: Vec<String>,
    /// The kinds of failure it is for. Those of known triggers are added. At most 32.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The tasks it is for. Default: `domain`, or `global` if there is no domain.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "scope-hint"))]
    pub scope_hint: Option<Scope>,
    /// What kind of knowledge it is. Default: `rule`.
    #[serde(default)]
    pub kind: Option<LessonKind>,
    /// The domain it was learned in.
    #[serde(default)]
    pub domain: Option<String>,
    /// The task it was learned in. Required for the scope `task`.
    #[serde(default)]
    pub task: Option<String>,
    /// The run it was learned in.
    #[serde(default)]
    pub run: Option<String>,
    /// The steps of that run that show it. At most 16.
    #[serde(default)]
    pub steps: Vec<u32>,
    /// Who proposes it. Default: `agent`.
    #[serde(default)]
    pub source: Option<Source>,
}

/// The evidence on a lesson: what showing it did, compared with runs without it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Usefulness {
    /// How often it was shown.
    pub activations: u32,
    /// In how many runs it was shown.
    #[cfg_attr(feature = "wasmtime", component(name = "shown-runs"))]
    pub shown_runs: u32,
    /// From how many runs it was withheld for comparison.
    #[cfg_attr(feature = "wasmtime", component(name = "withheld-runs"))]
    pub withheld_runs: u32,
    /// Runs in which it helped.
    pub helped: u32,
    /// Runs in which it harmed.
    pub harmed: u32,
    /// Runs in which it was shown and was relevant.
    pub judged: u32,
    /// The mean utility of the runs in which it was shown, from -1 to 1.
    #[serde(default)]
    pub utility: Option<f64>,
    /// The same for the runs from which it was withheld.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "withheld-utility"))]
    pub withheld_utility: Option<f64>,
    /// The share by which its failures became fewer, compared with runs without it.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "recurrence-drop"))]
    pub recurrence_drop: Option<f64>,
    /// Runs that went badly wrong while it was shown.
    pub regressions: u32,
    /// How often a contradicting lesson did better.
    pub losses: u32,
    /// When it was last shown.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "last-shown-at"))]
    pub last_shown_at: Option<Timestamp>,
}

/// A lesson: a unit of knowledge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Lesson {
    /// Its id. The same rule with the same triggers and scope is the same lesson.
    pub id: String,
    /// The rule: what to do.
    #[cfg_attr(feature = "wasmtime", component(name = "rule-text"))]
    pub rule_text: String,
    /// What kind of knowledge it is.
    pub kind: LessonKind,
    /// The tasks it is for.
    pub scope: Scope,
    /// The domain it was learned in. Empty if there is none.
    pub domain: String,
    /// The task it was learned in. Empty if there is none.
    pub task: String,
    /// The fingerprints that trigger it, sorted.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "trigger-fingerprints"))]
    pub trigger_fingerprints: Vec<String>,
    /// The kinds of failure it is for, sorted.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Its status.
    pub status: LessonStatus,
    /// Why it has this status.
    #[cfg_attr(feature = "wasmtime", component(name = "status-reason"))]
    pub status_reason: String,
    /// How reliable it is, from 0 to 1. Begins at 0.5.
    pub reliability: f64,
    /// Its origins, oldest first. At most 64.
    #[serde(default)]
    pub origins: Vec<Origin>,
    /// How far its sources are trusted.
    pub trust: Trust,
    /// Its evidence: what showing it did.
    pub usefulness: Usefulness,
    /// When it was first proposed.
    #[cfg_attr(feature = "wasmtime", component(name = "created-at"))]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[cfg_attr(feature = "wasmtime", component(name = "updated-at"))]
    pub updated_at: Timestamp,
}

/// Everything that a lesson is based on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Explanation {
    /// The lesson.
    pub lesson: Lesson,
    /// Its links to other lessons, in both directions.
    #[serde(default)]
    pub links: Vec<Link>,
    /// Its newest activations. At most 50.
    #[serde(default)]
    pub activations: Vec<Activation>,
    /// What its older activations add up to, if any were summed up.
    #[serde(default)]
    pub earlier: Option<EarlierActivations>,
    /// The episodes it was learned in or shown in, newest first. At most 50.
    #[serde(default)]
    pub episodes: Vec<Episode>,
    /// The steps it was learned from. At most 50.
    #[serde(default)]
    pub steps: Vec<TraceStep>,
}

/// Which lessons to list. Members that are left out do not restrict.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct LessonFilter {
    /// Only lessons with this status.
    #[serde(default)]
    pub status: Option<LessonStatus>,
    /// Only lessons that this fingerprint triggers.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// Only lessons of this domain.
    #[serde(default)]
    pub domain: Option<String>,
    /// At most this many. Default: 50. Maximum: 1,000.
    #[serde(default)]
    pub limit: Option<u32>,
}
