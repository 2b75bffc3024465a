//! `twiceshy:memory/experience-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::Timestamp;

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum MemoryType {
    /// Facts, data, static knowledge: what.
    #[cfg_attr(feature = "wasmtime", component(name = "factual"))]
    Factual,
    /// Strategies, workflows, how-to: how.
    #[cfg_attr(feature = "wasmtime", component(name = "procedural"))]
    Procedural,
    /// One task and how it went.
    #[cfg_attr(feature = "wasmtime", component(name = "episodic"))]
    Episodic,
}

impl MemoryType {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Factual, Self::Procedural, Self::Episodic];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Factual => "factual",
            Self::Procedural => "procedural",
            Self::Episodic => "episodic",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// How a task went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum FeedbackType {
    /// It succeeded.
    #[cfg_attr(feature = "wasmtime", component(name = "success"))]
    Success,
    /// It failed.
    #[cfg_attr(feature = "wasmtime", component(name = "failure"))]
    Failure,
    /// Some of it succeeded.
    #[cfg_attr(feature = "wasmtime", component(name = "partial"))]
    Partial,
    /// It is still going on.
    #[cfg_attr(feature = "wasmtime", component(name = "in-progress"))]
    InProgress,
}

impl FeedbackType {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 4] = [
        Self::Success,
        Self::Failure,
        Self::Partial,
        Self::InProgress,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Partial => "partial",
            Self::InProgress => "in-progress",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(3)]
    }
}

/// How a task went, in detail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct StructuredFeedback {
    /// Success, failure, partial or in progress.
    pub kind: FeedbackType,
    /// Whether the result is correct.
    pub correct: bool,
    /// How far it came, from 0 to 1.
    #[cfg_attr(feature = "wasmtime", component(name = "progress-rate"))]
    pub progress_rate: f64,
    /// How many steps it took.
    #[cfg_attr(feature = "wasmtime", component(name = "steps-used"))]
    pub steps_used: u32,
    /// How many steps it takes at best, if known.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "steps-optimal"))]
    pub steps_optimal: Option<u32>,
    /// A message for a reader.
    pub message: String,
}

/// A member of an entry's metadata.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Metadata {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// An entry of experience: a task, the answer, and how it went. Each entry is also an episode with the same id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ExperienceEntry {
    /// Its id, which is the id of the episode.
    pub id: String,
    /// The task or question.
    pub input: String,
    /// The answer.
    pub output: String,
    /// How it went, as text.
    pub feedback: String,
    /// A summary.
    pub summary: String,
    /// How the answer was found.
    #[cfg_attr(feature = "wasmtime", component(name = "raw-trace"))]
    pub raw_trace: String,
    /// The domain, the tags and anything else that is known.
    #[serde(default)]
    pub metadata: Vec<Metadata>,
    /// Its tags, sorted.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Its domain.
    pub domain: String,
    /// When it was created.
    #[cfg_attr(feature = "wasmtime", component(name = "created-at"))]
    pub created_at: Timestamp,
    /// How it went, in numbers.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "structured-feedback"))]
    pub structured_feedback: Option<StructuredFeedback>,
    /// The type of the entry.
    #[cfg_attr(feature = "wasmtime", component(name = "memory-type"))]
    pub memory_type: MemoryType,
    /// A strategy card: `When confronted with …, do …. Avoid ….` Empty if there is none.
    #[cfg_attr(feature = "wasmtime", component(name = "strategy-card"))]
    pub strategy_card: String,
    /// How often it was found.
    #[cfg_attr(feature = "wasmtime", component(name = "access-count"))]
    pub access_count: u32,
    /// When it was last found.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "last-accessed-at"))]
    pub last_accessed_at: Option<Timestamp>,
    /// Its relevance now: `decay^(days since access) · (1 + 0.1·ln(1 + accesses))`.
    #[cfg_attr(feature = "wasmtime", component(name = "relevance-score"))]
    pub relevance_score: f64,
    /// The entries that were merged into it, by id.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "merged-from"))]
    pub merged_from: Vec<String>,
    /// Whether it has a vector.
    #[cfg_attr(feature = "wasmtime", component(name = "has-embedding"))]
    pub has_embedding: bool,
    /// Whether it was pruned or merged into another: it is kept, but not searched.
    pub archived: bool,
    /// The entry that it was merged into, if any.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "merged-into"))]
    pub merged_into: Option<String>,
}

