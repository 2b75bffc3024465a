//! The static model that ships with the program, behind the port of an embedder.

use twiceshy_meaning::{IDENTITY, Model, TABLE, embed};
use twiceshy_wit::host::{Embedder, Error};

/// The static model. It needs no service and no time worth mentioning.
#[derive(Debug, Clone, Copy, Default)]
pub struct BundledEmbedder;

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
        let vector = |text: &String| {
            let mut vector = embed(text);
            // A text without a word that the table knows is near to nothing.
            vector.resize(model.dimensions(), 0.0);
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}
