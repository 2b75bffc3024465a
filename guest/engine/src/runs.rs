//! Runs: tasks being worked on, step by step, until they end as episodes.
//!
//! Owns what a step does to a run: whether it failed, which event it becomes, how often that was seen.
//! What is known about a failure is the business of recall; what comes of an episode, of others.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    adapter::{Feedback, PastStep, Step},
    host::{Attribute, Change, Precondition},
    memory::{
        Briefing, BriefingRequest, Ending, Episode, Error, Event, FailureContext, Hint, NewRun,
        Observed, Outcome, Reaction, Run, Runs, Submitted, TraceStep,
    },
};

use crate::{
    documents::{Kind, Noun, Read, digest, equals, newest, number, put, query, remove, text},
    events::{Known, Sighting},
    limits, payload,
    ports::Engine,
    secrets::is_secret,
};

/// An open run as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct OpenRun {
    pub(crate) run: Run,
    /// Fingerprints in the order of their first appearance, and how often each was seen.
    pub(crate) seen: Vec<(String, u32)>,
    last_failed: bool,
    last_progress: Option<f64>,
    last_efficiency: Option<f64>,
}

impl Noun for OpenRun {
    const KIND: Kind = Kind::Run;

    fn id(&self) -> String {
        self.run.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![
            text("domain", &self.run.domain),
            number("started-at", self.run.started_at as f64),
        ]
    }
}

impl Noun for TraceStep {
    const KIND: Kind = Kind::Step;

    fn id(&self) -> String {
        format!("{}.{}", self.run, self.index)
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![
            text("run", &self.run),
            text("domain", &self.domain),
            number("index", f64::from(self.index)),
            number("at", self.at as f64),
        ]
    }
}

/// A step that was checked and made fit to be kept, with the failure in it.
struct Taken {
    step: Step,
    feedback: Feedback,
    sighting: Option<Sighting>,
}

impl Taken {
    fn new(observed: &Observed) -> Result<Self, Error> {
        payload::check(&observed.step, &observed.feedback)?;
        Ok(Self {
            step: payload::kept_step(&observed.step),
            feedback: payload::kept_feedback(&observed.feedback),
            sighting: Sighting::of(&observed.step, &observed.feedback),
        })
    }
}

impl OpenRun {
    fn new(id: String, run: &NewRun, now: u64) -> Self {
        Self {
            run: Run {
                id,
                task: payload::kept_text(&run.task, limits::TASK_BYTES),
                domain: run.domain.clone(),
                started_at: now,
                steps: 0,
                failures: 0,
            },
            seen: Vec::new(),
            last_failed: false,
            last_progress: None,
            last_efficiency: None,
        }
    }

    /// Takes in one step: gives the step to keep and the event it became, and counts in `known`.
    fn take(
        &mut self,
        taken: &Taken,
        known: &mut BTreeMap<String, Read<Known>>,
        now: u64,
    ) -> (TraceStep, Option<Event>) {
        let index = self.run.steps;
        let feedback = &taken.feedback;
        let delta = |before: Option<f64>, after: Option<f64>| Some(after? - before?);
        let event = taken.sighting.as_ref().map(|sighting| {
            let in_run = self.count(&sighting.fingerprint.id);
            let known = known
                .entry(sighting.fingerprint.id.clone())
                .or_insert_with(|| Read {
                    noun: Known::new(&sighting.fingerprint, now),
                    version: 0,
                });
            let known = &mut known.noun;
            let again = known.see(in_run == 1, now) || in_run > 1;
            Event {
                id: format!("{}.{index}", self.run.id),
                run: self.run.id.clone(),
                step: index,
                at: now,
                domain: self.run.domain.clone(),
                fingerprint: sighting.fingerprint.id.clone(),
                template: sighting.fingerprint.template.clone(),
                tags: sighting.tags(again),
                action_text: feedback.action_text.clone(),
                reason: sighting.reason.clone(),
                evidence: sighting.evidence.clone(),
                hard_failure: feedback.hard_failure.is_some(),
                constraint_failure: !feedback.constraint_failure.is_empty(),
                progress_signal: feedback.progress_signal,
                progress_delta: delta(self.last_progress, feedback.progress_signal),
                efficiency_signal: feedback.efficiency_signal,
                efficiency_delta: delta(self.last_efficiency, feedback.efficiency_signal),
                occurrence: known.occurrences,
                occurrence_in_run: in_run,
                runs: known.runs,
            }
        });
        self.run.steps += 1;
        self.run.failures += u32::from(event.is_some());
        self.last_failed = event.is_some();
        self.last_progress = feedback.progress_signal.or(self.last_progress);
        self.last_efficiency = feedback.efficiency_signal.or(self.last_efficiency);
        let step = TraceStep {
            run: self.run.id.clone(),
            index,
            domain: self.run.domain.clone(),
            at: now,
            step: taken.step.clone(),
            feedback: feedback.clone(),
            event: event.as_ref().map(|event| event.id.clone()),
        };
        (step, event)
    }

