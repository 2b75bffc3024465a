//! Evidence: what is kept about a lesson's use.
//!
//! Owns the record: the last runs one by one, totals forever, and what happens while the lesson is set
//! aside. It is stored inside the lesson's document, so it is bounded. What follows from it is the business
//! of the verdict.

use serde::{Deserialize, Serialize};
use twiceshy_wit::memory::LessonStatus;

use super::{Effect, Exposure, Measured, RunOutcome, TaskBaseline, Thresholds, Utility};

/// Runs that are kept one by one, as in the plan's original.
pub(super) const KEPT_RUNS: usize = 30;

/// What a lesson is to be relied on before anything is known of it.
pub(super) const FIRST_RELIABILITY: f64 = 0.5;

/// Below this a utility is 0: neither helped nor harmed.
const NO_UTILITY: f64 = 1e-9;

/// Sums over all runs with an opportunity, however long ago.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Totals {
    /// Runs, with an opportunity or without.
    pub runs: u32,
    /// Runs with an opportunity.
    pub opportunities: u32,
    /// Sum of their utilities.
    pub utility: f64,
    /// Sum of what they could tell.
    pub opportunity: f64,
    /// Sum of the failures that concern the lesson.
    pub errors: u32,
    /// Sum of what was to be expected.
    pub expected: f64,
    /// Runs that reached their goal.
    pub passed: u32,
}

/// What happened since a lesson was set aside: since then it is not shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Aside {
    /// Since when.
    pub since: u64,
    /// Runs in which it would have had an opportunity.
    pub runs: u32,
    /// Failures in them that it answers.
    pub errors: u32,
    /// What was to be expected by its old baseline.
    pub expected: f64,
    /// How often it was proposed again, from independent runs.
    pub proposals: u32,
}

/// What is known about the use of a lesson.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Evidence {
    /// The last runs in which it was shown and had an opportunity, the newest last.
    pub shown: Vec<Measured>,
    /// The last runs from which it was withheld and would have had one, the newest last.
    pub withheld: Vec<Measured>,
    /// All runs in which it was shown.
    pub with: Totals,
    /// All runs from which it was withheld.
    pub without: Totals,
    /// How often it was shown, several times in a run included.
    pub retrievals: u32,
    /// Runs in which its utility was above 0.
    pub helped: u32,
    /// Runs in which it was below 0.
    pub harmed: u32,
    /// Runs with an opportunity in which it was 0.
    pub neutral: u32,
    /// Major regressions with this lesson to blame.
    pub regressions: u32,
    /// Contests won against a lesson that contradicts it.
    pub wins: u32,
    /// Contests lost.
    pub losses: u32,
    /// How far it is to be relied on, from 0 to 1.
    pub reliability: f64,
    /// When it was shown last.
    pub last_shown_at: Option<u64>,
    /// When it was shown last in a run that attempted something it speaks of.
    pub last_used_at: Option<u64>,
    /// Runs in which it was shown, and nothing was attempted that it speaks of.
    pub beside: u32,
    /// What happened since it was set aside, if it is.
    pub aside: Option<Aside>,
    /// How often it came back after suppression.
    pub retries: u32,
    /// Runs in which its advice was followed and worked.
    pub confirmed: u32,
    /// Runs in which its advice was followed and only failed.
    pub refuted: u32,
    /// Runs in which what it warns of was done all the same and failed.
    pub ignored: u32,
    /// Failures in them that concern the lesson.
    pub ignored_errors: u32,
    /// What was to be expected in them.
    pub ignored_expected: f64,
    /// How often in a row, up to now, its advice was followed and only failed.
    pub refuted_in_a_row: u32,
}

impl Default for Evidence {
    fn default() -> Self {
        Self {
            shown: Vec::new(),
            withheld: Vec::new(),
            with: Totals::default(),
            without: Totals::default(),
            retrievals: 0,
            helped: 0,
            harmed: 0,
            neutral: 0,
            regressions: 0,
            wins: 0,
            losses: 0,
            reliability: FIRST_RELIABILITY,
            last_shown_at: None,
            last_used_at: None,
            beside: 0,
            aside: None,
            retries: 0,
            confirmed: 0,
            refuted: 0,
            ignored: 0,
            ignored_errors: 0,
            ignored_expected: 0.0,
            refuted_in_a_row: 0,
        }
    }
}

