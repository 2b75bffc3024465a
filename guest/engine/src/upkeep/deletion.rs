//! Deletion: takes an episode out of everything that is about more than it, and brings it back.
//!
//! Owns what goes with an episode: its experience leaves those that it was merged with, itself the group that it was
//! consolidated into, and what it taught is withdrawn. Whatever interrupts it, doing it again does the rest.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Error, Lifecycle};

use super::{
    consolidation::{extraction, leaving},
    forgetting,
};
use crate::{
    episodes::{self, experience::parting, shelf},
    lessons::withdrawal,
    store::Desk,
};

pub(crate) fn delete(desk: &mut Desk, episode: &str, reason: &str) -> Result<Lifecycle, Error> {
    shelf::set_aside(desk, episode, reason)?;
    part(desk, episode)?;
    episodes::lifecycle_of(desk, episode)
}

pub(crate) fn undelete(desk: &mut Desk, episode: &str) -> Result<Lifecycle, Error> {
    shelf::bring_back(desk, episode)?;
    withdrawal::bring_back(desk, episode)?;
    episodes::lifecycle_of(desk, episode)
}

/// Parts a deleted episode from all that is about more than it.
pub(super) fn part(desk: &mut Desk, id: &str) -> Result<(), Error> {
    let episode = episodes::get(desk, id)?;
    parting::part(desk, id)?;
    leaving::leave_group(desk, id)?;
    withdrawal::withdraw(desk, &episode, &extraction::name_of)?;
    let mut touched: BTreeSet<_> = withdrawal::lessons_of(desk, id)?.into_iter().collect();
    touched.insert(id.to_owned());
    forgetting::forget_journals(desk, &touched)
}
