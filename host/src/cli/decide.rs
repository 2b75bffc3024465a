//! `twiceshy decide`: what was accepted, rejected or held, and why.
//!
//! Owns the words for a person. What is the same hypothesis is the memory's business; files are read and written
//! by `exchange`.

mod exchange;

use std::{
    io::{self, Read},
    process::ExitCode,
};

use clap::{Args, Subcommand};
use twiceshy::{
    Memory,
    wit::memory::{
        Decision, DecisionCheck, DecisionFilter, DecisionQuery, DecisionStats, Decisions,
        HypothesisList, NewDecision, RejectionPattern,
    },
};

use super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy decide record --module data_processor --outcome rejected \\
      --hypothesis 'Add caching layer with global state' \\
      --rationale 'Violates composability' --rejection-reason 'CodeJudge verdict: REJECT'
  twiceshy decide check --module data_processor --hypothesis 'add a cache layer with global state'
  twiceshy decide filter --module data_processor < hypotheses.txt
  twiceshy decide list --outcome held
  twiceshy decide patterns --module data_processor
  twiceshy decide import .evolve_memory.json
  twiceshy decide export - | jq '.records | length'

`decide check` ends with 0 whether something was found or not; with --exit-code it ends with 1 if the
hypothesis was rejected before or accepted recently.";

