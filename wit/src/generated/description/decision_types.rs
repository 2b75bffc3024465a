//! The nouns of `twiceshy:memory/decision-types` as data: generated from the contract.

use crate::description::*;

/// `new-decision`
pub static NEW_DECISION: Record = Record { name: "new-decision", docs: docs!("A decision to record."), fields: &[
    Field { name: "module", ty: Type::Text, docs: docs!("What the hypothesis is about, such as `data_processor`. 1 to 256 bytes.") },
    Field { name: "hypothesis", ty: Type::Text, docs: docs!("The change that was considered. 1 to 2,000 characters.") },
    Field { name: "description", ty: Type::Option(&Type::Text), docs: docs!("What the improvement does. At most 4,000 characters.") },
    Field { name: "outcome", ty: Type::Text, docs: docs!("`accepted`, `rejected` or `held`.") },
    Field { name: "rationale", ty: Type::Option(&Type::Text), docs: docs!("Why. Required.") },
    Field { name: "rejection-reason", ty: Type::Option(&Type::Text), docs: docs!("The message of the failed check or the verdict, verbatim. Only for `rejected`.") },
] };

/// `decision`
pub static DECISION: Record = Record { name: "decision", docs: docs!("A decision: a hypothesis that was accepted, rejected or held. Immutable."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id.") },
    Field { name: "module", ty: Type::Text, docs: docs!("What the hypothesis is about.") },
    Field { name: "hypothesis", ty: Type::Text, docs: docs!("The change that was considered.") },
    Field { name: "description", ty: Type::Text, docs: docs!("What the improvement does. Empty if unknown.") },
    Field { name: "outcome", ty: Type::Text, docs: docs!("`accepted`, `rejected` or `held`.") },
    Field { name: "rationale", ty: Type::Option(&Type::Text), docs: docs!("Why. Missing only in decisions that were imported from an old file.") },
    Field { name: "rejection-reason", ty: Type::Option(&Type::Text), docs: docs!("Why it was rejected, verbatim.") },
    Field { name: "timestamp", ty: Type::Timestamp, docs: docs!("When it was recorded.") },
] };

/// `decision-query`
pub static DECISION_QUERY: Record = Record { name: "decision-query", docs: docs!("A hypothesis to look up among the decisions."), fields: &[
    Field { name: "module", ty: Type::Text, docs: docs!("The module it is about.") },
    Field { name: "hypothesis", ty: Type::Text, docs: docs!("The hypothesis.") },
    Field { name: "description", ty: Type::Option(&Type::Text), docs: docs!("What the improvement does. Compared as well.") },
    Field { name: "days", ty: Type::Option(&Type::U32), docs: docs!("For how many days an acceptance counts as recent. Default: 7.") },
] };

/// `decision-match`
pub static DECISION_MATCH: Record = Record { name: "decision-match", docs: docs!("The decision that was found for a hypothesis."), fields: &[
    Field { name: "found", ty: Type::Bool, docs: docs!("Whether there is such a decision.") },
    Field { name: "record", ty: Type::Option(&Type::Record(&super::decision_types::DECISION)), docs: docs!("The decision.") },
    Field { name: "similarity", ty: Type::F64, docs: docs!("How similar it is, from 0.8 to 1. 0 if there is none.") },
] };

/// `decision-check`
pub static DECISION_CHECK: Record = Record { name: "decision-check", docs: docs!("What was decided about a hypothesis before."), fields: &[
    Field { name: "rejected", ty: Type::Bool, docs: docs!("Whether it was rejected, at any time.") },
    Field { name: "accepted-recently", ty: Type::Bool, docs: docs!("Whether it was accepted recently.") },
    Field { name: "similarity", ty: Type::F64, docs: docs!("How similar the decision is, from 0.8 to 1. 0 if there is none.") },
    Field { name: "record", ty: Type::Option(&Type::Record(&super::decision_types::DECISION)), docs: docs!("The rejection, or else the acceptance.") },
    Field { name: "should-skip", ty: Type::Bool, docs: docs!("Whether to skip it: it was rejected or recently accepted.") },
] };

/// `decision-question`
pub static DECISION_QUESTION: Record = Record { name: "decision-question", docs: docs!("A question about a hypothesis or a module."), fields: &[
    Field { name: "module", ty: Type::Text, docs: docs!("The module it is about.") },
    Field { name: "hypothesis", ty: Type::Option(&Type::Text), docs: docs!("The hypothesis. May be empty for `get-patterns`.") },
    Field { name: "description", ty: Type::Option(&Type::Text), docs: docs!("What the improvement does. Compared as well.") },
    Field { name: "query-type", ty: Type::Text, docs: docs!("`was-rejected`, `was-accepted` or `get-patterns`.") },
    Field { name: "days", ty: Type::Option(&Type::U32), docs: docs!("For how many days an acceptance counts as recent. Default: 7.") },
] };

/// `hypothesis-list`
pub static HYPOTHESIS_LIST: Record = Record { name: "hypothesis-list", docs: docs!("Hypotheses about one module, to be filtered."), fields: &[
    Field { name: "module", ty: Type::Text, docs: docs!("The module they are about.") },
    Field { name: "hypotheses", ty: Type::List(&Type::Text), docs: docs!("The hypotheses. At most 1,000.") },
    Field { name: "days", ty: Type::Option(&Type::U32), docs: docs!("For how many days an acceptance counts as recent. Default: 7.") },
    Field { name: "keep-rejected", ty: Type::Option(&Type::Bool), docs: docs!("Keeps hypotheses that were rejected before, to explore more boldly.") },
] };

