//! `twiceshy patterns`: lessons with applicability, content and statistics.
//!
//! Owns the arguments and which function of the memory each of them is. How patterns are shown is in `report`.

mod report;

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use serde::de::DeserializeOwned;
use twiceshy::wit::memory::{
    Feature, LessonKind, LessonStatus, NewPattern, Outcome, Pattern, PatternUpdate, Patterns as _,
    TaskFeatures, Validation,
};

use super::{context::Context, failure::Failure, input, lessons::or_none, words::word};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy patterns
  twiceshy patterns add pattern.json
  twiceshy patterns applicable 'split the parser' --task-type refactoring --domain rust --feature tests=12
  twiceshy patterns apply les_0123456789abcdef run_0123456789abcdef success
  twiceshy patterns validate --all --dry-run
  twiceshy patterns merge les_0123456789abcdef les_fedcba9876543210 --reason 'the same'

A pattern is a lesson: `twiceshy lessons` moves it by hand, `twiceshy why` shows what it rests on.

A pattern to add is a JSON object; only name, kind and summary are needed:
  {\"name\": \"Cut by file\", \"kind\": \"decomposition\", \"summary\": \"One subtask for each file.\",
   \"applicability\": {\"problem-types\": [\"refactoring\"], \"domains\": [\"rust\"],
                     \"context-conditions\": [{\"feature\": \"tests\", \"test\": \"at-least\", \"value\": \"1\"}]},
   \"content\": {\"procedure\": {\"steps\": [\"list the files\", \"change one\", \"test it\"]}}}
An update has the same members, of which any may be left out.";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    list: List,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List patterns, the ones changed last first.
    List(List),
    /// Show all that is known of a pattern.
    Show(One),
    /// Add a pattern, or an array of patterns, from a JSON file.
    Add(Add),
    /// Show the patterns that apply to a task, best first, with the parts of each rank.
    Applicable(Applicable),
    /// Change a pattern; what it was stays on record.
    Update(Update),
    /// List the versions of a pattern that were replaced.
    History(One),
    /// Record that a pattern was applied in an episode, and how that ended.
    Apply(Apply),
    /// Test a pattern, or all of them, by their applications of the last 90 days.
    Validate(Validate),
    /// Show or set what a pattern must show to be validated.
    Gate(Gate),
    /// End a review: narrow the applicability and begin anew.
    Refine(Update),
    /// Take a pattern out of use.
    Deprecate(Deprecate),
    /// List patterns that are like one.
    Similar(Similar),
    /// Make one pattern of several; the surest stays.
    Merge(Merge),
    /// Put patterns of little value under review or into the archive. Nothing is deleted.
    Prune(Prune),
}

