//! The end of a working memory: only metadata stays.
//!
//! Owns what is left for reflection. The head is removed in the commit that ends the run, and with it all that could be
//! read; the contents are removed after it in small commits, by the next run if that is interrupted. What was
//! moved out stays: it belongs to the episode.

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{Error, Variable, VariableScope, WorkingMetadata},
};

use super::{
    head::{Head, content_id},
    snapshots::snapshot_id,
};
use crate::store::{Batch, Desk, Kind, Noun, Read, Reader, at_least, newest, number, query};

/// Contents that are removed in one commit.
const AT_ONCE: u32 = 500;

/// Working memories that were left behind and are swept up in one go.
const LEFT_BEHIND: u32 = 4;

/// What is left of a working memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptMetadata {
    metadata: WorkingMetadata,
    /// The number of the next content, if it is created again.
    next: u32,
    /// Contents from here on are swept up.
    swept: u32,
    /// How many snapshots there were.
    snapshots: u32,
}

impl Noun for KeptMetadata {
    const KIND: Kind = Kind::WorkingMetadata;

    fn id(&self) -> String {
        self.metadata.run.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        if self.swept >= self.next {
            return Vec::new();
        }
        vec![number("unswept-at", self.metadata.cleared_at as f64)]
    }
}

/// Ends a working memory by itself.
pub(crate) fn clear_working(desk: &mut Desk, run: &str) -> Result<WorkingMetadata, Error> {
    let now = desk.now();
    let metadata = desk.commit(|batch| {
        let head = super::working_head(batch, run)?.noun;
        end(batch, &head, now)
    })?;
    sweep_working(desk, run);
    Ok(metadata)
}

/// Ends the working memory of a run in the commit that ends the run. Nothing if it has none.
pub(crate) fn end_working(batch: &mut Batch, run: &str, now: u64) -> Result<(), Error> {
    if let Some(head) = batch.load::<Head>(run)? {
        end(batch, &head.noun, now)?;
    }
    Ok(())
}

fn end(batch: &mut Batch, head: &Head, now: u64) -> Result<WorkingMetadata, Error> {
    let mut variables = Vec::new();
    for entry in &head.entries {
        if entry.scope == Some(VariableScope::Metadata) {
            let whole = entry.whole.unwrap_or(entry.number);
            variables.push(Variable {
                key: entry.key().to_owned(),
                value: super::draft::working_content(batch, &head.run, whole)?,
                scope: VariableScope::Metadata,
                kind: entry.kind,
            });
        }
    }
    let kept = KeptMetadata {
        metadata: WorkingMetadata {
            run: head.run.clone(),
            variables,
            operations: head.operations,
            peak_tokens: head.peak,
            started_at: head.started_at,
            cleared_at: now,
        },
        next: head.next,
        swept: 0,
        snapshots: head.taken,
    };
    batch.remove(Kind::Working, &head.run);
    // The head, which is checked, owns what is left of it.
    batch.put_owned(&kept);
    Ok(kept.metadata)
}

/// What is left of a working memory that was cleared.
pub(crate) fn working_metadata(reader: &Reader, run: &str) -> Result<WorkingMetadata, Error> {
    match reader.load::<KeptMetadata>(run)? {
        Some(read) => Ok(read.noun.metadata),
        None => Err(Error::NotFound(format!(
            "The working memory of run `{run}` was not cleared yet. `working.clear` clears it, and so does the end of the run."
        ))),
    }
}

/// Takes away the working memory that a run had before, and gives the number of its next content.
pub(super) fn begin_working_anew(batch: &mut Batch, run: &str) -> Result<u32, Error> {
    let Some(Read { noun, .. }) = batch.load::<Head>(run)? else {
        let cleared = batch.load::<KeptMetadata>(run)?;
        return Ok(cleared.map_or(0, |read| read.noun.next));
    };
    for entry in &noun.entries {
        batch.remove_owned(Kind::WorkingItem, &content_id(run, entry.number));
    }
    for snapshot in &noun.snapshots {
        batch.remove_owned(Kind::WorkingSnapshot, &snapshot_id(run, &snapshot.id));
    }
    Ok(noun.next)
}

/// Removes the contents of a working memory that has ended, and of those that were left behind. Nobody can read
/// them any more, so trouble with it is no reason to fail.
pub(crate) fn sweep_working(desk: &mut Desk, run: &str) {
    let swept = sweep_one_working(desk, run).and_then(|was| {
        if !was {
            return Ok(());
        }
        let conditions = vec![at_least("unswept-at", 0.0)];
        let left = query::<KeptMetadata>(conditions, newest("unswept-at"), LEFT_BEHIND);
        for (read, _) in desk.search::<KeptMetadata>(&left)? {
            sweep_one_working(desk, &read.noun.metadata.run)?;
        }
        Ok(())
    });
    if let Err(error) = swept {
        desk.warn(&format!(
            "contents of a working memory stay until the next run ends: {}",
            error.message()
        ));
    }
}

/// Removes the contents of one. Whether there were any.
fn sweep_one_working(desk: &mut Desk, run: &str) -> Result<bool, Error> {
    let mut was = false;
    loop {
        let more = desk.commit_lightly(|batch| {
            let Some(Read { mut noun, .. }) = batch.load::<KeptMetadata>(run)? else {
                return Ok(false);
            };
            was = true;
            // Created again: the new head owns what is there.
            if noun.swept >= noun.next || batch.load::<Head>(run)?.is_some() {
                return Ok(false);
            }
            let upto = noun.next.min(noun.swept.saturating_add(AT_ONCE));
            for number in noun.swept..upto {
                batch.remove_owned(Kind::WorkingItem, &content_id(run, number));
            }
            if noun.swept == 0 {
                let last = noun.snapshots;
                for taken in last.saturating_sub(16) + 1..=last {
                    let id = snapshot_id(run, &format!("snapshot-{taken:03}"));
                    batch.remove_owned(Kind::WorkingSnapshot, &id);
                }
            }
            noun.swept = upto;
            let more = noun.swept < noun.next;
            batch.put(&noun);
            Ok(more)
        })?;
        if !more {
            return Ok(was);
        }
    }
}
