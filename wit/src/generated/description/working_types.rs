//! The nouns of `twiceshy:memory/working-types` as data: generated from the contract.

use crate::description::*;

/// `section`
pub static SECTION: Enum = Enum { name: "section", docs: docs!("A section of working memory, with its own budget."), cases: &[
    Case { name: "system-context", payload: None, docs: docs!("What the agent is and may do. Static, 2,000 tokens.") },
    Case { name: "task-context", payload: None, docs: docs!("The task, its goals, constraints, criteria and plan. Hot, 5,000 tokens.") },
    Case { name: "execution-state", payload: None, docs: docs!("The state of the work. Dynamic, 3,000 tokens.") },
    Case { name: "intermediate-results", payload: None, docs: docs!("Results of subtasks and computed values. Warm, 8,000 tokens.") },
    Case { name: "retrieved-context", payload: None, docs: docs!("Episodes, patterns and knowledge that were looked up. Cold, 2,000 tokens.") },
] };

/// `temperature`
pub static TEMPERATURE: Enum = Enum { name: "temperature", docs: docs!("How close an item is to the current work."), cases: &[
    Case { name: "hot", payload: None, docs: docs!("Always in the prompt.") },
    Case { name: "warm", payload: None, docs: docs!("In the prompt if there is room.") },
    Case { name: "cold", payload: None, docs: docs!("In the prompt as a summary or a reference.") },
] };

/// `found-variable`
pub static FOUND_VARIABLE: Record = Record { name: "found-variable", docs: docs!("A variable that was asked for."), fields: &[
    Field { name: "found", ty: Type::Bool, docs: docs!("Whether it exists.") },
    Field { name: "value", ty: Type::Json, docs: docs!("Its value. `null` if it does not exist.") },
    Field { name: "kind", ty: Type::Option(&Type::Enum(&super::working_input_types::VARIABLE_TYPE)), docs: docs!("What it is for.") },
] };

/// `working-item`
pub static WORKING_ITEM: Record = Record { name: "working-item", docs: docs!("One item of working memory."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id within the run.") },
    Field { name: "section", ty: Type::Enum(&super::working_types::SECTION), docs: docs!("Its section.") },
    Field { name: "temperature", ty: Type::Enum(&super::working_types::TEMPERATURE), docs: docs!("How close it is to the current work.") },
    Field { name: "tokens", ty: Type::U32, docs: docs!("Its size in tokens (an estimate).") },
    Field { name: "text", ty: Type::Text, docs: docs!("Its text, or a summary of it.") },
    Field { name: "is-reference", ty: Type::Bool, docs: docs!("Whether the text is only a summary, and the whole content is kept elsewhere.") },
    Field { name: "accesses", ty: Type::U32, docs: docs!("How often it was read.") },
    Field { name: "at", ty: Type::Timestamp, docs: docs!("When it was added.") },
] };

/// `section-size`
pub static SECTION_SIZE: Record = Record { name: "section-size", docs: docs!("How full a section is."), fields: &[
    Field { name: "section", ty: Type::Enum(&super::working_types::SECTION), docs: docs!("The section.") },
    Field { name: "tokens", ty: Type::U32, docs: docs!("How many tokens it has (an estimate).") },
    Field { name: "budget", ty: Type::U32, docs: docs!("Its budget in tokens.") },
    Field { name: "items", ty: Type::U32, docs: docs!("How many items it has.") },
] };

/// `working-memory`
pub static WORKING_MEMORY: Record = Record { name: "working-memory", docs: docs!("What working memory holds."), fields: &[
    Field { name: "run", ty: Type::Text, docs: docs!("The run.") },
    Field { name: "started-at", ty: Type::Timestamp, docs: docs!("When it began.") },
    Field { name: "tokens", ty: Type::U32, docs: docs!("Tokens in total (an estimate).") },
    Field { name: "budget", ty: Type::U32, docs: docs!("The whole budget in tokens.") },
    Field { name: "sections", ty: Type::List(&Type::Record(&super::working_types::SECTION_SIZE)), docs: docs!("The sections.") },
    Field { name: "items", ty: Type::List(&Type::Record(&super::working_types::WORKING_ITEM)), docs: docs!("The items, by section.") },
    Field { name: "variables", ty: Type::List(&Type::Record(&super::working_input_types::VARIABLE)), docs: docs!("The variables.") },
    Field { name: "state", ty: Type::Option(&Type::Record(&super::working_input_types::EXECUTION_STATE)), docs: docs!("The state of the work.") },
    Field { name: "warnings", ty: Type::List(&Type::Text), docs: docs!("Warnings from when space was needed, oldest first.") },
] };

/// `working-size`
pub static WORKING_SIZE: Record = Record { name: "working-size", docs: docs!("The size after a change."), fields: &[
    Field { name: "tokens", ty: Type::U32, docs: docs!("Tokens in total (an estimate).") },
    Field { name: "budget", ty: Type::U32, docs: docs!("The whole budget in tokens.") },
    Field { name: "pruned", ty: Type::List(&Type::Text), docs: docs!("The ids of what was moved out to make space.") },
    Field { name: "warning", ty: Type::Option(&Type::Text), docs: docs!("`Context limit reached despite pruning`, if items had to be cut.") },
] };

/// `snapshot`
pub static SNAPSHOT: Record = Record { name: "snapshot", docs: docs!("A snapshot: a state to go back to."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id.") },
    Field { name: "label", ty: Type::Text, docs: docs!("Its label.") },
    Field { name: "at", ty: Type::Timestamp, docs: docs!("When it was taken.") },
    Field { name: "tokens", ty: Type::U32, docs: docs!("Its size in tokens (an estimate).") },
] };

/// `working-metadata`
pub static WORKING_METADATA: Record = Record { name: "working-metadata", docs: docs!("The metadata of a working memory that was cleared."), fields: &[
    Field { name: "run", ty: Type::Text, docs: docs!("The run.") },
    Field { name: "variables", ty: Type::List(&Type::Record(&super::working_input_types::VARIABLE)), docs: docs!("The variables of the scope `metadata`.") },
    Field { name: "operations", ty: Type::U32, docs: docs!("How many operations there were.") },
    Field { name: "peak-tokens", ty: Type::U32, docs: docs!("The most tokens it had at any time.") },
    Field { name: "started-at", ty: Type::Timestamp, docs: docs!("When it began.") },
    Field { name: "cleared-at", ty: Type::Timestamp, docs: docs!("When it was cleared.") },
] };

/// `rendering`
pub static RENDERING: Record = Record { name: "rendering", docs: docs!("How to render working memory for a prompt."), fields: &[
    Field { name: "tokens", ty: Type::Option(&Type::U32), docs: docs!("At most this many tokens. Default: the whole budget.") },
] };

/// `rendered`
pub static RENDERED: Record = Record { name: "rendered", docs: docs!("Working memory as text."), fields: &[
    Field { name: "text", ty: Type::Text, docs: docs!("The text: hot items first, then warm ones, cold ones as references.") },
    Field { name: "tokens", ty: Type::U32, docs: docs!("Its size in tokens (an estimate).") },
    Field { name: "left-out", ty: Type::List(&Type::Text), docs: docs!("The ids of what did not fit.") },
] };