    /// Counts a fingerprint in this run: the how-manieth time it is.
    fn count(&mut self, fingerprint: &str) -> u32 {
        if let Some((_, count)) = self.seen.iter_mut().find(|(seen, _)| seen == fingerprint) {
            *count += 1;
            return *count;
        }
        if self.seen.len() < limits::FINGERPRINTS_PER_RUN {
            self.seen.push((fingerprint.to_owned(), 1));
        }
        1
    }

    fn end(self, ending: &Ending, now: u64) -> Episode {
        let by_last_step = match (self.run.steps, self.last_failed) {
            (0, _) => Outcome::Abandoned,
            (_, true) => Outcome::Failure,
            (_, false) => Outcome::Success,
        };
        Episode {
            id: self.run.id,
            task: self.run.task,
            domain: self.run.domain,
            started_at: self.run.started_at,
            ended_at: now.max(self.run.started_at),
            outcome: ending.outcome.unwrap_or(by_last_step),
            score: ending.score,
            referee: ending
                .referee
                .unwrap_or(twiceshy_wit::memory::Referee::Signals),
            lessons: Vec::new(),
            steps: self.run.steps,
            failures: self.run.failures,
            fingerprints: self
                .seen
                .into_iter()
                .map(|(fingerprint, _)| fingerprint)
                .collect(),
        }
    }
}

impl Runs for Engine<'_> {
    fn start(&self, run: &NewRun) -> Result<Run, Error> {
        check_new(run)?;
        let now = self.now();
        self.change(|attempt| {
            let open = OpenRun::new(self.free_id(run, now, attempt)?, run, now);
            Ok((vec![put(&open, Precondition::Absent)], open.run))
        })
    }

    fn observe(&self, run: &str, observed: &Observed) -> Result<Reaction, Error> {
        let taken = Taken::new(observed)?;
        let now = self.now();
        let (index, event, task) = self.change(|_| {
            let Read {
                noun: mut open,
                version,
            } = self.open_run(run)?;
            let mut known = self.known(taken.sighting.iter())?;
            let (step, event) = open.take(&taken, &mut known, now);
            let mut batch = vec![
                put(&open, Precondition::At(version)),
                put(&step, Precondition::Absent),
            ];
            batch.extend(event.iter().map(|event| put(event, Precondition::Absent)));
            batch.extend(known.values().map(counted));
            Ok((batch, (step.index, event, open.run.task)))
        })?;
        let hints = self.hints_for(event.as_ref(), &task, &taken);
        Ok(Reaction {
            index,
            event,
            hints,
            text: String::new(),
        })
    }

    fn brief(&self, run: &str, request: &BriefingRequest) -> Result<Briefing, Error> {
        let _ = (run, request);
        todo()
    }

    fn finish(&self, run: &str, ending: &Ending) -> Result<Episode, Error> {
        check_ending(ending)?;
        let now = self.now();
        self.change(|_| {
            let Read {
                noun: open,
                version,
            } = self.open_run(run)?;
            let episode = open.end(ending, now);
            let batch = vec![
                remove(Kind::Run, run, Precondition::At(version)),
                put(&episode, Precondition::Absent),
            ];
            Ok((batch, episode))
        })
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
        let steps = steps
            .iter()
            .map(Taken::new)
            .collect::<Result<Vec<_>, _>>()?;
        let now = self.now();
        let (episode, events) = self.change(|attempt| {
            let id = self.free_id(run, now, attempt)?;
            let mut open = OpenRun::new(id.clone(), run, now);
            let mut known = self.known(steps.iter().filter_map(|taken| taken.sighting.as_ref()))?;
            // Nobody opens a run of the same id in the meantime.
            let mut batch = vec![remove(Kind::Run, &id, Precondition::Absent)];
            let mut events = Vec::with_capacity(steps.len());
            for taken in &steps {
                let (step, event) = open.take(taken, &mut known, now);
                batch.push(put(&step, Precondition::Absent));
                batch.extend(event.iter().map(|event| put(event, Precondition::Absent)));
                events.push((step.index, event));
            }
            batch.extend(known.values().map(counted));
            let episode = open.end(ending, now);
            batch.push(put(&episode, Precondition::Absent));
            Ok((batch, (episode, events)))
        })?;
        let mut reactions = Vec::with_capacity(events.len());
        for ((index, event), taken) in events.into_iter().zip(&steps) {
            let hints = self.hints_for(event.as_ref(), &episode.task, taken);
            reactions.push(Reaction {
                index,
                event,
                hints,
                text: String::new(),
            });
        }
        Ok(Submitted { episode, reactions })
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
        let past = steps.into_iter().rev();
        Ok(past
            .map(|(read, _)| PastStep {
                step: read.noun.step,
                feedback: read.noun.feedback,
            })
            .collect())
    }
}

