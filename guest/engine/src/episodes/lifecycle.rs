//! The lifecycle of an episode: what happens to it after it was written.
//!
//! Owns the phases by age, the document beside the episode that holds what changes, and the attributes of both: whether
//! it is deleted, and when it is due for cold storage. The episode's own content never changes. Moving to cold
//! storage is the business of [aging](super::aging), removal that of [shelf](super::shelf).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Condition, Test},
    memory::{ArchivalStatus, Consolidated, Episode, Error, Lifecycle, Phase},
};

use crate::{
    limits::DAY_MS,
    store::{Batch, Desk, Kind, Noun, Read, Reader, at_least, at_most, equals, number, text},
};

/// Up to this age an episode is active.
const ACTIVE_MS: u64 = 30 * DAY_MS;

/// Up to this age it is mature; then its steps go to cold storage.
const MATURE_MS: u64 = 180 * DAY_MS;

/// Up to this age it is aged; then its account goes to cold storage, too, and it is found only if asked for.
const AGED_MS: u64 = 365 * DAY_MS;

/// How long what was brought back from cold storage stays: 30 days.
const KEPT_WARM_MS: u64 = 30 * DAY_MS;

/// The attribute of an episode that is not found any more, unless somebody asks for it.
const ASIDE: &str = "aside";

/// The value of [`ASIDE`] for one that was deleted.
const DELETED: &str = "deleted";

/// The value of [`ASIDE`] for one that another stands for.
const CONSOLIDATED: &str = "consolidated";

/// The attribute that says when an episode is to be moved to cold storage next.
pub(crate) const DUE: &str = "due";

/// The attribute of a lifecycle that says since when its episode is deleted.
pub(crate) const DELETED_AT: &str = "deleted-at";

/// What changes about an episode, as it is kept beside it. Made when something first does.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct KeptLifecycle {
    pub(crate) episode: String,
    pub(crate) access_count: u32,
    pub(crate) last_accessed: Option<u64>,
    /// The name of the last part of its steps in cold storage.
    pub(crate) cold_trace: Option<String>,
    /// How many of its steps are there: the first ones.
    pub(crate) cold_steps: u32,
    /// The name of its account in cold storage.
    pub(crate) cold_account: Option<String>,
    /// Whether nothing of its account is left to be moved.
    pub(crate) account_settled: bool,
    /// Until when nothing of it moves to cold storage: it was brought back, or could not be moved.
    pub(crate) kept_warm_until: Option<u64>,
    pub(crate) consolidated_into: Option<String>,
    pub(crate) deleted_at: Option<u64>,
    pub(crate) delete_reason: Option<String>,
    /// Whether it is being removed for good.
    pub(crate) purged: bool,
}

impl Noun for KeptLifecycle {
    const KIND: Kind = Kind::Lifecycle;

    fn id(&self) -> String {
        self.episode.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let deleted = self.deleted_at.map(|at| number(DELETED_AT, at as f64));
        let into = self.consolidated_into.as_deref();
        let into = into.map(|episode| text("consolidated-into", episode));
        deleted.into_iter().chain(into).collect()
    }
}

impl KeptLifecycle {
    /// Whether its episode is found without being asked for: neither deleted nor consolidated into another.
    pub(crate) fn is_found(&self) -> bool {
        self.aside().is_none()
    }

    fn aside(&self) -> Option<&'static str> {
        match (self.deleted_at, &self.consolidated_into) {
            (Some(_), _) => Some(DELETED),
            (None, Some(_)) => Some(CONSOLIDATED),
            (None, None) => None,
        }
    }

    /// When something of the episode is to be moved to cold storage next; none if all of it is there.
    fn due(&self, episode: &Episode) -> Option<u64> {
        self.trace_due(episode).or(self.account_due(episode))
    }

    fn trace_due(&self, episode: &Episode) -> Option<u64> {
        (self.cold_steps < episode.steps).then(|| self.due_after(episode, MATURE_MS))
    }

    fn account_due(&self, episode: &Episode) -> Option<u64> {
        (!self.account_settled).then(|| self.due_after(episode, AGED_MS))
    }

    fn due_after(&self, episode: &Episode, age: u64) -> u64 {
        let by_age = match self.consolidated_into {
            // Another stands for it: nobody needs it at hand.
            Some(_) => episode.ended_at,
            None => episode.ended_at + age,
        };
        by_age.max(self.kept_warm_until.unwrap_or(0))
    }

    /// Whether its steps, or some of them, are to be moved.
    pub(crate) fn is_trace_due(&self, episode: &Episode, now: u64) -> bool {
        self.trace_due(episode).is_some_and(|due| due < now)
    }

    /// Whether its account, if there is one, is to be moved.
    pub(crate) fn is_account_due(&self, episode: &Episode, now: u64) -> bool {
        self.account_due(episode).is_some_and(|due| due < now)
    }

    /// By what its episode is found, for what happened to it.
    pub(crate) fn attributes_of(&self, episode: &Episode) -> Vec<Attribute> {
        let aside = self.aside().map(|aside| text(ASIDE, aside));
        let due = self.due(episode).map(|due| number(DUE, due as f64));
        aside.into_iter().chain(due).collect()
    }

    /// How old its episode is, and what follows from that.
    pub(crate) fn phase(&self, episode: &Episode, now: u64) -> Phase {
        match self.deleted_at {
            Some(_) => Phase::Deleted,
            None => phase_by_age(episode.ended_at, now),
        }
    }

    /// As the contract has it.
    pub(crate) fn shown(
        &self,
        episode: &Episode,
        referenced_by: Vec<String>,
        now: u64,
    ) -> Lifecycle {
        Lifecycle {
            phase: self.phase(episode, now),
            archival_status: match (self.deleted_at, &self.cold_account) {
                (Some(_), _) => ArchivalStatus::Deleted,
                (None, Some(_)) => ArchivalStatus::Archived,
                (None, None) => ArchivalStatus::Active,
            },
            access_count: self.access_count,
            last_accessed: self.last_accessed,
            referenced_by,
            cold_trace: self.cold_trace.clone(),
            cold_account: self.cold_account.clone(),
            consolidated_into: self.consolidated_into.clone(),
            deleted_at: self.deleted_at,
            delete_reason: self.delete_reason.clone(),
        }
    }
}

