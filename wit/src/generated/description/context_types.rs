//! The nouns of `twiceshy:memory/context-types` as data: generated from the contract.

use crate::description::*;

/// `work`
pub static WORK: Enum = Enum { name: "work", docs: docs!("The kind of work, which decides how memories are weighed."), cases: &[
    Case { name: "exploration", payload: None, docs: docs!("Looking around.") },
    Case { name: "implementation", payload: None, docs: docs!("Building.") },
    Case { name: "debugging", payload: None, docs: docs!("Finding faults.") },
    Case { name: "review", payload: None, docs: docs!("Judging.") },
    Case { name: "refactoring", payload: None, docs: docs!("Changing without changing what it does.") },
] };

/// `context-request`
pub static CONTEXT_REQUEST: Record = Record { name: "context-request", docs: docs!("A task to find context for."), fields: &[
    Field { name: "task", ty: Type::Text, docs: docs!("The task in words. 1 byte to 16 KiB.") },
    Field { name: "domain", ty: Type::Text, docs: docs!("Its domain.") },
    Field { name: "task-type", ty: Type::Option(&Type::Text), docs: docs!("The type of task. Default: found from its words.") },
    Field { name: "work", ty: Type::Option(&Type::Enum(&super::context_types::WORK)), docs: docs!("The kind of work. Default: found from its words.") },
    Field { name: "action", ty: Type::Option(&Type::Text), docs: docs!("The type of action that comes next, to find what to avoid.") },
    Field { name: "features", ty: Type::List(&Type::Record(&super::pattern_types::FEATURE)), docs: docs!("Anything else that is known about it.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many memories, besides those to avoid. Default: 5. Maximum: 50.") },
    Field { name: "tokens", ty: Type::Option(&Type::U32), docs: docs!("At most this many tokens (an estimate). Default: 1,500.") },
] };

/// `memory-kind`
pub static MEMORY_KIND: Enum = Enum { name: "memory-kind", docs: docs!("The kind of a memory."), cases: &[
    Case { name: "semantic", payload: None, docs: docs!("Knowledge: a lesson or pattern.") },
    Case { name: "episodic", payload: None, docs: docs!("An episode with a similar task.") },
    Case { name: "skill", payload: None, docs: docs!("A procedure.") },
    Case { name: "anti-pattern", payload: None, docs: docs!("What to avoid.") },
    Case { name: "fact", payload: None, docs: docs!("A fact.") },
] };

/// `context-item`
pub static CONTEXT_ITEM: Record = Record { name: "context-item", docs: docs!("A memory that may help with a task."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id.") },
    Field { name: "kind", ty: Type::Enum(&super::context_types::MEMORY_KIND), docs: docs!("Its kind.") },
    Field { name: "summary", ty: Type::Text, docs: docs!("A summary in one or two lines.") },
    Field { name: "score", ty: Type::F64, docs: docs!("The score: the weight of its kind times how well it fits.") },
    Field { name: "fit", ty: Type::F64, docs: docs!("How well it fits, from 0 to 1.") },
    Field { name: "why", ty: Type::Text, docs: docs!("Why it was chosen, in words.") },
    Field { name: "more", ty: Type::Text, docs: docs!("How to read more.") },
] };

/// `context-weights`
pub static CONTEXT_WEIGHTS: Record = Record { name: "context-weights", docs: docs!("The weights of the kinds of memory."), fields: &[
    Field { name: "semantic", ty: Type::F64, docs: docs!("Knowledge.") },
    Field { name: "episodic", ty: Type::F64, docs: docs!("Episodes with similar tasks.") },
    Field { name: "skills", ty: Type::F64, docs: docs!("Procedures.") },
] };

/// `task-bundle`
pub static TASK_BUNDLE: Record = Record { name: "task-bundle", docs: docs!("Context for a task."), fields: &[
    Field { name: "work", ty: Type::Enum(&super::context_types::WORK), docs: docs!("What kind of work it is.") },
    Field { name: "weights", ty: Type::Record(&super::context_types::CONTEXT_WEIGHTS), docs: docs!("The weights of the kinds of memory.") },
    Field { name: "applicable-patterns", ty: Type::List(&Type::Record(&super::context_types::CONTEXT_ITEM)), docs: docs!("Patterns and lessons, best first.") },
    Field { name: "similar-episodes", ty: Type::List(&Type::Record(&super::context_types::CONTEXT_ITEM)), docs: docs!("Episodes with similar tasks, best first.") },
    Field { name: "domain-knowledge", ty: Type::List(&Type::Record(&super::context_types::CONTEXT_ITEM)), docs: docs!("Facts.") },
    Field { name: "applicable-skills", ty: Type::List(&Type::Record(&super::context_types::CONTEXT_ITEM)), docs: docs!("Procedures.") },
    Field { name: "avoid-these", ty: Type::List(&Type::Record(&super::context_types::CONTEXT_ITEM)), docs: docs!("What to avoid.") },
    Field { name: "text", ty: Type::Text, docs: docs!("All of it as text for a prompt, with ids, marked so that the memory never learns from its own words.") },
    Field { name: "tokens", ty: Type::U32, docs: docs!("Its size in tokens (an estimate).") },
    Field { name: "left-out", ty: Type::List(&Type::Text), docs: docs!("The ids of what did not fit.") },
] };

