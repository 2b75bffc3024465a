//! `twiceshy why`: the chain from a lesson to its origins, its showings, their episodes and the very steps.

use std::{collections::BTreeMap, process::ExitCode};

use clap::Args;
use twiceshy::wit::memory::{
    Activation, EarlierActivations, Episode, Explanation, Lessons, Moment, TraceStep, Verdict,
};

use super::{context::Context, failure::Failure, lessons, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy why les_0123456789abcdef
  twiceshy why les_0123456789abcdef --json";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The lesson's id.
    lesson: String,
}

pub(crate) fn why(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let explanation = context.memory()?.explain(&arguments.lesson)?;
    context.print(&explanation, || lines(&explanation))
}

pub(crate) fn lines(explanation: &Explanation) -> Vec<String> {
    let Explanation {
        lesson,
        links,
        activations,
        earlier,
        episodes,
        steps,
    } = explanation;
    let episodes: BTreeMap<&str, &Episode> = episodes
        .iter()
        .map(|episode| (episode.id.as_str(), episode))
        .collect();
    let mut lines = vec![
        show::line(&lesson.rule_text),
        format!(
            "  {}, {}: {}",
            show::line(&lesson.id),
            lesson.status.as_str(),
            show::line(&lesson.status_reason)
        ),
        format!(
            "  reliability {:.2}, {}, {}",
            lesson.reliability,
            lesson.trust.as_str(),
            lessons::usefulness(&lesson.usefulness)
        ),
    ];
    lines.push("learned".to_owned());
    for origin in &lesson.origins {
        lines.push(format!("  {}", lessons::origin(origin)));
        if let Some(episode) = episodes.get(origin.run.as_str()) {
            lines.push(format!("    {}", self::episode(episode)));
        }
        let own = steps
            .iter()
            .filter(|step| step.run == origin.run && origin.steps.contains(&step.index));
        lines.extend(own.flat_map(step));
    }
    lines.push("shown".to_owned());
    if activations.is_empty() && earlier.is_none() {
        lines.push("  not yet".to_owned());
    }
    for activation in activations {
        lines.push(format!("  {}", shown(activation)));
        lines.extend(outcome(activation).map(|outcome| format!("    {outcome}")));
        if let Some(episode) = episodes.get(activation.run.as_str()) {
            lines.push(format!("    {}", self::episode(episode)));
        }
    }
    lines.extend(earlier.map(|sum| format!("  {}", summed_up(&sum))));
    if !links.is_empty() {
        lines.push("related".to_owned());
        let related = links
            .iter()
            .map(|link| lessons::link_line(link, &lesson.id));
        lines.extend(related.map(|link| format!("  {link}")));
    }
    lines
}

fn episode(episode: &Episode) -> String {
    let score = episode
        .score
        .map(|score| format!(", score {score:.2} by {}", episode.referee.as_str()));
    let task = match show::cut(&episode.task, 60) {
        task if task.is_empty() => String::new(),
        task => format!("\"{task}\" "),
    };
    format!(
        "{task}{} after {} steps, {} of them failed{}",
        episode.outcome.as_str(),
        episode.steps,
        episode.failures,
        score.unwrap_or_default()
    )
}

/// A step that it was learned from: what was done, and what came of it.
fn step(step: &TraceStep) -> Vec<String> {
    let feedback = &step.feedback;
    let verdict = if step.event_id.is_some() {
        "failed"
    } else {
        "worked"
    };
    let mut lines = vec![format!(
        "    step {:<3} {verdict}  {}",
        step.index,
        show::cut(&feedback.action_text, 110)
    )];
    if let Some(failure) = &feedback.hard_failure {
        lines.push(format!(
            "                    {}: {}",
            show::cut(&failure.reason, 30),
            show::cut(&failure.evidence, 110)
        ));
    }
    lines
}

fn shown(activation: &Activation) -> String {
    let moment = match (activation.moment, &activation.fingerprint) {
        (Moment::BeforeRun, _) => format!("before step {}", activation.step),
        (Moment::OnError, Some(fingerprint)) => {
            format!(
                "after step {} failed ({})",
                activation.step,
                show::line(fingerprint)
            )
        }
        (Moment::OnError, None) => format!("after step {} failed", activation.step),
    };
    let what = match (activation.withheld, activation.showings) {
        (true, _) => "withheld to compare".to_owned(),
        (false, 1) => "shown".to_owned(),
        (false, times) => format!("shown {times} times"),
    };
    format!(
        "{}  {} {what}, {moment}, score {:.2}",
        show::time(activation.at),
        show::line(&activation.run),
        activation.score
    )
}

/// Showings that are no longer known one by one.
fn summed_up(sum: &EarlierActivations) -> String {
    let judged = [
        (sum.helped, "helped"),
        (sum.harmed, "harmed"),
        (sum.neutral, "made no difference"),
    ];
    let judged = judged.iter().filter(|(runs, _)| *runs > 0);
    let judged: String = judged
        .map(|(runs, what)| format!(", {what} in {runs}"))
        .collect();
    format!(
        "{} earlier showings in {} runs{judged}, and {} runs without it to compare: summed up until {}",
        sum.showings,
        sum.shown_runs,
        sum.withheld_runs,
        show::time(sum.until)
    )
}

fn outcome(activation: &Activation) -> Option<String> {
    let Some(outcome) = &activation.outcome else {
        return Some("the run is still open".to_owned());
    };
    let verdict = match outcome.verdict {
        Verdict::Helped => "helped",
        Verdict::Harmed => "harmed",
        Verdict::Neutral => "made no difference",
        Verdict::NoOpportunity => "had nothing to do",
    };
    let utility = outcome
        .utility
        .map(|utility| format!(", utility {utility:+.2}"))
        .unwrap_or_default();
    let score = outcome
        .referee_score_gain
        .map(|gain| format!(", score {gain:+.2}"))
        .unwrap_or_default();
    Some(format!(
        "{verdict}{utility}: {} failures where {:.1} were to be expected by {} runs without it; errors {:+.2}, steps {:+.2}{score}",
        outcome.errors,
        outcome.baseline_errors,
        outcome.baseline_runs,
        outcome.error_reduction,
        outcome.step_efficiency_gain
    ))
}
