//! `twiceshy:memory/health-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Fingerprint, Lesson, Link, Timestamp};

/// How much a memory holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct MemoryStatus {
    /// Failed steps.
    pub events: u32,
    /// Runs that have ended.
    pub episodes: u32,
    /// Lessons, whatever their status.
    pub lessons: u32,
    /// Runs that are open.
    pub runs: u32,
    /// Different failures.
    pub fingerprints: u32,
    /// Activations that are kept one by one: lessons shown in runs, or withheld from them.
    pub activations: u32,
    /// Decisions.
    pub decisions: u32,
    /// Failed attempts.
    pub failures: u32,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<MemoryStatus>() == 32 && align_of::<MemoryStatus>() == 4);
    assert!(std::mem::offset_of!(MemoryStatus, events) == 0);
    assert!(std::mem::offset_of!(MemoryStatus, episodes) == 4);
    assert!(std::mem::offset_of!(MemoryStatus, lessons) == 8);
    assert!(std::mem::offset_of!(MemoryStatus, runs) == 12);
    assert!(std::mem::offset_of!(MemoryStatus, fingerprints) == 16);
    assert!(std::mem::offset_of!(MemoryStatus, activations) == 20);
    assert!(std::mem::offset_of!(MemoryStatus, decisions) == 24);
    assert!(std::mem::offset_of!(MemoryStatus, failures) == 28);
};

/// How many lessons have each status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct LessonsByStatus {
    /// Candidates: proposed, not yet proven.
    pub candidate: u32,
    /// Promoted: proven to help.
    pub promoted: u32,
    /// Under review: in doubt.
    #[cfg_attr(feature = "wasmtime", component(name = "under-review"))]
    pub under_review: u32,
    /// Suppressed: found not to help.
    pub suppressed: u32,
    /// Deprecated: no longer right.
    pub deprecated: u32,
    /// Archived: kept for audit.
    pub archived: u32,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<LessonsByStatus>() == 24 && align_of::<LessonsByStatus>() == 4);
    assert!(std::mem::offset_of!(LessonsByStatus, candidate) == 0);
    assert!(std::mem::offset_of!(LessonsByStatus, promoted) == 4);
    assert!(std::mem::offset_of!(LessonsByStatus, under_review) == 8);
    assert!(std::mem::offset_of!(LessonsByStatus, suppressed) == 12);
    assert!(std::mem::offset_of!(LessonsByStatus, deprecated) == 16);
    assert!(std::mem::offset_of!(LessonsByStatus, archived) == 20);
};

/// A failure that recurs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct RecurringFailure {
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// How often it was seen.
    pub occurrences: u32,
    /// In how many runs.
    pub runs: u32,
    /// When it was last seen.
    #[cfg_attr(feature = "wasmtime", component(name = "last-at"))]
    pub last_at: Timestamp,
    /// The lessons that it triggers and that are shown.
    #[serde(default)]
    pub lessons: Vec<String>,
}

/// How the runs of one task went over time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct TaskStability {
    /// The task in words.
    pub task: String,
    /// The domain of its steps.
    pub domain: String,
    /// How many of its newest runs are considered. At most 50.
    pub runs: u32,
    /// Failures in the first of them.
    #[cfg_attr(feature = "wasmtime", component(name = "first-failures"))]
    pub first_failures: u32,
    /// The fewest failures in any of them.
    #[cfg_attr(feature = "wasmtime", component(name = "best-failures"))]
    pub best_failures: u32,
    /// Failures in the last of them.
    #[cfg_attr(feature = "wasmtime", component(name = "last-failures"))]
    pub last_failures: u32,
    /// Steps in the first of them.
    #[cfg_attr(feature = "wasmtime", component(name = "first-steps"))]
    pub first_steps: u32,
    /// Steps in the last of them.
    #[cfg_attr(feature = "wasmtime", component(name = "last-steps"))]
    pub last_steps: u32,
    /// The share of them that succeeded.
    #[cfg_attr(feature = "wasmtime", component(name = "pass-rate"))]
    pub pass_rate: f64,
    /// Whether the last three have more failures than the best three before them, by more than half a failure per
    /// run.
    pub regressed: bool,
}

