//! `twiceshy:host/archive`: generated from the contract.

use super::Error;

/// Contents that are too large or too rarely needed for the store, under the hash of the content. Optional.
pub trait Archive {
    /// Keeps a content and returns its name: `sha256:` and 64 hexadecimal digits. When it returns, the content is
    /// durable. The same content is kept once. At most 64 MiB.
    fn keep(&self, content: &[u8]) -> Result<String, Error>;

    /// Reads a content by its name. `corrupt` if it is missing or does not match its name.
    fn fetch(&self, name: &str) -> Result<Vec<u8>, Error>;

    /// Removes a content. Removing a missing content changes nothing.
    fn discard(&self, name: &str) -> Result<(), Error>;
}
