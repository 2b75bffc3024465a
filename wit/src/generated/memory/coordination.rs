//! `twiceshy:memory/coordination`: generated from the contract.

use super::{Checkpoint, Error, Handoff, HandoffFilter, Ledger, NewHandoff};

/// Where agents stand, and what they pass to each other.
pub trait Coordination {
    /// Records where an agent stands.
    fn check_in(&self, checkpoint: &Checkpoint) -> Result<Ledger, Error>;

    /// Returns the ledger of an agent.
    fn ledger_of(&self, agent_id: &str) -> Result<Ledger, Error>;

    /// Lists all ledgers, most recently written first. At most 1,000.
    fn ledgers(&self, limit: u32) -> Result<Vec<Ledger>, Error>;

    /// Hands work over to another agent.
    fn hand_over(&self, handoff: &NewHandoff) -> Result<Handoff, Error>;

    /// Returns a handoff by its id.
    fn handoff_of(&self, handoff: &str) -> Result<Handoff, Error>;

    /// Lists handoffs, oldest first.
    fn handoffs(&self, filter: &HandoffFilter) -> Result<Vec<Handoff>, Error>;

    /// Accepts a handoff. `conflict` if it was accepted before or is meant for another agent.
    fn take_up(&self, handoff: &str, agent_id: &str) -> Result<Handoff, Error>;
}
