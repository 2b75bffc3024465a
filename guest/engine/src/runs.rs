//! Runs: tasks being worked on, step by step, until they end as episodes.
//!
//! Owns how runs are started, observed and read. What a step does to one is the business of the [open run](OpenRun),
//! what is known about a failure of recall, and what is learned at the end of the endings.

mod open_run;
mod submission;

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{
    adapter::PastStep,
    host::{Change, Precondition},
    memory::{
        Briefing, BriefingRequest, Description, Ending, Episode, Error, Event, FailureContext,
        Hint, NewRun, Observed, Reaction, Run, Runs, Submitted, TaskContext, TraceStep,
    },
};

use crate::{
    activations,
    documents::{Kind, Read, at_least, digest, equals, newest, put, query, remove},
    endings::{Closing, check_ending},
    episodes::{self, Embeddings, Head, KeptAccount},
    events::{Known, Sighting},
    insertion,
    lessons::Proposal,
    limits, payload,
    ports::Engine,
    secrets::is_secret,
    tasks::{Task, task_id},
    usefulness::Evidence,
};
pub(crate) use open_run::{OpenRun, Taken};
pub(crate) use submission::Submission;

/// Events of the domain that say what goes wrong of late.
const RECENT_EVENTS: u32 = 16;

/// What is of late: 7 days.
const LATELY_MS: u64 = 7 * 24 * 60 * 60 * 1_000;

/// The size of a briefing in tokens if the caller does not say.
const BRIEFED_TOKENS: u32 = 1_000;

