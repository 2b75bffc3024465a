//! `twiceshy:host/clock`: generated from the contract.

use super::Timestamp;

/// The clock, the only source of time for the memory.
pub trait Clock {
    /// Returns the current time. Never goes back within one instance of the memory.
    fn now(&self) -> Timestamp;
}
