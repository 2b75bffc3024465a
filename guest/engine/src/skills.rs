//! Skills.

use twiceshy_wit::memory::*;

use crate::ports::Engine;

impl Skills for Engine<'_> {
    fn put(&self, _slug: &str, _markdown: &str) -> Result<Skill, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn get(&self, _slug: &str) -> Result<Skill, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn all(&self) -> Result<Vec<Skill>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn find(&self, _task: &str, _limit: u32) -> Result<Vec<SkillHit>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn retire(&self, _slug: &str, _reason: &str) -> Result<Skill, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn from_pattern(&self, _pattern: &str, _slug: &str) -> Result<Skill, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }
}
