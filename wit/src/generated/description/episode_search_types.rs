//! The nouns of `twiceshy:memory/episode-search-types` as data: generated from the contract.

use crate::description::*;

/// `episode-query`
pub static EPISODE_QUERY: Record = Record { name: "episode-query", docs: docs!("Which episodes to search for."), fields: &[
    Field { name: "text", ty: Type::Text, docs: docs!("The task in words. Empty: search by the other members only, newest first.") },
    Field { name: "domain", ty: Type::Option(&Type::Text), docs: docs!("Only episodes of this domain.") },
    Field { name: "task-type", ty: Type::Option(&Type::Text), docs: docs!("Only episodes with this type of task.") },
    Field { name: "outcome", ty: Type::Option(&Type::Enum(&super::memory::OUTCOME)), docs: docs!("Only episodes with this outcome.") },
    Field { name: "session", ty: Type::Option(&Type::Text), docs: docs!("Only episodes of this session.") },
    Field { name: "agent", ty: Type::Option(&Type::Text), docs: docs!("Only episodes of this agent.") },
    Field { name: "tag", ty: Type::Option(&Type::Text), docs: docs!("Only episodes with this tag.") },
    Field { name: "tool", ty: Type::Option(&Type::Text), docs: docs!("Only episodes in which this tool was used.") },
    Field { name: "fingerprint", ty: Type::Option(&Type::Text), docs: docs!("Only episodes that had this failure, by its fingerprint.") },
    Field { name: "since", ty: Type::Option(&Type::Timestamp), docs: docs!("Only episodes that ended at this time or later.") },
    Field { name: "until", ty: Type::Option(&Type::Timestamp), docs: docs!("Only episodes that ended at this time or earlier.") },
    Field { name: "only-successful", ty: Type::Option(&Type::Bool), docs: docs!("Only successful episodes.") },
    Field { name: "prefer-recent", ty: Type::Option(&Type::Bool), docs: docs!("Only episodes of the last days: 30, or `recent-days`.") },
    Field { name: "recent-days", ty: Type::Option(&Type::U32), docs: docs!("How many days count as recent.") },
    Field { name: "archived", ty: Type::Option(&Type::Bool), docs: docs!("Whether to search archived episodes, too.") },
    Field { name: "facet", ty: Type::Option(&Type::Enum(&super::episode_types::FACET)), docs: docs!("Which part to compare by meaning, if there are vectors. Default: the task.") },
    Field { name: "preferred-domain", ty: Type::Option(&Type::Text), docs: docs!("The domain to prefer, if `domain` does not restrict.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 5. Maximum: 100.") },
] };

/// `relevance-parts`
pub static RELEVANCE_PARTS: Record = Record { name: "relevance-parts", docs: docs!("The parts of an episode's relevance, each from 0 to 1: `0.5·similarity + 0.2·recency + 0.15·success + 0.1·access + 0.05·same-domain`."), fields: &[
    Field { name: "similarity", ty: Type::F64, docs: docs!("How similar the tasks are.") },
    Field { name: "recency", ty: Type::F64, docs: docs!("`e^(-age in days / 30)`.") },
    Field { name: "success", ty: Type::F64, docs: docs!("1 if it succeeded.") },
    Field { name: "access", ty: Type::F64, docs: docs!("`min(ln(1 + access-count) / 10, 1)`.") },
    Field { name: "same-domain", ty: Type::F64, docs: docs!("1 if it has the domain in question.") },
] };

/// `episode-hit`
pub static EPISODE_HIT: Record = Record { name: "episode-hit", docs: docs!("An episode that was found."), fields: &[
    Field { name: "episode", ty: Type::Record(&super::memory::EPISODE), docs: docs!("The episode.") },
    Field { name: "score", ty: Type::F64, docs: docs!("Its relevance.") },
    Field { name: "parts", ty: Type::Record(&super::episode_search_types::RELEVANCE_PARTS), docs: docs!("The parts of the relevance.") },
    Field { name: "phase", ty: Type::Enum(&super::memory::PHASE), docs: docs!("How old it is, and what follows from that.") },
    Field { name: "by-meaning", ty: Type::Bool, docs: docs!("Whether it was compared by meaning (vectors) or by words only.") },
] };

/// `failure-signature`
pub static FAILURE_SIGNATURE: Record = Record { name: "failure-signature", docs: docs!("A failure to find similar ones for."), fields: &[
    Field { name: "evidence", ty: Type::Text, docs: docs!("The error text. May be empty if `fingerprint` is given.") },
    Field { name: "fingerprint", ty: Type::Option(&Type::Text), docs: docs!("Its fingerprint, if known.") },
    Field { name: "domain", ty: Type::Option(&Type::Text), docs: docs!("Only episodes of this domain.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 5. Maximum: 100.") },
] };

/// `similar-failure`
pub static SIMILAR_FAILURE: Record = Record { name: "similar-failure", docs: docs!("An episode with a similar failure."), fields: &[
    Field { name: "episode", ty: Type::Record(&super::memory::EPISODE), docs: docs!("The episode.") },
    Field { name: "similarity", ty: Type::F64, docs: docs!("How similar the failures are, from 0 to 1. 1 means the same fingerprint.") },
    Field { name: "fingerprint", ty: Type::Text, docs: docs!("The failure, by its fingerprint.") },
    Field { name: "step", ty: Type::U32, docs: docs!("The step that failed.") },
    Field { name: "action-text", ty: Type::Text, docs: docs!("What was done.") },
    Field { name: "resolution", ty: Type::Text, docs: docs!("What worked later in that episode. Empty if nothing did.") },
] };

