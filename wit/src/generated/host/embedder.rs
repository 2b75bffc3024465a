//! `twiceshy:host/embedder`: generated from the contract.

use super::Error;

/// Vectors for texts, so that texts with the same meaning are found even if their words differ. Optional.
pub trait Embedder {
    /// Returns the id of what makes the vectors, such as the name of a model. Vectors are compared only with vectors of
    /// the same id. An id that begins with `static` says that a vector is a sum of vectors of words: it says less than
    /// one of a model that reads the whole text, and counts less.
    fn identity(&self) -> Result<String, Error>;

    /// Returns one vector for each text, all of the same length, comparable by cosine. At most 64 texts of 8 KiB
    /// each.
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error>;
}
