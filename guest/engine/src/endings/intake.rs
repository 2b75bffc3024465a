//! The intake of episodes from elsewhere.
//!
//! Owns how a reported episode becomes an observed run: each action a step, each failed one an event. From
//! there on it is treated as any run.

use serde_json::json;
use twiceshy_wit::{
    adapter::{Failure, Feedback, Step},
    memory::{Ending, Episode, Error, LearningSummary, NewEpisode, NewRun, Observed, TraceEntry},
};

use crate::{
    endings::submission::{self, Submission},
    episodes::head::{Head, too_many},
    lessons::{KeptLesson, patterns::evidence},
    limits, refusal,
    runs::{CheckedStep, check_new},
    store::{Desk, Reader, equals, newest, query},
};

/// Insights of one account, as the contract has it.
const INSIGHTS: usize = 64;

/// Lessons that one episode may have taught.
const TAUGHT: u32 = 256;

/// What an action came to, if it failed.
const FAILED: [&str; 5] = ["fail", "failed", "failure", "error", "err"];

/// When an episode began and ended.
type Times = (u64, u64);

/// Refuses an episode that could not be taken in. Changes nothing.
pub(crate) fn check_episode(reader: &Reader, episode: &NewEpisode) -> Result<(), Error> {
    let (_, _, (started_at, _)) = checked_head(reader, episode)?;
    steps(episode, started_at)?;
    if let Some(account) = &episode.account {
        crate::episodes::account::checked_account(reader, account)?;
    }
    Ok(())
}

fn checked_head(reader: &Reader, episode: &NewEpisode) -> Result<(NewRun, Head, Times), Error> {
    let run = NewRun {
        id: episode.id.clone(),
        task: episode.task.clone(),
        domain: episode.domain.clone(),
        ..NewRun::default()
    };
    check_new("episode", &run)?;
    refusal::not_empty("episode.task", &episode.task, "describe the task")?;
    if let Some(score) = episode.score {
        refusal::within("episode.score", score, 0.0..=1.0)?;
    }
    let head = Head::of_episode(episode)?;
    Ok((run, head, times(episode, reader.now())?))
}

pub(crate) fn add(desk: &mut Desk, episode: &NewEpisode) -> Result<Episode, Error> {
    add_episode(desk, episode, &[])
}

/// Takes in an episode with what was thought about it.
fn add_episode(
    desk: &mut Desk,
    episode: &NewEpisode,
    insights: &[String],
) -> Result<Episode, Error> {
    let (run, head, (started_at, ended_at)) = checked_head(desk, episode)?;
    let steps = steps(episode, started_at)?;
    let mut account = episode.account.clone();
    if !insights.is_empty() {
        let known = &mut account.get_or_insert_default().insights;
        let new = insights.iter().filter(|insight| !insight.trim().is_empty());
        for insight in new {
            if !known.contains(insight) {
                known.push(insight.clone());
            }
        }
        too_many("insights", known.len(), INSIGHTS)?;
    }
    let account = match &account {
        Some(account) => Some(crate::episodes::account::checked_account(desk, account)?),
        None => None,
    };
    let submission = Submission {
        run: &run,
        head,
        account,
        steps: &steps,
        ending: &Ending {
            outcome: Some(episode.outcome),
            score: episode.score,
            referee: None,
        },
        insights,
        started_at,
        ended_at,
    };
    Ok(submission::commit(desk, &submission)?.0)
}

pub(crate) fn learn_episode(
    desk: &mut Desk,
    episode: &NewEpisode,
    insights: &[String],
) -> Result<LearningSummary, Error> {
    let stored = add_episode(desk, episode, insights)?;
    let taught = query::<KeptLesson>(
        vec![equals("origin", &stored.id)],
        newest("updated-at"),
        TAUGHT,
    );
    let mut summary = LearningSummary {
        episode: stored,
        new_lessons: Vec::new(),
        reinforced_lessons: Vec::new(),
        applied_patterns: Vec::new(),
        text: String::new(),
    };
    for (read, _) in desk.search::<KeptLesson>(&taught)? {
        let lesson = read.noun.lesson;
        let mut origins = lesson.origins.iter().map(|origin| &origin.run);
        match origins.all(|run| *run == summary.episode.id) {
            true => summary.new_lessons.push(lesson.id),
            false => summary.reinforced_lessons.push(lesson.id),
        }
    }
    summary.new_lessons.sort();
    summary.reinforced_lessons.sort();
    for strategy in &summary.episode.strategies_applied {
        let outcome = summary.episode.outcome;
        match evidence::apply(desk, strategy, &summary.episode.id, outcome) {
            Ok(_) => summary.applied_patterns.push(strategy.clone()),
            // A strategy may be given in words.
            Err(Error::NotFound(_) | Error::InvalidArgument(_) | Error::Unavailable(_)) => {}
            Err(error) => desk.warn(&format!(
                "the application of `{strategy}` was not recorded: {}",
                error.message()
            )),
        }
    }
    summary.text = learned_text(&summary);
    Ok(summary)
}

