//! The interface `failures` of the contract.

use twiceshy_wit::memory::{
    Error, FailedAttempt, FailurePattern, FailureWarning, Failures, NewFailure, PatternFilter,
    WarningQuery,
};

use super::Engine;
use crate::decisions::failures;

impl Failures for Engine<'_> {
    fn record(&self, new: &NewFailure) -> Result<FailedAttempt, Error> {
        failures::record(&mut self.desk(), new)
    }

    fn categorize(&self, details: &str) -> String {
        failures::categorize(&self.desk(), details)
    }

    fn patterns(&self, filter: &PatternFilter) -> Result<Vec<FailurePattern>, Error> {
        failures::patterns(&self.desk(), filter)
    }

    fn check_warnings(&self, query: &WarningQuery) -> Result<Vec<FailureWarning>, Error> {
        failures::check_warnings(&self.desk(), query)
    }
}
