//! `twiceshy decisions` and `twiceshy failures`: what to know before something is tried again, and files.

mod exchange;

use std::process::ExitCode;

use clap::Args;
use twiceshy::wit::memory::{
    Decision, DecisionCheck, DecisionQuery, Decisions, FailurePattern, FailureWarning, Failures,
    RejectionPattern, WarningQuery,
};

use super::{context::Context, failure::Failure, show};

pub(crate) use exchange::{File, export, import};

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
pub(crate) struct FailurePatterns {
    /// Only about this module.
    #[arg(long, default_value = "", hide_default_value = true)]
    module: String,
}

#[derive(Debug, Args)]
pub(crate) struct Warnings {
    /// The module.
    #[arg(long, alias = "module")]
    module_name: String,
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

pub(crate) fn check(context: &Context, arguments: &Check) -> Result<ExitCode, Failure> {
    let check = context.memory()?.check(&DecisionQuery {
        module: arguments.module.clone(),
        hypothesis: arguments.hypothesis.clone(),
        description: arguments.description.clone(),
        days: Some(arguments.days),
    })?;
    context.print(&check, || verdict(&check))?;
    Ok(code(arguments.exit_code && check.should_skip))
}

pub(crate) fn failure_patterns(
    context: &Context,
    arguments: &FailurePatterns,
) -> Result<ExitCode, Failure> {
    let patterns = context.memory()?.failure_patterns(&arguments.module)?;
    context.print(&patterns, || reasons(&arguments.module, &patterns))
}

pub(crate) fn check_warnings(context: &Context, arguments: &Warnings) -> Result<ExitCode, Failure> {
    let warnings = context.memory()?.check_warnings(&WarningQuery {
        module_name: arguments.module_name.clone(),
        hypothesis: arguments.hypothesis.clone(),
        min_count: Some(arguments.min_count),
        days: Some(arguments.days),
        medium_from: Some(arguments.medium_from),
        high_from: Some(arguments.high_from),
    })?;
    context.print(&warnings, || warned(&warnings))?;
    Ok(code(arguments.exit_code && !warnings.is_empty()))
}

fn code(stop: bool) -> ExitCode {
    match stop {
        true => ExitCode::from(1),
        false => ExitCode::SUCCESS,
    }
}

fn verdict(check: &DecisionCheck) -> Vec<String> {
    let Some(record) = &check.record else {
        return vec!["Nothing similar was rejected before or accepted recently.".to_owned()];
    };
    let verdict = match (check.rejected, check.accepted_recently) {
        (true, true) => "Rejected before, and accepted recently",
        (true, false) => "Rejected before",
        _ => "Accepted recently",
    };
    let similar = check.similarity * 100.0;
    let mut lines = vec![format!("{verdict} ({similar:.0} % similar):")];
    lines.extend(decision(record));
    lines
}

fn decision(decision: &Decision) -> Vec<String> {
    let mut lines = vec![
        format!(
            "{}  {:<8}  {}",
            show::time(decision.timestamp),
            decision.outcome,
            show::cut(&decision.module, 60)
        ),
        format!("    {}", show::cut(&decision.hypothesis, 110)),
    ];
    let details = [
        ("what", Some(&decision.description)),
        ("why", decision.rationale.as_ref()),
        ("reason", decision.rejection_reason.as_ref()),
    ];
    for (name, detail) in details {
        if let Some(detail) = detail.filter(|detail| !detail.is_empty()) {
            lines.push(format!("    {name}: {}", show::cut(detail, 104)));
        }
    }
    lines
}

fn reasons(module: &str, patterns: &[RejectionPattern]) -> Vec<String> {
    let about = match module.is_empty() {
        true => String::new(),
        false => format!(" on {}", show::line(module)),
    };
    if patterns.is_empty() {
        return vec![format!("No attempts{about} were rejected.")];
    }
    let mut lines = vec![format!("Previous attempts{about} failed due to:")];
    for pattern in patterns {
        lines.push(format!("- {} ({}×)", pattern.pattern, pattern.count));
        let examples = pattern.examples.iter();
        lines.extend(examples.map(|example| format!("    {}", show::cut(example, 150))));
    }
    lines.push("Avoid these specific errors.".to_owned());
    lines
}

fn warned(warnings: &[FailureWarning]) -> Vec<String> {
    if warnings.is_empty() {
        return vec!["No warnings: nothing similar keeps failing.".to_owned()];
    }
    let mut lines = vec!["WARNING: Similar hypotheses have failed before:".to_owned()];
    for warning in warnings {
        lines.push(format!(
            "{} ({} severity, {:.0} % sure)",
            warning.failure_type,
            warning.severity.as_str(),
            warning.confidence * 100.0
        ));
        lines.extend(warning.similar_failures.iter().flat_map(pattern));
    }
    lines.push("Be especially careful to avoid these specific errors.".to_owned());
    lines
}

fn pattern(pattern: &FailurePattern) -> Vec<String> {
    let (count, kind) = (pattern.count, &pattern.failure_type);
    let mut lines = vec![
        format!(
            "{count:>5}×  {kind:<7}  {}",
            show::cut(&pattern.template, 100)
        ),
        format!(
            "         in {}",
            show::cut(&pattern.modules.join(", "), 100)
        ),
    ];
    let examples = pattern.example_details.iter();
    lines.extend(examples.map(|example| format!("         {}", show::cut(example, 110))));
    lines
}
