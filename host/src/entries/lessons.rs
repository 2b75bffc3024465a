//! `lessons` of the memory, served by the component or a service: generated from the contract.

use serde_json::json;
use twiceshy_wit::memory::*;

use crate::memory::Memory;

impl Lessons for Memory {
    fn propose(&self, lesson: &LessonCandidate) -> Result<Lesson, Error> {
        if let Some(service) = self.service() {
            return service.ask("lessons.propose", &json!({ "lesson": lesson, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_lessons();
            exports.call_propose(&mut instance.store, lesson)
        })?
    }

    fn distil(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        if let Some(service) = self.service() {
            return service.ask("lessons.distil", &json!({ "episode": episode, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_lessons();
            exports.call_distil(&mut instance.store, episode)
        })?
    }

    fn hand_in(&self, episode: &str, candidates: &str) -> Result<Vec<Lesson>, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "lessons.hand-in",
                &json!({ "episode": episode,"candidates": candidates, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_lessons();
            exports.call_hand_in(&mut instance.store, episode, candidates)
        })?
    }

    fn mine(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        if let Some(service) = self.service() {
            return service.ask("lessons.mine", &json!({ "episode": episode, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_lessons();
            exports.call_mine(&mut instance.store, episode)
        })?
    }

    fn revise(&self, lesson: &str, rule_text: &str, reason: &str) -> Result<Lesson, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "lessons.revise",
                &json!({ "lesson": lesson,"rule-text": rule_text,"reason": reason, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_lessons();
            exports.call_revise(&mut instance.store, lesson, rule_text, reason)
        })?
    }

    fn activations(&self, filter: &ActivationFilter) -> Result<Vec<Activation>, Error> {
        if let Some(service) = self.service() {
            return service.ask("lessons.activations", &json!({ "filter": filter, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_lessons();
            exports.call_activations(&mut instance.store, filter)
        })?
    }

    fn explain(&self, lesson: &str) -> Result<Explanation, Error> {
        if let Some(service) = self.service() {
            return service.ask("lessons.explain", &json!({ "lesson": lesson, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_lessons();
            exports.call_explain(&mut instance.store, lesson)
        })?
    }

    fn find(&self, filter: &LessonFilter) -> Result<Vec<Lesson>, Error> {
        if let Some(service) = self.service() {
            return service.ask("lessons.find", &json!({ "filter": filter, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_lessons();
            exports.call_find(&mut instance.store, filter)
        })?
    }

    fn get(&self, lesson: &str) -> Result<Lesson, Error> {
        if let Some(service) = self.service() {
            return service.ask("lessons.get", &json!({ "lesson": lesson, }));
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_lessons();
            exports.call_get(&mut instance.store, lesson)
        })?
    }

    fn set_status(
        &self,
        lesson: &str,
        status: LessonStatus,
        reason: &str,
    ) -> Result<Lesson, Error> {
        if let Some(service) = self.service() {
            return service.ask(
                "lessons.set-status",
                &json!({ "lesson": lesson,"status": status,"reason": reason, }),
            );
        }
        self.with(|instance| {
            let exports = instance.exports.twiceshy_memory_lessons();
            exports.call_set_status(&mut instance.store, lesson, status, reason)
        })?
    }
}
