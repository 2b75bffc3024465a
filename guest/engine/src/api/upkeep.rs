//! The interface `upkeep` of the contract.

use twiceshy_wit::memory::{
    Consolidation, ConsolidationRequest, Error, Finding, Health, Inventory, MemoryStatus, Metrics,
    Pruned, Reindexing, Upkeep,
};

use super::Engine;
use crate::upkeep;
use crate::upkeep::consolidation;
use crate::upkeep::consolidation::undo;
use crate::upkeep::health;
use crate::upkeep::inventory;
use crate::upkeep::metrics;
use crate::upkeep::prune;
use crate::upkeep::reindex;

impl Upkeep for Engine<'_> {
    fn status(&self) -> Result<MemoryStatus, Error> {
        upkeep::status(&self.desk())
    }

    fn verify(&self) -> Result<Vec<Finding>, Error> {
        upkeep::verify(&self.desk())
    }

    fn report(&self) -> Result<Health, Error> {
        health::health(&self.desk())
    }

    fn consolidate(&self, request: &ConsolidationRequest) -> Result<Consolidation, Error> {
        consolidation::consolidate_piece(&mut self.desk(), request)
    }

    fn consolidations(&self, limit: u32) -> Result<Vec<Consolidation>, Error> {
        consolidation::list_consolidations(&self.desk(), limit)
    }

    fn undo_consolidation(&self, consolidation: &str, after: &str) -> Result<Consolidation, Error> {
        undo::undo_piece(&mut self.desk(), consolidation, after)
    }

    fn reindex(&self, after: &str) -> Result<Reindexing, Error> {
        reindex::reindex_piece(&mut self.desk(), after)
    }

    fn take_inventory(&self) -> Result<Inventory, Error> {
        inventory::inventory(&self.desk())
    }

    fn metrics_of_days(&self, days: Option<u32>) -> Result<Metrics, Error> {
        metrics::metrics(&self.desk(), days)
    }

    fn prune(&self, before: u64, dry_run: bool) -> Result<Pruned, Error> {
        prune::remove_before(&mut self.desk(), before, dry_run)
    }
}
