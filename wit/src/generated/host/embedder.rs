//! `twiceshy:host/embedder`: generated from the contract.

use super::Error;

/// Vectors for texts, so that texts with the same meaning are found even if their words differ. Optional.
pub trait Embedder {
    /// Returns one vector for each text, all of the same length, comparable by cosine. At most 64 texts of 8 KiB
    /// each.
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error>;
}
