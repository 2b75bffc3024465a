//! Undoing a consolidation: every document as it was before, the last change first.
//!
//! Owns what can be taken back: what was changed at once goes back at once, if each of its documents is still as the
//! consolidation left it. What somebody changed since stays, and is told. Nothing of the journal is removed.

use std::collections::BTreeMap;

use twiceshy_wit::{
    host::{Change, Document, Precondition, Put, Removal},
    memory::{
        Activation, Consolidation, ConsolidationChange, Episode, Error, Link, PatternVersion,
        Stage, TraceStep,
    },
};

use super::{
    LEASE_MS, TOLD,
    episodes::CombinedVector,
    journal::{Changed, Journal, JournalEntry, STANDING, State, digest_of, document},
};
use crate::{
    documents::{Kind, Read, at_most, equals, newest, put, query},
    episodes::{KeptAccount, KeptConsolidated, KeptLifecycle, shelved},
    lessons::{KeptEvidence, KeptLesson},
    patterns,
    ports::{Engine, Ports},
    skills::{KeptSkill, KeptSkillVersion},
};

/// Entries of the journal that are gone through at one call.
const PAGE: u32 = 64;

impl Engine<'_> {
    /// Takes back one piece of what a consolidation changed.
    pub(crate) fn undo_piece(&self, id: &str, after: &str) -> Result<Consolidation, Error> {
        let Read { mut noun, version } = self.gone_on(id)?;
        let stage = noun.current();
        if noun.undone {
            return Ok(noun.answer(stage, Vec::new()));
        }
        let now = self.now();
        if noun.ended_at.is_none() && after.is_empty() && now < noun.touched_at + LEASE_MS {
            return Err(Error::Busy(format!(
                "the consolidation `{id}` is at work; undo it when it is over"
            )));
        }
        let last = query::<JournalEntry>(vec![equals("consolidation", id)], newest("place"), 1);
        let last = self.search::<JournalEntry>(&last)?.pop();
        let total = last.map_or(0, |(read, _)| read.noun.place + 1);
        let below = match after {
            "" => total,
            after => after.parse().map_err(|_| {
                Error::InvalidArgument(
                    "after is not the `next` of undo-consolidation; leave it empty to begin anew"
                        .to_owned(),
                )
            })?,
        };
        let mut changes = Vec::new();
        let mut left_to_do = None;
        if let Some(last) = below.checked_sub(1) {
            let conditions = vec![equals(STANDING, id), at_most("place", f64::from(last))];
            let page = query::<JournalEntry>(conditions, newest("place"), PAGE);
            let page = self.search::<JournalEntry>(&page)?;
            let full = page.len() == PAGE as usize;
            let mut commits: BTreeMap<u32, Vec<Read<JournalEntry>>> = BTreeMap::new();
            for (read, _) in page {
                commits.entry(read.noun.commit).or_default().push(read);
            }
            // A commit whose first entry is not on the page is left for the next one.
            let whole = |entries: &[Read<JournalEntry>]| {
                entries
                    .iter()
                    .any(|read| read.noun.place == read.noun.commit)
            };
            for (commit, entries) in commits.into_iter().rev() {
                if !whole(&entries) {
                    break;
                }
                self.undo_commit(&entries, &mut changes)?;
                left_to_do = Some(commit).filter(|_| full);
            }
        }
        noun.ended_at.get_or_insert(now);
        noun.undone = left_to_do.is_none();
        noun.touched_at = now;
        self.save(&noun, version)?;
        changes.truncate(TOLD);
        Ok(Consolidation {
            done: total - left_to_do.unwrap_or(0),
            total,
            next: left_to_do.map(|below| below.to_string()),
            ..noun.answer(stage, changes)
        })
    }

    /// Takes one commit back, or leaves it.
    fn undo_commit(
        &self,
        entries: &[Read<JournalEntry>],
        changes: &mut Vec<ConsolidationChange>,
    ) -> Result<(), Error> {
        let documents: Vec<_> = entries
            .iter()
            .flat_map(|read| &read.noun.documents)
            .collect();
        let keys: Vec<_> = documents.iter().map(|changed| changed.key()).collect();
        let as_left: BTreeMap<_, _> = self
            .read(&keys)?
            .into_iter()
            .map(|stored| ((stored.key.kind, stored.key.id), stored.body))
            .collect();
        let body = |changed: &Changed| as_left.get(&(changed.kind.clone(), changed.id.clone()));
        let differs =
            |changed: &&&Changed| body(changed).map(|body| digest_of(body)) != changed.after;
        let mut left = documents.iter().find(differs).map(|changed| named(changed));
        let cold = documents
            .iter()
            .find(|changed| changed.before == State::Cold);
        let run = cold.and_then(|step| step.id.rsplit_once('.'));
        if left.is_none() {
            let steps = match run {
                Some((run, _)) => self.steps_to_restore(run, &entries[0].noun)?,
                None => Vec::new(),
            };
            left = self.change(|_| {
                let stored = self.read(&keys)?;
                let mut batch: Vec<_> = steps.iter().map(|step| as_new(step.clone())).collect();
                for changed in documents
                    .iter()
                    .filter(|changed| changed.before != State::Cold)
                {
                    let now = stored.iter().find(|stored| stored.key == changed.key());
                    if now.map(|stored| digest_of(&stored.body)) != changed.after {
                        return Ok((Vec::new(), Some(named(changed))));
                    }
                    let before = changed.before.body(body(changed).map(String::as_str));
                    if changed.kind == Kind::Lifecycle.as_str() {
                        batch.extend(self.found_again(&changed.id, before.as_deref())?);
                    }
                    let version = now.map(|stored| stored.version);
                    batch.extend(written_back(changed, before, version)?);
                }
                for read in entries {
                    let mut entry = read.noun.clone();
                    entry.undone = true;
                    batch.push(put(&entry, Precondition::At(read.version)));
                }
                Ok((batch, None))
            })?;
        }
        for change in entries.iter().flat_map(|read| &read.noun.changes) {
            let (did, reason) = match &left {
                None => ("taken back", change.reason.clone()),
                Some(document) => ("left", format!("{document} was changed since")),
            };
            changes.push(ConsolidationChange {
                change: format!("{did}: {}", change.change),
                reason,
                ..change.clone()
            });
        }
        Ok(())
    }

    /// The steps that went to cold storage last, as they were: what bringing them back would write.
    fn steps_to_restore(&self, run: &str, entry: &JournalEntry) -> Result<Vec<Document>, Error> {
        let trial = Journal::new(self, &entry.consolidation, Stage::Episodes, true)?;
        let engine = Engine::new(Ports {
            store: &trial,
            ..self.ports
        });
        engine.restore_part(run, self.now())?;
        Ok(trial.tried(Kind::Step.as_str()))
    }

    /// The change that lets an episode be found as it was, given its lifecycle before.
    fn found_again(&self, id: &str, lifecycle: Option<&str>) -> Result<Option<Change>, Error> {
        let Some(episode) = self.load::<Episode>(id)? else {
            return Ok(None);
        };
        let before = match lifecycle {
            Some(body) => serde_json::from_str::<KeptLifecycle>(body).ok(),
            None => Some(KeptLifecycle::default()),
        };
        let before = before.map(|noun| Read { noun, version: 0 });
        Ok(before.and_then(|before| shelved(&episode, &before).into_iter().next()))
    }
}

