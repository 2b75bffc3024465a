//! Vectors of tasks: how the embedder makes them, and what happens when it changes.
//!
//! Owns that only vectors of the same length are compared. If the embedder returns others than before, experience
//! is compared by words until `re-embed` has replaced the old vectors.

use twiceshy_wit::{
    host::{Condition, Test, Value},
    memory::{Error, ReEmbedding},
};

use super::entry::{KeptExperience, active};
use crate::store::{Desk, EMBEDDED, Kind, Meaning, Reader, at_least, at_most, newest, query};

/// Entries that lose an old vector in one commit.
const STRIPPED: u32 = 200;

/// A meaning if all entries that are searched have vectors of its length; else none, and the log says what to do.
pub(crate) fn fitting(reader: &Reader, meaning: Meaning) -> Result<Meaning, Error> {
    if meaning.is_empty() || others(reader, meaning.vector.len())? == 0 {
        return Ok(meaning);
    }
    reader.warn(&format!(
            "the embedder returns vectors of {} components, but entries have others, so words are compared; \
             `experience.re-embed` replaces the vectors",
            meaning.vector.len()
        ));
    Ok(Meaning::default())
}

/// Entries that are searched by a vector of another length.
fn others(reader: &Reader, length: usize) -> Result<u32, Error> {
    let mut count = 0;
    for condition in other_lengths(length) {
        count += reader.count(Kind::Experience, &[vec![active()], condition].concat())?;
    }
    Ok(count)
}

pub(crate) fn give_vectors(desk: &mut Desk, limit: u32) -> Result<ReEmbedding, Error> {
    let limit = if limit == 0 { EMBEDDED as u32 } else { limit };
    // An embedder that only adds up words says too little to merge experience by.
    if desk.model_of_vectors().is_some() && !desk.has_reading_embedder() {
        return Err(Error::Unavailable(
            "Experience is compared by words until an embedder is plugged in; [embedding] in config.toml names one."
                .to_owned(),
        ));
    }
    let length = desk.embed(&["how long are vectors?"])?[0].len();
    for condition in other_lengths(length) {
        strip(desk, &[vec![active()], condition].concat())?;
    }
    let without = vec![active(), no_vector()];
    let mut embedded = 0;
    while embedded < limit {
        let some = (EMBEDDED as u32).min(limit - embedded);
        let page = query::<KeptExperience>(without.clone(), newest("created-at"), some);
        let found = desk.search::<KeptExperience>(&page)?;
        if found.is_empty() {
            break;
        }
        let inputs: Vec<_> = found
            .iter()
            .map(|(read, _)| read.noun.entry.input.as_str())
            .collect();
        let vectors = desk.embed(&inputs)?;
        if vectors[0].len() != length {
            return Err(Error::Conflict(
                    "The embedder changed the length of its vectors in the meantime. Call `experience.re-embed` again."
                        .to_owned(),
                ));
        }
        let mut given = 0;
        for ((read, _), vector) in found.iter().zip(vectors) {
            given += u32::from(give(desk, &read.noun.entry.id, vector)?);
        }
        embedded += given;
        if given == 0 {
            break;
        }
    }
    Ok(ReEmbedding {
        embedded,
        left: desk.count(Kind::Experience, &without)?,
        dimensions: u32::try_from(length).unwrap_or(u32::MAX),
    })
}

/// Gives an entry a vector if it still has none.
fn give(desk: &mut Desk, id: &str, vector: Vec<f32>) -> Result<bool, Error> {
    desk.commit(|batch| {
        let Some(mut read) = batch.load::<KeptExperience>(id)? else {
            return Ok(false);
        };
        if !read.noun.vector.is_empty() || read.noun.entry.archived {
            return Ok(false);
        }
        read.noun.vector.clone_from(&vector);
        batch.put(&read.noun);
        Ok(true)
    })
}

/// Takes the vectors from entries.
fn strip(desk: &mut Desk, conditions: &[Condition]) -> Result<(), Error> {
    loop {
        let stripped = desk.commit(|batch| {
            let page = query::<KeptExperience>(conditions.to_vec(), newest("created-at"), STRIPPED);
            for (mut read, _) in batch.search::<KeptExperience>(&page)? {
                read.noun.vector.clear();
                batch.put(&read.noun);
            }
            Ok(batch.len())
        })?;
        if stripped < STRIPPED as usize {
            return Ok(());
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
