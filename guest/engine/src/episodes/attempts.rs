//! Attempts: the steps of an episode or an open run as lessons are found in them.

use twiceshy_wit::memory::{Error, TraceStep};

use super::cold;
use crate::{events, limits, mining::Attempt, store::Reader};

/// The steps of a run as lessons are found in them: the newest, if there are very many.
pub(crate) fn attempts_of(reader: &Reader, run: &str) -> Result<Vec<Attempt>, Error> {
    let steps = cold::last_steps(reader, run, limits::MINED_STEPS)?;
    Ok(steps.iter().map(attempt).collect())
}

/// All steps of an episode as lessons are found in them.
pub(crate) fn all_attempts_of(reader: &Reader, run: &str) -> Result<Vec<Attempt>, Error> {
    let mut attempts = Vec::new();
    loop {
        let first = attempts.last().map_or(0, |last: &Attempt| last.index + 1);
        let steps = cold::steps_from(reader, run, first, limits::MINED_STEPS)?;
        if steps.is_empty() {
            return Ok(attempts);
        }
        attempts.extend(steps.iter().map(attempt));
    }
}

/// A step as lessons are found in it.
pub(crate) fn attempt(step: &TraceStep) -> Attempt {
    Attempt {
        index: step.index,
        action: step.feedback.action_text.clone(),
        is_command: is_command(&step.step.action),
        evidence: match step.fingerprint {
            Some(_) => events::evidence_in(&step.feedback),
            None => String::new(),
        },
        failure: step
            .fingerprint
            .clone()
            .map(|fingerprint| (fingerprint, String::new())),
        known_runs: 0,
        harmful: false,
    }
}

/// Whether an action is a command line: it names the command that was run.
fn is_command(action: &str) -> bool {
    let action = serde_json::from_str::<serde_json::Value>(action);
    action.is_ok_and(|action| action.get("command").is_some())
}
