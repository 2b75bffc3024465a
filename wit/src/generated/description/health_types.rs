//! The nouns of `twiceshy:memory/health-types` as data: generated from the contract.

use crate::description::*;

/// `memory-status`
pub static MEMORY_STATUS: Record = Record { name: "memory-status", docs: docs!("How much a memory holds."), fields: &[
    Field { name: "events", ty: Type::U32, docs: docs!("Failed steps.") },
    Field { name: "episodes", ty: Type::U32, docs: docs!("Runs that have ended.") },
    Field { name: "lessons", ty: Type::U32, docs: docs!("Lessons, whatever their status.") },
    Field { name: "runs", ty: Type::U32, docs: docs!("Runs that are open.") },
    Field { name: "fingerprints", ty: Type::U32, docs: docs!("Different failures.") },
    Field { name: "activations", ty: Type::U32, docs: docs!("Activations that are kept one by one: lessons shown in runs, or withheld from them.") },
    Field { name: "decisions", ty: Type::U32, docs: docs!("Decisions.") },
    Field { name: "failures", ty: Type::U32, docs: docs!("Failed attempts.") },
] };

/// `lessons-by-status`
pub static LESSONS_BY_STATUS: Record = Record { name: "lessons-by-status", docs: docs!("How many lessons have each status."), fields: &[
    Field { name: "candidate", ty: Type::U32, docs: docs!("Candidates: proposed, not yet proven.") },
    Field { name: "promoted", ty: Type::U32, docs: docs!("Promoted: proven to help.") },
    Field { name: "under-review", ty: Type::U32, docs: docs!("Under review: in doubt.") },
    Field { name: "suppressed", ty: Type::U32, docs: docs!("Suppressed: found not to help.") },
    Field { name: "deprecated", ty: Type::U32, docs: docs!("Deprecated: no longer right.") },
    Field { name: "archived", ty: Type::U32, docs: docs!("Archived: kept for audit.") },
] };

/// `recurring-failure`
pub static RECURRING_FAILURE: Record = Record { name: "recurring-failure", docs: docs!("A failure that recurs."), fields: &[
    Field { name: "fingerprint", ty: Type::Record(&super::memory::FINGERPRINT), docs: docs!("Its fingerprint.") },
    Field { name: "occurrences", ty: Type::U32, docs: docs!("How often it was seen.") },
    Field { name: "runs", ty: Type::U32, docs: docs!("In how many runs.") },
    Field { name: "last-at", ty: Type::Timestamp, docs: docs!("When it was last seen.") },
    Field { name: "lessons", ty: Type::List(&Type::Text), docs: docs!("The lessons that it triggers and that are shown.") },
] };

/// `task-stability`
pub static TASK_STABILITY: Record = Record { name: "task-stability", docs: docs!("How the runs of one task went over time."), fields: &[
    Field { name: "task", ty: Type::Text, docs: docs!("The task in words.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain of its steps.") },
    Field { name: "runs", ty: Type::U32, docs: docs!("How many of its newest runs are considered. At most 50.") },
    Field { name: "first-failures", ty: Type::U32, docs: docs!("Failures in the first of them.") },
    Field { name: "best-failures", ty: Type::U32, docs: docs!("The fewest failures in any of them.") },
    Field { name: "last-failures", ty: Type::U32, docs: docs!("Failures in the last of them.") },
    Field { name: "first-steps", ty: Type::U32, docs: docs!("Steps in the first of them.") },
    Field { name: "last-steps", ty: Type::U32, docs: docs!("Steps in the last of them.") },
    Field { name: "pass-rate", ty: Type::F64, docs: docs!("The share of them that succeeded.") },
    Field { name: "regressed", ty: Type::Bool, docs: docs!("Whether the last three have more failures than the best three before them, by more than half a failure per run.") },
] };

