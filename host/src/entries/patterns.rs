//! `patterns` of the memory, served by the component: generated from the contract.

use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Patterns for Memory {
    fn add(&self, pattern: &NewPattern) -> Result<Pattern, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_add(&mut instance.store, pattern)
        })?
    }

    fn get(&self, pattern: &str) -> Result<Pattern, Error> {
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
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_find(&mut instance.store, kind, status, limit)
        })?
    }

    fn find_applicable(&self, task: &TaskFeatures) -> Result<Vec<ApplicablePattern>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_find_applicable(&mut instance.store, task)
        })?
    }

    fn update(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_update(&mut instance.store, pattern, update)
        })?
    }

    fn history(&self, pattern: &str) -> Result<Vec<PatternVersion>, Error> {
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
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_record_application(&mut instance.store, pattern, episode, outcome)
        })?
    }

    fn gate(&self) -> Result<ValidationGate, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_gate(&mut instance.store)
        })?
    }

    fn set_gate(&self, gate: &ValidationGate) -> Result<ValidationGate, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_set_gate(&mut instance.store, *gate)
        })?
    }

    fn validate(&self, pattern: &str) -> Result<Validation, Error> {
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
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_validate_all(&mut instance.store, after, limit, dry_run)
        })?
    }

    fn refine(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error> {
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
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_deprecate(&mut instance.store, pattern, reason, superseded_by)
        })?
    }

    fn similar(&self, pattern: &str, least: f64) -> Result<Vec<SimilarPattern>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_similar(&mut instance.store, pattern, least)
        })?
    }

    fn merge(&self, patterns: &[String], reason: &str) -> Result<Pattern, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_merge(&mut instance.store, patterns, reason)
        })?
    }

    fn prune(&self, dry_run: bool) -> Result<Vec<Validation>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_patterns();
            exports.call_prune(&mut instance.store, dry_run)
        })?
    }
}
