//! `events` of the memory, served by the component: generated from the contract.

use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Events for Memory {
    fn fingerprint_of(&self, text: &str) -> Fingerprint {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_events();
            exports.call_fingerprint_of(&mut instance.store, text)
        })
        .unwrap_or_default()
    }

    fn find(&self, filter: &EventFilter) -> Result<Vec<Event>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_events();
            exports.call_find(&mut instance.store, filter)
        })?
    }

    fn get(&self, event_id: &str) -> Result<Event, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_events();
            exports.call_get(&mut instance.store, event_id)
        })?
    }
}
