//! `twiceshy:memory/upkeep`: generated from the contract.

use super::{
    Consolidation, ConsolidationRequest, Error, Finding, Health, Inventory, MemoryStatus, Metrics,
    Pruned, Reindexing, Timestamp,
};

/// The upkeep of a memory.
pub trait Upkeep {
    /// Counts what the memory holds.
    fn status(&self) -> Result<MemoryStatus, Error>;

    /// Checks the whole memory for inconsistencies. Changes nothing. Takes time in proportion to the size of the
    /// memory. At most 100 findings.
    fn verify(&self) -> Result<Vec<Finding>, Error>;

    /// Reports how well the memory works: lessons and their effects, recurring failures, and how tasks went.
    fn report(&self) -> Result<Health, Error>;

    /// Removes what is older than a time: episodes that ended before it, with all that belongs to them, archived
    /// lessons that were last changed before it, and decisions and failures recorded before it. `dry-run` only
    /// counts. Works in parts: if it is interrupted, the memory stays consistent, and calling it again continues.
    fn prune(&self, before: Timestamp, dry_run: bool) -> Result<Pruned, Error>;

    /// Consolidates the memory in six stages: episodes, extraction, validation, refinement, indices, report. Each
    /// call does a limited amount of work; pass on `next` as `after` until it is missing. No memory is thrown away, and
    /// repeating a stage changes nothing. The first stage also sums up activations that are old and many, and the stage
    /// `indices` removes what undoing older consolidations needed.
    ///
    /// Only one consolidation runs at a time. Without `after`, the call is `busy` if another one was active in the
    /// last minute, and resumes one that was interrupted before.
    fn consolidate(&self, request: &ConsolidationRequest) -> Result<Consolidation, Error>;

    /// Lists consolidations, newest first, each with its first 1,000 changes. At most 100.
    fn consolidations(&self, limit: u32) -> Result<Vec<Consolidation>, Error>;

    /// Undoes a consolidation, last change first. Changes that were made together are undone together, or left alone
    /// if anything was changed since; the answer says which and why. Each call does a limited amount of work: `after`
    /// is empty at first, then the `next` of the previous answer. `conflict` if what it changed is no longer kept.
    fn undo_consolidation(&self, consolidation: &str, after: &str) -> Result<Consolidation, Error>;

    /// Embeds anew what has no vector of the present embedder: episodes, lessons (skills among them) and experience.
    /// Each call does a limited amount of work: `after` is empty at first, then the `next` of the previous answer.
    /// What has its vector is left alone, so that an interrupted reindexing can begin again. Until it has ended, what
    /// has no vector of the present embedder is found by words. `unavailable` without an embedder.
    fn reindex(&self, after: &str) -> Result<Reindexing, Error>;

    /// Counts memories by kind, phase and status. Changes nothing.
    fn take_inventory(&self) -> Result<Inventory, Error>;

    /// Returns how each of the last days went, including today, in UTC. Default: 7 days. Maximum: 400.
    fn metrics_of_days(&self, days: Option<u32>) -> Result<Metrics, Error>;
}
