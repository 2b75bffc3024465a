//! Entries: lessons about to be written, with the evidence about them.
//!
//! Owns how a lesson and its evidence are read and written together, and what a new proposal adds to a
//! lesson that is known already.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{EarlierActivations, Error, Fingerprint, Lesson, LessonStatus, Origin},
};

use super::{KeptLesson, Proposal, is_recalled, unknown};
use crate::{
    events::{Known, settled},
    lessons::patterns::{Body, Head},
    limits, mining, payload,
    store::{Batch, Desk, Kind, Noun, Reader},
    usefulness::Evidence,
};

/// What is known about the use of a lesson. A document of its own: it grows with every run, and recall has no
/// need of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptEvidence {
    pub(crate) lesson: String,
    pub(crate) evidence: Evidence,
    /// The activations that were summed up, if any were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) earlier: Option<EarlierActivations>,
}

impl Noun for KeptEvidence {
    const KIND: Kind = Kind::Evidence;

    fn id(&self) -> String {
        self.lesson.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        Vec::new()
    }
}

/// A lesson about to be written, with the evidence about it.
pub(crate) struct Entry {
    pub(crate) kept: KeptLesson,
    pub(crate) evidence: Evidence,
    /// Its activations that were summed up, if any were.
    pub(crate) earlier: Option<EarlierActivations>,
    /// What it has as a pattern, if it is one.
    pub(crate) head: Option<Head>,
    /// The words it has as a pattern, if they are to be written.
    pub(crate) body: Option<Body>,
    /// Whether nobody knew it before.
    is_new: bool,
    /// The head as it was read.
    head_read: Option<Head>,
}

impl Entry {
    fn new(kept: KeptLesson) -> Self {
        Self {
            kept,
            evidence: Evidence::default(),
            earlier: None,
            head: None,
            body: None,
            is_new: true,
            head_read: None,
        }
    }

    fn is_of(&self, proposal: &Proposal) -> bool {
        self.kept.lesson.id == proposal.kept.lesson.id
    }

    /// Whether nobody knew it before.
    pub(crate) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Whether it is shown at all.
    pub(crate) fn is_recalled(&self) -> bool {
        is_recalled(self.kept.lesson.status)
    }

    /// What it has as a pattern. Only for an entry that was read as one.
    pub(crate) fn pattern(&mut self) -> (&mut Head, &mut Body) {
        let parts = self.head.as_mut().zip(self.body.as_mut());
        parts.expect("a pattern's entry has a head and a body")
    }

    /// Moves the lesson on in its life.
    pub(crate) fn become_status(&mut self, status: LessonStatus, reason: &str, now: u64) {
        let lesson = &mut self.kept.lesson;
        self.evidence.moved(lesson.status, status, now);
        lesson.status = status;
        lesson.status_reason = payload::kept_text(reason, limits::ACTION_BYTES);
        lesson.updated_at = now;
    }

    /// Puts it with all that it has.
    pub(crate) fn put(&mut self, batch: &mut Batch) {
        self.kept.summarise(&self.evidence);
        batch.put(&self.kept);
        batch.put(&KeptEvidence {
            lesson: self.kept.lesson.id.clone(),
            evidence: self.evidence.clone(),
            earlier: self.earlier,
        });
        if let Some(head) = &mut self.head {
            head.follow(&self.kept.lesson);
            if self.head_read.as_ref() != Some(head) {
                batch.put(head);
            }
        }
        if let Some(body) = &self.body {
            // The lesson, whose version is checked, owns its words.
            batch.put_owned(body);
        }
    }
}

