//! The open run: a task being worked on, as it is stored between its steps.
//!
//! Owns what a step does to a run: which event it becomes, how often that was seen, which lessons it was
//! shown. When it is read and written is the business of runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    adapter::{Feedback, Step},
    host::Attribute,
    memory::{Activation, Episode, Error, Event, Hint, Moment, NewRun, Observed, Run, TraceStep},
};

use crate::{
    episodes::Head,
    events::{Known, Sighting},
    lessons::activations::{self, Showing},
    limits, payload,
    store::{Batch, Kind, Noun, Read, number, text},
    usefulness::Evidence,
};

/// An open run as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct OpenRun {
    pub(crate) run: Run,
    /// Fingerprints in the order of their first appearance, and how often each was seen.
    pub(crate) seen: Vec<(String, u32)>,
    pub(crate) last_failed: bool,
    pub(crate) last_progress: Option<f64>,
    last_efficiency: Option<f64>,
    /// The efficiency signals of its steps, added up, and how many there were.
    #[serde(default)]
    pub(crate) efficiency: (f64, u32),
    /// The share of lessons that are withheld.
    #[serde(default)]
    hold_out: f64,
    /// Hints after a step that failed, if the caller says.
    #[serde(default)]
    pub(crate) hints: Option<u32>,
    /// The lessons that were shown in it or withheld from it.
    #[serde(default)]
    pub(crate) activations: Vec<Activation>,
    /// Whether it was shown experience: then it is not a run without help.
    #[serde(default)]
    pub(crate) told_experience: bool,
    /// What is said of it beside its task.
    #[serde(default)]
    pub(crate) head: Head,
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
pub(crate) struct CheckedStep {
    step: Step,
    pub(crate) feedback: Feedback,
    pub(crate) sighting: Option<Sighting>,
}

impl CheckedStep {
    pub(crate) fn new(observed: &Observed) -> Result<Self, Error> {
        payload::check(&observed.step, &observed.feedback)?;
        let mut observed = payload::without_insertions(observed);
        payload::hide_secrets_of_the_action(&mut observed);
        Ok(Self {
            step: payload::kept_step(&observed.step),
            feedback: payload::kept_feedback(&observed.feedback),
            sighting: Sighting::of(&observed.step, &observed.feedback),
        })
    }
}

impl OpenRun {
    pub(crate) fn new(id: String, run: &NewRun, head: Head, now: u64) -> Self {
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
            efficiency: (0.0, 0),
            hold_out: run.hold_out.unwrap_or(activations::HOLD_OUT),
            hints: run.hints,
            activations: Vec::new(),
            told_experience: false,
            head,
        }
    }

    /// An episode as the run it was, for whatever is learned from it later.
    pub(crate) fn of(episode: &Episode) -> Self {
        let run = NewRun {
            id: None,
            task: episode.task.clone(),
            domain: episode.domain.clone(),
            ..NewRun::default()
        };
        Self::new(
            episode.id.clone(),
            &run,
            Head::default(),
            episode.started_at,
        )
    }

    /// Shows lessons: takes out those that are withheld, and records all of them. Whether there was anything to record.
    pub(crate) fn show(
        &mut self,
        batch: &mut Batch,
        hints: &mut Vec<Hint>,
        evidence: &BTreeMap<String, Evidence>,
        event: Option<&Event>,
        now: u64,
    ) -> bool {
        let showing = Showing {
            run: &self.run.id,
            step: self.run.steps,
            moment: match event {
                Some(_) => Moment::OnError,
                None => Moment::BeforeRun,
            },
            fingerprint: event.map(|event| event.fingerprint.as_str()),
            hold_out: self.hold_out,
            evidence,
            now,
        };
        let changed = showing.record(hints, &mut self.activations);
        for activation in &changed {
            // The run, which is checked, owns its activations.
            batch.put_owned(activation);
        }
        !changed.is_empty()
    }

    /// Takes in one step: gives the step to keep and the event it became, and counts in `known`.
    pub(crate) fn take(
        &mut self,
        checked: &CheckedStep,
        known: &mut BTreeMap<String, Read<Known>>,
        now: u64,
    ) -> (TraceStep, Option<Event>) {
        let index = self.run.steps;
        let feedback = &checked.feedback;
        let delta = |before: Option<f64>, after: Option<f64>| Some(after? - before?);
        let event = checked.sighting.as_ref().map(|sighting| {
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
        if let Some(signal) = feedback.efficiency_signal {
            self.efficiency = (self.efficiency.0 + signal, self.efficiency.1 + 1);
        }
        let step = TraceStep {
            run: self.run.id.clone(),
            index,
            domain: self.run.domain.clone(),
            at: now,
            step: checked.step.clone(),
            feedback: feedback.clone(),
            event_id: event.as_ref().map(|event| event.id.clone()),
            fingerprint: event.as_ref().map(|event| event.fingerprint.clone()),
        };
        (step, event)
    }

    /// The fingerprints of its failures.
    pub(crate) fn fingerprints(&self) -> impl Iterator<Item = &str> {
        self.seen.iter().map(|(id, _)| id.as_str())
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
}
