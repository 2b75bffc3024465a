//! The end of a working memory: only metadata stays.
//!
//! Owns what is left for reflection. The head goes in the very commit that ends the run, and with it all that could be
//! read; the contents are swept up behind it in small commits, by whoever comes next if that is interrupted. What was
//! moved out stays: it belongs to the episode.

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Change, Precondition},
    memory::{Error, Variable, VariableScope, WorkingMetadata},
};

use super::{
    head::{Head, content_id},
    snapshots::snapshot_id,
};
use crate::{
    documents::{Kind, Noun, Read, at_least, newest, number, put, query, remove},
    ports::Engine,
};

/// Contents that are removed in one commit.
const AT_ONCE: u32 = 500;

/// Working memories that were left behind and are swept up in one go.
const LEFT_BEHIND: u32 = 4;

/// What is left of a working memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptMetadata {
    metadata: WorkingMetadata,
    /// The number of the next content, if it is begun anew.
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

impl Engine<'_> {
    /// Ends a working memory by itself.
    pub(super) fn clear_working(&self, run: &str) -> Result<WorkingMetadata, Error> {
        let now = self.now();
        let metadata = self.change(|_| {
            let head = self.working_head(run)?;
            let (batch, kept) = self.ended_working(head, now)?;
            Ok((batch, kept.metadata))
        })?;
        self.sweep_working(run);
        Ok(metadata)
    }

    /// What ends the working memory of a run in the commit that ends the run. Nothing if it has none.
    pub(crate) fn end_working(&self, run: &str, now: u64) -> Result<Vec<Change>, Error> {
        match self.load::<Head>(run)? {
            Some(head) => Ok(self.ended_working(head, now)?.0),
            None => Ok(Vec::new()),
        }
    }

    fn ended_working(
        &self,
        read: Read<Head>,
        now: u64,
    ) -> Result<(Vec<Change>, KeptMetadata), Error> {
        let Read {
            noun: head,
            version,
        } = read;
        let mut variables = Vec::new();
        for entry in &head.entries {
            if entry.scope == Some(VariableScope::Metadata) {
                let whole = entry.whole.unwrap_or(entry.number);
                variables.push(Variable {
                    key: entry.key().to_owned(),
                    value: self.working_content(&head.run, whole)?,
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
        let batch = vec![
            remove(Kind::Working, &head.run, Precondition::At(version)),
            put(&kept, Precondition::Anything),
        ];
        Ok((batch, kept))
    }

    /// What is left of a working memory that was cleared.
    pub(super) fn working_metadata(&self, run: &str) -> Result<WorkingMetadata, Error> {
        match self.load::<KeptMetadata>(run)? {
            Some(read) => Ok(read.noun.metadata),
            None => Err(Error::NotFound(format!(
                "no working memory of the run `{run}` was cleared; working.clear does it, and so does the end of the run"
            ))),
        }
    }

    /// What to begin with where a working memory was before: the number of its next content, what goes, and the
    /// version of its head.
    pub(super) fn working_begun_anew(
        &self,
        run: &str,
    ) -> Result<(u32, Vec<Change>, Option<u32>), Error> {
        let Some(Read { noun, version }) = self.load::<Head>(run)? else {
            let cleared = self.load::<KeptMetadata>(run)?;
            return Ok((cleared.map_or(0, |read| read.noun.next), Vec::new(), None));
        };
        let items = noun.entries.iter().map(|entry| {
            let id = content_id(run, entry.number);
            remove(Kind::WorkingItem, &id, Precondition::Anything)
        });
        let snapshots = noun.snapshots.iter().map(|snapshot| {
            let id = snapshot_id(run, &snapshot.id);
            remove(Kind::WorkingSnapshot, &id, Precondition::Anything)
        });
        Ok((noun.next, items.chain(snapshots).collect(), Some(version)))
    }

    /// Removes the contents of a working memory that has ended, and of those that were left behind. Nobody can read
    /// them any more, so trouble with it is no reason to fail.
    pub(crate) fn sweep_working(&self, run: &str) {
        let swept = self.sweep_one_working(run).and_then(|was| {
            if !was {
                return Ok(());
            }
            let conditions = vec![at_least("unswept-at", 0.0)];
            let left = query::<KeptMetadata>(conditions, newest("unswept-at"), LEFT_BEHIND);
            for (read, _) in self.search::<KeptMetadata>(&left)? {
                self.sweep_one_working(&read.noun.metadata.run)?;
            }
            Ok(())
        });
        if let Err(error) = swept {
            self.warn(&format!(
                "contents of a working memory stay until the next one ends: {}",
                error.message()
            ));
        }
    }

    /// Removes the contents of one. Whether there were any.
    fn sweep_one_working(&self, run: &str) -> Result<bool, Error> {
        let mut was = false;
        loop {
            let more = self.change_lightly(|_| {
                let Some(Read { mut noun, version }) = self.load::<KeptMetadata>(run)? else {
                    return Ok((Vec::new(), false));
                };
                was = true;
                // Begun anew: the new head owns what is there.
                if noun.swept >= noun.next || self.load::<Head>(run)?.is_some() {
                    return Ok((Vec::new(), false));
                }
                let upto = noun.next.min(noun.swept.saturating_add(AT_ONCE));
                let mut batch: Vec<_> = (noun.swept..upto)
                    .map(|number| {
                        let id = content_id(run, number);
                        remove(Kind::WorkingItem, &id, Precondition::Anything)
                    })
                    .collect();
                if noun.swept == 0 {
                    let last = noun.snapshots;
                    batch.extend((last.saturating_sub(16) + 1..=last).map(|taken| {
                        let id = snapshot_id(run, &format!("snapshot-{taken:03}"));
                        remove(Kind::WorkingSnapshot, &id, Precondition::Anything)
                    }));
                }
                noun.swept = upto;
                let more = noun.swept < noun.next;
                batch.push(put(&noun, Precondition::At(version)));
                Ok((batch, more))
            })?;
            if !more {
                return Ok(was);
            }
        }
    }
}