impl Evidence {
    /// Notes a run that has ended: what the lesson earned in it, or what it would have earned if it was
    /// withheld. `showings` is how often it was shown in the run.
    pub fn note(
        &mut self,
        run: &RunOutcome,
        baseline: &TaskBaseline,
        exposure: &Exposure,
        utility: Option<Utility>,
        showings: u32,
        at: u64,
    ) {
        if !exposure.withheld {
            self.retrievals += showings;
            self.last_shown_at = Some(at);
        }
        let totals = if exposure.withheld {
            &mut self.without
        } else {
            &mut self.with
        };
        totals.runs += 1;
        let Some(utility) = utility else { return };
        totals.opportunities += 1;
        totals.utility += utility.utility;
        totals.opportunity += utility.opportunity;
        totals.errors += exposure.errors;
        totals.expected += exposure.expected;
        totals.passed += u32::from(run.passed);
        let known = baseline.runs > 0;
        let measured = Measured {
            at,
            utility: utility.utility,
            opportunity: utility.opportunity,
            errors: exposure.errors,
            expected: exposure.expected,
            // What was followed and worked is seen, not inferred from other runs.
            baseline_runs: if exposure.resolved {
                0
            } else {
                exposure.baseline_runs
            },
            passed: run.passed,
            expected_pass: known.then_some(baseline.pass_rate),
            score_gain: match (run.score, baseline.score) {
                (Some(score), Some(usual)) if run.refereed && known => Some(score - usual),
                _ => None,
            },
            major_regression: utility.major_regression && !exposure.withheld,
        };
        if exposure.withheld {
            if let Some(aside) = &mut self.aside {
                aside.runs += 1;
                aside.errors += exposure.errors;
                aside.expected += exposure.expected;
            }
            keep(&mut self.withheld, measured);
            return;
        }
        self.regressions += u32::from(measured.major_regression);
        if measured.utility > NO_UTILITY {
            self.helped += 1;
        } else if measured.utility < -NO_UTILITY {
            self.harmed += 1;
        } else {
            self.neutral += 1;
        }
        // The plan's original, except that a run which could tell little moves it little.
        let target = (measured.utility / measured.opportunity).clamp(-1.0, 1.0) / 2.0 + 0.5;
        let pace = 0.3 * measured.opportunity;
        self.reliability += pace * (target - self.reliability);
        keep(&mut self.shown, measured);
    }

    /// Notes whether a run in which it was shown attempted anything that it speaks of. Where none did, the run says
    /// nothing: neither that the lesson is of use, nor that it is of none.
    pub fn spoke_of(&mut self, attempted: bool, at: u64) {
        if attempted {
            self.last_used_at = Some(at);
        } else {
            self.beside += 1;
        }
    }

    /// Runs in which it was shown and could have been of use.
    pub fn relevant_runs(&self) -> u32 {
        self.with.runs.saturating_sub(self.beside)
    }

    /// Notes that somebody proposed the lesson again from a run it does not come from. It counts while the
    /// lesson is set aside.
    pub fn proposed_again(&mut self) {
        if let Some(aside) = &mut self.aside {
            aside.proposals += 1;
        }
    }

    /// Notes what became of its advice in a run in which it was followed.
    pub fn followed(&mut self, worked: bool) {
        if worked {
            self.confirmed += 1;
            self.refuted_in_a_row = 0;
        } else {
            self.refuted += 1;
            self.refuted_in_a_row += 1;
        }
    }

    /// Whether its advice was followed and never worked.
    pub fn is_refuted(&self) -> bool {
        self.refuted > 0 && self.confirmed == 0
    }

    /// Whether its advice was followed and worked, and no run was worse for it.
    pub fn is_confirmed(&self) -> bool {
        self.confirmed > 0 && self.refuted == 0 && self.harmed == 0
    }

    /// Notes a run in which what it warns of was done all the same and failed. It speaks neither for the lesson nor
    /// against it; but that other runs did not do it may be chance, and then these are the rest of the chance.
    pub fn ignored(&mut self, exposure: &Exposure) {
        self.ignored += 1;
        self.ignored_errors += exposure.errors;
        self.ignored_expected += exposure.expected;
    }

