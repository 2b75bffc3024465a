//! `twiceshy:memory/lessons`: generated from the contract.

use super::{
    Activation, ActivationFilter, Error, Explanation, Lesson, LessonCandidate, LessonFilter,
    LessonStatus,
};

/// Lessons: units of knowledge and their lifecycle.
pub trait Lessons {
    /// Adds a lesson as a candidate. A known lesson is not stored twice: its tags, runs and time of change are
    /// updated, its status stays.
    fn propose(&self, lesson: &LessonCandidate) -> Result<Lesson, Error>;

    /// Asks the model for lessons from the recurring failures of an episode, checks its answer, and adds what is
    /// valid as candidates. `unavailable` without a model.
    fn distil(&self, episode: &str) -> Result<Vec<Lesson>, Error>;

    /// Adds what an agent learned in an episode: a JSON array of objects with exactly the members
    /// `trigger_fingerprints` (of the episode; or `trigger_fingerprint` for a single one), `rule_text` and
    /// `scope_hint`. Adds all of them or none.
    fn hand_in(&self, episode: &str, candidates: &str) -> Result<Vec<Lesson>, Error>;

    /// Mines lessons from the steps of an episode without a model: from a failed action followed by a similar one
    /// that works, and from recurring failures. Happens automatically at the end of each run; the same episode gives
    /// the same lessons again.
    fn mine(&self, episode: &str) -> Result<Vec<Lesson>, Error>;

    /// Changes the rule of a lesson. A changed rule is unproven, so it becomes a new candidate that supersedes the
    /// old lesson, which is deprecated.
    fn revise(&self, lesson: &str, rule_text: &str, reason: &str) -> Result<Lesson, Error>;

    /// Lists activations, newest first: where lessons were shown or withheld. Of each lesson the newest are kept one by
    /// one, and all of the last month.
    fn activations(&self, filter: &ActivationFilter) -> Result<Vec<Activation>, Error>;

    /// Explains a lesson: its activations, its episodes and the steps it was learned from.
    fn explain(&self, lesson: &str) -> Result<Explanation, Error>;

    /// Lists lessons, most recently changed first.
    fn find(&self, filter: &LessonFilter) -> Result<Vec<Lesson>, Error>;

    /// Returns a lesson by its id.
    fn get(&self, lesson: &str) -> Result<Lesson, Error>;

    /// Changes the status of a lesson by hand. `conflict` if the lifecycle does not allow it: an archived lesson
    /// stays archived, and nothing becomes a candidate again.
    fn set_status(&self, lesson: &str, status: LessonStatus, reason: &str)
    -> Result<Lesson, Error>;
}
