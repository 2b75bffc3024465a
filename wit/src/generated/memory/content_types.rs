//! `twiceshy:memory/content-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::Json;

/// How to approach a kind of problem.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct StrategyContent {
    /// The approach.
    pub approach: String,
    /// What matters.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "key-principles"))]
    pub key_principles: Vec<String>,
    /// What it costs.
    #[cfg_attr(feature = "wasmtime", component(name = "trade-offs"))]
    pub trade_offs: String,
}

/// A structure to fill in.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct TemplateContent {
    /// The structure, such as subtasks with `{placeholders}`.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    pub structure: Json,
    /// The placeholders.
    #[serde(default)]
    pub parameters: Vec<String>,
    /// How to fill them.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "instantiation-rules"))]
    pub instantiation_rules: Vec<String>,
}

/// If this, then that.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct HeuristicContent {
    /// When.
    pub condition: String,
    /// What to do.
    pub action: String,
    /// Why.
    pub rationale: String,
}

/// Steps to follow.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ProcedureContent {
    /// The steps, in order.
    #[serde(default)]
    pub steps: Vec<String>,
    /// Where it branches.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "branching-logic"))]
    pub branching_logic: Vec<String>,
    /// When it ends.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "termination-conditions"))]
    pub termination_conditions: Vec<String>,
}

/// What a pattern says to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(variant)
)]
pub enum PatternContent {
    /// An approach.
    #[cfg_attr(feature = "wasmtime", component(name = "strategy"))]
    Strategy(StrategyContent),
    /// A structure.
    #[cfg_attr(feature = "wasmtime", component(name = "template"))]
    Template(TemplateContent),
    /// A rule.
    #[cfg_attr(feature = "wasmtime", component(name = "heuristic"))]
    Heuristic(HeuristicContent),
    /// Steps.
    #[cfg_attr(feature = "wasmtime", component(name = "procedure"))]
    Procedure(ProcedureContent),
}

/// How to use a pattern.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Guidance {
    /// When.
    #[cfg_attr(feature = "wasmtime", component(name = "when-to-apply"))]
    pub when_to_apply: String,
    /// How to apply it.
    #[cfg_attr(feature = "wasmtime", component(name = "how-to-apply"))]
    pub how_to_apply: String,
    /// What is gained.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "expected-benefits"))]
    pub expected_benefits: Vec<String>,
    /// What may go wrong.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "potential-risks"))]
    pub potential_risks: Vec<String>,
    /// Patterns to use instead, by id.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "alternative-patterns"))]
    pub alternative_patterns: Vec<String>,
}
