//! The interface `lessons` of the contract.

use twiceshy_wit::memory::{
    Activation, ActivationFilter, Error, Explanation, Lesson, LessonCandidate, LessonFilter,
    LessonStatus, Lessons,
};

use super::Engine;
use crate::endings;
use crate::lessons;
use crate::lessons::activations;
use crate::lessons::distil;
use crate::recall::explain;

impl Lessons for Engine<'_> {
    fn propose(&self, candidate: &LessonCandidate) -> Result<Lesson, Error> {
        lessons::propose(&mut self.desk(), candidate)
    }

    fn distil(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        distil::ask_for_lessons(&mut self.desk(), episode)
    }

    fn find(&self, filter: &LessonFilter) -> Result<Vec<Lesson>, Error> {
        lessons::find(&self.desk(), filter)
    }

    fn get(&self, lesson: &str) -> Result<Lesson, Error> {
        lessons::get(&self.desk(), lesson)
    }

    fn set_status(
        &self,
        lesson: &str,
        status: LessonStatus,
        reason: &str,
    ) -> Result<Lesson, Error> {
        lessons::set_status(&mut self.desk(), lesson, status, reason)
    }

    fn hand_in(&self, episode: &str, candidates: &str) -> Result<Vec<Lesson>, Error> {
        distil::take_candidates(&mut self.desk(), episode, candidates)
    }

    fn mine(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        endings::mine_episode(&mut self.desk(), episode)
    }

    fn revise(&self, lesson: &str, rule_text: &str, reason: &str) -> Result<Lesson, Error> {
        lessons::revise(&mut self.desk(), lesson, rule_text, reason)
    }

    fn activations(&self, filter: &ActivationFilter) -> Result<Vec<Activation>, Error> {
        activations::find_activations(&self.desk(), filter)
    }

    fn explain(&self, lesson: &str) -> Result<Explanation, Error> {
        explain::explain(&self.desk(), lesson)
    }
}
