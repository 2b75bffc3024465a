//! Events: failed steps, and the fingerprints that tell whether two failures are the same.
//!
//! Owns what counts as a failure, what its evidence is, and how often a fingerprint was seen. How a
//! fingerprint is made from a text is the business of [`fingerprint`](crate::fingerprint).

pub(crate) mod causes;
pub(crate) mod recoveries;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    adapter::{Feedback, Step},
    host::{Attribute, Query},
    memory::{Error, Event, EventFilter, Fingerprint},
};

use causes::Causes;

use crate::{
    fingerprint, limits, payload, refusal, secrets,
    store::{Batch, Kind, Noun, Read, Reader, equals, newest, number, query, text},
    tags, text as terms,
};

/// The failure in a step.
pub(crate) struct Sighting {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) reason: String,
    pub(crate) evidence: String,
}

impl Sighting {
    /// What failed in a step: outright, by a condition, or by no progress. None if nothing did.
    pub(crate) fn of(step: &Step, feedback: &Feedback) -> Option<Self> {
        let stalled = feedback
            .progress_signal
            .is_some_and(|progress| progress <= 0.0);
        let conditions = broken_conditions(feedback);
        let (reason, evidence) = match &feedback.hard_failure {
            Some(failure) => (failure.reason.clone(), failure.evidence.clone()),
            None if !conditions.is_empty() => {
                ("constraint_failed".to_owned(), conditions.join("\n"))
            }
            None if stalled => ("no_progress".to_owned(), String::new()),
            None => return None,
        };
        let evidence = secrets::mask(&evidence);
        let made = if evidence.trim().is_empty() {
            fingerprint::of_transition(
                &secrets::mask_json(&step.before),
                &secrets::mask(&feedback.action_text),
                &secrets::mask_json(&step.observation),
                &reason,
            )
        } else {
            fingerprint::of_text(&evidence)
        };
        let mut found = tags::of_text(&format!("{reason}\n{evidence}"));
        let same_state = !step.before.trim().is_empty() && step.before == step.observation;
        let progress = feedback.progress_signal;
        let further = [
            ("constraint_failed", !conditions.is_empty()),
            (
                "goal_distance_increase",
                progress.is_some_and(|progress| progress < 0.0),
            ),
            ("state_stall", same_state || progress == Some(0.0)),
        ];
        found.extend(
            further
                .iter()
                .filter(|(_, holds)| *holds)
                .map(|(tag, _)| (*tag).to_owned()),
        );
        Some(Self {
            fingerprint: Fingerprint {
                id: made.id,
                template: made.template,
                tags: settled(found),
            },
            reason: payload::kept_text(&reason, limits::ACTION_BYTES),
            evidence: payload::kept_text(&evidence, limits::KEPT_TEXT_BYTES),
        })
    }

    /// The id of its fingerprint.
    pub(crate) fn id(&self) -> &str {
        &self.fingerprint.id
    }

    /// The tags of the event: `no_progress` if the same failure came before.
    pub(crate) fn tags(&self, again: bool) -> Vec<String> {
        let mut found = self.fingerprint.tags.clone();
        found.extend(again.then(|| "no_progress".to_owned()));
        settled(found)
    }
}

/// The conditions of a step that do not hold, a line each.
fn broken_conditions(feedback: &Feedback) -> Vec<String> {
    let violations = feedback.constraint_failure.iter();
    violations
        .map(|violation| match violation.evidence.trim() {
            "" => format!("constraint_failed: {}", violation.condition),
            evidence => format!("constraint_failed: {}: {evidence}", violation.condition),
        })
        .collect()
}

/// What feedback says of the failure of a step.
pub(crate) fn evidence_in(feedback: &Feedback) -> String {
    match &feedback.hard_failure {
        Some(failure) => failure.evidence.clone(),
        None => broken_conditions(feedback).join("\n"),
    }
}

/// Tags sorted, each once, and `generic` only where there is no other.
pub(crate) fn settled(mut found: Vec<String>) -> Vec<String> {
    found.sort();
    found.dedup();
    if found.len() > 1 {
        found.retain(|tag| tag != "generic");
    }
    found
}

