//! `twiceshy:memory/experience`: generated from the contract.

use super::{
    EditReport, Error, Evolution, ExperienceEntry, ExperienceHit, ExperienceQuery,
    ExperienceSettings, ExperienceStats, MemoryEdit, MemoryType, NewExperience, ReEmbedding,
    RememRequest, RememResult, SimilarityMetrics, Synthesis,
};

/// Experience that improves with use: search, synthesize, evolve. At most `max-size` entries are searched; pruned and
/// merged entries are kept.
pub trait Experience {
    /// Searches entries with similar tasks, successes and failures, most similar first. Counts as an access. Without
    /// `enable-rag`, returns the newest entries instead.
    fn search(&self, query: &ExperienceQuery) -> Result<Vec<ExperienceHit>, Error>;

    /// Makes context for a task from some entries, with their strategy cards.
    fn synthesize(&self, task: &str, entries: &[String]) -> Result<Synthesis, Error>;

    /// Adds an experience: finds its type, merges near-duplicates into it, and prunes entries beyond `max-size`.
    fn evolve(&self, experience: &NewExperience) -> Result<Evolution, Error>;

    /// Lists the `window-size` newest entries, newest first.
    fn recent_window(&self) -> Result<Vec<ExperienceEntry>, Error>;

    /// Lists entries of one type or of all, newest first. At most 1,000.
    fn entries(
        &self,
        memory_type: Option<MemoryType>,
        limit: u32,
    ) -> Result<Vec<ExperienceEntry>, Error>;

    /// Returns an entry by its id. Changes nothing.
    fn get(&self, entry: &str) -> Result<ExperienceEntry, Error>;

    /// Lists entries that are not searched any more, because they were pruned or merged, newest first. At most 1,000.
    fn archived(&self, limit: u32) -> Result<Vec<ExperienceEntry>, Error>;

    /// Brings a pruned or merged entry back, so that it is searched again. Counts as an access, and prunes others if
    /// there are more than `max-size` then. What an entry took from it by merging stays there. An entry that is searched
    /// stays as it is.
    fn restore(&self, entry: &str) -> Result<Evolution, Error>;

    /// Measures how similar the tasks are, and recommends what to prune.
    fn similarity_of_tasks(&self) -> Result<SimilarityMetrics, Error>;

    /// Counts the entries.
    fn stats(&self) -> Result<ExperienceStats, Error>;

    /// Makes all edits or none. If an edit does not fit, the report gives the reason, and nothing is changed.
    fn apply_edits(&self, edits: &[MemoryEdit]) -> Result<EditReport, Error>;

    /// Prunes down to `max-size` now. Returns the ids of the pruned entries.
    fn prune(&self) -> Result<Vec<String>, Error>;

    /// Returns the settings.
    fn settings(&self) -> Result<ExperienceSettings, Error>;

    /// Changes the settings. `invalid-argument` names a setting that is out of range.
    fn configure(&self, settings: &ExperienceSettings) -> Result<ExperienceSettings, Error>;

    /// Computes vectors with the current embedder for entries that have none, or one of another length: at most
    /// `limit` entries (0: 64), newest first. Call it until none is left. `unavailable` without an embedder.
    fn re_embed(&self, limit: u32) -> Result<ReEmbedding, Error>;

    /// Runs ReMem: the host's model thinks, edits experience and answers, and the result becomes experience.
    /// `unavailable` without a model, or if `remem-enabled` is false.
    fn remem(&self, request: &RememRequest) -> Result<RememResult, Error>;
}
