//! Entries: lessons about to be written, with the evidence about them.
//!
//! Owns how a lesson and its evidence are read and written together, and what a new proposal adds to a
//! lesson that is known already.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Change, Precondition},
    memory::{Error, Fingerprint, Lesson, LessonStatus, Origin},
};

use super::{KeptLesson, Proposal, is_recalled, unknown};
use crate::{
    documents::{Kind, Noun, Read, put},
    events::{Known, settled},
    limits,
    patterns::{Body, Head},
    payload,
    ports::Engine,
    usefulness::Evidence,
};

/// What is known about the use of a lesson. A document of its own: it grows with every run, and recall has no
/// need of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptEvidence {
    pub(crate) lesson: String,
    pub(crate) evidence: Evidence,
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
    /// What it has as a pattern, if it is one.
    pub(crate) head: Option<Head>,
    /// The words it has as a pattern, if they are to be written.
    pub(crate) body: Option<Body>,
    version: Option<u32>,
    evidence_version: Option<u32>,
    /// The head as it was read, with its version.
    head_read: Option<Read<Head>>,
}

impl Entry {
    fn new(kept: KeptLesson) -> Self {
        Self {
            kept,
            evidence: Evidence::default(),
            head: None,
            body: None,
            version: None,
            evidence_version: None,
            head_read: None,
        }
    }

    fn is_new(&self) -> bool {
        self.version.is_none()
    }

