//! `episodes` of the memory, served by the component: generated from the contract.

use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Episodes for Memory {
    fn add(&self, episode: &NewEpisode) -> Result<Episode, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_add(&mut instance.store, episode)
        })?
    }

    fn find(&self, filter: &EpisodeFilter) -> Result<Vec<Episode>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_find(&mut instance.store, filter)
        })?
    }

    fn get(&self, episode: &str) -> Result<Episode, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_get(&mut instance.store, episode)
        })?
    }

    fn retrieve(&self, episode: &str) -> Result<FullEpisode, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_retrieve(&mut instance.store, episode)
        })?
    }

    fn trace(&self, episode: &str, first: u32) -> Result<Vec<TraceStep>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_trace(&mut instance.store, episode, first)
        })?
    }

    fn search(&self, query: &EpisodeQuery) -> Result<Vec<EpisodeHit>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_search(&mut instance.store, query)
        })?
    }

    fn similar_failures(&self, failure: &FailureSignature) -> Result<Vec<SimilarFailure>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_similar_failures(&mut instance.store, failure)
        })?
    }

    fn lifecycle_of(&self, episode: &str) -> Result<Lifecycle, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_lifecycle_of(&mut instance.store, episode)
        })?
    }

    fn age(&self, limit: u32, dry_run: bool) -> Result<Aging, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_age(&mut instance.store, limit, dry_run)
        })?
    }

    fn restore(&self, episode: &str) -> Result<Lifecycle, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_restore(&mut instance.store, episode)
        })?
    }

    fn soft_delete(&self, episode: &str, reason: &str) -> Result<Lifecycle, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_soft_delete(&mut instance.store, episode, reason)
        })?
    }

    fn undelete(&self, episode: &str) -> Result<Lifecycle, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_undelete(&mut instance.store, episode)
        })?
    }

    fn purge(&self, retention_days: Option<u32>, dry_run: bool) -> Result<Vec<String>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_purge(&mut instance.store, retention_days, dry_run)
        })?
    }

    fn keep_artifact(
        &self,
        name: &str,
        media_type: &str,
        content: &[u8],
    ) -> Result<Artifact, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_keep_artifact(&mut instance.store, name, media_type, content)
        })?
    }

    fn artifact_content(&self, hash: &str) -> Result<Vec<u8>, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_artifact_content(&mut instance.store, hash)
        })?
    }

    fn learn(&self, episode: &NewEpisode, insights: &[String]) -> Result<LearningSummary, Error> {
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_learn(&mut instance.store, episode, insights)
        })?
    }
}
