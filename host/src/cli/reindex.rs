//! `twiceshy reindex`: vectors of the present embedder for everything that has none.
//!
//! Owns progress and stopping between two pieces. What is embedded, and that nothing is lost wherever it stops, is the
//! memory's business.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use twiceshy::wit::memory::{Error, Upkeep};

use super::{context::Context, export::progress, failure::Failure, interruption};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy reindex
  twiceshy reindex --json

After the embedder changed, or came late: episodes, lessons, skills and experience get its vectors. What has them already
is left alone, so that it can be interrupted and called again. Until then everything is found by words, and what has
vectors of the present embedder by meaning, too. `twiceshy doctor` says which embedder is used. `twiceshy consolidate`
does the same at night.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Say nothing unless it fails.
    #[arg(long, short)]
    quiet: bool,
}

/// What was done to one kind of memories.
#[derive(Debug, Default)]
struct Done {
    name: String,
    looked_at: u32,
    embedded: u32,
    removed: u32,
}

/// Reindexes, piece by piece, until it is over or somebody wants it to stop.
pub(crate) fn reindex(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    interruption::watch();
    let bar = match arguments.quiet {
        true => indicatif::ProgressBar::hidden(),
        false => progress("embedding", 1),
    };
    let mut after = String::new();
    let mut all: Vec<Done> = Vec::new();
    let (model, stopped) = loop {
        let piece = memory.reindex(&after).map_err(|error| match error {
            Error::Unavailable(_) => Error::Unavailable(
                "No embedder is used, so there is nothing to reindex. [embedding] in config.toml names one; \
                 `twiceshy doctor` says more."
                    .to_owned(),
            ),
            error => error,
        })?;
        if all.last().is_none_or(|done| done.name != piece.memories) {
            let name = piece.memories.clone();
            all.push(Done {
                name,
                ..Done::default()
            });
        }
        if let Some(done) = all.last_mut() {
            done.looked_at = piece.done;
            done.embedded += piece.embedded;
            done.removed += piece.removed;
        }
        bar.set_message(piece.memories.clone());
        bar.set_length(u64::from(piece.total));
        bar.set_position(u64::from(piece.done));
        match piece.next {
            Some(next) if !interruption::is_wanted() => after = next,
            next => break (piece.model, next.is_some()),
        }
    };
    bar.finish_and_clear();
    if !arguments.quiet || context.json {
        let memories: Vec<_> = all
            .iter()
            .map(|done| {
                json!({
                    "memories": done.name,
                    "looked-at": done.looked_at,
                    "embedded": done.embedded,
                    "removed": done.removed,
                })
            })
            .collect();
        let result = json!({ "model": model, "over": !stopped, "memories": memories });
        context.print(&result, || text(&model, &all, stopped))?;
    }
    Ok(match stopped {
        true => ExitCode::from(interruption::EXIT_CODE),
        false => ExitCode::SUCCESS,
    })
}

fn text(model: &str, all: &[Done], stopped: bool) -> Vec<String> {
    let mut lines = vec![format!("Embedder: {model}")];
    for done in all {
        let removed = match done.removed {
            0 => String::new(),
            count => format!(", {count} old vectors removed"),
        };
        lines.push(format!(
            "{:10}  {} looked at, {} new vectors{removed}",
            done.name, done.looked_at, done.embedded
        ));
    }
    if stopped {
        lines.push("Stopped; `twiceshy reindex` goes on.".to_owned());
    }
    lines
}
