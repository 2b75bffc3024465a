//! `upkeep` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Upkeep for Memory {
    fn status(&self) -> Result<MemoryStatus, Error> {
        if let Some(service) = self.service() {
            return service.ask("upkeep.status", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_upkeep();
            exports.call_status(&mut instance.store)
        })?
    }

    fn verify(&self) -> Result<Vec<Finding>, Error> {
        if let Some(service) = self.service() {
            return service.ask("upkeep.verify", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_upkeep();
            exports.call_verify(&mut instance.store)
        })?
    }

    fn report(&self) -> Result<Health, Error> {
        if let Some(service) = self.service() {
            return service.ask("upkeep.report", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_upkeep();
            exports.call_report(&mut instance.store)
        })?
    }

    fn prune(&self, before: Timestamp, dry_run: bool) -> Result<Pruned, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "upkeep.prune",
                &json!({ "before": before,"dry-run": dry_run, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_upkeep();
            exports.call_prune(&mut instance.store, before, dry_run)
        })?
    }

    fn consolidate(&self, request: &ConsolidationRequest) -> Result<Consolidation, Error> {
        if let Some(service) = self.service() {
            return service.ask("upkeep.consolidate", &json!({ "request": request, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_upkeep();
            exports.call_consolidate(&mut instance.store, request)
        })?
    }

    fn consolidations(&self, limit: u32) -> Result<Vec<Consolidation>, Error> {
        if let Some(service) = self.service() {
            return service.ask("upkeep.consolidations", &json!({ "limit": limit, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_upkeep();
            exports.call_consolidations(&mut instance.store, limit)
        })?
    }

    fn undo_consolidation(&self, consolidation: &str, after: &str) -> Result<Consolidation, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "upkeep.undo-consolidation",
                &json!({ "consolidation": consolidation,"after": after, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_upkeep();
            exports.call_undo_consolidation(&mut instance.store, consolidation, after)
        })?
    }

    fn reindex(&self, after: &str) -> Result<Reindexing, Error> {
        if let Some(service) = self.service() {
            return service.ask("upkeep.reindex", &json!({ "after": after, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_upkeep();
            exports.call_reindex(&mut instance.store, after)
        })?
    }

    fn take_inventory(&self) -> Result<Inventory, Error> {
        if let Some(service) = self.service() {
            return service.ask("upkeep.take-inventory", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_upkeep();
            exports.call_take_inventory(&mut instance.store)
        })?
    }

    fn metrics_of_days(&self, days: Option<u32>) -> Result<Metrics, Error> {
        if let Some(service) = self.service() {
            return service.ask("upkeep.metrics-of-days", &json!({ "days": days, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_upkeep();
            exports.call_metrics_of_days(&mut instance.store, days)
        })?
    }
}