impl Engine<'_> {
    fn open_run(&self, id: &str) -> Result<Read<OpenRun>, Error> {
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

    /// What is known about a failure. The step is remembered by now, so trouble with recall is no reason to
    /// call it failed: whoever tries again would remember it twice.
    fn hints_for(&self, event: Option<&Event>, task: &str, taken: &Taken) -> Vec<Hint> {
        let Some(event) = event else {
            return Vec::new();
        };
        self.hints(&context(event, task, taken.sighting.as_ref()))
            .unwrap_or_else(|error| {
                self.warn(&format!("no hints: {}", error.message()));
                Vec::new()
            })
    }

    /// What is known of the fingerprints of some failures.
    fn known<'s>(
        &self,
        sightings: impl Iterator<Item = &'s Sighting>,
    ) -> Result<BTreeMap<String, Read<Known>>, Error> {
        let ids: BTreeSet<_> = sightings
            .map(|sighting| sighting.fingerprint.id.as_str())
            .collect();
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

fn context(event: &Event, task: &str, sighting: Option<&Sighting>) -> FailureContext {
    FailureContext {
        evidence: sighting.map_or_else(String::new, |sighting| sighting.evidence.clone()),
        fingerprint: Some(event.fingerprint.clone()),
        domain: event.domain.clone(),
        task: task.to_owned(),
        limit: None,
        tokens: None,
    }
}

fn check_new(run: &NewRun) -> Result<(), Error> {
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
    check_domain("run.domain", &run.domain)
}

/// Refuses a domain outside of the contract.
pub(crate) fn check_domain(member: &str, domain: &str) -> Result<(), Error> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if domain.is_empty() || domain.len() > 32 || !domain.chars().all(allowed) || is_secret(domain) {
        return Err(Error::InvalidArgument(format!(
            "{member} `{}` is not 1 to 32 lowercase letters, digits and dashes, such as `cli`",
            payload::kept_text(domain, 100)
        )));
    }
    Ok(())
}

fn check_ending(ending: &Ending) -> Result<(), Error> {
    match ending.score {
        Some(score) if !(0.0..=1.0).contains(&score) => Err(Error::InvalidArgument(format!(
            "ending.score is {score}, which is not a number from 0 to 1"
        ))),
        _ => Ok(()),
    }
}

fn todo<T>() -> Result<T, Error> {
    Err(Error::Unavailable("not built yet".to_owned()))
}
