//! The nouns of `twiceshy:memory/experience-types` as data: generated from the contract.

use crate::description::*;

/// `memory-type`
pub static MEMORY_TYPE: Enum = Enum { name: "memory-type", docs: docs!("What an entry is about."), cases: &[
    Case { name: "factual", payload: None, docs: docs!("Facts, data, static knowledge: what.") },
    Case { name: "procedural", payload: None, docs: docs!("Strategies, workflows, how-to: how.") },
    Case { name: "episodic", payload: None, docs: docs!("One task and how it went.") },
] };

/// `feedback-type`
pub static FEEDBACK_TYPE: Enum = Enum { name: "feedback-type", docs: docs!("How a task went."), cases: &[
    Case { name: "success", payload: None, docs: docs!("It succeeded.") },
    Case { name: "failure", payload: None, docs: docs!("It failed.") },
    Case { name: "partial", payload: None, docs: docs!("Some of it succeeded.") },
    Case { name: "in-progress", payload: None, docs: docs!("It is still going on.") },
] };

/// `structured-feedback`
pub static STRUCTURED_FEEDBACK: Record = Record { name: "structured-feedback", docs: docs!("How a task went, in detail."), fields: &[
    Field { name: "kind", ty: Type::Enum(&super::experience_types::FEEDBACK_TYPE), docs: docs!("Success, failure, partial or in progress.") },
    Field { name: "correct", ty: Type::Bool, docs: docs!("Whether the result is correct.") },
    Field { name: "progress-rate", ty: Type::F64, docs: docs!("How far it came, from 0 to 1.") },
    Field { name: "steps-used", ty: Type::U32, docs: docs!("How many steps it took.") },
    Field { name: "steps-optimal", ty: Type::Option(&Type::U32), docs: docs!("How many steps it takes at best, if known.") },
    Field { name: "message", ty: Type::Text, docs: docs!("A message for a reader.") },
] };

/// `metadata`
pub static METADATA: Record = Record { name: "metadata", docs: docs!("A member of an entry's metadata."), fields: &[
    Field { name: "name", ty: Type::Text, docs: docs!("Its name.") },
    Field { name: "value", ty: Type::Text, docs: docs!("Its value.") },
] };