    /// Whether its errors fell over all runs in which it was shown, ignored ones included, by so many standard
    /// deviations of their number.
    pub(super) fn has_fewer_errors(&self, z: f64) -> bool {
        let errors = f64::from(self.with.errors + self.ignored_errors);
        let expected = self.with.expected + self.ignored_expected;
        self.ignored == 0 || expected - errors >= z * expected.sqrt()
    }

    /// Notes a contest with a lesson that contradicts this one.
    pub fn contested(&mut self, won: bool) {
        if won {
            self.wins += 1;
        } else {
            self.losses += 1;
        }
    }

    /// Notes that the lesson was moved, by a verdict or by a person. One that is shown no longer begins to
    /// be watched from aside; one that comes back from suppression against its evidence is judged by new runs alone.
    pub fn moved(&mut self, from: LessonStatus, to: LessonStatus, at: u64) {
        if is_shown(to) {
            if matches!(from, LessonStatus::Suppressed | LessonStatus::Deprecated) {
                // What spoke against it is put away, or it would be gone again at once.
                if self.effect().utility <= 0.0 {
                    self.shown.clear();
                }
                self.wins = 0;
                self.losses = 0;
                self.retries += 1;
            }
            self.aside = None;
        } else if self.aside.is_none() {
            self.aside = Some(Aside {
                since: at,
                runs: 0,
                errors: 0,
                expected: 0.0,
                proposals: 0,
            });
        }
    }

    /// What the last runs say about the lesson's effect.
    pub fn effect(&self) -> Effect {
        Thresholds::CHOSEN.effect_of(self)
    }

    /// By which share the errors it answers fell where it was shown, against the baseline, or against runs
    /// from which it was withheld if there are enough of them. None if nothing was to be expected.
    pub fn recurrence_drop(&self) -> Option<f64> {
        let (errors, expected) = sums(&self.shown);
        let (placebo_errors, placebo_expected) = sums(&self.withheld);
        // What happened to the errors without the lesson is no merit of it. One error is added on both
        // sides, so that a few runs do not say everything.
        let without = if self.withheld.len() < Thresholds::CHOSEN.withheld_runs {
            1.0
        } else {
            (placebo_errors + 1.0) / (placebo_expected + 1.0)
        };
        (expected > 0.0).then(|| 1.0 - errors / (expected * without))
    }

    /// By how much more of the last runs reached their goal than of the baseline's.
    pub fn pass_gain(&self) -> Option<f64> {
        mean(self.shown.iter().filter_map(|run| {
            let passed = if run.passed { 1.0 } else { 0.0 };
            Some(passed - run.expected_pass?)
        }))
    }

    /// By how much the referee's score of the last runs was above the baseline's.
    pub fn score_gain(&self) -> Option<f64> {
        mean(self.shown.iter().filter_map(|run| run.score_gain))
    }
}

/// Whether a lesson of this status is shown.
pub(super) fn is_shown(status: LessonStatus) -> bool {
    matches!(status, LessonStatus::Candidate | LessonStatus::Promoted)
}

