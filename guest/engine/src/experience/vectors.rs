//! Vectors of tasks: how they come from the embedder, and what happens when it changes.
//!
//! Owns that all vectors that are compared have one length. Where an embedder makes others than before, experience
//! goes on by words, and `re-embed` replaces the old vectors.

use twiceshy_wit::{
    host::{self, Condition, Test, Value},
    memory::{Error, ReEmbedding},
};

use super::entry::{KeptExperience, active};
use crate::{
    documents::{Kind, at_least, at_most, newest, put, query},
    ports::{Engine, from_host},
};

/// A text that is embedded, in bytes, as the port has it.
const TEXT_BYTES: usize = 8 << 10;

/// Texts that are embedded at once, as the port has it.
const TEXTS: u32 = 64;

/// Entries that lose an old vector in one commit.
const STRIPPED: u32 = 200;

impl Engine<'_> {
    /// The vector of a text; empty if there is no embedder or it fails, which is told.
    pub(crate) fn task_vector(&self, text: &str) -> Vec<f32> {
        match self.embedded(&[text]) {
            Ok(mut vectors) => vectors.remove(0),
            Err(Error::Unavailable(_)) => Vec::new(),
            Err(error) => {
                self.warn(&format!(
                    "no vector for a task, its words count: {}",
                    error.message()
                ));
                Vec::new()
            }
        }
    }

    /// Vectors for texts, all of one length.
    fn embedded(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let cut: Vec<_> = texts
            .iter()
            .map(|text| text[..text.floor_char_boundary(TEXT_BYTES)].to_owned())
            .collect();
        let vectors = self.ports.embedder.embed(&cut).map_err(from_host)?;
        let length = vectors.first().map_or(0, Vec::len);
        let fits = |vector: &Vec<f32>| {
            vector.len() == length && vector.iter().all(|component| component.is_finite())
        };
        if vectors.len() != texts.len() || length == 0 || !vectors.iter().all(fits) {
            return Err(Error::Other(
                "the embedder gave vectors of unequal length, of no length, or too few of them"
                    .to_owned(),
            ));
        }
        Ok(vectors)
    }

    /// A vector if all entries that are searched have vectors of its length; else none, and the way out is told.
    pub(crate) fn fitting(&self, vector: Vec<f32>) -> Result<Vec<f32>, Error> {
        if vector.is_empty() {
            return Ok(vector);
        }
        if self.others(vector.len())? == 0 {
            return Ok(vector);
        }
        self.warn(&format!(
            "the embedder makes vectors of {} components and entries have others, so words are compared; \
             experience.re-embed gives all of them new ones",
            vector.len()
        ));
        Ok(Vec::new())
    }

    /// Entries that are searched by a vector of another length.
    fn others(&self, length: usize) -> Result<u32, Error> {
        let mut count = 0;
        for condition in other_lengths(length) {
            count += self.count(Kind::Experience, &[vec![active()], condition].concat())?;
        }
        Ok(count)
    }

    pub(crate) fn give_vectors(&self, limit: u32) -> Result<ReEmbedding, Error> {
        let limit = if limit == 0 { TEXTS } else { limit };
        let length = self.embedded(&["how long are vectors?"])?[0].len();
        for condition in other_lengths(length) {
            self.strip(&[vec![active()], condition].concat())?;
        }
        let without = vec![active(), no_vector()];
        let mut embedded = 0;
        while embedded < limit {
            let some = TEXTS.min(limit - embedded);
            let page = query::<KeptExperience>(without.clone(), newest("created-at"), some);
            let found = self.search::<KeptExperience>(&page)?;
            if found.is_empty() {
                break;
            }
            let inputs: Vec<_> = found
                .iter()
                .map(|(read, _)| read.noun.entry.input.as_str())
                .collect();
            let vectors = self.embedded(&inputs)?;
            if vectors[0].len() != length {
                return Err(Error::Conflict(
                    "the embedder changed the length of its vectors meanwhile; call experience.re-embed again"
                        .to_owned(),
                ));
            }
            let mut given = 0;
            for ((read, _), vector) in found.iter().zip(vectors) {
                given += u32::from(self.give(&read.noun.entry.id, vector)?);
            }
            embedded += given;
            if given == 0 {
                break;
            }
        }
        Ok(ReEmbedding {
            embedded,
            left: self.count(Kind::Experience, &without)?,
            dimensions: u32::try_from(length).unwrap_or(u32::MAX),
        })
    }

    /// Gives an entry a vector if it still has none.
    fn give(&self, id: &str, vector: Vec<f32>) -> Result<bool, Error> {
        self.change(|_| {
            let Some(mut read) = self.load::<KeptExperience>(id)? else {
                return Ok((Vec::new(), false));
            };
            if !read.noun.vector.is_empty() || read.noun.entry.archived {
                return Ok((Vec::new(), false));
            }
            read.noun.vector.clone_from(&vector);
            let change = put(&read.noun, host::Precondition::At(read.version));
            Ok((vec![change], true))
        })
    }

    /// Takes the vectors from entries.
    fn strip(&self, conditions: &[Condition]) -> Result<(), Error> {
        loop {
            let stripped = self.change(|_| {
                let page =
                    query::<KeptExperience>(conditions.to_vec(), newest("created-at"), STRIPPED);
                let mut batch = Vec::new();
                for (mut read, _) in self.search::<KeptExperience>(&page)? {
                    read.noun.vector.clear();
                    batch.push(put(&read.noun, host::Precondition::At(read.version)));
                }
                let some = batch.len();
                Ok((batch, some))
            })?;
            if stripped < STRIPPED as usize {
                return Ok(());
            }
        }
    }
}

/// A condition that an entry has no vector.
pub(crate) fn no_vector() -> Condition {
    Condition {
        attribute: "dimensions".to_owned(),
        test: Test::Equals(Value::Number(0.0)),
    }
}

/// Conditions of which one holds for a vector of another length.
fn other_lengths(length: usize) -> [Vec<Condition>; 2] {
    let length = length as f64;
    [
        vec![
            at_least("dimensions", 1.0),
            at_most("dimensions", length - 1.0),
        ],
        vec![at_least("dimensions", length + 1.0)],
    ]
}
