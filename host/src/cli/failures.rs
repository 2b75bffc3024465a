//! `twiceshy failures`: attempts that failed, their patterns, and the warning before the next attempt.

use std::{
    io::{self, Read},
    process::ExitCode,
};

use clap::{Args, Subcommand};
use twiceshy::wit::memory::{
    FailurePattern, FailureWarning, Failures as _, NewFailure, PatternFilter, WarningQuery,
};

use super::{context::Context, decide::say, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy failures record --category agents/e --module evolution --type syntax \\
      --hypothesis 'Add async context manager for file operations' \\
      --details 'SyntaxError: invalid syntax at line 45: async with open(...)'
  pytest 2>&1 | twiceshy failures record --module evolution --hypothesis 'Inline the parser' --details -
  twiceshy failures patterns --module evolution --min-count 2
  twiceshy failures check --module evolution --hypothesis 'add an async context manager for file operations'

Without --type, the type is found from the details. `failures check` ends with 0 whether there are warnings
or not; with --exit-code it ends with 1 if there are.";

#[derive(Debug, Subcommand)]
pub(crate) enum Failures {
    /// Record a failed attempt.
    Record(Record),
    /// List ways in which attempts fail, most frequent first.
    Patterns(Patterns),
    /// Ask for warnings before an attempt.
    Check(Check),
}

#[derive(Debug, Args)]
pub(crate) struct Record {
    /// The module.
    #[arg(long)]
    module: String,
    /// The group the module belongs to, such as agents/e.
    #[arg(long, default_value = "", hide_default_value = true)]
    category: String,
    /// What was attempted.
    #[arg(long, allow_hyphen_values = true)]
    hypothesis: String,
    /// syntax, type, import, test or unknown.
    #[arg(long = "type", value_name = "TYPE")]
    failure_type: Option<String>,
    /// The error text; `-` reads it from standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    details: String,
}

#[derive(Debug, Args)]
pub(crate) struct Patterns {
    /// Only of this module.
    #[arg(long)]
    module: Option<String>,
    /// Only of this type.
    #[arg(long = "type", value_name = "TYPE")]
    failure_type: Option<String>,
    /// Only those that occurred at least so often.
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_count: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The module.
    #[arg(long)]
    module: String,
    /// What is about to be attempted.
    #[arg(long, allow_hyphen_values = true)]
    hypothesis: String,
    /// How often a pattern must have occurred.
    #[arg(long, value_name = "N", default_value_t = 3)]
    min_count: u32,
    /// Within how many days.
    #[arg(long, value_name = "N", default_value_t = 30)]
    days: u32,
    /// From how many failures on a warning is of medium severity.
    #[arg(long, value_name = "N", default_value_t = 5)]
    medium_from: u32,
    /// From how many failures on it is of high severity.
    #[arg(long, value_name = "N", default_value_t = 10)]
    high_from: u32,
    /// End with 1 if there are warnings.
    #[arg(long)]
    exit_code: bool,
}

pub(crate) fn failures(context: &Context, command: &Failures) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    match command {
        Failures::Record(arguments) => {
            let mut details = arguments.details.clone();
            if details == "-" {
                let mut bytes = Vec::new();
                io::stdin().lock().read_to_end(&mut bytes)?;
                details = String::from_utf8_lossy(&bytes).into_owned();
            }
            let failure = memory.record(&NewFailure {
                module_category: arguments.category.clone(),
                module_name: arguments.module.clone(),
                hypothesis: arguments.hypothesis.clone(),
                failure_type: arguments.failure_type.clone(),
                failure_details: details,
            })?;
            say(context, &failure, || {
                format!(
                    "Recorded {} as {}: {}.",
                    failure.id, failure.failure_type, failure.fingerprint
                )
            })
        }
        Failures::Patterns(arguments) => {
            let patterns = memory.patterns(&PatternFilter {
                module_name: arguments.module.clone(),
                failure_type: arguments.failure_type.clone(),
                min_count: Some(arguments.min_count),
            })?;
            say(context, &patterns, || match patterns.as_slice() {
                [] => "No failures.".to_owned(),
                some => some.iter().map(pattern_text).collect(),
            })
        }
        Failures::Check(arguments) => {
            let warnings = memory.check_warnings(&WarningQuery {
                module_name: arguments.module.clone(),
                hypothesis: arguments.hypothesis.clone(),
                min_count: Some(arguments.min_count),
                days: Some(arguments.days),
                medium_from: Some(arguments.medium_from),
                high_from: Some(arguments.high_from),
            })?;
            say(context, &warnings, || warnings_text(&warnings))?;
            Ok(if arguments.exit_code && !warnings.is_empty() {
                ExitCode::from(1)
            } else {
                ExitCode::SUCCESS
            })
        }
    }
}

fn pattern_text(pattern: &FailurePattern) -> String {
    let mut text = format!(
        "{:>5}×  {:<7}  {}\n         in {}\n",
        pattern.count,
        pattern.failure_type,
        show::cut(&pattern.template, 100),
        show::cut(&pattern.modules.join(", "), 100)
    );
    for example in &pattern.example_details {
        text.push_str(&format!("         {}\n", show::cut(example, 110)));
    }
    text
}

fn warnings_text(warnings: &[FailureWarning]) -> String {
    if warnings.is_empty() {
        return "No warnings: nothing like it keeps failing.".to_owned();
    }
    let mut text = "WARNING: Similar hypotheses have failed before:\n".to_owned();
    for warning in warnings {
        text.push_str(&format!(
            "{} ({} severity, {:.0} % sure)\n",
            warning.failure_type,
            warning.severity.as_str(),
            warning.confidence * 100.0
        ));
        text.extend(warning.similar_failures.iter().map(pattern_text));
    }
    text + "Be especially careful to avoid these specific errors.\n"
}
