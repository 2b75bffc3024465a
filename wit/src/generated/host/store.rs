//! `twiceshy:host/store`: generated from the contract.

use super::{Change, Condition, Error, Found, Key, Query, Stored};

/// Documents, the only state of the memory. Several processes may use one store at once.
pub trait Store {
    /// Reads documents by key, in the order of `keys`. Missing documents are left out. At most 1,000 keys.
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error>;

    /// Makes all changes or none. When it returns, the changes are durable and every reader sees them. Changes to one
    /// key are made in their order. At most 1,000 changes.
    fn commit(&self, batch: &[Change]) -> Result<(), Error>;

    /// Makes all changes or none, without waiting for the disk. When it returns, the changes survive the end of the
    /// process, but a power failure may lose the last commits, each as a whole. A store may treat it as `commit`.
    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error>;

    /// Finds documents.
    fn find(&self, query: &Query) -> Result<Vec<Found>, Error>;

    /// Counts the documents of a kind for which all conditions hold. At most 100 conditions.
    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error>;

    /// Updates indices and statistics. May take time in proportion to the size of the store. Changes no answer.
    fn optimize(&self) -> Result<(), Error>;
}
