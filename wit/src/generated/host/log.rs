//! `twiceshy:host/log`: generated from the contract.

use super::Level;

/// Messages for the operator of the memory.
pub trait Log {
    /// Writes a message of one line. Never fails; the host may drop it.
    fn write(&self, level: Level, message: &str);
}
