//! The entry: an experience as it is stored.
//!
//! Owns the two documents of an entry and how they are read and written together: what was experienced, which only
//! edits change, and how often it was found, which is small because every search writes it, and which is there from the
//! first time on.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{Error, ExperienceEntry, FeedbackType},
};

pub(crate) use super::relevance::{UNUSED, Use, active, archived};
use super::{own::Own, relevance::state};
use crate::{
    store::{Batch, Kind, MODEL, Noun, Read, Reader, digest, number, text},
    text as terms,
};

/// What was experienced. Whatever [`Use`] says of the entry is not read from here.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptExperience {
    pub(crate) entry: ExperienceEntry,
    /// The vector of its input; empty if no embedder was there.
    pub(crate) vector: Vec<f32>,
    /// What made the vector; empty in memories of an earlier version, which nobody compares with.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) vector_model: String,
    /// Whether all of it is what its episode says. When it is pruned nothing is kept of it then: the episode is there, and
    /// the entry can be made again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_view: bool,
    /// Whether its episode is deleted: then nothing finds it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) deleted: bool,
    /// Whether it was found already, so that there is a [`Use`] of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) used: bool,
    /// What it was before it took in others; none if it did not, or if an earlier version merged them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) own: Option<Own>,
}

impl Noun for KeptExperience {
    const KIND: Kind = Kind::Experience;

    fn id(&self) -> String {
        self.entry.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let entry = &self.entry;
        let mut attributes = vec![
            text(
                "state",
                if self.deleted {
                    DELETED
                } else {
                    state(entry.archived)
                },
            ),
            text("type", entry.memory_type.as_str()),
            text("domain", &entry.domain),
            number("created-at", entry.created_at as f64),
            number("dimensions", self.vector.len() as f64),
        ];
        if !self.vector.is_empty() {
            attributes.push(text(MODEL, &self.vector_model));
        }
        attributes.extend(entry.tags.iter().map(|tag| text("tag", tag)));
        // Nothing is merged with what is not searched.
        if !entry.archived && !self.deleted {
            let words = terms::telling(&entry.input);
            attributes.push(text(WORDS, &words_id(&words)));
            let unused = (!self.used).then(|| number(UNUSED, entry.created_at as f64));
            attributes.extend(unused);
        }
        if !entry.strategy_card.is_empty() {
            attributes.push(text("has", CARD));
        }
        if entry.structured_feedback.is_some() {
            attributes.push(text("has", FEEDBACK));
        }
        attributes
    }

    fn terms(&self) -> String {
        // Archived entries would be among the best by words, and only grow in number.
        if self.entry.archived || self.deleted {
            return String::new();
        }
        terms::indexed(&self.entry.input).join(" ")
    }

    fn vector(&self) -> Vec<f32> {
        // What is not searched does not stand in the way of another embedder.
        if self.entry.archived || self.deleted {
            return Vec::new();
        }
        self.vector.clone()
    }
}

/// The attribute by which entries whose tasks have the same words are found.
pub(super) const WORDS: &str = "words";

