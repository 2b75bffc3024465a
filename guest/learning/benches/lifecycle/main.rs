//! The lifecycle simulator: which rule promotes what helps, and drops what harms, soonest and surest?
//!
//! Lessons with known true effects live through noisy runs, and the rules are compared by precision and
//! recall of promotion and suppression and by regret: the errors that were made because a harmful lesson was
//! shown or a helpful one was not.
//!
//! `cargo bench -p twiceshy-learning --bench lifecycle` reports on the held-out worlds; `-- --json` as JSON;
//! `-- --tune` tries thresholds on the worlds that they were chosen on.

mod chance;
mod rules;
mod scenarios;
mod trial;
mod tuning;
mod world;

use rules::RULES;
use trial::{CHECKPOINTS, Record, Tally, record};

/// Worlds of each scenario. They are others than those of the tuning.
const SEEDS: std::ops::Range<u64> = 7_000_000..7_000_200;

fn main() {
    let asked = |flag: &str| std::env::args().any(|argument| argument == flag);
    if asked("--tune") {
        return tuning::report();
    }
    let mut all: Vec<Record> = vec![Record::default(); RULES.len()];
    let mut by_scenario = Vec::new();
    for scenario in &scenarios::HELD_OUT {
        let records: Vec<Record> = RULES
            .iter()
            .map(|rule| record(scenario, SEEDS, rule.make))
            .collect();
        for (sum, record) in all.iter_mut().zip(&records) {
            sum.add(record);
        }
        by_scenario.push((scenario.name, records));
    }
    if asked("--json") {
        print_json(&all, &by_scenario);
    } else {
        print_tables(&all, &by_scenario);
    }
}

type ByScenario = Vec<(&'static str, Vec<Record>)>;

fn print_tables(all: &[Record], by_scenario: &ByScenario) {
    for (checkpoint, runs) in CHECKPOINTS.iter().enumerate() {
        println!(
            "\nafter {runs} runs        promotion         suppression       helpful     regret, errors a world"
        );
        println!(
            "{:18} {:>9} {:>7} {:>10} {:>7} {:>10}   {:>8}        {:>8}",
            "rule",
            "precision",
            "recall",
            "precision",
            "recall",
            "suppressed",
            "mean",
            "minus ours"
        );
        let ours = &all[all.len() - 1].regrets[checkpoint];
        for (rule, record) in RULES.iter().zip(all) {
            let shares = Shares::of(&record.tallies[checkpoint]);
            let regrets = &record.regrets[checkpoint];
            let (mean, error) = interval(regrets.iter().copied());
            let (more, more_error) = interval(regrets.iter().zip(ours).map(|(r, o)| r - o));
            println!(
                "{:18} {:>9} {:>7} {:>10} {:>7} {:>10}   {mean:8.2} ± {error:.2} {more:8.2} ± {more_error:.2}",
                rule.name,
                percent(shares.promotion_precision),
                percent(shares.promotion_recall),
                percent(shares.suppression_precision),
                percent(shares.suppression_recall),
                percent(shares.helpful_suppressed),
            );
        }
    }
    println!(
        "\nin 80 runs: how often a harmful lesson is shown, median and 90th percentile; regret from harm"
    );
    for (rule, record) in RULES.iter().zip(all) {
        let [median, most] = quantiles(&record.showings_of_harmful);
        let harm = record.harm / record.regrets[0].len() as f64;
        println!("{:18} {median:>3} {most:>3} {harm:8.2}", rule.name);
    }
    println!("\nregret after 80 runs");
    print!("{:24}", "scenario");
    for rule in &RULES {
        print!(" {:>17}", rule.name);
    }
    println!();
    for (name, records) in by_scenario {
        print!("{name:24}");
        for record in records {
            let (mean, error) = interval(record.regrets[CHECKPOINTS.len() - 1].iter().copied());
            print!(" {:>17}", format!("{mean:.1} ± {error:.1}"));
        }
        println!();
    }
}

fn print_json(all: &[Record], by_scenario: &ByScenario) {
    let rules = RULES.iter().zip(all).map(|(rule, record)| {
        let checkpoints = CHECKPOINTS.iter().enumerate().map(|(checkpoint, runs)| {
            let shares = Shares::of(&record.tallies[checkpoint]);
            let (regret, error) = interval(record.regrets[checkpoint].iter().copied());
            serde_json::json!({
                "runs": runs,
                "promotion-precision": shares.promotion_precision,
                "promotion-recall": shares.promotion_recall,
                "suppression-precision": shares.suppression_precision,
                "suppression-recall": shares.suppression_recall,
                "helpful-suppressed": shares.helpful_suppressed,
                "regret": regret,
                "regret-95": error,
            })
        });
        let scenarios = by_scenario.iter().map(|(name, records)| {
            let own = RULES.iter().position(|other| other.name == rule.name);
            let regrets = &records[own.expect("a rule of the list")].regrets[CHECKPOINTS.len() - 1];
            let (regret, error) = interval(regrets.iter().copied());
            serde_json::json!({ "scenario": name, "regret": regret, "regret-95": error })
        });
        let [median, most] = quantiles(&record.showings_of_harmful);
        serde_json::json!({
            "rule": rule.name,
            "checkpoints": checkpoints.collect::<Vec<_>>(),
            "scenarios": scenarios.collect::<Vec<_>>(),
            "regret-from-harm": record.harm / record.regrets[0].len() as f64,
            "showings-of-harmful": { "median": median, "p90": most },
        })
    });
    println!("{}", serde_json::Value::from_iter(rules));
}

/// Precision and recall; none where nothing was decided.
struct Shares {
    promotion_precision: Option<f64>,
    promotion_recall: Option<f64>,
    suppression_precision: Option<f64>,
    suppression_recall: Option<f64>,
    helpful_suppressed: Option<f64>,
}

impl Shares {
    fn of(tally: &Tally) -> Self {
        let share = |part: u32, whole: u32| (whole > 0).then(|| f64::from(part) / f64::from(whole));
        Self {
            promotion_precision: share(tally.promoted_helpful, tally.promoted),
            promotion_recall: share(tally.promoted_helpful, tally.helpful),
            suppression_precision: share(tally.suppressed_harmful, tally.suppressed),
            suppression_recall: share(tally.suppressed_harmful, tally.harmful),
            helpful_suppressed: share(tally.suppressed_helpful, tally.helpful),
        }
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// The mean, and half the width of its interval of 95 %.
fn interval(values: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|value| (value - mean) * (value - mean)).sum();
    (mean, 1.96 * (squares / (count - 1.0) / count).sqrt())
}

/// The median and the 90th percentile.
fn quantiles(values: &[u32]) -> [u32; 2] {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    [5, 9].map(|tenth| sorted[(sorted.len() - 1) * tenth / 10])
}
