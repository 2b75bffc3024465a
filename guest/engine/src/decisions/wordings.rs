//! The index of wordings: from a hypothesis to all that are the same, without looking at the others.
//!
//! Owns how wordings are kept and found. A wording is kept once for each scope, however many records have it,
//! under attributes whose values begin with a hash of its words: of all of them, and of all but one, followed by
//! the one. Whatever [`likeness`](crate::likeness) lets through shares such a hash with the question, so that no
//! match is missed; and since values are ordered and no attribute occurs twice in a document, each look is a
//! short walk in an index, however many documents there are. What says the same in other words is found by the
//! marks of its words, most of them first.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Order},
    memory::Error,
};

use crate::{
    likeness::{Idea, NEAR_WORDS, Wording, compare, said_otherwise, spellings},
    store::{Batch, Kind, Noun, Reader, ascending, begins_with, digest, query, text},
};

/// Documents that are looked at in one go. The first ones nearly always decide.
const PAGE: u32 = 64;

/// How much of a scope's hash stands before a mark: enough that two scopes hardly ever share one, and what is found is compared anyway.
const SCOPE: usize = 8;

/// The attribute with the hash of all words.
const ALL: &str = "words";

/// How many wordings with other words are compared: those that share most with what is sought.
const COMPARED: u32 = 48;

/// A wording as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptWording {
    scope: String,
    wording: Wording,
    /// The text that was worded so first, and its module. Earlier versions did not keep them; what they kept is found by its words
    /// alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    module: String,
}

impl KeptWording {
    /// The wording of a text about a module, within a scope such as the module's rejected decisions.
    pub(crate) fn new(scope: &[&str], module: &str, text: &str) -> Self {
        Self {
            scope: digest(scope),
            wording: Wording::new(module, text),
            text: text.to_owned(),
            module: module.to_owned(),
        }
    }

    /// The wordings under which a text about a module may be kept, the text's own first.
    pub(crate) fn sought(scope: &[&str], module: &str, text: &str) -> Vec<Self> {
        let wording = |text: &String| Self::new(scope, module, text);
        spellings(text).iter().map(wording).collect()
    }

    /// What it says; none if it was kept by an earlier version, without its text.
    fn idea(&self) -> Option<Idea> {
        (!self.text.is_empty()).then(|| Idea::new(&self.module, &self.text))
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

    fn terms(&self) -> String {
        // A mark is of its scope, so that no other is looked at.
        let scope = &self.scope[..self.scope.len().min(SCOPE)];
        let marks = self.idea().map(|idea| idea.marks()).unwrap_or_default();
        let scoped: Vec<_> = marks.iter().map(|mark| format!("{scope}{mark}")).collect();
        scoped.join(" ")
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
    match sought.first() {
        Some(sought) => in_other_words(reader, sought, accept),
        None => Ok(None),
    }
}

/// Goes through the kept wordings that say the same in other words, the most similar first.
fn in_other_words<T>(
    reader: &Reader,
    sought: &KeptWording,
    mut accept: impl FnMut(&str, f64) -> Result<Option<T>, Error>,
) -> Result<Option<(T, f64)>, Error> {
    let (Some(idea), terms) = (sought.idea(), sought.terms()) else {
        return Ok(None);
    };
    if terms.is_empty() {
        return Ok(None);
    }
    let query = query::<KeptWording>(Vec::new(), Order::ByText(terms), COMPARED);
    let mut candidates = Vec::new();
    for (read, _) in reader.search::<KeptWording>(&query)? {
        let kept = read.noun;
        if kept.scope != sought.scope || compare(&sought.wording, &kept.wording).is_some() {
            continue;
        }
        let similarity = kept
            .idea()
            .and_then(|other| said_otherwise((&sought.wording, &idea), (&kept.wording, &other)));
        candidates.extend(similarity.map(|similarity| (similarity, kept.id())));
    }
    candidates.sort_by(most_similar_first);
    for (similarity, id) in candidates {
        if let Some(taken) = accept(&id, similarity)? {
            return Ok(Some((taken, similarity)));
        }
    }
    Ok(None)
}

/// Whether two wordings with the same words say the opposite.
fn are_opposite(sought: &KeptWording, kept: &KeptWording) -> bool {
    if sought.text == kept.text {
        return false;
    }
    match (sought.idea(), kept.idea()) {
        (Some(idea), Some(other)) => idea.is_opposite(&other),
        _ => false,
    }
}

fn most_similar_first(left: &(f64, String), right: &(f64, String)) -> std::cmp::Ordering {
    right
        .0
        .total_cmp(&left.0)
        .then_with(|| left.1.cmp(&right.1))
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
                        && !are_opposite(sought, &read.noun)
                        && seen.insert(id.clone())
                    {
                        candidates.push((similarity, id));
                    }
                }
            }
            candidates.sort_by(most_similar_first);
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
