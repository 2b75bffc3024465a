//! Showings: sums up activations that are old and many, so that a memory does not grow with every run.
//!
//! Owns which of them are summed up. **What a lesson is judged by was taken from an activation in the commit that ended its
//! run**, so no verdict changes: what goes is the account of a single showing. Of each lesson the newest are kept one by one,
//! for whoever wants to know why it is shown. Evidence is checked by its version, so that a run which ends at the same
//! moment loses nothing.

use std::collections::BTreeSet;

use twiceshy_wit::{
    host::Condition,
    memory::{Activation, Error},
};

use super::{KeptConsolidation, Piece, journal::Journal, place};
use crate::{
    lessons::{KeptEvidence, activations},
    store::{Desk, Kind, ascending, at_least, at_most, equals, query},
    usefulness::Thresholds,
};

/// Where the stage stands when this begins.
pub(super) const POSITION: &str = "showings";

/// Activations of a lesson that are kept one by one, however old: those that an explanation shows.
const KEPT: u32 = 50;

/// As many are summed up at least: the evidence is not written for each one.
const AT_LEAST: u32 = 50;

/// Activations that are looked at in one piece.
const PAGE: u32 = 1_000;

/// Activations that are summed up in one commit, with room for the evidence and the journal.
const AT_ONCE: u32 = 400;

/// Sums up what the lessons of some activations have too many of: those from a month ago on that no earlier consolidation
/// looked at say which lessons these are.
pub(super) fn sum_up_some(
    desk: &mut Desk,
    plan: &KeptConsolidation,
    position: &str,
    journal: &Journal,
) -> Result<Piece, Error> {
    journal.because("old, and added up long ago");
    let until = plan.mature_until();
    let (first, offset) = place(position.trim_start()).unwrap_or((plan.episodes_from, 0));
    let conditions = vec![at_least("at", first as f64), at_most("at", until as f64)];
    let mut page = query::<Activation>(conditions, ascending("at"), PAGE);
    page.offset = offset;
    let page = desk.search::<Activation>(&page)?;
    let seen = page.len() as u32;
    let lessons: BTreeSet<_> = page.iter().map(|(read, _)| &read.noun.lesson).collect();
    for lesson in lessons {
        sum_up_lesson(desk, lesson, until)?;
    }
    let done = plan.done + seen;
    let Some(last) = page
        .last()
        .map(|(read, _)| read.noun.at)
        .filter(|_| seen == PAGE)
    else {
        return Ok(Piece::last(done));
    };
    // Those of the same moment that are still there are passed over.
    let of_it = page.iter().filter(|(read, _)| read.noun.at == last);
    let of_it: Vec<_> = of_it
        .map(|(read, _)| Kind::Activation.key(&read.noun.id))
        .collect();
    let here = desk.read(&of_it)?.len() as u32 + if last == first { offset } else { 0 };
    Ok(Piece {
        next: Some(format!("{POSITION} {last} {here}")),
        done,
        total: done + 1,
    })
}

/// Sums up the oldest activations of a lesson, if there are enough that are old and not among the newest.
fn sum_up_lesson(desk: &mut Desk, lesson: &str, until: u64) -> Result<(), Error> {
    let of_it = equals("lesson", lesson);
    let old = vec![of_it.clone(), at_most("at", until as f64)];
    let all = desk.count(Kind::Activation, &[of_it])?;
    let mut left = all
        .saturating_sub(KEPT)
        .min(desk.count(Kind::Activation, &old)?);
    if left < AT_LEAST {
        return Ok(());
    }
    let mut passed = 0;
    while left > 0 {
        let (looked_at, stay) = sum_up_oldest(desk, lesson, &old, left.min(AT_ONCE), passed)?;
        if looked_at == 0 {
            break;
        }
        left = left.saturating_sub(looked_at);
        passed += stay;
    }
    Ok(())
}

/// Sums up some activations in one commit; gives how many were looked at, and how many of them stay.
fn sum_up_oldest(
    desk: &mut Desk,
    lesson: &str,
    old: &[Condition],
    most: u32,
    passed: u32,
) -> Result<(u32, u32), Error> {
    desk.commit(|batch| {
        let Some(mut evidence) = batch.load::<KeptEvidence>(lesson)? else {
            return Ok((0, 0));
        };
        // An application that is reported late counts as a showing, if there was none in its run; beyond this
        // gate it does not matter whether that can still be told.
        if evidence.noun.evidence.retrievals < Thresholds::CHOSEN.suppression_retrievals {
            return Ok((0, 0));
        }
        let mut page = query::<Activation>(old.to_vec(), ascending("at"), most);
        page.offset = passed;
        let page = batch.search::<Activation>(&page)?;
        if page.is_empty() {
            return Ok((0, 0));
        }
        let runs = page.iter().map(|(read, _)| Kind::Run.key(&read.noun.run));
        let open = batch.read(&runs.collect::<Vec<_>>())?;
        let open: BTreeSet<_> = open.iter().map(|run| run.key.id.as_str()).collect();
        let (open, over): (Vec<_>, Vec<_>) = page
            .iter()
            .partition(|(read, _)| open.contains(read.noun.run.as_str()));
        for (read, _) in &over {
            activations::sum_up(&mut evidence.noun.earlier, &read.noun);
            batch.remove(Kind::Activation, &read.noun.id);
        }
        if !over.is_empty() {
            batch.put(&evidence.noun);
        }
        Ok((page.len() as u32, open.len() as u32))
    })
}