/// What is known of a fingerprint.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Known {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) occurrences: u32,
    pub(crate) runs: u32,
    pub(crate) first_at: u64,
    pub(crate) last_at: u64,
    /// Runs in which it came up and no lesson that answers it was shown.
    #[serde(default)]
    pub(crate) untreated_runs: u32,
    /// What it cost in those runs, in failed steps.
    #[serde(default)]
    pub(crate) untreated_cost: f64,
    /// Occurrences whose events were pruned.
    #[serde(default)]
    pub(crate) pruned: u32,
    /// The actions that met it, and what each of them cost.
    #[serde(default, skip_serializing_if = "Causes::is_empty")]
    pub(crate) causes: Causes,
}

impl Known {
    pub(crate) fn new(fingerprint: &Fingerprint, now: u64) -> Self {
        Self {
            fingerprint: fingerprint.clone(),
            occurrences: 0,
            runs: 0,
            first_at: now,
            last_at: now,
            untreated_runs: 0,
            untreated_cost: 0.0,
            pruned: 0,
            causes: Causes::default(),
        }
    }

    /// Counts one more sighting. Says whether the last one is so recent that it is the same trouble.
    pub(crate) fn see(&mut self, first_in_run: bool, now: u64) -> bool {
        let again = self.occurrences > 0 && now.abs_diff(self.last_at) <= limits::SAME_TROUBLE_MS;
        self.occurrences = self.occurrences.saturating_add(1);
        self.runs = self.runs.saturating_add(u32::from(first_in_run));
        // What comes from elsewhere may have happened before what is known.
        self.first_at = self.first_at.min(now);
        self.last_at = self.last_at.max(now);
        again
    }
}

impl Noun for Known {
    const KIND: Kind = Kind::Fingerprint;

    fn id(&self) -> String {
        self.fingerprint.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let mut attributes = vec![
            number("occurrences", f64::from(self.occurrences)),
            number("last-at", self.last_at as f64),
        ];
        let tags = self.fingerprint.tags.iter();
        attributes.extend(tags.map(|tag| text("tag", tag)));
        attributes
    }

    fn terms(&self) -> String {
        let words: Vec<_> = terms::telling(&self.fingerprint.template)
            .into_iter()
            .collect();
        words.join(" ")
    }
}

impl Noun for Event {
    const KIND: Kind = Kind::Event;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let mut attributes = vec![
            text("fingerprint", &self.fingerprint),
            text("run", &self.run),
            text("domain", &self.domain),
            number("at", self.at as f64),
        ];
        attributes.extend(self.tags.iter().map(|tag| text("tag", tag)));
        attributes
    }

    fn terms(&self) -> String {
        terms::terms(&self.template).join(" ")
    }
}

pub(crate) fn fingerprint_of(_reader: &Reader, text: &str) -> Fingerprint {
    identify(text)
}

/// The events that a filter asks for, the newest first, at most `limit`.
pub(crate) fn matching(filter: &EventFilter, limit: u32) -> Query {
    let restrictions = [
        ("fingerprint", &filter.fingerprint),
        ("run", &filter.run),
        ("domain", &filter.domain),
        ("tag", &filter.tag),
    ];
    let conditions = restrictions
        .into_iter()
        .filter_map(|(name, value)| Some(equals(name, value.as_deref()?)))
        .collect();
    query::<Event>(conditions, newest("at"), limit)
}

pub(crate) fn get(reader: &Reader, event: &str) -> Result<Event, Error> {
    match reader.load::<Event>(event)? {
        Some(read) => Ok(read.noun),
        None => Err(refusal::unknown("event", event, "events.find")),
    }
}

/// The fingerprint of an error text with its tags. Secrets are masked first, so that neither shows one
/// and an error that quotes another token is the same error.
pub(crate) fn identify(evidence: &str) -> Fingerprint {
    let evidence = secrets::mask(evidence);
    let made = fingerprint::of_text(&evidence);
    Fingerprint {
        id: made.id,
        template: made.template,
        tags: settled(tags::of_text(&evidence)),
    }
}

/// What is known of some fingerprints.
pub(crate) fn load_known<'s>(
    reader: &Reader,
    fingerprints: impl Iterator<Item = &'s str>,
) -> Result<BTreeMap<String, Read<Known>>, Error> {
    reader.load_by_id(fingerprints.collect::<BTreeSet<_>>())
}

/// Puts fingerprints as they were counted.
pub(crate) fn count(batch: &mut Batch, known: &BTreeMap<String, Read<Known>>) {
    for known in known.values() {
        batch.put(&known.noun);
    }
}