/// `health`
pub static HEALTH: Record = Record { name: "health", docs: docs!("How well a memory works."), fields: &[
    Field { name: "lessons", ty: Type::Record(&super::health_types::LESSONS_BY_STATUS), docs: docs!("Lessons by status.") },
    Field { name: "shown", ty: Type::U32, docs: docs!("How often lessons were shown.") },
    Field { name: "withheld", ty: Type::U32, docs: docs!("How often lessons were withheld for comparison.") },
    Field { name: "helped", ty: Type::U32, docs: docs!("Lessons that helped, counted once per run.") },
    Field { name: "harmed", ty: Type::U32, docs: docs!("Lessons that harmed, counted once per run.") },
    Field { name: "judged", ty: Type::U32, docs: docs!("Lessons that were shown and relevant, counted once per run.") },
    Field { name: "retrieval-precision", ty: Type::Option(&Type::F64), docs: docs!("The share of `judged` that helped: a proxy for the precision of retrieval. Missing until something was judged.") },
    Field { name: "utility", ty: Type::Option(&Type::F64), docs: docs!("The mean utility of the lessons that are shown. Missing until one was shown.") },
    Field { name: "failures-per-run-before", ty: Type::Option(&Type::F64), docs: docs!("Failures per run in the older half of the newest 200 episodes.") },
    Field { name: "failures-per-run-now", ty: Type::Option(&Type::F64), docs: docs!("Failures per run in the newer half of them.") },
    Field { name: "recurring", ty: Type::List(&Type::Record(&super::health_types::RECURRING_FAILURE)), docs: docs!("The most frequent recurring failures. At most 20.") },
    Field { name: "contradictions", ty: Type::List(&Type::Record(&super::link_types::LINK)), docs: docs!("Pairs of shown lessons that contradict each other. At most 20.") },
    Field { name: "doubtful", ty: Type::List(&Type::Record(&super::lesson_types::LESSON)), docs: docs!("Lessons that harm or are in doubt. At most 20.") },
    Field { name: "stale", ty: Type::List(&Type::Text), docs: docs!("Lessons that were unused for so long that the end of the next run archives them. At most 20.") },
    Field { name: "stability", ty: Type::List(&Type::Record(&super::health_types::TASK_STABILITY)), docs: docs!("How the tasks of the newest 200 episodes went, regressed tasks first. At most 20.") },
] };

/// `pruned`
pub static PRUNED: Record = Record { name: "pruned", docs: docs!("What pruning removed, or would remove."), fields: &[
    Field { name: "episodes", ty: Type::U32, docs: docs!("Episodes, with their steps, events and activations.") },
    Field { name: "steps", ty: Type::U32, docs: docs!("Steps of those episodes.") },
    Field { name: "events", ty: Type::U32, docs: docs!("Events of those episodes.") },
    Field { name: "activations", ty: Type::U32, docs: docs!("Activations of those episodes.") },
    Field { name: "lessons", ty: Type::U32, docs: docs!("Lessons that were archived.") },
    Field { name: "decisions", ty: Type::U32, docs: docs!("Decisions.") },
    Field { name: "failures", ty: Type::U32, docs: docs!("Failed attempts.") },
] };

/// `reindexing`
pub static REINDEXING: Record = Record { name: "reindexing", docs: docs!("How far a memory has vectors of the present embedder."), fields: &[
    Field { name: "model", ty: Type::Text, docs: docs!("The id of the embedder.") },
    Field { name: "memories", ty: Type::Text, docs: docs!("What was looked at: `episodes`, `lessons` or `experience`.") },
    Field { name: "done", ty: Type::U32, docs: docs!("How many of them were looked at so far.") },
    Field { name: "total", ty: Type::U32, docs: docs!("How many of them there are.") },
    Field { name: "embedded", ty: Type::U32, docs: docs!("Vectors that this call made.") },
    Field { name: "removed", ty: Type::U32, docs: docs!("Vectors of another embedder that this call removed, because their length differs.") },
    Field { name: "next", ty: Type::Option(&Type::Text), docs: docs!("Pass it as `after` to continue. Missing when everything was looked at.") },
] };

/// `finding`
pub static FINDING: Record = Record { name: "finding", docs: docs!("A problem in the memory."), fields: &[
    Field { name: "document", ty: Type::Text, docs: docs!("The document it is about, as `kind/id`.") },
    Field { name: "problem", ty: Type::Text, docs: docs!("What is wrong with it, and what to do.") },
] };

