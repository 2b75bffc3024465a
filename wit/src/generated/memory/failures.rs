//! `twiceshy:memory/failures`: generated from the contract.

use super::{
    Error, FailedAttempt, FailurePattern, FailureWarning, NewFailure, PatternFilter, WarningQuery,
};

/// Failed attempts, and the patterns in how they fail.
pub trait Failures {
    /// Records a failed attempt.
    fn record(&self, failure: &NewFailure) -> Result<FailedAttempt, Error>;

    /// Returns `syntax`, `type`, `import`, `test` or `unknown` for the details of a failure, by whole words. Pure.
    fn categorize(&self, details: &str) -> String;

    /// Groups failures with the same fingerprint, most frequent first. Takes time in proportion to the number of
    /// failures that match the filter.
    fn patterns(&self, filter: &PatternFilter) -> Result<Vec<FailurePattern>, Error>;

    /// Warns before an attempt: one warning for each type of failure that recurred when the same hypothesis was
    /// attempted on this module, most certain first. Empty if it never failed.
    fn check_warnings(&self, query: &WarningQuery) -> Result<Vec<FailureWarning>, Error>;
}
