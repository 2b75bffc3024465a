//! Clearing: patterns of little value are put under review or archived.
//!
//! Owns what counts as little value. Nothing is deleted: doubtful patterns go under review, unused ones go
//! to the archive.

use twiceshy_wit::memory::{
    Error, LessonStatus, PatternEvidence, Trust, Validation, ValidationAnswer,
};

use super::{binomial, document::Head, validate::figures};
use crate::{
    lessons::{Entry, may_become},
    limits::DAY_MS,
    store::{Desk, any_of, ascending, from_on, query},
};

/// Heads that are read in one go.
const PAGE: u32 = 500;

/// Below this a pattern is unsure, if it was applied often enough to tell.
const LOW_CONFIDENCE: f64 = 0.5;

/// Applications from which its confidence and its failures tell something.
const TELLING_APPLICATIONS: u32 = 5;

/// The chance below which so many failures are no accident.
const SIGNIFICANT: f64 = 0.05;

/// Days without any use after which a pattern is archived.
const NEVER_USED_DAYS: u64 = 180;

/// A pattern that is older than this and was used fewer times than [`LITTLE_USE`], and not recently, is rarely used.
const HARDLY_USED_DAYS: u64 = 180;

/// Uses below which a pattern is hardly used.
const LITTLE_USE: u32 = 3;

/// A use within this many days is recent.
const LATE_DAYS: u64 = 90;

pub(crate) fn cleared(desk: &mut Desk, dry_run: bool) -> Result<Vec<Validation>, Error> {
    let now = desk.now();
    let mut moved = Vec::new();
    let mut after = String::new();
    loop {
        let in_use = [LessonStatus::Candidate, LessonStatus::Promoted];
        let mut conditions = vec![any_of("status", in_use.iter().map(|one| one.as_str()))];
        if !after.is_empty() {
            conditions.push(from_on("id", &after));
        }
        let found = desk.search::<Head>(&query::<Head>(conditions, ascending("id"), PAGE))?;
        let full = found.len() == PAGE as usize;
        for (read, _) in found {
            let id = read.noun.id;
            if id != after {
                moved.extend(cleared_away(desk, &id, dry_run, now)?);
            }
            after = id;
        }
        if !full {
            return Ok(moved);
        }
    }
}

/// Moves one pattern if it is of little value.
fn cleared_away(
    desk: &mut Desk,
    pattern: &str,
    dry_run: bool,
    now: u64,
) -> Result<Option<Validation>, Error> {
    desk.commit(|batch| {
        let mut entry = super::pattern_entry(batch, pattern)?;
        let from_status = entry.kept.lesson.status;
        let evidence = entry.pattern().1.evidence.clone();
        let Some((to_status, reason)) =
            little_value(&entry, &evidence, now).filter(|(to, _)| may_become(from_status, *to))
        else {
            return Ok(None);
        };
        entry.become_status(to_status, &reason, now);
        if !dry_run {
            entry.put(batch);
        }
        let validation = Validation {
            pattern: pattern.to_owned(),
            answer: ValidationAnswer::NeedsReview,
            from_status,
            to_status,
            evidence,
            reason,
        };
        Ok(Some(validation))
    })
}

/// Where a pattern of little value goes, and why; none if it is worth keeping.
fn little_value(
    entry: &Entry,
    evidence: &PatternEvidence,
    now: u64,
) -> Option<(LessonStatus, String)> {
    let head = entry.head.as_ref()?;
    let days = |since: u64| now.saturating_sub(since) / DAY_MS;
    let age = days(head.created_at);
    // What a person vouches for does not go for want of opportunities.
    let may_age = entry.kept.lesson.trust != Trust::Vouched;
    if may_age && head.usage == 0 && age >= NEVER_USED_DAYS {
        let reason = format!("never used in {age} days");
        return Some((LessonStatus::Archived, reason));
    }
    let review = |reason: String| Some((LessonStatus::UnderReview, reason));
    let (successes, applications) = (evidence.successes, evidence.applications);
    if applications >= TELLING_APPLICATIONS {
        if binomial::at_most(successes, applications, 0.5) < SIGNIFICANT {
            return review(format!(
                "contradicted by its evidence: {}",
                figures(evidence)
            ));
        }
        if evidence.confidence < LOW_CONFIDENCE {
            return review(format!("low confidence: {}", figures(evidence)));
        }
    }
    let unused = head.last_used.map_or(age, days);
    if may_age && head.usage < LITTLE_USE && age >= HARDLY_USED_DAYS && unused >= LATE_DAYS {
        return review(format!(
            "rarely used: {} times in {age} days, last {unused} days ago",
            head.usage
        ));
    }
    None
}
