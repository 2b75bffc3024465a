//! Effect: what a lesson's runs say about its true effect, and how sure that is.
//!
//! Owns the estimate: a normal model with shrinkage in three places. Few runs are pulled towards what is
//! usual for lessons; the noise that few runs show is pulled towards the usual noise; and the error of
//! the baseline, which placebo runs show, is pulled towards 0. Which runs count is the business of evidence.

use serde::{Deserialize, Serialize};

use super::Thresholds;

/// A run that had an opportunity for the lesson.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Measured {
    /// When it ended, in milliseconds since 1970.
    pub at: u64,
    /// What the lesson earned, or would have earned by chance alone if it was withheld.
    pub utility: f64,
    /// How much the run could tell, from 0 to 1.
    pub opportunity: f64,
    /// Failures that concern the lesson.
    pub errors: u32,
    /// What was to be expected without it.
    pub expected: f64,
    /// Over how many baseline runs; none if it was seen by itself that the lesson helped.
    pub baseline_runs: u32,
    /// Whether the run reached its goal.
    pub passed: bool,
    /// The share of the task's baseline runs that did, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_pass: Option<f64>,
    /// By how much the referee's score was above the task's baseline, if there is a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_gain: Option<f64>,
    /// Whether it was a major regression with the lesson to blame.
    #[serde(default)]
    pub major_regression: bool,
}

/// What is known of a lesson's effect on utility.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// Runs with an opportunity in which it was shown.
    pub runs: usize,
    /// Runs with an opportunity in which it was withheld.
    pub withheld_runs: usize,
    /// Its utility as measured, less that of a placebo if there are enough withheld runs. Not shrunk.
    pub utility: f64,
    /// The utility of doing nothing, as withheld runs show it: 0 unless the baseline is wrong.
    pub placebo: f64,
    /// The most probable true effect.
    pub mean: f64,
    /// The standard deviation of that.
    pub deviation: f64,
}

impl Effect {
    /// The effect that these runs speak for.
    pub fn of(shown: &[Measured], withheld: &[Measured], thresholds: &Thresholds) -> Self {
        let shown = Sample::of(shown);
        let mut placebo = Sample::of(withheld);
        if placebo.runs < thresholds.withheld_runs {
            placebo = Sample::of(&[]);
        }
        let noise = square(thresholds.prior_noise);
        let spread = square(thresholds.prior_spread);
        let freedom = shown.freedom() + placebo.freedom() + thresholds.prior_noise_runs;
        let variance =
            (noise * thresholds.prior_noise_runs + shown.squares + placebo.squares) / freedom;

        // A baseline of few runs is off by their noise, alike for all runs that are compared with it; and it
        // is too high, because the run that the lesson was learned in is one of them.
        let baseline_error = square(thresholds.prior_bias) + variance * shown.baseline_share;
        let measured = (placebo.mean, variance / placebo.weight);
        let (seen, _) = shrunk((0.0, baseline_error), measured);
        let usual = thresholds.origin_bias * shown.baseline_share;
        let (bias, bias_error) = shrunk((usual, baseline_error), measured);
        let (mean, effect_variance) = shrunk(
            (thresholds.prior_effect, spread),
            (shown.mean - bias, variance / shown.weight + bias_error),
        );
        Self {
            runs: shown.runs,
            withheld_runs: placebo.runs,
            utility: shown.mean - seen,
            placebo: seen,
            mean,
            deviation: effect_variance.sqrt(),
        }
    }

    /// The lower end of the interval of so many standard deviations.
    pub fn lower(&self, z: f64) -> f64 {
        self.mean - z * self.deviation
    }

    /// The upper end of the interval of so many standard deviations.
    pub fn upper(&self, z: f64) -> f64 {
        self.mean + z * self.deviation
    }
}

