//! The interface `coordination` of the contract.

use twiceshy_wit::memory::{
    Checkpoint, Coordination, Error, Handoff, HandoffFilter, Ledger, NewHandoff,
};

use super::Engine;
use crate::coordination;

impl Coordination for Engine<'_> {
    fn check_in(&self, checkpoint: &Checkpoint) -> Result<Ledger, Error> {
        coordination::check_in(&mut self.desk(), checkpoint)
    }

    fn ledger_of(&self, agent_id: &str) -> Result<Ledger, Error> {
        coordination::ledger_of(&self.desk(), agent_id)
    }

    fn ledgers(&self, limit: u32) -> Result<Vec<Ledger>, Error> {
        coordination::ledgers(&self.desk(), limit)
    }

    fn hand_over(&self, handoff: &NewHandoff) -> Result<Handoff, Error> {
        coordination::hand_over(&mut self.desk(), handoff)
    }

    fn handoff_of(&self, handoff: &str) -> Result<Handoff, Error> {
        coordination::handoff_of(&self.desk(), handoff)
    }

    fn handoffs(&self, filter: &HandoffFilter) -> Result<Vec<Handoff>, Error> {
        coordination::handoffs(&self.desk(), filter)
    }

    fn take_up(&self, handoff: &str, agent_id: &str) -> Result<Handoff, Error> {
        coordination::take_up(&mut self.desk(), handoff, agent_id)
    }
}
