//! `twiceshy consolidate`: the nightly care of a memory, and taking it back.
//!
//! Owns that one process at a time does it, progress, and stopping between two pieces. What is done, and that nothing is
//! lost wherever it stops, is the memory's business.

use std::{
    fs::{File, OpenOptions},
    io::IsTerminal,
    os::unix::fs::OpenOptionsExt,
    process::ExitCode,
    time::{Duration, SystemTime},
};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use nix::{
    errno::Errno,
    fcntl::{Flock, FlockArg},
};
use serde_json::json;
use twiceshy::{
    Memory,
    wit::memory::{
        Consolidation, ConsolidationChange, ConsolidationReport, ConsolidationRequest, Error,
        Stage, Tally, Upkeep,
    },
};

use super::{
    care::{self, LOCK},
    context::Context,
    failure::Failure,
    interruption, show,
    words::word,
};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy consolidate --dry-run
  twiceshy consolidate
  twiceshy consolidate --stage extraction --hours 168
  twiceshy consolidate list
  twiceshy consolidate undo con_0123456789abcdef

Six stages: similar episodes are merged and old steps go to cold storage; recent episodes are searched for patterns;
patterns are tested; declining ones are narrowed, similar ones merged, obsolete ones deprecated; indices are updated; a
report is written. No memory is thrown away: showings that are old and many are summed up, and what undoing needs is kept
for 30 days (`undo-days` in config.toml). What is interrupted goes on with the next call; a second process that wants
to do it at the same time ends with exit code 3.

It is started by itself, quietly, when an agent with hooks pauses and the last time is a day ago (`consolidate-hours` in
config.toml; 0 for never).";

/// Changes that a person is shown.
const SHOWN: usize = 20;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only tell what would be done.
    #[arg(long)]
    dry_run: bool,
    /// Only this stage: episodes, extraction, validation, refinement, indices or report. May be repeated.
    #[arg(long, value_name = "STAGE", value_parser = word::<Stage>)]
    stage: Vec<Stage>,
    /// Search the episodes of this many last hours for patterns, instead of those since the last time.
    #[arg(long, value_name = "N")]
    hours: Option<u32>,
    /// Merge episodes only within this many days.
    #[arg(long, value_name = "N")]
    window_days: Option<u32>,
    /// Merge episodes from this similarity on, 0 to 1.
    #[arg(long, value_name = "X")]
    episode_similarity: Option<f64>,
    /// Merge patterns from this similarity on, 0 to 1.
    #[arg(long, value_name = "X")]
    pattern_similarity: Option<f64>,
    /// Take patterns from this confidence on, 0 to 1.
    #[arg(long, value_name = "X")]
    confidence: Option<f64>,
    /// Say nothing unless it fails.
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// How many at most.
    #[arg(long, default_value_t = 10)]
    limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// The consolidation, as `list` shows it.
    id: String,
}

