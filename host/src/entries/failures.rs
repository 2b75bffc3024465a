//! `failures` of the memory, served by the component: generated from the contract.

use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Failures for Memory {
    fn record(&self, failure: &NewFailure) -> Result<FailedAttempt, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_failures();
            exports.call_record(&mut instance.store, failure)
        })?
    }

    fn categorize(&self, details: &str) -> String {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_failures();
            exports.call_categorize(&mut instance.store, details)
        })
        .unwrap_or_default()
    }

    fn patterns(&self, filter: &PatternFilter) -> Result<Vec<FailurePattern>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_failures();
            exports.call_patterns(&mut instance.store, filter)
        })?
    }

    fn check_warnings(&self, query: &WarningQuery) -> Result<Vec<FailureWarning>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_failures();
            exports.call_check_warnings(&mut instance.store, query)
        })?
    }
}
