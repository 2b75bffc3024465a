//! The nouns of `twiceshy:memory/coordination-types` as data: generated from the contract.

use crate::description::*;

/// `agent-state`
pub static AGENT_STATE: Record = Record { name: "agent-state", docs: docs!("The state of an agent's working tree."), fields: &[
    Field { name: "files-modified", ty: Type::List(&Type::Text), docs: docs!("The files it changed.") },
    Field { name: "uncommitted-changes", ty: Type::Bool, docs: docs!("Whether there are uncommitted changes.") },
    Field { name: "last-git-commit", ty: Type::Option(&Type::Text), docs: docs!("The last commit.") },
] };

/// `agent-context`
pub static AGENT_CONTEXT: Record = Record { name: "agent-context", docs: docs!("What an agent knows about its work."), fields: &[
    Field { name: "tech-stack", ty: Type::List(&Type::Text), docs: docs!("The technologies it works with.") },
    Field { name: "patterns-learned", ty: Type::List(&Type::Text), docs: docs!("Lessons it learned, by id.") },
    Field { name: "current-goal", ty: Type::Text, docs: docs!("Its current goal.") },
] };

/// `checkpoint`
pub static CHECKPOINT: Record = Record { name: "checkpoint", docs: docs!("A checkpoint: where an agent stands, in its own words."), fields: &[
    Field { name: "agent-id", ty: Type::Text, docs: docs!("The agent. 1 to 64 letters, digits, dashes, dots and underscores.") },
    Field { name: "tasks-completed", ty: Type::Option(&Type::U32), docs: docs!("How many tasks it completed. Default: one more than before if `completed` is true, otherwise the same as before.") },
    Field { name: "completed", ty: Type::Option(&Type::Bool), docs: docs!("Whether it has just completed a task.") },
    Field { name: "current-task", ty: Type::Option(&Type::Text), docs: docs!("The task it works on.") },
    Field { name: "state", ty: Type::Record(&super::coordination_types::AGENT_STATE), docs: docs!("The state of its working tree.") },
    Field { name: "context", ty: Type::Record(&super::coordination_types::AGENT_CONTEXT), docs: docs!("What it knows about its work.") },
] };

/// `ledger`
pub static LEDGER: Record = Record { name: "ledger", docs: docs!("A ledger: where an agent stands."), fields: &[
    Field { name: "agent-id", ty: Type::Text, docs: docs!("The agent.") },
    Field { name: "last-checkpoint", ty: Type::Timestamp, docs: docs!("When it last checked in.") },
    Field { name: "checkpoints", ty: Type::U32, docs: docs!("How often it checked in.") },
    Field { name: "tasks-completed", ty: Type::U32, docs: docs!("How many tasks it completed.") },
    Field { name: "current-task", ty: Type::Option(&Type::Text), docs: docs!("The task it works on.") },
    Field { name: "state", ty: Type::Record(&super::coordination_types::AGENT_STATE), docs: docs!("The state of its working tree.") },
    Field { name: "context", ty: Type::Record(&super::coordination_types::AGENT_CONTEXT), docs: docs!("What it knows about its work.") },
] };

/// `handoff-context`
pub static HANDOFF_CONTEXT: Record = Record { name: "handoff-context", docs: docs!("What one agent passes to another."), fields: &[
    Field { name: "what-was-done", ty: Type::Text, docs: docs!("What was done.") },
    Field { name: "artifacts", ty: Type::List(&Type::Text), docs: docs!("Results, such as files.") },
    Field { name: "git-state", ty: Type::Text, docs: docs!("The state of the repository.") },
    Field { name: "needs-testing", ty: Type::List(&Type::Text), docs: docs!("What has to be tested.") },
    Field { name: "known-issues", ty: Type::List(&Type::Text), docs: docs!("Known problems.") },
    Field { name: "relevant-patterns", ty: Type::List(&Type::Text), docs: docs!("Lessons that matter, by id.") },
] };

/// `new-handoff`
pub static NEW_HANDOFF: Record = Record { name: "new-handoff", docs: docs!("A handoff to create."), fields: &[
    Field { name: "from-agent", ty: Type::Text, docs: docs!("The agent that hands over.") },
    Field { name: "to-agent", ty: Type::Text, docs: docs!("The agent that takes over.") },
    Field { name: "context", ty: Type::Record(&super::coordination_types::HANDOFF_CONTEXT), docs: docs!("What is passed.") },
] };

/// `handoff`
pub static HANDOFF: Record = Record { name: "handoff", docs: docs!("A handoff: what one agent passes to another."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id: `handoff-001` and so on.") },
    Field { name: "from-agent", ty: Type::Text, docs: docs!("The agent that hands over.") },
    Field { name: "to-agent", ty: Type::Text, docs: docs!("The agent that takes over.") },
    Field { name: "timestamp", ty: Type::Timestamp, docs: docs!("When it was created.") },
    Field { name: "context", ty: Type::Record(&super::coordination_types::HANDOFF_CONTEXT), docs: docs!("What is passed.") },
    Field { name: "taken-up-at", ty: Type::Option(&Type::Timestamp), docs: docs!("When it was accepted. Missing while it waits.") },
] };

/// `handoff-filter`
pub static HANDOFF_FILTER: Record = Record { name: "handoff-filter", docs: docs!("Which handoffs to list. Members that are left out do not restrict."), fields: &[
    Field { name: "to-agent", ty: Type::Option(&Type::Text), docs: docs!("Only handoffs to this agent.") },
    Field { name: "from-agent", ty: Type::Option(&Type::Text), docs: docs!("Only handoffs from this agent.") },
    Field { name: "waiting", ty: Type::Option(&Type::Bool), docs: docs!("Only handoffs that wait.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many. Default: 50. Maximum: 1,000.") },
] };

