//! `twiceshy:memory/hint-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{Episode, Event, Lesson};

/// A failure to recall lessons for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct FailureContext {
    /// The error text.
    pub evidence: String,
    /// Its fingerprint, if known. Default: computed from the evidence.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// The action that failed, in one line. Of the lessons for the same failure, those about a similar action
    /// come first.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "action-text"))]
    pub action_text: Option<String>,
    /// The domain of the failed step.
    pub domain: String,
    /// The task being worked on. May be empty.
    pub task: String,
    /// At most this many. Default: 3. Maximum: 32.
    #[serde(default)]
    pub limit: Option<u32>,
    /// At most this many tokens of rules (an estimate). Default: no limit.
    #[serde(default)]
    pub tokens: Option<u32>,
}

/// A task to recall lessons for, before it begins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct TaskContext {
    /// The task in words.
    pub task: String,
    /// The domain of its steps.
    pub domain: String,
    /// The fingerprints of recent failures, newest first. At most 32.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "recent-fingerprints"))]
    pub recent_fingerprints: Vec<String>,
    /// At most this many. Default: 8. Maximum: 32.
    #[serde(default)]
    pub limit: Option<u32>,
    /// At most this many tokens of rules (an estimate). Default: no limit.
    #[serde(default)]
    pub tokens: Option<u32>,
}

/// The size of a briefing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct BriefingRequest {
    /// At most this many lessons. Default: 8. Maximum: 32.
    #[serde(default)]
    pub limit: Option<u32>,
    /// At most this many tokens (an estimate). Default: 1,000.
    #[serde(default)]
    pub tokens: Option<u32>,
}

/// The parts of a score, each from 0 to 1:
/// `0.40·fingerprint-match + 0.25·tag-overlap + 0.20·text-similarity + 0.10·reliability + 0.05·recency`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct ScoreParts {
    /// 1 if exactly this fingerprint triggers the lesson.
    #[cfg_attr(feature = "wasmtime", component(name = "fingerprint-match"))]
    pub fingerprint_match: f64,
    /// The share of common tags.
    #[cfg_attr(feature = "wasmtime", component(name = "tag-overlap"))]
    pub tag_overlap: f64,
    /// How similar the words are.
    #[cfg_attr(feature = "wasmtime", component(name = "text-similarity"))]
    pub text_similarity: f64,
    /// How reliable the lesson is.
    pub reliability: f64,
    /// How new its evidence is.
    pub recency: f64,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<ScoreParts>() == 40 && align_of::<ScoreParts>() == 8);
    assert!(std::mem::offset_of!(ScoreParts, fingerprint_match) == 0);
    assert!(std::mem::offset_of!(ScoreParts, tag_overlap) == 8);
    assert!(std::mem::offset_of!(ScoreParts, text_similarity) == 16);
    assert!(std::mem::offset_of!(ScoreParts, reliability) == 24);
    assert!(std::mem::offset_of!(ScoreParts, recency) == 32);
};

/// Where a hint comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Lane {
    /// The lesson is for this domain, or for all domains.
    #[cfg_attr(feature = "wasmtime", component(name = "strict"))]
    Strict,
    /// The lesson is for another domain, and no lesson for this domain fits well.
    #[cfg_attr(feature = "wasmtime", component(name = "cross-domain"))]
    CrossDomain,
}

impl Lane {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 2] = [Self::Strict, Self::CrossDomain];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::CrossDomain => "cross-domain",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(1)]
    }
}

/// A hint: a lesson that may help now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Hint {
    /// The lesson.
    pub lesson: Lesson,
    /// What it says here: its rule with the names of the failure at hand, so that what is right can be pasted. Its
    /// rule as it is, if nothing failed yet or the rule has no such form.
    pub text: String,
    /// The score with which it was chosen.
    pub score: f64,
    /// The parts of the score.
    pub parts: ScoreParts,
    /// Whether it is from this domain or from another.
    pub lane: Lane,
}

/// A briefing: the lessons to know before a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Briefing {
    /// The lessons, best first.
    #[serde(default)]
    pub hints: Vec<Hint>,
    /// The lessons as text for an agent's context, marked so that the memory never learns from its own words.
    /// Empty if there are none.
    pub text: String,
    /// The size of the text in tokens (an estimate).
    pub tokens: u32,
}

/// How the memory reacts to a step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Reaction {
    /// The index of the step in the run, from 0.
    pub index: u32,
    /// The event, if the step failed.
    #[serde(default)]
    pub failure: Option<Event>,
    /// Hints, best first. Empty if the step did not fail.
    #[serde(default)]
    pub hints: Vec<Hint>,
    /// The hints as text for an agent's context, marked so that the memory never learns from its own words. Empty
    /// if there are none.
    pub text: String,
}

/// A whole run that was submitted at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Submitted {
    /// The episode it became.
    pub episode: Episode,
    /// The reaction to each step.
    #[serde(default)]
    pub reactions: Vec<Reaction>,
}
