//! `experience` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Experience for Memory {
    fn search(&self, query: &ExperienceQuery) -> Result<Vec<ExperienceHit>, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.search", &json!({ "query": query, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_search(&mut instance.store, query)
        })?
    }

    fn synthesize(&self, task: &str, entries: &[String]) -> Result<Synthesis, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "experience.synthesize",
                &json!({ "task": task,"entries": entries, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_synthesize(&mut instance.store, task, entries)
        })?
    }

    fn evolve(&self, experience: &NewExperience) -> Result<Evolution, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.evolve", &json!({ "experience": experience, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_evolve(&mut instance.store, experience)
        })?
    }

    fn recent_window(&self) -> Result<Vec<ExperienceEntry>, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.recent-window", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_recent_window(&mut instance.store)
        })?
    }

    fn entries(
        &self,
        memory_type: Option<MemoryType>,
        limit: u32,
    ) -> Result<Vec<ExperienceEntry>, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "experience.entries",
                &json!({ "memory-type": memory_type,"limit": limit, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_entries(&mut instance.store, memory_type, limit)
        })?
    }

    fn get(&self, entry: &str) -> Result<ExperienceEntry, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.get", &json!({ "entry": entry, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_get(&mut instance.store, entry)
        })?
    }

    fn archived(&self, limit: u32) -> Result<Vec<ExperienceEntry>, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.archived", &json!({ "limit": limit, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_archived(&mut instance.store, limit)
        })?
    }

    fn restore(&self, entry: &str) -> Result<Evolution, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.restore", &json!({ "entry": entry, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_restore(&mut instance.store, entry)
        })?
    }

    fn similarity_of_tasks(&self) -> Result<SimilarityMetrics, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.similarity-of-tasks", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_similarity_of_tasks(&mut instance.store)
        })?
    }

    fn stats(&self) -> Result<ExperienceStats, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.stats", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_stats(&mut instance.store)
        })?
    }

    fn apply_edits(&self, edits: &[MemoryEdit]) -> Result<EditReport, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.apply-edits", &json!({ "edits": edits, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_apply_edits(&mut instance.store, edits)
        })?
    }

    fn prune(&self) -> Result<Vec<String>, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.prune", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_prune(&mut instance.store)
        })?
    }

    fn settings(&self) -> Result<ExperienceSettings, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.settings", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_settings(&mut instance.store)
        })?
    }

    fn configure(&self, settings: &ExperienceSettings) -> Result<ExperienceSettings, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.configure", &json!({ "settings": settings, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_configure(&mut instance.store, *settings)
        })?
    }

    fn re_embed(&self, limit: u32) -> Result<ReEmbedding, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.re-embed", &json!({ "limit": limit, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_re_embed(&mut instance.store, limit)
        })?
    }

    fn remem(&self, request: &RememRequest) -> Result<RememResult, Error> {
        if let Some(service) = self.service() {
            return service.ask("experience.remem", &json!({ "request": request, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_experience();
            exports.call_remem(&mut instance.store, request)
        })?
    }
}
