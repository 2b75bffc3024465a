//! `twiceshy:memory/events`: generated from the contract.

use super::{Error, Event, EventFilter, Fingerprint};

/// Events: failed steps, and the fingerprints that tell whether two failures are the same.
pub trait Events {
    /// Computes the fingerprint of an error text of any size, in linear time. Pure.
    fn fingerprint_of(&self, text: &str) -> Fingerprint;

    /// Lists events, newest first.
    fn find(&self, filter: &EventFilter) -> Result<Vec<Event>, Error>;

    /// Returns an event by its id.
    fn get(&self, event_id: &str) -> Result<Event, Error>;
}
