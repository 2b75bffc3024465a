//! Vectors: what the host's embedder makes of texts, the one place that asks it, and what happens if the store refuses them.

use twiceshy_wit::memory::Error;

use super::{desk::Desk, errors::from_host};

/// A text that is embedded, in bytes, as the port has it.
const EMBEDDED_BYTES: usize = 8 << 10;

/// Texts that are embedded at once, as the port has it.
pub(crate) const EMBEDDED: usize = 64;

impl Desk<'_> {
    /// The vector of a text; empty without an embedder.
    pub(crate) fn vector_of(&self, text: &str) -> Vec<f32> {
        self.vectors_of(&[text]).pop().unwrap_or_default()
    }

    /// One vector for each text; none at all without an embedder, or where it fails, which is logged.
    pub(crate) fn vectors_of<T: AsRef<str>>(&self, texts: &[T]) -> Vec<Vec<f32>> {
        match self.embed(texts) {
            Ok(vectors) => vectors,
            Err(Error::Unavailable(_)) => Vec::new(),
            Err(error) => {
                let reason = error.message();
                self.warn(&format!("texts are compared by their words: {reason}"));
                Vec::new()
            }
        }
    }

    /// One vector for each text, all of one length.
    pub(crate) fn embed<T: AsRef<str>>(&self, texts: &[T]) -> Result<Vec<Vec<f32>>, Error> {
        let mut vectors = Vec::with_capacity(texts.len());
        for some in texts.chunks(EMBEDDED) {
            let cut = |text: &T| beginning(text.as_ref()).to_owned();
            let cut: Vec<_> = some.iter().map(cut).collect();
            vectors.extend(self.embedder.embed(&cut).map_err(from_host)?);
        }
        let length = vectors.first().map_or(1, Vec::len);
        let fits = |vector: &Vec<f32>| {
            vector.len() == length && vector.iter().all(|component| component.is_finite())
        };
        if vectors.len() != texts.len() || length == 0 || !vectors.iter().all(fits) {
            return Err(Error::Other(
                "the embedder returned too few vectors, empty ones, or vectors of different lengths"
                    .to_owned(),
            ));
        }
        Ok(vectors)
    }

    /// Writes something with its vectors, or without them if the store refuses those: it keeps vectors of one length,
    /// and another embedder than before makes others.
    pub(crate) fn with_vectors<T>(
        &mut self,
        what_was: &str,
        has_vectors: bool,
        mut write: impl FnMut(&mut Self, bool) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match write(self, true) {
            Err(Error::InvalidArgument(reason)) if has_vectors => {
                self.warn(&format!("{what_was} stored without vectors: {reason}"));
                write(self, false)
            }
            written => written,
        }
    }
}

/// What of a text is embedded.
pub(crate) fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(EMBEDDED_BYTES)]
}
