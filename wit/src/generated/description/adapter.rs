//! The nouns of `twiceshy:adapter/types` as data: generated from the contract.

use crate::description::*;

/// `goal`
pub static GOAL: Record = Record { name: "goal", docs: docs!("What the agent is working towards. The same for all steps of one run."), fields: &[
    Field { name: "task", ty: Type::Text, docs: docs!("The task in words, as the agent was given it. May be empty.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The domain the step belongs to, such as `cli`. Equal to `manifest.domain`.") },
    Field { name: "expectations", ty: Type::Json, docs: docs!("What must hold after the step, as `manifest.expectations-schema` describes. Empty: nothing in particular.") },
] };

/// `step`
pub static STEP: Record = Record { name: "step", docs: docs!("One action of an agent, with what was observed before and after it."), fields: &[
    Field { name: "before", ty: Type::Json, docs: docs!("The state before the action, as `manifest.observation-schema` describes. Empty if unknown.") },
    Field { name: "action", ty: Type::Json, docs: docs!("The action, as `manifest.action-schema` describes.") },
    Field { name: "observation", ty: Type::Json, docs: docs!("What was observed after the action, as `manifest.observation-schema` describes.") },
] };

/// `failure`
pub static FAILURE: Record = Record { name: "failure", docs: docs!("Why a step failed."), fields: &[
    Field { name: "reason", ty: Type::Text, docs: docs!("The kind of failure in a few words, such as `exit 2` or `collision`. At most 1 KiB.") },
    Field { name: "evidence", ty: Type::Text, docs: docs!("The error text, verbatim: the fingerprint is computed from it. May be empty. At most 1 MiB.") },
] };

/// `violation`
pub static VIOLATION: Record = Record { name: "violation", docs: docs!("A required condition that does not hold after the step."), fields: &[
    Field { name: "condition", ty: Type::Text, docs: docs!("The condition in words, such as `artifact report.csv exists`. At most 4 KiB.") },
    Field { name: "evidence", ty: Type::Text, docs: docs!("What was found instead. May be empty. At most 16 KiB.") },
] };

/// `feedback`
pub static FEEDBACK: Record = Record { name: "feedback", docs: docs!("What an adapter says about one step: four channels, and the action as readable text."), fields: &[
    Field { name: "action-text", ty: Type::Text, docs: docs!("The action in one line, as a person would write it: `ls -l \"my file\"`. At most 4 KiB.") },
    Field { name: "hard-failure", ty: Type::Option(&Type::Record(&super::adapter::FAILURE)), docs: docs!("The step failed: exception, non-zero exit, API error, safety violation.") },
    Field { name: "constraint-failure", ty: Type::List(&Type::Record(&super::adapter::VIOLATION)), docs: docs!("Required conditions that do not hold: wrong output shape, missing artifact, broken invariant. At most 64.") },
    Field { name: "progress-signal", ty: Type::Option(&Type::F64), docs: docs!("How much closer the step came to the goal, from -1 (away from it) to 1 (reached). Never NaN.") },
    Field { name: "efficiency-signal", ty: Type::Option(&Type::F64), docs: docs!("How well steps, time and cost were spent, from 0 (wasted) to 1 (best known). Never NaN.") },
] };

/// `past-step`
pub static PAST_STEP: Record = Record { name: "past-step", docs: docs!("An earlier step and the feedback on it."), fields: &[
    Field { name: "step", ty: Type::Record(&super::adapter::STEP), docs: docs!("The step as it was assessed. Long observations may be shortened.") },
    Field { name: "feedback", ty: Type::Record(&super::adapter::FEEDBACK), docs: docs!("The feedback on it.") },
] };

/// `manifest`
pub static MANIFEST: Record = Record { name: "manifest", docs: docs!("How an adapter describes itself."), fields: &[
    Field { name: "name", ty: Type::Text, docs: docs!("The adapter's name: lowercase letters, digits and dashes, a letter first, at most 64.") },
    Field { name: "version", ty: Type::Text, docs: docs!("The adapter's own version, as in semantic versioning. At most 64 bytes.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("The one domain whose steps it assesses. The same rules as for `name`.") },
    Field { name: "summary", ty: Type::Text, docs: docs!("What it does, in one sentence. At most 1 KiB.") },
    Field { name: "action-schema", ty: Type::Json, docs: docs!("JSON Schema of `step.action`. At most 256 KiB.") },
    Field { name: "observation-schema", ty: Type::Json, docs: docs!("JSON Schema of `step.before` and `step.observation`. At most 256 KiB.") },
    Field { name: "expectations-schema", ty: Type::Json, docs: docs!("JSON Schema of `goal.expectations`. At most 256 KiB.") },
] };

/// `error`
pub static ERROR: Variant = Variant { name: "error", docs: docs!("Why an adapter gave no feedback. A host shows only the beginning of a long message."), cases: &[
    Case { name: "invalid-input", payload: Some(Type::Text), docs: docs!("A payload does not match its schema; names the member and the cause. Fix the caller.") },
    Case { name: "unsupported", payload: Some(Type::Text), docs: docs!("The step is valid, but not of a kind that this adapter can judge. Continue without feedback.") },
    Case { name: "other", payload: Some(Type::Text), docs: docs!("Anything else.") },
] };

