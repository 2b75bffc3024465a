//! The nouns of `twiceshy:memory/hint-types` as data: generated from the contract.

use crate::description::*;

/// `failure-context`
pub static FAILURE_CONTEXT: Record = Record { name: "failure-context", docs: docs!("A failure to recall lessons for."), fields: &[
    Field { name: "evidence", ty: Type::Text, docs: docs!("The error text.") },
    Field { name: "fingerprint", ty: Type::Option(&Type::Text), docs: docs!("Its fingerprint, if known. Default: computed from the evidence.") },
    Field { name: "action-text", ty: Type::Option(&Type::Text), docs: docs!("The action that failed, in one line. Of the lessons for the same failure, those about a similar action come first.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain of the failed step.") },
    Field { name: "task", ty: Type::Text, docs: docs!("The task being worked on. May be empty.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 3. Maximum: 32.") },
    Field { name: "tokens", ty: Type::Option(&Type::U32), docs: docs!("At most this many tokens of rules (an estimate). Default: no limit.") },
] };

/// `task-context`
pub static TASK_CONTEXT: Record = Record { name: "task-context", docs: docs!("A task to recall lessons for, before it begins."), fields: &[
    Field { name: "task", ty: Type::Text, docs: docs!("The task in words.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain of its steps.") },
    Field { name: "recent-fingerprints", ty: Type::List(&Type::Text), docs: docs!("The fingerprints of recent failures, newest first. At most 32.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 8. Maximum: 32.") },
    Field { name: "tokens", ty: Type::Option(&Type::U32), docs: docs!("At most this many tokens of rules (an estimate). Default: no limit.") },
] };

/// `briefing-request`
pub static BRIEFING_REQUEST: Record = Record { name: "briefing-request", docs: docs!("The size of a briefing."), fields: &[
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many lessons. Default: 8. Maximum: 32.") },
    Field { name: "tokens", ty: Type::Option(&Type::U32), docs: docs!("At most this many tokens (an estimate). Default: 1,000.") },
] };

/// `score-parts`
pub static SCORE_PARTS: Record = Record { name: "score-parts", docs: docs!("The parts of a score, each from 0 to 1: `0.40·fingerprint-match + 0.25·tag-overlap + 0.20·text-similarity + 0.10·reliability + 0.05·recency`."), fields: &[
    Field { name: "fingerprint-match", ty: Type::F64, docs: docs!("1 if exactly this fingerprint triggers the lesson.") },
    Field { name: "tag-overlap", ty: Type::F64, docs: docs!("The share of common tags.") },
    Field { name: "text-similarity", ty: Type::F64, docs: docs!("How similar the words are.") },
    Field { name: "reliability", ty: Type::F64, docs: docs!("How reliable the lesson is.") },
    Field { name: "recency", ty: Type::F64, docs: docs!("How new its evidence is.") },
] };

/// `lane`
pub static LANE: Enum = Enum { name: "lane", docs: docs!("Where a hint comes from."), cases: &[
    Case { name: "strict", payload: None, docs: docs!("The lesson is for this domain, or for all domains.") },
    Case { name: "cross-domain", payload: None, docs: docs!("The lesson is for another domain, and no lesson for this domain fits well.") },
] };

/// `hint`
pub static HINT: Record = Record { name: "hint", docs: docs!("A hint: a lesson that may help now."), fields: &[
    Field { name: "lesson", ty: Type::Record(&super::lesson_types::LESSON), docs: docs!("The lesson.") },
    Field { name: "text", ty: Type::Text, docs: docs!("What it says here: its rule with the names of the failure at hand, so that what is right can be pasted. Its rule as it is, if nothing failed yet or the rule has no such form.") },
    Field { name: "score", ty: Type::F64, docs: docs!("The score with which it was chosen.") },
    Field { name: "parts", ty: Type::Record(&super::hint_types::SCORE_PARTS), docs: docs!("The parts of the score.") },
    Field { name: "lane", ty: Type::Enum(&super::hint_types::LANE), docs: docs!("Whether it is from this domain or from another.") },
] };

/// `briefing`
pub static BRIEFING: Record = Record { name: "briefing", docs: docs!("A briefing: the lessons to know before a run."), fields: &[
    Field { name: "hints", ty: Type::List(&Type::Record(&super::hint_types::HINT)), docs: docs!("The lessons, best first.") },
    Field { name: "text", ty: Type::Text, docs: docs!("The lessons as text for an agent's context, marked so that the memory never learns from its own words. Empty if there are none.") },
    Field { name: "tokens", ty: Type::U32, docs: docs!("The size of the text in tokens (an estimate).") },
] };

/// `reaction`
pub static REACTION: Record = Record { name: "reaction", docs: docs!("How the memory reacts to a step."), fields: &[
    Field { name: "index", ty: Type::U32, docs: docs!("The index of the step in the run, from 0.") },
    Field { name: "failure", ty: Type::Option(&Type::Record(&super::memory::EVENT)), docs: docs!("The event, if the step failed.") },
    Field { name: "hints", ty: Type::List(&Type::Record(&super::hint_types::HINT)), docs: docs!("Hints, best first. Empty if the step did not fail.") },
    Field { name: "text", ty: Type::Text, docs: docs!("The hints as text for an agent's context, marked so that the memory never learns from its own words. Empty if there are none.") },
] };

/// `submitted`
pub static SUBMITTED: Record = Record { name: "submitted", docs: docs!("A whole run that was submitted at once."), fields: &[
    Field { name: "episode", ty: Type::Record(&super::memory::EPISODE), docs: docs!("The episode it became.") },
    Field { name: "reactions", ty: Type::List(&Type::Record(&super::hint_types::REACTION)), docs: docs!("The reaction to each step.") },
] };

