//! `twiceshy:adapter/diagnostics`: generated from the contract.

/// Where an adapter says why it is about to fail. This is not a log: a host keeps the messages only until the call
/// ends and shows them only if the call fails, so that the error says more than that the adapter crashed.
pub trait Diagnostics {
    /// Reports why the adapter is about to fail, such as the message of a panic. The host keeps the first 4 KiB of
    /// all messages of one call. Never fails, and does not change the adapter's answer.
    fn report(&self, message: &str);
}
