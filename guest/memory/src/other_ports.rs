//! The ports that have nothing to do with documents, served by the component's imports. Also used by the memory in a box.

use twiceshy_wit::host::{Clock, Embedder, Error, Level, Log, Model};

use crate::twiceshy::host::{clock, embedder, log, model};

pub(crate) struct Imports;

impl Embedder for Imports {
    fn identity(&self) -> Result<String, Error> {
        embedder::identity()
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        embedder::embed(texts)
    }
}

impl Model for Imports {
    fn complete(&self, prompt: &str, schema: &str) -> Result<String, Error> {
        model::complete(prompt, schema)
    }
}

impl Clock for Imports {
    fn now(&self) -> u64 {
        clock::now()
    }
}

impl Log for Imports {
    fn write(&self, level: Level, message: &str) {
        log::write(level, message);
    }
}
