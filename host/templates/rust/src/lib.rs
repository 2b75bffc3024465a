//! Judges requests to a JSON API, one at a time: what was asked, what came back, and how far the agent is.

mod payload;

use payload::{Action, Expectations, Method, Observation};
use serde_json::Value;
use twiceshy_adapter::{Adapter, Error, Failure, Feedback, Manifest, Seen, Violation};

/// The adapter.
pub struct Api;

impl Adapter for Api {
    type Action = Action;
    type Observation = Observation;
    type Expectations = Expectations;

    fn describe() -> Manifest {
        Manifest {
            name: "{{name}}".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            domain: "{{domain}}".into(),
            summary: "Judges requests to a JSON API by their answers, and by what they brought."
                .into(),
            action_schema: payload::ACTION_SCHEMA.into(),
            observation_schema: payload::OBSERVATION_SCHEMA.into(),
            expectations_schema: payload::EXPECTATIONS_SCHEMA.into(),
        }
    }

    fn assess(seen: &Seen<Self>) -> Result<Feedback, Error> {
        seen.observation.check()?;
        let mut feedback = Feedback {
            action_text: seen.action.text(),
            hard_failure: hard_failure(&seen.observation),
            constraint_failure: Vec::new(),
            progress_signal: None,
            efficiency_signal: None,
        };
        // What a failed request did not bring is said by the failure.
        if feedback.hard_failure.is_none() {
            feedback.constraint_failure = constraint_failure(seen);
            feedback.progress_signal = progress_signal(seen);
            feedback.efficiency_signal = efficiency_signal(seen);
        }
        Ok(feedback)
    }
}

twiceshy_adapter::export!(Api);

/// What failed outright: no answer, or a status that says so. The API's own words are the evidence.
fn hard_failure(observation: &Observation) -> Option<Failure> {
    let Some(status) = observation.status else {
        return Some(Failure {
            reason: "no answer".into(),
            evidence: observation.error.clone().unwrap_or_default(),
        });
    };
    if status < 400 {
        return None;
    }
    let body = &observation.body;
    let words = [&body["error"], &body["message"], body];
    let evidence = match words.into_iter().find(|words| !words.is_null()) {
        None => String::new(),
        Some(Value::String(words)) => words.clone(),
        Some(words) => words.to_string(),
    };
    Some(Failure {
        reason: format!("status {status}"),
        evidence,
    })
}

/// What must hold and does not: the members of the answer, and that nothing is fetched twice.
fn constraint_failure(seen: &Seen<Api>) -> Vec<Violation> {
    let members: Vec<&str> = match &seen.observation.body {
        Value::Object(body) => body.keys().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let has = if members.is_empty() {
        "none".into()
    } else {
        members.join(", ")
    };
    let wanted = seen.expectations.members.iter();
    let mut violations: Vec<_> = wanted
        .filter(|member| !members.contains(&member.as_str()))
        .map(|member| Violation {
            condition: format!("the answer has the member {member}"),
            evidence: format!("it has {has}"),
        })
        // Feedback has room for no more, and there may be a million of them.
        .take(64)
        .collect();
    let text = seen.action.text();
    let mut answered = seen
        .past()
        .filter(|past| past.feedback.hard_failure.is_none());
    if seen.action.method == Method::Get && answered.any(|past| past.action.text() == text) {
        violations.push(Violation {
            condition: "nothing is fetched twice".into(),
            evidence: format!("{text} was answered before"),
        });
    }
    violations
}

/// The share of the wanted items that this request brought.
fn progress_signal(seen: &Seen<Api>) -> Option<f64> {
    let wanted = f64::from(seen.expectations.items?);
    let held = f64::from(seen.observation.items?);
    let held_before = seen.before.as_ref().and_then(|before| before.items);
    let brought = held - f64::from(held_before.unwrap_or(0));
    (seen.action.method == Method::Get).then(|| (brought / wanted).clamp(-1.0, 1.0))
}

/// How the items so far compare with what the requests so far should have brought.
fn efficiency_signal(seen: &Seen<Api>) -> Option<f64> {
    let wanted = f64::from(seen.expectations.items?);
    let budget = f64::from(seen.expectations.requests?);
    let sent = f64::from(seen.observation.requests?);
    let due = wanted * sent / budget;
    let held = f64::from(seen.observation.items.unwrap_or(0));
    (due > 0.0).then(|| (held / due).min(1.0))
}