/// The mean and variance of two independent opinions, each a mean and a variance, taken together.
fn shrunk(prior: (f64, f64), measured: (f64, f64)) -> (f64, f64) {
    if !measured.1.is_finite() {
        return prior;
    }
    let total = prior.1 + measured.1;
    if total <= 0.0 {
        return (measured.0, 0.0);
    }
    (
        (prior.0 * measured.1 + measured.0 * prior.1) / total,
        prior.1 * measured.1 / total,
    )
}

fn square(value: f64) -> f64 {
    value * value
}

/// Runs together. A run weighs as much as it could tell; so the mean is the sum of what happened over the
/// sum of what could have happened, and rare errors bias nothing.
struct Sample {
    runs: usize,
    weight: f64,
    mean: f64,
    /// The weighted sum of squared distances from the mean.
    squares: f64,
    /// One over the runs of the baseline, on average.
    baseline_share: f64,
}

impl Sample {
    fn of(measured: &[Measured]) -> Self {
        let weight: f64 = measured.iter().map(|run| run.opportunity).sum();
        if weight <= 0.0 {
            return Self {
                runs: 0,
                weight: 0.0,
                mean: 0.0,
                squares: 0.0,
                baseline_share: 0.0,
            };
        }
        let total: f64 = measured.iter().map(|run| run.utility).sum();
        let mean = (total / weight).clamp(-1.0, 1.0);
        let squares = measured
            .iter()
            .map(|run| square(run.utility - mean * run.opportunity) / run.opportunity)
            .sum();
        let baseline_share: f64 = measured
            .iter()
            .filter(|run| run.baseline_runs > 0)
            .map(|run| run.opportunity / f64::from(run.baseline_runs))
            .sum();
        Self {
            runs: measured.len(),
            weight,
            mean,
            squares,
            baseline_share: baseline_share / weight,
        }
    }

    fn freedom(&self) -> f64 {
        self.runs.saturating_sub(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(count: usize, utility: f64, opportunity: f64, baseline_runs: u32) -> Vec<Measured> {
        let measured = Measured {
            at: 0,
            utility,
            opportunity,
            errors: 0,
            expected: opportunity,
            baseline_runs,
            passed: true,
            expected_pass: None,
            score_gain: None,
            major_regression: false,
        };
        vec![measured; count]
    }

    fn of(shown: &[Measured], withheld: &[Measured]) -> Effect {
        Effect::of(shown, withheld, &Thresholds::CHOSEN)
    }

    #[test]
    fn nothing_is_known_without_runs() {
        let effect = of(&[], &[]);
        assert_eq!((effect.runs, effect.utility, effect.mean), (0, 0.0, 0.0));
        assert_eq!(effect.deviation, Thresholds::CHOSEN.prior_spread);
    }

    #[test]
    fn more_runs_and_a_better_baseline_make_it_surer() {
        let few = of(&runs(3, 0.5, 1.0, 1), &[]);
        let many = of(&runs(12, 0.5, 1.0, 1), &[]);
        let well_founded = of(&runs(3, 0.5, 1.0, 8), &[]);
        assert!(many.deviation < few.deviation && well_founded.deviation < few.deviation);
        assert!(few.mean < many.mean && many.mean < 0.5);
    }

    #[test]
    fn one_withheld_run_is_not_compared_with_and_two_are() {
        let shown = runs(5, 0.5, 1.0, 4);
        assert_eq!(of(&shown, &runs(1, 0.5, 1.0, 4)), of(&shown, &[]));
        let compared = of(&shown, &runs(2, 0.5, 1.0, 4));
        assert!(compared.placebo > 0.1 && compared.mean < of(&shown, &[]).mean);
    }

    #[test]
    fn a_rare_error_that_is_prevented_counts_in_full_and_proves_little() {
        let rare = of(&runs(8, 0.2, 0.25, 8), &[]);
        let common = of(&runs(8, 0.8, 1.0, 8), &[]);
        assert!((rare.utility - common.utility).abs() < 1e-9);
        assert!(rare.deviation > common.deviation);
    }
}
