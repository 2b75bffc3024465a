//! Experience.

use twiceshy_wit::memory::*;

use crate::ports::Engine;

impl Experience for Engine<'_> {
    fn search(&self, _query: &ExperienceQuery) -> Result<Vec<ExperienceHit>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn synthesize(&self, _task: &str, _entries: &[String]) -> Result<Synthesis, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn evolve(&self, _experience: &NewExperience) -> Result<Evolution, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn recent_window(&self) -> Result<Vec<ExperienceEntry>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn entries(
        &self,
        _memory_type: Option<MemoryType>,
        _limit: u32,
    ) -> Result<Vec<ExperienceEntry>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn get(&self, _entry: &str) -> Result<ExperienceEntry, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn similarity_of_tasks(&self) -> Result<SimilarityMetrics, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn stats(&self) -> Result<ExperienceStats, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn apply_edits(&self, _edits: &[MemoryEdit]) -> Result<EditReport, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn prune(&self) -> Result<Vec<String>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn settings(&self) -> Result<ExperienceSettings, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn configure(&self, _settings: &ExperienceSettings) -> Result<ExperienceSettings, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn remem(&self, _request: &RememRequest) -> Result<RememResult, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }
}
