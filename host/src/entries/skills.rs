//! `skills` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Skills for Memory {
    fn put(&self, slug: &str, markdown: &str) -> Result<Skill, Error> {
        if let Some(service) = self.service() {
            return service.ask("skills.put", &json!({ "slug": slug,"markdown": markdown, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_skills();
            exports.call_put(&mut instance.store, slug, markdown)
        })?
    }

    fn get(&self, slug: &str) -> Result<Skill, Error> {
        if let Some(service) = self.service() {
            return service.ask("skills.get", &json!({ "slug": slug, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_skills();
            exports.call_get(&mut instance.store, slug)
        })?
    }

    fn history(&self, slug: &str) -> Result<Vec<Skill>, Error> {
        if let Some(service) = self.service() {
            return service.ask("skills.history", &json!({ "slug": slug, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_skills();
            exports.call_history(&mut instance.store, slug)
        })?
    }

    fn all(&self) -> Result<Vec<Skill>, Error> {
        if let Some(service) = self.service() {
            return service.ask("skills.all", &json!({}));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_skills();
            exports.call_all(&mut instance.store)
        })?
    }

    fn find(&self, task: &str, limit: u32) -> Result<Vec<SkillHit>, Error> {
        if let Some(service) = self.service() {
            return service.ask("skills.find", &json!({ "task": task,"limit": limit, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_skills();
            exports.call_find(&mut instance.store, task, limit)
        })?
    }

    fn retire(&self, slug: &str, reason: &str) -> Result<Skill, Error> {
        if let Some(service) = self.service() {
            return service.ask("skills.retire", &json!({ "slug": slug,"reason": reason, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_skills();
            exports.call_retire(&mut instance.store, slug, reason)
        })?
    }

    fn make_of_pattern(&self, pattern: &str, slug: &str) -> Result<Skill, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "skills.make-of-pattern",
                &json!({ "pattern": pattern,"slug": slug, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_skills();
            exports.call_make_of_pattern(&mut instance.store, pattern, slug)
        })?
    }
}
