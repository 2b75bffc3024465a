//! `twiceshy:memory/episodes`: generated from the contract.

use super::{
    Aging, Artifact, Episode, EpisodeFilter, EpisodeHit, EpisodeQuery, Error, FailureSignature,
    FullEpisode, LearningSummary, Lifecycle, NewEpisode, SimilarFailure, TraceStep,
};

/// Runs that have ended.
pub trait Episodes {
    /// Adds an episode from elsewhere as if it had been observed: its failed actions become events, and lessons are
    /// mined from it. `conflict` if its id is taken.
    fn add(&self, episode: &NewEpisode) -> Result<Episode, Error>;

    /// Lists episodes by their attributes, newest first. Deleted and consolidated ones are left out, unless the
    /// filter asks for their phase.
    fn find(&self, filter: &EpisodeFilter) -> Result<Vec<Episode>, Error>;

    /// Returns an episode by its id. Changes nothing.
    fn get(&self, episode: &str) -> Result<Episode, Error>;

    /// Returns everything that is known about an episode, even from cold storage. Counts as an access.
    fn retrieve(&self, episode: &str) -> Result<FullEpisode, Error>;

    /// Returns the steps of an episode or of an open run, in order, beginning with the step `first`, even from cold
    /// storage. At most 200.
    fn trace(&self, episode: &str, first: u32) -> Result<Vec<TraceStep>, Error>;

    /// Searches episodes by meaning or words, or by attributes only, ranked by relevance. At least the 20 most
    /// similar are ranked. Changes nothing.
    fn search(&self, query: &EpisodeQuery) -> Result<Vec<EpisodeHit>, Error>;

    /// Finds episodes with the same or a similar failure, and what worked there. Changes nothing.
    fn similar_failures(&self, failure: &FailureSignature) -> Result<Vec<SimilarFailure>, Error>;

    /// Returns what happened to an episode after the end of its run. Changes nothing.
    fn lifecycle_of(&self, episode: &str) -> Result<Lifecycle, Error>;

    /// Moves the steps and accounts of old episodes to cold storage, at most `limit` episodes, oldest first.
    /// `dry-run` only counts. `unavailable` if the host has no archive.
    fn age(&self, limit: u32, dry_run: bool) -> Result<Aging, Error>;

    /// Brings the steps and the account of an episode back from cold storage. They stay at hand for at least 30 days.
    fn restore(&self, episode: &str) -> Result<Lifecycle, Error>;

    /// Deletes an episode. It is no longer found, and can be brought back until it is purged. Lessons that were learned in it
    /// alone are withdrawn with it; its lifecycle names them.
    fn soft_delete(&self, episode: &str, reason: &str) -> Result<Lifecycle, Error>;

    /// Brings back a deleted episode, with the lessons that were withdrawn with it. What it was merged with before stays apart.
    fn undelete(&self, episode: &str) -> Result<Lifecycle, Error>;

    /// Removes for good the episodes that were deleted longer ago than `retention-days` (default: 30), and returns
    /// their ids. One in which alone a lesson was learned stays, and so does one with links: `purge-one` removes
    /// it. `dry-run` removes nothing.
    fn purge(&self, retention_days: Option<u32>, dry_run: bool) -> Result<Vec<String>, Error>;

    /// Removes one episode for good, deleted before or not. `conflict` if a lesson was learned in it alone; with
    /// `with-lessons` these lessons are removed with it, and their ids returned.
    fn purge_one(&self, episode: &str, with_lessons: bool) -> Result<Vec<String>, Error>;

    /// Keeps a content outside the store, under its hash. Secrets in texts are masked first. At most 16 MiB.
    fn keep_artifact(
        &self,
        name: &str,
        media_type: &str,
        content: &[u8],
    ) -> Result<Artifact, Error>;

    /// Returns a content by its hash.
    fn artifact_content(&self, hash: &str) -> Result<Vec<u8>, Error>;

    /// Stores an episode with reflections on it, and updates lessons and patterns, in one call.
    fn learn(&self, episode: &NewEpisode, insights: &[String]) -> Result<LearningSummary, Error>;
}
