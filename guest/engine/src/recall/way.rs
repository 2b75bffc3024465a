//! The way out: what worked in other runs of the task, and in runs that failed in the same way, when a run fails.
//!
//! Owns how such a way becomes a hint. It is a lesson of its task alone, and becomes one when it is first shown: what nobody
//! needs again is not kept twice. From then on it is measured and explained as any other. Which way fits is the business of
//! [`ways`](crate::ways).

use twiceshy_wit::memory::{
    Error, Hint, Lesson, LessonCandidate, LessonKind, LessonStatus, Scope, Source, Trust,
};

use super::{Incident, Sought};
use crate::{
    episodes::{
        cold, shelf,
        tasks::{Task, task_id},
    },
    events::recoveries::Recoveries,
    insertion,
    lessons::{KeptLesson, Proposal, is_recalled, proposal},
    store::Reader,
    ways::{self, Done, Recovery, Standing, Way},
};

/// Steps of the run that are looked at: what was done long before has little to do with what fails now.
const STEPS: u32 = 16;

/// A way out as it is shown.
pub(super) struct WayOut {
    hint: Hint,
    /// The lesson that it is, if nobody knows it yet.
    proposal: Option<Proposal>,
}

impl WayOut {
    /// Puts it before other hints for the same failure, as far as there is room. Gives the lesson that it is, if it is shown
    /// and nobody knows it yet.
    pub(super) fn join(
        self,
        hints: &mut Vec<Hint>,
        limit: usize,
        tokens: Option<u32>,
    ) -> Option<Proposal> {
        let size = |hint: &Hint| insertion::tokens(&hint.text);
        let mut room = tokens.unwrap_or(u32::MAX);
        if limit == 0 || size(&self.hint) > room {
            return None;
        }
        hints.insert(0, self.hint);
        hints.truncate(limit);
        hints.retain(|hint| {
            let fits = size(hint) <= room;
            room = room.saturating_sub(if fits { size(hint) } else { 0 });
            fits
        });
        self.proposal
    }
}

/// Whether a hint says more than a way does: it has helped.
fn is_proven(hint: &Hint) -> bool {
    hint.lesson.status == LessonStatus::Promoted || hint.lesson.usefulness.helped > 0
}

/// Takes out what is only guessed, where runs of the very task are known and may say more: lessons of other tasks that have
/// never helped anybody.
fn leave_out_guesses(sought: &Sought, ways: &[Way], hints: &mut Vec<Hint>) {
    if !ways.is_empty() {
        let is_guess =
            |lesson: &Lesson| lesson.trust == Trust::Observed && !sought.is_same_task(lesson);
        hints.retain(|hint| is_proven(hint) || !is_guess(&hint.lesson));
    }
}

/// What other runs say after a failure, unless one of the hints has proven itself. `run` is the open run
/// that failed, if one did, and `agent` who works on it, if somebody said.
pub(super) fn out(
    reader: &Reader,
    sought: &Sought,
    run: Option<&str>,
    agent: &str,
    hints: &mut Vec<Hint>,
) -> Result<Option<WayOut>, Error> {
    if hints.iter().any(is_proven) {
        return Ok(None);
    }
    let (Some(incident), Some(failure)) = (&sought.incident, sought.failures.first()) else {
        return Ok(None);
    };
    let Some(task) = task_id(&sought.domain, &sought.task) else {
        return Ok(None);
    };
    let mut ways = match reader.load::<Task>(&task)? {
        Some(read) => read.noun.ways,
        None => Vec::new(),
    };
    let deleted = shelf::deleted_among(reader, ways.iter().map(|way| way.run.as_str()))?;
    ways.retain(|way| !deleted.contains(&way.run));
    leave_out_guesses(sought, &ways, hints);
    // Of a task that nobody knows, a lesson that fits says more than what others did next.
    if ways.is_empty() && !hints.is_empty() {
        return Ok(None);
    }
    let id = Recoveries::id_of(&sought.domain, &failure.id);
    let mut kin = match reader.load::<Recoveries>(&id)? {
        Some(read) => read.noun.latest,
        None => Vec::new(),
    };
    let (before, steps) = match run {
        Some(run) => done(reader, run)?,
        None => (Vec::new(), None),
    };
    let standing = Standing {
        failed: &incident.action,
        before: &before,
        steps,
        agent,
    };
    if said(&ways, &kin, &task, &standing).is_none() {
        return Ok(None);
    }
    // Looked at only when there is something to say, which is seldom: these are many runs.
    let deleted = shelf::deleted_among(reader, kin.iter().map(|one| one.run.as_str()))?;
    kin.retain(|one| !deleted.contains(&one.run));
    let Some(found) = said(&ways, &kin, &task, &standing) else {
        return Ok(None);
    };
    // A lesson that says the same is enough.
    let rule = incident.rule(found.action);
    if rule.is_some_and(|rule| hints.iter().any(|hint| hint.text == rule)) {
        return Ok(None);
    }
    let candidate = LessonCandidate {
        rule_text: format!("When this task fails → CORRECT: {}", found.action),
        trigger_fingerprints: Vec::new(),
        trigger_texts: Vec::new(),
        tags: failure.tags.clone(),
        scope_hint: Some(Scope::Task),
        kind: Some(LessonKind::Recovery),
        domain: Some(sought.domain.clone()),
        task: Some(sought.task.clone()),
        run: Some(found.run.to_owned()),
        steps: vec![found.step],
        source: Some(Source::Trace),
    };
    let proposal = proposal::without_vector(reader, &candidate)?;
    shown(reader, sought, incident, found.action, proposal)
}

/// What worked for a twin of the run, or else what other runs agree on.
fn said<'w>(
    ways: &'w [Way],
    kin: &'w [Recovery],
    task: &str,
    standing: &Standing,
) -> Option<ways::WayOut<'w>> {
    ways::twin(kin, task, standing).or_else(|| ways::way_out(ways, kin, standing))
}

/// What a run did so far, and how many steps that are.
fn done(reader: &Reader, run: &str) -> Result<(Vec<Done>, Option<u32>), Error> {
    let steps = cold::last_steps(reader, run, STEPS)?;
    let taken = steps.last().map_or(0, |last| last.index + 1);
    let done = steps.into_iter().map(|step| Done {
        worked: step.fingerprint.is_none(),
        action: step.feedback.action_text,
    });
    Ok((done.collect(), Some(taken)))
}

/// A way as a hint, unless its lesson was put aside.
fn shown(
    reader: &Reader,
    sought: &Sought,
    incident: &Incident,
    action: &str,
    mut proposal: Proposal,
) -> Result<Option<WayOut>, Error> {
    let known = reader.load::<KeptLesson>(proposal.id())?;
    let (kept, proposal) = match known {
        Some(read) if !is_recalled(read.noun.lesson.status) => return Ok(None),
        Some(read) => (read.noun, None),
        None => {
            proposal.kept.lesson.created_at = sought.now;
            proposal.kept.lesson.updated_at = sought.now;
            (proposal.kept.clone(), Some(proposal))
        }
    };
    let mut hint = sought.hint(kept);
    if let Some(rule) = incident.rule(action) {
        hint.text = rule;
    }
    Ok(Some(WayOut { hint, proposal }))
}
