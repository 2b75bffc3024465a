//! Synthesis: context for a task from experiences.
//!
//! Owns the text. It is marked, so that it is never taken for new evidence, and says of itself that it is data.

use twiceshy_wit::memory::{Error, ExperienceEntry, Synthesis};

use super::cards::{shortened, size};
use crate::{
    insertion::{self, Line},
    ports::Engine,
};

/// A summary as it is shown, in characters.
const SUMMARY: usize = 600;

/// A card as it is shown, in characters: task, strategy and mistakes fit.
const CARD: usize = 700;

/// Entries that context is made from.
const MOST_ENTRIES: usize = 100;

impl Engine<'_> {
    pub(crate) fn synthesis(&self, task: &str, ids: &[String]) -> Result<Synthesis, Error> {
        if task.trim().is_empty() {
            return Err(Error::InvalidArgument(
                "task is empty; say what the context is for".to_owned(),
            ));
        }
        if ids.len() > MOST_ENTRIES {
            return Err(Error::InvalidArgument(format!(
                "entries has {} ids, at most {MOST_ENTRIES} are taken; give the most alike",
                ids.len()
            )));
        }
        let mut entries = Vec::with_capacity(ids.len());
        for id in ids {
            entries.push(self.experience_entry(id)?);
        }
        Ok(synthesized(&entries))
    }
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

fn line(entry: &ExperienceEntry) -> Line {
    let mut text = format!("Task: {}", shortened(&entry.input, size::SUMMARY_INPUT));
    let parts = [
        ("Answer", shortened(&entry.output, size::SUMMARY_OUTPUT)),
        ("Remember", shortened(&entry.summary, SUMMARY)),
        ("Strategy", shortened(&entry.strategy_card, CARD)),
    ];
    for (name, part) in parts {
        if !part.is_empty() {
            text.push_str(&format!(" | {name}: {part}"));
        }
    }
    Line {
        id: entry.id.clone(),
        kind: entry.memory_type.as_str().to_owned(),
        note: feedback(entry),
        text,
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
