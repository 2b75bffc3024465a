//! Patterns.

use twiceshy_wit::memory::*;

use crate::ports::Engine;

impl Patterns for Engine<'_> {
    fn add(&self, _pattern: &NewPattern) -> Result<Pattern, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn get(&self, _pattern: &str) -> Result<Pattern, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn find(
        &self,
        _kind: Option<LessonKind>,
        _status: Option<LessonStatus>,
        _limit: u32,
    ) -> Result<Vec<Pattern>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn find_applicable(&self, _task: &TaskFeatures) -> Result<Vec<ApplicablePattern>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn update(&self, _pattern: &str, _update: &PatternUpdate) -> Result<Pattern, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn history(&self, _pattern: &str) -> Result<Vec<PatternVersion>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn record_application(
        &self,
        _pattern: &str,
        _episode: &str,
        _outcome: Outcome,
    ) -> Result<Pattern, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn validate(&self, _pattern: &str) -> Result<Validation, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn validate_all(
        &self,
        _after: &str,
        _limit: u32,
        _dry_run: bool,
    ) -> Result<Vec<Validation>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn refine(&self, _pattern: &str, _update: &PatternUpdate) -> Result<Pattern, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn deprecate(
        &self,
        _pattern: &str,
        _reason: &str,
        _superseded_by: &str,
    ) -> Result<Pattern, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn similar(&self, _pattern: &str, _least: f64) -> Result<Vec<SimilarPattern>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn merge(&self, _patterns: &[String], _reason: &str) -> Result<Pattern, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn prune(&self, _dry_run: bool) -> Result<Vec<Validation>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }
}