/// An experience to add. Only `input` is required.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct NewExperience {
    /// The task or question. 1 byte to 16 KiB.
    pub input: String,
    /// The answer.
    pub output: String,
    /// How it went, as text, such as `success`.
    pub feedback: String,
    /// How it went, in numbers.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "structured-feedback"))]
    pub structured_feedback: Option<StructuredFeedback>,
    /// A strategy card. Default: made from a success.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "strategy-card"))]
    pub strategy_card: Option<String>,
    /// A summary. Default: made from the rest.
    #[serde(default)]
    pub summary: Option<String>,
    /// How the answer was found.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "raw-trace"))]
    pub raw_trace: Option<String>,
    /// Its domain. Default: `general`.
    #[serde(default)]
    pub domain: Option<String>,
    /// Its tags. At most 32.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Anything else that is known. At most 32.
    #[serde(default)]
    pub metadata: Vec<Metadata>,
    /// The type of the entry. Default: found from its words.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "memory-type"))]
    pub memory_type: Option<MemoryType>,
}

/// What adding or restoring an experience did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Evolution {
    /// The entry.
    pub entry: ExperienceEntry,
    /// Entries that were merged into it.
    #[serde(default)]
    pub merged: Vec<String>,
    /// Entries that were pruned to make room.
    #[serde(default)]
    pub pruned: Vec<String>,
}

/// Which experience to search for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ExperienceQuery {
    /// The task or question.
    pub text: String,
    /// Only entries of this type.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "memory-type"))]
    pub memory_type: Option<MemoryType>,
    /// Only entries with this tag.
    #[serde(default)]
    pub tag: Option<String>,
    /// Only entries of this domain.
    #[serde(default)]
    pub domain: Option<String>,
    /// At most this many. Default: `top-k` of the settings. Maximum: 100.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// An experience that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ExperienceHit {
    /// The entry.
    pub entry: ExperienceEntry,
    /// How similar it is, from 0 to 1.
    pub score: f64,
    /// Whether it was compared by meaning (vectors) or by words only.
    #[cfg_attr(feature = "wasmtime", component(name = "by-meaning"))]
    pub by_meaning: bool,
}

/// Context made from experience.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Synthesis {
    /// The text, marked so that the memory never learns from its own words.
    pub text: String,
    /// Its size in tokens (an estimate).
    pub tokens: u32,
    /// The entries it is made from.
    #[serde(default)]
    pub entries: Vec<String>,
}

/// What to do to entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum EditAction {
    /// Take entries out of the search.
    #[cfg_attr(feature = "wasmtime", component(name = "prune"))]
    Prune,
    /// Merge several entries into one.
    #[cfg_attr(feature = "wasmtime", component(name = "merge"))]
    Merge,
    /// Add a tag.
    #[cfg_attr(feature = "wasmtime", component(name = "update-tag"))]
    UpdateTag,
}

impl EditAction {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Prune, Self::Merge, Self::UpdateTag];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Prune => "prune",
            Self::Merge => "merge",
            Self::UpdateTag => "update-tag",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// One edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct MemoryEdit {
    /// What to do.
    pub action: EditAction,
    /// The entries to edit. At least 2 for a merge.
    #[serde(default)]
    pub ids: Vec<String>,
    /// The summary of the merged entry.
    #[serde(default)]
    pub summary: Option<String>,
    /// The tag to add.
    #[serde(default)]
    pub tag: Option<String>,
}

/// What edits did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct EditReport {
    /// Entries that were pruned.
    #[serde(default)]
    pub pruned: Vec<String>,
    /// Entries that were made by merging.
    #[serde(default)]
    pub merged: Vec<String>,
    /// Entries that were tagged.
    #[serde(default)]
    pub tagged: Vec<String>,
    /// Refused edits, and why.
    #[serde(default)]
    pub refused: Vec<String>,
}

/// How often a name occurs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Distribution {
    /// The name.
    pub name: String,
    /// How many.
    pub count: u32,
}