/// The steps of an episode as if they had been observed, each with its time.
fn steps(episode: &NewEpisode, started_at: u64) -> Result<Vec<(u64, CheckedStep)>, Error> {
    let step = |entry: &TraceEntry| {
        let at = started_at + u64::from(entry.after);
        Ok((at, CheckedStep::new(&observed(entry))?))
    };
    episode.trace.iter().map(step).collect()
}

/// What was learned, for a reader.
fn learned_text(summary: &LearningSummary) -> String {
    let counts = [
        (summary.new_lessons.len(), "new lesson"),
        (summary.reinforced_lessons.len(), "lesson confirmed"),
        (summary.applied_patterns.len(), "application recorded"),
    ];
    let counted: Vec<_> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| match (count, what.split_once(' ')) {
            (1, _) | (_, None) => format!("{count} {what}"),
            (_, Some(("new", noun))) => format!("{count} new {noun}s"),
            (_, Some((noun, rest))) => format!("{count} {noun}s {rest}"),
        })
        .collect();
    let learned = match counted.is_empty() {
        true => "nothing new was learned".to_owned(),
        false => counted.join(", "),
    };
    let episode = &summary.episode;
    format!(
        "Episode {} ({}): {learned}.",
        episode.id,
        episode.outcome.as_str()
    )
}

/// When an episode began and ended.
fn times(episode: &NewEpisode, now: u64) -> Result<(u64, u64), Error> {
    let invalid = |text: String| Err(Error::InvalidArgument(text));
    too_many(
        "episode.trace",
        episode.trace.len(),
        limits::SUBMITTED_STEPS,
    )?;
    let order = episode
        .trace
        .windows(2)
        .position(|pair| pair[0].after > pair[1].after);
    if let Some(at) = order {
        return invalid(format!(
            "`episode.trace[{}].after` is earlier than the action before it; give the actions in order",
            at + 1
        ));
    }
    let took = episode
        .trace
        .last()
        .map_or(0, |entry| u64::from(entry.after));
    let started_at = episode
        .started_at
        .unwrap_or_else(|| episode.ended_at.unwrap_or(now).saturating_sub(took));
    let ended_at = episode.ended_at.unwrap_or(started_at.saturating_add(took));
    if started_at.saturating_add(took) > ended_at {
        return invalid(
            "`episode.ended-at` is before `started-at` or the last action; give a later time, or leave it out"
                .to_owned(),
        );
    }
    if ended_at > now {
        return invalid(
            "`episode.ended-at` is in the future; give the time at which the episode ended"
                .to_owned(),
        );
    }
    Ok((started_at, ended_at))
}

/// An action as if it had been observed.
fn observed(entry: &TraceEntry) -> Observed {
    let result = entry.result.as_deref().map(str::trim).unwrap_or_default();
    let error = entry.error.as_deref().map(str::trim).unwrap_or_default();
    let has_failed = |word: &&str| result.eq_ignore_ascii_case(word);
    let failed = !error.is_empty() || FAILED.iter().any(has_failed);
    let target = entry.target.as_deref().unwrap_or_default().trim();
    Observed {
        step: Step {
            before: String::new(),
            action: json!({ "action": entry.action, "target": entry.target }).to_string(),
            observation: json!({ "result": entry.result, "error": entry.error }).to_string(),
        },
        feedback: Feedback {
            action_text: format!("{} {target}", entry.action.trim())
                .trim_end()
                .to_owned(),
            hard_failure: failed.then(|| Failure {
                reason: match result {
                    "" => "error".to_owned(),
                    result => result.to_owned(),
                },
                evidence: error.to_owned(),
            }),
            constraint_failure: Vec::new(),
            progress_signal: None,
            efficiency_signal: None,
        },
    }
}
