//! Tuning: how regret depends on each threshold, on the worlds that thresholds are chosen on.

use twiceshy_learning::usefulness::Thresholds;

use super::{
    Shares, interval, percent,
    rules::{Ours, RULES, Rule},
    scenarios::TUNING,
    trial::{CHECKPOINTS, Record, record},
    world::World,
};

/// Worlds of each scenario.
const SEEDS: std::ops::Range<u64> = 0..100;

/// A threshold with the values that are tried.
type Dial = (&'static str, &'static [f64], fn(&mut Thresholds, f64));

const DIALS: [Dial; 18] = [
    ("record_effect", &[0.0, 0.2, 0.4, 0.6, 0.8], |t, v| {
        t.record_effect = v
    }),
    ("refutation_weight", &[1.0, 2.0, 3.0], |t, v| {
        t.refutation_weight = v
    }),
    ("refuted_runs", &[2.0, 3.0, 4.0, 99.0], |t, v| {
        t.refuted_runs = v as u32
    }),
    ("doubt_z", &[0.0, 0.5, 1.0, 2.0], |t, v| t.doubt_z = v),
    ("turned_runs", &[3.0, 4.0, 5.0, 6.0, 8.0], |t, v| {
        t.turned_runs = v as usize
    }),
    ("turned_z", &[0.5, 1.0, 1.5, 9.0], |t, v| t.turned_z = v),
    ("aside_runs", &[2.0, 3.0, 4.0, 6.0], |t, v| {
        t.aside_runs = v as u32
    }),
    ("origin_bias", &[0.0, 0.1, 0.2, 0.3, 0.4], |t, v| {
        t.origin_bias = v
    }),
    ("retry_z", &[0.0, 0.25, 0.5, 1.0, 2.0], |t, v| t.retry_z = v),
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

/// Prints the regret of all rules, and around the chosen thresholds, one dial at a time.
pub fn report() {
    println!(
        "{:22} {:>14} {:>7} {:>7}  promotion precision, recall; helpful, harmful suppressed",
        "regret after 80 runs", "all", "harm", "missed"
    );
    for rule in &RULES {
        line(rule.name, rule.make);
    }
    for share in [0.05, 0.2, 0.3] {
        line(&format!("hold-out {share}"), |world| {
            Box::new(Ours::new(Thresholds::CHOSEN, share, world))
        });
    }
    for (name, values, set) in DIALS {
        for value in values {
            let mut thresholds = Thresholds::CHOSEN;
            set(&mut thresholds, *value);
            line(&format!("{name} {value}"), |world| {
                Box::new(Ours::new(thresholds, 0.10, world))
            });
        }
    }
}

fn line(name: &str, make: impl Fn(&World) -> Box<dyn Rule>) {
    let mut sum = Record::default();
    let mut parts = Vec::new();
    for scenario in &TUNING {
        let one = record(scenario, SEEDS, &make);
        parts.push(interval(one.regrets[CHECKPOINTS.len() - 1].iter().copied()).0);
        sum.add(&one);
    }
    let last = CHECKPOINTS.len() - 1;
    let (regret, error) = interval(sum.regrets[last].iter().copied());
    let harm = sum.harm / sum.regrets[last].len() as f64;
    let shares = Shares::of(&sum.tallies[last]);
    print!(
        "{name:22} {regret:6.2} ± {error:.2} {harm:7.2} {:7.2}  {:>7} {:>7} {:>7} {:>7}  ",
        regret - harm,
        percent(shares.promotion_precision),
        percent(shares.promotion_recall),
        percent(shares.helpful_suppressed),
        percent(shares.suppression_recall),
    );
    for part in parts {
        print!(" {part:5.1}");
    }
    println!();
}
