//! Efficiency: how well a command spent its time, its steps and its cost.
//!
//! Owns the signal. Each of the three is measured by what was expected, or else by the best run of a like
//! command; the worst of them is the signal, because what is saved on one does not pay for another.

use twiceshy_adapter::{PastStep, Seen};

use crate::{
    Cli, past,
    payload::{Action, Observation},
};

/// Times that differ by less are the same: a busy machine makes more of a difference.
const SAME_TIME_MS: u64 = 50;

/// What would have been enough, as a share of what was spent, from 0 to 1; none if nothing is known.
pub(crate) fn signal(seen: &Seen<Cli>) -> Option<f64> {
    [time(seen), of_steps(seen), cost(seen)]
        .into_iter()
        .flatten()
        .reduce(f64::min)
}

/// The steps that a command took: those that were counted, or else its tries: itself and the like commands
/// that failed since one worked.
pub(crate) fn steps(action: &Action, seen: &Observation, recent: &[PastStep]) -> u64 {
    seen.steps.unwrap_or_else(|| {
        let tries = past::like(action, recent)
            .rev()
            .take_while(|past| past::has_failed(&past.feedback));
        1 + tries.count() as u64
    })
}

fn time(seen: &Seen<Cli>) -> Option<f64> {
    let taken = seen.observation.duration_ms;
    if let Some(within) = seen.expectations.within_ms {
        return Some(share(within as f64, taken as f64));
    }
    let fastest = successes(seen)
        .filter_map(|past| past::kept(past).duration_ms)
        .min()?;
    Some(match taken.saturating_sub(fastest) < SAME_TIME_MS {
        true => 1.0,
        false => share(fastest.max(SAME_TIME_MS) as f64, taken as f64),
    })
}

fn of_steps(seen: &Seen<Cli>) -> Option<f64> {
    let taken = steps(&seen.action, &seen.observation, seen.recent);
    match seen.expectations.within_steps {
        Some(within) => Some(share(within as f64, taken as f64)),
        // What worked at once says nothing of steps.
        None => (seen.observation.steps.is_none() && taken > 1).then(|| share(1.0, taken as f64)),
    }
}

fn cost(seen: &Seen<Cli>) -> Option<f64> {
    let spent = seen.observation.cost?;
    let enough = match seen.expectations.within_cost {
        Some(within) => within,
        None => successes(seen)
            .filter_map(|past| past::kept(past).cost)
            .filter(|cost| *cost >= 0.0)
            .reduce(f64::min)?,
    };
    Some(share(enough, spent))
}

/// Like commands that worked.
fn successes<'a>(seen: &'a Seen<Cli>) -> impl Iterator<Item = &'a PastStep> {
    past::like(&seen.action, seen.recent).filter(|past| !past::has_failed(&past.feedback))
}

fn share(enough: f64, spent: f64) -> f64 {
    match spent <= enough {
        true => 1.0,
        // Not 0 by 0: what is more than something is more than nothing.
        false => enough / spent,
    }
}

#[cfg(test)]
mod tests {
    use twiceshy_adapter::{Failure, Violation, read};

    use super::*;
    use crate::past::tests::{action, failed};

    fn past(words: &[&str], duration_ms: u64, failure: Option<Failure>) -> PastStep {
        crate::past::tests::past(words, &format!(r#""duration-ms": {duration_ms}"#), failure)
    }

    fn of(members: &str, expected: &str, recent: &[PastStep]) -> Option<f64> {
        let observation = format!(r#"{{"exit": 0, "stdout": "", "stderr": "", {members}}}"#);
        signal(&Seen {
            task: "",
            expectations: read("expectations", expected).expect("expectations"),
            before: None,
            action: action(&["make", "-j", "all"]),
            observation: read("observation", &observation).expect("an observation"),
            recent,
        })
    }

    fn of_time(taken: u64, recent: &[PastStep]) -> Option<f64> {
        of(&format!(r#""duration-ms": {taken}"#), "{}", recent)
    }

    #[test]
    fn a_time_that_was_given_is_what_efficiency_is_measured_by() {
        let of = |taken: u64, within: u64| {
            let expected = format!(r#"{{"within-ms": {within}}}"#);
            of(&format!(r#""duration-ms": {taken}"#), &expected, &[])
        };
        assert_eq!(of(50, 100), Some(1.0));
        assert_eq!(of(400, 100), Some(0.25));
        assert_eq!(of(0, 0), Some(1.0));
        assert_eq!(of(5, 0), Some(0.0));
        assert!(of(u64::MAX, 1).is_some_and(|share| share > 0.0));
    }

    #[test]
    fn the_fastest_comparable_run_is_what_efficiency_is_measured_by() {
        let make = ["make", "-j", "all"];
        let recent = [
            past(&make, 10, Some(failed("exit 2", ""))),
            past(&make, 800, None),
            past(&make, 200, None),
        ];
        assert_eq!(of_time(400, &recent), Some(0.5));
        assert_eq!(of_time(249, &recent), Some(1.0));
        assert_eq!(of_time(100, &recent), Some(1.0));
        assert_eq!(of_time(100, &[past(&make, 0, None)]), Some(0.5));
        assert_eq!(of_time(400, &[past(&["make", "-j", "one"], 1, None)]), None);
        assert_eq!(of_time(400, &[]), None);
    }

    #[test]
    fn an_earlier_step_that_is_not_a_success_or_cannot_be_read_is_no_measure_of_time() {
        let make = ["make", "-j", "all"];
        let mut violated = past(&make, 10, None);
        violated.feedback.constraint_failure = vec![Violation {
            condition: "c".into(),
            evidence: String::new(),
        }];
        let mut cut = past(&make, 10, None);
        cut.step.observation = r#""{\"exit\" […]""#.into();
        assert_eq!(of_time(400, &[violated, cut]), None);
    }

    #[test]
    fn a_command_that_works_only_after_some_tries_spent_its_steps_badly() {
        let make = ["make", "-j", "all"];
        let bad = || past(&make, 10, Some(failed("exit 2", "")));
        assert_eq!(of_time(10, &[bad(), bad()]), Some(1.0 / 3.0));
        assert_eq!(
            of_time(10, &[bad(), bad(), past(&make, 10, None)]),
            Some(1.0)
        );
        assert_eq!(
            of(
                r#""duration-ms": 10"#,
                r#"{"within-steps": 2}"#,
                &[bad(), bad()]
            ),
            Some(2.0 / 3.0)
        );
        assert_eq!(
            of(
                r#""duration-ms": 10, "steps": 8"#,
                r#"{"within-steps": 4}"#,
                &[bad()]
            ),
            Some(0.5)
        );
    }

    #[test]
    fn cost_is_measured_by_what_was_expected_or_by_the_cheapest_like_run() {
        let spent = r#""duration-ms": 10, "cost": 0.4"#;
        assert_eq!(of(spent, "{}", &[]), None);
        assert_eq!(of(spent, r#"{"within-cost": 0.1}"#, &[]), Some(0.25));
        let cheap = crate::past::tests::past(&["make", "-j", "all"], r#""cost": 0.2"#, None);
        assert_eq!(of(spent, "{}", &[cheap]), Some(0.5));
    }

    #[test]
    fn the_worst_of_time_steps_and_cost_is_the_signal() {
        let spent = r#""duration-ms": 100, "cost": 4, "steps": 2"#;
        let expected = r#"{"within-ms": 50, "within-steps": 2, "within-cost": 1}"#;
        assert_eq!(of(spent, expected, &[]), Some(0.25));
    }
}
