//! The terms of the contract that its types can't say: sizes, counts and ranges, both ways.
//!
//! Owns what a host hands to an adapter at most, and what it takes from one. The numbers stand in `wit/adapter`.

use twiceshy_wit::adapter::{Feedback, Goal, Manifest, PastStep, Step};

use crate::limits;

/// Texts of a manifest and of feedback, in bytes.
const SHORT: usize = 64;
const REASON: usize = 1 << 10;
const LINE: usize = 4 << 10;
const FOUND: usize = 16 << 10;
const SCHEMA: usize = 256 << 10;
const EVIDENCE: usize = 1 << 20;

/// Violated conditions at most.
const VIOLATIONS: usize = 64;

/// Refuses what is too large to be handed to an adapter, before it is copied anywhere.
pub(super) fn input(goal: &Goal, recent: &[PastStep], step: &Step) -> Result<(), String> {
    let payloads = [
        ("expectations", &goal.expectations),
        ("before", &step.before),
        ("action", &step.action),
        ("observation", &step.observation),
    ];
    for (name, text) in payloads {
        within(name, text.len(), limits::PAYLOAD_BYTES)?;
    }
    if recent.len() > limits::MOST_RECENT_STEPS {
        return Err(format!(
            "recent has {} steps, and at most {} are allowed",
            recent.len(),
            limits::MOST_RECENT_STEPS
        ));
    }
    let of_step = |step: &Step| step.before.len() + step.action.len() + step.observation.len();
    let past: usize = recent
        .iter()
        .map(|past| of_step(&past.step) + of_feedback(&past.feedback))
        .sum();
    let all = past
        + of_step(step)
        + [&goal.task, &goal.domain, &goal.expectations]
            .map(String::len)
            .iter()
            .sum::<usize>();
    within(
        "the step with its goal and what came before",
        all,
        limits::ADAPTER_INPUT_BYTES,
    )
}

fn of_feedback(feedback: &Feedback) -> usize {
    let failure = feedback.hard_failure.as_ref();
    let violations = feedback.constraint_failure.iter();
    feedback.action_text.len()
        + failure.map_or(0, |failure| failure.reason.len() + failure.evidence.len())
        + violations
            .map(|violation| violation.condition.len() + violation.evidence.len())
            .sum::<usize>()
}

/// What the contract says of feedback, checked.
pub(super) fn feedback(feedback: &Feedback) -> Result<(), String> {
    let signals = [
        ("progress-signal", feedback.progress_signal, -1.0),
        ("efficiency-signal", feedback.efficiency_signal, 0.0),
    ];
    for (name, signal, least) in signals {
        if let Some(signal) = signal
            && !(least..=1.0).contains(&signal)
        {
            return Err(format!(
                "{name} is {signal:?}, which is not a number from {least} to 1"
            ));
        }
    }
    within("action-text", feedback.action_text.len(), LINE)?;
    if let Some(failure) = &feedback.hard_failure {
        within("hard-failure.reason", failure.reason.len(), REASON)?;
        within("hard-failure.evidence", failure.evidence.len(), EVIDENCE)?;
    }
    let violations = &feedback.constraint_failure;
    if violations.len() > VIOLATIONS {
        return Err(format!(
            "constraint-failure has {} entries, and at most {VIOLATIONS} are allowed",
            violations.len()
        ));
    }
    for (place, violation) in violations.iter().enumerate() {
        let name = |member: &str| format!("constraint-failure[{place}].{member}");
        within(&name("condition"), violation.condition.len(), LINE)?;
        within(&name("evidence"), violation.evidence.len(), FOUND)?;
    }
    Ok(())
}

/// What the contract says of a manifest, checked.
pub(super) fn manifest(manifest: &Manifest) -> Result<(), String> {
    for (member, name) in [("name", &manifest.name), ("domain", &manifest.domain)] {
        if !is_name(name) {
            return Err(format!(
                "its {member} is {:?}, which is not {NAME}",
                shown(name)
            ));
        }
    }
    if !is_version(&manifest.version) {
        return Err(format!(
            "its version is {:?}, which is not a version such as 1.2.3",
            shown(&manifest.version)
        ));
    }
    within("summary", manifest.summary.len(), REASON)?;
    let schemas = [
        ("action-schema", &manifest.action_schema),
        ("observation-schema", &manifest.observation_schema),
        ("expectations-schema", &manifest.expectations_schema),
    ];
    for (member, schema) in schemas {
        within(member, schema.len(), SCHEMA)?;
        if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(schema)
            && !schema.trim().is_empty()
        {
            return Err(format!("its {member} is not JSON: {error}"));
        }
    }
    Ok(())
}

/// What a name is, in words.
pub(crate) const NAME: &str = "lowercase letters, digits and dashes, a letter first, at most 64";