/// What is common to episodes that one stands for, as it is kept: by the id of that one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct KeptConsolidated(pub(crate) Consolidated);

impl Noun for KeptConsolidated {
    const KIND: Kind = Kind::Consolidated;

    fn id(&self) -> String {
        self.0.representative.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![number("instances", f64::from(self.0.instances))]
    }
}

/// Until when something that is brought back now stays.
pub(crate) fn kept_warm_from(now: u64) -> u64 {
    now + KEPT_WARM_MS
}

/// The phase of an episode that is not set aside.
pub(crate) fn phase_by_age(ended_at: u64, now: u64) -> Phase {
    match now.saturating_sub(ended_at) {
        age if age <= ACTIVE_MS => Phase::Active,
        age if age <= MATURE_MS => Phase::Mature,
        age if age <= AGED_MS => Phase::Aged,
        _ => Phase::Archived,
    }
}

/// A condition that an episode is found without being asked for.
pub(crate) fn is_found() -> Condition {
    Condition {
        attribute: ASIDE.to_owned(),
        test: Test::Missing,
    }
}

/// A condition that an episode is not archived by its age.
pub(crate) fn not_archived(now: u64) -> Condition {
    at_least("ended-at", now.saturating_sub(AGED_MS) as f64)
}

/// Conditions that an episode is in a phase.
pub(crate) fn in_phase(phase: Phase, now: u64) -> Vec<Condition> {
    let from = |age: u64| at_least("ended-at", now.saturating_sub(age) as f64);
    // Times are whole milliseconds, so the next phase begins one before.
    let before = |age: u64| at_most("ended-at", now as f64 - age as f64 - 1.0);
    match phase {
        Phase::Active => vec![from(ACTIVE_MS)],
        Phase::Mature => vec![from(MATURE_MS), before(ACTIVE_MS)],
        Phase::Aged => vec![from(AGED_MS), before(MATURE_MS)],
        Phase::Archived => vec![before(AGED_MS)],
        Phase::Deleted => vec![equals(ASIDE, DELETED)],
    }
}

/// Puts a lifecycle, and its episode as it is found with it. The episode's content stays as it is.
pub(crate) fn put(batch: &mut Batch, episode: &Episode, lifecycle: &KeptLifecycle) {
    batch.put_found_by(episode, super::attributes(episode, lifecycle));
    batch.put(lifecycle);
}

/// What happened to an episode since it was written; version 0 if nothing did.
pub(crate) fn lifecycle(reader: &Reader, episode: &str) -> Result<Read<KeptLifecycle>, Error> {
    Ok(reader.load(episode)?.unwrap_or_else(|| Read {
        noun: KeptLifecycle {
            episode: episode.to_owned(),
            ..KeptLifecycle::default()
        },
        version: 0,
    }))
}

/// What happened to some episodes; those to which nothing did are left out. At most 1,000.
pub(crate) fn lifecycles<'e>(
    reader: &Reader,
    episodes: impl Iterator<Item = &'e str>,
) -> Result<BTreeMap<String, KeptLifecycle>, Error> {
    let read = reader.load_by_id::<KeptLifecycle>(episodes)?.into_iter();
    Ok(read.map(|(id, read)| (id, read.noun)).collect())
}

/// Changes what happens to an episode, in one commit.
pub(crate) fn change_lifecycle(
    desk: &mut Desk,
    episode: &str,
    change: impl Fn(&mut KeptLifecycle) -> Result<(), Error>,
) -> Result<Lifecycle, Error> {
    change_lifecycle_with(desk, episode, |_, lifecycle| change(lifecycle))
}

/// The same, with further changes in the same commit.
pub(crate) fn change_lifecycle_with(
    desk: &mut Desk,
    episode: &str,
    change: impl Fn(&mut Batch, &mut KeptLifecycle) -> Result<(), Error>,
) -> Result<Lifecycle, Error> {
    desk.commit(|batch| {
        let read = super::load_episode(batch, episode)?;
        let mut lifecycle = lifecycle(batch, episode)?.noun;
        change(batch, &mut lifecycle)?;
        let references = super::references_to(batch, episode)?;
        let shown = lifecycle.shown(&read.noun, references, batch.now());
        put(batch, &read.noun, &lifecycle);
        Ok(shown)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_lasts_up_to_its_last_day() {
        let now = 1_000 * DAY_MS;
        let phase = |days: u64, more: u64| phase_by_age(now - days * DAY_MS - more, now);
        assert_eq!(phase(0, 0), Phase::Active);
        assert_eq!((phase(30, 0), phase(30, 1)), (Phase::Active, Phase::Mature));
        assert_eq!((phase(180, 0), phase(180, 1)), (Phase::Mature, Phase::Aged));
        assert_eq!(
            (phase(365, 0), phase(365, 1)),
            (Phase::Aged, Phase::Archived)
        );
        assert_eq!(
            phase_by_age(now + 1, now),
            Phase::Active,
            "a clock that went back"
        );
    }
}
