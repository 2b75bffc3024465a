//! Submissions: whole runs that are submitted at once.
//!
//! Owns how one becomes an episode in one commit, with the times at which it happened. What is learned from it is the
//! business of the endings, as for any run.

use twiceshy_wit::memory::{
    Account, Ending, Episode, Error, Event, LessonCandidate, NewRun, Scope, Source, TraceStep,
};

use crate::{
    advice,
    endings::{
        Closing,
        experience::{self},
        referee,
    },
    episodes::{Embeddings, Head, KeptAccount, attempts, embeddings},
    events::{self, Known, Sighting},
    lessons::{Proposal, proposal},
    limits,
    mining::Attempt,
    payload,
    runs::{self, CheckedStep, OpenRun},
    store::{Desk, Kind, Read, Reader},
    text,
};

use std::collections::BTreeMap;

/// How like the action that failed must be to what an insight calls wrong, to be what it is about.
const FITTING: f64 = 0.5;

/// A whole run, checked.
pub(crate) struct Submission<'s> {
    pub(crate) run: &'s NewRun,
    pub(crate) head: Head,
    pub(crate) account: Option<Account>,
    /// Its steps, each with the time at which it happened.
    pub(crate) steps: &'s [(u64, CheckedStep)],
    pub(crate) ending: &'s Ending,
    /// What was thought about it: what has the form of a rule is proposed as a lesson.
    pub(crate) insights: &'s [String],
    pub(crate) started_at: u64,
    pub(crate) ended_at: u64,
}

/// The episode, and for each step its place and the event that it became.
type Committed = (Episode, Vec<(u32, Option<Event>)>);

/// Makes an episode of a whole run, in one commit.
pub(crate) fn commit(desk: &mut Desk, submission: &Submission) -> Result<Committed, Error> {
    // What is asked of an embedder or a model is asked here, once, before the commit is prepared.
    let account = submission.account.as_ref();
    let task = payload::kept_text(&submission.run.task, limits::TASK_BYTES);
    let prospect = experience::prospect(desk, &task)?;
    let mut course = Course::of(desk, submission, 0)?;
    super::recognize(&mut course.attempts, &course.known);
    let scored = referee::scored(desk, &course.open, submission.ending, &course.attempts);
    let (open, attempts) = (&course.open, &course.attempts);
    let expected = super::ended(open, &scored, attempts, account, submission.ended_at);
    let embeddings = Embeddings::ask(desk, &expected, account);
    embeddings::with_embeddings(desk, &embeddings, |desk, embeddings| {
        desk.commit(|batch| {
            let mut course = Course::of(batch, submission, batch.attempt())?;
            let id = course.open.run.id.clone();
            for (step, event) in &course.steps {
                batch.add(step);
                if let Some(event) = event {
                    batch.add(event);
                }
            }
            let mut mined = super::mined(batch, &course.open, &mut course.attempts, &course.known);
            let (open, attempts) = (&course.open, &course.attempts);
            mined.extend(insights(batch, open, attempts, submission.insights));
            let closing = Closing {
                open,
                scored: &scored,
                attempts,
                mined: &mined,
                account,
                embeddings,
                prospect: prospect.as_ref(),
                ended_at: submission.ended_at,
                now: batch.now(),
            };
            let episode = super::close(batch, &closing, &mut course.known)?;
            // Nobody opens a run of the same id in the meantime.
            batch.remove(Kind::Run, &id);
            events::count(batch, &course.known);
            if let Some(account) = account {
                KeptAccount {
                    episode: id,
                    account: account.clone(),
                }
                .put(batch, &episode);
            }
            let steps = course.steps.into_iter();
            let events = steps.map(|(step, event)| (step.index, event)).collect();
            Ok((episode, events))
        })
    })
}

/// The course of a whole run: what its steps did to it.
struct Course {
    open: OpenRun,
    known: BTreeMap<String, Read<Known>>,
    steps: Vec<(TraceStep, Option<Event>)>,
    attempts: Vec<Attempt>,
}

impl Course {
    fn of(reader: &Reader, submission: &Submission, attempt: u32) -> Result<Self, Error> {
        let Submission { run, steps, .. } = submission;
        let id = runs::free_id(reader, run, submission.started_at, attempt)?;
        let mut open = OpenRun::new(id, run, submission.head.clone(), submission.started_at);
        let sightings = steps
            .iter()
            .filter_map(|(_, taken)| taken.sighting.as_ref());
        let mut known = events::load_known(reader, sightings.map(Sighting::id))?;
        let steps: Vec<_> = steps
            .iter()
            .map(|(at, taken)| open.take(taken, &mut known, *at))
            .collect();
        let attempts = steps.iter().map(|(step, _)| attempts::attempt(step));
        Ok(Self {
            attempts: attempts.collect(),
            open,
            known,
            steps,
        })
    }
}

/// Insights that have the form of a rule, as proposed lessons: they answer the failures of actions like their
/// WRONG.
fn insights(
    reader: &Reader,
    open: &OpenRun,
    attempts: &[Attempt],
    insights: &[String],
) -> Vec<Proposal> {
    let run = &open.run;
    let mut proposals = Vec::new();
    for insight in insights {
        let said = advice::parse(insight);
        let (Some(wrong), Some(_)) = (&said.wrong, &said.correct) else {
            continue;
        };
        let wrong = text::term_set(wrong);
        let mut triggers = Vec::new();
        let mut steps = Vec::new();
        for attempt in attempts {
            if let Some((fingerprint, _)) = &attempt.failure
                && text::similarity(&wrong, &text::term_set(&attempt.action)) >= FITTING
            {
                steps.push(attempt.index);
                triggers.push(fingerprint.clone());
            }
        }
        triggers.sort();
        triggers.dedup();
        triggers.truncate(limits::TRIGGERS);
        steps.truncate(limits::STEPS_PER_ORIGIN);
        let candidate = LessonCandidate {
            rule_text: insight.clone(),
            trigger_fingerprints: triggers,
            trigger_texts: Vec::new(),
            tags: Vec::new(),
            scope_hint: Some(Scope::Domain),
            kind: None,
            domain: Some(run.domain.clone()),
            task: Some(run.task.clone()).filter(|task| !task.trim().is_empty()),
            run: Some(run.id.clone()),
            steps,
            source: Some(Source::Agent),
        };
        match proposal::without_vector(reader, &candidate) {
            Ok(proposal) => proposals.push(proposal),
            Err(error) => reader.warn(&format!(
                "an insight did not become a lesson: {}",
                error.message()
            )),
        }
    }
    proposals
}
