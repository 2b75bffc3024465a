//! Undoing a consolidation: restores every document, the last change first.
//!
//! Owns what can be undone: changes of one commit are undone together, if each of its documents is still as the
//! consolidation left it. What was changed since stays, and is reported. Nothing of the journal is removed; what is past its
//! time is the business of [expiry](super::expiry).

use std::collections::BTreeMap;

use twiceshy_wit::{
    host::Document,
    memory::{
        Activation, Consolidation, ConsolidationChange, Episode, Error, Link, PatternVersion,
        Stage, TraceStep,
    },
};

use super::{
    LEASE_MS, TOLD,
    episodes::CombinedVector,
    journal::{Changed, Journal, JournalEntry, STANDING, State, digest_of},
};
use crate::{
    episodes::{self, KeptAccount, KeptConsolidated, KeptLifecycle, aging},
    lessons::{
        KeptEvidence, KeptLesson, patterns,
        skills::{KeptSkill, KeptSkillVersion},
    },
    store::{Batch, Desk, Kind, Noun, Read, at_most, equals, newest, query, rebuilt},
};

/// Entries of the journal that are gone through at one call.
const PAGE: u32 = 64;

/// Takes back one piece of what a consolidation changed.
pub(crate) fn undo_piece(desk: &mut Desk, id: &str, after: &str) -> Result<Consolidation, Error> {
    let Read { mut noun, version } = super::by_id(desk, id)?;
    let stage = noun.current();
    if noun.undone {
        return Ok(noun.answer(stage, Vec::new()));
    }
    if let Some(forgotten) = &noun.forgotten {
        return Err(forgotten.refusal(id));
    }
    let now = desk.now();
    if noun.ended_at.is_none() && after.is_empty() && now < noun.touched_at + LEASE_MS {
        return Err(Error::Busy(format!(
            "Consolidation `{id}` is still running. Undo it when it has ended."
        )));
    }
    let last = query::<JournalEntry>(vec![equals("consolidation", id)], newest("place"), 1);
    let last = desk.search::<JournalEntry>(&last)?.pop();
    let total = last.map_or(0, |(read, _)| read.noun.place + 1);
    let below = match after {
        "" => total,
        after => after.parse().map_err(|_| {
            Error::InvalidArgument(
                "`after` is not the `next` of an earlier call; leave it empty to start again"
                    .to_owned(),
            )
        })?,
    };
    let mut changes = Vec::new();
    let mut left_to_do = None;
    if let Some(last) = below.checked_sub(1) {
        let conditions = vec![equals(STANDING, id), at_most("place", f64::from(last))];
        let page = query::<JournalEntry>(conditions, newest("place"), PAGE);
        let page = desk.search::<JournalEntry>(&page)?;
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
            undo_commit(desk, &entries, &mut changes)?;
            left_to_do = Some(commit).filter(|_| full);
        }
    }
    noun.ended_at.get_or_insert(now);
    noun.undone = left_to_do.is_none();
    noun.touched_at = now;
    super::save(desk, &noun, version)?;
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
    desk: &mut Desk,
    entries: &[Read<JournalEntry>],
    changes: &mut Vec<ConsolidationChange>,
) -> Result<(), Error> {
    let documents: Vec<_> = entries
        .iter()
        .flat_map(|read| &read.noun.documents)
        .collect();
    let keys: Vec<_> = documents.iter().map(|changed| changed.key()).collect();
    let as_left: BTreeMap<_, _> = desk
        .read(&keys)?
        .into_iter()
        .map(|stored| ((stored.key.kind, stored.key.id), stored.body))
        .collect();
    let body = |changed: &Changed| as_left.get(&(changed.kind.clone(), changed.id.clone()));
    let differs = |changed: &&&Changed| body(changed).map(|body| digest_of(body)) != changed.after;
    let mut left = documents.iter().find(differs).map(|changed| named(changed));
    let cold = documents
        .iter()
        .find(|changed| changed.before == State::Cold);
    let run = cold.and_then(|step| step.id.rsplit_once('.'));
    if left.is_none() {
        let steps = match run {
            Some((run, _)) => steps_to_restore(desk, run, &entries[0].noun)?,
            None => Vec::new(),
        };
        left = desk.commit(|batch| {
            let stored = batch.read(&keys)?;
            for step in &steps {
                batch.put_document(step.clone());
            }
            for changed in documents
                .iter()
                .filter(|changed| changed.before != State::Cold)
            {
                let now = stored.iter().find(|stored| stored.key == changed.key());
                if now.map(|stored| digest_of(&stored.body)) != changed.after {
                    batch.discard();
                    return Ok(Some(named(changed)));
                }
                let before = changed.before.body(body(changed).map(String::as_str));
                if changed.kind == Kind::Lifecycle.as_str() {
                    find_again(batch, &changed.id, before.as_deref())?;
                }
                write_back(batch, changed, before, now.is_some())?;
            }
            let entries_now: Vec<_> = entries
                .iter()
                .map(|read| JournalEntry::KIND.key(&Noun::id(&read.noun)))
                .collect();
            batch.read(&entries_now)?;
            for read in entries {
                let mut entry = read.noun.clone();
                entry.undone = true;
                batch.put(&entry);
            }
            Ok(None)
        })?;
    }
    for change in entries.iter().flat_map(|read| &read.noun.changes) {
        let (did, reason) = match &left {
            None => ("undone", change.reason.clone()),
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
fn steps_to_restore(desk: &Desk, run: &str, entry: &JournalEntry) -> Result<Vec<Document>, Error> {
    let trial = Journal::new(desk, &entry.consolidation, Stage::Episodes, true)?;
    let mut tried = desk.over(&trial, desk.archive);
    aging::restore_part(&mut tried, run, desk.now())?;
    Ok(trial.tried(Kind::Step.as_str()))
}

/// Lets an episode be found as it was, given its lifecycle before.
fn find_again(batch: &mut Batch, id: &str, lifecycle: Option<&str>) -> Result<(), Error> {
    let Some(episode) = batch.load::<Episode>(id)? else {
        return Ok(());
    };
    let before = match lifecycle {
        Some(body) => serde_json::from_str::<KeptLifecycle>(body).ok(),
        None => Some(KeptLifecycle::default()),
    };
    if let Some(before) = before {
        let attributes = episodes::attributes(&episode.noun, &before);
        batch.put_found_by(&episode.noun, attributes);
    }
    Ok(())
}

fn named(changed: &Changed) -> String {
    format!("{}/{}", changed.kind, changed.id)
}

/// Makes a document what it was.
fn write_back(
    batch: &mut Batch,
    changed: &Changed,
    before: Option<String>,
    is_there: bool,
) -> Result<(), Error> {
    match (before, &changed.before) {
        (Some(body), _) => {
            // What was pruned meanwhile takes its activations along.
            if changed.kind == Kind::Activation.as_str()
                && let Ok(activation) = serde_json::from_str::<Activation>(&body)
                && !batch.has(&[Kind::Run, Kind::Episode], &activation.run)?
            {
                return Ok(());
            }
            let mut document = restored(&changed.kind, &body)?;
            // An account is found by what its episode says.
            if changed.kind == Kind::Account.as_str()
                && let Some(episode) = batch.load::<Episode>(&changed.id)?
            {
                document.attributes = episodes::restrictions(&episode.noun);
            }
            batch.put_document(document);
        }
        (None, State::Absent) if is_there => batch.remove_document(changed.key()),
        _ => {}
    }
    Ok(())
}

/// A document of a kind from its body.
fn restored(kind: &str, body: &str) -> Result<Document, Error> {
    match kind {
        "account" => rebuilt::<KeptAccount>(body),
        "activation" => rebuilt::<Activation>(body),
        "application" => rebuilt::<patterns::Application>(body),
        "consolidated" => rebuilt::<KeptConsolidated>(body),
        "embedding" => rebuilt::<CombinedVector>(body),
        "episode" => rebuilt::<Episode>(body),
        "evidence" => rebuilt::<KeptEvidence>(body),
        "lesson" => rebuilt::<KeptLesson>(body),
        "lifecycle" => rebuilt::<KeptLifecycle>(body),
        "link" => rebuilt::<Link>(body),
        "pattern" => rebuilt::<patterns::Head>(body),
        "pattern-body" => rebuilt::<patterns::Body>(body),
        "pattern-version" => rebuilt::<PatternVersion>(body),
        "skill" => rebuilt::<KeptSkill>(body),
        "skill-version" => rebuilt::<KeptSkillVersion>(body),
        "step" => rebuilt::<TraceStep>(body),
        kind => Err(Error::Other(format!(
            "documents of kind `{kind}` can't be restored"
        ))),
    }
}
