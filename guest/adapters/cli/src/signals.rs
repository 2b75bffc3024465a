//! The two signals: how much closer a command came to its goal, and how well its time was spent.
//!
//! Owns their values and which earlier steps they are compared with. Earlier steps may have been
//! shortened or masked since, so one that cannot be read is passed over. Their order does not matter.

use serde::Deserialize;
use twiceshy_wit::adapter::{Failure, PastStep};

use crate::{
    evidence,
    expectation::Verdict,
    payload::{Action, Expectations, Observation},
};

/// Times that differ by less are the same: a busy machine makes more of a difference.
const SAME_TIME_MS: u64 = 50;

/// The share of conditions that hold, from 0 to 1.
///
/// A step that failed outright came no closer: 0 where that is known, because something was expected
/// or because the same command failed in the same way before. A first failure with nothing expected
/// has no known distance, and a value would call every failure a stall. A step in which nothing failed
/// never has 0, which would make it a failure.
pub(crate) fn progress(
    action: &Action,
    failure: Option<&Failure>,
    verdict: &Verdict,
    recent: &[PastStep],
) -> Option<f64> {
    if let Some(failure) = failure {
        let known = verdict.given || recent.iter().any(|past| is_repeated(action, failure, past));
        return known.then_some(0.0);
    }
    let judged = verdict.met + verdict.unmet;
    (judged > 0).then(|| verdict.met as f64 / judged as f64)
}

/// The time that was expected or is known to be enough, as a share of the time that was taken.
pub(crate) fn efficiency(
    action: &Action,
    seen: &Observation,
    expected: &Expectations,
    recent: &[PastStep],
) -> Option<f64> {
    let taken = seen.duration_ms;
    if let Some(within) = expected.within_ms {
        return Some(share(within, taken));
    }
    let fastest = recent
        .iter()
        .filter_map(|past| comparable_ms(action, past))
        .min()?;
    Some(match taken.saturating_sub(fastest) < SAME_TIME_MS {
        true => 1.0,
        false => share(fastest.max(SAME_TIME_MS), taken),
    })
}

fn share(enough: u64, taken: u64) -> f64 {
    match taken <= enough {
        true => 1.0,
        // Not 0 by 0: what takes longer than something takes at least a millisecond.
        false => enough as f64 / taken as f64,
    }
}

/// How long a successful earlier run of a command of the same shape took.
fn comparable_ms(action: &Action, past: &PastStep) -> Option<u64> {
    /// The one member that is looked at: the rest may have been shortened to another shape.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    struct Duration {
        duration_ms: u64,
    }
    let failed =
        past.feedback.hard_failure.is_some() || !past.feedback.constraint_failure.is_empty();
    if failed || !is_same_shape(action, &Action::read(&past.step.action).ok()?) {
        return None;
    }
    let duration: Duration = serde_json::from_str(&past.step.observation).ok()?;
    Some(duration.duration_ms)
}

/// The same program, directory and arguments, except for the names of files.
fn is_same_shape(one: &Action, other: &Action) -> bool {
    one.directory == other.directory
        && one.command.len() == other.command.len()
        && one.command[0] == other.command[0]
        && one
            .command
            .iter()
            .zip(&other.command)
            .skip(1)
            .all(|(one, other)| {
                one == other || {
                    let (flag, value) = flag_and_value(one);
                    let (other_flag, other_value) = flag_and_value(other);
                    flag == other_flag && names_file(value) && names_file(other_value)
                }
            })
}

/// `--out=a.csv` is the flag `--out=` with a value, `a.csv` a value without a flag.
fn flag_and_value(argument: &str) -> (&str, &str) {
    match argument.find('=') {
        Some(at) if argument.starts_with('-') => argument.split_at(at + 1),
        _ => ("", argument),
    }
}

/// Looks like a path. Words may be subcommands, numbers say how much work there is, and what has
/// white space may be a whole script: none of these may differ between two comparable runs.
fn names_file(value: &str) -> bool {
    value.contains(['/', '.'])
        && !value.starts_with('-')
        && !value.contains(char::is_whitespace)
        && value.contains(|c: char| !c.is_ascii_digit() && c != '.')
}

