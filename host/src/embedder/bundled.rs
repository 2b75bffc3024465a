//! The static model that ships with the program, behind the port of an embedder.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

use twiceshy_meaning::{IDENTITY, Model, TABLE, embed};
use twiceshy_wit::host::{Embedder, Error};

/// The static model. It needs no service and no time worth mentioning.
#[derive(Debug, Clone, Copy, Default)]
pub struct BundledEmbedder;

/// Vectors of the first texts that were embedded: the memory compares each text with the same few sentences.
static KNOWN: LazyLock<Mutex<HashMap<String, Vec<f32>>>> = LazyLock::new(Mutex::default);

/// How many are kept, and how long the longest of their texts is in bytes.
const MOST_KNOWN: usize = 32;
const KNOWN_BYTES: usize = 128;

impl BundledEmbedder {
    /// What it is, for a person.
    pub fn name(&self) -> String {
        format!("the static model that ships with the program ({IDENTITY})")
    }
}

impl Embedder for BundledEmbedder {
    fn identity(&self) -> Result<String, Error> {
        Ok(IDENTITY.to_owned())
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let model = Model::new(TABLE).map_err(|why| Error::Corrupt(why.to_owned()))?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let vector = |text: &String| {
            if let Some(vector) = known.get(text) {
                return vector.clone();
            }
            let mut vector = embed(text);
            // A text without a word that the table knows is near to nothing.
            vector.resize(model.dimensions(), 0.0);
            if known.len() < MOST_KNOWN && text.len() <= KNOWN_BYTES {
                known.insert(text.clone(), vector.clone());
            }
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}