#[derive(Debug, Args)]
struct List {
    /// Only of this kind, such as strategy, decomposition, recovery or fact.
    #[arg(long, value_parser = word::<LessonKind>)]
    kind: Option<LessonKind>,
    /// Only with this status: candidate, promoted, under-review, suppressed, deprecated, archived.
    #[arg(long, value_parser = word::<LessonStatus>)]
    status: Option<LessonStatus>,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

#[derive(Debug, Args)]
struct One {
    /// The pattern's id.
    pattern: String,
}

#[derive(Debug, Args)]
struct Add {
    /// The file; `-` for standard input.
    file: PathBuf,
}

#[derive(Debug, Args)]
struct Applicable {
    /// The task in words.
    #[arg(default_value = "", hide_default_value = true)]
    task: String,
    /// What kind of task it is, such as refactoring.
    #[arg(long, default_value = "", hide_default_value = true)]
    task_type: String,
    /// Its domain.
    #[arg(long, default_value = "", hide_default_value = true)]
    domain: String,
    /// How hard it is, from 0 to 1.
    #[arg(long)]
    complexity: Option<f64>,
    /// What the agent can do. May be repeated.
    #[arg(long)]
    capability: Vec<String>,
    /// Anything else that is known of the task. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = feature)]
    feature: Vec<Feature>,
    /// Only of this kind; then candidates count as well.
    #[arg(long, value_parser = word::<LessonKind>)]
    kind: Option<LessonKind>,
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: u32,
}

#[derive(Debug, Args)]
struct Update {
    /// The pattern's id.
    pattern: String,
    /// A JSON file with the members to change; `-` for standard input.
    file: PathBuf,
    /// Why it is changed.
    #[arg(long)]
    reason: String,
}

#[derive(Debug, Args)]
struct Apply {
    /// The pattern's id.
    pattern: String,
    /// The episode's id.
    episode: String,
    /// How it ended: success, failure, partial or abandoned.
    #[arg(value_parser = word::<Outcome>)]
    outcome: Outcome,
}

#[derive(Debug, Args)]
struct Validate {
    /// The pattern's id.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pattern: Option<String>,
    /// All that are candidates, promoted or under review.
    #[arg(long)]
    all: bool,
    /// Only say what would be.
    #[arg(long, requires = "all")]
    dry_run: bool,
}

#[derive(Debug, Args)]
struct Gate {
    /// Applications at least.
    #[arg(long, value_name = "N")]
    applications: Option<u32>,
    /// The success rate at least.
    #[arg(long, value_name = "RATE")]
    success_rate: Option<f64>,
    /// The p-value must be below.
    #[arg(long, value_name = "P")]
    significance: Option<f64>,
    /// The confidence must be above.
    #[arg(long, value_name = "CONFIDENCE")]
    confidence: Option<f64>,
}

#[derive(Debug, Args)]
struct Deprecate {
    /// The pattern's id.
    pattern: String,
    /// Why.
    #[arg(long)]
    reason: String,
    /// The pattern that takes its place.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    superseded_by: String,
}

#[derive(Debug, Args)]
struct Similar {
    /// The pattern's id.
    pattern: String,
    /// How alike at least, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.7)]
    least: f64,
}

#[derive(Debug, Args)]
struct Merge {
    /// The patterns' ids.
    #[arg(required = true, num_args = 2..)]
    patterns: Vec<String>,
    /// Why.
    #[arg(long)]
    reason: String,
}

#[derive(Debug, Args)]
struct Prune {
    /// Only say what would be.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn patterns(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let pattern = match arguments.command.as_ref().unwrap_or(&Command::List(List {
        kind: arguments.list.kind,
        status: arguments.list.status,
        limit: arguments.list.limit,
    })) {
        Command::List(list) => {
            let found = memory.find(list.kind, list.status, list.limit)?;
            return listed(context, &found);
        }
        Command::Show(one) => {
            let pattern = memory.get(&one.pattern)?;
            return context.print(&pattern, || report::whole(&pattern));
        }
        Command::Add(add) => {
            let text = input::read(&add.file)?;
            let added = match text.trim_start().starts_with('[') {
                true => parsed::<Vec<NewPattern>>(&add.file, &text)?,
                false => vec![parsed(&add.file, &text)?],
            };
            let added = added.iter().map(|new| memory.add(new));
            return listed(context, &added.collect::<Result<Vec<_>, _>>()?);
        }
        Command::Applicable(asked) => {
            let found = memory.find_applicable(&asked.features())?;
            return context.print(&found, || {
                or_none(
                    found.iter().flat_map(report::applicable),
                    "No patterns apply.",
                )
            });
        }
        Command::Update(update) => memory.update(&update.pattern, &update.read()?)?,
        Command::Refine(update) => memory.refine(&update.pattern, &update.read()?)?,
        Command::History(one) => {
            let versions = memory.history(&one.pattern)?;
            return context.print(&versions, || {
                or_none(versions.iter().flat_map(report::version), "No versions.")
            });
        }
        Command::Apply(apply) => {
            memory.record_application(&apply.pattern, &apply.episode, apply.outcome)?
        }
        Command::Validate(validate) => {
            let found = match &validate.pattern {
                Some(pattern) => vec![memory.validate(pattern)?],
                None => all(&memory, validate.dry_run)?,
            };
            return validations(context, &found);
        }
        Command::Gate(set) => {
            let mut gate = memory.gate()?;
            gate.least_applications = set.applications.unwrap_or(gate.least_applications);
            gate.least_success_rate = set.success_rate.unwrap_or(gate.least_success_rate);
            gate.significance = set.significance.unwrap_or(gate.significance);
            gate.confidence = set.confidence.unwrap_or(gate.confidence);
            if gate != memory.gate()? {
                gate = memory.set_gate(&gate)?;
            }
            return context.print(&gate, || report::gate(&gate));
        }
        Command::Deprecate(gone) => {
            memory.deprecate(&gone.pattern, &gone.reason, &gone.superseded_by)?
        }
        Command::Similar(similar) => {
            let found = memory.similar(&similar.pattern, similar.least)?;
            return context.print(&found, || {
                or_none(found.iter().flat_map(report::similar), "None is like it.")
            });
        }
        Command::Merge(merge) => memory.merge(&merge.patterns, &merge.reason)?,
        Command::Prune(prune) => {
            let moved = memory.prune(prune.dry_run)?;
            return validations(context, &moved);
        }
    };
    context.print(&pattern, || report::summary(&pattern))
}

