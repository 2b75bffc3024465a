//! The contract `twiceshy:memory`, one file for each interface: the only place that implements it.
//!
//! Owns nothing but the way from a function of the contract to the noun that does it.

mod coordination;
mod decisions;
mod episodes;
mod events;
mod exchange;
mod experience;
mod failures;
mod lessons;
mod links;
mod patterns;
mod recall;
mod runs;
mod skills;
mod upkeep;
mod working;

use crate::store::{Desk, Ports};

/// A memory: the rules of twiceshy over the documents of one store.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    ports: Ports<'a>,
}

impl<'a> Engine<'a> {
    /// A memory over these ports. Costs nothing: all state is in the store.
    pub fn new(ports: Ports<'a>) -> Self {
        Self { ports }
    }

    fn desk(&self) -> Desk<'a> {
        Desk::new(self.ports)
    }
}