/// Errors that happened, and errors that were to be expected.
pub(super) fn sums(runs: &[Measured]) -> (f64, f64) {
    let errors = runs.iter().map(|run| f64::from(run.errors)).sum();
    (errors, runs.iter().map(|run| run.expected).sum())
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

fn keep(runs: &mut Vec<Measured>, measured: Measured) {
    runs.push(measured);
    if runs.len() > KEPT_RUNS {
        runs.remove(0);
    }
}

impl Thresholds {
    /// What the last runs say about a lesson's effect, by these thresholds. Placebo runs are rare, and what
    /// they say is about the baseline, which does not change with the lesson: all that are kept count. What became of
    /// the advice where it was followed says what to expect of the lesson before any baseline does.
    pub(super) fn effect_of(&self, evidence: &Evidence) -> Effect {
        let shown = latest(&evidence.shown, self.judged_runs);
        let confirmed = f64::from(evidence.confirmed);
        let refuted = self.refutation_weight * f64::from(evidence.refuted);
        let record = (confirmed - refuted) / (confirmed + refuted + 2.0);
        let thresholds = Thresholds {
            prior_effect: self.prior_effect + self.record_effect * record,
            ..*self
        };
        Effect::of(shown, &evidence.withheld, &thresholds)
    }
}

/// The last of some runs.
pub(super) fn latest(runs: &[Measured], count: usize) -> &[Measured] {
    &runs[runs.len().saturating_sub(count)..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usefulness::credit;

    const RUN: RunOutcome = RunOutcome {
        failures: 2,
        steps: 10,
        score: None,
        refereed: false,
        passed: true,
    };

    fn noted(evidence: &mut Evidence, withheld: bool, errors: u32, expected: f64) {
        let exposure = Exposure {
            withheld,
            errors,
            expected,
            baseline_runs: 3,
            followed_and_failed: 0,
            resolved: false,
        };
        let baseline = TaskBaseline::default();
        let utility = credit(&RUN, &baseline, &[exposure])[0];
        evidence.note(&RUN, &baseline, &exposure, utility, 1, 7);
    }

    #[test]
    fn a_utility_of_0_is_neither_help_nor_harm() {
        let mut evidence = Evidence::default();
        noted(&mut evidence, false, 1, 1.0);
        noted(&mut evidence, false, 0, 1.0);
        noted(&mut evidence, false, 3, 1.0);
        noted(&mut evidence, false, 0, 0.0);
        let Evidence {
            helped,
            harmed,
            neutral,
            ..
        } = evidence;
        assert_eq!((helped, harmed, neutral), (1, 1, 1));
        assert_eq!((evidence.with.runs, evidence.with.opportunities), (4, 3));
        assert_eq!(evidence.retrievals, 4);
        assert_eq!(evidence.last_shown_at, Some(7));
    }

    #[test]
    fn it_is_bounded_and_its_totals_are_not() {
        let mut evidence = Evidence::default();
        for _ in 0..100 {
            noted(&mut evidence, false, 0, 1.0);
            noted(&mut evidence, true, 1, 1.0);
        }
        assert_eq!((evidence.shown.len(), evidence.withheld.len()), (30, 30));
        assert_eq!((evidence.with.runs, evidence.without.runs), (100, 100));
        assert!(serde_json::to_string(&evidence).unwrap().len() < 12_000);
    }

    #[test]
    fn it_reads_back_as_it_was_written_and_from_nothing() {
        let mut evidence = Evidence::default();
        noted(&mut evidence, false, 0, 1.5);
        evidence.moved(LessonStatus::Candidate, LessonStatus::Suppressed, 9);
        let text = serde_json::to_string(&evidence).unwrap();
        assert_eq!(serde_json::from_str::<Evidence>(&text).unwrap(), evidence);
        assert_eq!(
            serde_json::from_str::<Evidence>("{}").unwrap(),
            Evidence::default()
        );
    }

    #[test]
    fn reliability_follows_utility_and_hardly_moves_where_little_could_happen() {
        let mut good = Evidence::default();
        noted(&mut good, false, 0, 2.0);
        assert!((good.reliability - (0.7 * 0.5 + 0.3 * 0.825)).abs() < 1e-9);
        let mut rare = Evidence::default();
        noted(&mut rare, false, 0, 0.1);
        assert!(rare.reliability > 0.5 && rare.reliability < 0.52);
        let mut bad = Evidence::default();
        noted(&mut bad, false, 5, 1.0);
        assert!(bad.reliability < 0.5);
    }

    #[test]
    fn what_falls_without_the_lesson_too_is_not_its_drop() {
        let mut evidence = Evidence::default();
        for _ in 0..4 {
            noted(&mut evidence, false, 1, 3.0);
        }
        assert!((evidence.recurrence_drop().unwrap() - 2.0 / 3.0).abs() < 1e-9);
        for _ in 0..4 {
            noted(&mut evidence, true, 1, 3.0);
        }
        assert!(evidence.recurrence_drop().unwrap() < 0.25);
    }

    #[test]
    fn one_that_comes_back_from_suppression_is_judged_by_new_runs() {
        let mut evidence = Evidence::default();
        for _ in 0..3 {
            noted(&mut evidence, false, 4, 1.0);
        }
        evidence.moved(LessonStatus::Candidate, LessonStatus::Suppressed, 1);
        noted(&mut evidence, true, 2, 1.0);
        evidence.proposed_again();
        let aside = evidence.aside.clone().unwrap();
        assert_eq!((aside.runs, aside.errors, aside.proposals), (1, 2, 1));
        evidence.moved(LessonStatus::Suppressed, LessonStatus::Candidate, 2);
        assert_eq!((evidence.shown.len(), evidence.retries), (0, 1));
        assert_eq!((evidence.aside, evidence.with.runs), (None, 3));
    }
}
