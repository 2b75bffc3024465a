//! The interface `events` of the contract.

use twiceshy_wit::memory::{Error, Event, EventFilter, Events, Fingerprint};

use super::Engine;
use crate::{episodes::shelf, events};

impl Events for Engine<'_> {
    fn fingerprint_of(&self, text: &str) -> Fingerprint {
        events::fingerprint_of(&self.desk(), text)
    }

    fn find(&self, filter: &EventFilter) -> Result<Vec<Event>, Error> {
        shelf::found_events(&self.desk(), filter)
    }

    fn get(&self, event_id: &str) -> Result<Event, Error> {
        events::get(&self.desk(), event_id)
    }
}
