//! Does experience help? An agent with experience search against the same agent without, on tasks of several turns.
//!
//! Tasks of one family are worded alike and solved alike, most of the time; others resemble nothing. How many are of a family
//! is what the rows of the report differ in. Everything is drawn from seeds: the same command gives the same figures.
//!
//! `cargo bench -p twiceshy-engine --bench experience`

#[path = "../../../learning/benches/lifecycle/chance.rs"]
#[allow(dead_code, reason = "the other benchmark draws other numbers, too")]
mod chance;
mod household;
#[path = "../../tests/support/mod.rs"]
#[allow(dead_code, reason = "only the memory itself is needed here")]
mod support;
mod trial;

use trial::{Figures, compared};

/// Households of each share, and tasks in each of them.
const SEEDS: std::ops::Range<u64> = 0..20;
const TASKS: u64 = 100;

fn main() {
    println!(
        "share of like    likeness by          solved                    steps a task\n\
         tasks            the memory    without   with    gain      without   with   saved"
    );
    let mut all = (Figures::default(), Figures::default());
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let compared = compared(share, SEEDS, TASKS);
        println!(
            "{:>8.0} %       {:>6.2}        {}",
            100.0 * share,
            compared.likeness,
            told(&compared.without, &compared.with)
        );
        all.0.add(&compared.without);
        all.1.add(&compared.with);
    }
    println!("{:>10}                     {}", "all", told(&all.0, &all.1));
    let young = compared(1.0, SEEDS, 30);
    println!(
        "\nof 30 tasks that are all of a family, with experience: {:.0} % of the first ten are solved, {:.0} % of the last ten",
        100.0 * young.early.success(),
        100.0 * young.late.success()
    );
}

fn told(without: &Figures, with: &Figures) -> String {
    let solved = [without, with].map(|figures| 100.0 * figures.success());
    let steps = [without, with].map(Figures::steps_a_task);
    format!(
        "{:>4.0} %   {:>4.0} %   {:>+4.0} %     {:>5.1}   {:>5.1}   {:>4.0} %",
        solved[0],
        solved[1],
        (solved[1] - solved[0]).round() + 0.0,
        steps[0],
        steps[1],
        (100.0 * (1.0 - steps[1] / steps[0])).round() + 0.0
    )
}
