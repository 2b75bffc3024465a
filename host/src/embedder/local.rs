//! A sentence transformer in a local directory, behind the port of an embedder.
//!
//! Owns when it is loaded: the first vector loads it, once for the process. What was embedded lately is kept, because
//! every question is compared with the same few unrelated sentences.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use twiceshy_neural::{Directory, Model, Unusable};
use twiceshy_wit::host::{Embedder, Error};

/// Vectors that are kept for texts that come again.
const KEPT: usize = 256;

/// A text in bytes whose vector is kept: all that are embedded. A task is embedded for its episode, for all that the
/// episode says, and for the experience that it becomes.
const KEPT_BYTES: usize = 8 << 10;

/// A sentence transformer in a local directory. Clones share it.
#[derive(Clone)]
pub struct LocalEmbedder {
    shared: Arc<Shared>,
}

struct Shared {
    place: PathBuf,
    directory: OnceLock<Result<Directory, Unusable>>,
    model: OnceLock<Result<Model, Unusable>>,
    known: Mutex<Known>,
}

impl fmt::Debug for LocalEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("LocalEmbedder")
            .field(&self.shared.place)
            .finish()
    }
}

impl LocalEmbedder {
    /// The model in a directory, which is read when it is first asked.
    pub fn new(directory: &Path) -> Self {
        Self {
            shared: Arc::new(Shared {
                place: directory.to_owned(),
                directory: OnceLock::new(),
                model: OnceLock::new(),
                known: Mutex::default(),
            }),
        }
    }

    /// What it is, for a person.
    pub fn name(&self) -> String {
        format!("the model in {}", self.shared.place.display())
    }

    fn directory(&self) -> Result<&Directory, Error> {
        let directory = self
            .shared
            .directory
            .get_or_init(|| Directory::open(&self.shared.place));
        directory.as_ref().map_err(refused)
    }

    fn model(&self) -> Result<&Model, Error> {
        let directory = self.directory()?;
        let model = self.shared.model.get_or_init(|| directory.load());
        model.as_ref().map_err(refused)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        // A vector is kept whole or not at all.
        self.shared
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(why: &Unusable) -> Error {
    Error::Other(format!("{why}; check [embedding] directory"))
}

impl Embedder for LocalEmbedder {
    fn identity(&self) -> Result<String, Error> {
        Ok(self.directory()?.identity().to_owned())
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let mut vectors = Vec::with_capacity(texts.len());
        for text in texts {
            let known = self.known().get(text);
            vectors.push(match known {
                Some(vector) => vector,
                None => {
                    let vector = self.model()?.embed(text);
                    self.known().keep(text, &vector);
                    vector
                }
            });
        }
        Ok(vectors)
    }
}

/// Vectors of texts that were embedded lately.
#[derive(Default)]
struct Known {
    vectors: HashMap<String, Vec<f32>>,
    /// The texts in the order in which they came.
    texts: VecDeque<String>,
}

impl Known {
    fn get(&self, text: &str) -> Option<Vec<f32>> {
        self.vectors.get(text).cloned()
    }

    fn keep(&mut self, text: &str, vector: &[f32]) {
        if text.len() > KEPT_BYTES || self.vectors.contains_key(text) {
            return;
        }
        if self.texts.len() >= KEPT
            && let Some(oldest) = self.texts.pop_front()
        {
            self.vectors.remove(&oldest);
        }
        self.texts.push_back(text.to_owned());
        self.vectors.insert(text.to_owned(), vector.to_vec());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_without_a_model_is_named_and_so_is_the_setting() {
        let embedder = LocalEmbedder::new(Path::new("/no/such/directory"));
        for error in [
            embedder.identity().err(),
            embedder.embed(&["x".to_owned()]).err(),
        ] {
            let error = error.expect("an error");
            let said = error.message();
            assert!(
                said.contains("/no/such/directory/config.json")
                    && said.contains("[embedding] directory"),
                "{said}"
            );
        }
    }

    #[test]
    fn the_latest_vectors_are_kept_and_long_texts_are_not() {
        let mut known = Known::default();
        for number in 0..KEPT + 1 {
            known.keep(&number.to_string(), &[number as f32]);
        }
        known.keep(&"x".repeat(KEPT_BYTES + 1), &[1.0]);
        assert_eq!((known.get("0"), known.get("1")), (None, Some(vec![1.0])));
        assert_eq!(known.vectors.len(), KEPT);
    }
}