    fn is_of(&self, proposal: &Proposal) -> bool {
        self.kept.lesson.id == proposal.kept.lesson.id
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

    /// The changes that write it.
    pub(crate) fn changes(&mut self) -> Vec<Change> {
        let precondition = |version: Option<u32>| match version {
            None => Precondition::Absent,
            Some(version) => Precondition::At(version),
        };
        self.kept.summarise(&self.evidence);
        let evidence = KeptEvidence {
            lesson: self.kept.lesson.id.clone(),
            evidence: self.evidence.clone(),
        };
        let mut changes = vec![
            put(&self.kept, precondition(self.version)),
            put(&evidence, precondition(self.evidence_version)),
        ];
        if let Some(head) = &mut self.head {
            head.follow(&self.kept.lesson);
            let read = self.head_read.as_ref();
            if read.is_none_or(|read| read.noun != *head) {
                changes.push(put(head, precondition(read.map(|read| read.version))));
            }
        }
        // The lesson, whose version is checked, owns its words.
        let body = self.body.iter();
        changes.extend(body.map(|body| put(body, Precondition::Anything)));
        changes
    }
}

impl Engine<'_> {
    /// Lessons with their evidence, by id; what is missing is left out.
    pub(crate) fn entries(&self, ids: &[String]) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::with_capacity(ids.len());
        if ids.is_empty() {
            return Ok(entries);
        }
        let keys = |kind: Kind| ids.iter().map(|id| kind.key(id)).collect::<Vec<_>>();
        let mut evidence: BTreeMap<_, _> = self
            .read(&keys(Kind::Evidence))?
            .into_iter()
            .map(|stored| (stored.key.id.clone(), stored))
            .collect();
        let mut heads: BTreeMap<_, _> = self
            .read(&keys(Kind::Pattern))?
            .into_iter()
            .map(|stored| (stored.key.id.clone(), stored))
            .collect();
        for stored in self.read(&keys(Kind::Lesson))? {
            let read = Read::<KeptLesson>::parse(&stored)?;
            let mut entry = Entry::new(read.noun);
            entry.version = Some(read.version);
            if let Some(stored) = heads.remove(&stored.key.id) {
                let read = Read::<Head>::parse(&stored)?;
                entry.head = Some(read.noun.clone());
                entry.head_read = Some(read);
            }
            if let Some(stored) = evidence.remove(&stored.key.id) {
                let read = Read::<KeptEvidence>::parse(&stored)?;
                entry.evidence = read.noun.evidence;
                entry.evidence_version = Some(read.version);
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// One lesson with its evidence.
    pub(crate) fn entry(&self, lesson: &str) -> Result<Entry, Error> {
        match self.load::<KeptLesson>(lesson)? {
            Some(_) => self.entries(&[lesson.to_owned()])?.pop(),
            None => None,
        }
        .ok_or_else(|| unknown(lesson))
    }

    /// Everything that writes some proposed lessons, and the lessons. `touched` are lessons that are about to be
    /// written anyway: those that are proposed again are taken out of it.
    pub(crate) fn entered(
        &self,
        proposals: &[Proposal],
        touched: &mut Vec<Entry>,
        now: u64,
    ) -> Result<(Vec<Change>, Vec<Lesson>), Error> {
        let mut entries: Vec<Entry> = Vec::with_capacity(proposals.len());
        for proposal in proposals {
            // The same lesson may be proposed twice at once.
            let again = entries.iter().position(|entry| entry.is_of(proposal));
            touched.extend(again.map(|place| entries.remove(place)));
            entries.push(self.entry_of(proposal, touched, now)?);
        }
        let lessons: Vec<_> = entries
            .iter()
            .map(|entry| entry.kept.lesson.clone())
            .collect();
        let mut links = BTreeMap::new();
        for entry in entries.iter().filter(|entry| entry.is_new()) {
            for link in self.new_contradictions(&entry.kept.lesson, &lessons, now)? {
                links.insert(link.id(), link);
            }
        }
        let mut changes: Vec<_> = links
            .values()
            .map(|link| put(link, Precondition::Anything))
            .collect();
        for entry in &mut entries {
            changes.extend(entry.changes());
        }
        Ok((changes, lessons))
    }

    /// A proposed lesson as it is to be written: new, or the one that is known already brought up to date.
    fn entry_of(
        &self,
        proposal: &Proposal,
        touched: &mut Vec<Entry>,
        now: u64,
    ) -> Result<Entry, Error> {
        let id = &proposal.kept.lesson.id;
        let place = touched.iter().position(|entry| entry.is_of(proposal));
        let known = match place {
            Some(place) => Some(touched.swap_remove(place)),
            None => self.entries(std::slice::from_ref(id))?.pop(),
        };
        let mut entry = match known {
            Some(mut entry) => {
                if merge(&mut entry.kept.lesson, &proposal.kept.lesson) {
                    entry.evidence.proposed_again();
                }
                let more = proposal.kept.trigger_templates.iter().cloned();
                entry.kept.trigger_templates.extend(more);
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
        let triggers = self.triggers(&kept.lesson.trigger_fingerprints)?;
        kept.lesson.updated_at = now;
        kept.lesson.tags.extend(proposal.tags.iter().cloned());
        for known in triggers {
            kept.lesson.tags.extend(known.tags);
            kept.trigger_templates.push(known.template);
        }
        kept.lesson.tags = settled(std::mem::take(&mut kept.lesson.tags));
        kept.trigger_templates.sort();
        kept.trigger_templates.dedup();
        kept.vector.clone_from(&proposal.kept.vector);
        Ok(entry)
    }

    /// Keeps proposed lessons, all of them at once.
    pub(crate) fn keep(&self, mut proposals: Vec<Proposal>) -> Result<Vec<Lesson>, Error> {
        let now = self.now();
        self.with_vectors(&mut proposals, |proposals| {
            self.change(|_| self.entered(proposals, &mut Vec::new(), now))
        })
    }

    /// Writes lessons with their vectors, or without them if the store refuses those.
    pub(crate) fn with_vectors<T>(
        &self,
        proposals: &mut [Proposal],
        write: impl Fn(&[Proposal]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match write(proposals) {
            // Another embedder than before makes vectors of another length, which a store refuses.
            Err(Error::InvalidArgument(reason)) if proposals.iter().any(Proposal::has_vector) => {
                self.warn(&format!("lessons are kept without their vectors: {reason}"));
                proposals.iter_mut().for_each(Proposal::forget_vector);
                write(proposals)
            }
            written => written,
        }
    }

    /// What is known of the triggers of a lesson.
    fn triggers(&self, ids: &[String]) -> Result<Vec<Fingerprint>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let keys: Vec<_> = ids.iter().map(|id| Kind::Fingerprint.key(id)).collect();
        let stored = self.read(&keys)?;
        stored
            .iter()
            .map(|stored| Ok(Read::<Known>::parse(stored)?.noun.fingerprint))
            .collect()
    }
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
