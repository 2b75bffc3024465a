//! Snapshots: states of a working memory to go back to.
//!
//! Owns when they are taken and go. A snapshot is a copy of the head: contents are never rewritten, and those that a
//! snapshot may need are not removed before it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Precondition},
    memory::{Error, Snapshot, WorkingSize},
};

use super::{
    draft::Draft,
    head::{Head, content_id},
};
use crate::{
    documents::{Kind, Noun, Read, put, remove},
    payload,
    ports::Engine,
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

impl Engine<'_> {
    pub(super) fn snapshot_working(&self, run: &str, label: &str) -> Result<Snapshot, Error> {
        let label = payload::kept_text(label, LABEL_BYTES);
        let now = self.now();
        self.change_lightly(|_| {
            let Read { noun, version } = self.working_head(run)?;
            let mut draft = Draft::new(self, noun, Some(version), now);
            let head = &mut draft.head;
            head.taken += 1;
            let snapshot = Snapshot {
                id: format!("snapshot-{:03}", head.taken),
                label: label.clone(),
                at: now,
                tokens: head.tokens(),
            };
            // What it lists of snapshots is of no use to whoever goes back.
            let mut kept = KeptSnapshot {
                id: snapshot.id.clone(),
                head: head.clone(),
            };
            kept.head.snapshots.clear();
            head.guard = head.next;
            head.snapshots.push(snapshot.clone());
            let mut batch = Vec::new();
            if head.snapshots.len() > SNAPSHOTS {
                let oldest = head.snapshots.remove(0).id;
                let next = head.snapshots[0].id.clone();
                let exclusive = self.exclusive_to_snapshot(head, &oldest, &next)?;
                let gone = exclusive.iter().map(|number| {
                    let id = content_id(run, *number);
                    remove(Kind::WorkingItem, &id, Precondition::Anything)
                });
                batch.extend(gone);
                let id = snapshot_id(run, &oldest);
                batch.push(remove(Kind::WorkingSnapshot, &id, Precondition::Anything));
            }
            batch.push(put(&kept, Precondition::Anything));
            batch.extend(draft.done().0);
            Ok((batch, snapshot))
        })
    }

    /// Contents that only the oldest snapshot has. Without going back, what is not in the next one is in none; with
    /// it, they stay until the end.
    fn exclusive_to_snapshot(
        &self,
        head: &Head,
        oldest: &str,
        next: &str,
    ) -> Result<Vec<u32>, Error> {
        if head.went_back {
            return Ok(Vec::new());
        }
        let numbers = |snapshot: &str| -> Result<BTreeSet<u32>, Error> {
            let read = self.load::<KeptSnapshot>(&snapshot_id(&head.run, snapshot))?;
            let head = read.map(|read| read.noun.head);
            Ok(head.map_or_else(BTreeSet::new, |head| of(&head)))
        };
        let (oldest, next, present) = (numbers(oldest)?, numbers(next)?, of(head));
        Ok(oldest
            .into_iter()
            .filter(|number| !next.contains(number) && !present.contains(number))
            .collect())
    }

    pub(super) fn roll_working_back(
        &self,
        run: &str,
        snapshot: &str,
    ) -> Result<WorkingSize, Error> {
        let now = self.now();
        self.change_lightly(|_| {
            let Read { noun, version } = self.working_head(run)?;
            let Some(kept) = self.load::<KeptSnapshot>(&snapshot_id(run, snapshot))? else {
                return Err(Error::NotFound(format!(
                    "the run `{run}` has no snapshot `{snapshot}`; working.snapshots lists them"
                )));
            };
            let mut draft = Draft::new(self, noun, Some(version), now);
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
            Ok(draft.done())
        })
    }
}

/// The numbers of all contents that are shown.
fn of(head: &Head) -> BTreeSet<u32> {
    head.entries.iter().map(|entry| entry.number).collect()
}
