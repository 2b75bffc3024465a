//! Steps: what happens when a step of an open run is observed.
//!
//! Owns the way from a step to its event, and from the event to the hints that are shown at once. What a failure is
//! called is the business of events, which hints fit of recall.

use std::collections::BTreeMap;

use twiceshy_wit::memory::{Error, FailureContext, Hint, Observed, Reaction};

use crate::{
    events::{self, Sighting},
    lessons::{Proposal, activations, entry},
    recall,
    runs::{CheckedStep, OpenRun, open_run},
    store::Desk,
    usefulness::Evidence,
    working::retrieval,
};

pub(crate) fn observe(desk: &mut Desk, run: &str, observed: &Observed) -> Result<Reaction, Error> {
    let checked = CheckedStep::new(observed)?;
    let now = desk.now();
    // What is known of a failure does not depend on this step: it is looked up once, whatever others write.
    let fitting = match &checked.sighting {
        Some(_) => Fitting::of(desk, &open_run(desk, run)?.noun, &checked),
        None => Fitting::default(),
    };
    let reaction = desk.commit(|batch| {
        let mut open = open_run(batch, run)?.noun;
        let mut known = events::load_known(batch, checked.sighting.iter().map(Sighting::id))?;
        let (step, event) = open.take(&checked, &mut known, now);
        batch.add(&step);
        events::count(batch, &known);
        let mut hints = Vec::new();
        if let Some(event) = &event {
            batch.add(event);
            hints.clone_from(&fitting.hints);
            open.show(batch, &mut hints, &fitting.evidence, Some(event), now);
            // What is shown for the first time is a lesson from now on.
            if let Some(new) = &fitting.new
                && open.activations.iter().any(|one| one.lesson == new.id())
            {
                entry::enter(batch, std::slice::from_ref(new), &mut Vec::new(), now)?;
            }
        }
        batch.put(&open);
        Ok(Reaction {
            index: step.index,
            failure: event,
            text: activations::rendered(&hints),
            hints,
        })
    })?;
    retrieval::note_recovery(desk, run, &reaction);
    Ok(reaction)
}

/// What is known about a failure.
#[derive(Default)]
struct Fitting {
    hints: Vec<Hint>,
    /// What is known of the use of each lesson.
    evidence: BTreeMap<String, Evidence>,
    /// One of the lessons, if nobody knows it yet.
    new: Option<Proposal>,
}

impl Fitting {
    /// Trouble with recall is no reason not to remember the step.
    fn of(desk: &Desk, open: &OpenRun, checked: &CheckedStep) -> Self {
        let Some(sighting) = &checked.sighting else {
            return Self::default();
        };
        let context = context(open, checked, sighting);
        let found = || -> Result<Self, Error> {
            let run = Some(open.run.id.as_str());
            let (hints, new) = recall::hints_in_run(desk, &context, run, &open.head)?;
            let evidence = activations::evidence_of(desk, &hints)?;
            Ok(Self {
                hints,
                evidence,
                new,
            })
        };
        found().unwrap_or_else(|error| {
            desk.warn(&format!("no hints: {}", error.message()));
            Self::default()
        })
    }
}

/// The hints for a step of a run that has ended: what is not a lesson yet is not among them.
pub(crate) fn hints_after(desk: &Desk, open: &OpenRun, checked: &CheckedStep) -> Vec<Hint> {
    let Some(sighting) = &checked.sighting else {
        return Vec::new();
    };
    let found = recall::hints(desk, &context(open, checked, sighting), &open.head);
    found.unwrap_or_else(|error| {
        desk.warn(&format!("no hints: {}", error.message()));
        Vec::new()
    })
}

fn context(open: &OpenRun, checked: &CheckedStep, sighting: &Sighting) -> FailureContext {
    FailureContext {
        evidence: sighting.evidence.clone(),
        fingerprint: Some(sighting.fingerprint.id.clone()),
        action_text: Some(checked.feedback.action_text.clone()),
        domain: open.run.domain.clone(),
        task: open.run.task.clone(),
        limit: open.hints,
        tokens: None,
    }
}
