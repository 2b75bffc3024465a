//! Progress: how much closer a command came to its goal.
//!
//! Owns the signal, and which failures are the same as an earlier one. The share of conditions that hold is
//! what the caller asked for. Where the output counts tests or items, it is measured against the last run of
//! the same command: more of them done is progress, fewer is a step back.

use twiceshy_adapter::{Failure, PastStep, Seen, Violation};

use crate::{
    Cli, evidence,
    expectation::Verdict,
    past,
    tally::{Tally, What},
};

/// How much closer the command came, from -1 to 1; none if that is not known.
///
/// A step that failed outright came no closer unless its output says so: 0 where something was expected or
/// the same command failed in the same way before. A first failure with nothing expected has no known
/// distance, and a value would call every failure a stall. A step in which nothing failed has neither 0 nor
/// less, which would make it a failure, unless tests that passed before do not pass any more.
pub(crate) fn signal(
    seen: &Seen<Cli>,
    failure: Option<&Failure>,
    verdict: &Verdict,
) -> Option<f64> {
    let judged = verdict.met + verdict.unmet;
    if let Some(failure) = failure {
        let repeated = || same(seen).any(|past| is_repeated(failure, past));
        // Where all tests passed, something else failed.
        return way(seen)
            .filter(|way| !way.complete)
            .map(|way| way.signal)
            .or_else(|| (verdict.given || repeated()).then_some(0.0));
    }
    if judged > 0 {
        let share = verdict.met as f64 / judged as f64;
        let repeated = !verdict.violations.is_empty()
            && same(seen).any(|past| is_repeated_by(&verdict.violations, past));
        return Some(if repeated { 0.0 } else { share });
    }
    way(seen)
        .filter(|way| way.signal > 0.0 || (way.signal < 0.0 && way.of_tests))
        .map(|way| way.signal)
}

/// How far the output says that the command has come.
struct Way {
    signal: f64,
    complete: bool,
    of_tests: bool,
}

fn way(seen: &Seen<Cli>) -> Option<Way> {
    let now = Tally::of(&seen.observation.stdout, &seen.observation.stderr)?;
    let (complete, of_tests) = (now.is_complete(), now.what == What::Tests);
    let signal = if complete {
        1.0
    } else {
        let before = same(seen).rev().find_map(|past| {
            let kept = past::kept(past);
            let text = |stream: &Option<String>| stream.clone().unwrap_or_default();
            Tally::of(&text(&kept.stdout), &text(&kept.stderr))
                .filter(|before| before.what == now.what)
        });
        match before {
            Some(before) => now.since(&before),
            // Nothing done is no distance that anybody knows.
            None if now.done == 0 => return None,
            None => now.share(),
        }
    };
    Some(Way {
        signal,
        complete,
        of_tests,
    })
}

fn same<'a>(seen: &'a Seen<Cli>) -> impl DoubleEndedIterator<Item = &'a PastStep> {
    past::same(&seen.action, seen.recent)
}

/// The earlier step failed in the same way, with the same text up to numbers.
fn is_repeated(failure: &Failure, past: &PastStep) -> bool {
    past.feedback.hard_failure.as_ref().is_some_and(|before| {
        before.reason == failure.reason && is_same_text(&failure.evidence, &before.evidence)
    })
}

/// The same conditions did not hold after the earlier step.
fn is_repeated_by(violations: &[Violation], past: &PastStep) -> bool {
    let before = &past.feedback.constraint_failure;
    violations.len() == before.len()
        && violations
            .iter()
            .zip(before)
            .all(|(now, before)| now.condition == before.condition)
}

/// The same text up to numbers; of an earlier one there may be only the head and the tail.
fn is_same_text(now: &str, before: &str) -> bool {
    let (now, before) = (without_numbers(now), without_numbers(before));
    if now == before {
        return true;
    }
    let Some((head, tail)) = before.split_once(evidence::LEFT_OUT) else {
        return false;
    };
    now.len() >= head.len() + tail.len() && now.starts_with(head) && now.ends_with(tail)
}

