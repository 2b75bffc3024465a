//! Stage 3: tests patterns by their applications.
//!
//! Owns which of them are due: those with new applications, and each once a week. The test itself, and the new status of a
//! pattern, is the business of the patterns.

use twiceshy_wit::{
    host::Order,
    memory::{Error, LessonStatus},
};

use super::{KeptConsolidation, Piece, journal::Journal};
use crate::{
    lessons::patterns::{Head, validate},
    limits::DAY_MS,
    store::{Desk, Kind, Reader, any_of, at_least, equals, from_on, query},
};

/// Patterns of one piece.
const PAGE: u32 = 100;

/// Each pattern is tested once in so much time, whatever happens.
const WEEK_MS: u64 = 7 * DAY_MS;

/// The statuses in which a pattern is tested.
const TESTED: [LessonStatus; 3] = [
    LessonStatus::Candidate,
    LessonStatus::Promoted,
    LessonStatus::UnderReview,
];

pub(super) fn validate_patterns(
    desk: &mut Desk,
    plan: &KeptConsolidation,
    journal: &Journal,
) -> Result<Piece, Error> {
    let statuses = any_of("status", TESTED.iter().map(|status| status.as_str()));
    let total = desk.count(Kind::Pattern, std::slice::from_ref(&statuses))?;
    let conditions = vec![statuses, from_on("id", &plan.position)];
    let page = query::<Head>(conditions, Order::ById, PAGE);
    let page: Vec<_> = desk
        .search::<Head>(&page)?
        .into_iter()
        .map(|(read, _)| read.noun)
        .filter(|head| head.id != plan.position)
        .collect();
    let least = validate::kept_gate(desk)?.least_applications;
    journal.because("because of its applications in the last 90 days");
    for head in &page {
        if is_due(desk, head, least, plan.started_at)? {
            validate::validated(desk, &head.id, false)?;
        }
    }
    let last = page.last().map(|head| head.id.clone());
    let page = page.len() as u32;
    Ok(Piece {
        next: last.filter(|_| page + 1 >= PAGE),
        done: plan.done + page,
        total,
    })
}

/// Whether a pattern is to be tested.
fn is_due(reader: &Reader, head: &Head, least: u32, now: u64) -> Result<bool, Error> {
    let Some(last) = head.last_validated else {
        return Ok(head.applications >= least);
    };
    if now >= last + WEEK_MS {
        return Ok(true);
    }
    let new = [
        equals("pattern", &head.id),
        at_least("at", last as f64 + 1.0),
    ];
    Ok(reader.count(Kind::Application, &new)? > 0)
}
