//! Stage 6: writes the report of a consolidation.
//!
//! Owns the counts that are kept with it: what each stage changed, where patterns stand, and what the memory holds. How
//! well the memory works is reported by [`health`](crate::upkeep::health) at any time.

use std::collections::BTreeMap;

use twiceshy_wit::memory::{ConsolidationReport, Error, LessonStatus, Tally};

use crate::store::{Kind, Reader, equals};

/// The kinds of documents that tell what a memory holds.
const KINDS: [Kind; 14] = [
    Kind::Episode,
    Kind::Step,
    Kind::Event,
    Kind::Fingerprint,
    Kind::Task,
    Kind::Account,
    Kind::Lifecycle,
    Kind::Consolidated,
    Kind::Lesson,
    Kind::Pattern,
    Kind::Skill,
    Kind::Activation,
    Kind::Link,
    Kind::ConsolidationChange,
];

/// Where a lesson may stand.
const STATUSES: [LessonStatus; 6] = [
    LessonStatus::Candidate,
    LessonStatus::Promoted,
    LessonStatus::UnderReview,
    LessonStatus::Suppressed,
    LessonStatus::Deprecated,
    LessonStatus::Archived,
];

/// The name of the count of episodes that no stage compared, because of a bound.
const NOT_COMPARED: &str = "not compared";

pub(super) fn consolidation_report(
    reader: &Reader,
    id: &str,
    not_compared: u32,
) -> Result<ConsolidationReport, Error> {
    let mut stages: BTreeMap<&str, u32> = BTreeMap::new();
    for change in super::journal::changes_of(reader, id, usize::MAX)? {
        *stages.entry(change.stage.as_str()).or_default() += 1;
    }
    stages.insert(NOT_COMPARED, not_compared);
    let mut patterns = Vec::new();
    for status in STATUSES {
        let count = reader.count(Kind::Lesson, &[equals("status", status.as_str())])?;
        patterns.push((status.as_str(), count));
    }
    let mut storage = Vec::new();
    for kind in KINDS {
        storage.push((kind.as_str(), reader.count(kind, &[])?));
    }
    Ok(ConsolidationReport {
        stages: tallies(stages),
        patterns: tallies(patterns),
        storage: tallies(storage),
    })
}

/// Counts that are not 0, as the contract has them.
fn tallies<'n>(counts: impl IntoIterator<Item = (&'n str, u32)>) -> Vec<Tally> {
    let counted = counts.into_iter().filter(|(_, count)| *count > 0);
    counted
        .map(|(name, count)| Tally {
            name: name.to_owned(),
            count,
        })
        .collect()
}
