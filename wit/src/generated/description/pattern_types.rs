//! The nouns of `twiceshy:memory/pattern-types` as data: generated from the contract.

use crate::description::*;

/// `feature-test`
pub static FEATURE_TEST: Enum = Enum { name: "feature-test", docs: docs!("A test on a feature."), cases: &[
    Case { name: "equals", payload: None, docs: docs!("Equal to the value, ignoring case.") },
    Case { name: "differs", payload: None, docs: docs!("Present, and not equal to the value.") },
    Case { name: "contains", payload: None, docs: docs!("Contains the value.") },
    Case { name: "at-least", payload: None, docs: docs!("A number, at least the value.") },
    Case { name: "at-most", payload: None, docs: docs!("A number, at most the value.") },
    Case { name: "present", payload: None, docs: docs!("Present.") },
    Case { name: "absent", payload: None, docs: docs!("Not present.") },
] };

/// `requirement`
pub static REQUIREMENT: Record = Record { name: "requirement", docs: docs!("A condition on one feature of a task."), fields: &[
    Field { name: "feature", ty: Type::Text, docs: docs!("The feature, such as `language`.") },
    Field { name: "test", ty: Type::Enum(&super::pattern_types::FEATURE_TEST), docs: docs!("The test.") },
    Field { name: "value", ty: Type::Text, docs: docs!("The value; empty for `present` and `absent`.") },
] };

/// `feature`
pub static FEATURE: Record = Record { name: "feature", docs: docs!("A feature of a task."), fields: &[
    Field { name: "name", ty: Type::Text, docs: docs!("Its name, such as `language`.") },
    Field { name: "value", ty: Type::Text, docs: docs!("Its value.") },
] };

/// `applicability`
pub static APPLICABILITY: Record = Record { name: "applicability", docs: docs!("When a pattern applies. Empty members do not restrict."), fields: &[
    Field { name: "problem-types", ty: Type::List(&Type::Text), docs: docs!("The types of task it is for. At most 32.") },
    Field { name: "domains", ty: Type::List(&Type::Text), docs: docs!("The domains it is for. At most 32.") },
    Field { name: "least-complexity", ty: Type::Option(&Type::F64), docs: docs!("The least complexity it is for, from 0 to 1.") },
    Field { name: "most-complexity", ty: Type::Option(&Type::F64), docs: docs!("The greatest complexity it is for, from 0 to 1.") },
    Field { name: "required-capabilities", ty: Type::List(&Type::Text), docs: docs!("What the agent must be able to do. At most 32.") },
    Field { name: "context-conditions", ty: Type::List(&Type::Record(&super::pattern_types::REQUIREMENT)), docs: docs!("All of these must hold. At most 32.") },
    Field { name: "anti-conditions", ty: Type::List(&Type::Record(&super::pattern_types::REQUIREMENT)), docs: docs!("None of these may hold. At most 32.") },
    Field { name: "conditions", ty: Type::List(&Type::Text), docs: docs!("Conditions in words, for a reader. At most 32.") },
] };

/// `pattern-evidence`
pub static PATTERN_EVIDENCE: Record = Record { name: "pattern-evidence", docs: docs!("The evidence from the applications of a pattern."), fields: &[
    Field { name: "supporting-episodes", ty: Type::List(&Type::Text), docs: docs!("Episodes that support it, newest last. At most 256.") },
    Field { name: "counter-episodes", ty: Type::List(&Type::Text), docs: docs!("Episodes that contradict it, newest last. At most 256.") },
    Field { name: "applications", ty: Type::U32, docs: docs!("Applications in the last 90 days, since its evidence was last reset; each episode counts once. At most 1,000.") },
    Field { name: "successes", ty: Type::U32, docs: docs!("How many of them succeeded.") },
    Field { name: "success-rate", ty: Type::F64, docs: docs!("Successes over applications. 0 without applications.") },
    Field { name: "average-time-saving", ty: Type::F64, docs: docs!("How much faster an application is than the same type of task without it, in milliseconds. 0 if unknown.") },
    Field { name: "average-cost-saving", ty: Type::F64, docs: docs!("How much cheaper an application is. 0 if unknown.") },
    Field { name: "success-rate-improvement", ty: Type::F64, docs: docs!("The success rate minus the base rate. 0 if unknown.") },
    Field { name: "base-rate", ty: Type::Option(&Type::F64), docs: docs!("The share of successes among the newest episodes of the same type of task and domain without it. Missing if there are fewer than 5.") },
    Field { name: "confidence", ty: Type::F64, docs: docs!("`0.5·success-rate + 0.3·(1 − e^(−n/20)) + 0.2·(1 − p)`, from 0 to 1. Without applications, what was claimed when it was added.") },
    Field { name: "significance", ty: Type::F64, docs: docs!("The one-sided binomial p-value against a rate of 0.5; 1 without applications.") },
    Field { name: "base-significance", ty: Type::Option(&Type::F64), docs: docs!("The p-value against the base rate. Missing if that is unknown.") },
    Field { name: "last-validated", ty: Type::Option(&Type::Timestamp), docs: docs!("When it was last validated.") },
] };

