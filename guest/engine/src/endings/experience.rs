//! The experience that every run with a task becomes when it ends.
//!
//! Owns what of a run is its answer, its feedback and its strategy card, all without a model. It is written with the
//! episode, in the same commit.

use twiceshy_wit::memory::{
    Account, Episode, Error, ExperienceEntry, ExperienceSettings, FeedbackType, StructuredFeedback,
};

use crate::{
    advice,
    endings::Closing,
    episodes::{
        attempts, cold,
        experience::{
            cards,
            draft::{Draft, OUTPUT_BYTES},
            evolve::{self, Room},
            feedback::of_outcome,
            memory_type::memory_type,
            settings, vectors,
        },
        lifecycle,
        tasks::{Task, task_id},
    },
    lessons::KeptLesson,
    mining::Attempt,
    payload::kept_text,
    store::{Batch, Desk, Meaning, Reader, equals, newest},
};

/// What a run needs to become an experience, found out before its commit is prepared.
#[derive(Debug, Clone)]
pub(crate) struct Prospect {
    settings: ExperienceSettings,
    meaning: Meaning,
}

/// Whether a run with this task becomes an experience, and its vector.
pub(crate) fn prospect(desk: &Desk, task: &str) -> Result<Option<Prospect>, Error> {
    let settings = settings::experience_settings(desk)?;
    if task.trim().is_empty() || !settings.enabled {
        return Ok(None);
    }
    Ok(Some(Prospect {
        settings,
        meaning: desk.meaning_of(task),
    }))
}

/// Puts the experience that a run becomes.
pub(crate) fn put_experience(
    batch: &mut Batch,
    closing: &Closing,
    episode: &Episode,
    task: Option<&Task>,
) -> Result<(), Error> {
    let Some(prospect) = closing.prospect else {
        return Ok(());
    };
    let rules = closing.mined.iter().map(|proposal| proposal.rule_text());
    let told = Told {
        attempts: closing.attempts,
        output: closing
            .account
            .and_then(|account| account.primary_output.as_deref()),
        score: closing.scored.score,
        rules: taught(rules.map(str::to_owned), closing.account),
    };
    let draft = draft(&told, episode, task);
    let (settings, now) = (&prospect.settings, episode.ended_at);
    let meaning = vectors::fitting(batch, prospect.meaning.clone())?;
    let id = &episode.id;
    let evolution = evolve::grow(batch, id, &draft, &meaning, settings, Room::NARROW, now)?;
    evolve::tell_evolution(batch, &evolution, settings);
    Ok(())
}

/// What a run tells beside its episode.
struct Told<'t> {
    attempts: &'t [Attempt],
    /// What came out of it.
    output: Option<&'t str>,
    score: Option<f64>,
    /// What it taught.
    rules: Vec<String>,
}

/// What a run taught: the rules that were found in it, and what resolved the errors that it tells of.
fn taught(rules: impl Iterator<Item = String>, account: Option<&Account>) -> Vec<String> {
    let errors = account.into_iter().flat_map(|one| &one.errors_encountered);
    let resolved = errors.filter_map(|error| {
        let [kind, message, way] =
            [&error.kind, &error.message, &error.resolution].map(|text| text.trim());
        let wrong = if message.is_empty() { kind } else { message };
        let is_told = !wrong.is_empty() && !way.is_empty();
        is_told.then(|| format!("WRONG: {wrong} → CORRECT: {way}"))
    });
    rules.chain(resolved).take(RULES).collect()
}

/// The entry that an episode once was, and that was pruned: made again of what is there.
pub(crate) fn pruned_entry(reader: &Reader, id: &str) -> Result<Option<ExperienceEntry>, Error> {
    let Some(episode) = reader.load::<Episode>(id)?.map(|read| read.noun) else {
        return Ok(None);
    };
    let Some(task) = task_id(&episode.domain, &episode.task) else {
        return Ok(None);
    };
    let is_deleted = lifecycle::lifecycle(reader, id)?.noun.deleted_at.is_some();
    if is_deleted || !settings::experience_settings(reader)?.enabled {
        return Ok(None);
    }
    let account = cold::account_of(reader, id)?;
    let attempts = attempts::attempts_of(reader, id)?;
    let lessons = vec![equals("origin", id)];
    let lessons = reader.find::<KeptLesson>(lessons, newest("updated-at"), RULES as u32)?;
    let rules = lessons.into_iter().map(|kept| kept.lesson.rule_text);
    let told = Told {
        attempts: &attempts,
        output: account.primary_output.as_deref(),
        score: episode.score,
        rules: taught(rules, Some(&account)),
    };
    let task = reader.load::<Task>(&task)?.map(|read| read.noun);
    let mut entry = draft(&told, &episode, task.as_ref()).entry(id, episode.ended_at);
    entry.archived = true;
    Ok(Some(entry))
}

fn draft(closing: &Told, episode: &Episode, task: Option<&Task>) -> Draft {
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
    let output = match closing
        .output
        .map(str::trim)
        .filter(|told| !told.is_empty())
    {
        Some(told) => kept_text(told, OUTPUT_BYTES),
        None => action.clone(),
    };
    let feedback = structured(closing, episode, task, kind);
    let mut summary = cards::summary(Some(kind), &episode.task, &output);
    let learned = &closing.rules;
    for rule in learned {
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
            card(closing, &episode.task, learned)
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
        is_view: true,
        output,
    }
}

/// Rules that one experience tells.
const RULES: usize = 3;

/// The whole trace in one line: what worked, in order, is what to do; what failed is what to avoid, with what worked in
/// its place.
fn card(closing: &Told, task: &str, learned: &[String]) -> String {
    let mut done: Vec<&str> = Vec::new();
    let worked = closing.attempts.iter().filter(|one| one.failure.is_none());
    for action in worked.map(|one| one.action.as_str()) {
        if !action.trim().is_empty() && !done.contains(&action) {
            done.push(action);
        }
    }
    // The end leads to the goal, so of many actions the last ones are told.
    let actions = &done[done.len().saturating_sub(ACTIONS)..];
    let actions: Vec<_> = actions
        .iter()
        .map(|action| cards::shortened(action, ACTION))
        .collect();
    let mut mistakes = Vec::new();
    for rule in learned.iter().map(|rule| advice::parse(rule)) {
        mistakes.extend(match (rule.wrong, rule.correct) {
            (Some(wrong), Some(correct)) => Some(format!("{wrong} (use {correct})")),
            (wrong, _) => wrong,
        });
    }
    if mistakes.is_empty() {
        let failed = closing.attempts.iter().filter(|one| one.failure.is_some());
        let failed = failed.map(|one| &one.action);
        mistakes.extend(
            failed
                .filter(|action| !done.contains(&action.as_str()))
                .cloned(),
        );
    }
    cards::card(task, &actions.join(" → "), &mistakes)
}

/// Actions that a card tells, and the characters of each.
const ACTIONS: usize = 5;
const ACTION: usize = 80;

fn structured(
    closing: &Told,
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
        progress_rate: closing.score.unwrap_or(reached),
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
