//! Expiry: journals of consolidations are kept for a stated time, and so are the consolidations themselves.
//!
//! Owns what goes when the time is over: first a consolidation says that it can't be undone any more, then its journal is
//! removed, in small commits. Of the consolidations themselves those that a list shows are kept, and those that say how far
//! a stage has come. Wherever it is interrupted, the next one goes on.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use twiceshy_wit::memory::Error;

use super::{JournalEntry, KeptConsolidation, LISTED};
use crate::store::{Desk, Kind, Noun, Read, ascending, at_least, at_most, newest, query};

/// Consolidations that are read in one go.
const PAGE: u32 = 200;

/// Entries of a journal that are removed in one commit. One may have megabytes.
const AT_ONCE: u32 = 64;

/// Such commits in one piece.
const COMMITS: u32 = 16;

/// The attributes of consolidations that say how far a stage has come.
const REACHED: [&str; 3] = ["episodes-until", "extraction-until", "refinement-until"];

/// Why a journal is no longer there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Forgotten {
    /// It was kept for so many days.
    After(u32),
    /// It told of a time before which everything was pruned.
    Pruned,
}

impl Forgotten {
    /// Why the consolidation can't be undone.
    pub(super) fn refusal(&self, id: &str) -> Error {
        Error::Conflict(match self {
            Self::After(days) => format!(
                "Consolidation `{id}` can't be undone any more: what a consolidation changed is kept for {days} days. \
                 `undo-days` says for how long."
            ),
            Self::Pruned => format!(
                "Consolidation `{id}` can't be undone any more: what it changed was pruned."
            ),
        })
    }
}

/// Removes the journals of consolidations that began up to a time and are over, a limited number of entries. Gives
/// whether there is more to do.
pub(crate) fn remove_journals(desk: &mut Desk, last: u64, why: &Forgotten) -> Result<bool, Error> {
    let began = vec![at_most("started-at", last as f64)];
    let mut page = query::<KeptConsolidation>(began, ascending("started-at"), PAGE);
    loop {
        let found = desk.search::<KeptConsolidation>(&page)?;
        let some = found.len() as u32;
        for (read, _) in found {
            let id = &read.noun.id;
            if read.noun.ended_at.is_some() && read.noun.forgotten.is_none() {
                desk.commit(|batch| {
                    if let Some(mut read) = batch.load::<KeptConsolidation>(id)? {
                        read.noun.forgotten = Some(why.clone());
                        batch.put(&read.noun);
                    }
                    Ok(())
                })?;
            }
        }
        if some < PAGE {
            break;
        }
        page.offset += PAGE;
    }
    let mut stay = 0;
    for _ in 0..COMMITS {
        let (found, left) = remove_entries(desk, last, stay)?;
        stay += left;
        if found < AT_ONCE {
            remove_consolidations(desk, last)?;
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes some entries that were written up to a time. Those of a consolidation that can still be undone stay. Gives how
/// many were looked at, and how many of them stay.
fn remove_entries(desk: &mut Desk, last: u64, offset: u32) -> Result<(u32, u32), Error> {
    let old = vec![at_most("at", last as f64)];
    let mut page = query::<JournalEntry>(old, ascending("at"), AT_ONCE);
    page.offset = offset;
    let found = desk.search::<JournalEntry>(&page)?;
    let of = |read: &Read<JournalEntry>| read.noun.consolidation.clone();
    let consolidations: BTreeSet<_> = found.iter().map(|(read, _)| of(read)).collect();
    let consolidations = desk.load_by_id::<KeptConsolidation>(&consolidations)?;
    let stays = |read: &Read<JournalEntry>| {
        let consolidation = consolidations.get(&read.noun.consolidation);
        consolidation.is_some_and(|read| read.noun.forgotten.is_none())
    };
    let (kept, gone): (Vec<_>, Vec<_>) = found.iter().partition(|(read, _)| stays(read));
    desk.commit(|batch| {
        for (read, _) in &gone {
            batch.remove_owned(Kind::ConsolidationChange, &read.noun.id());
        }
        Ok(())
    })?;
    Ok((found.len() as u32, kept.len() as u32))
}

/// Removes consolidations without a journal that no list shows any more.
fn remove_consolidations(desk: &mut Desk, last: u64) -> Result<(), Error> {
    let shown = query::<KeptConsolidation>(Vec::new(), newest("started-at"), LISTED);
    let mut stay: BTreeSet<String> = BTreeSet::new();
    for (read, _) in desk.search::<KeptConsolidation>(&shown)? {
        stay.insert(read.noun.id);
    }
    for attribute in REACHED {
        let reached = vec![at_least(attribute, 0.0)];
        let furthest = query::<KeptConsolidation>(reached, newest(attribute), 1);
        let furthest = desk.search::<KeptConsolidation>(&furthest)?;
        stay.extend(furthest.into_iter().map(|(read, _)| read.noun.id));
    }
    let began = vec![at_most("started-at", last as f64)];
    let mut page = query::<KeptConsolidation>(began, ascending("started-at"), PAGE);
    loop {
        let found = desk.search::<KeptConsolidation>(&page)?;
        let some = found.len() as u32;
        let goes = |read: &Read<KeptConsolidation>| {
            read.noun.forgotten.is_some() && !stay.contains(&read.noun.id)
        };
        let gone: Vec<_> = found.iter().filter(|(read, _)| goes(read)).collect();
        desk.commit(|batch| {
            for (read, _) in &gone {
                batch.remove_owned(Kind::Consolidation, &read.noun.id);
            }
            Ok(())
        })?;
        if some < PAGE {
            return Ok(());
        }
        page.offset += PAGE - gone.len() as u32;
    }
}
