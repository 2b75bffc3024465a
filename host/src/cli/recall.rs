//! `twiceshy recall`: what is known that may help with a task or an error. Changes nothing.

pub(super) mod bundle;

use std::{io::Read, process::ExitCode};

use clap::Args;
use twiceshy::{
    limits,
    wit::memory::{
        ContextRequest, EventFilter, Events, FailureContext, Feature, Hint, Recall, TaskContext,
        Work,
    },
};

use super::{context::Context, failure::Failure, show, words::word};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy recall 'convert the report to PDF'
  twiceshy recall 'add a column to orders' --task-type migration --feature language=sql --action 'alter table'
  twiceshy recall 'fix the login' --text --tokens 500     # exactly what goes into a prompt
  twiceshy recall 'convert the report to PDF' --lessons   # lessons alone, with the parts of every score
  twiceshy recall '' --on-error 'pandoc: report.md: openBinaryFile: does not exist'
  make 2>&1 | twiceshy recall 'build it' --on-error - --action make

For a task: patterns and lessons, similar episodes, facts, skills and what to avoid, weighed by kind of work.
  fit = similarity · (0.7 + 0.2·worth + 0.1·recency), score = weight · fit
Of lessons, and on an error:
  score = 0.40·fingerprint + 0.25·tags + 0.20·text + 0.10·reliability + 0.05·recency";

/// Recent failures that say something about what is being worked on.
const RECENT_FAILURES: u32 = 8;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The task in words; may be empty with --on-error and --lessons.
    task: String,
    /// The domain of its steps.
    #[arg(long, default_value = "cli")]
    domain: String,
    /// What is known about this error text, instead of about the task alone; `-` reads standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    on_error: Option<String>,
    /// Lessons alone, with the parts of every score.
    #[arg(long, conflicts_with = "on_error")]
    lessons: bool,
    /// The action that is about to be taken, or that failed with the error, such as a command.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    action: Option<String>,
    /// What kind of task it is, such as `migration`.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["on_error", "lessons"])]
    task_type: Option<String>,
    /// What kind of work it is: exploration, implementation, debugging, review or refactoring; found from the
    /// words if it is not given.
    #[arg(long, value_name = "WORK", value_parser = word::<Work>, conflicts_with_all = ["on_error", "lessons"])]
    work: Option<Work>,
    /// Something else that is known of the task. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = feature, conflicts_with_all = ["on_error", "lessons"])]
    feature: Vec<Feature>,
    /// Print exactly what goes into a prompt.
    #[arg(long, conflicts_with_all = ["on_error", "lessons"])]
    text: bool,
    /// How many memories at most; what to avoid is not counted.
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// How many tokens at most (estimated).
    #[arg(long, value_name = "N")]
    tokens: Option<u32>,
}

fn feature(text: &str) -> Result<Feature, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok(Feature {
            name: name.trim().to_owned(),
            value: value.trim().to_owned(),
        }),
        _ => Err(format!("`{text}` is not NAME=VALUE, such as language=rust")),
    }
}

pub(crate) fn recall(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if context.is_off() {
        return Ok(ExitCode::SUCCESS);
    }
    let hints = match &arguments.on_error {
        Some(text) => on_error(context, arguments, &evidence(text)?)?,
        None if arguments.lessons => lessons(context, arguments)?,
        None => return for_task(context, arguments),
    };
    context.print(&hints, || {
        if hints.is_empty() {
            vec!["Nothing is known.".to_owned()]
        } else {
            hints.iter().flat_map(lines).collect()
        }
    })
}

/// All that may help with a task.
fn for_task(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    super::skills::follow(context, &memory);
    let bundle = memory.context(&ContextRequest {
        task: arguments.task.clone(),
        domain: arguments.domain.clone(),
        task_type: arguments.task_type.clone(),
        work: arguments.work,
        action: arguments.action.clone(),
        features: arguments.feature.clone(),
        limit: arguments.limit,
        tokens: arguments.tokens,
    })?;
    if arguments.text && !context.json {
        // Byte by byte what an agent would get; nothing is nothing.
        print!("{}", bundle.text);
        return Ok(ExitCode::SUCCESS);
    }
    context.print(&bundle, || bundle::lines(&bundle))
}

fn on_error(
    context: &Context,
    arguments: &Arguments,
    evidence: &str,
) -> Result<Vec<Hint>, Failure> {
    Ok(context.memory()?.on_error(&FailureContext {
        evidence: evidence.to_owned(),
        fingerprint: None,
        action_text: arguments.action.clone(),
        domain: arguments.domain.clone(),
        task: arguments.task.clone(),
        limit: arguments.limit,
        tokens: arguments.tokens,
    })?)
}

fn lessons(context: &Context, arguments: &Arguments) -> Result<Vec<Hint>, Failure> {
    let memory = context.memory()?;
    let recent = Events::find(
        &memory,
        &EventFilter {
            fingerprint: None,
            run: None,
            domain: Some(arguments.domain.clone()),
            tag: None,
            limit: Some(RECENT_FAILURES),
        },
    )?;
    let mut recent_fingerprints: Vec<String> = Vec::new();
    for event in recent {
        if !recent_fingerprints.contains(&event.fingerprint) {
            recent_fingerprints.push(event.fingerprint);
        }
    }
    Ok(memory.for_task(&TaskContext {
        task: arguments.task.clone(),
        domain: arguments.domain.clone(),
        recent_fingerprints,
        limit: arguments.limit,
        tokens: arguments.tokens,
    })?)
}

fn evidence(text: &str) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    input
        .take(limits::REQUEST_BYTES as u64)
        .read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn lines(hint: &Hint) -> Vec<String> {
    let Hint {
        lesson,
        text,
        score,
        parts,
        lane,
    } = hint;
    vec![
        format!("{score:.2}  {}", show::cut(text, 150)),
        format!(
            "      {}, {}, {}: fingerprint {:.2}, tags {:.2}, text {:.2}, reliability {:.2}, recency {:.2}",
            show::line(&lesson.id),
            lesson.status.as_str(),
            lane.as_str(),
            parts.fingerprint_match,
            parts.tag_overlap,
            parts.text_similarity,
            parts.reliability,
            parts.recency
        ),
    ]
}
