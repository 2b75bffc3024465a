//! The shelf: episodes that are set aside, and those that go for good.
//!
//! Owns setting aside, bringing back and removing. Nothing else removes an episode, but for pruning by date.

use twiceshy_wit::memory::{Error, Lifecycle, Pruned};

use super::lifecycle::{DELETED_AT, KeptLifecycle};
use crate::{
    documents::{ascending, at_most, query},
    limits::{self, DAY_MS},
    payload,
    ports::Engine,
};

/// How long an episode that is set aside is kept, in days.
const RETENTION_DAYS: u32 = 30;

/// Episodes that are looked at in one go.
const PAGE: u32 = 1_000;

impl Engine<'_> {
    pub(super) fn set_aside(&self, episode: &str, reason: &str) -> Result<Lifecycle, Error> {
        if reason.trim().is_empty() {
            return Err(Error::InvalidArgument(
                "reason is empty; say why the episode is set aside, such as `a duplicate`"
                    .to_owned(),
            ));
        }
        let now = self.now();
        self.change_lifecycle(episode, |lifecycle| {
            // What is set aside already keeps its time and its reason.
            if lifecycle.deleted_at.is_none() {
                lifecycle.deleted_at = Some(now);
                lifecycle.delete_reason =
                    Some(payload::kept_text(reason.trim(), limits::ACTION_BYTES));
            }
            Ok(())
        })
    }

    pub(super) fn bring_back(&self, episode: &str) -> Result<Lifecycle, Error> {
        self.change_lifecycle(episode, |lifecycle| {
            if lifecycle.deleted_at.is_none() {
                return Err(Error::Conflict(format!(
                    "the episode `{episode}` is not set aside; there is nothing to bring back"
                )));
            }
            if lifecycle.purged {
                return Err(Error::Conflict(format!(
                    "the episode `{episode}` is being removed for good; it can't be brought back"
                )));
            }
            lifecycle.deleted_at = None;
            lifecycle.delete_reason = None;
            Ok(())
        })
    }

    pub(super) fn purge_episodes(
        &self,
        retention_days: Option<u32>,
        dry_run: bool,
    ) -> Result<Vec<String>, Error> {
        let retention = u64::from(retention_days.unwrap_or(RETENTION_DAYS)) * DAY_MS;
        let Some(last) = self.now().checked_sub(retention) else {
            return Ok(Vec::new());
        };
        let conditions = vec![at_most(DELETED_AT, last as f64)];
        let mut page = query::<KeptLifecycle>(conditions, ascending(DELETED_AT), PAGE);
        let mut gone = Vec::new();
        loop {
            let found = self.search::<KeptLifecycle>(&page)?;
            let all = found.len() as u32;
            for (read, _) in found {
                let id = read.noun.episode;
                // What somebody refers to stays, and so does its place in the order.
                let stays = !self.references_to(&id)?.is_empty();
                if stays || dry_run {
                    page.offset += 1;
                }
                if stays {
                    continue;
                }
                if !dry_run {
                    self.change_lifecycle(&id, |lifecycle| {
                        lifecycle.purged = true;
                        Ok(())
                    })?;
                    self.remove_episode(&id, &mut Pruned::default(), false)?;
                }
                gone.push(id);
            }
            if all < PAGE {
                return Ok(gone);
            }
        }
    }
}
