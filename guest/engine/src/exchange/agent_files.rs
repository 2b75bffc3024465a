//! The files of agents: ledgers and handoffs, as the memory hierarchy has them.
//!
//! Owns their members. The extension holds what members can't; changes by hand are taken over.

use serde::{Deserialize, Serialize};
use twiceshy_wit::memory::{AgentContext, AgentState, Handoff, HandoffContext, Ledger};

use super::{carried::Extension, members::At};

/// Where an agent stands, as its file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LedgerFile {
    pub(super) agent_id: String,
    last_checkpoint: At,
    #[serde(default)]
    tasks_completed: u32,
    #[serde(default)]
    current_task: Option<String>,
    #[serde(default)]
    state: State,
    #[serde(default)]
    context: Knowledge,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) twiceshy: Option<Extension>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct State {
    files_modified: Vec<String>,
    uncommitted_changes: bool,
    last_git_commit: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Knowledge {
    tech_stack: Vec<String>,
    patterns_learned: Vec<String>,
    current_goal: String,
}

impl LedgerFile {
    /// The file of a ledger, without its extension.
    pub(super) fn of(ledger: &Ledger) -> Self {
        Self {
            agent_id: ledger.agent_id.clone(),
            last_checkpoint: At(ledger.last_checkpoint),
            tasks_completed: ledger.tasks_completed,
            current_task: ledger.current_task.clone(),
            state: State {
                files_modified: ledger.state.files_modified.clone(),
                uncommitted_changes: ledger.state.uncommitted_changes,
                last_git_commit: ledger.state.last_git_commit.clone(),
            },
            context: Knowledge {
                tech_stack: ledger.context.tech_stack.clone(),
                patterns_learned: ledger.context.patterns_learned.clone(),
                current_goal: ledger.context.current_goal.clone(),
            },
            twiceshy: None,
        }
    }

    /// The ledger that the file tells of.
    pub(super) fn ledger(&self, checkpoints: u32) -> Ledger {
        Ledger {
            agent_id: self.agent_id.clone(),
            last_checkpoint: self.last_checkpoint.0,
            checkpoints,
            tasks_completed: self.tasks_completed,
            current_task: self.current_task.clone(),
            state: AgentState {
                files_modified: self.state.files_modified.clone(),
                uncommitted_changes: self.state.uncommitted_changes,
                last_git_commit: self.state.last_git_commit.clone(),
            },
            context: AgentContext {
                tech_stack: self.context.tech_stack.clone(),
                patterns_learned: self.context.patterns_learned.clone(),
                current_goal: self.context.current_goal.clone(),
            },
        }
    }
}

/// A handoff, as its file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct HandoffFile {
    pub(super) id: String,
    from_agent: String,
    to_agent: String,
    timestamp: At,
    context: Passed,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) twiceshy: Option<Extension>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Passed {
    what_was_done: String,
    artifacts: Vec<String>,
    git_state: String,
    needs_testing: Vec<String>,
    known_issues: Vec<String>,
    relevant_patterns: Vec<String>,
}

impl HandoffFile {
    /// The file of a handoff, without its extension.
    pub(super) fn of(handoff: &Handoff) -> Self {
        let context = &handoff.context;
        Self {
            id: handoff.id.clone(),
            from_agent: handoff.from_agent.clone(),
            to_agent: handoff.to_agent.clone(),
            timestamp: At(handoff.timestamp),
            context: Passed {
                what_was_done: context.what_was_done.clone(),
                artifacts: context.artifacts.clone(),
                git_state: context.git_state.clone(),
                needs_testing: context.needs_testing.clone(),
                known_issues: context.known_issues.clone(),
                relevant_patterns: context.relevant_patterns.clone(),
            },
            twiceshy: None,
        }
    }

    /// The handoff that the file tells of.
    pub(super) fn handoff(&self, taken_up_at: Option<u64>) -> Handoff {
        let context = &self.context;
        Handoff {
            id: self.id.clone(),
            from_agent: self.from_agent.clone(),
            to_agent: self.to_agent.clone(),
            timestamp: self.timestamp.0,
            context: HandoffContext {
                what_was_done: context.what_was_done.clone(),
                artifacts: context.artifacts.clone(),
                git_state: context.git_state.clone(),
                needs_testing: context.needs_testing.clone(),
                known_issues: context.known_issues.clone(),
                relevant_patterns: context.relevant_patterns.clone(),
            },
            taken_up_at,
        }
    }
}
