//! Merging: what one entry takes over from another.
//!
//! Owns which words, numbers and mistakes those are. What the entry was before is noted, so that it can part with them again.

use twiceshy_wit::memory::{ExperienceEntry, Metadata};

use super::{
    cards,
    draft::{MOST_TAGS, SUMMARY_BYTES},
    entry::{KeptExperience, failed, succeeded},
    own::Own,
};

/// Notes what an entry has itself, if it has taken in nothing yet.
fn note_own(kept: &mut KeptExperience) {
    if kept.own.is_none() && kept.entry.merged_from.is_empty() {
        kept.own = Some(Own::of(&kept.entry, kept.is_view));
    }
}

/// Adds what another entry says to one.
pub(super) fn take_in(kept: &mut KeptExperience, old: &ExperienceEntry) {
    note_own(kept);
    // What others told is not in its episode.
    kept.is_view = false;
    let entry = &mut kept.entry;
    entry.merged_from.push(old.id.clone());
    for earlier in &old.merged_from {
        if !entry.merged_from.contains(earlier) {
            entry.merged_from.push(earlier.clone());
        }
    }
    // The newest many are named; the others are found through these.
    entry.merged_from.truncate(MOST_MERGED);
    let summaries = [entry.summary.as_str(), &old.summary];
    entry.summary = cards::joined(summaries.into_iter(), SUMMARY_BYTES);
    for tag in &old.tags {
        if !entry.tags.contains(tag) && entry.tags.len() < MOST_TAGS {
            entry.tags.push(tag.clone());
        }
    }
    entry.tags.sort();
    for one in &old.metadata {
        let known = |own: &Metadata| own.name == one.name;
        if !entry.metadata.iter().any(known) && entry.metadata.len() < MOST_TAGS {
            entry.metadata.push(one.clone());
        }
    }
    if entry.raw_trace.is_empty() {
        entry.raw_trace.clone_from(&old.raw_trace);
    }
    carry_feedback(entry, old);
    if entry.strategy_card.is_empty() {
        entry.strategy_card.clone_from(&old.strategy_card);
    }
    avoid_mistake(kept, old);
}

/// Entries that one names as merged into it.
const MOST_MERGED: usize = 256;

/// Numbers are carried over where there are none; the fewest steps are those of any of them.
fn carry_feedback(entry: &mut ExperienceEntry, old: &ExperienceEntry) {
    match (&mut entry.structured_feedback, &old.structured_feedback) {
        (own @ None, Some(feedback)) if entry.feedback == old.feedback => {
            *own = Some(feedback.clone());
        }
        (Some(own), Some(feedback)) => {
            let fewest = [own.steps_optimal, feedback.steps_optimal];
            own.steps_optimal = fewest.into_iter().flatten().min();
        }
        _ => {}
    }
}

/// What failed in another experience of the same task is a mistake to avoid.
pub(super) fn avoid_mistake(kept: &mut KeptExperience, old: &ExperienceEntry) {
    let entry = &kept.entry;
    if !failed(old) || !succeeded(entry) || entry.strategy_card.contains(" Avoid ") {
        return;
    }
    let card = |mistakes: &[String]| cards::card(&entry.input, &entry.output, mistakes);
    // A card of somebody else's making is left as it is.
    if entry.strategy_card == card(&[]) {
        let card = card(std::slice::from_ref(&old.output));
        note_own(kept);
        if let Some(own) = &mut kept.own
            && !own.avoids.contains(&old.id)
        {
            own.avoids.push(old.id.clone());
        }
        kept.entry.strategy_card = card;
        kept.is_view = false;
    }
}
