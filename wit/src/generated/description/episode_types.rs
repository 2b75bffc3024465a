//! The nouns of `twiceshy:memory/episode-types` as data: generated from the contract.

use crate::description::*;

/// `measure`
pub static MEASURE: Record = Record { name: "measure", docs: docs!("A number with a name, such as `tokens_used` or `coverage`."), fields: &[
    Field { name: "name", ty: Type::Text, docs: docs!("What is measured. 1 to 64 bytes.") },
    Field { name: "value", ty: Type::F64, docs: docs!("The value.") },
] };

/// `adaptation`
pub static ADAPTATION: Record = Record { name: "adaptation", docs: docs!("A change of plan during the work."), fields: &[
    Field { name: "step", ty: Type::Option(&Type::U32), docs: docs!("The step at which it was made, if known.") },
    Field { name: "change", ty: Type::Text, docs: docs!("What was changed.") },
    Field { name: "reason", ty: Type::Text, docs: docs!("The reason.") },
] };

/// `encountered-error`
pub static ENCOUNTERED_ERROR: Record = Record { name: "encountered-error", docs: docs!("An error of a run and what resolved it."), fields: &[
    Field { name: "kind", ty: Type::Text, docs: docs!("The kind of error, such as `TypeScript compilation`.") },
    Field { name: "message", ty: Type::Text, docs: docs!("Its message.") },
    Field { name: "resolution", ty: Type::Text, docs: docs!("What resolved it. Empty if nothing did.") },
] };

/// `artifact`
pub static ARTIFACT: Record = Record { name: "artifact", docs: docs!("A content that is kept outside the store, or a file that is only named."), fields: &[
    Field { name: "name", ty: Type::Text, docs: docs!("Its name, such as `src/routes/todos.ts`.") },
    Field { name: "media-type", ty: Type::Text, docs: docs!("Its media type. Empty if unknown.") },
    Field { name: "hash", ty: Type::Option(&Type::Text), docs: docs!("`sha256:` and 64 hexadecimal digits, if its content is kept. Missing if it is only named.") },
    Field { name: "bytes", ty: Type::U32, docs: docs!("The size of the content in bytes.") },
] };

/// `account`
pub static ACCOUNT: Record = Record { name: "account", docs: docs!("The account of an episode: how the task was understood, how it was carried out, what the result was, and reflections on it. All members may be left out. Immutable."), fields: &[
    Field { name: "goals", ty: Type::List(&Type::Text), docs: docs!("The goals of the task. At most 64.") },
    Field { name: "constraints", ty: Type::List(&Type::Text), docs: docs!("The constraints. At most 64.") },
    Field { name: "success-criteria", ty: Type::List(&Type::Text), docs: docs!("The criteria of success. At most 64.") },
    Field { name: "context", ty: Type::Json, docs: docs!("The circumstances: an object with any members.") },
    Field { name: "phase", ty: Type::Option(&Type::Text), docs: docs!("The phase of the work, such as `development`.") },
    Field { name: "files-involved", ty: Type::List(&Type::Text), docs: docs!("The files involved. At most 256.") },
    Field { name: "complexity", ty: Type::Option(&Type::F64), docs: docs!("How hard it seemed, from 0 to 1.") },
    Field { name: "plan", ty: Type::List(&Type::Text), docs: docs!("The plan, step by step. At most 256.") },
    Field { name: "adaptations", ty: Type::List(&Type::Record(&super::episode_types::ADAPTATION)), docs: docs!("Changes of plan. At most 64.") },
    Field { name: "resource-usage", ty: Type::List(&Type::Record(&super::episode_types::MEASURE)), docs: docs!("The resources it used: tokens, calls, cost. At most 64.") },
    Field { name: "primary-output", ty: Type::Option(&Type::Text), docs: docs!("The main result. A long one is shortened in the middle, and kept whole as an artifact.") },
    Field { name: "side-effects", ty: Type::List(&Type::Text), docs: docs!("What else it changed. At most 64.") },
    Field { name: "quality-metrics", ty: Type::List(&Type::Record(&super::episode_types::MEASURE)), docs: docs!("Measures of the quality of the result. At most 64.") },
    Field { name: "insights", ty: Type::List(&Type::Text), docs: docs!("What was learned. At most 64.") },
    Field { name: "patterns-discovered", ty: Type::List(&Type::Text), docs: docs!("Lessons learned from it, by id. At most 64.") },
    Field { name: "errors-encountered", ty: Type::List(&Type::Record(&super::episode_types::ENCOUNTERED_ERROR)), docs: docs!("The errors and what resolved them. At most 64.") },
    Field { name: "performance-analysis", ty: Type::Option(&Type::Text), docs: docs!("Reflections on its efficiency.") },
    Field { name: "artifacts", ty: Type::List(&Type::Record(&super::episode_types::ARTIFACT)), docs: docs!("What it produced. At most 256.") },
    Field { name: "git-commit", ty: Type::Option(&Type::Text), docs: docs!("The commit that it ended with.") },
] };

