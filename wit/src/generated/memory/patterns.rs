//! `twiceshy:memory/patterns`: generated from the contract.

use super::{
    ApplicablePattern, Error, LessonKind, LessonStatus, NewPattern, Outcome, Pattern,
    PatternUpdate, PatternVersion, SimilarPattern, TaskFeatures, Validation, ValidationGate,
};

/// Patterns: lessons with conditions of use, content and statistics. A pattern and its lesson are one: they are
/// shown, promoted and suppressed together.
pub trait Patterns {
    /// Adds a pattern as a candidate. A pattern with the same content is not stored twice: its episodes are added to
    /// the known one.
    fn add(&self, pattern: &NewPattern) -> Result<Pattern, Error>;

    /// Returns a pattern by its id. Any lesson can be read as a pattern.
    fn get(&self, pattern: &str) -> Result<Pattern, Error>;

    /// Lists patterns of a kind and status (default: any), most recently changed first. At most 1,000.
    fn find(
        &self,
        kind: Option<LessonKind>,
        status: Option<LessonStatus>,
        limit: u32,
    ) -> Result<Vec<Pattern>, Error>;

    /// Finds patterns that apply to a task, best first: promoted ones, and candidates as well if a category is given.
    /// Changes nothing.
    fn find_applicable(&self, task: &TaskFeatures) -> Result<Vec<ApplicablePattern>, Error>;

    /// Changes a pattern. Its version goes up by one, and the old version is kept.
    fn update(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error>;

    /// Lists the versions that were replaced, oldest first.
    fn history(&self, pattern: &str) -> Result<Vec<PatternVersion>, Error>;

    /// Records that a pattern was applied in an episode, and the outcome. The same episode counts once.
    fn record_application(
        &self,
        pattern: &str,
        episode: &str,
        outcome: Outcome,
    ) -> Result<Pattern, Error>;

    /// Returns the conditions for validating a pattern.
    fn gate(&self) -> Result<ValidationGate, Error>;

    /// Changes the conditions for validating a pattern, from the next validation on.
    fn set_gate(&self, gate: &ValidationGate) -> Result<ValidationGate, Error>;

    /// Tests a pattern by its applications in the last 90 days, and changes its status accordingly. The status of a
    /// suppressed, deprecated or archived pattern stays.
    fn validate(&self, pattern: &str) -> Result<Validation, Error>;

    /// Tests all patterns that are candidates, promoted or under review: at most `limit`, in the order of their ids,
    /// beginning after the id `after`.
    fn validate_all(
        &self,
        after: &str,
        limit: u32,
        dry_run: bool,
    ) -> Result<Vec<Validation>, Error>;

    /// Ends a review in favour of a pattern: narrows its applicability as the update says, resets its evidence, and
    /// promotes it again.
    fn refine(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error>;

    /// Deprecates a pattern. It is kept, with the pattern that supersedes it (empty: none).
    fn deprecate(&self, pattern: &str, reason: &str, superseded_by: &str)
    -> Result<Pattern, Error>;

    /// Finds patterns with similar content and applicability, most similar first, with a similarity of at least
    /// `least`.
    fn similar(&self, pattern: &str, least: f64) -> Result<Vec<SimilarPattern>, Error>;

    /// Merges several patterns into the most certain one: joins their evidence, widens its applicability to all of
    /// them, and deprecates the others with a link `superseded-by`.
    fn merge(&self, patterns: &[String], reason: &str) -> Result<Pattern, Error>;

    /// Puts uncertain, rarely used and contradicted patterns under review, and archives those that were not used in
    /// 180 days. Deletes nothing. Returns what was changed, or would be.
    fn prune(&self, dry_run: bool) -> Result<Vec<Validation>, Error>;
}
