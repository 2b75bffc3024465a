//! The nouns of `twiceshy:memory/activation-types` as data: generated from the contract.

use crate::description::*;

/// `moment`
pub static MOMENT: Enum = Enum { name: "moment", docs: docs!("When a lesson is shown."), cases: &[
    Case { name: "before-run", payload: None, docs: docs!("In the briefing, before a run or between its steps.") },
    Case { name: "on-error", payload: None, docs: docs!("After a failed step.") },
] };

/// `verdict`
pub static VERDICT: Enum = Enum { name: "verdict", docs: docs!("The effect of a lesson on one run."), cases: &[
    Case { name: "helped", payload: None, docs: docs!("The run went better than runs without the lesson.") },
    Case { name: "harmed", payload: None, docs: docs!("The run went worse.") },
    Case { name: "neutral", payload: None, docs: docs!("The lesson made no difference.") },
    Case { name: "no-opportunity", payload: None, docs: docs!("The lesson was not relevant: none of its failures happened or was to be expected.") },
] };

/// `activation-outcome`
pub static ACTIVATION_OUTCOME: Record = Record { name: "activation-outcome", docs: docs!("How a run with a lesson went, compared with runs without it."), fields: &[
    Field { name: "verdict", ty: Type::Enum(&super::activation_types::VERDICT), docs: docs!("The verdict.") },
    Field { name: "utility", ty: Type::Option(&Type::F64), docs: docs!("`0.65·error-reduction + 0.35·step-efficiency-gain`, or with a referee's score `0.50·error-reduction + 0.30·step-efficiency-gain + 0.20·referee-score-gain`.") },
    Field { name: "error-reduction", ty: Type::F64, docs: docs!("The lesson's share in the failures avoided, from -1 to 1.") },
    Field { name: "step-efficiency-gain", ty: Type::F64, docs: docs!("The lesson's share in the steps saved, from -1 to 1.") },
    Field { name: "referee-score-gain", ty: Type::Option(&Type::F64), docs: docs!("The lesson's share in the better score, if a referee other than the signals gave one.") },
    Field { name: "errors", ty: Type::U32, docs: docs!("Failures of this run that the lesson is about.") },
    Field { name: "baseline-errors", ty: Type::F64, docs: docs!("How many such failures were expected without the lesson.") },
    Field { name: "baseline-runs", ty: Type::U32, docs: docs!("The number of runs that this expectation is based on.") },
] };

/// `activation`
pub static ACTIVATION: Record = Record { name: "activation", docs: docs!("An activation: a lesson was shown in a run, or withheld from it for comparison."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id.") },
    Field { name: "lesson", ty: Type::Text, docs: docs!("The lesson.") },
    Field { name: "run", ty: Type::Text, docs: docs!("The run.") },
    Field { name: "step", ty: Type::U32, docs: docs!("How many steps the run had when the lesson was first shown.") },
    Field { name: "moment", ty: Type::Enum(&super::activation_types::MOMENT), docs: docs!("At what moment it was first shown.") },
    Field { name: "fingerprint", ty: Type::Option(&Type::Text), docs: docs!("The failure after which it was first shown, by fingerprint.") },
    Field { name: "withheld", ty: Type::Bool, docs: docs!("Whether it was withheld during the whole run.") },
    Field { name: "showings", ty: Type::U32, docs: docs!("How often it was shown, or would have been shown.") },
    Field { name: "at", ty: Type::Timestamp, docs: docs!("When it was first shown.") },
    Field { name: "score", ty: Type::F64, docs: docs!("The score with which it was chosen.") },
    Field { name: "outcome", ty: Type::Option(&Type::Record(&super::activation_types::ACTIVATION_OUTCOME)), docs: docs!("Its effect. Missing until the run has ended.") },
] };

/// `earlier-activations`
pub static EARLIER_ACTIVATIONS: Record = Record { name: "earlier-activations", docs: docs!("Activations of a lesson that are no longer kept one by one: what they add up to. Of which runs they were, after which failure each came and what it was worth is not known any more; nothing that a lesson is judged by is lost."), fields: &[
    Field { name: "shown-runs", ty: Type::U32, docs: docs!("Runs in which it was shown.") },
    Field { name: "showings", ty: Type::U32, docs: docs!("How often it was shown in them.") },
    Field { name: "withheld-runs", ty: Type::U32, docs: docs!("Runs from which it was withheld for comparison.") },
    Field { name: "helped", ty: Type::U32, docs: docs!("Runs in which it was shown and helped.") },
    Field { name: "harmed", ty: Type::U32, docs: docs!("Runs in which it was shown and harmed.") },
    Field { name: "neutral", ty: Type::U32, docs: docs!("Runs in which it was shown and made no difference.") },
    Field { name: "since", ty: Type::Timestamp, docs: docs!("When the first of them was.") },
    Field { name: "until", ty: Type::Timestamp, docs: docs!("When the last of them was.") },
] };

/// `activation-filter`
pub static ACTIVATION_FILTER: Record = Record { name: "activation-filter", docs: docs!("Which activations to list. Members that are left out do not restrict."), fields: &[
    Field { name: "lesson", ty: Type::Option(&Type::Text), docs: docs!("Only activations of this lesson.") },
    Field { name: "run", ty: Type::Option(&Type::Text), docs: docs!("Only activations of this run.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 50. Maximum: 1,000.") },
] };