/// Consolidates, piece by piece, until it is over or somebody wants it to stop.
pub(crate) fn consolidate(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let _alone = match arguments.dry_run {
        true => None,
        false => Some(alone(context)?),
    };
    let memory = context.memory()?;
    let mut request = ConsolidationRequest {
        stages: arguments.stage.clone(),
        dry_run: Some(arguments.dry_run),
        hours: arguments.hours,
        window_days: arguments.window_days,
        episode_similarity: arguments.episode_similarity,
        pattern_similarity: arguments.pattern_similarity,
        confidence: arguments.confidence,
        undo_days: Some(context.settings.undo_days),
        after: None,
    };
    if !arguments.dry_run {
        request.after = interrupted(&memory)?;
    }
    let went_on = request.after.is_some();
    interruption::watch();
    let bar = progress(arguments.quiet);
    let mut changes = Vec::new();
    let last = loop {
        let piece = memory.consolidate(&request)?;
        show_progress(&bar, &piece);
        changes.extend(piece.changes.iter().cloned());
        request.after.clone_from(&piece.next);
        if piece.next.is_none() || interruption::is_wanted() {
            break piece;
        }
    };
    bar.finish_and_clear();
    let stopped = last.next.is_some();
    if !arguments.quiet || context.json {
        let result = json!({
            "id": last.id,
            "dry-run": last.dry_run,
            "went-on": went_on,
            "over": !stopped,
            "changes": changes,
            "report": last.report,
        });
        context.print(&result, || text(&last, &changes, went_on))?;
    }
    Ok(match stopped {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// Consolidates if the last time is `hours` ago, in pieces, until it is over or `is_wanted` says that it should stop: for a
/// service, which has no night of its own.
pub(super) fn if_due(
    memory: &Memory,
    (hours, undo_days): (u32, u32),
    is_wanted: impl Fn() -> bool,
) -> Result<(), Error> {
    let last = memory.consolidations(1)?.into_iter().next();
    let begun = last.as_ref().map(|last| {
        let begun = Duration::from_millis(last.started_at);
        SystemTime::UNIX_EPOCH + begun
    });
    if begun.is_some_and(|begun| !care::is_due(begun, SystemTime::now(), hours)) {
        return Ok(());
    }
    let mut request = ConsolidationRequest {
        undo_days: Some(undo_days),
        after: last.and_then(|last| last.next),
        ..ConsolidationRequest::default()
    };
    loop {
        request.after = memory.consolidate(&request)?.next;
        if request.after.is_none() || is_wanted() {
            return Ok(());
        }
    }
}

/// The consolidation that was interrupted, if there is one: whoever holds the lock may go on with it at once.
fn interrupted(memory: &Memory) -> Result<Option<String>, Error> {
    let last = memory.consolidations(1)?;
    Ok(last.into_iter().find_map(|last| last.next))
}

pub(crate) fn undo(context: &Context, arguments: &Undo) -> Result<ExitCode, Failure> {
    let id = &arguments.id;
    let _alone = alone(context)?;
    let memory = context.memory()?;
    interruption::watch();
    let bar = progress(false);
    let mut changes = Vec::new();
    let mut after = String::new();
    let last = loop {
        let piece = memory.undo_consolidation(id, &after)?;
        show_progress(&bar, &piece);
        changes.extend(piece.changes.iter().cloned());
        match &piece.next {
            Some(next) if !interruption::is_wanted() => after.clone_from(next),
            _ => break piece,
        }
    };
    bar.finish_and_clear();
    let left = changes.iter().filter(|change| is_left(change)).count();
    let result = json!({ "id": id, "undone": last.undone, "left": left, "changes": changes });
    context.print(&result, || {
        let head = match last.undone {
            true => format!(
                "Took back {} changes of {id}; left {left}.",
                changes.len() - left
            ),
            false => format!("Stopped; `twiceshy consolidate undo {id}` goes on."),
        };
        std::iter::once(head).chain(lines(&changes)).collect()
    })?;
    Ok(match last.undone {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn is_left(change: &ConsolidationChange) -> bool {
    change.change.starts_with("left:")
}

pub(crate) fn list(context: &Context, arguments: &List) -> Result<ExitCode, Failure> {
    let all = context.memory()?.consolidations(arguments.limit)?;
    context.print(&all, || {
        if all.is_empty() {
            return vec!["No consolidation yet; `twiceshy consolidate` makes one.".to_owned()];
        }
        let line = |one: &Consolidation| {
            let state = match (one.undone, one.ended_at) {
                (true, _) => "undone",
                (false, Some(_)) => "over",
                (false, None) => "interrupted",
            };
            let counts = one.report.as_ref().map(|report| tallies(&report.stages));
            let counts = counts.unwrap_or_else(|| format!("{} changes", one.changes.len()));
            let at = show::time(one.started_at);
            format!("{}  {at}  {state}  {counts}", one.id)
        };
        all.iter().map(line).collect()
    })
}

/// The lock under which one process consolidates a memory. It is gone with the process, however that ends.
fn alone(context: &Context) -> Result<Flock<File>, Failure> {
    context.refuse_foreign()?;
    context.project.create()?;
    let path = context.project.directory().join(LOCK);
    let file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .custom_flags(nix::libc::O_NOFOLLOW | nix::libc::O_NONBLOCK)
        .open(&path)?;
    let lock =
        Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, error)| match error {
            Errno::EWOULDBLOCK => Failure::from(Error::Busy(
                "another process consolidates this memory; wait until it is done".to_owned(),
            )),
            error => Failure::other(format!("{}: {error}", path.display())),
        })?;
    // The time of the file says when it was last.
    lock.set_modified(SystemTime::now())?;
    Ok(lock)
}

fn progress(quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg:10} {bar:40} {pos}/{len} {elapsed}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_style(style)
}

fn show_progress(bar: &ProgressBar, piece: &Consolidation) {
    bar.set_message(piece.stage.as_str());
    bar.set_length(u64::from(piece.total));
    bar.set_position(u64::from(piece.done));
}

fn text(last: &Consolidation, changes: &[ConsolidationChange], went_on: bool) -> Vec<String> {
    let mut text = Vec::new();
    if went_on {
        text.push(format!("Went on with {}, which was interrupted.", last.id));
    }
    text.push(match (last.dry_run, changes.len()) {
        (_, 0) => "Nothing to change.".to_owned(),
        (true, count) => format!("{count} changes would be made."),
        (false, count) => format!(
            "{count} changes; `twiceshy consolidate undo {}` takes them back.",
            last.id
        ),
    });
    text.extend(lines(changes));
    if last.next.is_some() {
        text.push("Stopped; `twiceshy consolidate` goes on.".to_owned());
    }
    text.extend(last.report.as_ref().map(report));
    text
}

fn lines(changes: &[ConsolidationChange]) -> Vec<String> {
    let line = |change: &ConsolidationChange| {
        show::cut(
            &format!(
                "  {:10}  {}  {} ({})",
                change.stage.as_str(),
                change.memory,
                change.change,
                change.reason
            ),
            200,
        )
    };
    let mut lines: Vec<_> = changes.iter().take(SHOWN).map(line).collect();
    if changes.len() > SHOWN {
        lines.push(format!(
            "  and {} more; --json shows all",
            changes.len() - SHOWN
        ));
    }
    lines
}

fn report(report: &ConsolidationReport) -> String {
    format!(
        "Patterns: {}\nThe memory holds: {}",
        tallies(&report.patterns),
        tallies(&report.storage)
    )
}

fn tallies(counts: &[Tally]) -> String {
    let counts: Vec<_> = counts
        .iter()
        .map(|tally| format!("{} {}", tally.count, tally.name))
        .collect();
    match counts.is_empty() {
        true => "nothing".to_owned(),
        false => counts.join(", "),
    }
}
