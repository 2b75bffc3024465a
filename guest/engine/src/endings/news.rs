//! News: what a run teaches that no lesson said in it before.
//!
//! A run that follows a hint fails and works as the run did that the hint was learned from, with other names. Learned again, it would be a
//! lesson beside the one that helped, and every such run would add another. One that differs from it in names alone is learned all the
//! same: consolidation makes a general lesson of the two.

use std::collections::BTreeSet;

use twiceshy_wit::memory::Error;

use crate::{
    analogy::Case,
    general,
    lessons::{KeptLesson, Proposal},
    recall,
    runs::OpenRun,
    store::Reader,
};

/// Takes out what a lesson that was shown in the run says already. The very same lesson stays: the run is one more origin of it.
pub(super) fn leave_out_what_was_said(
    reader: &Reader,
    open: &OpenRun,
    proposals: &mut Vec<Proposal>,
) {
    let is_shown = |lesson: &str| {
        let mut shown = open.activations.iter().filter(|one| !one.withheld);
        shown.any(|one| one.lesson == lesson)
    };
    if proposals.iter().all(|proposal| is_shown(proposal.id())) {
        return;
    }
    match shown_lessons(reader, open) {
        Ok(shown) => proposals.retain(|proposal| {
            let cases = &proposal.kept.cases;
            let outline = general::outline(proposal.rule_text());
            let is_other = |kept: &&KeptLesson| general::outline(&kept.lesson.rule_text) != outline;
            let is_said = |case: &Case| shown.iter().filter(is_other).any(|kept| says(kept, case));
            is_shown(proposal.id()) || cases.is_empty() || !cases.iter().all(is_said)
        }),
        Err(error) => reader.warn(&format!("not compared with hints: {}", error.message())),
    }
}

/// The lessons that were shown in a run.
fn shown_lessons(reader: &Reader, open: &OpenRun) -> Result<Vec<KeptLesson>, Error> {
    let shown = open.activations.iter().filter(|one| !one.withheld);
    let ids: BTreeSet<_> = shown.map(|one| one.lesson.as_str()).collect();
    let lessons = reader.load_by_id::<KeptLesson>(ids.iter())?;
    Ok(lessons.into_values().map(|read| read.noun).collect())
}

/// Whether a lesson says of a failure what worked then.
fn says(kept: &KeptLesson, case: &Case) -> bool {
    recall::command_at_hand(kept, &case.wrong, &case.evidence).is_some_and(|command| {
        command
            .split_whitespace()
            .eq(case.correct.split_whitespace())
    })
}
