//! `twiceshy experiment`: measures whether the memory helps.
//!
//! Owns the options, the progress bar and what is done with the report. What is measured, and how, is the
//! business of the crate `twiceshy-experiment`; here it gets the sandboxed adapter and the component.

mod bench;
mod program;

pub(super) use bench::{Bench, Output};

use std::{io::IsTerminal, process::ExitCode, time::Duration};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use twiceshy_experiment::{Happening, Plan};

use super::{arguments::Common, failure::Failure, show};
use program::Program;

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy experiment
  twiceshy experiment --seeds 50 --html report.html
  twiceshy experiment --phases AB --runs 8 --json > report.json
  twiceshy experiment --seeds 1 --phases A --runs 4 --executor 'python3 my_agent.py'

Phases: A gridtool, its first run with documentation; B the same with fluxtool; C gridtool again;
D other tasks with both. Each is done with memory, without, and with bad lessons planted in it.

An executor is a program of your own, started anew for each run. It gets one JSON object per line:
  {\"task\", \"tool\", \"docs\", \"files\", \"briefing\", \"step\", \"last\", \"hint\", \"trouble\"}
and answers each with one line, either of
  {\"action\": [\"gridtool\", …]}      {\"done\": true}

Exit codes: 0 if all checks are met, 1 if one is not, 130 if it was interrupted.";

#[derive(Debug, Args)]
pub(crate) struct Experiment {
    /// How many seeds, each with memories of its own.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    seeds: u32,
    /// How many runs each phase has: one number for all, or four, such as 12,12,6,6.
    #[arg(long, value_name = "N[,N,N,N]", default_value = "12,12,6,6", value_parser = runs)]
    runs: [u32; 4],
    /// Which phases to do. The memory of A is carried on to B, C and D.
    #[arg(long, value_name = "LETTERS", default_value = "ABCD", value_parser = phases)]
    phases: [bool; 4],
    /// The first seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    first_seed: u32,
    /// Let the memory judge by the signals alone: no evaluator tells it a score.
    #[arg(long)]
    no_evaluator: bool,
    /// A command that works on the tasks, instead of the executor by trial and error.
    #[arg(long, value_name = "CMD")]
    executor: Option<String>,
    /// How long an executor may take for an answer, in seconds.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    executor_timeout: u64,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn experiment(arguments: &Experiment, common: &Common) -> Result<ExitCode, Failure> {
    let mut runs = arguments.runs;
    for (count, wanted) in runs.iter_mut().zip(arguments.phases) {
        if !wanted {
            *count = 0;
        }
    }
    let plan = Plan {
        seeds: arguments.seeds,
        first_seed: arguments.first_seed,
        runs,
        evaluator: !arguments.no_evaluator,
    };
    let bench = Bench::new(common, &arguments.output)?;
    let bar = progress_bar(plan.total());
    let watch = |happening: &Happening<'_>| match happening {
        Happening::Ended { .. } => bar.inc(1),
        Happening::Troubled { cause } => {
            bar.suspend(|| eprintln!("twiceshy: executor: {}", show::line(cause)));
        }
        _ => {}
    };
    let timeout = Duration::from_secs(arguments.executor_timeout);
    let program = arguments
        .executor
        .as_ref()
        .map(|command| Program::hire(command.clone(), timeout));
    let report = bench.perform(&plan, program.as_deref(), &watch)?;
    bar.finish_and_clear();
    bench.publish(&report)
}

/// A bar on standard error; nothing at all where nobody sees it.
fn progress_bar(total: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} runs, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn runs(text: &str) -> Result<[u32; 4], String> {
    let counts: Result<Vec<u32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let counts = counts.map_err(|_| "give a number, or four of them: 12,12,6,6".to_owned())?;
    let counts = match counts[..] {
        [all] => [all; 4],
        [a, b, c, d] => [a, b, c, d],
        _ => return Err(format!("{} numbers are neither one nor four", counts.len())),
    };
    match counts.iter().all(|count| (1..=1_000).contains(count)) {
        true => Ok(counts),
        false => Err("a phase has 1 to 1,000 runs; leave it out with --phases".to_owned()),
    }
}

fn phases(text: &str) -> Result<[bool; 4], String> {
    let mut wanted = [false; 4];
    for letter in text.chars() {
        let place = "ABCD".find(letter.to_ascii_uppercase());
        let place =
            place.ok_or_else(|| format!("there is no phase {letter:?}, only A, B, C and D"))?;
        wanted[place] = true;
    }
    match wanted.contains(&true) {
        true => Ok(wanted),
        false => Err("name at least one phase".to_owned()),
    }
}
