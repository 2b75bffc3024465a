//! `twiceshy:memory/remem-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::EditReport;

/// A task for ReMem, the loop in which the model may edit experience before it acts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct RememRequest {
    /// The task.
    pub task: String,
    /// The tools that the caller has, in words. Only the caller uses them.
    #[serde(default)]
    pub tools: Vec<String>,
    /// How many steps the loop may take. Default: as in the settings.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "max-inner-steps"))]
    pub max_inner_steps: Option<u32>,
}

/// What the loop does in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum RememAction {
    /// Reason and divide the task.
    #[cfg_attr(feature = "wasmtime", component(name = "think"))]
    Think,
    /// Edit the experience.
    #[cfg_attr(feature = "wasmtime", component(name = "refine-memory"))]
    RefineMemory,
    /// Answer.
    #[cfg_attr(feature = "wasmtime", component(name = "act"))]
    Act,
}

impl RememAction {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Think, Self::RefineMemory, Self::Act];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Think => "think",
            Self::RefineMemory => "refine-memory",
            Self::Act => "act",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// A step of the loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct RememStep {
    /// What it did.
    pub action: RememAction,
    /// What the model said.
    pub content: String,
    /// What its edits did, if there were any.
    #[serde(default)]
    pub edits: Option<EditReport>,
}

/// The result of the loop.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct RememResult {
    /// The answer.
    pub output: String,
    /// The steps.
    #[serde(default)]
    pub trace: Vec<RememStep>,
    /// Whether the model answered before its steps were used up.
    pub complete: bool,
    /// The entries that the model was shown last.
    #[serde(default)]
    pub entries: Vec<String>,
    /// The entry that it became, with its strategy card.
    #[serde(default)]
    pub stored: Option<String>,
}
