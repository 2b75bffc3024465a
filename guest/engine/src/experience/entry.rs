//! The entry: an experience as it is kept.
//!
//! Owns the two documents of an entry and how they are read and written together: what was experienced, which only
//! edits change, and how often it was found, which is small because every search writes it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Change, Condition, Precondition},
    memory::{Error, ExperienceEntry, FeedbackType},
};

use super::relevance::{Choice, days_between, relevance, surplus};
use crate::{
    documents::{Kind, Noun, Read, ascending, equals, number, put, query, text},
    limits,
    ports::Engine,
    text as terms,
};

/// What was experienced. Whatever [`Use`] says of the entry is not read from here.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptExperience {
    pub(crate) entry: ExperienceEntry,
    /// The vector of its input; empty if no embedder was there.
    pub(crate) vector: Vec<f32>,
}

/// How often an entry was found.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Use {
    pub(crate) id: String,
    pub(crate) created_at: u64,
    pub(crate) access_count: u32,
    pub(crate) last_accessed_at: Option<u64>,
    pub(crate) archived: bool,
}

impl Noun for KeptExperience {
    const KIND: Kind = Kind::Experience;

    fn id(&self) -> String {
        self.entry.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let entry = &self.entry;
        let mut attributes = vec![
            text("state", state(entry.archived)),
            text("type", entry.memory_type.as_str()),
            text("domain", &entry.domain),
            number("created-at", entry.created_at as f64),
            number("dimensions", self.vector.len() as f64),
        ];
        attributes.extend(entry.tags.iter().map(|tag| text("tag", tag)));
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
        if self.entry.archived {
            return String::new();
        }
        let words: Vec<_> = terms::telling(&self.entry.input).into_iter().collect();
        words.join(" ")
    }

    fn vector(&self) -> Vec<f32> {
        // What is not searched does not stand in the way of another embedder.
        if self.entry.archived {
            return Vec::new();
        }
        self.vector.clone()
    }
}

impl Noun for Use {
    const KIND: Kind = Kind::ExperienceUse;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let mut attributes = vec![
            text("state", state(self.archived)),
            number("created-at", self.created_at as f64),
        ];
        // Who looks for the entry that was used longest ago does not have to pass all that are archived.
        if !self.archived {
            attributes.push(number("used-at", self.used_at() as f64));
        }
        attributes
    }
}

/// How many uses are read at once.
const USES: u32 = 64;

/// The value of the attribute `has` for an entry with a strategy card.
pub(crate) const CARD: &str = "card";

/// The value of the attribute `has` for an entry with structured feedback.
pub(crate) const FEEDBACK: &str = "feedback";

fn state(archived: bool) -> &'static str {
    if archived { "archived" } else { "active" }
}

/// A condition that an entry is searched.
pub(crate) fn active() -> Condition {
    equals("state", state(false))
}

/// A condition that an entry is kept and not searched.
pub(crate) fn archived() -> Condition {
    equals("state", state(true))
}

impl Use {
    /// The use of an entry that nobody found yet.
    pub(crate) fn none(id: &str, created_at: u64) -> Self {
        Self {
            id: id.to_owned(),
            created_at,
            access_count: 0,
            last_accessed_at: None,
            archived: false,
        }
    }

    /// When it was last found, or else made.
    pub(crate) fn used_at(&self) -> u64 {
        self.last_accessed_at.unwrap_or(self.created_at)
    }

    /// What the entry is worth now.
    pub(crate) fn relevance(&self, decay: f64, now: u64) -> f64 {
        relevance(decay, days_between(self.used_at(), now), self.access_count)
    }
}

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
fn kind(entry: &ExperienceEntry) -> Option<FeedbackType> {
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
    /// The versions of both; none for what is not there yet.
    versions: (Option<u32>, Option<u32>),
}

