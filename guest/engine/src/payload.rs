//! Payloads: what callers pass in, checked, masked and shortened before it is stored.
//!
//! Owns masking and shortening of texts and JSON, and the checks on a step and its feedback. Masking
//! comes before shortening, so that no cut hides one half of a secret from the mask.

use std::borrow::Cow;

use serde_json::Value;
use twiceshy_wit::{
    adapter::{Failure, Feedback, Step, Violation},
    memory::{Error, Observed},
};

use crate::{
    insertion, limits,
    refusal::{self, Unit},
    secrets,
};

/// A text without secrets and at most `most` bytes long; what is left out in the middle is marked.
pub(crate) fn kept_text(text: &str, most: usize) -> String {
    shortened(&secrets::mask(text), most)
}

/// A JSON payload without secrets, with its long texts shortened.
pub(crate) fn kept_payload(text: &str) -> String {
    let masked = secrets::mask_json(text);
    if masked.len() <= limits::KEPT_TEXT_BYTES {
        return masked.into_owned();
    }
    let Ok(mut value) = serde_json::from_str::<Value>(&masked) else {
        return Value::String(shortened(&masked, limits::KEPT_PAYLOAD_BYTES)).to_string();
    };
    shorten_texts(&mut value);
    let kept = value.to_string();
    if kept.len() <= limits::KEPT_PAYLOAD_BYTES {
        return kept;
    }
    // Many short texts: the structure itself is too long to be kept.
    Value::String(shortened(&kept, limits::KEPT_PAYLOAD_BYTES)).to_string()
}

