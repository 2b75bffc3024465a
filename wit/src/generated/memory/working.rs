//! `twiceshy:memory/working`: generated from the contract.

use super::{
    EpisodeQuery, Error, ExecutionState, FoundVariable, Intermediate, ParsedTask, Rendered,
    Rendering, Snapshot, SystemContext, Variable, VariableScope, WorkingItem, WorkingMemory,
    WorkingMetadata, WorkingSize,
};

/// Working memory: the context of one run, within a budget of tokens. It outlives processes and is cleared when the
/// run ends.
pub trait Working {
    /// Creates an empty working memory for an open run, with its system context. Replaces an existing one.
    fn init(&self, run: &str, context: &SystemContext) -> Result<WorkingSize, Error>;

    /// Loads the task: its goals and constraints, found in its words if they are not given, and task variables.
    fn load_task(&self, run: &str, task: &ParsedTask) -> Result<WorkingSize, Error>;

    /// Sets a variable, or removes it if the value is `null`. Makes space if needed. A text that is not JSON becomes
    /// a JSON string. `conflict` if the value alone exceeds the budget of its section.
    fn set(&self, run: &str, variable: &Variable) -> Result<WorkingSize, Error>;

    /// Reads a variable. Counts as an access. An intermediate value that was moved out is brought back.
    fn get(&self, run: &str, key: &str, scope: VariableScope) -> Result<FoundVariable, Error>;

    /// Updates the state of the work. When a subtask ends, its variables of the execution scope end with it.
    fn push_state(&self, run: &str, state: &ExecutionState) -> Result<WorkingSize, Error>;

    /// Adds the output of a subtask. Makes space if needed.
    fn add_intermediate(
        &self,
        run: &str,
        intermediate: &Intermediate,
    ) -> Result<WorkingSize, Error>;

    /// Searches episodes and patterns, and adds as many of their summaries as fit.
    fn retrieve(&self, run: &str, query: &EpisodeQuery) -> Result<Vec<WorkingItem>, Error>;

    /// Returns the whole content of an item. Items that were moved out stay available after the run has ended. Counts
    /// as an access.
    fn fetch(&self, run: &str, item: &str) -> Result<String, Error>;

    /// Moves out cold items: old results that nothing needs, traces, unread context. References stay.
    fn prune(&self, run: &str) -> Result<WorkingSize, Error>;

    /// Takes a snapshot to go back to. A run keeps the last 16.
    fn take_snapshot(&self, run: &str, label: &str) -> Result<Snapshot, Error>;

    /// Goes back to a snapshot.
    fn rollback(&self, run: &str, snapshot: &str) -> Result<WorkingSize, Error>;

    /// Lists the snapshots of a run, oldest first.
    fn snapshots(&self, run: &str) -> Result<Vec<Snapshot>, Error>;

    /// Returns everything in it.
    fn view(&self, run: &str) -> Result<WorkingMemory, Error>;

    /// Renders it as text for a prompt, marked so that the memory never learns from its own words.
    fn render(&self, run: &str, rendering: &Rendering) -> Result<Rendered, Error>;

    /// Renders it as a `CONTINUITY.md`: the state of the work, and references to what is known.
    fn continuity(&self, run: &str) -> Result<String, Error>;

    /// Clears it. Only metadata is kept, for reflection. Happens automatically when the run ends.
    fn clear(&self, run: &str) -> Result<WorkingMetadata, Error>;

    /// Returns the metadata that is left after it was cleared.
    fn metadata(&self, run: &str) -> Result<WorkingMetadata, Error>;
}
