//! The experience that a run becomes by itself when it ends.
//!
//! Owns what of a run is its answer, its feedback and its strategy card, all without a model. It is written with the
//! episode, in the same commit.

use twiceshy_wit::{
    host::Change,
    memory::{Episode, Error, ExperienceSettings, FeedbackType, StructuredFeedback},
};

use super::{
    cards,
    draft::{Draft, OUTPUT_BYTES},
    evolve::Room,
    feedback::of_outcome,
    memory_type::memory_type,
};
use crate::{advice, endings::Closing, payload::kept_text, ports::Engine, tasks::Task};

/// What a run needs to become an experience, found out before its commit is prepared.
#[derive(Debug, Clone)]
pub(crate) struct Prospect {
    settings: ExperienceSettings,
    vector: Vec<f32>,
}

impl Engine<'_> {
    /// Whether a run with this task becomes an experience, and its vector.
    pub(crate) fn prospect(&self, task: &str) -> Result<Option<Prospect>, Error> {
        let settings = self.experience_settings()?;
        if task.trim().is_empty() || !settings.enabled {
            return Ok(None);
        }
        Ok(Some(Prospect {
            settings,
            vector: self.task_vector(task),
        }))
    }

    /// The changes by which a run becomes an experience.
    pub(crate) fn experienced(
        &self,
        closing: &Closing,
        episode: &Episode,
        task: Option<&Task>,
    ) -> Result<Vec<Change>, Error> {
        let Some(prospect) = closing.prospect else {
            return Ok(Vec::new());
        };
        let draft = draft(closing, episode, task);
        let (settings, now) = (&prospect.settings, episode.ended_at);
        let vector = self.fitting(prospect.vector.clone())?;
        let grown = self.grown(&episode.id, &draft, &vector, settings, Room::NARROW, now)?;
        self.tell_evolution(&grown.evolution, settings);
        Ok(grown.changes)
    }
}

fn draft(closing: &Closing, episode: &Episode, task: Option<&Task>) -> Draft {
    let kind = of_outcome(episode.outcome);
    let success = kind == FeedbackType::Success;
    let worked = closing
        .attempts
        .iter()
        .rev()
        .find(|one| one.failure.is_none());
    let last = closing.attempts.last();
    // Of a success, the last action that worked is the answer; of a failure, the last that was tried.
    let answer = if success { worked.or(last) } else { last };
    let action = answer.map_or(String::new(), |attempt| attempt.action.clone());
    // What came out of it says more than what was done last.
    let told = closing
        .account
        .and_then(|account| account.primary_output.as_deref());
    let output = match told.map(str::trim).filter(|told| !told.is_empty()) {
        Some(told) => kept_text(told, OUTPUT_BYTES),
        None => action.clone(),
    };
    let feedback = structured(closing, episode, task, kind);
    let mut summary = cards::summary(Some(kind), &episode.task, &output);
    let learned = learned(closing);
    for rule in &learned {
        summary.push_str("\n\n");
        summary.push_str(&cards::shortened(rule, cards::size::CARD_STRATEGY));
    }
    let trace: Vec<_> = closing
        .attempts
        .iter()
        .map(|attempt| {
            let went = if attempt.failure.is_some() {
                "failed"
            } else {
                "worked"
            };
            format!(
                "{went}: {}",
                cards::shortened(&attempt.action, cards::size::CARD_TRACE)
            )
        })
        .collect();
    Draft {
        memory_type: memory_type(&[&episode.task, &output]),
        strategy_card: if success {
            card(&episode.task, &action, &learned)
        } else {
            String::new()
        },
        input: episode.task.clone(),
        feedback: kind.as_str().to_owned(),
        summary,
        raw_trace: tail(&trace),
        metadata: Vec::new(),
        tags: episode.tags.clone(),
        domain: episode.domain.clone(),
        structured_feedback: Some(feedback),
        output,
    }
}

/// The rules that were found in the run.
fn learned(closing: &Closing) -> Vec<String> {
    let rules = closing.mined.iter().map(|proposal| proposal.rule_text());
    rules.take(RULES).map(str::to_owned).collect()
}

/// Rules that one experience tells.
const RULES: usize = 3;

/// What worked is what to do, and what the rules call wrong is what to avoid.
fn card(task: &str, output: &str, learned: &[String]) -> String {
    let advice: Vec<_> = learned.iter().map(|rule| advice::parse(rule)).collect();
    let right = advice.iter().find_map(|advice| advice.correct.clone());
    let wrong: Vec<_> = advice
        .into_iter()
        .filter_map(|advice| advice.wrong)
        .collect();
    let strategy = match &right {
        Some(right) if output != right && !output.is_empty() => format!("{right}, then {output}"),
        Some(right) => right.clone(),
        None => output.to_owned(),
    };
    cards::card(task, &strategy, &wrong)
}

fn structured(
    closing: &Closing,
    episode: &Episode,
    task: Option<&Task>,
    kind: FeedbackType,
) -> StructuredFeedback {
    let reached = match kind {
        FeedbackType::Success => 1.0,
        FeedbackType::Partial => 0.5,
        FeedbackType::Failure | FeedbackType::InProgress => 0.0,
    };
    StructuredFeedback {
        kind,
        correct: kind == FeedbackType::Success,
        progress_rate: closing.scored.score.unwrap_or(reached),
        steps_used: episode.steps,
        steps_optimal: task.and_then(|task| task.fewest_steps),
        message: format!("{} of {} steps failed", episode.failures, episode.steps),
    }
}

/// The last lines, as many as are worth keeping.
fn tail(trace: &[String]) -> String {
    trace[trace.len().saturating_sub(TOLD)..].join("\n")
}

/// Steps that the trace of an experience tells.
const TOLD: usize = 40;
