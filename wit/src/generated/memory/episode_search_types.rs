//! `twiceshy:memory/episode-search-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Episode, Facet, Outcome, Phase, Timestamp};

/// Which episodes to search for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct EpisodeQuery {
    /// The task in words. Empty: search by the other members only, newest first.
    pub text: String,
    /// Only episodes of this domain.
    #[serde(default)]
    pub domain: Option<String>,
    /// Only episodes with this type of task.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "task-type"))]
    pub task_type: Option<String>,
    /// Only episodes with this outcome.
    #[serde(default)]
    pub outcome: Option<Outcome>,
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
    /// Only episodes that had this failure, by its fingerprint.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// Only episodes that ended at this time or later.
    #[serde(default)]
    pub since: Option<Timestamp>,
    /// Only episodes that ended at this time or earlier.
    #[serde(default)]
    pub until: Option<Timestamp>,
    /// Only successful episodes.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "only-successful"))]
    pub only_successful: Option<bool>,
    /// Only episodes of the last days: 30, or `recent-days`.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "prefer-recent"))]
    pub prefer_recent: Option<bool>,
    /// How many days count as recent.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "recent-days"))]
    pub recent_days: Option<u32>,
    /// Whether to search archived episodes, too.
    #[serde(default)]
    pub archived: Option<bool>,
    /// Which part to compare by meaning, if there are vectors. Default: the task.
    #[serde(default)]
    pub facet: Option<Facet>,
    /// The domain to prefer, if `domain` does not restrict.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "preferred-domain"))]
    pub preferred_domain: Option<String>,
    /// At most this many. Default: 5. Maximum: 100.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// The parts of an episode's relevance, each from 0 to 1:
/// `0.5·similarity + 0.2·recency + 0.15·success + 0.1·access + 0.05·same-domain`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct RelevanceParts {
    /// How similar the tasks are.
    pub similarity: f64,
    /// `e^(-age in days / 30)`.
    pub recency: f64,
    /// 1 if it succeeded.
    pub success: f64,
    /// `min(ln(1 + access-count) / 10, 1)`.
    pub access: f64,
    /// 1 if it has the domain in question.
    #[cfg_attr(feature = "wasmtime", component(name = "same-domain"))]
    pub same_domain: f64,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<RelevanceParts>() == 40 && align_of::<RelevanceParts>() == 8);
    assert!(std::mem::offset_of!(RelevanceParts, similarity) == 0);
    assert!(std::mem::offset_of!(RelevanceParts, recency) == 8);
    assert!(std::mem::offset_of!(RelevanceParts, success) == 16);
    assert!(std::mem::offset_of!(RelevanceParts, access) == 24);
    assert!(std::mem::offset_of!(RelevanceParts, same_domain) == 32);
};

/// An episode that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct EpisodeHit {
    /// The episode.
    pub episode: Episode,
    /// Its relevance.
    pub score: f64,
    /// The parts of the relevance.
    pub parts: RelevanceParts,
    /// How old it is, and what follows from that.
    pub phase: Phase,
    /// Whether it was compared by meaning (vectors) or by words only.
    #[cfg_attr(feature = "wasmtime", component(name = "by-meaning"))]
    pub by_meaning: bool,
}

/// A failure to find similar ones for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct FailureSignature {
    /// The error text. May be empty if `fingerprint` is given.
    pub evidence: String,
    /// Its fingerprint, if known.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// Only episodes of this domain.
    #[serde(default)]
    pub domain: Option<String>,
    /// At most this many. Default: 5. Maximum: 100.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// An episode with a similar failure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct SimilarFailure {
    /// The episode.
    pub episode: Episode,
    /// How similar the failures are, from 0 to 1. 1 means the same fingerprint.
    pub similarity: f64,
    /// The failure, by its fingerprint.
    pub fingerprint: String,
    /// The step that failed.
    pub step: u32,
    /// What was done.
    #[cfg_attr(feature = "wasmtime", component(name = "action-text"))]
    pub action_text: String,
    /// What worked later in that episode. Empty if nothing did.
    pub resolution: String,
}