/// Validates all patterns, piece by piece, so that an interrupted run keeps what it did.
fn all(
    memory: &impl twiceshy::wit::memory::Patterns,
    dry_run: bool,
) -> Result<Vec<Validation>, Failure> {
    const AT_ONCE: u32 = 50;
    let progress = ProgressBar::new_spinner();
    progress.set_message("validating patterns");
    let mut found: Vec<Validation> = Vec::new();
    loop {
        let after = found.last().map_or("", |last| last.pattern.as_str());
        let more = memory.validate_all(after, AT_ONCE, dry_run)?;
        if more.is_empty() {
            progress.finish_and_clear();
            return Ok(found);
        }
        progress.inc(more.len() as u64);
        found.extend(more);
    }
}

fn listed(context: &Context, patterns: &[Pattern]) -> Result<ExitCode, Failure> {
    context.print(&patterns, || {
        or_none(patterns.iter().flat_map(report::summary), "No patterns.")
    })
}

fn validations(context: &Context, found: &[Validation]) -> Result<ExitCode, Failure> {
    context.print(&found, || {
        or_none(found.iter().map(report::validation), "Nothing to do.")
    })
}

impl Applicable {
    fn features(&self) -> TaskFeatures {
        TaskFeatures {
            task: self.task.clone(),
            task_type: self.task_type.clone(),
            domain: self.domain.clone(),
            complexity: self.complexity,
            capabilities: self.capability.clone(),
            features: self.feature.clone(),
            category: self.kind,
            limit: Some(self.limit),
        }
    }
}

impl Update {
    fn read(&self) -> Result<PatternUpdate, Failure> {
        let text = input::read(&self.file)?;
        let name = self.file.display();
        let mut members: serde_json::Map<String, serde_json::Value> = parsed(&self.file, &text)?;
        members.insert("reason".to_owned(), self.reason.clone().into());
        serde_json::from_value(members.into())
            .map_err(|error| Failure::input(format!("{name}: {error}")))
    }
}

fn parsed<T: DeserializeOwned>(file: &std::path::Path, text: &str) -> Result<T, Failure> {
    serde_json::from_str(text)
        .map_err(|error| Failure::input(format!("{}: {error}", file.display())))
}

fn feature(text: &str) -> Result<Feature, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok(Feature {
            name: name.trim().to_owned(),
            value: value.trim().to_owned(),
        }),
        _ => Err("not NAME=VALUE, such as tests=12".to_owned()),
    }
}
