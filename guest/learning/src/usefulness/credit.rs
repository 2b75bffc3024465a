//! Credit: what each lesson of a run has earned.
//!
//! Owns the formulas of utility and how they are shared. What a lesson's own errors explain is its own.
//! What is left of the run's change goes to those who can have caused it: an improvement to lessons in
//! proportion to their own good effect, a worsening to lessons whose advice was followed and failed. A lesson that was
//! shown after a failure, was followed and worked has helped, whatever is known to expect.

/// A lesson in a run that has ended: shown in it, or withheld from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exposure {
    /// Whether it was withheld: it would have been shown, and was not.
    pub withheld: bool,
    /// Failures of this run that concern the lesson.
    pub errors: u32,
    /// The mean of the same over the baseline runs.
    pub expected: f64,
    /// How many baseline runs there are. With none, nothing is known to expect.
    pub baseline_runs: u32,
    /// How many failed actions followed the lesson's advice.
    pub followed_and_failed: u32,
    /// Whether it was shown after a failure, was followed, and that worked.
    pub resolved: bool,
}

impl Exposure {
    /// A lesson about which the run says nothing: it was ignored, or it did not fit.
    pub const fn silent(withheld: bool) -> Self {
        Self {
            withheld,
            errors: 0,
            expected: 0.0,
            baseline_runs: 0,
            followed_and_failed: 0,
            resolved: false,
        }
    }

    /// The same lesson, shown after a failure, followed, and that worked. Without it at least one more failure was to
    /// be expected, however often the failure was seen before: the failed action again. What failed while it was not
    /// followed is no fault of it.
    pub fn resolved(self) -> Self {
        Self {
            errors: self.followed_and_failed,
            expected: self.expected.max(1.0),
            baseline_runs: self.baseline_runs.max(1),
            resolved: true,
            ..self
        }
    }
}

/// How a run went as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunOutcome {
    /// Its failed steps.
    pub failures: u32,
    /// Its steps.
    pub steps: u32,
    /// Its score from 0 to 1, if it has one.
    pub score: Option<f64>,
    /// Whether the score comes from a referee (a deterministic evaluator or a model). A score that was made
    /// of the signals says nothing that failures and steps do not say.
    pub refereed: bool,
    /// Whether the goal was reached.
    pub passed: bool,
}

/// How runs of the same task go without help from the memory, on average.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TaskBaseline {
    /// How many runs there are. With none, nothing is known.
    pub runs: u32,
    /// Failed steps a run.
    pub failures: f64,
    /// Steps a run.
    pub steps: f64,
    /// The score by a referee, if there was one.
    pub score: Option<f64>,
    /// The share of runs that reached the goal.
    pub pass_rate: f64,
}

/// What a lesson has earned in one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Utility {
    /// By how much its errors fell, from -1 to 1.
    pub error_reduction: f64,
    /// Its share of the steps that were saved, from -1 to 1.
    pub step_efficiency_gain: f64,
    /// Its share of what the referee's score gained, from -1 to 1, if there is a score to compare.
    pub referee_score_gain: Option<f64>,
    /// The weighted sum of these, from -1 to 1.
    pub utility: f64,
    /// How much the run could tell about the lesson, from 0 to 1: where a quarter of an error was to be
    /// expected and none happened, it could tell a quarter.
    pub opportunity: f64,
    /// Whether the run was far worse than its baseline, with this lesson to blame.
    pub major_regression: bool,
}

/// The share of a worsening without a culprit that is laid on the lessons of the run. Most of it is
/// chance, and what is laid on an innocent lesson in run after run would end it.
const BLAME_WITHOUT_CULPRIT: f64 = 0.25;

/// For each failure that is seen to follow the advice, so many more are its fault and are not: what bad
/// advice breaks often shows later, where no action resembles it.
const UNSEEN_HARM: f64 = 0.5;

/// A score that falls by so much is a major regression.
const MAJOR_SCORE_DROP: f64 = 0.4;

/// A run that fails, where most do not, and has so many failures more than twice the baseline's is a
/// major regression also without a referee.
const MAJOR_FAILURES: f64 = 2.0;

/// Below this nothing was expected.
const NOTHING: f64 = 1e-9;