#[derive(Debug, Subcommand)]
pub(crate) enum Decide {
    /// Record a decision with its rationale.
    Record(Record),
    /// Ask whether a hypothesis was rejected before or accepted recently.
    Check(Check),
    /// Read hypotheses, one on a line, and print those that nothing speaks against.
    Filter(Filter),
    /// List decisions, newest first.
    List(List),
    /// Show why hypotheses are rejected, as a text that can be put into a prompt.
    Patterns {
        /// Only about this module.
        #[arg(long)]
        module: Option<String>,
    },
    /// Show counts: outcomes, modules, reasons, acceptance over time.
    Stats,
    /// Write all decisions as an .evolve_memory.json; `-` writes to standard output.
    Export {
        /// The file.
        file: String,
    },
    /// Take in an .evolve_memory.json, whole or not at all; `-` reads standard input.
    Import {
        /// The file.
        file: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Record {
    /// What the hypothesis is about.
    #[arg(long)]
    module: String,
    /// The change that was considered.
    #[arg(long, allow_hyphen_values = true)]
    hypothesis: String,
    /// accepted, rejected or held.
    #[arg(long)]
    outcome: String,
    /// Why. Asked for.
    #[arg(long, allow_hyphen_values = true)]
    rationale: Option<String>,
    /// What the improvement does.
    #[arg(long, allow_hyphen_values = true)]
    description: Option<String>,
    /// The message of the failed check or the verdict; only for rejected.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    rejection_reason: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// What the hypothesis is about.
    #[arg(long)]
    module: String,
    /// The hypothesis.
    #[arg(long, allow_hyphen_values = true)]
    hypothesis: String,
    /// What the improvement does; compared as well.
    #[arg(long, allow_hyphen_values = true)]
    description: Option<String>,
    /// For how many days an acceptance is recent.
    #[arg(long, value_name = "N", default_value_t = 7)]
    days: u32,
    /// End with 1 if the hypothesis was rejected before or accepted recently.
    #[arg(long)]
    exit_code: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Filter {
    /// What the hypotheses are about.
    #[arg(long)]
    module: String,
    /// For how many days an acceptance is recent.
    #[arg(long, value_name = "N", default_value_t = 7)]
    days: u32,
    /// Let those pass that were rejected before.
    #[arg(long)]
    keep_rejected: bool,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only about this module.
    #[arg(long)]
    module: Option<String>,
    /// Only with this outcome: accepted, rejected or held.
    #[arg(long)]
    outcome: Option<String>,
    /// Only those of the last so many days.
    #[arg(long, value_name = "N")]
    days: Option<u32>,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

pub(crate) fn decide(context: &Context, command: &Decide) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    match command {
        Decide::Record(arguments) => record(context, &memory, arguments),
        Decide::Check(arguments) => check(context, &memory, arguments),
        Decide::Filter(arguments) => filter(context, &memory, arguments),
        Decide::List(arguments) => list(context, &memory, arguments),
        Decide::Patterns { module } => {
            let patterns = memory.failure_patterns(module.as_deref().unwrap_or_default())?;
            say(context, &patterns, || {
                patterns_text(module.as_deref(), &patterns)
            })
        }
        Decide::Stats => {
            let stats = memory.stats()?;
            say(context, &stats, || stats_text(&stats))
        }
        Decide::Export { file } => exchange::export(context, &memory, file),
        Decide::Import { file } => exchange::import(context, &memory, file),
    }
}

/// Prints a report: as JSON for a program, in words for a person.
pub(super) fn say(
    context: &Context,
    report: &impl serde::Serialize,
    words: impl FnOnce() -> String,
) -> Result<ExitCode, Failure> {
    if context.json {
        let report =
            serde_json::to_string(report).map_err(|error| Failure::other(error.to_string()))?;
        println!("{report}");
    } else {
        println!("{}", words().trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

fn record(context: &Context, memory: &Memory, arguments: &Record) -> Result<ExitCode, Failure> {
    let decision = Decisions::record(
        memory,
        &NewDecision {
            module: arguments.module.clone(),
            hypothesis: arguments.hypothesis.clone(),
            description: arguments.description.clone(),
            outcome: arguments.outcome.clone(),
            rationale: arguments.rationale.clone(),
            rejection_reason: arguments.rejection_reason.clone(),
        },
    )?;
    say(context, &decision, || {
        format!("Recorded {} as {}.", decision.id, decision.outcome)
    })
}

fn check(context: &Context, memory: &Memory, arguments: &Check) -> Result<ExitCode, Failure> {
    let check = memory.check(&DecisionQuery {
        module: arguments.module.clone(),
        hypothesis: arguments.hypothesis.clone(),
        description: arguments.description.clone(),
        days: Some(arguments.days),
    })?;
    say(context, &check, || check_text(&check))?;
    Ok(if arguments.exit_code && check.should_skip {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

fn check_text(check: &DecisionCheck) -> String {
    let Some(record) = &check.record else {
        return "Nothing like it was rejected before or accepted recently.".to_owned();
    };
    let verdict = match (check.rejected, check.accepted_recently) {
        (true, true) => "Rejected before, and accepted recently",
        (true, false) => "Rejected before",
        _ => "Accepted recently",
    };
    format!(
        "{verdict} ({:.0} % alike):\n{}",
        check.similarity * 100.0,
        decision_text(record)
    )
}

fn decision_text(decision: &Decision) -> String {
    let mut text = format!(
        "{}  {:<8}  {}\n    {}\n",
        show::time(decision.timestamp),
        decision.outcome,
        show::cut(&decision.module, 60),
        show::cut(&decision.hypothesis, 110)
    );
    let details = [
        ("what", Some(&decision.description)),
        ("why", decision.rationale.as_ref()),
        ("reason", decision.rejection_reason.as_ref()),
    ];
    for (name, detail) in details {
        if let Some(detail) = detail.filter(|detail| !detail.is_empty()) {
            text.push_str(&format!("    {name}: {}\n", show::cut(detail, 104)));
        }
    }
    text
}

fn filter(context: &Context, memory: &Memory, arguments: &Filter) -> Result<ExitCode, Failure> {
    let mut input = String::new();
    io::stdin().lock().read_to_string(&mut input)?;
    let lines = input.lines().filter(|line| !line.trim().is_empty());
    let filtered = memory.filter(&HypothesisList {
        module: arguments.module.clone(),
        hypotheses: lines.map(str::to_owned).collect(),
        days: Some(arguments.days),
        keep_rejected: Some(arguments.keep_rejected),
    })?;
    if context.json {
        return say(context, &filtered, String::new);
    }
    for hypothesis in &filtered.kept {
        println!("{}", show::line(hypothesis));
    }
    for dropped in &filtered.dropped {
        eprintln!(
            "twiceshy: skipped ({:.0} % alike) {}: {}",
            dropped.similarity * 100.0,
            show::cut(&dropped.hypothesis, 80),
            show::cut(&dropped.reason, 110)
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context, memory: &Memory, arguments: &List) -> Result<ExitCode, Failure> {
    use twiceshy::wit::host::Clock;
    let days_ago = |days: u32| {
        twiceshy::SystemClock
            .now()
            .saturating_sub(u64::from(days) * 86_400_000)
    };
    let decisions = memory.get_records(&DecisionFilter {
        module: arguments.module.clone(),
        outcome: arguments.outcome.clone(),
        since: arguments.days.map(days_ago),
        limit: Some(arguments.limit),
    })?;
    say(context, &decisions, || match decisions.as_slice() {
        [] => "No decisions.".to_owned(),
        some => some.iter().map(decision_text).collect(),
    })
}

fn patterns_text(module: Option<&str>, patterns: &[RejectionPattern]) -> String {
    let about = module.map_or_else(String::new, |module| format!(" on {}", show::line(module)));
    if patterns.is_empty() {
        return format!("No attempts{about} were rejected.");
    }
    let mut text = format!("Previous attempts{about} failed due to:\n");
    for pattern in patterns {
        text.push_str(&format!("- {} ({}×)\n", pattern.pattern, pattern.count));
        for example in &pattern.examples {
            text.push_str(&format!("    {}\n", show::cut(example, 150)));
        }
    }
    text + "Avoid these specific errors.\n"
}

fn stats_text(stats: &DecisionStats) -> String {
    let mut text = format!(
        "{} decisions: {} accepted, {} rejected, {} held\n",
        stats.total_records, stats.accepted, stats.rejected, stats.held
    );
    let mut part = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            text.push_str(&format!("\n{title}\n"));
            for line in lines {
                text.push_str(&format!("  {line}\n"));
            }
        }
    };
    let module = |module: &twiceshy::wit::memory::ModuleDecisions| {
        format!(
            "{:<40} {:>6} accepted {:>6} rejected {:>6} held   {:>3.0} % rejected",
            show::cut(&module.module, 40),
            module.accepted,
            module.rejected,
            module.held,
            module.reject_rate * 100.0
        )
    };
    part("Modules", stats.modules.iter().map(module).collect());
    part(
        "Hardest modules",
        stats.hardest_modules.iter().map(module).collect(),
    );
    let reasons = stats.rejection_reasons.iter();
    part(
        "Why rejected",
        reasons
            .map(|reason| format!("{:<24} {:>6}", reason.name, reason.count))
            .collect(),
    );
    let periods = stats.acceptance.iter().map(|period| {
        let rate = period.acceptance_rate;
        let bar = "█".repeat((rate * 20.0).round() as usize);
        format!(
            "{}  {:>3.0} %  {bar:<20}  {} of {}",
            show::time(period.start),
            rate * 100.0,
            period.accepted,
            period.accepted + period.rejected
        )
    });
    part("Acceptance over time", periods.collect());
    text
}
