//! The interface `patterns` of the contract.

use twiceshy_wit::memory::{
    ApplicablePattern, Error, LessonKind, LessonStatus, NewPattern, Outcome, Pattern,
    PatternUpdate, PatternVersion, Patterns, SimilarPattern, TaskFeatures, Validation,
    ValidationGate,
};

use super::Engine;
use crate::lessons::patterns;
use crate::lessons::patterns::clearing;
use crate::lessons::patterns::evidence;
use crate::lessons::patterns::merge;
use crate::lessons::patterns::revision;
use crate::lessons::patterns::validate;

impl Patterns for Engine<'_> {
    fn add(&self, pattern: &NewPattern) -> Result<Pattern, Error> {
        patterns::add(&mut self.desk(), pattern)
    }

    fn get(&self, pattern: &str) -> Result<Pattern, Error> {
        patterns::get(&self.desk(), pattern)
    }

    fn find(
        &self,
        kind: Option<LessonKind>,
        status: Option<LessonStatus>,
        limit: u32,
    ) -> Result<Vec<Pattern>, Error> {
        patterns::find(&self.desk(), kind, status, limit)
    }

    fn find_applicable(&self, task: &TaskFeatures) -> Result<Vec<ApplicablePattern>, Error> {
        patterns::find_applicable(&self.desk(), task)
    }

    fn update(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error> {
        revision::updated(&mut self.desk(), pattern, update)
    }

    fn history(&self, pattern: &str) -> Result<Vec<PatternVersion>, Error> {
        revision::versions(&self.desk(), pattern)
    }

    fn record_application(
        &self,
        pattern: &str,
        episode: &str,
        outcome: Outcome,
    ) -> Result<Pattern, Error> {
        evidence::apply(&mut self.desk(), pattern, episode, outcome)
    }

    fn gate(&self) -> Result<ValidationGate, Error> {
        validate::kept_gate(&self.desk())
    }

    fn set_gate(&self, gate: &ValidationGate) -> Result<ValidationGate, Error> {
        validate::keep_gate(&mut self.desk(), gate)
    }

    fn validate(&self, pattern: &str) -> Result<Validation, Error> {
        validate::validated(&mut self.desk(), pattern, false)
    }

    fn validate_all(
        &self,
        after: &str,
        limit: u32,
        dry_run: bool,
    ) -> Result<Vec<Validation>, Error> {
        validate::validated_after(&mut self.desk(), after, limit, dry_run)
    }

    fn refine(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error> {
        revision::refined(&mut self.desk(), pattern, update)
    }

    fn deprecate(
        &self,
        pattern: &str,
        reason: &str,
        superseded_by: &str,
    ) -> Result<Pattern, Error> {
        revision::deprecated(&mut self.desk(), pattern, reason, superseded_by)
    }

    fn similar(&self, pattern: &str, least: f64) -> Result<Vec<SimilarPattern>, Error> {
        patterns::similar(&mut self.desk(), pattern, least)
    }

    fn merge(&self, patterns: &[String], reason: &str) -> Result<Pattern, Error> {
        merge::merged(&mut self.desk(), patterns, reason)
    }

    fn prune(&self, dry_run: bool) -> Result<Vec<Validation>, Error> {
        clearing::cleared(&mut self.desk(), dry_run)
    }
}