/// How similar the tasks are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct SimilarityMetrics {
    /// The mean similarity of pairs, from 0 to 1.
    #[cfg_attr(feature = "wasmtime", component(name = "average-similarity"))]
    pub average_similarity: f64,
    /// The share of entries with another entry at a similarity of 0.8 or more. Higher means more clustered.
    #[cfg_attr(feature = "wasmtime", component(name = "cluster-ratio"))]
    pub cluster_ratio: f64,
    /// Pairs that were compared.
    pub pairs: u32,
    /// Entries by domain.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "domain-distribution"))]
    pub domain_distribution: Vec<Distribution>,
    /// Entries by type.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "type-distribution"))]
    pub type_distribution: Vec<Distribution>,
    /// What to do about it.
    #[cfg_attr(feature = "wasmtime", component(name = "pruning-recommendation"))]
    pub pruning_recommendation: String,
}

/// Counts over the entries.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ExperienceStats {
    /// Entries that are searched.
    #[cfg_attr(feature = "wasmtime", component(name = "total-entries"))]
    pub total_entries: u32,
    /// Entries that were pruned or merged, and are kept.
    #[cfg_attr(feature = "wasmtime", component(name = "archived-entries"))]
    pub archived_entries: u32,
    /// The maximum number of entries that are searched.
    #[cfg_attr(feature = "wasmtime", component(name = "max-size"))]
    pub max_size: u32,
    /// Entries by type.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "type-distribution"))]
    pub type_distribution: Vec<Distribution>,
    /// Accesses in total.
    #[cfg_attr(feature = "wasmtime", component(name = "total-accesses"))]
    pub total_accesses: u32,
    /// Accesses per entry.
    #[cfg_attr(feature = "wasmtime", component(name = "avg-accesses-per-entry"))]
    pub avg_accesses_per_entry: f64,
    /// Entries with a strategy card.
    #[cfg_attr(feature = "wasmtime", component(name = "entries-with-strategy-card"))]
    pub entries_with_strategy_card: u32,
    /// Entries with structured feedback.
    #[cfg_attr(
        feature = "wasmtime",
        component(name = "entries-with-structured-feedback")
    )]
    pub entries_with_structured_feedback: u32,
}

/// How experience is kept and used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ExperienceSettings {
    /// Whether runs become experience automatically.
    pub enabled: bool,
    /// The maximum number of entries that are searched: 1 to 10,000. The time of a search is proportional; 100 to
    /// 1,000 are sensible.
    #[cfg_attr(feature = "wasmtime", component(name = "max-size"))]
    pub max_size: u32,
    /// How many entries a search returns: 1 to 100.
    #[cfg_attr(feature = "wasmtime", component(name = "top-k"))]
    pub top_k: u32,
    /// How many entries count as recent: 1 to 1,000.
    #[cfg_attr(feature = "wasmtime", component(name = "window-size"))]
    pub window_size: u32,
    /// Whether to search similar entries, or to return only recent ones.
    #[cfg_attr(feature = "wasmtime", component(name = "enable-rag"))]
    pub enable_rag: bool,
    /// Whether ReMem may be used: a loop in which the model may edit experience before it acts.
    #[cfg_attr(feature = "wasmtime", component(name = "remem-enabled"))]
    pub remem_enabled: bool,
    /// How many steps that loop may take: 1 to 20.
    #[cfg_attr(feature = "wasmtime", component(name = "max-inner-steps"))]
    pub max_inner_steps: u32,
    /// Whether to merge near-duplicates and prune the least relevant entries, or only prune the oldest.
    #[cfg_attr(feature = "wasmtime", component(name = "enable-smart-prune"))]
    pub enable_smart_prune: bool,
    /// The similarity from which two entries are merged: 0 to 1.
    #[cfg_attr(feature = "wasmtime", component(name = "prune-threshold"))]
    pub prune_threshold: f64,
    /// The share of its relevance that an entry keeps per day: 0 to 1.
    #[cfg_attr(feature = "wasmtime", component(name = "relevance-decay"))]
    pub relevance_decay: f64,
    /// The relevance below which an entry is pruned first: 0 to 1.
    #[cfg_attr(feature = "wasmtime", component(name = "min-relevance"))]
    pub min_relevance: f64,
}

/// How many entries have vectors of the current embedder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct ReEmbedding {
    /// Entries that got a vector in this call.
    pub embedded: u32,
    /// Entries that still lack one.
    pub left: u32,
    /// The length of the vectors.
    pub dimensions: u32,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<ReEmbedding>() == 12 && align_of::<ReEmbedding>() == 4);
    assert!(std::mem::offset_of!(ReEmbedding, embedded) == 0);
    assert!(std::mem::offset_of!(ReEmbedding, left) == 4);
    assert!(std::mem::offset_of!(ReEmbedding, dimensions) == 8);
};