/// Lessons with their evidence, by id; what is missing is left out.
pub(crate) fn entries(reader: &Reader, ids: &[String]) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::with_capacity(ids.len());
    let mut evidence = reader.load_by_id::<KeptEvidence>(ids)?;
    let mut heads = reader.load_by_id::<Head>(ids)?;
    for read in reader.load_all::<KeptLesson>(ids)? {
        let mut entry = Entry::new(read.noun);
        entry.is_new = false;
        if let Some(read) = heads.remove(&entry.kept.lesson.id) {
            entry.head = Some(read.noun.clone());
            entry.head_read = Some(read.noun);
        }
        if let Some(read) = evidence.remove(&entry.kept.lesson.id) {
            entry.evidence = read.noun.evidence;
            entry.earlier = read.noun.earlier;
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// One lesson with its evidence.
pub(crate) fn entry(reader: &Reader, lesson: &str) -> Result<Entry, Error> {
    match reader.load::<KeptLesson>(lesson)? {
        Some(_) => entries(reader, &[lesson.to_owned()])?.pop(),
        None => None,
    }
    .ok_or_else(|| unknown(lesson))
}

/// Puts some proposed lessons, and gives the lessons. `touched` are lessons that are about to be put anyway: those
/// that are proposed again are taken out of it.
pub(crate) fn enter(
    batch: &mut Batch,
    proposals: &[Proposal],
    touched: &mut Vec<Entry>,
    now: u64,
) -> Result<Vec<Lesson>, Error> {
    let mut entries: Vec<Entry> = Vec::with_capacity(proposals.len());
    for proposal in proposals {
        // The same lesson may be proposed twice at once.
        let again = entries.iter().position(|entry| entry.is_of(proposal));
        touched.extend(again.map(|place| entries.remove(place)));
        entries.push(entry_of(batch, proposal, touched, now)?);
    }
    let lessons = put_contradictions(batch, &entries, now)?;
    for entry in &mut entries {
        entry.put(batch);
    }
    Ok(lessons)
}

/// Links new lessons with those that they contradict, and gives all of the lessons.
pub(crate) fn put_contradictions(
    batch: &mut Batch,
    entries: &[Entry],
    now: u64,
) -> Result<Vec<Lesson>, Error> {
    let lessons: Vec<_> = entries
        .iter()
        .map(|entry| entry.kept.lesson.clone())
        .collect();
    let mut links = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.is_new) {
        for link in super::links::new_contradictions(batch, &entry.kept.lesson, &lessons, now)? {
            links.insert(link.id(), link);
        }
    }
    for link in links.values() {
        // Whoever finds the contradiction says the same of it.
        batch.put_owned(link);
    }
    Ok(lessons)
}

/// A proposed lesson as it is to be written: new, or the one that is known already brought up to date.
pub(crate) fn entry_of(
    reader: &Reader,
    proposal: &Proposal,
    touched: &mut Vec<Entry>,
    now: u64,
) -> Result<Entry, Error> {
    let id = &proposal.kept.lesson.id;
    let place = touched.iter().position(|entry| entry.is_of(proposal));
    let known = match place {
        Some(place) => Some(touched.swap_remove(place)),
        None => entries(reader, std::slice::from_ref(id))?.pop(),
    };
    let mut entry = match known {
        Some(mut entry) => {
            if merge(&mut entry.kept.lesson, &proposal.kept.lesson) {
                entry.evidence.proposed_again();
            }
            let more = proposal.kept.trigger_templates.iter().cloned();
            entry.kept.trigger_templates.extend(more);
            let cases = &mut entry.kept.cases;
            for case in &proposal.kept.cases {
                if cases.len() < mining::CASES && !cases.contains(case) {
                    cases.push(case.clone());
                }
            }
            entry
        }
        None => {
            let mut kept = proposal.kept.clone();
            kept.lesson.created_at = now;
            Entry::new(kept)
        }
    };
    if let (None, Some((head, body))) = (&entry.head, &proposal.pattern) {
        entry.kept.lesson.kind = head.kind;
        entry.head = Some(head.clone());
        entry.body = Some(body.clone());
    }
    let kept = &mut entry.kept;
    let triggers = triggers(reader, &kept.lesson.trigger_fingerprints)?;
    kept.lesson.updated_at = now;
    kept.lesson.tags.extend(proposal.tags.iter().cloned());
    for known in triggers {
        kept.lesson.tags.extend(known.tags);
        kept.trigger_templates.push(known.template);
    }
    kept.lesson.tags = settled(std::mem::take(&mut kept.lesson.tags));
    kept.trigger_templates.sort();
    kept.trigger_templates.dedup();
    // Without an embedder nothing is known of what it means now; what was known stays.
    if proposal.has_vector() {
        kept.take_vector(&proposal.made());
    }
    Ok(entry)
}

/// Keeps proposed lessons, all of them at once.
pub(crate) fn keep(desk: &mut Desk, mut proposals: Vec<Proposal>) -> Result<Vec<Lesson>, Error> {
    let now = desk.now();
    with_vectors(desk, &mut proposals, |desk, proposals| {
        desk.commit(|batch| enter(batch, proposals, &mut Vec::new(), now))
    })
}

/// Writes lessons with their vectors, or without them if the store refuses those.
pub(crate) fn with_vectors<T>(
    desk: &mut Desk,
    proposals: &mut [Proposal],
    write: impl Fn(&mut Desk, &[Proposal]) -> Result<T, Error>,
) -> Result<T, Error> {
    let has_vectors = proposals.iter().any(Proposal::has_vector);
    desk.with_vectors("lessons were", has_vectors, |desk, with_vectors| {
        if !with_vectors {
            proposals.iter_mut().for_each(Proposal::forget_vector);
        }
        write(desk, proposals)
    })
}

/// What is known of the triggers of a lesson.
fn triggers(reader: &Reader, ids: &[String]) -> Result<Vec<Fingerprint>, Error> {
    let known = reader.load_all::<Known>(ids)?.into_iter();
    Ok(known.map(|read| read.noun.fingerprint).collect())
}

/// Adds what a new proposal of a known lesson brings. Says whether it comes from a run that the lesson does
/// not come from already.
fn merge(known: &mut Lesson, new: &Lesson) -> bool {
    known.tags.extend(new.tags.iter().cloned());
    known.trust = known.trust.max(new.trust);
    let mut independent = false;
    for origin in &new.origins {
        let said = |known: &Origin| known.run == origin.run && known.source == origin.source;
        if known.origins.iter().any(said) {
            continue;
        }
        independent |= !known.origins.iter().any(|known| known.run == origin.run);
        if known.origins.len() < limits::ORIGINS_PER_LESSON {
            known.origins.push(origin.clone());
        }
    }
    independent
}