/// What each lesson of a run has earned, in the order of `exposures`; none where there was no opportunity:
/// nothing was to be expected and nothing happened.
///
/// A withheld lesson is measured as if it had been shown, beside those that were: a placebo, whose utility
/// is 0 on average if the baseline is right. It takes nothing from the others.
pub fn credit(
    run: &RunOutcome,
    baseline: &TaskBaseline,
    exposures: &[Exposure],
) -> Vec<Option<Utility>> {
    let shown: Vec<Exposure> = exposures.iter().filter(|e| !e.withheld).copied().collect();
    let company = Company::of(run, baseline, &shown);
    exposures
        .iter()
        .map(|exposure| {
            if !exposure.withheld {
                return company.utility(run, baseline, exposure);
            }
            let mut joined = shown.clone();
            joined.push(*exposure);
            Company::of(run, baseline, &joined).utility(run, baseline, exposure)
        })
        .collect()
}

/// The lessons of a run together, and what they have to share.
struct Company {
    /// How many there are.
    lessons: f64,
    /// The errors that those with a good effect have prevented.
    prevented: f64,
    /// The failed actions that followed advice.
    culpable: f64,
    /// The run's change in failures that no lesson's own errors explain; positive is better.
    residual: f64,
}

impl Company {
    fn of(run: &RunOutcome, baseline: &TaskBaseline, exposures: &[Exposure]) -> Self {
        let effects = exposures.iter().map(own_effect);
        let change = if baseline.runs == 0 {
            0.0
        } else {
            baseline.failures - f64::from(run.failures)
        };
        // Lessons that share a trigger explain the same errors twice; so the residual never exceeds the
        // change of the run, nor points another way.
        let unexplained = change - effects.clone().sum::<f64>();
        let residual = if change > 0.0 {
            unexplained.clamp(0.0, change)
        } else {
            unexplained.clamp(change, 0.0)
        };
        Self {
            lessons: exposures.len() as f64,
            prevented: effects.filter(|effect| *effect > 0.0).sum(),
            culpable: exposures
                .iter()
                .map(|e| f64::from(e.followed_and_failed))
                .sum(),
            residual,
        }
    }

    /// A lesson's share of something that the run gained or lost.
    fn share(&self, amount: f64, exposure: &Exposure) -> f64 {
        if exposure.resolved && amount < 0.0 && exposure.followed_and_failed == 0 {
            // It did its part; what else went wrong has other reasons.
            0.0
        } else if amount > 0.0 {
            // Who prevented half an error has not earned a whole run.
            amount * own_effect(exposure).max(0.0) / self.prevented.max(1.0)
        } else if self.culpable > 0.0 {
            amount * f64::from(exposure.followed_and_failed) / self.culpable
        } else {
            amount * BLAME_WITHOUT_CULPRIT / self.lessons
        }
    }

    fn utility(
        &self,
        run: &RunOutcome,
        baseline: &TaskBaseline,
        exposure: &Exposure,
    ) -> Option<Utility> {
        let expected = expected(exposure);
        let errors = judged_errors(exposure);
        let opportunity = expected.max(errors).min(1.0);
        if opportunity <= NOTHING {
            return None;
        }
        let residual = self.share(self.residual, exposure);
        // The unit is one error, or the errors to be expected if they are more. Dividing by the errors that
        // happened instead would call chance an improvement: good luck would count more than bad luck.
        let error_reduction =
            bounded((own_effect(exposure) + residual) / (expected.max(1.0) + residual.abs()));
        let known = baseline.runs > 0;
        let step_efficiency_gain = if known {
            let saved = (baseline.steps - f64::from(run.steps)) / baseline.steps.max(1.0);
            self.share(bounded(saved), exposure)
        } else {
            0.0
        };
        let score_change = match (run.score, baseline.score) {
            (Some(score), Some(usual)) if run.refereed && known => Some(bounded(score - usual)),
            _ => None,
        };
        let referee_score_gain = score_change.map(|change| self.share(change, exposure));
        let utility = match referee_score_gain {
            Some(gain) => 0.50 * error_reduction + 0.30 * step_efficiency_gain + 0.20 * gain,
            None => 0.65 * error_reduction + 0.35 * step_efficiency_gain,
        };
        Some(Utility {
            error_reduction,
            step_efficiency_gain,
            referee_score_gain,
            utility: bounded(utility),
            opportunity,
            major_regression: self.is_to_blame(exposure)
                && is_major_regression(run, baseline, score_change),
        })
    }

