//! `twiceshy uninstall`: removes what twiceshy put on this machine, and asks about what it remembers.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use clap::Args;
use serde_json::json;

use super::{arguments::Common, context::Context, failure::Failure, question, show, table};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy uninstall
  twiceshy uninstall --dry-run
  twiceshy uninstall --yes --data        # asks nothing, and removes what was remembered here, too

Takes back what `twiceshy setup` changed in the settings of agents, and removes compiled components. It asks before it
removes what can't be made again: the memory of this project, and the user's directory with settings, adapters and the user's own
memory. Memories of other projects are in their .twiceshy directories and stay. The program itself is removed with whatever
installed it; the command says where it is.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Show what would be removed, and remove nothing.
    #[arg(long)]
    dry_run: bool,
    /// Do not ask. What was remembered stays, unless --data is given, too.
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
    /// Remove what was remembered and configured as well.
    #[arg(long)]
    data: bool,
}

pub(crate) fn uninstall(arguments: &Arguments, common: &Common) -> Result<ExitCode, Failure> {
    let context = Context::new(common)?;
    let cache = context.home.cache();
    let data = [
        (
            "what this project remembers",
            context.project.directory().to_owned(),
        ),
        (
            "settings, adapters and the user's memory",
            context.home.directory().to_owned(),
        ),
    ];
    let data = data.into_iter().filter(|(_, path)| path.is_dir());
    let mut removed = Vec::new();
    let mut kept = Vec::new();
    let has_setup = table::entry("setup").is_some();
    if has_setup && !arguments.dry_run {
        undo_setup(arguments.yes, context.json)?;
    }
    if cache.is_dir() {
        remove(&cache, arguments.dry_run)?;
        removed.push(cache);
    }
    for (what, path) in data {
        let is_wanted = match (arguments.yes, arguments.data) {
            (true, data) => data,
            (false, true) if arguments.dry_run => true,
            (false, _) if arguments.dry_run => false,
            (false, _) => {
                let question = format!(
                    "Remove {what} ({}) for good?",
                    show::line(&path.display().to_string())
                );
                question::confirmed(&question)?.unwrap_or(false)
            }
        };
        match is_wanted {
            true => {
                remove(&path, arguments.dry_run)?;
                removed.push(path);
            }
            false => kept.push(path),
        }
    }
    let program = env::current_exe().unwrap_or_default();
    let report = json!({ "removed": removed, "kept": kept, "program": program, "dry-run": arguments.dry_run });
    context.print(&report, || {
        lines(&removed, &kept, &program, arguments.dry_run)
    })
}

fn lines(removed: &[PathBuf], kept: &[PathBuf], program: &Path, dry_run: bool) -> Vec<String> {
    let would = if dry_run { "Would remove" } else { "Removed" };
    let named = |word: &str, paths: &[PathBuf]| {
        let line = |path: &PathBuf| format!("{word} {}", show::line(&path.display().to_string()));
        paths.iter().map(line).collect::<Vec<_>>()
    };
    let mut lines = named(would, removed);
    lines.extend(named("Kept", kept));
    lines.push(format!(
        "The program is {}: remove it with what installed it (such as `cargo uninstall twiceshy`), or delete the file.",
        show::line(&program.display().to_string())
    ));
    lines
}

/// Lets `setup` take back what it did, in a process of its own: it asks and reports for itself.
fn undo_setup(yes: bool, json: bool) -> Result<(), Failure> {
    let program = env::current_exe()?;
    let mut command = Command::new(program);
    command.args(["setup", "--undo"]);
    if yes {
        command.arg("--yes");
    }
    if json {
        // Whoever reads our answer reads one JSON document.
        command.stdout(io::stderr());
    }
    match command.status()?.success() {
        true => Ok(()),
        false => Err(Failure::other(
            "`twiceshy setup --undo` failed, so nothing was removed; see above, or run it by itself",
        )),
    }
}

/// Removes a directory, but never through a link.
fn remove(directory: &Path, dry_run: bool) -> Result<(), Failure> {
    if dry_run {
        return Ok(());
    }
    let failed = |error: io::Error| Failure::other(format!("{}: {error}", directory.display()));
    if fs::symlink_metadata(directory)
        .map_err(failed)?
        .is_symlink()
    {
        return Err(failed(io::Error::other("it is a link; remove it yourself")));
    }
    fs::remove_dir_all(directory).map_err(failed)
}
