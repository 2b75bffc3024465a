//! `twiceshy:adapter/types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

/// A JSON value as UTF-8 text. An empty string means that there is no value. At most 4 MiB.
pub type Json = String;

/// What the agent is working towards. The same for all steps of one run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Goal {
    /// The task in words, as the agent was given it. May be empty.
    pub task: String,
    /// The domain the step belongs to, such as `cli`. Equal to `manifest.domain`.
    pub domain: String,
    /// What must hold after the step, as `manifest.expectations-schema` describes. Empty: nothing in particular.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    pub expectations: Json,
}

/// One action of an agent, with what was observed before and after it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Step {
    /// The state before the action, as `manifest.observation-schema` describes. Empty if unknown.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    pub before: Json,
    /// The action, as `manifest.action-schema` describes.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    pub action: Json,
    /// What was observed after the action, as `manifest.observation-schema` describes.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    pub observation: Json,
}

/// Why a step failed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Failure {
    /// The kind of failure in a few words, such as `exit 2` or `collision`. At most 1 KiB.
    pub reason: String,
    /// The error text, verbatim: the fingerprint is computed from it. May be empty. At most 1 MiB.
    pub evidence: String,
}

/// A required condition that does not hold after the step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Violation {
    /// The condition in words, such as `artifact report.csv exists`. At most 4 KiB.
    pub condition: String,
    /// What was found instead. May be empty. At most 16 KiB.
    pub evidence: String,
}

/// What an adapter says about one step: four channels, and the action as readable text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Feedback {
    /// The action in one line, as a person would write it: `ls -l "my file"`. At most 4 KiB.
    #[cfg_attr(feature = "wasmtime", component(name = "action-text"))]
    pub action_text: String,
    /// The step failed: exception, non-zero exit, API error, safety violation.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "hard-failure"))]
    pub hard_failure: Option<Failure>,
    /// Required conditions that do not hold: wrong output shape, missing artifact, broken invariant. At most 64.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "constraint-failure"))]
    pub constraint_failure: Vec<Violation>,
    /// How much closer the step came to the goal, from -1 (away from it) to 1 (reached). Never NaN.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "progress-signal"))]
    pub progress_signal: Option<f64>,
    /// How well steps, time and cost were spent, from 0 (wasted) to 1 (best known). Never NaN.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "efficiency-signal"))]
    pub efficiency_signal: Option<f64>,
}

/// An earlier step and the feedback on it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct PastStep {
    /// The step as it was assessed. Long observations may be shortened.
    pub step: Step,
    /// The feedback on it.
    pub feedback: Feedback,
}

/// How an adapter describes itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Manifest {
    /// The adapter's name: lowercase letters, digits and dashes, a letter first, at most 64.
    pub name: String,
    /// The adapter's own version, as in semantic versioning. At most 64 bytes.
    pub version: String,
    /// The one domain whose steps it assesses. The same rules as for `name`.
    pub domain: String,
    /// What it does, in one sentence. At most 1 KiB.
    pub summary: String,
    /// JSON Schema of `step.action`. At most 256 KiB.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    #[cfg_attr(feature = "wasmtime", component(name = "action-schema"))]
    pub action_schema: Json,
    /// JSON Schema of `step.before` and `step.observation`. At most 256 KiB.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    #[cfg_attr(feature = "wasmtime", component(name = "observation-schema"))]
    pub observation_schema: Json,
    /// JSON Schema of `goal.expectations`. At most 256 KiB.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    #[cfg_attr(feature = "wasmtime", component(name = "expectations-schema"))]
    pub expectations_schema: Json,
}

/// Why an adapter gave no feedback. A host shows only the beginning of a long message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(variant)
)]
pub enum Error {
    /// A payload does not match its schema; names the member and the cause. Fix the caller.
    #[cfg_attr(feature = "wasmtime", component(name = "invalid-input"))]
    InvalidInput(String),
    /// The step is valid, but not of a kind that this adapter can judge. Continue without feedback.
    #[cfg_attr(feature = "wasmtime", component(name = "unsupported"))]
    Unsupported(String),
    /// Anything else.
    #[cfg_attr(feature = "wasmtime", component(name = "other"))]
    Other(String),
}

impl Error {
    /// The name of the case in the contract.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::InvalidInput(_) => "invalid-input",
            Self::Unsupported(_) => "unsupported",
            Self::Other(_) => "other",
        }
    }

    /// What happened, and what to do.
    pub fn message(&self) -> &str {
        match self {
            Self::InvalidInput(message) | Self::Unsupported(message) | Self::Other(message) => {
                message
            }
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Error {}
