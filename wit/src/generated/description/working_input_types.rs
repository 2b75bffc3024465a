//! The nouns of `twiceshy:memory/working-input-types` as data: generated from the contract.

use crate::description::*;

/// `variable-scope`
pub static VARIABLE_SCOPE: Enum = Enum { name: "variable-scope", docs: docs!("The scope of a variable."), cases: &[
    Case { name: "global", payload: None, docs: docs!("Throughout the run.") },
    Case { name: "task-scope", payload: None, docs: docs!("From the analysis of the goal, throughout the run.") },
    Case { name: "execution-scope", payload: None, docs: docs!("During the subtask in which it was set.") },
    Case { name: "intermediate-values", payload: None, docs: docs!("Until no later subtask needs it.") },
    Case { name: "metadata", payload: None, docs: docs!("Statistics of the run. Kept when working memory is cleared.") },
] };

/// `variable-type`
pub static VARIABLE_TYPE: Enum = Enum { name: "variable-type", docs: docs!("What a variable is for."), cases: &[
    Case { name: "task", payload: None, docs: docs!("From the analysis of the goal.") },
    Case { name: "intermediate", payload: None, docs: docs!("The result of a subtask.") },
    Case { name: "accumulator", payload: None, docs: docs!("Collected over several subtasks.") },
    Case { name: "control-flow", payload: None, docs: docs!("Counters of loops and retries.") },
    Case { name: "metadata", payload: None, docs: docs!("Statistics.") },
] };

/// `variable`
pub static VARIABLE: Record = Record { name: "variable", docs: docs!("A named value."), fields: &[
    Field { name: "key", ty: Type::Text, docs: docs!("Its name. 1 to 128 bytes.") },
    Field { name: "value", ty: Type::Json, docs: docs!("Its value.") },
    Field { name: "scope", ty: Type::Enum(&super::working_input_types::VARIABLE_SCOPE), docs: docs!("Its scope.") },
    Field { name: "kind", ty: Type::Option(&Type::Enum(&super::working_input_types::VARIABLE_TYPE)), docs: docs!("What it is for. Default: by its scope.") },
] };

/// `budgets`
pub static BUDGETS: Record = Record { name: "budgets", docs: docs!("The budgets of the sections, in tokens."), fields: &[
    Field { name: "system-context", ty: Type::U32, docs: docs!("Tokens for the system context.") },
    Field { name: "task-context", ty: Type::U32, docs: docs!("Tokens for the task context.") },
    Field { name: "execution-state", ty: Type::U32, docs: docs!("Tokens for the execution state.") },
    Field { name: "intermediate-results", ty: Type::U32, docs: docs!("Tokens for the intermediate results.") },
    Field { name: "retrieved-context", ty: Type::U32, docs: docs!("Tokens for the retrieved context.") },
] };

/// `system-context`
pub static SYSTEM_CONTEXT: Record = Record { name: "system-context", docs: docs!("What an agent is and may do."), fields: &[
    Field { name: "capabilities", ty: Type::List(&Type::Text), docs: docs!("What it can do.") },
    Field { name: "tools", ty: Type::List(&Type::Text), docs: docs!("The tools it has.") },
    Field { name: "configuration", ty: Type::Json, docs: docs!("Its configuration.") },
    Field { name: "safety-bounds", ty: Type::List(&Type::Text), docs: docs!("What it must not do.") },
    Field { name: "budgets", ty: Type::Option(&Type::Record(&super::working_input_types::BUDGETS)), docs: docs!("The budgets. Default: 2,000, 5,000, 3,000, 8,000 and 2,000 tokens.") },
] };

/// `parsed-task`
pub static PARSED_TASK: Record = Record { name: "parsed-task", docs: docs!("A task as the agent understands it."), fields: &[
    Field { name: "description", ty: Type::Option(&Type::Text), docs: docs!("The task in words. Default: the task of the run.") },
    Field { name: "goals", ty: Type::List(&Type::Text), docs: docs!("Its goals. Empty: found in the text.") },
    Field { name: "constraints", ty: Type::List(&Type::Text), docs: docs!("Its constraints.") },
    Field { name: "success-criteria", ty: Type::List(&Type::Text), docs: docs!("The criteria of success.") },
    Field { name: "plan", ty: Type::List(&Type::Text), docs: docs!("The plan.") },
    Field { name: "variables", ty: Type::List(&Type::Record(&super::working_input_types::VARIABLE)), docs: docs!("Task variables.") },
] };

/// `failed-subtask`
pub static FAILED_SUBTASK: Record = Record { name: "failed-subtask", docs: docs!("A subtask that failed."), fields: &[
    Field { name: "subtask", ty: Type::Text, docs: docs!("The subtask.") },
    Field { name: "error", ty: Type::Text, docs: docs!("Its error.") },
] };

/// `execution-state`
pub static EXECUTION_STATE: Record = Record { name: "execution-state", docs: docs!("The state of the work."), fields: &[
    Field { name: "phase", ty: Type::Text, docs: docs!("The phase, such as `analysis`, `planning` or `execution`.") },
    Field { name: "current-subtask", ty: Type::Option(&Type::Text), docs: docs!("The current subtask, if any.") },
    Field { name: "progress", ty: Type::Option(&Type::F64), docs: docs!("The progress from 0 to 1, if known.") },
    Field { name: "completed", ty: Type::List(&Type::Text), docs: docs!("Subtasks that are done.") },
    Field { name: "in-progress", ty: Type::List(&Type::Text), docs: docs!("Subtasks that have begun.") },
    Field { name: "failed", ty: Type::List(&Type::Record(&super::working_input_types::FAILED_SUBTASK)), docs: docs!("Subtasks that failed.") },
] };

/// `intermediate`
pub static INTERMEDIATE: Record = Record { name: "intermediate", docs: docs!("The output of a subtask."), fields: &[
    Field { name: "subtask", ty: Type::Text, docs: docs!("The subtask. 1 to 128 bytes.") },
    Field { name: "output", ty: Type::Json, docs: docs!("Its output.") },
    Field { name: "kind", ty: Type::Text, docs: docs!("What kind of output it is, such as `library_choice`.") },
    Field { name: "needed-by", ty: Type::List(&Type::Text), docs: docs!("Later subtasks that need it. Until they are done it is not pruned.") },
    Field { name: "trace", ty: Type::Option(&Type::Text), docs: docs!("A detailed trace of how it was made, which is summarised when space is needed.") },
] };