/// Whether a text is a name of an adapter or a domain. A name is also a directory's, so it says nothing else.
pub(crate) fn is_name(text: &str) -> bool {
    text.len() <= SHORT
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Whether a text is a version as in semantic versioning: three numbers, and perhaps more after them.
pub(crate) fn is_version(text: &str) -> bool {
    let numbers = text.split(['-', '+']).next().unwrap_or_default();
    let parts: Vec<_> = numbers.split('.').collect();
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b".-+".contains(&byte);
    text.len() <= SHORT
        && text.bytes().all(legal)
        && parts.len() == 3
        && parts.iter().all(|part| part.parse::<u32>().is_ok())
}

fn within(name: &str, bytes: usize, most: usize) -> Result<(), String> {
    if bytes <= most {
        return Ok(());
    }
    Err(format!(
        "{name} has {bytes} bytes, and at most {most} are allowed"
    ))
}

/// The beginning of a text that may be anything.
fn shown(text: &str) -> String {
    text.chars().take(SHORT).collect()
}

#[cfg(test)]
mod tests {
    use twiceshy_wit::adapter::{Failure, Violation};

    use super::*;

    #[test]
    fn a_name_is_safe_as_the_name_of_a_directory() {
        for good in ["cli", "computer-use", "a1"] {
            assert!(is_name(good), "{good}");
        }
        for bad in [
            "",
            "..",
            "a/b",
            "A",
            "1a",
            "-a",
            "a_b",
            "ä",
            "a.b",
            &"a".repeat(65),
        ] {
            assert!(!is_name(bad), "{bad}");
        }
    }

    #[test]
    fn a_version_has_three_numbers() {
        for good in ["0.1.0", "1.2.3-rc.1+abc"] {
            assert!(is_version(good), "{good}");
        }
        for bad in ["", "1", "1.2", "v1.2.3", "1.2.3 ", "1.2.3/../x", "1..3"] {
            assert!(!is_version(bad), "{bad}");
        }
    }

    #[test]
    fn every_text_of_feedback_has_its_limit() {
        let text = |bytes: usize| "x".repeat(bytes);
        let failed = |reason, evidence| Feedback {
            hard_failure: Some(Failure { reason, evidence }),
            ..Feedback::default()
        };
        let violated = |condition, evidence| Feedback {
            constraint_failure: vec![Violation {
                condition,
                evidence,
            }],
            ..Feedback::default()
        };
        assert!(feedback(&failed(text(REASON), text(EVIDENCE))).is_ok());
        assert!(feedback(&violated(text(LINE), text(FOUND))).is_ok());
        for (too_much, named) in [
            (failed(text(REASON + 1), text(0)), "hard-failure.reason"),
            (failed(text(0), text(EVIDENCE + 1)), "hard-failure.evidence"),
            (
                violated(text(LINE + 1), text(0)),
                "constraint-failure[0].condition",
            ),
            (
                violated(text(0), text(FOUND + 1)),
                "constraint-failure[0].evidence",
            ),
            (
                Feedback {
                    action_text: text(LINE + 1),
                    ..Feedback::default()
                },
                "action-text",
            ),
        ] {
            let error = feedback(&too_much).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn a_signal_out_of_range_is_refused_by_its_name() {
        for (signal, fits) in [
            (1.0, true),
            (-1.0, true),
            (1.1, false),
            (f64::NAN, false),
            (f64::INFINITY, false),
        ] {
            let given = Feedback {
                progress_signal: Some(signal),
                ..Feedback::default()
            };
            assert_eq!(feedback(&given).is_ok(), fits, "{signal}");
        }
    }

    #[test]
    fn more_than_an_adapter_takes_is_refused_before_the_call() {
        let goal = Goal {
            task: String::new(),
            domain: "cli".into(),
            expectations: String::new(),
        };
        let step = |bytes: usize| Step {
            before: String::new(),
            action: "{}".into(),
            observation: "x".repeat(bytes),
        };
        assert!(input(&goal, &[], &step(limits::PAYLOAD_BYTES)).is_ok());
        let error = input(&goal, &[], &step(limits::PAYLOAD_BYTES + 1)).unwrap_err();
        assert!(error.contains("observation"), "{error}");
        let past = PastStep {
            step: step(limits::PAYLOAD_BYTES),
            feedback: Feedback::default(),
        };
        assert!(input(&goal, &vec![past.clone(); 3], &step(0)).is_ok());
        assert!(input(&goal, &vec![past.clone(); 4], &step(0)).is_err());
        let small = PastStep {
            step: step(0),
            feedback: Feedback::default(),
        };
        assert!(input(&goal, &vec![small; 17], &step(0)).is_err());
    }
}
