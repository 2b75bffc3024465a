//! The binomial test: how likely is this number of successes by chance alone?
//!
//! Owns the exact tails of the binomial distribution. Only sums, products and quotients are used, so that every
//! platform gives the same bits.

/// The chance of `successes` or more among `trials` if each succeeds with the chance `rate`.
pub(super) fn at_least(successes: u32, trials: u32, rate: f64) -> f64 {
    tail(trials, rate, |count| count >= successes)
}

/// The chance of `successes` or fewer among `trials` if each succeeds with the chance `rate`.
pub(super) fn at_most(successes: u32, trials: u32, rate: f64) -> f64 {
    tail(trials, rate, |count| count <= successes)
}

/// The chance of the counts that `counts` lets through. Every count is weighed against the likeliest one: no weight is
/// above 1, and those that are too small to be told from 0 do not matter.
fn tail(trials: u32, rate: f64, counts: impl Fn(u32) -> bool) -> f64 {
    if rate <= 0.0 || rate >= 1.0 {
        let certain = if rate <= 0.0 { 0 } else { trials };
        return f64::from(u8::from(counts(certain)));
    }
    let odds = rate / (1.0 - rate);
    let mode = (((f64::from(trials) + 1.0) * rate) as u32).min(trials);
    let (mut all, mut some) = (0.0, 0.0);
    let mut add = |count: u32, weight: f64| {
        all += weight;
        if counts(count) {
            some += weight;
        }
    };
    let mut weight = 1.0;
    for count in mode..=trials {
        add(count, weight);
        weight *= f64::from(trials - count) / f64::from(count + 1) * odds;
    }
    let mut weight = 1.0;
    for count in (0..mode).rev() {
        weight *= f64::from(count + 1) / f64::from(trials - count) / odds;
        add(count, weight);
    }
    (some / all).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(left: f64, right: f64, deviation: f64) -> bool {
        (left - right).abs() <= deviation
    }

    #[test]
    fn the_tails_have_their_known_values() {
        // Powers of two and their sums, so the right sides are exact.
        assert!(near(at_least(5, 5, 0.5), 1.0 / 32.0, 1e-15));
        assert!(near(at_least(7, 8, 0.5), 9.0 / 256.0, 1e-15));
        assert!(near(at_least(6, 7, 0.5), 8.0 / 128.0, 1e-15));
        assert!(near(at_least(60, 100, 0.5), 0.028443966820490392, 1e-12));
        assert!(near(at_least(9, 10, 0.9), 0.7360989291, 1e-10));
        assert!(near(at_most(2, 10, 0.5), 56.0 / 1024.0, 1e-15));
        assert_eq!(at_least(0, 0, 0.5), 1.0);
        assert_eq!((at_least(1, 3, 0.0), at_least(0, 3, 0.0)), (0.0, 1.0));
        assert_eq!((at_least(3, 3, 1.0), at_most(2, 3, 1.0)), (1.0, 0.0));
    }

    /// The same by multiplying out every outcome of every trial.
    fn by_convolution(trials: u32, rate: f64) -> Vec<f64> {
        let mut chances = vec![1.0];
        for _ in 0..trials {
            let mut next = vec![0.0; chances.len() + 1];
            for (count, chance) in chances.iter().enumerate() {
                next[count] += chance * (1.0 - rate);
                next[count + 1] += chance * rate;
            }
            chances = next;
        }
        chances
    }

    proptest! {
        #[test]
        fn the_tails_are_what_multiplying_out_gives(trials in 0_u32..60, share in 0.0..=1.0_f64, rate in 0.01..=0.99_f64) {
            let successes = (f64::from(trials) * share) as u32;
            let chances = by_convolution(trials, rate);
            let upper: f64 = chances[successes as usize..].iter().sum();
            let lower: f64 = chances[..=successes as usize].iter().sum();
            prop_assert!(near(at_least(successes, trials, rate), upper, 1e-10));
            prop_assert!(near(at_most(successes, trials, rate), lower, 1e-10));
        }

        #[test]
        fn the_tails_together_are_certain(trials in 1_u32..2_000, share in 0.0..1.0_f64, rate in 0.0..=1.0_f64) {
            let successes = (f64::from(trials) * share) as u32;
            let together = at_most(successes, trials, rate) + at_least(successes + 1, trials, rate);
            prop_assert!(near(together, 1.0, 1e-9));
        }

        #[test]
        fn more_successes_are_less_likely_by_chance(trials in 1_u32..500, share in 0.0..1.0_f64, rate in 0.0..=1.0_f64) {
            let successes = (f64::from(trials) * share) as u32;
            prop_assert!(at_least(successes + 1, trials, rate) <= at_least(successes, trials, rate));
        }
    }
}