fn without_numbers(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for c in text.chars() {
        let c = if c.is_ascii_digit() { '0' } else { c };
        if c != '0' || !kept.ends_with('0') {
            kept.push(c);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use twiceshy_adapter::read;

    use super::*;
    use crate::past::tests::{action, failed, past};

    fn seen<'a>(words: &[&str], stdout: &str, recent: &'a [PastStep]) -> Seen<'a, Cli> {
        let observation = serde_json::json!({"stdout": stdout, "stderr": "", "duration-ms": 9});
        Seen {
            task: "",
            expectations: Default::default(),
            before: None,
            action: action(words),
            observation: read("observation", &observation.to_string()).expect("an observation"),
            recent,
        }
    }

    #[test]
    fn progress_is_the_share_of_conditions_that_hold() {
        let of = |met, unmet| {
            let verdict = Verdict {
                met,
                unmet,
                given: true,
                ..Verdict::default()
            };
            signal(&seen(&["x"], "", &[]), None, &verdict)
        };
        assert_eq!(of(3, 0), Some(1.0));
        assert_eq!(of(3, 1), Some(0.75));
        assert_eq!(of(0, 2), Some(0.0));
        assert_eq!(of(0, 0), None);
    }

    #[test]
    fn a_failure_is_no_progress_if_something_was_expected_or_it_is_repeated() {
        let failure = failed("exit 1", "line 12: no such table: t");
        let of = |words: &[&str], recent: &[PastStep]| {
            let seen = seen(words, "", recent);
            signal(&seen, Some(&failure), &Verdict::default())
        };
        let before = |reason: &str, evidence: &str| {
            past(
                &["q", "1"],
                r#""duration-ms": 9"#,
                Some(failed(reason, evidence)),
            )
        };
        let repeated = before("exit 1", "line 7: no such table: t");
        let text = before("exit 1", "line 7: no such table: u");
        let exit = before("exit 2", "line 12: no such table: t");
        let fine = past(&["q", "1"], r#""duration-ms": 9"#, None);
        assert_eq!(of(&["q", "1"], &[]), None);
        assert_eq!(of(&["q", "1"], &[text, exit, fine]), None);
        assert_eq!(of(&["q", "2"], std::slice::from_ref(&repeated)), None);
        assert_eq!(of(&["q", "1"], &[repeated]), Some(0.0));
        let expected = Verdict {
            given: true,
            ..Verdict::default()
        };
        let seen = seen(&["q"], "", &[]);
        assert_eq!(signal(&seen, Some(&failure), &expected), Some(0.0));
    }

    #[test]
    fn the_same_unmet_condition_again_is_no_progress() {
        let violation = |condition: &str| Violation {
            condition: condition.into(),
            evidence: "found 3".into(),
        };
        let of = |condition: &str| {
            let mut before = past(&["x"], r#""duration-ms": 9"#, None);
            before.feedback.constraint_failure = vec![violation("c")];
            let verdict = Verdict {
                violations: vec![violation(condition)],
                met: 1,
                unmet: 1,
                given: true,
            };
            signal(&seen(&["x"], "", &[before]), None, &verdict)
        };
        assert_eq!(of("c"), Some(0.0));
        assert_eq!(of("d"), Some(0.5));
    }

    #[test]
    fn more_tests_that_pass_are_progress_and_fewer_are_a_step_back() {
        let failure = failed("exit 1", "x");
        let of = |now: &str, before: Option<&str>, failure: Option<&Failure>| {
            let recent: Vec<_> = before
                .map(|stdout| past(&["t"], &format!(r#""stdout": "{stdout}""#), None))
                .into_iter()
                .collect();
            signal(&seen(&["t"], now, &recent), failure, &Verdict::default())
        };
        let (three, four) = ("3 passed, 2 failed", "4 passed, 1 failed");
        assert_eq!(of(four, Some(three), Some(&failure)), Some(0.2));
        assert_eq!(of(three, Some(four), Some(&failure)), Some(-0.2));
        assert_eq!(of(three, Some(three), Some(&failure)), Some(0.0));
        assert_eq!(of(three, None, Some(&failure)), Some(0.6));
        assert_eq!(of("0 passed, 2 failed", None, Some(&failure)), None);
        assert_eq!(of("5 passed", Some(three), None), Some(1.0));
        assert_eq!(of("5 passed", Some("9 passed"), None), Some(1.0));
        assert_eq!(of(three, Some(four), None), Some(-0.2));
        assert_eq!(of("5 passed", None, Some(&failure)), None);
    }

    #[test]
    fn items_that_are_fewer_than_before_are_no_failure_of_what_worked() {
        let of = |now: &str, before: &str| {
            let recent = [past(&["t"], &format!(r#""stdout": "{before}""#), None)];
            signal(&seen(&["t"], now, &recent), None, &Verdict::default())
        };
        assert_eq!(of("[12/40] files", "[20/40] files"), None);
        assert_eq!(of("[12/40] files", "[12/40] files"), None);
        assert_eq!(of("[20/40] files", "[12/40] files"), Some(0.2));
        assert_eq!(of("[40/40] files", "[12/40] files"), Some(1.0));
    }

    #[test]
    fn a_repeated_failure_is_known_by_the_head_and_tail_that_were_kept() {
        let now = format!("head 1\n{}\ntail 22", "x".repeat(9_000));
        assert!(is_same_text(&now, "head 33\nxx\n[…]\nxx\ntail 4"));
        assert!(!is_same_text(&now, "head 33\nxx\n[…]\nxx\ntale 4"));
        assert!(!is_same_text("ab", "ab\n[…]\nb"));
    }
}
