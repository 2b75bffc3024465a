//! `twiceshy:memory/coordination-types`: generated from the contract.

use serde::{Deserialize, Serialize};
#[cfg(feature = "wasmtime")]
use wasmtime::component::{ComponentType, Lift, Lower};

use super::Timestamp;

/// The state of an agent's working tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct AgentState {
    /// The files it changed.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "files-modified"))]
    pub files_modified: Vec<String>,
    /// Whether there are uncommitted changes.
    #[cfg_attr(feature = "wasmtime", component(name = "uncommitted-changes"))]
    pub uncommitted_changes: bool,
    /// The last commit.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "last-git-commit"))]
    pub last_git_commit: Option<String>,
}

/// What an agent knows about its work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct AgentContext {
    /// The technologies it works with.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "tech-stack"))]
    pub tech_stack: Vec<String>,
    /// Lessons it learned, by id.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "patterns-learned"))]
    pub patterns_learned: Vec<String>,
    /// Its current goal.
    #[cfg_attr(feature = "wasmtime", component(name = "current-goal"))]
    pub current_goal: String,
}

/// A checkpoint: where an agent stands, in its own words.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Checkpoint {
    /// The agent. 1 to 64 letters, digits, dashes, dots and underscores.
    #[cfg_attr(feature = "wasmtime", component(name = "agent-id"))]
    pub agent_id: String,
    /// How many tasks it completed. Default: one more than before if `completed` is true, otherwise the same as
    /// before.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "tasks-completed"))]
    pub tasks_completed: Option<u32>,
    /// Whether it has just completed a task.
    #[serde(default)]
    pub completed: Option<bool>,
    /// The task it works on.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "current-task"))]
    pub current_task: Option<String>,
    /// The state of its working tree.
    pub state: AgentState,
    /// What it knows about its work.
    pub context: AgentContext,
}

/// A ledger: where an agent stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Ledger {
    /// The agent.
    #[cfg_attr(feature = "wasmtime", component(name = "agent-id"))]
    pub agent_id: String,
    /// When it last checked in.
    #[cfg_attr(feature = "wasmtime", component(name = "last-checkpoint"))]
    pub last_checkpoint: Timestamp,
    /// How often it checked in.
    pub checkpoints: u32,
    /// How many tasks it completed.
    #[cfg_attr(feature = "wasmtime", component(name = "tasks-completed"))]
    pub tasks_completed: u32,
    /// The task it works on.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "current-task"))]
    pub current_task: Option<String>,
    /// The state of its working tree.
    pub state: AgentState,
    /// What it knows about its work.
    pub context: AgentContext,
}

/// What one agent passes to another.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct HandoffContext {
    /// What was done.
    #[cfg_attr(feature = "wasmtime", component(name = "what-was-done"))]
    pub what_was_done: String,
    /// Results, such as files.
    #[serde(default)]
    pub artifacts: Vec<String>,
    /// The state of the repository.
    #[cfg_attr(feature = "wasmtime", component(name = "git-state"))]
    pub git_state: String,
    /// What has to be tested.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "needs-testing"))]
    pub needs_testing: Vec<String>,
    /// Known problems.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "known-issues"))]
    pub known_issues: Vec<String>,
    /// Lessons that matter, by id.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "relevant-patterns"))]
    pub relevant_patterns: Vec<String>,
}

/// A handoff to create.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct NewHandoff {
    /// The agent that hands over.
    #[cfg_attr(feature = "wasmtime", component(name = "from-agent"))]
    pub from_agent: String,
    /// The agent that takes over.
    #[cfg_attr(feature = "wasmtime", component(name = "to-agent"))]
    pub to_agent: String,
    /// What is passed.
    pub context: HandoffContext,
}

/// A handoff: what one agent passes to another.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct Handoff {
    /// Its id: `handoff-001` and so on.
    pub id: String,
    /// The agent that hands over.
    #[cfg_attr(feature = "wasmtime", component(name = "from-agent"))]
    pub from_agent: String,
    /// The agent that takes over.
    #[cfg_attr(feature = "wasmtime", component(name = "to-agent"))]
    pub to_agent: String,
    /// When it was created.
    pub timestamp: Timestamp,
    /// What is passed.
    pub context: HandoffContext,
    /// When it was accepted. Missing while it waits.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "taken-up-at"))]
    pub taken_up_at: Option<Timestamp>,
}

/// Which handoffs to list. Members that are left out do not restrict.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(
    feature = "wasmtime",
    derive(ComponentType, Lift, Lower),
    component(record)
)]
pub struct HandoffFilter {
    /// Only handoffs to this agent.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "to-agent"))]
    pub to_agent: Option<String>,
    /// Only handoffs from this agent.
    #[serde(default)]
    #[cfg_attr(feature = "wasmtime", component(name = "from-agent"))]
    pub from_agent: Option<String>,
    /// Only handoffs that wait.
    #[serde(default)]
    pub waiting: Option<bool>,
    /// At most this many. Default: 50. Maximum: 1,000.
    #[serde(default)]
    pub limit: Option<u32>,
}
