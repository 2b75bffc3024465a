//! The inventory: how much there is of everything.
//!
//! Owns what is counted and in which order it is told. Every count is a bounded read of an index; nothing is looked
//! into. What the documents say is the business of health and of the metrics.

use twiceshy_wit::memory::{Error, Inventory, LessonKind, LessonStatus, Phase, Tally};

use crate::{
    documents::{Kind, equals},
    episodes::in_phase,
    lessons::recalled,
    ports::Engine,
};

/// The kinds of documents that a person asks after, in the order of a memory's life.
const KINDS: [Kind; 16] = [
    Kind::Run,
    Kind::Episode,
    Kind::Step,
    Kind::Event,
    Kind::Fingerprint,
    Kind::Task,
    Kind::Account,
    Kind::Lesson,
    Kind::Skill,
    Kind::Experience,
    Kind::Activation,
    Kind::Link,
    Kind::Reward,
    Kind::Consolidated,
    Kind::Decision,
    Kind::Failure,
];

const PHASES: [Phase; 5] = [
    Phase::Active,
    Phase::Mature,
    Phase::Aged,
    Phase::Archived,
    Phase::Deleted,
];

const STATUSES: [LessonStatus; 6] = [
    LessonStatus::Candidate,
    LessonStatus::Promoted,
    LessonStatus::UnderReview,
    LessonStatus::Suppressed,
    LessonStatus::Deprecated,
    LessonStatus::Archived,
];

const KNOWLEDGE: [LessonKind; 12] = [
    LessonKind::Rule,
    LessonKind::AntiPattern,
    LessonKind::Fact,
    LessonKind::Strategy,
    LessonKind::Decomposition,
    LessonKind::Sequence,
    LessonKind::ToolSelection,
    LessonKind::Failure,
    LessonKind::Recovery,
    LessonKind::Optimization,
    LessonKind::Domain,
    LessonKind::Skill,
];

impl Engine<'_> {
    /// How much there is of everything.
    pub(crate) fn inventory(&self) -> Result<Inventory, Error> {
        let now = self.now();
        let documents = KINDS.map(|kind| tally(kind.as_str(), self.count(kind, &[])));
        let episodes = PHASES.map(|phase| {
            tally(
                phase.as_str(),
                self.count(Kind::Episode, &in_phase(phase, now)),
            )
        });
        let lessons = STATUSES.map(|status| {
            let count = self.count(Kind::Lesson, &[equals("status", status.as_str())]);
            tally(status.as_str(), count)
        });
        let kinds = KNOWLEDGE.map(|kind| {
            let count = self.count(Kind::Lesson, &[recalled(), equals("kind", kind.as_str())]);
            tally(kind.as_str(), count)
        });
        let all =
            |tallies: Vec<Result<Tally, Error>>| tallies.into_iter().collect::<Result<Vec<_>, _>>();
        Ok(Inventory {
            documents: all(documents.into())?,
            episodes: all(episodes.into())?,
            lessons: all(lessons.into())?,
            kinds: all(kinds.into())?,
        })
    }
}

fn tally(name: &str, count: Result<u32, Error>) -> Result<Tally, Error> {
    Ok(Tally {
        name: name.to_owned(),
        count: count?,
    })
}
