//! Vectors of tasks: how the embedder makes them, and what happens when it changes.
//!
//! Owns that only vectors of one embedder are compared. What has a vector of another one is compared by words until
//! `re-embed` has replaced it.

use twiceshy_wit::{
    host::{Condition, Order, Test, Value},
    memory::{Error, ReEmbedding},
};

use super::entry::{KeptExperience, active};
use crate::store::{
    Desk, EMBEDDED, Kind, MODEL, Meaning, Reader, at_least, at_most, equals, from_host, newest,
    query,
};

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

/// Whether entries that are searched have vectors of another embedder.
pub(crate) fn has_others(reader: &Reader, model: &str) -> Result<bool, Error> {
    let with_vectors = [active(), at_least("dimensions", 1.0)];
    let own = [active(), at_least("dimensions", 1.0), equals(MODEL, model)];
    let all = reader.count(Kind::Experience, &with_vectors)?;
    Ok(all > reader.count(Kind::Experience, &own)?)
}

/// A condition that an entry is searched.
pub(crate) fn searched() -> Condition {
    active()
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
    let model = desk.embedder.identity().map_err(from_host)?;
    let length = desk.embed(&["how long are vectors?"])?[0].len();
    if has_others(desk, &model)? {
        strip_others(desk, &model)?;
    }
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
            given += u32::from(give(desk, &read.noun.entry.id, &model, vector)?);
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
fn give(desk: &mut Desk, id: &str, model: &str, vector: Vec<f32>) -> Result<bool, Error> {
    desk.commit(|batch| {
        let Some(mut read) = batch.load::<KeptExperience>(id)? else {
            return Ok(false);
        };
        if !read.noun.vector.is_empty() || read.noun.entry.archived {
            return Ok(false);
        }
        read.noun.vector.clone_from(&vector);
        model.clone_into(&mut read.noun.vector_model);
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

/// Takes the vectors of other embedders from entries.
fn strip_others(desk: &mut Desk, model: &str) -> Result<(), Error> {
    let with_vectors = vec![active(), at_least("dimensions", 1.0)];
    let mut page = query::<KeptExperience>(with_vectors, Order::ById, STRIPPED);
    loop {
        let (found, stripped) = desk.commit(|batch| {
            let found = batch.search::<KeptExperience>(&page)?;
            let count = found.len();
            for (mut read, _) in found {
                if read.noun.vector_model != model {
                    read.noun.vector.clear();
                    batch.put(&read.noun);
                }
            }
            Ok((count, batch.len()))
        })?;
        if found < STRIPPED as usize {
            return Ok(());
        }
        // What was stripped is no longer among them.
        page.offset += (found - stripped) as u32;
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
