//! Means with the interval in which they lie, nineteen times of twenty.
//!
//! The interval is a bootstrap over seeds: seeds are independent, the runs of one memory are not.

use serde::Serialize;

use crate::chance::Chance;

/// How often the sample is drawn again.
const RESAMPLES: usize = 1_000;

/// A mean and its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// The mean of a sample; none of an empty one.
    pub(crate) fn of(sample: &[f64]) -> Option<Self> {
        if sample.is_empty() {
            return None;
        }
        let mut chance = Chance::new(sample.len() as u64).of("bootstrap");
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let drawn = (0..sample.len()).map(|_| {
                    chance = chance.next();
                    sample[chance.place(sample.len())]
                });
                drawn.sum::<f64>() / sample.len() as f64
            })
            .collect();
        means.sort_by(f64::total_cmp);
        Some(Self {
            mean: mean(sample),
            low: means[RESAMPLES * 25 / 1_000],
            high: means[RESAMPLES * 975 / 1_000 - 1],
        })
    }
}

/// The mean of a sample, 0 of an empty one.
pub(crate) fn mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len().max(1) as f64
}

/// The middle of a sample, 0 of an empty one; of two in the middle the upper one.
pub(crate) fn median(sample: &[f64]) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_true_mean_about_nineteen_times_of_twenty() {
        let mut held = 0;
        for trial in 0..200 {
            let mut chance = Chance::new(trial).of("sample");
            let sample: Vec<f64> = (0..30)
                .map(|_| {
                    chance = chance.next();
                    chance.share()
                })
                .collect();
            let interval = Interval::of(&sample).expect("a sample");
            held += u32::from((interval.low..=interval.high).contains(&0.5));
        }
        assert!((180..=199).contains(&held), "{held} of 200");
    }

    #[test]
    fn a_sample_without_spread_has_an_interval_of_no_width() {
        let interval = Interval::of(&[2.0, 2.0, 2.0]).expect("a sample");
        assert_eq!(
            (interval.low, interval.mean, interval.high),
            (2.0, 2.0, 2.0)
        );
        assert_eq!(Interval::of(&[]), None);
    }

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[9.0, 1.0, 5.0]), 5.0);
        assert_eq!(median(&[1.0, 2.0]), 2.0);
        assert_eq!(median(&[]), 0.0);
    }
}
