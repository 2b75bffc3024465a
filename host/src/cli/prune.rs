//! `twiceshy prune`: removes what is older than a date, for good.
//!
//! Owns asking first. What belongs together when it goes is the memory's business.

use std::{
    io::{self, BufRead, IsTerminal, Write},
    process::ExitCode,
};

use clap::Args;
use serde_json::json;
use twiceshy::wit::memory::{Pruned, Upkeep};

use super::{context::Context, date, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy prune --before 2026-01-01 --dry-run
  twiceshy prune --before 2026-01-01 --yes

Removes episodes that ended before the date with their steps, events and showings, archived lessons that were
changed last before it, and decisions and failures recorded before it. Lessons that are not archived stay. The room on
disk is given back to the system. This can't be undone: export the memory first. Deleted episodes are removed by `twiceshy episodes purge`.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A date such as 2026-01-31, or with a time such as 2026-01-31T12:00, in UTC.
    #[arg(long, value_name = "DATE", value_parser = date::parse)]
    before: u64,
    /// Only show what would be removed.
    #[arg(long)]
    dry_run: bool,
    /// Do not ask.
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
}

pub(crate) fn prune(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let before = arguments.before;
    let planned = memory.prune(before, true)?;
    let things = [
        planned.episodes,
        planned.lessons,
        planned.decisions,
        planned.failures,
    ];
    let nothing = things.iter().all(|count| *count == 0);
    if arguments.dry_run || nothing {
        return report(context, before, &planned, false);
    }
    if !arguments.yes {
        if !io::stdin().is_terminal() || context.json {
            return Err(Failure::input(
                "nothing was removed: say --yes to remove without being asked, or --dry-run to see what would go",
            ));
        }
        eprint!(
            "{}\nRemove this for good? [y/N] ",
            text(before, &planned, false)
        );
        io::stderr().flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
            eprintln!("Nothing was removed.");
            return Ok(ExitCode::FAILURE);
        }
    }
    let store = context.store();
    let group = store.group()?;
    let pruned = memory.prune(before, false)?;
    if let Some(group) = group {
        group.end()?;
    }
    if let Some(store) = store.existing()? {
        store.give_back()?;
    }
    report(context, before, &pruned, true)
}

fn report(
    context: &Context,
    before: u64,
    pruned: &Pruned,
    removed: bool,
) -> Result<ExitCode, Failure> {
    let result = json!({ "before": before, "removed": removed, "pruned": pruned });
    context.print(&result, || vec![text(before, pruned, removed)])
}

fn text(before: u64, pruned: &Pruned, removed: bool) -> String {
    format!(
        "{} before {} UTC: {} episodes with {} steps, {} events and {} showings; {} archived lessons; \
         {} decisions; {} failures on record",
        if removed {
            "Removed from"
        } else {
            "To be removed from"
        },
        show::time(before),
        pruned.episodes,
        pruned.steps,
        pruned.events,
        pruned.activations,
        pruned.lessons,
        pruned.decisions,
        pruned.failures
    )
}