/// `description`
pub static DESCRIPTION: Record = Record { name: "description", docs: docs!("What is known about a run besides its steps. Becomes part of its episode."), fields: &[
    Field { name: "task-type", ty: Type::Option(&Type::Text), docs: docs!("What kind of task it is, such as `refactoring`.") },
    Field { name: "tools-used", ty: Type::List(&Type::Text), docs: docs!("The tools that were used. At most 64.") },
    Field { name: "strategies-applied", ty: Type::List(&Type::Text), docs: docs!("The strategies that were applied: patterns by id, or in words. At most 64.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("Its tags. At most 32.") },
    Field { name: "summary", ty: Type::Option(&Type::Text), docs: docs!("A summary. Default: made from the rest.") },
    Field { name: "account", ty: Type::Option(&Type::Record(&super::episode_types::ACCOUNT)), docs: docs!("Its account.") },
] };

/// `facet`
pub static FACET: Enum = Enum { name: "facet", docs: docs!("The part of an episode that a vector represents."), cases: &[
    Case { name: "task", payload: None, docs: docs!("The task.") },
    Case { name: "outcome", payload: None, docs: docs!("The result.") },
    Case { name: "full", payload: None, docs: docs!("The whole episode.") },
] };

/// `archival-status`
pub static ARCHIVAL_STATUS: Enum = Enum { name: "archival-status", docs: docs!("Whether an episode is at hand, in cold storage, or deleted."), cases: &[
    Case { name: "active", payload: None, docs: docs!("At hand.") },
    Case { name: "archived", payload: None, docs: docs!("Its account is in cold storage.") },
    Case { name: "deleted", payload: None, docs: docs!("Deleted, but recoverable.") },
] };

/// `lifecycle`
pub static LIFECYCLE: Record = Record { name: "lifecycle", docs: docs!("What happened to an episode after the end of its run. The episode itself does not change."), fields: &[
    Field { name: "phase", ty: Type::Enum(&super::memory::PHASE), docs: docs!("Its phase, by its age.") },
    Field { name: "archival-status", ty: Type::Enum(&super::episode_types::ARCHIVAL_STATUS), docs: docs!("Whether it is at hand.") },
    Field { name: "access-count", ty: Type::U32, docs: docs!("How often it was retrieved.") },
    Field { name: "last-accessed", ty: Type::Option(&Type::Timestamp), docs: docs!("When it was last retrieved.") },
    Field { name: "referenced-by", ty: Type::List(&Type::Text), docs: docs!("Lessons and episodes that refer to it. At most 256.") },
    Field { name: "cold-trace", ty: Type::Option(&Type::Text), docs: docs!("The name of its steps in cold storage, if they were moved there.") },
    Field { name: "cold-account", ty: Type::Option(&Type::Text), docs: docs!("The name of its account in cold storage, if it was moved there.") },
    Field { name: "consolidated-into", ty: Type::Option(&Type::Text), docs: docs!("The episode that now stands for it.") },
    Field { name: "deleted-at", ty: Type::Option(&Type::Timestamp), docs: docs!("When it was deleted.") },
    Field { name: "delete-reason", ty: Type::Option(&Type::Text), docs: docs!("Why it was deleted.") },
] };

/// `variation`
pub static VARIATION: Record = Record { name: "variation", docs: docs!("How an episode of a group differs from the one that stands for it."), fields: &[
    Field { name: "episode", ty: Type::Text, docs: docs!("The episode.") },
    Field { name: "difference", ty: Type::Text, docs: docs!("The difference, in words.") },
] };

/// `consolidated`
pub static CONSOLIDATED: Record = Record { name: "consolidated", docs: docs!("What several similar episodes, for which one stands, have in common."), fields: &[
    Field { name: "representative", ty: Type::Text, docs: docs!("The episode that stands for them.") },
    Field { name: "instances", ty: Type::U32, docs: docs!("How many there are.") },
    Field { name: "common-structure", ty: Type::List(&Type::Text), docs: docs!("The actions that they share, in order.") },
    Field { name: "variations", ty: Type::List(&Type::Record(&super::episode_types::VARIATION)), docs: docs!("How each of them differs. At most 256.") },
    Field { name: "average-duration", ty: Type::F64, docs: docs!("The mean duration in milliseconds.") },
    Field { name: "success-rate", ty: Type::F64, docs: docs!("The share of successes.") },
    Field { name: "common-patterns", ty: Type::List(&Type::Text), docs: docs!("The lessons that several of them have in common.") },
] };

/// `full-episode`
pub static FULL_EPISODE: Record = Record { name: "full-episode", docs: docs!("Everything that is known about an episode."), fields: &[
    Field { name: "episode", ty: Type::Record(&super::memory::EPISODE), docs: docs!("The episode.") },
    Field { name: "account", ty: Type::Record(&super::episode_types::ACCOUNT), docs: docs!("Its account.") },
    Field { name: "lifecycle", ty: Type::Record(&super::episode_types::LIFECYCLE), docs: docs!("What happened to it since it ended.") },
    Field { name: "consolidated", ty: Type::Option(&Type::Record(&super::episode_types::CONSOLIDATED)), docs: docs!("What it has in common with the episodes it stands for, if there are any.") },
] };

/// `trace-entry`
pub static TRACE_ENTRY: Record = Record { name: "trace-entry", docs: docs!("One action of an imported episode."), fields: &[
    Field { name: "after", ty: Type::U32, docs: docs!("Milliseconds since the start.") },
    Field { name: "action", ty: Type::Text, docs: docs!("What was done, such as `run_test`.") },
    Field { name: "target", ty: Type::Option(&Type::Text), docs: docs!("What it was done to.") },
    Field { name: "result", ty: Type::Option(&Type::Text), docs: docs!("The result, such as `pass` or `fail`.") },
    Field { name: "error", ty: Type::Option(&Type::Text), docs: docs!("The error, if it failed.") },
] };

/// `new-episode`
pub static NEW_EPISODE: Record = Record { name: "new-episode", docs: docs!("An episode from elsewhere, to store as it is."), fields: &[
    Field { name: "id", ty: Type::Option(&Type::Text), docs: docs!("Its id, with the same rules as for a run. Default: a new id.") },
    Field { name: "task", ty: Type::Text, docs: docs!("The task in words. 1 byte to 16 KiB.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain, such as `cli`.") },
    Field { name: "session", ty: Type::Option(&Type::Text), docs: docs!("The session it belongs to.") },
    Field { name: "agent", ty: Type::Option(&Type::Text), docs: docs!("Who did it.") },
    Field { name: "task-type", ty: Type::Option(&Type::Text), docs: docs!("What kind of task it is, such as `refactoring`.") },
    Field { name: "tools-used", ty: Type::List(&Type::Text), docs: docs!("The tools that were used. At most 64.") },
    Field { name: "strategies-applied", ty: Type::List(&Type::Text), docs: docs!("The strategies that were applied: lessons by id, or in words. At most 64.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("Its tags. At most 32.") },
    Field { name: "summary", ty: Type::Option(&Type::Text), docs: docs!("A summary. Default: made from the rest.") },
    Field { name: "started-at", ty: Type::Option(&Type::Timestamp), docs: docs!("When it began. Default: computed from its end and the time of its last action.") },
    Field { name: "ended-at", ty: Type::Option(&Type::Timestamp), docs: docs!("When it ended. Default: the time of its last action, or now if its beginning is unknown. Never later than now.") },
    Field { name: "outcome", ty: Type::Enum(&super::memory::OUTCOME), docs: docs!("How it ended.") },
    Field { name: "score", ty: Type::Option(&Type::F64), docs: docs!("The score from 0 to 1, if there is one.") },
    Field { name: "trace", ty: Type::List(&Type::Record(&super::episode_types::TRACE_ENTRY)), docs: docs!("What was done, in order. At most 200. Failed actions become events, as in a run.") },
    Field { name: "account", ty: Type::Option(&Type::Record(&super::episode_types::ACCOUNT)), docs: docs!("Its account.") },
] };

/// `aging`
pub static AGING: Record = Record { name: "aging", docs: docs!("What aging did, or would do."), fields: &[
    Field { name: "traces", ty: Type::U32, docs: docs!("Episodes whose steps moved to cold storage.") },
    Field { name: "accounts", ty: Type::U32, docs: docs!("Episodes whose account moved to cold storage.") },
    Field { name: "kib", ty: Type::U32, docs: docs!("KiB that left the store.") },
    Field { name: "more", ty: Type::Bool, docs: docs!("Whether there is more to do.") },
] };

/// `learning-summary`
pub static LEARNING_SUMMARY: Record = Record { name: "learning-summary", docs: docs!("What was learned from an episode."), fields: &[
    Field { name: "episode", ty: Type::Record(&super::memory::EPISODE), docs: docs!("The episode.") },
    Field { name: "new-lessons", ty: Type::List(&Type::Text), docs: docs!("Lessons that are new.") },
    Field { name: "reinforced-lessons", ty: Type::List(&Type::Text), docs: docs!("Known lessons that got one more origin.") },
    Field { name: "applied-patterns", ty: Type::List(&Type::Text), docs: docs!("Patterns whose application was recorded.") },
    Field { name: "text", ty: Type::Text, docs: docs!("The summary in words.") },
] };

