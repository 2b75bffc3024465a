//! Hold-out: when a lesson is withheld, so that there are runs without it to compare with.
//!
//! Owns the share of opportunities and the lot. The lot is a hash of lesson and run: the same on every
//! machine, and no lesson's lot says anything about another's.

use twiceshy_text::digest;

use super::{Evidence, Thresholds};

/// The share of the base that is left for a lesson that is beyond doubt: errors vanish and tools change, and
/// a lesson that is always shown could never be seen to be needless.
const LEAST_DOUBT: f64 = 0.1;

/// The share of opportunities from which a lesson is withheld. It begins with `base` and shrinks as the
/// effect becomes known, and faster as it becomes clear on which side of 0 it lies and as its advice is seen to work. A lesson
/// that guards against harm is never withheld.
pub fn hold_out_share(evidence: &Evidence, base: f64, guards_against_harm: bool) -> f64 {
    Thresholds::CHOSEN.hold_out_share(evidence, base, guards_against_harm)
}

impl Thresholds {
    /// The share of opportunities from which a lesson is withheld by these thresholds.
    pub fn hold_out_share(&self, evidence: &Evidence, base: f64, guards_against_harm: bool) -> f64 {
        if guards_against_harm || !base.is_finite() || base <= 0.0 {
            return 0.0;
        }
        let effect = self.effect_of(evidence);
        let unknown = effect.deviation / self.prior_spread;
        let distance = effect.mean / effect.deviation;
        let doubt = unknown * unknown * twiceshy_text::number::exp(-distance * distance / 2.0);
        // What was followed and worked is hardly in doubt any more.
        let proven = evidence.confirmed.saturating_sub(evidence.refuted);
        let doubt = doubt / (1.0 + f64::from(proven));
        base.min(1.0) * doubt.clamp(LEAST_DOUBT, 1.0)
    }
}

/// Whether a lesson is withheld from a run.
pub fn is_withheld(lesson: &str, run: &str, share: f64) -> bool {
    let digest = digest(&["hold-out", lesson, run]);
    let lot = u64::from_str_radix(&digest, 16).expect("a digest is 16 hexadecimal digits");
    // 53 bits are what a number with a fraction holds exactly.
    let lot = (lot >> 11) as f64 / (1_u64 << 53) as f64;
    lot < share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usefulness::Measured;

    #[test]
    fn the_share_is_kept_and_no_lesson_shares_its_lot_with_another() {
        let (share, runs) = (0.1, 50_000);
        let (mut first, mut second, mut both) = (0.0, 0.0, 0.0);
        for run in 0..runs {
            let run = format!("run-{run}");
            let lots = (
                is_withheld("lsn-a", &run, share),
                is_withheld("lsn-b", &run, share),
            );
            first += f64::from(u8::from(lots.0));
            second += f64::from(u8::from(lots.1));
            both += f64::from(u8::from(lots.0 && lots.1));
        }
        let runs = f64::from(runs);
        // Four standard deviations of a share of 0.1, and of 0.01, in so many lots.
        assert!((first / runs - share).abs() < 0.0054, "{first}");
        assert!((second / runs - share).abs() < 0.0054, "{second}");
        assert!((both / runs - share * share).abs() < 0.0018, "{both}");
    }

    #[test]
    fn a_share_of_0_withholds_nothing_and_a_share_of_1_everything() {
        for run in 0..1_000 {
            let run = run.to_string();
            assert!(!is_withheld("lsn", &run, 0.0));
            assert!(is_withheld("lsn", &run, 1.0));
        }
    }

    #[test]
    fn a_lesson_that_guards_against_harm_is_never_withheld() {
        let unknown = Evidence::default();
        assert_eq!(hold_out_share(&unknown, 0.1, true), 0.0);
        assert_eq!(hold_out_share(&unknown, 0.0, false), 0.0);
        assert_eq!(hold_out_share(&unknown, f64::NAN, false), 0.0);
        assert_eq!(hold_out_share(&unknown, 0.1, false), 0.1);
    }

    #[test]
    fn the_share_shrinks_as_the_effect_becomes_clear() {
        let measured = Measured {
            at: 0,
            utility: 0.4,
            opportunity: 1.0,
            errors: 0,
            expected: 1.0,
            baseline_runs: 4,
            passed: true,
            expected_pass: None,
            score_gain: None,
            major_regression: false,
        };
        let mut evidence = Evidence::default();
        let mut last = hold_out_share(&evidence, 0.1, false);
        for _ in 0..3 {
            evidence.shown.push(measured.clone());
            let share = hold_out_share(&evidence, 0.1, false);
            assert!(share < last && share > 0.0, "{share}");
            last = share;
        }
        evidence.shown.extend(vec![measured; 20]);
        assert_eq!(hold_out_share(&evidence, 0.1, false), 0.1 * LEAST_DOUBT);
    }
}
