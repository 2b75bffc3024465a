//! `twiceshy adapter check`: whether a component is an adapter that can be relied on.
//!
//! Owns the arguments and how the report is shown. What is asked of an adapter is in `conformance`.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;
use twiceshy::conformance::{self, Report};

use super::named;
use crate::cli::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy adapter check target/wasm32-wasip2/release/my_adapter.wasm
  twiceshy adapter check my-adapter --golden golden
  twiceshy adapter check my_adapter.wasm --golden golden --update
  twiceshy adapter check my_adapter.wasm --json

What is checked:
  imports        it imports nothing that an adapter never has: files, a network, a clock, chance
  manifest       name, version, domain and summary are there, and the schemas are JSON Schemas
  describe       it says the same of itself every time
  channels       steps made from its own schemas get feedback within range, and not all are refused
  deterministic  the same step gets the same feedback: again, in another order, on a new instance
  large steps    payloads of 4 MiB, and the largest that it takes, are judged within the limits of time and memory
  hostile steps  whatever it is handed, it judges or refuses it, and never crashes
  golden         recorded steps get the feedback that was recorded with them

Golden traces are *.jsonl or *.json files, one step for each object; a goal begins a run:
  {\"goal\": {\"task\": \"…\"}, \"step\": {\"action\": {…}, \"observation\": {…}}, \"feedback\": {…}}
`twiceshy adapter run … --json` writes them; --update brings them up to date.

Exit code: 0 if every check passes, 1 if one fails.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The component's file, or the name of an adapter that is at hand.
    #[arg(value_name = "FILE|NAME")]
    adapter: String,
    /// A directory with golden traces.
    #[arg(long, value_name = "DIR")]
    golden: Option<PathBuf>,
    /// Rewrite golden traces where the feedback of the adapter differs.
    #[arg(long, requires = "golden")]
    update: bool,
}

pub(crate) fn check(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let report = match named::load(context, &arguments.adapter)? {
        Err(error) => Report::of_failure(&error),
        Ok(adapter) => {
            let report = conformance::check(&adapter);
            match &arguments.golden {
                None => report,
                Some(directory) => report.with_golden(&adapter, directory, arguments.update),
            }
        }
    };
    let passed = report.passed();
    let json = json!({ "ok": passed, "adapter": report.adapter, "checks": report.checks });
    context.print(&json, || lines(&report))?;
    Ok(if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn lines(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for check in &report.checks {
        let verdict = if check.passed { "ok" } else { "FAILED" };
        lines.push(format!(
            "{:<14} {verdict:<7} {}",
            check.name,
            show::line(&check.note)
        ));
        for problem in &check.problems {
            let mut parts = problem.lines();
            if let Some(first) = parts.next() {
                lines.push(format!("  * {}", show::line(first)));
            }
            lines.extend(parts.map(|part| format!("  {}", show::line(part))));
        }
    }
    let failed = report.checks.iter().filter(|check| !check.passed).count();
    lines.push(match failed {
        0 => format!(
            "{} passes all {} checks",
            show::line(&report.adapter),
            report.checks.len()
        ),
        failed => format!(
            "{} fails {failed} of {} checks",
            show::line(&report.adapter),
            report.checks.len()
        ),
    });
    lines
}