/// The same command has already failed in the same way, with the same text up to numbers.
fn is_repeated(action: &Action, failure: &Failure, past: &PastStep) -> bool {
    let Some(before) = &past.feedback.hard_failure else {
        return false;
    };
    before.reason == failure.reason
        && Action::read(&past.step.action).is_ok_and(|past| past == *action)
        && is_same_text(&failure.evidence, &before.evidence)
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
    use twiceshy_wit::adapter::{Feedback, Step, Violation};

    use super::*;

    fn action(words: &[&str]) -> Action {
        Action {
            command: words.iter().map(|word| (*word).to_owned()).collect(),
            directory: None,
        }
    }

    fn failed(reason: &str, evidence: &str) -> Failure {
        Failure {
            reason: reason.into(),
            evidence: evidence.into(),
        }
    }

    fn past(words: &[&str], duration_ms: u64, hard_failure: Option<Failure>) -> PastStep {
        PastStep {
            step: Step {
                before: String::new(),
                action: serde_json::json!({"command": words}).to_string(),
                observation: format!(
                    r#"{{"exit": 0, "stdout": "", "stderr": "", "duration-ms": {duration_ms}}}"#
                ),
            },
            feedback: Feedback {
                action_text: String::new(),
                hard_failure,
                constraint_failure: Vec::new(),
                progress_signal: None,
                efficiency_signal: None,
            },
        }
    }

    fn efficiency_of(taken: u64, within_ms: Option<u64>, recent: &[PastStep]) -> Option<f64> {
        let seen = format!(r#"{{"exit": 0, "stdout": "", "stderr": "", "duration-ms": {taken}}}"#);
        let seen = Observation::read(&seen).expect("an observation");
        let expected = Expectations {
            within_ms,
            ..Expectations::default()
        };
        efficiency(&action(&["make", "-j", "all"]), &seen, &expected, recent)
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
            progress(&action(&["x"]), None, &verdict, &[])
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
            progress(&action(words), Some(&failure), &Verdict::default(), recent)
        };
        let repeated = past(
            &["q", "1"],
            9,
            Some(failed("exit 1", "line 7: no such table: t")),
        );
        let text = past(
            &["q", "1"],
            9,
            Some(failed("exit 1", "line 7: no such table: u")),
        );
        let exit = past(
            &["q", "1"],
            9,
            Some(failed("exit 2", "line 12: no such table: t")),
        );
        let fine = past(&["q", "1"], 9, None);
        assert_eq!(of(&["q", "1"], &[]), None);
        assert_eq!(of(&["q", "1"], &[text, exit, fine]), None);
        assert_eq!(of(&["q", "2"], std::slice::from_ref(&repeated)), None);
        assert_eq!(of(&["q", "1"], &[repeated]), Some(0.0));
        let expected = Verdict {
            given: true,
            ..Verdict::default()
        };
        assert_eq!(
            progress(&action(&["q"]), Some(&failure), &expected, &[]),
            Some(0.0)
        );
    }

    #[test]
    fn a_repeated_failure_is_known_by_the_head_and_tail_that_were_kept() {
        let now = format!("head 1\n{}\ntail 22", "x".repeat(9_000));
        assert!(is_same_text(&now, "head 33\nxx\n[…]\nxx\ntail 4"));
        assert!(!is_same_text(&now, "head 33\nxx\n[…]\nxx\ntale 4"));
        assert!(!is_same_text("ab", "ab\n[…]\nb"));
    }

    #[test]
    fn a_time_that_was_given_is_what_efficiency_is_measured_by() {
        assert_eq!(efficiency_of(50, Some(100), &[]), Some(1.0));
        assert_eq!(efficiency_of(400, Some(100), &[]), Some(0.25));
        assert_eq!(efficiency_of(0, Some(0), &[]), Some(1.0));
        assert_eq!(efficiency_of(5, Some(0), &[]), Some(0.0));
        assert_eq!(
            efficiency_of(u64::MAX, Some(1), &[]).map(|share| share > 0.0),
            Some(true)
        );
    }

    #[test]
    fn the_fastest_comparable_run_is_what_efficiency_is_measured_by() {
        let make = ["make", "-j", "all"];
        let recent = [
            past(&make, 800, None),
            past(&make, 200, None),
            past(&make, 10, Some(failed("exit 2", ""))),
        ];
        assert_eq!(efficiency_of(400, None, &recent), Some(0.5));
        assert_eq!(efficiency_of(249, None, &recent), Some(1.0));
        assert_eq!(efficiency_of(100, None, &recent), Some(1.0));
        assert_eq!(efficiency_of(100, None, &[past(&make, 0, None)]), Some(0.5));
        assert_eq!(
            efficiency_of(400, None, &[past(&["make", "-j", "one"], 1, None)]),
            None
        );
        assert_eq!(efficiency_of(400, None, &[]), None);
    }

    #[test]
    fn an_earlier_step_that_is_not_a_success_or_cannot_be_read_is_passed_over() {
        let make = ["make", "-j", "all"];
        let mut violated = past(&make, 10, None);
        violated.feedback.constraint_failure = vec![Violation {
            condition: "c".into(),
            evidence: String::new(),
        }];
        let mut cut = past(&make, 10, None);
        cut.step.observation = r#""{\"exit\" […]""#.into();
        let mut odd = past(&make, 10, None);
        odd.step.action = "[".into();
        assert_eq!(efficiency_of(400, None, &[violated, cut, odd]), None);
    }

    #[test]
    fn commands_have_the_same_shape_up_to_the_names_of_files() {
        let same = |one: &[&str], other: &[&str]| is_same_shape(&action(one), &action(other));
        assert!(same(&["sort", "-u", "a.txt"], &["sort", "-u", "b/c.txt"]));
        assert!(same(
            &["cc", "--out=a.o", "a.c"],
            &["cc", "--out=b.o", "b.c"]
        ));
        assert!(!same(&["sort", "-u", "a.txt"], &["sort", "-n", "a.txt"]));
        assert!(!same(&["vcs", "status"], &["vcs", "clone"]));
        assert!(!same(&["sleep", "1"], &["sleep", "0.5"]));
        assert!(!same(&["sh", "-c", "ls a.txt"], &["sh", "-c", "sleep 9.5"]));
        assert!(!same(&["cc", "--out=a.o"], &["cc", "--in=a.o"]));
        assert!(!same(&["sort", "a.txt"], &["sort", "a.txt", "b.txt"]));
    }
}
