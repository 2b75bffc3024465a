//! `decisions` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Decisions for Memory {
    fn record(&self, decision: &NewDecision) -> Result<Decision, Error> {
        if let Some(service) = self.service() {
            return service.ask("decisions.record", &json!({ "decision": decision, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_record(&mut instance.store, decision)
        })?
    }

    fn was_rejected(&self, query: &DecisionQuery) -> Result<DecisionMatch, Error> {
        if let Some(service) = self.service() {
            return service.ask("decisions.was-rejected", &json!({ "query": query, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_was_rejected(&mut instance.store, query)
        })?
    }

    fn was_recently_accepted(&self, query: &DecisionQuery) -> Result<DecisionMatch, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "decisions.was-recently-accepted",
                &json!({ "query": query, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_was_recently_accepted(&mut instance.store, query)
        })?
    }

    fn check(&self, query: &DecisionQuery) -> Result<DecisionCheck, Error> {
        if let Some(service) = self.service() {
            return service.ask("decisions.check", &json!({ "query": query, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_check(&mut instance.store, query)
        })?
    }

    fn query(&self, question: &DecisionQuestion) -> Result<DecisionAnswer, Error> {
        if let Some(service) = self.service() {
            return service.ask("decisions.query", &json!({ "question": question, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_query(&mut instance.store, question)
        })?
    }

    fn filter(&self, hypotheses: &HypothesisList) -> Result<FilteredHypotheses, Error> {
        if let Some(service) = self.service() {
            return service.ask("decisions.filter", &json!({ "hypotheses": hypotheses, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_filter(&mut instance.store, hypotheses)
        })?
    }

    fn get_records(&self, filter: &DecisionFilter) -> Result<Vec<Decision>, Error> {
        if let Some(service) = self.service() {
            return service.ask("decisions.get-records", &json!({ "filter": filter, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_get_records(&mut instance.store, filter)
        })?
    }

    fn failure_patterns(&self, module: &str) -> Result<Vec<RejectionPattern>, Error> {
        if let Some(service) = self.service() {
            return service.ask("decisions.failure-patterns", &json!({ "module": module, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_failure_patterns(&mut instance.store, module)
        })?
    }

    fn stats(&self) -> Result<DecisionStats, Error> {
        if let Some(service) = self.service() {
            return service.ask("decisions.stats", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_stats(&mut instance.store)
        })?
    }

    fn export_file(&self, request: &ExportRequest) -> Result<Exported, Error> {
        if let Some(service) = self.service() {
            return service.ask("decisions.export-file", &json!({ "request": request, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_export_file(&mut instance.store, request)
        })?
    }

    fn import_file(&self, request: &ImportRequest) -> Result<Imported, Error> {
        if let Some(service) = self.service() {
            return service.ask("decisions.import-file", &json!({ "request": request, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_decisions();
            exports.call_import_file(&mut instance.store, request)
        })?
    }
}
