//! The index of wordings: from a hypothesis to all that are the same, without looking at the others.
//!
//! Owns how wordings are kept and found. A wording is kept once for each scope, however many records have it,
//! under attributes whose values begin with a hash of its words: of all of them, and of all but one, followed by
//! the one. Whatever [`likeness`](crate::likeness) lets through shares such a hash with the question, so that no
//! match is missed; and since values are ordered and no attribute occurs twice in a document, each look is a
//! short walk in an index, however many documents there are.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{host::Attribute, memory::Error};

use crate::{
    likeness::{NEAR_WORDS, Wording, compare, spellings},
    store::{Batch, Kind, Noun, Reader, ascending, begins_with, digest, query, text},
};

/// Documents that are looked at in one go. The first ones nearly always decide.
const PAGE: u32 = 64;

/// The attribute with the hash of all words.
const ALL: &str = "words";

/// A wording as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptWording {
    scope: String,
    wording: Wording,
}

impl KeptWording {
    /// The wording of a text about a module, within a scope such as the module's rejected decisions.
    pub(crate) fn new(scope: &[&str], wording: &Wording) -> Self {
        Self {
            scope: digest(scope),
            wording: wording.clone(),
        }
    }

    /// The wordings under which a text about a module may be kept, the text's own first.
    pub(crate) fn sought(scope: &[&str], module: &str, text: &str) -> Vec<Self> {
        let wording = |text: &String| Self::new(scope, &Wording::new(module, text));
        spellings(text).iter().map(wording).collect()
    }

    fn hash(&self, without: Option<usize>) -> String {
        digest(&[&self.scope, &self.wording.signature(without)])
    }

    /// Where near wordings are to be looked for: an attribute and how its value begins.
    fn near(&self) -> Vec<(String, String)> {
        let words = self.wording.words();
        if words.len() > NEAR_WORDS {
            return Vec::new();
        }
        let mut places = Vec::new();
        // They have one word more, at any place.
        if words.len() < NEAR_WORDS {
            let hash = self.hash(None);
            places.extend((0..=words.len()).map(|at| (lack(at), format!("{hash}:+"))));
        }
        for (at, word) in words.iter().enumerate() {
            // They have one word less.
            if self.wording.may_lack(at) {
                places.push((ALL.to_owned(), format!("{}:", self.hash(Some(at)))));
            }
            // They have a slip in one word. It begins with the same letter, so its place is among the words that do.
            if self.wording.may_slip(at) {
                let first = word.chars().next();
                let alike = |other: &&String| other.chars().next() == first;
                let count = words.iter().filter(alike).count();
                let start = words.iter().position(|other| alike(&other)).unwrap_or(at);
                let hash = self.hash(Some(at));
                let letter = first.map(String::from).unwrap_or_default();
                for place in start..start + count {
                    for mark in ['+', '~'] {
                        places.push((lack(place), format!("{hash}:{mark}{letter}")));
                    }
                }
            }
        }
        places
    }
}

/// The attribute of the hash that lacks the word at a place.
fn lack(place: usize) -> String {
    format!("lack-{place}")
}

impl Noun for KeptWording {
    const KIND: Kind = Kind::Wording;

    fn id(&self) -> String {
        let form = serde_json::to_string(&self.wording).expect("a wording is plain data");
        digest(&[&self.scope, &form])
    }

    fn attributes(&self) -> Vec<Attribute> {
        let id = self.id();
        let mut attributes = vec![text(ALL, &format!("{}:{id}", self.hash(None)))];
        for (at, word) in self.wording.words().iter().enumerate() {
            let mark = match (self.wording.may_lack(at), self.wording.may_slip(at)) {
                (true, _) => '+',
                (false, true) => '~',
                (false, false) => continue,
            };
            let value = format!("{}:{mark}{word}:{id}", self.hash(Some(at)));
            attributes.push(text(&lack(at), &value));
        }
        attributes
    }
}

/// Puts those wordings that are not kept yet.
pub(crate) fn put_new(batch: &mut Batch, wordings: &[KeptWording]) -> Result<(), Error> {
    let ids: Vec<_> = wordings.iter().map(Noun::id).collect();
    let keys: Vec<_> = ids.iter().map(|id| Kind::Wording.key(id)).collect();
    let stored = batch.read(&keys)?;
    let mut kept: BTreeSet<_> = stored.into_iter().map(|stored| stored.key.id).collect();
    for (wording, id) in wordings.iter().zip(ids) {
        if kept.insert(id) {
            batch.add(wording);
        }
    }
    Ok(())
}

/// Goes through the kept wordings that are the same hypothesis, until `accept` takes one: the same words
/// first, then those that differ in one; of what one lookup finds, the most similar first. The other ways to write what
/// is sought come after.
pub(crate) fn same_hypotheses<T>(
    reader: &Reader,
    sought: &[KeptWording],
    mut accept: impl FnMut(&str, f64) -> Result<Option<T>, Error>,
) -> Result<Option<(T, f64)>, Error> {
    for sought in sought {
        if let Some(found) = same_as(reader, sought, &mut accept)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn same_as<T>(
    reader: &Reader,
    sought: &KeptWording,
    mut accept: impl FnMut(&str, f64) -> Result<Option<T>, Error>,
) -> Result<Option<(T, f64)>, Error> {
    let exact = vec![(ALL.to_owned(), format!("{}:", sought.hash(None)))];
    let mut seen = BTreeSet::new();
    for mut places in [exact, sought.near()] {
        let mut offset = 0;
        while !places.is_empty() {
            let mut candidates = Vec::new();
            let mut unfinished = Vec::new();
            for (attribute, prefix) in places {
                let conditions = begins_with(&attribute, &prefix, "");
                let mut query = query::<KeptWording>(conditions, ascending(&attribute), PAGE);
                query.offset = offset;
                let found = reader.search::<KeptWording>(&query)?;
                if found.len() == PAGE as usize {
                    unfinished.push((attribute, prefix));
                }
                for (read, _) in found {
                    let id = read.noun.id();
                    if let Some(similarity) = compare(&sought.wording, &read.noun.wording)
                        && seen.insert(id.clone())
                    {
                        candidates.push((similarity, id));
                    }
                }
            }
            candidates.sort_by(|left, right| {
                right
                    .0
                    .total_cmp(&left.0)
                    .then_with(|| left.1.cmp(&right.1))
            });
            for (similarity, id) in candidates {
                if let Some(taken) = accept(&id, similarity)? {
                    return Ok(Some((taken, similarity)));
                }
            }
            places = unfinished;
            offset += PAGE;
        }
    }
    Ok(None)
}
