//! Tuning: how regret depends on each threshold, on the worlds that thresholds are chosen on.

use twiceshy_engine::usefulness::Thresholds;

use super::{
    rules::Ours,
    scenarios::TUNING,
    trial::{CHECKPOINTS, record},
};

/// Worlds of each scenario.
const SEEDS: std::ops::Range<u64> = 0..100;

/// A threshold with the values that are tried.
type Dial = (&'static str, &'static [f64], fn(&mut Thresholds, f64));

const DIALS: [Dial; 9] = [
    ("judged_runs", &[8.0, 12.0, 16.0, 20.0, 30.0], |t, v| {
        t.judged_runs = v as usize
    }),
    ("prior_effect", &[-0.1, 0.0, 0.05, 0.1, 0.2], |t, v| {
        t.prior_effect = v
    }),
    ("prior_spread", &[0.2, 0.3, 0.4, 0.6], |t, v| {
        t.prior_spread = v
    }),
    ("prior_noise", &[0.2, 0.3, 0.4, 0.5, 0.6], |t, v| {
        t.prior_noise = v
    }),
    ("prior_noise_runs", &[1.0, 3.0, 6.0], |t, v| {
        t.prior_noise_runs = v
    }),
    ("prior_bias", &[0.0, 0.1, 0.2, 0.3], |t, v| t.prior_bias = v),
    ("promotion_z", &[0.5, 1.0, 1.5, 2.0], |t, v| {
        t.promotion_z = v
    }),
    (
        "suppression_z",
        &[0.0, 0.25, 0.5, 0.75, 1.0, 1.3, 1.6],
        |t, v| t.suppression_z = v,
    ),
    ("useless", &[0.0, 0.05, 0.1, 0.15], |t, v| t.useless = v),
];

/// Prints the regret around the chosen thresholds, one dial at a time.
pub fn report() {
    println!(
        "regret after 80 runs, and at 20; promotion precision and recall; helpful suppressed; harmful suppressed"
    );
    line("chosen", &Thresholds::CHOSEN, 0.10);
    for share in [0.0, 0.05, 0.2, 0.3] {
        line(&format!("hold-out {share}"), &Thresholds::CHOSEN, share);
    }
    for (name, values, set) in DIALS {
        for value in values {
            let mut thresholds = Thresholds::CHOSEN;
            set(&mut thresholds, *value);
            line(&format!("{name} {value}"), &thresholds, 0.10);
        }
    }
}

fn line(name: &str, thresholds: &Thresholds, share: f64) {
    let mut sum = super::Record::default();
    for scenario in &TUNING {
        let make = |world: &_| Box::new(Ours::new(*thresholds, share, world)) as Box<_>;
        sum.add(&record(scenario, SEEDS, make));
    }
    let last = CHECKPOINTS.len() - 1;
    let (late, error) = super::interval(sum.regrets[last].iter().copied());
    let (early, _) = super::interval(sum.regrets[2].iter().copied());
    let shares = super::Shares::of(&sum.tallies[last]);
    println!(
        "{name:22} {late:6.2} ± {error:.2} {early:6.2}  {:>7} {:>7} {:>7} {:>7}",
        super::percent(shares.promotion_precision),
        super::percent(shares.promotion_recall),
        super::percent(shares.helpful_suppressed),
        super::percent(shares.suppression_recall),
    );
}
