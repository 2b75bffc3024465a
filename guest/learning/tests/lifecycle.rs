//! The rule that moves lessons through their life, held against others on worlds with known truth.
//!
//! A small part of the benchmark `lifecycle`, so that a change that makes the rule worse fails here.

#[path = "../benches/lifecycle/chance.rs"]
mod chance;
#[path = "../benches/lifecycle/rules.rs"]
mod rules;
#[path = "../benches/lifecycle/scenarios.rs"]
mod scenarios;
#[path = "../benches/lifecycle/trial.rs"]
mod trial;
#[path = "../benches/lifecycle/world.rs"]
mod world;

use rules::RULES;
use scenarios::{HELD_OUT, TUNING};
use trial::{CHECKPOINTS, Record, record};

fn made(rule: &str) -> fn(&world::World) -> Box<dyn rules::Rule> {
    let rule = RULES.iter().find(|candidate| candidate.name == rule);
    rule.expect("a rule of the list").make
}

/// What a rule did in forty worlds of each scenario that is reported on, and of each that is tuned on.
fn lived(rule: &str) -> Record {
    let mut sum = Record::default();
    for scenario in TUNING.iter().chain(&HELD_OUT) {
        sum.add(&record(scenario, 2_000_000..2_000_040, made(rule)));
    }
    sum
}

fn regret(record: &Record, checkpoint: usize) -> f64 {
    record.regrets[checkpoint].iter().sum::<f64>() / record.regrets[checkpoint].len() as f64
}

#[test]
fn ours_has_less_regret_than_the_plan_and_than_counting() {
    let last = CHECKPOINTS.len() - 1;
    let ours = regret(&lived("ours"), last);
    for (rule, at_most) in [("plan", 0.75), ("counting", 0.85), ("binomial", 0.65)] {
        let theirs = regret(&lived(rule), last);
        assert!(
            ours < at_most * theirs,
            "ours {ours:.1}, {rule} {theirs:.1}"
        );
    }
}

#[test]
fn in_no_kind_of_world_is_ours_worse_than_the_plan() {
    let last = CHECKPOINTS.len() - 1;
    for scenario in TUNING.iter().chain(&HELD_OUT) {
        let of = |rule| regret(&record(scenario, 3_000_000..3_000_040, made(rule)), last);
        let (ours, plan) = (of("ours"), of("plan"));
        assert!(
            ours < 1.05 * plan,
            "{}: ours {ours:.1}, plan {plan:.1}",
            scenario.name
        );
    }
}

/// Worlds as life is: one failure for each cause, advice that is ignored, hints for another mistake, and lessons nearly
/// all of which help.
const LIFE: [&str; 6] = [
    "one failure a cause",
    "ignored advice",
    "wrong showings",
    "one failure, ignored, wrong",
    "nearly all help",
    "mostly helpful, noisy",
];

#[test]
fn no_rule_is_better_where_causes_come_once_advice_is_ignored_and_hints_do_not_fit() {
    let last = CHECKPOINTS.len() - 1;
    let worlds = TUNING.iter().chain(&HELD_OUT);
    let worlds = worlds.filter(|scenario| LIFE.contains(&scenario.name));
    let mut seen = 0;
    for scenario in worlds {
        seen += 1;
        let of = |rule| regret(&record(scenario, 4_000_000..4_000_050, made(rule)), last);
        let ours = of("ours");
        for rule in RULES.iter().filter(|rule| !rule.name.starts_with("ours")) {
            let theirs = of(rule.name);
            assert!(
                ours <= theirs,
                "{}: ours {ours:.1}, {} {theirs:.1}",
                scenario.name,
                rule.name
            );
        }
    }
    assert_eq!(seen, 10);
}

#[test]
fn what_is_promoted_helps_and_what_helps_is_kept() {
    let record = lived("ours");
    let tally = &record.tallies[CHECKPOINTS.len() - 1];
    let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole);
    let precision = share(tally.promoted_helpful, tally.promoted);
    let lost = share(tally.suppressed_helpful, tally.helpful);
    let caught = share(tally.suppressed_harmful, tally.harmful);
    assert!(precision > 0.72, "{precision}");
    assert!(lost < 0.17, "{lost}");
    assert!(caught > 0.82, "{caught}");
}

#[test]
fn what_harms_is_gone_after_a_few_showings() {
    let mut ours = lived("ours");
    ours.showings_of_harmful.sort_unstable();
    let median = ours.showings_of_harmful[ours.showings_of_harmful.len() / 2];
    assert!((3..=6).contains(&median), "{median}");
    let unchecked = lived("show all").harm;
    assert!(ours.harm < 0.3 * unchecked, "{} {unchecked}", ours.harm);
}

#[test]
fn the_same_worlds_give_the_same_lives() {
    let once = lived("ours").regrets;
    assert_eq!(once, lived("ours").regrets);
}
