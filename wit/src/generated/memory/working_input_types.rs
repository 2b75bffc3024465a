//! `twiceshy:memory/working-input-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::Json;

/// The scope of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum VariableScope {
    /// Throughout the run.
    #[cfg_attr(feature = "wasmtime", component(name = "global"))]
    Global,
    /// From the analysis of the goal, throughout the run.
    #[cfg_attr(feature = "wasmtime", component(name = "task-scope"))]
    TaskScope,
    /// During the subtask in which it was set.
    #[cfg_attr(feature = "wasmtime", component(name = "execution-scope"))]
    ExecutionScope,
    /// Until no later subtask needs it.
    #[cfg_attr(feature = "wasmtime", component(name = "intermediate-values"))]
    IntermediateValues,
    /// Statistics of the run. Kept when working memory is cleared.
    #[cfg_attr(feature = "wasmtime", component(name = "metadata"))]
    Metadata,
}

impl VariableScope {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 5] = [
        Self::Global,
        Self::TaskScope,
        Self::ExecutionScope,
        Self::IntermediateValues,
        Self::Metadata,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::TaskScope => "task-scope",
            Self::ExecutionScope => "execution-scope",
            Self::IntermediateValues => "intermediate-values",
            Self::Metadata => "metadata",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(4)]
    }
}

/// What a variable is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(enum)
)]
#[repr(u8)]
pub enum VariableType {
    /// From the analysis of the goal.
    #[cfg_attr(feature = "wasmtime", component(name = "task"))]
    Task,
    /// The result of a subtask.
    #[cfg_attr(feature = "wasmtime", component(name = "intermediate"))]
    Intermediate,
    /// Collected over several subtasks.
    #[cfg_attr(feature = "wasmtime", component(name = "accumulator"))]
    Accumulator,
    /// Counters of loops and retries.
    #[cfg_attr(feature = "wasmtime", component(name = "control-flow"))]
    ControlFlow,
    /// Statistics.
    #[cfg_attr(feature = "wasmtime", component(name = "metadata"))]
    Metadata,
}

impl VariableType {
    /// All cases, in the order of the contract.
    pub const ALL: [Self; 5] = [
        Self::Task,
        Self::Intermediate,
        Self::Accumulator,
        Self::ControlFlow,
        Self::Metadata,
    ];

    /// The name of the case in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Intermediate => "intermediate",
            Self::Accumulator => "accumulator",
            Self::ControlFlow => "control-flow",
            Self::Metadata => "metadata",
        }
    }

    /// The case with this number, and the last one for what is none; the guests' bindings call it.
    #[doc(hidden)]
    pub fn _lift(number: u8) -> Self {
        Self::ALL[usize::from(number).min(4)]
    }
}

/// A named value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Variable {
    /// Its name. 1 to 128 bytes.
    pub key: String,
    /// Its value.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    pub value: Json,
    /// Its scope.
    pub scope: VariableScope,
    /// What it is for. Default: by its scope.
    #[serde(default)]
    pub kind: Option<VariableType>,
}

/// The budgets of the sections, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
#[repr(C)]
pub struct Budgets {
    /// Tokens for the system context.
    #[cfg_attr(feature = "wasmtime", component(name = "system-context"))]
    pub system_context: u32,
    /// Tokens for the task context.
    #[cfg_attr(feature = "wasmtime", component(name = "task-context"))]
    pub task_context: u32,
    /// Tokens for the execution state.
    #[cfg_attr(feature = "wasmtime", component(name = "execution-state"))]
    pub execution_state: u32,
    /// Tokens for the intermediate results.
    #[cfg_attr(feature = "wasmtime", component(name = "intermediate-results"))]
    pub intermediate_results: u32,
    /// Tokens for the retrieved context.
    #[cfg_attr(feature = "wasmtime", component(name = "retrieved-context"))]
    pub retrieved_context: u32,
}

// Lists of it are copied as bytes, so its layout is that of the canonical ABI.
const _: () = {
    assert!(size_of::<Budgets>() == 20 && align_of::<Budgets>() == 4);
    assert!(std::mem::offset_of!(Budgets, system_context) == 0);
    assert!(std::mem::offset_of!(Budgets, task_context) == 4);
    assert!(std::mem::offset_of!(Budgets, execution_state) == 8);
    assert!(std::mem::offset_of!(Budgets, intermediate_results) == 12);
    assert!(std::mem::offset_of!(Budgets, retrieved_context) == 16);
};

/// What an agent is and may do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct SystemContext {
    /// What it can do.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// The tools it has.
    #[serde(default)]
    pub tools: Vec<String>,
    /// Its configuration.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    pub configuration: Json,
    /// What it must not do.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "safety-bounds"))]
    pub safety_bounds: Vec<String>,
    /// The budgets. Default: 2,000, 5,000, 3,000, 8,000 and 2,000 tokens.
    #[serde(default)]
    pub budgets: Option<Budgets>,
}

/// A task as the agent understands it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ParsedTask {
    /// The task in words. Default: the task of the run.
    #[serde(default)]
    pub description: Option<String>,
    /// Its goals. Empty: found in the text.
    #[serde(default)]
    pub goals: Vec<String>,
    /// Its constraints.
    #[serde(default)]
    pub constraints: Vec<String>,
    /// The criteria of success.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "success-criteria"))]
    pub success_criteria: Vec<String>,
    /// The plan.
    #[serde(default)]
    pub plan: Vec<String>,
    /// Task variables.
    #[serde(default)]
    pub variables: Vec<Variable>,
}

/// A subtask that failed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct FailedSubtask {
    /// The subtask.
    pub subtask: String,
    /// Its error.
    pub error: String,
}

/// The state of the work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct ExecutionState {
    /// The phase, such as `analysis`, `planning` or `execution`.
    pub phase: String,
    /// The current subtask, if any.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "current-subtask"))]
    pub current_subtask: Option<String>,
    /// The progress from 0 to 1, if known.
    #[serde(default)]
    pub progress: Option<f64>,
    /// Subtasks that are done.
    #[serde(default)]
    pub completed: Vec<String>,
    /// Subtasks that have begun.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "in-progress"))]
    pub in_progress: Vec<String>,
    /// Subtasks that failed.
    #[serde(default)]
    pub failed: Vec<FailedSubtask>,
}

/// The output of a subtask.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Intermediate {
    /// The subtask. 1 to 128 bytes.
    pub subtask: String,
    /// Its output.
    #[serde(default, deserialize_with = "crate::rpc::json_text")]
    pub output: Json,
    /// What kind of output it is, such as `library_choice`.
    pub kind: String,
    /// Later subtasks that need it. Until they are done it is not pruned.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "needed-by"))]
    pub needed_by: Vec<String>,
    /// A detailed trace of how it was made, which is summarised when space is needed.
    #[serde(default)]
    pub trace: Option<String>,
}
