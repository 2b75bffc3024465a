//! `decisions` of the memory, served by the component: generated from the contract.

use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Decisions for Memory {
    fn record(&self, decision: &NewDecision) -> Result<Decision, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_record(&mut instance.store, decision)
        })?
    }

    fn was_rejected(&self, query: &DecisionQuery) -> Result<DecisionMatch, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_was_rejected(&mut instance.store, query)
        })?
    }

    fn was_recently_accepted(&self, query: &DecisionQuery) -> Result<DecisionMatch, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_was_recently_accepted(&mut instance.store, query)
        })?
    }

    fn check(&self, query: &DecisionQuery) -> Result<DecisionCheck, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_check(&mut instance.store, query)
        })?
    }

    fn query(&self, question: &DecisionQuestion) -> Result<DecisionAnswer, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_query(&mut instance.store, question)
        })?
    }

    fn filter(&self, hypotheses: &HypothesisList) -> Result<FilteredHypotheses, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_filter(&mut instance.store, hypotheses)
        })?
    }

    fn get_records(&self, filter: &DecisionFilter) -> Result<Vec<Decision>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_get_records(&mut instance.store, filter)
        })?
    }

    fn failure_patterns(&self, module: &str) -> Result<Vec<RejectionPattern>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_failure_patterns(&mut instance.store, module)
        })?
    }

    fn stats(&self) -> Result<DecisionStats, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_stats(&mut instance.store)
        })?
    }

    fn export_file(&self, request: &ExportRequest) -> Result<Exported, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_export_file(&mut instance.store, request)
        })?
    }

    fn import_file(&self, request: &ImportRequest) -> Result<Imported, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_import_file(&mut instance.store, request)
        })?
    }
}