fn shorten_texts(value: &mut Value) {
    match value {
        Value::String(text) => *text = shortened(text, limits::KEPT_TEXT_BYTES),
        Value::Array(items) => items.iter_mut().for_each(shorten_texts),
        Value::Object(members) => members.values_mut().for_each(shorten_texts),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Head and tail of a text, with a mark for what is left out.
fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    const MARK: &str = "\n[…]\n";
    // The end of an output tells more often what went wrong than its beginning.
    let head = text.floor_char_boundary((most - MARK.len()) / 3);
    let tail = text.ceil_char_boundary(text.len() - (most - MARK.len() - head));
    format!("{}{MARK}{}", &text[..head], &text[tail..])
}

/// What was observed, without everything that the memory itself inserted into the agent's context: its own words
/// are no evidence.
pub(crate) fn without_insertions(observed: &Observed) -> Observed {
    let text = |text: &str| insertion::without(text).into_owned();
    let Observed { step, feedback } = observed;
    Observed {
        step: Step {
            before: payload_without_insertions(&step.before),
            action: payload_without_insertions(&step.action),
            observation: payload_without_insertions(&step.observation),
        },
        feedback: Feedback {
            action_text: text(&feedback.action_text),
            hard_failure: feedback.hard_failure.as_ref().map(|failure| Failure {
                reason: text(&failure.reason),
                evidence: text(&failure.evidence),
            }),
            constraint_failure: feedback
                .constraint_failure
                .iter()
                .map(|violation| Violation {
                    condition: text(&violation.condition),
                    evidence: text(&violation.evidence),
                })
                .collect(),
            progress_signal: feedback.progress_signal,
            efficiency_signal: feedback.efficiency_signal,
        },
    }
}

/// A JSON payload without insertions. They are looked for in its texts as they are meant, so that it stays JSON.
fn payload_without_insertions(payload: &str) -> String {
    if let Cow::Borrowed(payload) = insertion::without(payload) {
        return payload.to_owned();
    }
    match serde_json::from_str::<Value>(payload) {
        Ok(mut value) => {
            remove_insertions(&mut value);
            value.to_string()
        }
        Err(_) => insertion::without(payload).into_owned(),
    }
}

fn remove_insertions(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(rest) = insertion::without(text) {
                *text = rest;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(remove_insertions),
        Value::Object(members) => members.values_mut().for_each(remove_insertions),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Hides in the feedback what is a secret in the action itself.
///
/// The line of an action quotes its arguments once more (`$'password:\\n x'`), and what is told by its form in an argument can
/// no longer be told by it there.
pub(crate) fn hide_secrets_of_the_action(observed: &mut Observed) {
    let Cow::Owned(masked) = secrets::mask_json(&observed.step.action) else {
        return;
    };
    let (Ok(raw), Ok(masked)) = (
        serde_json::from_str::<Value>(&observed.step.action),
        serde_json::from_str::<Value>(&masked),
    ) else {
        return;
    };
    let mut values = Vec::new();
    masked_words(&raw, &masked, &mut values);
    // A longer one may hold a shorter one.
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    let hide = |text: &mut String| {
        for value in &values {
            if text.contains(value) {
                *text = text.replace(value, "<secret>");
            }
        }
    };
    let feedback = &mut observed.feedback;
    hide(&mut feedback.action_text);
    if let Some(failure) = &mut feedback.hard_failure {
        hide(&mut failure.reason);
        hide(&mut failure.evidence);
    }
}

/// A masked value that is shorter may be part of any word.
const SHORTEST_HIDDEN: usize = 6;

/// The words of texts that are no longer there when the texts are masked.
fn masked_words<'a>(raw: &'a Value, masked: &Value, words: &mut Vec<&'a str>) {
    match (raw, masked) {
        (Value::String(raw), Value::String(masked)) if raw != masked => {
            let apart = |letter: char| letter.is_whitespace() || "'\"=:,;@&".contains(letter);
            let hidden = raw
                .split(apart)
                .filter(|word| word.len() >= SHORTEST_HIDDEN && !masked.contains(word));
            words.extend(hidden);
        }
        (Value::Array(raw), Value::Array(masked)) => {
            for (raw, masked) in raw.iter().zip(masked) {
                masked_words(raw, masked, words);
            }
        }
        (Value::Object(raw), Value::Object(masked)) => {
            for (name, raw) in raw {
                if let Some(masked) = masked.get(name) {
                    masked_words(raw, masked, words);
                }
            }
        }
        _ => {}
    }
}

/// A step as it is kept.
pub(crate) fn kept_step(step: &Step) -> Step {
    Step {
        before: kept_payload(&step.before),
        action: kept_payload(&step.action),
        observation: kept_payload(&step.observation),
    }
}

/// Feedback as it is kept.
pub(crate) fn kept_feedback(feedback: &Feedback) -> Feedback {
    Feedback {
        action_text: kept_text(&feedback.action_text, limits::ACTION_BYTES),
        hard_failure: feedback.hard_failure.as_ref().map(|failure| Failure {
            reason: kept_text(&failure.reason, limits::ACTION_BYTES),
            evidence: kept_text(&failure.evidence, limits::KEPT_TEXT_BYTES),
        }),
        constraint_failure: feedback
            .constraint_failure
            .iter()
            .map(|violation| Violation {
                condition: kept_text(&violation.condition, limits::ACTION_BYTES),
                evidence: kept_text(&violation.evidence, limits::ACTION_BYTES),
            })
            .collect(),
        progress_signal: feedback.progress_signal,
        efficiency_signal: feedback.efficiency_signal,
    }
}

/// Refuses a step or feedback outside of the contract, naming the member.
pub(crate) fn check(step: &Step, feedback: &Feedback) -> Result<(), Error> {
    let payloads = [
        ("before", &step.before),
        ("action", &step.action),
        ("observation", &step.observation),
    ];
    for (name, payload) in payloads {
        refusal::bytes(
            &format!("step.{name}"),
            payload.len(),
            limits::PAYLOAD_BYTES,
        )?;
    }
    refusal::at_most(
        "feedback.constraint-failure",
        feedback.constraint_failure.len(),
        Unit::Entries,
        limits::VIOLATIONS,
        "report the first ones",
    )?;
    let signals = [
        ("progress-signal", feedback.progress_signal, -1.0..=1.0),
        ("efficiency-signal", feedback.efficiency_signal, 0.0..=1.0),
    ];
    for (name, signal, range) in signals {
        if let Some(signal) = signal
            && !range.contains(&signal)
        {
            return Err(Error::InvalidArgument(format!(
                "`feedback.{name}` is {signal}; it must be from {} to {}",
                range.start(),
                range.end()
            )));
        }
    }
    Ok(())
}

/// Refuses a domain outside of the contract.
pub(crate) fn check_domain(member: &str, domain: &str) -> Result<(), Error> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if domain.is_empty()
        || domain.len() > 64
        || !domain.chars().all(allowed)
        || secrets::is_secret(domain)
    {
        return Err(Error::InvalidArgument(format!(
            "`{member}` is `{}`; it must be 1 to 64 lowercase letters, digits or dashes, such as `cli`",
            kept_text(domain, 100)
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_its_head_and_its_tail_within_the_limit() {
        let text = format!("begin {} end", "ж".repeat(10_000));
        let kept = kept_text(&text, 1_000);
        assert!(kept.len() <= 1_000, "{}", kept.len());
        assert!(kept.starts_with("begin") && kept.ends_with("end") && kept.contains("[…]"));
    }

    #[test]
    fn a_long_payload_stays_json() {
        let payload = serde_json::json!({"exit": 2, "stdout": "x".repeat(100_000)}).to_string();
        let kept: Value = serde_json::from_str(&kept_payload(&payload)).expect("JSON");
        assert_eq!(kept["exit"], 2);
        assert!(
            kept["stdout"]
                .as_str()
                .is_some_and(|text| text.len() <= limits::KEPT_TEXT_BYTES)
        );
        let many: Vec<_> = (0..20_000).collect();
        let kept = kept_payload(&serde_json::json!(many).to_string());
        assert!(kept.len() < 2 * limits::KEPT_PAYLOAD_BYTES);
        assert!(serde_json::from_str::<Value>(&kept).is_ok());
    }

    #[test]
    fn a_signal_that_is_no_number_is_refused_by_name() {
        let step = Step {
            before: String::new(),
            action: String::new(),
            observation: String::new(),
        };
        let feedback = Feedback {
            action_text: String::new(),
            hard_failure: None,
            constraint_failure: vec![],
            progress_signal: Some(f64::NAN),
            efficiency_signal: None,
        };
        let Err(Error::InvalidArgument(message)) = check(&step, &feedback) else {
            panic!()
        };
        assert!(message.contains("progress-signal"), "{message}");
    }
}