impl Runs for Engine<'_> {
    fn start(&self, run: &NewRun) -> Result<Run, Error> {
        check_new(run)?;
        let head = Head::of_run(run)?;
        let now = self.now();
        self.change(|attempt| {
            let id = self.free_id(run, now, attempt)?;
            let open = OpenRun::new(id, run, head.clone(), now);
            Ok((vec![put(&open, Precondition::Absent)], open.run))
        })
    }

    fn observe(&self, run: &str, observed: &Observed) -> Result<Reaction, Error> {
        let taken = Taken::new(observed)?;
        let now = self.now();
        // What is known of a failure does not depend on this step: it is looked up once, whatever others write.
        let mut found = None;
        let reaction = self.change(|_| {
            let Read {
                noun: mut open,
                version,
            } = self.open_run(run)?;
            let mut known = self.known(taken.sighting.iter().map(Sighting::id))?;
            let (step, event) = open.take(&taken, &mut known, now);
            let mut batch = vec![put(&step, Precondition::Absent)];
            batch.extend(event.iter().map(|event| put(event, Precondition::Absent)));
            batch.extend(known.values().map(counted));
            let mut hints = Vec::new();
            if let Some(event) = &event {
                let (all, evidence) =
                    found.get_or_insert_with(|| self.hints_for(event, &open, &taken));
                hints.clone_from(all);
                batch.extend(open.show(&mut hints, evidence, Some(event), now));
            }
            batch.push(put(&open, Precondition::At(version)));
            let reaction = Reaction {
                index: step.index,
                event,
                text: activations::rendered(&hints),
                hints,
            };
            Ok((batch, reaction))
        })?;
        self.note_recovery(run, &reaction);
        Ok(reaction)
    }

    fn brief(&self, run: &str, request: &BriefingRequest) -> Result<Briefing, Error> {
        let now = self.now();
        let (mut briefing, unaided) = self.change(|_| {
            let Read {
                noun: mut open,
                version,
            } = self.open_run(run)?;
            let context = self.context_of(&open, request)?;
            let mut hints = self.hints_before(&context)?;
            let evidence = self.evidence_of(&hints)?;
            let mut batch = open.show(&mut hints, &evidence, None, now);
            if !batch.is_empty() {
                batch.push(put(&open, Precondition::At(version)));
            }
            let text = activations::rendered(&hints);
            let briefing = Briefing {
                tokens: insertion::tokens(&text),
                text,
                hints,
            };
            let unaided = open.activations.is_empty().then_some(open.run.task);
            Ok((batch, (briefing, unaided)))
        })?;
        // Where a lesson speaks, or is withheld, nothing else does: it would be measured with it.
        if let Some(task) = unaided {
            let tokens = request.tokens.unwrap_or(BRIEFED_TOKENS);
            briefing.text = self.experience_briefing(&task, tokens)?;
            briefing.tokens = insertion::tokens(&briefing.text);
            if !briefing.text.is_empty() {
                self.note_told(run)?;
            }
        }
        Ok(briefing)
    }

    fn finish(&self, run: &str, ending: &Ending) -> Result<Episode, Error> {
        check_ending(ending)?;
        let now = self.now();
        let open = self.open_run(run)?.noun;
        let mut attempts = self.attempts_of(run)?;
        let known = self.known(open.fingerprints())?;
        let mut mined = self.mined(&open, &mut attempts, &known);
        let scored = self.scored(&open, ending, &attempts);
        let prospect = self.prospect(&open.run.task)?;
        let close = |mined: &[Proposal], embeddings: &Embeddings| {
            self.change(|_| {
                let Read {
                    noun: open,
                    version,
                } = self.open_run(run)?;
                let mut known = self.known(open.fingerprints())?;
                let account = self.load::<KeptAccount>(run)?;
                let closing = Closing {
                    open: &open,
                    scored: &scored,
                    attempts: &attempts,
                    mined,
                    account: account.as_ref().map(|read| &read.noun.account),
                    embeddings,
                    prospect: prospect.as_ref(),
                    ended_at: now,
                    now,
                };
                let (mut batch, episode) = self.closed(&closing, &mut known)?;
                batch.push(remove(Kind::Run, run, Precondition::At(version)));
                batch.extend(known.values().map(counted));
                batch.extend(self.end_working(run, now)?);
                Ok((batch, episode))
            })
        };
        let episode = self.with_vectors(&mut mined, |mined| {
            self.with_embeddings(|embeddings| close(mined, embeddings))
        })?;
        self.sweep_working(run);
        Ok(episode)
    }

    fn submit(
        &self,
        run: &NewRun,
        steps: &[Observed],
        ending: &Ending,
    ) -> Result<Submitted, Error> {
        check_new(run)?;
        check_ending(ending)?;
        if steps.len() > limits::SUBMITTED_STEPS {
            return Err(Error::InvalidArgument(format!(
                "steps has {} entries, at most {} are taken at once; use runs.start, observe and finish",
                steps.len(),
                limits::SUBMITTED_STEPS
            )));
        }
        let now = self.now();
        let steps = steps
            .iter()
            .map(|observed| Ok((now, Taken::new(observed)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        let submission = Submission {
            run,
            head: Head::of_run(run)?,
            account: None,
            steps: &steps,
            ending,
            insights: &[],
            started_at: now,
            ended_at: now,
        };
        let (episode, events) = self.take_in(&submission)?;
        let open = OpenRun::new(episode.id.clone(), run, submission.head, now);
        let mut reactions = Vec::with_capacity(events.len());
        for ((index, event), (_, taken)) in events.into_iter().zip(&steps) {
            let hints = match &event {
                Some(event) => self.hints_for(event, &open, taken).0,
                None => Vec::new(),
            };
            reactions.push(Reaction {
                index,
                event,
                text: activations::rendered(&hints),
                hints,
            });
        }
        Ok(Submitted { episode, reactions })
    }

    fn describe(&self, run: &str, description: &Description) -> Result<Run, Error> {
        let said = match &description.account {
            Some(account) => Some(self.checked_account(account)?),
            None => None,
        };
        self.change(|_| {
            let Read { mut noun, version } = self.open_run(run)?;
            noun.head.describe(description)?;
            let mut batch = vec![put(&noun, Precondition::At(version))];
            if let Some(said) = &said {
                let read = self.load::<KeptAccount>(run)?;
                let precondition = match &read {
                    Some(read) => Precondition::At(read.version),
                    None => Precondition::Absent,
                };
                let mut account = read.map(|read| read.noun.account).unwrap_or_default();
                episodes::describe(&mut account, said.clone());
                let episode = run.to_owned();
                batch.push(put(&KeptAccount { episode, account }, precondition));
            }
            Ok((batch, noun.run))
        })
    }

    fn get(&self, run: &str) -> Result<Run, Error> {
        Ok(self.open_run(run)?.noun.run)
    }

    fn open(&self, limit: u32) -> Result<Vec<Run>, Error> {
        let order = newest("started-at");
        let open = self.search::<OpenRun>(&query::<OpenRun>(
            Vec::new(),
            order,
            limits::listed(Some(limit)),
        ))?;
        Ok(open.into_iter().map(|(read, _)| read.noun.run).collect())
    }

    fn recent_steps(&self, domain: &str, limit: u32) -> Result<Vec<PastStep>, Error> {
        let conditions = vec![equals("domain", domain)];
        let steps =
            self.search::<TraceStep>(&query::<TraceStep>(conditions, newest("at"), limit.min(16)))?;
        Ok(steps
            .into_iter()
            .rev()
            .map(|(read, _)| past(read.noun))
            .collect())
    }

    fn latest_steps(&self, run: &str, limit: u32) -> Result<Vec<PastStep>, Error> {
        let steps = self.last_steps(run, limit.min(16))?;
        Ok(steps.into_iter().map(past).collect())
    }
}

/// A step as an adapter is shown it.
fn past(step: TraceStep) -> PastStep {
    PastStep {
        step: step.step,
        feedback: step.feedback,
    }
}

impl Engine<'_> {
    pub(crate) fn open_run(&self, id: &str) -> Result<Read<OpenRun>, Error> {
        if let Some(open) = self.load::<OpenRun>(id)? {
            return Ok(open);
        }
        Err(match self.load::<Episode>(id)? {
            Some(_) => Error::Conflict(format!(
                "the run `{id}` has ended; start another one with runs.start"
            )),
            None => Error::NotFound(format!("there is no run `{id}`; start one with runs.start")),
        })
    }

    /// An id that no run or episode has: the caller's own, or one made from what the run is.
    fn free_id(&self, run: &NewRun, now: u64, attempt: u32) -> Result<String, Error> {
        if let Some(id) = &run.id {
            if !self
                .read(&[Kind::Run.key(id), Kind::Episode.key(id)])?
                .is_empty()
            {
                return Err(Error::Conflict(format!(
                    "the id `{id}` is taken by another run; choose another one or leave it out"
                )));
            }
            return Ok(id.clone());
        }
        for number in attempt.. {
            let parts = [
                run.task.as_str(),
                &run.domain,
                &now.to_string(),
                &number.to_string(),
            ];
            let id = format!("run_{}", digest(&parts));
            if self
                .read(&[Kind::Run.key(&id), Kind::Episode.key(&id)])?
                .is_empty()
            {
                return Ok(id);
            }
        }
        Err(Error::Busy(
            "no id is free for this run; try again".to_owned(),
        ))
    }

    /// What is known about a failure, with the evidence about each lesson. Trouble with recall is no reason not
    /// to remember the step.
    fn hints_for(
        &self,
        event: &Event,
        open: &OpenRun,
        taken: &Taken,
    ) -> (Vec<Hint>, BTreeMap<String, Evidence>) {
        let context = context(event, open, taken.sighting.as_ref());
        let found = self.hints(&context).and_then(|hints| {
            let evidence = self.evidence_of(&hints)?;
            Ok((hints, evidence))
        });
        found.unwrap_or_else(|error| {
            self.warn(&format!("no hints: {}", error.message()));
            Default::default()
        })
    }

    /// What is known of some fingerprints.
    pub(crate) fn known<'s>(
        &self,
        fingerprints: impl Iterator<Item = &'s str>,
    ) -> Result<BTreeMap<String, Read<Known>>, Error> {
        let ids: BTreeSet<_> = fingerprints.collect();
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let keys: Vec<_> = ids
            .into_iter()
            .map(|id| Kind::Fingerprint.key(id))
            .collect();
        let stored = self.read(&keys)?;
        stored
            .iter()
            .map(|stored| Ok((stored.key.id.clone(), Read::parse(stored)?)))
            .collect()
    }

    /// Notes that a run was told of experience: it says nothing about how its task goes without help.
    fn note_told(&self, run: &str) -> Result<(), Error> {
        self.change_lightly(|_| {
            let Read { mut noun, version } = self.open_run(run)?;
            if noun.told_experience {
                return Ok((Vec::new(), ()));
            }
            noun.told_experience = true;
            Ok((vec![put(&noun, Precondition::At(version))], ()))
        })
    }

    /// What a run is about: its task, and the failures that it and its kind brought before.
    fn context_of(&self, open: &OpenRun, request: &BriefingRequest) -> Result<TaskContext, Error> {
        let run = &open.run;
        let mut failures: Vec<String> = open.fingerprints().map(str::to_owned).collect();
        if let Some(id) = task_id(&run.domain, &run.task)
            && let Some(task) = self.load::<Task>(&id)?
        {
            failures.extend(task.noun.latest_failures());
        }
        if run.task.trim().is_empty() {
            // Nothing says what the run is about, except what went wrong around it of late.
            let lately = self.now().saturating_sub(LATELY_MS);
            let conditions = vec![equals("domain", &run.domain), at_least("at", lately as f64)];
            let recent = query::<Event>(conditions, newest("at"), RECENT_EVENTS);
            for (read, _) in self.search::<Event>(&recent)? {
                failures.push(read.noun.fingerprint);
            }
        }
        let mut seen = BTreeSet::new();
        failures.retain(|id| seen.insert(id.clone()));
        failures.truncate(limits::TRIGGERS);
        Ok(TaskContext {
            task: run.task.clone(),
            domain: run.domain.clone(),
            recent_fingerprints: failures,
            limit: request.limit,
            tokens: Some(request.tokens.unwrap_or(BRIEFED_TOKENS)),
        })
    }
}