/// What entries whose tasks have the same words have in common.
pub(super) fn words_id(words: &BTreeSet<String>) -> String {
    digest(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The state of an entry whose episode is deleted.
const DELETED: &str = "deleted";

/// The value of the attribute `has` for an entry with a strategy card.
pub(crate) const CARD: &str = "card";

/// The value of the attribute `has` for an entry with structured feedback.
pub(crate) const FEEDBACK: &str = "feedback";

impl KeptExperience {
    /// The entry as it is answered.
    pub(crate) fn shown(self, used: &Use, decay: f64, now: u64) -> ExperienceEntry {
        ExperienceEntry {
            access_count: used.access_count,
            last_accessed_at: used.last_accessed_at,
            relevance_score: used.relevance(decay, now),
            has_embedding: !self.vector.is_empty(),
            ..self.entry
        }
    }
}

/// How an experience went, by its numbers or else by its words.
pub(crate) fn kind(entry: &ExperienceEntry) -> Option<FeedbackType> {
    match &entry.structured_feedback {
        Some(feedback) => Some(feedback.kind),
        None => super::feedback::kind_of(&entry.feedback),
    }
}

/// Whether an experience is one of success.
pub(crate) fn succeeded(entry: &ExperienceEntry) -> bool {
    kind(entry) == Some(FeedbackType::Success)
}

/// Whether an experience is one of failure.
pub(crate) fn failed(entry: &ExperienceEntry) -> bool {
    kind(entry) == Some(FeedbackType::Failure)
}

/// An entry with its use, to be changed.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub(crate) kept: KeptExperience,
    pub(crate) used: Use,
    /// Whether its use is a document.
    has_use: bool,
}

impl Held {
    /// One that is not there yet.
    pub(crate) fn new(kept: KeptExperience, used: Use) -> Self {
        Self {
            kept,
            used,
            has_use: false,
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.kept.entry.id
    }

    /// Takes it out of the search: pruned, or merged into another.
    pub(crate) fn archive(&mut self, into: Option<&str>) {
        self.kept.entry.archived = true;
        self.kept.entry.merged_into = into.map(str::to_owned);
        self.used.archived = true;
    }

    /// Lets it be searched again. It is as if somebody had just made and found it, so that it is not the next to go.
    pub(crate) fn restore(&mut self, now: u64) {
        self.kept.entry.archived = false;
        self.kept.entry.merged_into = None;
        self.used = Use {
            access_count: self.used.access_count.saturating_add(1),
            last_accessed_at: Some(now),
            ..Use::none(&self.kept.entry.id, now)
        };
    }

    /// Lets what was merged into another be searched by itself.
    pub(crate) fn set_free(&mut self) {
        self.kept.entry.archived = false;
        self.kept.entry.merged_into = None;
        self.used.archived = self.kept.deleted;
    }

    /// Hides it with its episode, or lets it be found again.
    pub(crate) fn set_deleted(&mut self, deleted: bool) {
        self.kept.deleted = deleted;
        self.used.archived = deleted || self.kept.entry.archived;
    }

    /// Puts it, or takes it away if it was pruned and its episode says all of it.
    pub(crate) fn put(&self, batch: &mut Batch) {
        let entry = &self.kept.entry;
        if self.kept.is_view && entry.archived && entry.merged_into.is_none() {
            batch.remove(Kind::Experience, &entry.id);
            if self.has_use {
                batch.remove(Kind::ExperienceUse, &entry.id);
            }
            return;
        }
        if !self.has_use && self.used.is_none() {
            batch.put(&self.kept);
            return;
        }
        batch.put(&KeptExperience {
            used: true,
            ..self.kept.clone()
        });
        batch.put(&self.used);
    }
}

/// Some entries, to be changed. What is not there is left out.
pub(crate) fn held(reader: &Reader, reads: Vec<Read<KeptExperience>>) -> Result<Vec<Held>, Error> {
    let mut uses = reader.load_by_id::<Use>(reads.iter().map(|read| &read.noun.entry.id))?;
    let held = reads.into_iter().map(|read| {
        let entry = &read.noun.entry;
        let used = uses.remove(&entry.id);
        let none = || Use {
            archived: entry.archived,
            ..Use::none(&entry.id, entry.created_at)
        };
        Held {
            has_use: used.is_some(),
            used: used.map_or_else(none, |used| used.noun),
            kept: read.noun,
        }
    });
    Ok(held.collect())
}

/// Entries by their ids, to be changed. What is not there is left out.
pub(crate) fn held_by_id<'s>(
    reader: &Reader,
    ids: impl Iterator<Item = &'s str>,
) -> Result<Vec<Held>, Error> {
    held(reader, reader.load_all(ids)?)
}

/// Entries as they are answered.
pub(crate) fn shown_entries(
    reader: &Reader,
    kept: Vec<KeptExperience>,
) -> Result<Vec<ExperienceEntry>, Error> {
    let decay = super::settings::experience_settings(reader)?.relevance_decay;
    let now = reader.now();
    let uses = reader.load_by_id::<Use>(kept.iter().map(|kept| &kept.entry.id))?;
    let shown = kept.into_iter().map(|kept| {
        let none = Use::none(&kept.entry.id, kept.entry.created_at);
        let used = uses.get(&kept.entry.id).map_or(&none, |read| &read.noun);
        kept.shown(used, decay, now)
    });
    Ok(shown.collect())
}
