//! The interface `skills` of the contract.

use twiceshy_wit::memory::{Error, Skill, SkillHit, Skills};

use super::Engine;
use crate::lessons::skills;
use crate::lessons::skills::from_pattern;

impl Skills for Engine<'_> {
    fn put(&self, slug: &str, markdown: &str) -> Result<Skill, Error> {
        skills::put(&mut self.desk(), slug, markdown)
    }

    fn get(&self, slug: &str) -> Result<Skill, Error> {
        skills::get(&self.desk(), slug)
    }

    fn history(&self, slug: &str) -> Result<Vec<Skill>, Error> {
        skills::history(&self.desk(), slug)
    }

    fn all(&self) -> Result<Vec<Skill>, Error> {
        skills::all(&self.desk())
    }

    fn find(&self, task: &str, limit: u32) -> Result<Vec<SkillHit>, Error> {
        skills::find(&self.desk(), task, limit)
    }

    fn retire(&self, slug: &str, reason: &str) -> Result<Skill, Error> {
        skills::retire(&mut self.desk(), slug, reason)
    }

    fn make_of_pattern(&self, pattern: &str, slug: &str) -> Result<Skill, Error> {
        from_pattern::skill_from_pattern(&mut self.desk(), pattern, slug)
    }
}
