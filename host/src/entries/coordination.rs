//! `coordination` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Coordination for Memory {
    fn check_in(&self, checkpoint: &Checkpoint) -> Result<Ledger, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "coordination.check-in",
                &json!({ "checkpoint": checkpoint, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_coordination();
            exports.call_check_in(&mut instance.store, checkpoint)
        })?
    }

    fn ledger_of(&self, agent_id: &str) -> Result<Ledger, Error> {
        if let Some(service) = self.service() {
            return service.ask("coordination.ledger-of", &json!({ "agent-id": agent_id, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_coordination();
            exports.call_ledger_of(&mut instance.store, agent_id)
        })?
    }

    fn ledgers(&self, limit: u32) -> Result<Vec<Ledger>, Error> {
        if let Some(service) = self.service() {
            return service.ask("coordination.ledgers", &json!({ "limit": limit, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_coordination();
            exports.call_ledgers(&mut instance.store, limit)
        })?
    }

    fn hand_over(&self, handoff: &NewHandoff) -> Result<Handoff, Error> {
        if let Some(service) = self.service() {
            return service.ask("coordination.hand-over", &json!({ "handoff": handoff, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_coordination();
            exports.call_hand_over(&mut instance.store, handoff)
        })?
    }

    fn handoff_of(&self, handoff: &str) -> Result<Handoff, Error> {
        if let Some(service) = self.service() {
            return service.ask("coordination.handoff-of", &json!({ "handoff": handoff, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_coordination();
            exports.call_handoff_of(&mut instance.store, handoff)
        })?
    }

    fn handoffs(&self, filter: &HandoffFilter) -> Result<Vec<Handoff>, Error> {
        if let Some(service) = self.service() {
            return service.ask("coordination.handoffs", &json!({ "filter": filter, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_coordination();
            exports.call_handoffs(&mut instance.store, filter)
        })?
    }

    fn take_up(&self, handoff: &str, agent_id: &str) -> Result<Handoff, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "coordination.take-up",
                &json!({ "handoff": handoff,"agent-id": agent_id, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_coordination();
            exports.call_take_up(&mut instance.store, handoff, agent_id)
        })?
    }
}
