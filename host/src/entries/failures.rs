//! `failures` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Failures for Memory {
    fn record(&self, failure: &NewFailure) -> Result<FailedAttempt, Error> {
        if let Some(service) = self.service() {
            return service.ask("failures.record", &json!({ "failure": failure, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_failures();
            exports.call_record(&mut instance.store, failure)
        })?
    }

    fn categorize(&self, details: &str) -> String {
        if let Some(service) = self.service() {
            return service
                .ask("failures.categorize", &json!({ "details": details, }))
                .unwrap_or_default();
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_failures();
            exports.call_categorize(&mut instance.store, details)
        })
        .unwrap_or_default()
    }

    fn patterns(&self, filter: &PatternFilter) -> Result<Vec<FailurePattern>, Error> {
        if let Some(service) = self.service() {
            return service.ask("failures.patterns", &json!({ "filter": filter, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_failures();
            exports.call_patterns(&mut instance.store, filter)
        })?
    }

    fn check_warnings(&self, query: &WarningQuery) -> Result<Vec<FailureWarning>, Error> {
        if let Some(service) = self.service() {
            return service.ask("failures.check-warnings", &json!({ "query": query, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_failures();
            exports.call_check_warnings(&mut instance.store, query)
        })?
    }
}
