//! The nouns of `twiceshy:memory/consolidation-types` as data: generated from the contract.

use crate::description::*;

/// `stage`
pub static STAGE: Enum = Enum { name: "stage", docs: docs!("A stage of consolidation."), cases: &[
    Case { name: "episodes", payload: None, docs: docs!("Merges similar episodes, and moves old ones to cold storage.") },
    Case { name: "extraction", payload: None, docs: docs!("Extracts patterns and anti-patterns from recent episodes.") },
    Case { name: "validation", payload: None, docs: docs!("Tests and promotes patterns.") },
    Case { name: "refinement", payload: None, docs: docs!("Narrows declining patterns, merges similar ones and deprecates obsolete ones.") },
    Case { name: "indices", payload: None, docs: docs!("Updates the indices of the store.") },
    Case { name: "report", payload: None, docs: docs!("Writes the report.") },
] };

/// `consolidation-request`
pub static CONSOLIDATION_REQUEST: Record = Record { name: "consolidation-request", docs: docs!("What to consolidate."), fields: &[
    Field { name: "stages", ty: Type::List(&Type::Enum(&super::consolidation_types::STAGE)), docs: docs!("Only these stages, in their order. Empty: all.") },
    Field { name: "dry-run", ty: Type::Option(&Type::Bool), docs: docs!("Whether to change nothing and report what would be done, in one call.") },
    Field { name: "hours", ty: Type::Option(&Type::U32), docs: docs!("Extract patterns from the episodes of this many last hours. Default: 24, or since the last consolidation if that is longer ago.") },
    Field { name: "window-days", ty: Type::Option(&Type::U32), docs: docs!("Only merge episodes that are at most this many days apart. Default: 7.") },
    Field { name: "episode-similarity", ty: Type::Option(&Type::F64), docs: docs!("The similarity from which episodes are merged. Default: 0.95.") },
    Field { name: "pattern-similarity", ty: Type::Option(&Type::F64), docs: docs!("The similarity from which patterns are the same. Default: 0.9.") },
    Field { name: "confidence", ty: Type::Option(&Type::F64), docs: docs!("The confidence from which a pattern is accepted. Default: 0.8.") },
    Field { name: "undo-days", ty: Type::Option(&Type::U32), docs: docs!("For how many days what earlier consolidations changed is kept, so that they can be undone. Default: 30.") },
    Field { name: "after", ty: Type::Option(&Type::Text), docs: docs!("Resumes a consolidation: the `next` of the previous answer.") },
] };

/// `consolidation-change`
pub static CONSOLIDATION_CHANGE: Record = Record { name: "consolidation-change", docs: docs!("A change made by a consolidation, and why."), fields: &[
    Field { name: "stage", ty: Type::Enum(&super::consolidation_types::STAGE), docs: docs!("The stage that made it.") },
    Field { name: "memory", ty: Type::Text, docs: docs!("The id of what was changed.") },
    Field { name: "change", ty: Type::Text, docs: docs!("What was done, in words.") },
    Field { name: "reason", ty: Type::Text, docs: docs!("Why, in words.") },
] };

/// `consolidation-report`
pub static CONSOLIDATION_REPORT: Record = Record { name: "consolidation-report", docs: docs!("The result of a finished consolidation."), fields: &[
    Field { name: "stages", ty: Type::List(&Type::Record(&super::memory::TALLY)), docs: docs!("How many changes each stage made.") },
    Field { name: "patterns", ty: Type::List(&Type::Record(&super::memory::TALLY)), docs: docs!("Patterns by status: the summary of the validation.") },
    Field { name: "storage", ty: Type::List(&Type::Record(&super::memory::TALLY)), docs: docs!("Documents by kind: what the memory holds.") },
] };

