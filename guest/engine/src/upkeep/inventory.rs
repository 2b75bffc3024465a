//! The inventory: how many memories of each kind there are.
//!
//! Owns what is counted and in which order it is reported. Every count is a bounded read of an index; no document is looked
//! into. What the documents say is the business of health and of the metrics.

use twiceshy_wit::memory::{Error, Inventory, LessonKind, LessonStatus, Phase, Tally};

use crate::{
    episodes::in_phase,
    lessons::recalled,
    store::{Kind, Reader, equals},
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

/// How much there is of everything.
pub(crate) fn inventory(reader: &Reader) -> Result<Inventory, Error> {
    let now = reader.now();
    let documents = KINDS.map(|kind| tally(kind.as_str(), reader.count(kind, &[])));
    let episodes = PHASES.map(|phase| {
        tally(
            phase.as_str(),
            reader.count(Kind::Episode, &in_phase(phase, now)),
        )
    });
    let lessons = STATUSES.map(|status| {
        let count = reader.count(Kind::Lesson, &[equals("status", status.as_str())]);
        tally(status.as_str(), count)
    });
    let kinds = KNOWLEDGE.map(|kind| {
        let count = reader.count(Kind::Lesson, &[recalled(), equals("kind", kind.as_str())]);
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

fn tally(name: &str, count: Result<u32, Error>) -> Result<Tally, Error> {
    Ok(Tally {
        name: name.to_owned(),
        count: count?,
    })
}
