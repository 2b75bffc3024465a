//! Steps: what happens when a step of an open run is observed.
//!
//! Owns the way from a step to its event, and from the event to the hints that are shown at once. What a failure is
//! called is the business of events, which hints fit of recall.

use std::collections::BTreeMap;

use twiceshy_wit::memory::{Error, FailureContext, Hint, Observed, Reaction};

use crate::{
    events::{self, Sighting},
    lessons::activations,
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
    let (fitting, evidence) = match &checked.sighting {
        Some(_) => hints_for(desk, &open_run(desk, run)?.noun, &checked),
        None => Default::default(),
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
            hints.clone_from(&fitting);
            open.show(batch, &mut hints, &evidence, Some(event), now);
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

/// What is known about a failure, with the evidence about each lesson. Trouble with recall is no reason not
/// to remember the step.
pub(crate) fn hints_for(
    desk: &Desk,
    open: &OpenRun,
    checked: &CheckedStep,
) -> (Vec<Hint>, BTreeMap<String, Evidence>) {
    let Some(sighting) = &checked.sighting else {
        return Default::default();
    };
    let context = context(open, checked, sighting);
    let found = recall::hints(desk, &context).and_then(|hints| {
        let evidence = activations::evidence_of(desk, &hints)?;
        Ok((hints, evidence))
    });
    found.unwrap_or_else(|error| {
        desk.warn(&format!("no hints: {}", error.message()));
        Default::default()
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