/// The change that writes a fingerprint back as it was counted.
fn counted(known: &Read<Known>) -> Change {
    put(
        &known.noun,
        match known.version {
            0 => Precondition::Absent,
            version => Precondition::At(version),
        },
    )
}

fn context(event: &Event, open: &OpenRun, sighting: Option<&Sighting>) -> FailureContext {
    FailureContext {
        evidence: sighting.map_or_else(String::new, |sighting| sighting.evidence.clone()),
        fingerprint: Some(event.fingerprint.clone()),
        action_text: Some(event.action_text.clone()),
        domain: event.domain.clone(),
        task: open.run.task.clone(),
        limit: open.hints,
        tokens: None,
    }
}

pub(crate) fn check_new(run: &NewRun) -> Result<(), Error> {
    if let Some(id) = &run.id {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if id.is_empty()
            || id.len() > limits::RUN_ID_BYTES
            || !id.chars().all(allowed)
            || is_secret(id)
        {
            return Err(Error::InvalidArgument(format!(
                "run.id `{}` is not 1 to {} letters, digits, dashes and underscores; choose another one or leave it out",
                payload::kept_text(id, 100),
                limits::RUN_ID_BYTES
            )));
        }
    }
    if run.task.len() > limits::TASK_BYTES {
        return Err(Error::InvalidArgument(format!(
            "run.task has {} bytes, at most {} are taken; shorten it",
            run.task.len(),
            limits::TASK_BYTES
        )));
    }
    if let Some(share) = run.hold_out
        && !(0.0..=0.5).contains(&share)
    {
        return Err(Error::InvalidArgument(format!(
            "run.hold-out is {share}, which is not a share from 0 to 0.5; 0 turns it off"
        )));
    }
    check_domain("run.domain", &run.domain)
}

/// Refuses a domain outside of the contract.
pub(crate) fn check_domain(member: &str, domain: &str) -> Result<(), Error> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if domain.is_empty() || domain.len() > 64 || !domain.chars().all(allowed) || is_secret(domain) {
        return Err(Error::InvalidArgument(format!(
            "{member} `{}` is not 1 to 64 lowercase letters, digits and dashes, such as `cli`",
            payload::kept_text(domain, 100)
        )));
    }
    Ok(())
}
