//! Submissions: whole runs that are handed in at once.
//!
//! Owns how one becomes an episode in one commit, with the times at which it happened. What is learned from it is the
//! business of the endings, as for any run.

use twiceshy_wit::{
    host::{Change, Precondition},
    memory::{Account, Ending, Episode, Error, Event, LessonCandidate, NewRun, Scope, Source},
};

use super::{OpenRun, Taken, counted};
use crate::{
    advice,
    documents::{Kind, put, remove},
    endings::{self, Closing},
    episodes::{Embeddings, Head, KeptAccount},
    events::Sighting,
    experience::Prospect,
    lessons::Proposal,
    limits,
    mining::Attempt,
    payload,
    ports::Engine,
    text,
};

/// How like the action that failed must be to what an insight calls wrong, to be what it is about.
const FITTING: f64 = 0.5;

/// A whole run, checked.
pub(crate) struct Submission<'s> {
    pub(crate) run: &'s NewRun,
    pub(crate) head: Head,
    pub(crate) account: Option<Account>,
    /// Its steps, each with the time at which it happened.
    pub(crate) steps: &'s [(u64, Taken)],
    pub(crate) ending: &'s Ending,
    /// What was thought about it: what has the form of a rule is proposed as a lesson.
    pub(crate) insights: &'s [String],
    pub(crate) started_at: u64,
    pub(crate) ended_at: u64,
}

/// The episode, and for each step its place and the event that it became.
type TakenIn = (Episode, Vec<(u32, Option<Event>)>);

impl Engine<'_> {
    /// Makes an episode of a whole run, in one commit.
    pub(crate) fn take_in(&self, submission: &Submission) -> Result<TakenIn, Error> {
        let prospect = self.prospect(&payload::kept_text(
            &submission.run.task,
            limits::TASK_BYTES,
        ))?;
        self.with_embeddings(|embeddings| {
            self.change(|attempt| self.taken_in(submission, prospect.as_ref(), embeddings, attempt))
        })
    }

    fn taken_in(
        &self,
        submission: &Submission,
        prospect: Option<&Prospect>,
        embeddings: &Embeddings,
        attempt: u32,
    ) -> Result<(Vec<Change>, TakenIn), Error> {
        let Submission { run, steps, .. } = submission;
        let now = self.now();
        let id = self.free_id(run, submission.started_at, attempt)?;
        let head = submission.head.clone();
        let mut open = OpenRun::new(id.clone(), run, head, submission.started_at);
        let sightings = steps
            .iter()
            .filter_map(|(_, taken)| taken.sighting.as_ref());
        let mut known = self.known(sightings.map(Sighting::id))?;
        // Nobody opens a run of the same id in the meantime.
        let mut batch = vec![remove(Kind::Run, &id, Precondition::Absent)];
        let mut events = Vec::with_capacity(steps.len());
        let mut attempts = Vec::with_capacity(steps.len());
        for (at, taken) in *steps {
            let (step, event) = open.take(taken, &mut known, *at);
            batch.push(put(&step, Precondition::Absent));
            batch.extend(event.iter().map(|event| put(event, Precondition::Absent)));
            attempts.push(endings::attempt(&step));
            events.push((step.index, event));
        }
        let mut mined = self.mined(&open, &mut attempts, &known);
        mined.extend(self.insights(&open, &attempts, submission.insights));
        mined.iter_mut().for_each(Proposal::forget_vector);
        let closing = Closing {
            open: &open,
            scored: &self.scored(&open, submission.ending, &attempts),
            attempts: &attempts,
            mined: &mined,
            account: submission.account.as_ref(),
            embeddings,
            prospect,
            ended_at: submission.ended_at,
            now,
        };
        let (closed, episode) = self.closed(&closing, &mut known)?;
        batch.extend(closed);
        batch.extend(known.values().map(counted));
        if let Some(account) = &submission.account {
            let account = KeptAccount {
                episode: id,
                account: account.clone(),
            };
            batch.push(put(&account, Precondition::Absent));
        }
        Ok((batch, (episode, events)))
    }

    /// Insights that have the form of a rule, as proposed lessons: they answer the failures of actions like their
    /// WRONG.
    fn insights(&self, open: &OpenRun, attempts: &[Attempt], insights: &[String]) -> Vec<Proposal> {
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
                    && text::likeness(&wrong, &text::term_set(&attempt.action)) >= FITTING
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
            match self.proposal(&candidate) {
                Ok(proposal) => proposals.push(proposal),
                Err(error) => self.warn(&format!("an insight is no lesson: {}", error.message())),
            }
        }
        proposals
    }
}
