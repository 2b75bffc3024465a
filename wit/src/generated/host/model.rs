//! `twiceshy:host/model`: generated from the contract.

use super::Error;

/// A language model. Optional: nothing depends on it, and its answers are checked before they are used.
pub trait Model {
    /// Answers a prompt with JSON text that should match `schema`, a JSON Schema. The host limits time and length.
    fn complete(&self, prompt: &str, schema: &str) -> Result<String, Error>;
}
