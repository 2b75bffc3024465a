//! `twiceshy:host/bytes`: generated from the contract.

use super::{Entry, Error, Write};

/// Bytes under keys: all that the store in a box needs. One memory uses them at a time.
pub trait Bytes {
    /// Returns the value of each key, in the order of `keys`. At most 1,000 keys.
    fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, Error>;

    /// Returns the entries whose keys are at least `first` and less than `end`, in the order of their keys. At most
    /// `limit`; an answer that is shorter is the last one.
    fn scan(&self, first: &str, end: &str, limit: u32) -> Result<Vec<Entry>, Error>;

    /// Makes all changes or none, in their order. When it returns, the changes survive the end of the process; if
    /// `durable`, they survive a power failure, too, with all batches before.
    fn commit(&self, batch: &[Write], durable: bool) -> Result<(), Error>;
}
