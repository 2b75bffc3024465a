//! `episodes` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Episodes for Memory {
    fn add(&self, episode: &NewEpisode) -> Result<Episode, Error> {
        if let Some(service) = self.service() {
            return service.ask("episodes.add", &json!({ "episode": episode, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_add(&mut instance.store, episode)
        })?
    }

    fn find(&self, filter: &EpisodeFilter) -> Result<Vec<Episode>, Error> {
        if let Some(service) = self.service() {
            return service.ask("episodes.find", &json!({ "filter": filter, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_find(&mut instance.store, filter)
        })?
    }

    fn get(&self, episode: &str) -> Result<Episode, Error> {
        if let Some(service) = self.service() {
            return service.ask("episodes.get", &json!({ "episode": episode, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_get(&mut instance.store, episode)
        })?
    }

    fn retrieve(&self, episode: &str) -> Result<FullEpisode, Error> {
        if let Some(service) = self.service() {
            return service.ask("episodes.retrieve", &json!({ "episode": episode, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_retrieve(&mut instance.store, episode)
        })?
    }

    fn trace(&self, episode: &str, first: u32) -> Result<Vec<TraceStep>, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "episodes.trace",
                &json!({ "episode": episode,"first": first, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_trace(&mut instance.store, episode, first)
        })?
    }

    fn search(&self, query: &EpisodeQuery) -> Result<Vec<EpisodeHit>, Error> {
        if let Some(service) = self.service() {
            return service.ask("episodes.search", &json!({ "query": query, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_search(&mut instance.store, query)
        })?
    }

    fn similar_failures(&self, failure: &FailureSignature) -> Result<Vec<SimilarFailure>, Error> {
        if let Some(service) = self.service() {
            return service.ask("episodes.similar-failures", &json!({ "failure": failure, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_similar_failures(&mut instance.store, failure)
        })?
    }

    fn lifecycle_of(&self, episode: &str) -> Result<Lifecycle, Error> {
        if let Some(service) = self.service() {
            return service.ask("episodes.lifecycle-of", &json!({ "episode": episode, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_lifecycle_of(&mut instance.store, episode)
        })?
    }

    fn age(&self, limit: u32, dry_run: bool) -> Result<Aging, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "episodes.age",
                &json!({ "limit": limit,"dry-run": dry_run, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_age(&mut instance.store, limit, dry_run)
        })?
    }

    fn restore(&self, episode: &str) -> Result<Lifecycle, Error> {
        if let Some(service) = self.service() {
            return service.ask("episodes.restore", &json!({ "episode": episode, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_restore(&mut instance.store, episode)
        })?
    }

    fn soft_delete(&self, episode: &str, reason: &str) -> Result<Lifecycle, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "episodes.soft-delete",
                &json!({ "episode": episode,"reason": reason, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_soft_delete(&mut instance.store, episode, reason)
        })?
    }

    fn undelete(&self, episode: &str) -> Result<Lifecycle, Error> {
        if let Some(service) = self.service() {
            return service.ask("episodes.undelete", &json!({ "episode": episode, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_undelete(&mut instance.store, episode)
        })?
    }

    fn purge(&self, retention_days: Option<u32>, dry_run: bool) -> Result<Vec<String>, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "episodes.purge",
                &json!({ "retention-days": retention_days,"dry-run": dry_run, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_purge(&mut instance.store, retention_days, dry_run)
        })?
    }

    fn purge_one(&self, episode: &str, with_lessons: bool) -> Result<Vec<String>, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "episodes.purge-one",
                &json!({ "episode": episode,"with-lessons": with_lessons, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_purge_one(&mut instance.store, episode, with_lessons)
        })?
    }

    fn keep_artifact(
        &self,
        name: &str,
        media_type: &str,
        content: &[u8],
    ) -> Result<Artifact, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "episodes.keep-artifact",
                &json!({ "name": name,"media-type": media_type,"content": content, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_keep_artifact(&mut instance.store, name, media_type, content)
        })?
    }

    fn artifact_content(&self, hash: &str) -> Result<Vec<u8>, Error> {
        if let Some(service) = self.service() {
            return service.ask("episodes.artifact-content", &json!({ "hash": hash, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_artifact_content(&mut instance.store, hash)
        })?
    }

    fn learn(&self, episode: &NewEpisode, insights: &[String]) -> Result<LearningSummary, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "episodes.learn",
                &json!({ "episode": episode,"insights": insights, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_episodes();
            exports.call_learn(&mut instance.store, episode, insights)
        })?
    }
}
