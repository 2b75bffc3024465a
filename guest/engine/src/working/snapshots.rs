//! Snapshots: states of a working memory to go back to.
//!
//! Owns when they are taken and removed. A snapshot is a copy of the head: contents are never rewritten, and those that a
//! snapshot may need are not removed before it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{Error, Snapshot, WorkingSize},
};

use super::{
    draft::Draft,
    head::{Head, content_id},
};
use crate::{
    payload,
    store::{Desk, Kind, Noun, Reader},
};

/// Snapshots of one run.
const SNAPSHOTS: usize = 16;

/// A label in bytes.
const LABEL_BYTES: usize = 128;

/// A state as it was.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct KeptSnapshot {
    id: String,
    head: Head,
}

impl Noun for KeptSnapshot {
    const KIND: Kind = Kind::WorkingSnapshot;

    fn id(&self) -> String {
        snapshot_id(&self.head.run, &self.id)
    }

    fn attributes(&self) -> Vec<Attribute> {
        Vec::new()
    }
}

pub(super) fn snapshot_id(run: &str, snapshot: &str) -> String {
    format!("{run}.{snapshot}")
}

pub(crate) fn snapshot_working(desk: &mut Desk, run: &str, label: &str) -> Result<Snapshot, Error> {
    let label = payload::kept_text(label, LABEL_BYTES);
    let now = desk.now();
    desk.commit_lightly(|batch| {
        let noun = super::working_head(batch, run)?.noun;
        let mut draft = Draft::new(batch, noun, now);
        let head = &mut draft.head;
        head.taken += 1;
        let snapshot = Snapshot {
            id: format!("snapshot-{:03}", head.taken),
            label: label.clone(),
            at: now,
            tokens: head.tokens(),
        };
        // Its list of snapshots is not needed after going back.
        let mut kept = KeptSnapshot {
            id: snapshot.id.clone(),
            head: head.clone(),
        };
        kept.head.snapshots.clear();
        head.guard = head.next;
        head.snapshots.push(snapshot.clone());
        if head.snapshots.len() > SNAPSHOTS {
            let oldest = head.snapshots.remove(0).id;
            let next = head.snapshots[0].id.clone();
            let exclusive = exclusive_to_snapshot(batch, head, &oldest, &next)?;
            for number in exclusive {
                batch.remove_owned(Kind::WorkingItem, &content_id(run, number));
            }
            batch.remove_owned(Kind::WorkingSnapshot, &snapshot_id(run, &oldest));
        }
        batch.put_owned(&kept);
        draft.done(batch);
        Ok(snapshot)
    })
}

/// Contents that only the oldest snapshot has. Without going back, what is not in the next one is in none; with
/// it, they stay until the end.
fn exclusive_to_snapshot(
    reader: &Reader,
    head: &Head,
    oldest: &str,
    next: &str,
) -> Result<Vec<u32>, Error> {
    if head.went_back {
        return Ok(Vec::new());
    }
    let numbers = |snapshot: &str| -> Result<BTreeSet<u32>, Error> {
        let read = reader.load::<KeptSnapshot>(&snapshot_id(&head.run, snapshot))?;
        let head = read.map(|read| read.noun.head);
        Ok(head.map_or_else(BTreeSet::new, |head| of(&head)))
    };
    let (oldest, next, present) = (numbers(oldest)?, numbers(next)?, of(head));
    Ok(oldest
        .into_iter()
        .filter(|number| !next.contains(number) && !present.contains(number))
        .collect())
}

pub(crate) fn roll_working_back(
    desk: &mut Desk,
    run: &str,
    snapshot: &str,
) -> Result<WorkingSize, Error> {
    let now = desk.now();
    desk.commit_lightly(|batch| {
        let noun = super::working_head(batch, run)?.noun;
        let Some(kept) = batch.load::<KeptSnapshot>(&snapshot_id(run, snapshot))? else {
            return Err(Error::NotFound(format!(
                "Run `{run}` has no snapshot `{snapshot}`. `working.snapshots` lists all of them."
            )));
        };
        let mut draft = Draft::new(batch, noun, now);
        let then = kept.noun.head;
        let stay = of(&then);
        while let Some(place) = draft
            .head
            .entries
            .iter()
            .position(|entry| !stay.contains(&entry.number))
        {
            draft.take_out(place);
        }
        let head = &mut draft.head;
        head.entries = then.entries;
        head.results = then.results;
        head.subtask = then.subtask;
        head.warnings = then.warnings;
        head.went_back = true;
        Ok(draft.done(batch))
    })
}

/// The numbers of all contents that are shown.
fn of(head: &Head) -> BTreeSet<u32> {
    head.entries.iter().map(|entry| entry.number).collect()
}
