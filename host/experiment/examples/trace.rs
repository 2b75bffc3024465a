//! Every step of some runs of an experiment, with what the memory told: to see why it went as it did.
//!
//! ```sh
//! cargo run -p twiceshy-experiment --example trace -- 3 memory-A-2 planted-B-2     # seed 3
//! cargo run -p twiceshy-experiment --example trace -- 3                            # planted lessons only
//! ```

#[path = "../tests/support/mod.rs"]
mod support;

use std::sync::atomic::{AtomicBool, Ordering};

use twiceshy_experiment::{Arm, Happening, Plan};
use twiceshy_wit::memory::Hint;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seed = arguments
        .next()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(1);
    let wanted: Vec<String> = arguments.collect();
    let plan = Plan {
        seeds: 1,
        first_seed: seed,
        runs: [12, 12, 6, 6],
        evaluator: true,
    };
    let in_detail = AtomicBool::new(false);
    let is_told = || in_detail.load(Ordering::Relaxed);
    let watch = |happening: &Happening<'_>| match happening {
        Happening::Started {
            arm,
            phase,
            run,
            briefing,
            ..
        } => {
            let arm = match arm {
                Arm::Memory => "memory",
                Arm::NoMemory => "no-memory",
                Arm::Planted => "planted",
            };
            let name = format!("{arm}-{}-{run}", phase.letter());
            in_detail.store(wanted.contains(&name), Ordering::Relaxed);
            if is_told() {
                println!("\n{name}");
                tell("briefed", &briefing.hints);
            }
        }
        Happening::Stepped { command, ran, told } if is_told() => {
            println!("{} {}", ran.exit, command.join(" "));
            print!("{}", ran.stderr);
            tell("hint", &told.hints);
        }
        Happening::Ended { metrics, plantings } => {
            if is_told() {
                println!("{metrics:#?}");
            }
            for planting in plantings
                .iter()
                .filter(|one| one.gone == Some(metrics.ordinal))
            {
                println!(
                    "gone after run {}: {}\n  {}",
                    metrics.ordinal, planting.rule, planting.reason
                );
            }
        }
        _ => {}
    };
    let report = support::perform(&plan, &watch);
    for planting in report.plantings.iter().filter(|one| one.gone.is_none()) {
        println!("{planting:#?}");
    }
}

fn tell(how: &str, hints: &[Hint]) {
    for hint in hints {
        let lesson = &hint.lesson;
        println!(
            "    {how} {:.2} {} {}",
            hint.score,
            lesson.status.as_str(),
            lesson.rule_text
        );
    }
}