/// The change that writes a document that is not there.
fn as_new(document: Document) -> Change {
    Change::Put(Put {
        document,
        precondition: Precondition::Absent,
    })
}

fn named(changed: &Changed) -> String {
    format!("{}/{}", changed.kind, changed.id)
}

/// The change that makes a document what it was.
fn written_back(
    changed: &Changed,
    before: Option<String>,
    version: Option<u32>,
) -> Result<Option<Change>, Error> {
    let precondition = match version {
        None => Precondition::Absent,
        Some(version) => Precondition::At(version),
    };
    Ok(match (before, &changed.before, version) {
        (Some(body), _, _) => Some(Change::Put(Put {
            document: restored(&changed.kind, &body)?,
            precondition,
        })),
        (None, State::Absent, Some(_)) => Some(Change::Remove(Removal {
            key: changed.key(),
            precondition,
        })),
        _ => None,
    })
}

/// A document of a kind from its body.
fn restored(kind: &str, body: &str) -> Result<Document, Error> {
    match kind {
        "account" => document::<KeptAccount>(body),
        "activation" => document::<Activation>(body),
        "application" => document::<patterns::Application>(body),
        "consolidated" => document::<KeptConsolidated>(body),
        "embedding" => document::<CombinedVector>(body),
        "episode" => document::<Episode>(body),
        "evidence" => document::<KeptEvidence>(body),
        "lesson" => document::<KeptLesson>(body),
        "lifecycle" => document::<KeptLifecycle>(body),
        "link" => document::<Link>(body),
        "pattern" => document::<patterns::Head>(body),
        "pattern-body" => document::<patterns::Body>(body),
        "pattern-version" => document::<PatternVersion>(body),
        "skill" => document::<KeptSkill>(body),
        "skill-version" => document::<KeptSkillVersion>(body),
        "step" => document::<TraceStep>(body),
        kind => Err(Error::Other(format!(
            "documents of kind {kind} can't be written back"
        ))),
    }
}
