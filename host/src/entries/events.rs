//! `events` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Events for Memory {
    fn fingerprint_of(&self, text: &str) -> Fingerprint {
        if let Some(service) = self.service() {
            return service
                .ask("events.fingerprint-of", &json!({ "text": text, }))
                .unwrap_or_default();
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_events();
            exports.call_fingerprint_of(&mut instance.store, text)
        })
        .unwrap_or_default()
    }

    fn find(&self, filter: &EventFilter) -> Result<Vec<Event>, Error> {
        if let Some(service) = self.service() {
            return service.ask("events.find", &json!({ "filter": filter, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_events();
            exports.call_find(&mut instance.store, filter)
        })?
    }

    fn get(&self, event_id: &str) -> Result<Event, Error> {
        if let Some(service) = self.service() {
            return service.ask("events.get", &json!({ "event-id": event_id, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_events();
            exports.call_get(&mut instance.store, event_id)
        })?
    }
}