/// `pattern`
pub static PATTERN: Record = Record { name: "pattern", docs: docs!("A pattern: a lesson with conditions of use and statistics of its applications."), fields: &[
    Field { name: "lesson", ty: Type::Record(&super::lesson_types::LESSON), docs: docs!("The lesson. Its id, kind, scope and status are those of the pattern.") },
    Field { name: "name", ty: Type::Text, docs: docs!("Its name.") },
    Field { name: "version", ty: Type::U32, docs: docs!("The version: 1 at first, one more after each update.") },
    Field { name: "summary", ty: Type::Text, docs: docs!("A summary in one or two sentences.") },
    Field { name: "explanation", ty: Type::Text, docs: docs!("A longer explanation.") },
    Field { name: "correct-approach", ty: Type::Text, docs: docs!("The right way, if there is also a wrong way.") },
    Field { name: "incorrect-approach", ty: Type::Text, docs: docs!("The wrong way.") },
    Field { name: "applicability", ty: Type::Record(&super::pattern_types::APPLICABILITY), docs: docs!("When it applies.") },
    Field { name: "content", ty: Type::Option(&Type::Variant(&super::content_types::PATTERN_CONTENT)), docs: docs!("What it says to do.") },
    Field { name: "guidance", ty: Type::Record(&super::content_types::GUIDANCE), docs: docs!("How to use it.") },
    Field { name: "evidence", ty: Type::Record(&super::pattern_types::PATTERN_EVIDENCE), docs: docs!("The evidence from its applications.") },
    Field { name: "usage-count", ty: Type::U32, docs: docs!("How often it was applied or shown.") },
    Field { name: "last-used", ty: Type::Option(&Type::Timestamp), docs: docs!("When it was last used.") },
    Field { name: "superseded-by", ty: Type::Option(&Type::Text), docs: docs!("The pattern that supersedes it.") },
    Field { name: "deprecation-reason", ty: Type::Option(&Type::Text), docs: docs!("Why it is deprecated.") },
    Field { name: "specializes", ty: Type::Option(&Type::Text), docs: docs!("The pattern it is a special case of.") },
    Field { name: "generalizes", ty: Type::List(&Type::Text), docs: docs!("The patterns it is a more general form of.") },
    Field { name: "contradicts", ty: Type::List(&Type::Text), docs: docs!("The patterns it is incompatible with.") },
    Field { name: "complements", ty: Type::List(&Type::Text), docs: docs!("The patterns it works well with.") },
] };

/// `new-pattern`
pub static NEW_PATTERN: Record = Record { name: "new-pattern", docs: docs!("A pattern to add. Only `name`, `kind` and `summary` are required."), fields: &[
    Field { name: "id", ty: Type::Option(&Type::Text), docs: docs!("Its id, with the same rules as for a run. Default: computed from its content.") },
    Field { name: "name", ty: Type::Text, docs: docs!("Its name. 1 to 200 characters.") },
    Field { name: "kind", ty: Type::Enum(&super::lesson_types::LESSON_KIND), docs: docs!("What kind of lesson it is.") },
    Field { name: "summary", ty: Type::Text, docs: docs!("A summary in one or two sentences. 1 to 1,000 characters.") },
    Field { name: "explanation", ty: Type::Option(&Type::Text), docs: docs!("A longer explanation. At most 16 KiB.") },
    Field { name: "correct-approach", ty: Type::Option(&Type::Text), docs: docs!("The right way, if there is also a wrong way.") },
    Field { name: "incorrect-approach", ty: Type::Option(&Type::Text), docs: docs!("The wrong way.") },
    Field { name: "applicability", ty: Type::Option(&Type::Record(&super::pattern_types::APPLICABILITY)), docs: docs!("When it applies.") },
    Field { name: "content", ty: Type::Option(&Type::Variant(&super::content_types::PATTERN_CONTENT)), docs: docs!("What it says to do.") },
    Field { name: "guidance", ty: Type::Option(&Type::Record(&super::content_types::GUIDANCE)), docs: docs!("How to use it.") },
    Field { name: "scope", ty: Type::Option(&Type::Enum(&super::lesson_types::SCOPE)), docs: docs!("The tasks it is for. Default: `global`.") },
    Field { name: "domain", ty: Type::Option(&Type::Text), docs: docs!("The domain it was learned in.") },
    Field { name: "tags", ty: Type::List(&Type::Text), docs: docs!("The kinds of failure it is for. At most 32.") },
    Field { name: "trigger-fingerprints", ty: Type::List(&Type::Text), docs: docs!("The fingerprints that trigger it. At most 32.") },
    Field { name: "source-episodes", ty: Type::List(&Type::Text), docs: docs!("The episodes it comes from. At most 64.") },
    Field { name: "confidence", ty: Type::Option(&Type::F64), docs: docs!("How certain it is, from 0 to 1, until it is applied. Default: 0.") },
    Field { name: "source", ty: Type::Option(&Type::Enum(&super::lesson_types::SOURCE)), docs: docs!("Who proposes it. Default: `agent`.") },
] };

