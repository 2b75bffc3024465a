//! `twiceshy:adapter/assess`: generated from the contract.

use super::{Error, Feedback, Goal, Manifest, PastStep, Step};

/// The interface that an adapter exports.
pub trait Assess {
    /// Describes the adapter. Called once after loading; must always return the same answer.
    fn describe(&self) -> Manifest;

    /// Judges one step. A pure function: the same arguments give the same feedback, however often and in whatever
    /// order it is called. `recent` holds up to 16 earlier steps, oldest first. All arguments together have at most
    /// 16 MiB.
    fn assess(&self, goal: &Goal, recent: &[PastStep], step: &Step) -> Result<Feedback, Error>;
}
