//! `twiceshy:memory/recall`: generated from the contract.

use super::{ContextRequest, Error, FailureContext, Hint, TaskBundle, TaskContext};

/// What the memory knows that may help now.
pub trait Recall {
    /// Recalls lessons for a failure: first those that exactly this fingerprint triggers, then by score. Changes
    /// nothing.
    fn on_error(&self, failure: &FailureContext) -> Result<Vec<Hint>, Error>;

    /// Recalls lessons for a task before it begins: by its words, its domain and recent failures. Changes nothing.
    fn for_task(&self, task: &TaskContext) -> Result<Vec<Hint>, Error>;

    /// Collects what may help with a task: patterns, similar episodes, skills, facts and what to avoid. Weighed by
    /// the kind of work, each memory once, within a budget of tokens. Changes nothing.
    fn context(&self, request: &ContextRequest) -> Result<TaskBundle, Error>;
}