impl Held {
    /// One that is not there yet.
    pub(crate) fn new(kept: KeptExperience, used: Use) -> Self {
        Self {
            kept,
            used,
            versions: (None, None),
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

    /// The changes that write it.
    pub(crate) fn changes(&self) -> [Change; 2] {
        let condition = |version| match version {
            None => Precondition::Absent,
            Some(version) => Precondition::At(version),
        };
        [
            put(&self.kept, condition(self.versions.0)),
            put(&self.used, condition(self.versions.1)),
        ]
    }
}

impl Engine<'_> {
    /// The uses of some entries, by id.
    pub(crate) fn uses_of<'s>(
        &self,
        ids: impl Iterator<Item = &'s str>,
    ) -> Result<BTreeMap<String, Read<Use>>, Error> {
        let keys: Vec<_> = ids.map(|id| Kind::ExperienceUse.key(id)).collect();
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        let stored = self.read(&keys)?;
        stored
            .iter()
            .map(|stored| Ok((stored.key.id.clone(), Read::parse(stored)?)))
            .collect()
    }

    /// Some entries, to be changed. What is not there is left out.
    pub(crate) fn held(&self, reads: Vec<Read<KeptExperience>>) -> Result<Vec<Held>, Error> {
        let mut uses = self.uses_of(reads.iter().map(|read| read.noun.entry.id.as_str()))?;
        let held = reads.into_iter().map(|read| {
            let entry = &read.noun.entry;
            let used = uses.remove(&entry.id);
            let version = used.as_ref().map(|used| used.version);
            let none = || Use {
                archived: entry.archived,
                ..Use::none(&entry.id, entry.created_at)
            };
            Held {
                used: used.map_or_else(none, |used| used.noun),
                versions: (Some(read.version), version),
                kept: read.noun,
            }
        });
        Ok(held.collect())
    }

    /// Entries by their ids, to be changed. What is not there is left out.
    pub(crate) fn held_by_id<'s>(
        &self,
        ids: impl Iterator<Item = &'s str>,
    ) -> Result<Vec<Held>, Error> {
        let keys: Vec<_> = ids.map(|id| Kind::Experience.key(id)).collect();
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let stored = self.read(&keys)?;
        let reads = stored.iter().map(Read::parse).collect::<Result<_, _>>()?;
        self.held(reads)
    }

    /// The uses of all entries that are searched, oldest first.
    pub(crate) fn active_uses(&self) -> Result<Vec<Use>, Error> {
        let all = query::<Use>(vec![active()], ascending("created-at"), limits::EXPERIENCES);
        let found = self.search::<Use>(&all)?;
        Ok(found.into_iter().map(|(read, _)| read.noun).collect())
    }

    /// The entries that go if so many have to, the first to go first. Reads from the one that was not used for longest
    /// until nothing else can go, not all of them: this is asked whenever an entry comes to a full memory.
    pub(crate) fn expendable(
        &self,
        beyond: usize,
        choice: Choice,
        may_go: impl Fn(&Use) -> bool,
    ) -> Result<Vec<Use>, Error> {
        let order = match choice {
            Choice::Relevance { .. } => "used-at",
            Choice::Oldest => "created-at",
        };
        let mut uses = Vec::new();
        let mut page = query::<Use>(vec![active()], ascending(order), USES);
        loop {
            let found = self.search::<Use>(&page)?;
            let last = found.last().map(|(read, _)| read.noun.used_at());
            let whole = found.len() == USES as usize;
            uses.extend(found.into_iter().map(|(read, _)| read.noun).filter(&may_go));
            let settled = last.is_none_or(|last| choice.is_settled(&uses, beyond, last));
            if settled || !whole {
                return Ok(surplus(uses, beyond, choice));
            }
            page.offset += USES;
        }
    }

    /// Entries as they are answered.
    pub(crate) fn shown_entries(
        &self,
        kept: Vec<KeptExperience>,
    ) -> Result<Vec<ExperienceEntry>, Error> {
        let decay = self.experience_settings()?.relevance_decay;
        let now = self.now();
        let uses = self.uses_of(kept.iter().map(|kept| kept.entry.id.as_str()))?;
        let shown = kept.into_iter().map(|kept| {
            let none = Use::none(&kept.entry.id, kept.entry.created_at);
            let used = uses.get(&kept.entry.id).map_or(&none, |read| &read.noun);
            kept.shown(used, decay, now)
        });
        Ok(shown.collect())
    }
}
