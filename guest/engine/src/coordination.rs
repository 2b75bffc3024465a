//! Coordination.

use twiceshy_wit::memory::*;

use crate::ports::Engine;

impl Coordination for Engine<'_> {
    fn check_in(&self, _checkpoint: &Checkpoint) -> Result<Ledger, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn ledger_of(&self, _agent_id: &str) -> Result<Ledger, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn ledgers(&self, _limit: u32) -> Result<Vec<Ledger>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn hand_off(&self, _handoff: &NewHandoff) -> Result<Handoff, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn handoffs(&self, _filter: &HandoffFilter) -> Result<Vec<Handoff>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn take_up(&self, _handoff: &str, _agent_id: &str) -> Result<Handoff, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }
}