/// `dropped-hypothesis`
pub static DROPPED_HYPOTHESIS: Record = Record { name: "dropped-hypothesis", docs: docs!("A hypothesis that was dropped."), fields: &[
    Field { name: "hypothesis", ty: Type::Text, docs: docs!("The hypothesis.") },
    Field { name: "reason", ty: Type::Text, docs: docs!("The reason, in words.") },
    Field { name: "similarity", ty: Type::F64, docs: docs!("How similar the decision is.") },
    Field { name: "record", ty: Type::Record(&super::decision_types::DECISION), docs: docs!("The decision against it.") },
] };

/// `filtered-hypotheses`
pub static FILTERED_HYPOTHESES: Record = Record { name: "filtered-hypotheses", docs: docs!("Hypotheses, filtered."), fields: &[
    Field { name: "kept", ty: Type::List(&Type::Text), docs: docs!("The hypotheses with no decision against them, unchanged and in their order.") },
    Field { name: "dropped", ty: Type::List(&Type::Record(&super::decision_types::DROPPED_HYPOTHESIS)), docs: docs!("The other hypotheses.") },
] };

/// `decision-filter`
pub static DECISION_FILTER: Record = Record { name: "decision-filter", docs: docs!("Which decisions to list. Members that are left out do not restrict."), fields: &[
    Field { name: "module", ty: Type::Option(&Type::Text), docs: docs!("Only decisions about this module.") },
    Field { name: "outcome", ty: Type::Option(&Type::Text), docs: docs!("Only decisions with this outcome: `accepted`, `rejected` or `held`.") },
    Field { name: "since", ty: Type::Option(&Type::Timestamp), docs: docs!("Only decisions recorded at this time or later.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 50. Maximum: 1,000.") },
] };

/// `rejection-pattern`
pub static REJECTION_PATTERN: Record = Record { name: "rejection-pattern", docs: docs!("A reason for which hypotheses are rejected."), fields: &[
    Field { name: "pattern", ty: Type::Text, docs: docs!("Its name: `Principle violation`, `Test failure`, `Type error`, `Syntax error`, `Import error` or `Other`.") },
    Field { name: "count", ty: Type::U32, docs: docs!("How many rejections.") },
    Field { name: "examples", ty: Type::List(&Type::Text), docs: docs!("Different reasons, verbatim, newest first. At most 5.") },
] };

/// `decision-answer`
pub static DECISION_ANSWER: Record = Record { name: "decision-answer", docs: docs!("The answer to a question."), fields: &[
    Field { name: "found", ty: Type::Bool, docs: docs!("Whether anything was found.") },
    Field { name: "record", ty: Type::Option(&Type::Record(&super::decision_types::DECISION)), docs: docs!("The decision, unless patterns were asked for.") },
    Field { name: "similarity", ty: Type::F64, docs: docs!("How similar it is, from 0.8 to 1. 0 if there is none.") },
    Field { name: "patterns", ty: Type::List(&Type::Record(&super::decision_types::REJECTION_PATTERN)), docs: docs!("The patterns, if they were asked for.") },
] };

/// `module-decisions`
pub static MODULE_DECISIONS: Record = Record { name: "module-decisions", docs: docs!("Decisions about one module."), fields: &[
    Field { name: "module", ty: Type::Text, docs: docs!("The module.") },
    Field { name: "accepted", ty: Type::U32, docs: docs!("How many were accepted.") },
    Field { name: "rejected", ty: Type::U32, docs: docs!("How many were rejected.") },
    Field { name: "held", ty: Type::U32, docs: docs!("How many are held.") },
    Field { name: "reject-rate", ty: Type::F64, docs: docs!("Rejected over accepted and rejected, from 0 to 1.") },
] };

/// `decision-period`
pub static DECISION_PERIOD: Record = Record { name: "decision-period", docs: docs!("Decisions of one period."), fields: &[
    Field { name: "start", ty: Type::Timestamp, docs: docs!("When it begins.") },
    Field { name: "accepted", ty: Type::U32, docs: docs!("How many were accepted.") },
    Field { name: "rejected", ty: Type::U32, docs: docs!("How many were rejected.") },
    Field { name: "acceptance-rate", ty: Type::F64, docs: docs!("Accepted over accepted and rejected, from 0 to 1.") },
] };

/// `decision-stats`
pub static DECISION_STATS: Record = Record { name: "decision-stats", docs: docs!("Counts over all decisions."), fields: &[
    Field { name: "total-records", ty: Type::U32, docs: docs!("All decisions.") },
    Field { name: "accepted", ty: Type::U32, docs: docs!("How many were accepted.") },
    Field { name: "rejected", ty: Type::U32, docs: docs!("How many were rejected.") },
    Field { name: "held", ty: Type::U32, docs: docs!("How many are held.") },
    Field { name: "modules", ty: Type::List(&Type::Record(&super::decision_types::MODULE_DECISIONS)), docs: docs!("The modules by name.") },
    Field { name: "rejection-reasons", ty: Type::List(&Type::Record(&super::memory::TALLY)), docs: docs!("Rejections by the name of their pattern, most frequent first.") },
    Field { name: "hardest-modules", ty: Type::List(&Type::Record(&super::decision_types::MODULE_DECISIONS)), docs: docs!("The modules with at least 3 decisions, highest reject rate first. At most 10.") },
    Field { name: "acceptance", ty: Type::List(&Type::Record(&super::decision_types::DECISION_PERIOD)), docs: docs!("At most 10 periods of equal length from the first to the last decision. Periods without decisions are left out. A rising rate means that the work converges.") },
    Field { name: "last-updated", ty: Type::Option(&Type::Timestamp), docs: docs!("When the last decision was recorded.") },
] };

