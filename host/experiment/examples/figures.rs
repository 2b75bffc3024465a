//! The whole experiment with the native engine, which is quick to build: its tables and checks.
//!
//! ```sh
//! cargo run -p twiceshy-experiment --example figures -- 20
//! ```

#[path = "../tests/support/mod.rs"]
mod support;

use twiceshy_experiment::{Paint, Plan, table};

fn main() {
    let seeds = std::env::args().nth(1);
    let plan = Plan {
        seeds: seeds.and_then(|seeds| seeds.parse().ok()).unwrap_or(20),
        first_seed: 1,
        runs: [12, 12, 6, 6],
        evaluator: true,
    };
    let report = support::perform(&plan, &|_| {});
    println!("{}", table(&report, Paint::Plain));
}
