//! `twiceshy recall`: what is known that may help, with the parts of every score. Changes nothing.

use std::{io::Read, process::ExitCode};

use clap::Args;
use twiceshy::{
    limits,
    wit::memory::{EventFilter, Events, FailureContext, Hint, Recall, TaskContext},
};

use super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy recall 'convert the report to PDF'
  twiceshy recall '' --on-error 'pandoc: report.md: openBinaryFile: does not exist'
  make 2>&1 | twiceshy recall 'build it' --on-error - --action make

score = 0.40·fingerprint + 0.25·tags + 0.20·text + 0.10·reliability + 0.05·recency";

/// Failures of late that say something about what is being worked on.
const RECENT_FAILURES: u32 = 8;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The task in words; may be empty.
    task: String,
    /// The domain of its steps.
    #[arg(long, default_value = "cli")]
    domain: String,
    /// What is known about this error text, instead of about the task alone; `-` reads standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    on_error: Option<String>,
    /// The action that failed with it, such as the command that was run.
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        requires = "on_error"
    )]
    action: Option<String>,
    /// At most so many.
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// At most so many tokens of rules, by estimate.
    #[arg(long, value_name = "N")]
    tokens: Option<u32>,
}

pub(crate) fn recall(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let hints = match &arguments.on_error {
        Some(text) => memory.on_error(&FailureContext {
            evidence: evidence(text)?,
            fingerprint: None,
            action_text: arguments.action.clone(),
            domain: arguments.domain.clone(),
            task: arguments.task.clone(),
            limit: arguments.limit,
            tokens: arguments.tokens,
        })?,
        None => {
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
            memory.for_task(&TaskContext {
                task: arguments.task.clone(),
                domain: arguments.domain.clone(),
                recent_fingerprints,
                limit: arguments.limit,
                tokens: arguments.tokens,
            })?
        }
    };
    context.print(&hints, || {
        if hints.is_empty() {
            vec!["Nothing is known.".to_owned()]
        } else {
            hints.iter().flat_map(lines).collect()
        }
    })
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
        score,
        parts,
        lane,
    } = hint;
    vec![
        format!("{score:.2}  {}", show::cut(&lesson.rule_text, 150)),
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