/// How well a memory works.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Health {
    /// Lessons by status.
    pub lessons: LessonsByStatus,
    /// How often lessons were shown.
    pub shown: u32,
    /// How often lessons were withheld for comparison.
    pub withheld: u32,
    /// Lessons that helped, counted once per run.
    pub helped: u32,
    /// Lessons that harmed, counted once per run.
    pub harmed: u32,
    /// Lessons that were shown and relevant, counted once per run.
    pub judged: u32,
    /// The share of `judged` that helped: a proxy for the precision of retrieval. Missing until something was
    /// judged.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "retrieval-precision"))]
    pub retrieval_precision: Option<f64>,
    /// The mean utility of the lessons that are shown. Missing until one was shown.
    #[serde(default)]
    pub utility: Option<f64>,
    /// Failures per run in the older half of the newest 200 episodes.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "failures-per-run-before"))]
    pub failures_per_run_before: Option<f64>,
    /// Failures per run in the newer half of them.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "failures-per-run-now"))]
    pub failures_per_run_now: Option<f64>,
    /// The most frequent recurring failures. At most 20.
    #[serde(default)]
    pub recurring: Vec<RecurringFailure>,
    /// Pairs of shown lessons that contradict each other. At most 20.
    #[serde(default)]
    pub contradictions: Vec<Link>,
    /// Lessons that harm or are in doubt. At most 20.
    #[serde(default)]
    pub doubtful: Vec<Lesson>,
    /// Lessons that were unused for so long that the end of the next run archives them. At most 20.
    #[serde(default)]
    pub stale: Vec<String>,
    /// How the tasks of the newest 200 episodes went, regressed tasks first. At most 20.
    #[serde(default)]
    pub stability: Vec<TaskStability>,
}

/// What pruning removed, or would remove.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct Pruned {
    /// Episodes, with their steps, events and activations.
    pub episodes: u32,
    /// Steps of those episodes.
    pub steps: u32,
    /// Events of those episodes.
    pub events: u32,
    /// Activations of those episodes.
    pub activations: u32,
    /// Lessons that were archived.
    pub lessons: u32,
    /// Decisions.
    pub decisions: u32,
    /// Failed attempts.
    pub failures: u32,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<Pruned>() == 28 && align_of::<Pruned>() == 4);
    assert!(std::mem::offset_of!(Pruned, episodes) == 0);
    assert!(std::mem::offset_of!(Pruned, steps) == 4);
    assert!(std::mem::offset_of!(Pruned, events) == 8);
    assert!(std::mem::offset_of!(Pruned, activations) == 12);
    assert!(std::mem::offset_of!(Pruned, lessons) == 16);
    assert!(std::mem::offset_of!(Pruned, decisions) == 20);
    assert!(std::mem::offset_of!(Pruned, failures) == 24);
};

/// How far a memory has vectors of the present embedder.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Reindexing {
    /// The id of the embedder.
    pub model: String,
    /// What was looked at: `episodes`, `lessons` or `experience`.
    pub memories: String,
    /// How many of them were looked at so far.
    pub done: u32,
    /// How many of them there are.
    pub total: u32,
    /// Vectors that this call made.
    pub embedded: u32,
    /// Vectors of another embedder that this call removed, because their length differs.
    pub removed: u32,
    /// Pass it as `after` to continue. Missing when everything was looked at.
    #[serde(default)]
    pub next: Option<String>,
}

/// A problem in the memory.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Finding {
    /// The document it is about, as `kind/id`.
    pub document: String,
    /// What is wrong with it, and what to do.
    pub problem: String,
}
