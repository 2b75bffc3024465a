//! The state of the work, in words.
//!
//! Owns how an execution state is shown within its budget: the newest of what is done, all of what is not. The state
//! itself is kept whole.

use twiceshy_wit::memory::ExecutionState;

use super::short::short;

use crate::insertion;

/// The state in words, within two thirds of its section: the rest is for variables.
pub(super) fn words(body: &str, budget: u32) -> String {
    match serde_json::from_str::<ExecutionState>(body) {
        Ok(state) => in_words(&state, budget / 3 * 2),
        // Never written so by this version.
        Err(_) => short(body, budget / 3 * 2),
    }
}

fn in_words(state: &ExecutionState, tokens: u32) -> String {
    let mut parts = vec![format!("phase: {}", state.phase)];
    if let Some(subtask) = &state.current_subtask {
        parts.push(format!("current subtask: {subtask}"));
    }
    if let Some(progress) = state.progress {
        parts.push(format!("progress: {:.0} %", progress * 100.0));
    }
    if !state.in_progress.is_empty() {
        parts.push(format!("in progress: {}", state.in_progress.join(", ")));
    }
    if !state.failed.is_empty() {
        let failed = state.failed.iter().rev();
        let failed: Vec<_> = failed
            .map(|failed| format!("{} ({})", failed.subtask, failed.error))
            .collect();
        parts.push(format!("failed, newest first: {}", failed.join(", ")));
    }
    if !state.completed.is_empty() {
        let completed: Vec<_> = state.completed.iter().rev().map(String::as_str).collect();
        parts.push(format!("completed, newest first: {}", completed.join(", ")));
    }
    // What is done long ago stands last and is cut first, but for its count.
    let text = parts.join("; ");
    let count = format!(" ({} completed)", state.completed.len());
    let whole = insertion::tokens(&text) <= tokens;
    if whole {
        return text;
    }
    let room = tokens.saturating_sub(insertion::tokens(&count) + 2);
    short(&text, room) + &count
}