    fn is_to_blame(&self, exposure: &Exposure) -> bool {
        if self.culpable > 0.0 {
            exposure.followed_and_failed > 0
        } else {
            own_effect(exposure) < 0.0
        }
    }
}

fn is_major_regression(
    run: &RunOutcome,
    baseline: &TaskBaseline,
    score_change: Option<f64>,
) -> bool {
    let many = 2.0 * baseline.failures + MAJOR_FAILURES;
    score_change.is_some_and(|change| change <= -MAJOR_SCORE_DROP)
        || (baseline.runs > 0
            && baseline.pass_rate >= 0.5
            && !run.passed
            && f64::from(run.failures) >= many)
}

fn expected(exposure: &Exposure) -> f64 {
    if exposure.baseline_runs == 0 {
        0.0
    } else {
        exposure.expected.max(0.0)
    }
}

/// The errors that are held against the lesson. Where nothing is known to expect, only those that its own
/// advice led to.
fn judged_errors(exposure: &Exposure) -> f64 {
    f64::from(if exposure.baseline_runs == 0 {
        exposure.followed_and_failed
    } else {
        exposure.errors.max(exposure.followed_and_failed)
    })
}

/// The errors that a lesson has prevented; below 0, those that it has caused.
fn own_effect(exposure: &Exposure) -> f64 {
    let unseen = UNSEEN_HARM * f64::from(exposure.followed_and_failed);
    expected(exposure) - judged_errors(exposure) - unseen
}

