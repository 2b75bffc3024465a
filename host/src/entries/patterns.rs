//! `patterns` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Patterns for Memory {
    fn add(&self, pattern: &NewPattern) -> Result<Pattern, Error> {
        if let Some(service) = self.service() {
            return service.ask("patterns.add", &json!({ "pattern": pattern, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_add(&mut instance.store, pattern)
        })?
    }

    fn get(&self, pattern: &str) -> Result<Pattern, Error> {
        if let Some(service) = self.service() {
            return service.ask("patterns.get", &json!({ "pattern": pattern, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_get(&mut instance.store, pattern)
        })?
    }

    fn find(
        &self,
        kind: Option<LessonKind>,
        status: Option<LessonStatus>,
        limit: u32,
    ) -> Result<Vec<Pattern>, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "patterns.find",
                &json!({ "kind": kind,"status": status,"limit": limit, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_find(&mut instance.store, kind, status, limit)
        })?
    }

    fn find_applicable(&self, task: &TaskFeatures) -> Result<Vec<ApplicablePattern>, Error> {
        if let Some(service) = self.service() {
            return service.ask("patterns.find-applicable", &json!({ "task": task, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_find_applicable(&mut instance.store, task)
        })?
    }

    fn update(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "patterns.update",
                &json!({ "pattern": pattern,"update": update, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_update(&mut instance.store, pattern, update)
        })?
    }

    fn history(&self, pattern: &str) -> Result<Vec<PatternVersion>, Error> {
        if let Some(service) = self.service() {
            return service.ask("patterns.history", &json!({ "pattern": pattern, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_history(&mut instance.store, pattern)
        })?
    }

    fn record_application(
        &self,
        pattern: &str,
        episode: &str,
        outcome: Outcome,
    ) -> Result<Pattern, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "patterns.record-application",
                &json!({ "pattern": pattern,"episode": episode,"outcome": outcome, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_record_application(&mut instance.store, pattern, episode, outcome)
        })?
    }

    fn gate(&self) -> Result<ValidationGate, Error> {
        if let Some(service) = self.service() {
            return service.ask("patterns.gate", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_gate(&mut instance.store)
        })?
    }

    fn set_gate(&self, gate: &ValidationGate) -> Result<ValidationGate, Error> {
        if let Some(service) = self.service() {
            return service.ask("patterns.set-gate", &json!({ "gate": gate, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_set_gate(&mut instance.store, *gate)
        })?
    }

    fn validate(&self, pattern: &str) -> Result<Validation, Error> {
        if let Some(service) = self.service() {
            return service.ask("patterns.validate", &json!({ "pattern": pattern, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_validate(&mut instance.store, pattern)
        })?
    }

    fn validate_all(
        &self,
        after: &str,
        limit: u32,
        dry_run: bool,
    ) -> Result<Vec<Validation>, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "patterns.validate-all",
                &json!({ "after": after,"limit": limit,"dry-run": dry_run, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_validate_all(&mut instance.store, after, limit, dry_run)
        })?
    }

    fn refine(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "patterns.refine",
                &json!({ "pattern": pattern,"update": update, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_refine(&mut instance.store, pattern, update)
        })?
    }

    fn deprecate(
        &self,
        pattern: &str,
        reason: &str,
        superseded_by: &str,
    ) -> Result<Pattern, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "patterns.deprecate",
                &json!({ "pattern": pattern,"reason": reason,"superseded-by": superseded_by, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_deprecate(&mut instance.store, pattern, reason, superseded_by)
        })?
    }

    fn similar(&self, pattern: &str, least: f64) -> Result<Vec<SimilarPattern>, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "patterns.similar",
                &json!({ "pattern": pattern,"least": least, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_similar(&mut instance.store, pattern, least)
        })?
    }

    fn merge(&self, patterns: &[String], reason: &str) -> Result<Pattern, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "patterns.merge",
                &json!({ "patterns": patterns,"reason": reason, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_merge(&mut instance.store, patterns, reason)
        })?
    }

    fn prune(&self, dry_run: bool) -> Result<Vec<Validation>, Error> {
        if let Some(service) = self.service() {
            return service.ask("patterns.prune", &json!({ "dry-run": dry_run, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_prune(&mut instance.store, dry_run)
        })?
    }
}
