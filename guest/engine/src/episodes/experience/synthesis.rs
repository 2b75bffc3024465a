//! Synthesis: context for a task, made from entries.
//!
//! Owns the text. It is marked, so that the memory never learns from its own words, and says that it is data.

use twiceshy_wit::memory::{Error, ExperienceEntry, Synthesis};

use super::cards::{self, shortened, size};
use crate::{
    insertion::{self, Line},
    refusal::{self, Unit},
    store::Reader,
};

/// A summary as it is shown, in characters.
const SUMMARY: usize = 600;

/// A card as it is shown, in characters: task, strategy and mistakes fit.
const CARD: usize = 700;

/// Entries that context is made from.
const MOST_ENTRIES: usize = 100;

pub(crate) fn synthesis(reader: &Reader, task: &str, ids: &[String]) -> Result<Synthesis, Error> {
    refusal::not_empty("task", task, "say what the context is for")?;
    refusal::at_most(
        "entries",
        ids.len(),
        Unit::Entries,
        MOST_ENTRIES,
        "give the most similar ones",
    )?;
    let mut entries = Vec::with_capacity(ids.len());
    for id in ids {
        entries.push(super::experience_entry(reader, id)?);
    }
    Ok(synthesized(&entries))
}

/// Context from some entries, in their order.
pub(crate) fn synthesized(entries: &[ExperienceEntry]) -> Synthesis {
    let lines: Vec<_> = entries.iter().map(line).collect();
    let text = insertion::block(&lines);
    Synthesis {
        tokens: insertion::tokens(&text),
        text,
        entries: entries.iter().map(|entry| entry.id.clone()).collect(),
    }
}

/// What an entry says, each thing once: the summary, what it leaves out of task and answer, and what the strategy card
/// says beyond them.
fn line(entry: &ExperienceEntry) -> Line {
    let summary = shortened(&entry.summary, SUMMARY);
    let is_said = |part: &str| part.is_empty() || summary.contains(part);
    let mut parts = Vec::new();
    let given = [
        ("Task", shortened(&entry.input, size::SUMMARY_INPUT)),
        ("Answer", shortened(&entry.output, size::SUMMARY_OUTPUT)),
    ];
    for (name, part) in given {
        if !is_said(&part) {
            parts.push(format!("{name}: {part}"));
        }
    }
    if !summary.is_empty() {
        parts.push(format!("Remember: {summary}"));
    }
    let card = shortened(&entry.strategy_card, CARD);
    // A card that was made of task and answer adds what to avoid, if anything, and what the summary had no room for.
    let made = cards::card(&entry.input, &entry.output, &[]);
    let is_short = entry.output.chars().count() <= size::SUMMARY_OUTPUT;
    match card.strip_prefix(&made) {
        Some(more) if is_short => {
            let more = more.trim();
            parts.extend((!more.is_empty()).then(|| more.to_owned()));
        }
        _ => parts.extend((!card.is_empty()).then(|| format!("Strategy: {card}"))),
    }
    Line {
        id: entry.id.clone(),
        kind: entry.memory_type.as_str().to_owned(),
        note: feedback(entry),
        text: parts.join(" | "),
    }
}

/// How it went, in a few words.
fn feedback(entry: &ExperienceEntry) -> String {
    let said = shortened(&entry.feedback, size::CARD_TRACE);
    let Some(feedback) = &entry.structured_feedback else {
        return if said.is_empty() {
            "feedback unknown".to_owned()
        } else {
            said
        };
    };
    let mut text = feedback.kind.as_str().to_owned();
    if feedback.progress_rate < 1.0 {
        text.push_str(&format!(", progress {:.2}", feedback.progress_rate));
    }
    if feedback.steps_used > 0 {
        text.push_str(&format!(", {} steps", feedback.steps_used));
        if let Some(optimal) = feedback.steps_optimal {
            text.push_str(&format!(" of {optimal} at best"));
        }
    }
    let message = shortened(&feedback.message, size::CARD_TRACE);
    if !message.is_empty() {
        text.push_str(&format!(", {message}"));
    }
    text
}
