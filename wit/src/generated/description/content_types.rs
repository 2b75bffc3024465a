//! The nouns of `twiceshy:memory/content-types` as data: generated from the contract.

use crate::description::*;

/// `strategy-content`
pub static STRATEGY_CONTENT: Record = Record { name: "strategy-content", docs: docs!("How to approach a kind of problem."), fields: &[
    Field { name: "approach", ty: Type::Text, docs: docs!("The approach.") },
    Field { name: "key-principles", ty: Type::List(&Type::Text), docs: docs!("What matters.") },
    Field { name: "trade-offs", ty: Type::Text, docs: docs!("What it costs.") },
] };

/// `template-content`
pub static TEMPLATE_CONTENT: Record = Record { name: "template-content", docs: docs!("A structure to fill in."), fields: &[
    Field { name: "structure", ty: Type::Json, docs: docs!("The structure, such as subtasks with `{placeholders}`.") },
    Field { name: "parameters", ty: Type::List(&Type::Text), docs: docs!("The placeholders.") },
    Field { name: "instantiation-rules", ty: Type::List(&Type::Text), docs: docs!("How to fill them.") },
] };

/// `heuristic-content`
pub static HEURISTIC_CONTENT: Record = Record { name: "heuristic-content", docs: docs!("If this, then that."), fields: &[
    Field { name: "condition", ty: Type::Text, docs: docs!("When.") },
    Field { name: "action", ty: Type::Text, docs: docs!("What to do.") },
    Field { name: "rationale", ty: Type::Text, docs: docs!("Why.") },
] };

/// `procedure-content`
pub static PROCEDURE_CONTENT: Record = Record { name: "procedure-content", docs: docs!("Steps to follow."), fields: &[
    Field { name: "steps", ty: Type::List(&Type::Text), docs: docs!("The steps, in order.") },
    Field { name: "branching-logic", ty: Type::List(&Type::Text), docs: docs!("Where it branches.") },
    Field { name: "termination-conditions", ty: Type::List(&Type::Text), docs: docs!("When it ends.") },
] };

/// `pattern-content`
pub static PATTERN_CONTENT: Variant = Variant { name: "pattern-content", docs: docs!("What a pattern says to do."), cases: &[
    Case { name: "strategy", payload: Some(Type::Record(&super::content_types::STRATEGY_CONTENT)), docs: docs!("An approach.") },
    Case { name: "template", payload: Some(Type::Record(&super::content_types::TEMPLATE_CONTENT)), docs: docs!("A structure.") },
    Case { name: "heuristic", payload: Some(Type::Record(&super::content_types::HEURISTIC_CONTENT)), docs: docs!("A rule.") },
    Case { name: "procedure", payload: Some(Type::Record(&super::content_types::PROCEDURE_CONTENT)), docs: docs!("Steps.") },
] };

/// `guidance`
pub static GUIDANCE: Record = Record { name: "guidance", docs: docs!("How to use a pattern."), fields: &[
    Field { name: "when-to-apply", ty: Type::Text, docs: docs!("When.") },
    Field { name: "how-to-apply", ty: Type::Text, docs: docs!("How to apply it.") },
    Field { name: "expected-benefits", ty: Type::List(&Type::Text), docs: docs!("What is gained.") },
    Field { name: "potential-risks", ty: Type::List(&Type::Text), docs: docs!("What may go wrong.") },
    Field { name: "alternative-patterns", ty: Type::List(&Type::Text), docs: docs!("Patterns to use instead, by id.") },
] };

