//! `twiceshy:memory/links`: generated from the contract.

use super::{Error, Link, Neighbourhood, Walk};

/// Typed relations between memories: lessons, patterns, skills and episodes.
pub trait Links {
    /// Links two memories. The memory sets the time itself.
    fn relate(&self, link: &Link) -> Result<Link, Error>;

    /// Removes a link.
    fn unrelate(&self, link: &Link) -> Result<(), Error>;

    /// Lists the links of a memory, in both directions. At most 1,000.
    fn of_memory(&self, id: &str) -> Result<Vec<Link>, Error>;

    /// Returns what can be reached from a memory through its links.
    fn around(&self, walk: &Walk) -> Result<Neighbourhood, Error>;

    /// Lists unresolved contradictions, where both lessons are shown. Newest first.
    fn contradictions(&self, limit: u32) -> Result<Vec<Link>, Error>;
}