/// `pattern-update`
pub static PATTERN_UPDATE: Record = Record { name: "pattern-update", docs: docs!("What to change in a pattern. Members that are left out stay."), fields: &[
    Field { name: "name", ty: Type::Option(&Type::Text), docs: docs!("Its name.") },
    Field { name: "summary", ty: Type::Option(&Type::Text), docs: docs!("A summary in one or two sentences.") },
    Field { name: "explanation", ty: Type::Option(&Type::Text), docs: docs!("A longer explanation.") },
    Field { name: "correct-approach", ty: Type::Option(&Type::Text), docs: docs!("The right way.") },
    Field { name: "incorrect-approach", ty: Type::Option(&Type::Text), docs: docs!("The wrong way.") },
    Field { name: "applicability", ty: Type::Option(&Type::Record(&super::pattern_types::APPLICABILITY)), docs: docs!("When it applies.") },
    Field { name: "content", ty: Type::Option(&Type::Variant(&super::content_types::PATTERN_CONTENT)), docs: docs!("What it says to do.") },
    Field { name: "guidance", ty: Type::Option(&Type::Record(&super::content_types::GUIDANCE)), docs: docs!("How to use it.") },
    Field { name: "reason", ty: Type::Text, docs: docs!("Why it is changed.") },
] };

/// `task-features`
pub static TASK_FEATURES: Record = Record { name: "task-features", docs: docs!("A task to find patterns for."), fields: &[
    Field { name: "task", ty: Type::Text, docs: docs!("The task in words. May be empty.") },
    Field { name: "task-type", ty: Type::Text, docs: docs!("The type of task. Empty: only patterns for any type.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("Its domain. Empty: only patterns for any domain.") },
    Field { name: "complexity", ty: Type::Option(&Type::F64), docs: docs!("How hard it is, from 0 to 1. Default: not considered.") },
    Field { name: "capabilities", ty: Type::List(&Type::Text), docs: docs!("What the agent can do. Empty: not considered.") },
    Field { name: "features", ty: Type::List(&Type::Record(&super::pattern_types::FEATURE)), docs: docs!("Anything else that is known about it besides `task`, `task-type`, `domain` and `complexity`. At most 64.") },
    Field { name: "category", ty: Type::Option(&Type::Enum(&super::lesson_types::LESSON_KIND)), docs: docs!("Only patterns of this kind. Then candidates are included.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 5. Maximum: 100.") },
] };

/// `rank-parts`
pub static RANK_PARTS: Record = Record { name: "rank-parts", docs: docs!("The parts of a pattern's rank, each from 0 to 1: `0.4·confidence + 0.3·success-rate + 0.15·usage + 0.1·recency + 0.05·match-quality`."), fields: &[
    Field { name: "confidence", ty: Type::F64, docs: docs!("How certain it is.") },
    Field { name: "success-rate", ty: Type::F64, docs: docs!("How often it works.") },
    Field { name: "usage", ty: Type::F64, docs: docs!("`min(ln(1 + usage-count) / 10, 1)`.") },
    Field { name: "recency", ty: Type::F64, docs: docs!("`e^(-days since validation / 90)`.") },
    Field { name: "match-quality", ty: Type::F64, docs: docs!("How well it fits the task: the mean of the conditions that it names (type, domain, complexity and others; each 0 or 1) and of the similarity in words, if the task has words.") },
] };

/// `applicable-pattern`
pub static APPLICABLE_PATTERN: Record = Record { name: "applicable-pattern", docs: docs!("A pattern that applies."), fields: &[
    Field { name: "pattern", ty: Type::Record(&super::pattern_types::PATTERN), docs: docs!("The pattern.") },
    Field { name: "score", ty: Type::F64, docs: docs!("Its rank.") },
    Field { name: "parts", ty: Type::Record(&super::pattern_types::RANK_PARTS), docs: docs!("What that is made of.") },
] };

/// `pattern-version`
pub static PATTERN_VERSION: Record = Record { name: "pattern-version", docs: docs!("A version of a pattern that was replaced by an update."), fields: &[
    Field { name: "version", ty: Type::U32, docs: docs!("Its number.") },
    Field { name: "pattern", ty: Type::Record(&super::pattern_types::PATTERN), docs: docs!("The pattern as it was.") },
    Field { name: "reason", ty: Type::Text, docs: docs!("Why it was changed.") },
    Field { name: "until", ty: Type::Timestamp, docs: docs!("When it was replaced.") },
] };

/// `similar-pattern`
pub static SIMILAR_PATTERN: Record = Record { name: "similar-pattern", docs: docs!("A pattern that is similar to another."), fields: &[
    Field { name: "pattern", ty: Type::Record(&super::pattern_types::PATTERN), docs: docs!("The pattern.") },
    Field { name: "similarity", ty: Type::F64, docs: docs!("How similar it is, from 0 to 1.") },
] };

