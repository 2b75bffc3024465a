//! The interface `episodes` of the contract.

use twiceshy_wit::memory::{
    Aging, Artifact, Episode, EpisodeFilter, EpisodeHit, EpisodeQuery, Episodes, Error,
    FailureSignature, FullEpisode, LearningSummary, Lifecycle, NewEpisode, SimilarFailure,
    TraceStep,
};

use super::Engine;
use crate::{
    endings::intake,
    episodes::{self, aging, artifacts, search, similar},
    upkeep::{deletion, prune},
};

impl Episodes for Engine<'_> {
    fn find(&self, filter: &EpisodeFilter) -> Result<Vec<Episode>, Error> {
        episodes::find(&self.desk(), filter)
    }

    fn add(&self, episode: &NewEpisode) -> Result<Episode, Error> {
        intake::add(&mut self.desk(), episode)
    }

    fn retrieve(&self, episode: &str) -> Result<FullEpisode, Error> {
        episodes::retrieve(&mut self.desk(), episode)
    }

    fn search(&self, query: &EpisodeQuery) -> Result<Vec<EpisodeHit>, Error> {
        search::search_episodes(&self.desk(), query)
    }

    fn similar_failures(&self, failure: &FailureSignature) -> Result<Vec<SimilarFailure>, Error> {
        similar::failures_like(&self.desk(), failure)
    }

    fn lifecycle_of(&self, episode: &str) -> Result<Lifecycle, Error> {
        episodes::lifecycle_of(&self.desk(), episode)
    }

    fn age(&self, limit: u32, dry_run: bool) -> Result<Aging, Error> {
        aging::age_episodes(&mut self.desk(), limit, dry_run)
    }

    fn restore(&self, episode: &str) -> Result<Lifecycle, Error> {
        aging::restore_episode(&mut self.desk(), episode)
    }

    fn soft_delete(&self, episode: &str, reason: &str) -> Result<Lifecycle, Error> {
        deletion::delete(&mut self.desk(), episode, reason)
    }

    fn undelete(&self, episode: &str) -> Result<Lifecycle, Error> {
        deletion::undelete(&mut self.desk(), episode)
    }

    fn purge(&self, retention_days: Option<u32>, dry_run: bool) -> Result<Vec<String>, Error> {
        prune::purge_episodes(&mut self.desk(), retention_days, dry_run)
    }

    fn purge_one(&self, episode: &str, with_lessons: bool) -> Result<Vec<String>, Error> {
        prune::purge_episode(&mut self.desk(), episode, with_lessons)
    }

    fn keep_artifact(
        &self,
        name: &str,
        media_type: &str,
        content: &[u8],
    ) -> Result<Artifact, Error> {
        artifacts::kept_artifact(&self.desk(), name, media_type, content)
    }

    fn artifact_content(&self, hash: &str) -> Result<Vec<u8>, Error> {
        artifacts::content(&self.desk(), hash)
    }

    fn learn(&self, episode: &NewEpisode, insights: &[String]) -> Result<LearningSummary, Error> {
        intake::learn_episode(&mut self.desk(), episode, insights)
    }

    fn get(&self, episode: &str) -> Result<Episode, Error> {
        episodes::get(&self.desk(), episode)
    }

    fn trace(&self, episode: &str, first: u32) -> Result<Vec<TraceStep>, Error> {
        episodes::trace(&self.desk(), episode, first)
    }
}
