//! `twiceshy:memory/working-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::{ExecutionState, Json, Timestamp, Variable, VariableType};

/// A section of working memory, with its own budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Section {
    /// What the agent is and may do. Static, 2,000 tokens.
    #[cfg_attr(feature = "wasmtime", component(name = "system-context"))]
    SystemContext,
    /// The task, its goals, constraints, criteria and plan. Hot, 5,000 tokens.
    #[cfg_attr(feature = "wasmtime", component(name = "task-context"))]
    TaskContext,
    /// The state of the work. Dynamic, 3,000 tokens.
    #[cfg_attr(feature = "wasmtime", component(name = "execution-state"))]
    ExecutionState,
    /// Results of subtasks and computed values. Warm, 8,000 tokens.
    #[cfg_attr(feature = "wasmtime", component(name = "intermediate-results"))]
    IntermediateResults,
    /// Episodes, patterns and knowledge that were looked up. Cold, 2,000 tokens.
    #[cfg_attr(feature = "wasmtime", component(name = "retrieved-context"))]
    RetrievedContext,
}

impl Section {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 5] = [
        Self::SystemContext,
        Self::TaskContext,
        Self::ExecutionState,
        Self::IntermediateResults,
        Self::RetrievedContext,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SystemContext => "system-context",
            Self::TaskContext => "task-context",
            Self::ExecutionState => "execution-state",
            Self::IntermediateResults => "intermediate-results",
            Self::RetrievedContext => "retrieved-context",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(4)]
    }
}

/// How close an item is to the current work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum Temperature {
    /// Always in the prompt.
    #[cfg_attr(feature = "wasmtime", component(name = "hot"))]
    Hot,
    /// In the prompt if there is room.
    #[cfg_attr(feature = "wasmtime", component(name = "warm"))]
    Warm,
    /// In the prompt as a summary or a reference.
    #[cfg_attr(feature = "wasmtime", component(name = "cold"))]
    Cold,
}

impl Temperature {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Hot, Self::Warm, Self::Cold];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::Warm => "warm",
            Self::Cold => "cold",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(2)]
    }
}

/// A variable that was asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct FoundVariable {
    /// Whether it exists.
    pub found: bool,
    /// Its value. `null` if it does not exist.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    pub value: Json,
    /// What it is for.
    #[serde(default)]
    pub kind: Option<VariableType>,
}

/// One item of working memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct WorkingItem {
    /// Its id within the run.
    pub id: String,
    /// Its section.
    pub section: Section,
    /// How close it is to the current work.
    pub temperature: Temperature,
    /// Its size in tokens (an estimate).
    pub tokens: u32,
    /// Its text, or a summary of it.
    pub text: String,
    /// Whether the text is only a summary, and the whole content is kept elsewhere.
    #[cfg_attr(feature = "wasmtime", component(name = "is-reference"))]
    pub is_reference: bool,
    /// How often it was read.
    pub accesses: u32,
    /// When it was added.
    pub at: Timestamp,
}

/// How full a section is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct SectionSize {
    /// The section.
    pub section: Section,
    /// How many tokens it has (an estimate).
    pub tokens: u32,
    /// Its budget in tokens.
    pub budget: u32,
    /// How many items it has.
    pub items: u32,
}

/// What working memory holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct WorkingMemory {
    /// The run.
    pub run: String,
    /// When it began.
    #[cfg_attr(feature = "wasmtime", component(name = "started-at"))]
    pub started_at: Timestamp,
    /// Tokens in total (an estimate).
    pub tokens: u32,
    /// The whole budget in tokens.
    pub budget: u32,
    /// The sections.
    #[serde(default)]
    pub sections: Vec<SectionSize>,
    /// The items, by section.
    #[serde(default)]
    pub items: Vec<WorkingItem>,
    /// The variables.
    #[serde(default)]
    pub variables: Vec<Variable>,
    /// The state of the work.
    #[serde(default)]
    pub state: Option<ExecutionState>,
    /// Warnings from when space was needed, oldest first.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The size after a change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct WorkingSize {
    /// Tokens in total (an estimate).
    pub tokens: u32,
    /// The whole budget in tokens.
    pub budget: u32,
    /// The ids of what was moved out to make space.
    #[serde(default)]
    pub pruned: Vec<String>,
    /// `Context limit reached despite pruning`, if items had to be cut.
    #[serde(default)]
    pub warning: Option<String>,
}

/// A snapshot: a state to go back to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Snapshot {
    /// Its id.
    pub id: String,
    /// Its label.
    pub label: String,
    /// When it was taken.
    pub at: Timestamp,
    /// Its size in tokens (an estimate).
    pub tokens: u32,
}

/// The metadata of a working memory that was cleared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct WorkingMetadata {
    /// The run.
    pub run: String,
    /// The variables of the scope `metadata`.
    #[serde(default)]
    pub variables: Vec<Variable>,
    /// How many operations there were.
    pub operations: u32,
    /// The most tokens it had at any time.
    #[cfg_attr(feature = "wasmtime", component(name = "peak-tokens"))]
    pub peak_tokens: u32,
    /// When it began.
    #[cfg_attr(feature = "wasmtime", component(name = "started-at"))]
    pub started_at: Timestamp,
    /// When it was cleared.
    #[cfg_attr(feature = "wasmtime", component(name = "cleared-at"))]
    pub cleared_at: Timestamp,
}

/// How to render working memory for a prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Rendering {
    /// At most this many tokens. Default: the whole budget.
    #[serde(default)]
    pub tokens: Option<u32>,
}

/// Working memory as text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Rendered {
    /// The text: hot items first, then warm ones, cold ones as references.
    pub text: String,
    /// Its size in tokens (an estimate).
    pub tokens: u32,
    /// The ids of what did not fit.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "left-out"))]
    pub left_out: Vec<String>,
}
