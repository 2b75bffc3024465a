//! Joined evidence: what is known about the use of several lessons that have become one.

use super::{
    Evidence, Measured, Totals,
    evidence::{FIRST_RELIABILITY, KEPT_RUNS},
};

impl Evidence {
    /// The evidence of several lessons added up, as if one lesson had been used in all of their runs. A new lesson is
    /// watched anew: what happened while one of them was set aside is not counted.
    pub fn joined<'e>(all: impl IntoIterator<Item = &'e Evidence>) -> Self {
        let mut sum = Self::default();
        let (mut weight, mut reliability) = (0.0, 0.0);
        for one in all {
            sum.shown.extend(one.shown.iter().cloned());
            sum.withheld.extend(one.withheld.iter().cloned());
            add(&mut sum.with, &one.with);
            add(&mut sum.without, &one.without);
            sum.retrievals += one.retrievals;
            sum.helped += one.helped;
            sum.harmed += one.harmed;
            sum.neutral += one.neutral;
            sum.regressions += one.regressions;
            sum.wins += one.wins;
            sum.losses += one.losses;
            sum.beside += one.beside;
            sum.retries = sum.retries.max(one.retries);
            sum.confirmed += one.confirmed;
            sum.refuted += one.refuted;
            sum.ignored += one.ignored;
            sum.ignored_errors += one.ignored_errors;
            sum.ignored_expected += one.ignored_expected;
            // The last word of each: only where all were refuted last is their sum in doubt.
            sum.refuted_in_a_row = match sum.last_shown_at {
                Some(_) if one.last_shown_at.is_some() => {
                    sum.refuted_in_a_row.min(one.refuted_in_a_row)
                }
                _ => sum.refuted_in_a_row.max(one.refuted_in_a_row),
            };
            sum.last_shown_at = sum.last_shown_at.max(one.last_shown_at);
            sum.last_used_at = sum.last_used_at.max(one.last_used_at);
            weight += one.with.opportunity;
            reliability += one.with.opportunity * one.reliability;
        }
        sum.reliability = match weight > 0.0 {
            true => reliability / weight,
            false => FIRST_RELIABILITY,
        };
        for runs in [&mut sum.shown, &mut sum.withheld] {
            newest(runs);
        }
        sum
    }
}

fn add(sum: &mut Totals, more: &Totals) {
    sum.runs += more.runs;
    sum.opportunities += more.opportunities;
    sum.utility += more.utility;
    sum.opportunity += more.opportunity;
    sum.errors += more.errors;
    sum.expected += more.expected;
    sum.passed += more.passed;
}

/// Keeps as many runs as one lesson keeps, the newest last.
fn newest(runs: &mut Vec<Measured>) {
    runs.sort_by_key(|run| run.at);
    let surplus = runs.len().saturating_sub(KEPT_RUNS);
    runs.drain(..surplus);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_is_added_and_reliability_weighed() {
        let evidence = |confirmed, opportunity, reliability| Evidence {
            confirmed,
            reliability,
            retrievals: confirmed,
            with: Totals {
                runs: confirmed,
                opportunity,
                ..Totals::default()
            },
            ..Evidence::default()
        };
        let (much, little) = (evidence(3, 3.0, 0.9), evidence(1, 1.0, 0.5));
        let unused = Evidence::default();
        let sum = Evidence::joined([&much, &little, &unused]);
        assert_eq!((sum.confirmed, sum.retrievals, sum.with.runs), (4, 4, 4));
        assert!((sum.reliability - 0.8).abs() < 1e-9, "{}", sum.reliability);
        assert_eq!(Evidence::joined([&unused]), unused);
    }

    #[test]
    fn the_newest_runs_of_all_are_kept() {
        let measured = |at| Measured {
            at,
            utility: 1.0,
            opportunity: 1.0,
            errors: 0,
            expected: 1.0,
            baseline_runs: 1,
            passed: true,
            expected_pass: None,
            score_gain: None,
            major_regression: false,
        };
        let evidence = |from: u64| Evidence {
            shown: (from..from + KEPT_RUNS as u64).map(measured).collect(),
            ..Evidence::default()
        };
        let sum = Evidence::joined([&evidence(100), &evidence(0)]);
        assert_eq!(sum.shown.len(), KEPT_RUNS);
        assert_eq!(sum.shown.first().map(|run| run.at), Some(100));
    }
}