/// `experience-entry`
pub static EXPERIENCE_ENTRY: Record = Record { name: "experience-entry", docs: docs!("An entry of experience: a task, the answer, and how it went. Each entry is also an episode with the same id."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id, which is the id of the episode.") },
    Field { name: "input", ty: Type::Text, docs: docs!("The task or question.") },
    Field { name: "output", ty: Type::Text, docs: docs!("The answer.") },
    Field { name: "feedback", ty: Type::Text, docs: docs!("How it went, as text.") },
    Field { name: "summary", ty: Type::Text, docs: docs!("A summary.") },
    Field { name: "raw-trace", ty: Type::Text, docs: docs!("How the answer was found.") },
    Field { name: "metadata", ty: Type::List(&Type::Record(&super::experience_types::METADATA)), docs: docs!("The domain, the tags and anything else that is known.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("Its tags, sorted.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("Its domain.") },
    Field { name: "created-at", ty: Type::Timestamp, docs: docs!("When it was created.") },
    Field { name: "structured-feedback", ty: Type::Option(&Type::Record(&super::experience_types::STRUCTURED_FEEDBACK)), docs: docs!("How it went, in numbers.") },
    Field { name: "memory-type", ty: Type::Enum(&super::experience_types::MEMORY_TYPE), docs: docs!("The type of the entry.") },
    Field { name: "strategy-card", ty: Type::Text, docs: docs!("A strategy card: `When confronted with …, do …. Avoid ….` Empty if there is none.") },
    Field { name: "access-count", ty: Type::U32, docs: docs!("How often it was found.") },
    Field { name: "last-accessed-at", ty: Type::Option(&Type::Timestamp), docs: docs!("When it was last found.") },
    Field { name: "relevance-score", ty: Type::F64, docs: docs!("Its relevance now: `decay^(days since access) · (1 + 0.1·ln(1 + accesses))`.") },
    Field { name: "merged-from", ty: Type::List(&Type::Text), docs: docs!("The entries that were merged into it, by id.") },
    Field { name: "has-embedding", ty: Type::Bool, docs: docs!("Whether it has a vector.") },
    Field { name: "archived", ty: Type::Bool, docs: docs!("Whether it was pruned or merged into another: it is kept, but not searched.") },
    Field { name: "merged-into", ty: Type::Option(&Type::Text), docs: docs!("The entry that it was merged into, if any.") },
] };

/// `new-experience`
pub static NEW_EXPERIENCE: Record = Record { name: "new-experience", docs: docs!("An experience to add. Only `input` is required."), fields: &[
    Field { name: "input", ty: Type::Text, docs: docs!("The task or question. 1 byte to 16 KiB.") },
    Field { name: "output", ty: Type::Text, docs: docs!("The answer.") },
    Field { name: "feedback", ty: Type::Text, docs: docs!("How it went, as text, such as `success`.") },
    Field { name: "structured-feedback", ty: Type::Option(&Type::Record(&super::experience_types::STRUCTURED_FEEDBACK)), docs: docs!("How it went, in numbers.") },
    Field { name: "strategy-card", ty: Type::Option(&Type::Text), docs: docs!("A strategy card. Default: made from a success.") },
    Field { name: "summary", ty: Type::Option(&Type::Text), docs: docs!("A summary. Default: made from the rest.") },
    Field { name: "raw-trace", ty: Type::Option(&Type::Text), docs: docs!("How the answer was found.") },
    Field { name: "domain", ty: Type::Option(&Type::Text), docs: docs!("Its domain. Default: `general`.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("Its tags. At most 32.") },
    Field { name: "metadata", ty: Type::List(&Type::Record(&super::experience_types::METADATA)), docs: docs!("Anything else that is known. At most 32.") },
    Field { name: "memory-type", ty: Type::Option(&Type::Enum(&super::experience_types::MEMORY_TYPE)), docs: docs!("The type of the entry. Default: found from its words.") },
] };

/// `evolution`
pub static EVOLUTION: Record = Record { name: "evolution", docs: docs!("What adding or restoring an experience did."), fields: &[
    Field { name: "entry", ty: Type::Record(&super::experience_types::EXPERIENCE_ENTRY), docs: docs!("The entry.") },
    Field { name: "merged", ty: Type::List(&Type::Text), docs: docs!("Entries that were merged into it.") },
    Field { name: "pruned", ty: Type::List(&Type::Text), docs: docs!("Entries that were pruned to make room.") },
] };

/// `experience-query`
pub static EXPERIENCE_QUERY: Record = Record { name: "experience-query", docs: docs!("Which experience to search for."), fields: &[
    Field { name: "text", ty: Type::Text, docs: docs!("The task or question.") },
    Field { name: "memory-type", ty: Type::Option(&Type::Enum(&super::experience_types::MEMORY_TYPE)), docs: docs!("Only entries of this type.") },
    Field { name: "tag", ty: Type::Option(&Type::Text), docs: docs!("Only entries with this tag.") },
    Field { name: "domain", ty: Type::Option(&Type::Text), docs: docs!("Only entries of this domain.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: `top-k` of the settings. Maximum: 100.") },
] };

/// `experience-hit`
pub static EXPERIENCE_HIT: Record = Record { name: "experience-hit", docs: docs!("An experience that was found."), fields: &[
    Field { name: "entry", ty: Type::Record(&super::experience_types::EXPERIENCE_ENTRY), docs: docs!("The entry.") },
    Field { name: "score", ty: Type::F64, docs: docs!("How similar it is, from 0 to 1.") },
    Field { name: "by-meaning", ty: Type::Bool, docs: docs!("Whether it was compared by meaning (vectors) or by words only.") },
] };

/// `synthesis`
pub static SYNTHESIS: Record = Record { name: "synthesis", docs: docs!("Context made from experience."), fields: &[
    Field { name: "text", ty: Type::Text, docs: docs!("The text, marked so that the memory never learns from its own words.") },
    Field { name: "tokens", ty: Type::U32, docs: docs!("Its size in tokens (an estimate).") },
    Field { name: "entries", ty: Type::List(&Type::Text), docs: docs!("The entries it is made from.") },
] };

/// `edit-action`
pub static EDIT_ACTION: Enum = Enum { name: "edit-action", docs: docs!("What to do to entries."), cases: &[
    Case { name: "prune", payload: None, docs: docs!("Take entries out of the search.") },
    Case { name: "merge", payload: None, docs: docs!("Merge several entries into one.") },
    Case { name: "update-tag", payload: None, docs: docs!("Add a tag.") },
] };

/// `memory-edit`
pub static MEMORY_EDIT: Record = Record { name: "memory-edit", docs: docs!("One edit."), fields: &[
    Field { name: "action", ty: Type::Enum(&super::experience_types::EDIT_ACTION), docs: docs!("What to do.") },
    Field { name: "ids", ty: Type::List(&Type::Text), docs: docs!("The entries to edit. At least 2 for a merge.") },
    Field { name: "summary", ty: Type::Option(&Type::Text), docs: docs!("The summary of the merged entry.") },
    Field { name: "tag", ty: Type::Option(&Type::Text), docs: docs!("The tag to add.") },
] };

/// `edit-report`
pub static EDIT_REPORT: Record = Record { name: "edit-report", docs: docs!("What edits did."), fields: &[
    Field { name: "pruned", ty: Type::List(&Type::Text), docs: docs!("Entries that were pruned.") },
    Field { name: "merged", ty: Type::List(&Type::Text), docs: docs!("Entries that were made by merging.") },
    Field { name: "tagged", ty: Type::List(&Type::Text), docs: docs!("Entries that were tagged.") },
    Field { name: "refused", ty: Type::List(&Type::Text), docs: docs!("Refused edits, and why.") },
] };

/// `distribution`
pub static DISTRIBUTION: Record = Record { name: "distribution", docs: docs!("How often a name occurs."), fields: &[
    Field { name: "name", ty: Type::Text, docs: docs!("The name.") },
    Field { name: "count", ty: Type::U32, docs: docs!("How many.") },
] };

/// `similarity-metrics`
pub static SIMILARITY_METRICS: Record = Record { name: "similarity-metrics", docs: docs!("How similar the tasks are."), fields: &[
    Field { name: "average-similarity", ty: Type::F64, docs: docs!("The mean similarity of pairs, from 0 to 1.") },
    Field { name: "cluster-ratio", ty: Type::F64, docs: docs!("The share of entries with another entry at a similarity of 0.8 or more. Higher means more clustered.") },
    Field { name: "pairs", ty: Type::U32, docs: docs!("Pairs that were compared.") },
    Field { name: "domain-distribution", ty: Type::List(&Type::Record(&super::experience_types::DISTRIBUTION)), docs: docs!("Entries by domain.") },
    Field { name: "type-distribution", ty: Type::List(&Type::Record(&super::experience_types::DISTRIBUTION)), docs: docs!("Entries by type.") },
    Field { name: "pruning-recommendation", ty: Type::Text, docs: docs!("What to do about it.") },
] };

/// `experience-stats`
pub static EXPERIENCE_STATS: Record = Record { name: "experience-stats", docs: docs!("Counts over the entries."), fields: &[
    Field { name: "total-entries", ty: Type::U32, docs: docs!("Entries that are searched.") },
    Field { name: "archived-entries", ty: Type::U32, docs: docs!("Entries that were pruned or merged, and are kept.") },
    Field { name: "max-size", ty: Type::U32, docs: docs!("The maximum number of entries that are searched.") },
    Field { name: "type-distribution", ty: Type::List(&Type::Record(&super::experience_types::DISTRIBUTION)), docs: docs!("Entries by type.") },
    Field { name: "total-accesses", ty: Type::U32, docs: docs!("Accesses in total.") },
    Field { name: "avg-accesses-per-entry", ty: Type::F64, docs: docs!("Accesses per entry.") },
    Field { name: "entries-with-strategy-card", ty: Type::U32, docs: docs!("Entries with a strategy card.") },
    Field { name: "entries-with-structured-feedback", ty: Type::U32, docs: docs!("Entries with structured feedback.") },
] };

/// `experience-settings`
pub static EXPERIENCE_SETTINGS: Record = Record { name: "experience-settings", docs: docs!("How experience is kept and used."), fields: &[
    Field { name: "enabled", ty: Type::Bool, docs: docs!("Whether runs become experience automatically.") },
    Field { name: "max-size", ty: Type::U32, docs: docs!("The maximum number of entries that are searched: 1 to 10,000. The time of a search is proportional; 100 to 1,000 are sensible.") },
    Field { name: "top-k", ty: Type::U32, docs: docs!("How many entries a search returns: 1 to 100.") },
    Field { name: "window-size", ty: Type::U32, docs: docs!("How many entries count as recent: 1 to 1,000.") },
    Field { name: "enable-rag", ty: Type::Bool, docs: docs!("Whether to search similar entries, or to return only recent ones.") },
    Field { name: "remem-enabled", ty: Type::Bool, docs: docs!("Whether ReMem may be used: a loop in which the model may edit experience before it acts.") },
    Field { name: "max-inner-steps", ty: Type::U32, docs: docs!("How many steps that loop may take: 1 to 20.") },
    Field { name: "enable-smart-prune", ty: Type::Bool, docs: docs!("Whether to merge near-duplicates and prune the least relevant entries, or only prune the oldest.") },
    Field { name: "prune-threshold", ty: Type::F64, docs: docs!("The similarity from which two entries are merged: 0 to 1.") },
    Field { name: "relevance-decay", ty: Type::F64, docs: docs!("The share of its relevance that an entry keeps per day: 0 to 1.") },
    Field { name: "min-relevance", ty: Type::F64, docs: docs!("The relevance below which an entry is pruned first: 0 to 1.") },
] };

/// `re-embedding`
pub static RE_EMBEDDING: Record = Record { name: "re-embedding", docs: docs!("How many entries have vectors of the current embedder."), fields: &[
    Field { name: "embedded", ty: Type::U32, docs: docs!("Entries that got a vector in this call.") },
    Field { name: "left", ty: Type::U32, docs: docs!("Entries that still lack one.") },
    Field { name: "dimensions", ty: Type::U32, docs: docs!("The length of the vectors.") },
] };