fn bounded(value: f64) -> f64 {
    value.clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: TaskBaseline = TaskBaseline {
        runs: 4,
        failures: 4.0,
        steps: 10.0,
        score: Some(0.5),
        pass_rate: 0.75,
    };

    fn run(failures: u32, steps: u32) -> RunOutcome {
        RunOutcome {
            failures,
            steps,
            score: None,
            refereed: false,
            passed: true,
        }
    }

    fn shown(errors: u32, expected: f64) -> Exposure {
        Exposure {
            withheld: false,
            errors,
            expected,
            baseline_runs: 4,
            followed_and_failed: 0,
            resolved: false,
        }
    }

    fn utilities(run: &RunOutcome, exposures: &[Exposure]) -> Vec<f64> {
        credit(run, &USUAL, exposures)
            .into_iter()
            .map(|utility| utility.expect("an opportunity").utility)
            .collect()
    }

    #[test]
    fn the_weights_are_those_of_the_plan() {
        let mut run = run(2, 5);
        let alone = [shown(0, 2.0)];
        let utility = credit(&run, &USUAL, &alone)[0].unwrap();
        assert_eq!(utility.error_reduction, 1.0);
        assert_eq!(utility.step_efficiency_gain, 0.5);
        assert_eq!(utility.referee_score_gain, None);
        assert_eq!(utility.utility, 0.65 + 0.35 * 0.5);

        run.score = Some(1.0);
        assert_eq!(
            credit(&run, &USUAL, &alone)[0].unwrap().referee_score_gain,
            None
        );
        run.refereed = true;
        let refereed = credit(&run, &USUAL, &alone)[0].unwrap();
        assert_eq!(refereed.referee_score_gain, Some(0.5));
        assert_eq!(refereed.utility, 0.50 + 0.30 * 0.5 + 0.20 * 0.5);
    }

    #[test]
    fn without_an_opportunity_there_is_no_utility() {
        assert_eq!(credit(&run(0, 5), &USUAL, &[shown(0, 0.0)]), [None]);
        let unknown = Exposure {
            baseline_runs: 0,
            ..shown(3, 0.0)
        };
        assert_eq!(credit(&run(3, 5), &USUAL, &[unknown]), [None]);
    }

    #[test]
    fn advice_that_fails_counts_even_where_nothing_is_known_to_expect() {
        let harmful = Exposure {
            baseline_runs: 0,
            followed_and_failed: 2,
            ..shown(2, 0.0)
        };
        assert!(utilities(&run(4, 10), &[harmful])[0] < -0.5);
    }

    #[test]
    fn a_hint_that_was_followed_and_worked_has_helped_whatever_the_baseline() {
        for expected in [0.0, 1.0, 3.0] {
            for baseline_runs in [0, 1, 9] {
                let hint = Exposure {
                    baseline_runs,
                    ..shown(4, expected)
                };
                // The run as a whole was worse than usual.
                let earned = utilities(&run(9, 30), &[hint.resolved(), shown(1, 1.0)]);
                assert!(earned[0] >= 0.65, "{expected} {baseline_runs} {earned:?}");
            }
        }
    }

    #[test]
    fn what_says_nothing_earns_nothing() {
        assert_eq!(
            credit(&run(9, 30), &USUAL, &[Exposure::silent(false)]),
            [None]
        );
    }

    #[test]
    fn a_useless_companion_earns_nothing_from_a_better_run() {
        let earned = utilities(&run(0, 5), &[shown(0, 2.0), shown(1, 1.0)]);
        assert!(earned[0] > 0.65, "{earned:?}");
        assert_eq!(earned[1], 0.0);
    }

    #[test]
    fn two_that_help_alike_share_alike() {
        let earned = utilities(&run(0, 5), &[shown(0, 2.0), shown(0, 2.0)]);
        assert_eq!(earned[0], earned[1]);
        assert_eq!(earned[0], 0.65 + 0.35 * 0.25);
    }

    #[test]
    fn a_culprit_pays_for_a_worse_run_and_its_companion_does_not() {
        let culprit = Exposure {
            followed_and_failed: 3,
            ..shown(4, 1.0)
        };
        let earned = utilities(&run(9, 20), &[culprit, shown(0, 1.0)]);
        assert!(earned[0] < -0.9, "{earned:?}");
        assert_eq!(earned[1], 0.65);
    }

    #[test]
    fn without_a_culprit_a_worse_run_costs_all_a_little() {
        let earned = utilities(&run(8, 12), &[shown(1, 1.0), shown(1, 1.0)]);
        assert_eq!(earned[0], earned[1]);
        assert!(earned[0] < 0.0 && earned[0] > -0.3, "{earned:?}");
    }

    #[test]
    fn a_withheld_lesson_takes_nothing_from_those_that_were_shown() {
        let placebo = Exposure {
            withheld: true,
            ..shown(0, 2.0)
        };
        let run = run(0, 5);
        let alone = utilities(&run, &[shown(0, 2.0)]);
        let beside = utilities(&run, &[shown(0, 2.0), placebo]);
        assert_eq!(beside[0], alone[0]);
        assert_eq!(beside[1], utilities(&run, &[shown(0, 2.0); 2])[1]);
    }

    #[test]
    fn lessons_that_share_a_trigger_are_not_punished_for_counting_it_twice() {
        let earned = utilities(&run(2, 10), &[shown(0, 2.0), shown(0, 2.0)]);
        assert_eq!(earned, [0.65, 0.65]);
    }

    #[test]
    fn a_rare_error_that_stays_away_tells_little() {
        let utility = credit(&run(4, 10), &USUAL, &[shown(0, 0.25)])[0].unwrap();
        assert_eq!(utility.opportunity, 0.25);
        assert_eq!(utility.error_reduction, 0.25);
    }

    #[test]
    fn a_major_regression_is_laid_on_the_culprit_alone() {
        let mut bad = run(12, 30);
        bad.passed = false;
        let culprit = Exposure {
            followed_and_failed: 3,
            ..shown(4, 1.0)
        };
        let regressions: Vec<bool> = credit(&bad, &USUAL, &[culprit, shown(3, 1.0)])
            .into_iter()
            .map(|utility| utility.unwrap().major_regression)
            .collect();
        assert_eq!(regressions, [true, false]);
        let passed = run(12, 30);
        assert!(
            !credit(&passed, &USUAL, &[culprit])[0]
                .unwrap()
                .major_regression
        );
    }
}
