//! The shelf: episodes that are deleted but recoverable, and those that are removed for good.
//!
//! Owns deleting, undeleting and purging. Nothing else removes an episode, except pruning by date.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Error, Event, EventFilter, Lifecycle};

use super::{experience::entry::held_by_id, lifecycle::lifecycles};
use crate::{
    events, limits, payload, refusal,
    store::{Batch, Desk, Reader},
};

pub(crate) fn set_aside(desk: &mut Desk, episode: &str, reason: &str) -> Result<Lifecycle, Error> {
    refusal::not_empty(
        "reason",
        reason,
        "say why the episode is deleted, such as `a duplicate`",
    )?;
    let now = desk.now();
    super::lifecycle::change_lifecycle_with(desk, episode, |batch, lifecycle| {
        hide_experience(batch, episode, true)?;
        // What is set aside already keeps its time and its reason.
        if lifecycle.deleted_at.is_none() {
            lifecycle.deleted_at = Some(now);
            lifecycle.delete_reason = Some(payload::kept_text(reason.trim(), limits::ACTION_BYTES));
        }
        Ok(())
    })
}

pub(crate) fn bring_back(desk: &mut Desk, episode: &str) -> Result<Lifecycle, Error> {
    super::lifecycle::change_lifecycle_with(desk, episode, |batch, lifecycle| {
        if lifecycle.deleted_at.is_none() {
            return Err(Error::Conflict(format!(
                "Episode `{episode}` is not deleted, so it can't be brought back."
            )));
        }
        if lifecycle.purged {
            return Err(Error::Conflict(format!(
                "Episode `{episode}` is being purged and can't be brought back."
            )));
        }
        lifecycle.deleted_at = None;
        lifecycle.delete_reason = None;
        hide_experience(batch, episode, false)
    })
}

/// Hides the experience of an episode with it, or lets it be found again.
fn hide_experience(batch: &mut Batch, episode: &str, hidden: bool) -> Result<(), Error> {
    for mut held in held_by_id(batch, std::iter::once(episode))? {
        held.set_deleted(hidden);
        held.put(batch);
    }
    Ok(())
}

/// The events that a filter asks for, without those of deleted episodes.
pub(crate) fn found_events(reader: &Reader, filter: &EventFilter) -> Result<Vec<Event>, Error> {
    let limit = limits::listed(filter.limit);
    let mut page = events::matching(filter, limit);
    let mut events = Vec::new();
    loop {
        let found = reader.search::<Event>(&page)?;
        let some = found.len();
        let found: Vec<_> = found.into_iter().map(|(read, _)| read.noun).collect();
        let deleted = deleted_among(reader, found.iter().map(|event| event.run.as_str()))?;
        events.extend(
            found
                .into_iter()
                .filter(|event| !deleted.contains(&event.run)),
        );
        if some < limit as usize || events.len() >= limit as usize {
            events.truncate(limit as usize);
            return Ok(events);
        }
        page.offset += limit;
    }
}

/// Those of some episodes that are deleted.
pub(crate) fn deleted_among<'e>(
    reader: &Reader,
    episodes: impl Iterator<Item = &'e str>,
) -> Result<BTreeSet<String>, Error> {
    let ids: BTreeSet<_> = episodes.collect();
    let known = lifecycles(reader, ids.into_iter())?;
    let deleted = known
        .into_iter()
        .filter(|(_, one)| one.deleted_at.is_some());
    Ok(deleted.map(|(id, _)| id).collect())
}