/// `consolidation`
pub static CONSOLIDATION: Record = Record { name: "consolidation", docs: docs!("A consolidation: what it did, or would do."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id. Needed to undo it.") },
    Field { name: "started-at", ty: Type::Timestamp, docs: docs!("When it began.") },
    Field { name: "ended-at", ty: Type::Option(&Type::Timestamp), docs: docs!("When it ended. Missing while it is running.") },
    Field { name: "dry-run", ty: Type::Bool, docs: docs!("Whether it was a dry run, which changes nothing.") },
    Field { name: "stage", ty: Type::Enum(&super::consolidation_types::STAGE), docs: docs!("The stage it is in.") },
    Field { name: "done", ty: Type::U32, docs: docs!("How many parts of this stage are done.") },
    Field { name: "total", ty: Type::U32, docs: docs!("How many parts this stage has.") },
    Field { name: "changes", ty: Type::List(&Type::Record(&super::consolidation_types::CONSOLIDATION_CHANGE)), docs: docs!("What this call changed. At most 1,000.") },
    Field { name: "next", ty: Type::Option(&Type::Text), docs: docs!("Pass it as `after` to continue. Missing when the consolidation has ended.") },
    Field { name: "report", ty: Type::Option(&Type::Record(&super::consolidation_types::CONSOLIDATION_REPORT)), docs: docs!("The result. Missing while it is running, and for a dry run.") },
    Field { name: "undone", ty: Type::Bool, docs: docs!("Whether it was undone.") },
] };

/// `inventory`
pub static INVENTORY: Record = Record { name: "inventory", docs: docs!("How many memories of each kind, phase and status there are."), fields: &[
    Field { name: "documents", ty: Type::List(&Type::Record(&super::memory::TALLY)), docs: docs!("Documents by kind, such as `episode` or `lesson`.") },
    Field { name: "episodes", ty: Type::List(&Type::Record(&super::memory::TALLY)), docs: docs!("Episodes by phase: `active`, `mature`, `aged`, `archived`, `deleted`.") },
    Field { name: "lessons", ty: Type::List(&Type::Record(&super::memory::TALLY)), docs: docs!("Lessons by status.") },
    Field { name: "kinds", ty: Type::List(&Type::Record(&super::memory::TALLY)), docs: docs!("Shown lessons by kind.") },
] };

/// `day-metrics`
pub static DAY_METRICS: Record = Record { name: "day-metrics", docs: docs!("How the runs of one day went, and what they cost."), fields: &[
    Field { name: "day", ty: Type::Text, docs: docs!("The day, as `2026-01-06`.") },
    Field { name: "episodes", ty: Type::U32, docs: docs!("Episodes that ended on that day.") },
    Field { name: "successes", ty: Type::U32, docs: docs!("How many of them succeeded.") },
    Field { name: "steps", ty: Type::U32, docs: docs!("Steps.") },
    Field { name: "failures", ty: Type::U32, docs: docs!("Failed steps.") },
    Field { name: "retries", ty: Type::U32, docs: docs!("Failures that recurred in the same run.") },
    Field { name: "agents", ty: Type::U32, docs: docs!("Agents that worked on that day.") },
    Field { name: "duration-seconds", ty: Type::F64, docs: docs!("Time spent, in seconds.") },
    Field { name: "new-lessons", ty: Type::U32, docs: docs!("New lessons.") },
    Field { name: "score", ty: Type::Option(&Type::F64), docs: docs!("The mean score, if there is one.") },
    Field { name: "efficiency", ty: Type::Option(&Type::F64), docs: docs!("The mean efficiency signal, if there is one.") },
    Field { name: "preference", ty: Type::Option(&Type::F64), docs: docs!("Lessons that helped minus lessons that harmed, as a share of those judged. Missing if none was judged.") },
] };

/// `metrics`
pub static METRICS: Record = Record { name: "metrics", docs: docs!("How the last days went."), fields: &[
    Field { name: "days", ty: Type::List(&Type::Record(&super::consolidation_types::DAY_METRICS)), docs: docs!("The days, newest last.") },
    Field { name: "total", ty: Type::Record(&super::consolidation_types::DAY_METRICS), docs: docs!("The sum over all days.") },
] };

