//! `twiceshy export`: the memory as files that others can read.
//!
//! Owns directories, files and progress. The formats are the memory's business.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use twiceshy::{
    Memory,
    wit::memory::{Exchange, ExportRequest, LineKind},
};

use super::{context::Context, failure::Failure, import::whole, pieces, show, skills, words::word};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy export backup/
  twiceshy export memory.jsonl
  twiceshy export memory_events.jsonl --kind events
  twiceshy export - --kind lessons | head

A directory gets the tree of the memory hierarchy: episodic/DATE/task-NNN.json and episodic/index.json,
semantic/{patterns,anti-patterns,facts,links}.json, skills/NAME.md, ledgers/, handoffs/, learnings/ and metrics/.
What those files can't hold is in their member `twiceshy` and in twiceshy/, so that `twiceshy import` brings back
all of it. Each file is written whole or not at all; exporting there again replaces what was exported before.

A file whose name ends with .jsonl, or --format jsonl, gets everything in one file of JSON Lines, which `twiceshy import` brings back
as well: the first line is {\"twiceshy-export\": 1}, the version of the form; every other line is {\"path\": …, \"text\": …}, a file
of that tree.

With --kind, one file of JSON Lines: events (memory_events.jsonl), lessons (memory_lessons.jsonl), episodes or
experience.";

/// What is in the directory of an export: the files that were written, one a line.
const MARKER: &str = ".twiceshy-export";

/// How the memory is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The directory tree of the memory hierarchy.
    Tree,
    /// JSON Lines: of one kind, or everything.
    Jsonl,
}

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The directory of a tree, or the file of lines; `-` writes lines to standard output.
    place: PathBuf,
    /// How it is written; jsonl if --kind is given or the name ends with .jsonl, else tree.
    #[arg(long)]
    format: Option<Format>,
    /// What the lines are: events, lessons, episodes or experience.
    #[arg(long, value_parser = word::<LineKind>)]
    kind: Option<LineKind>,
    /// Write into a directory that holds other files, too. They stay, unless they have the same names.
    #[arg(long)]
    force: bool,
}

pub(crate) fn export(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let place = &arguments.place;
    match (arguments.format, arguments.kind) {
        (Some(Format::Tree), Some(_)) => Err(Failure::input(
            "a tree has all kinds; leave --kind out, or take --format jsonl",
        )),
        (format, None)
            if format == Some(Format::Jsonl) || (format.is_none() && is_lines(place)) =>
        {
            skills::follow(context, &memory);
            pieces::write(
                context,
                place,
                "files of the tree",
                |request| {
                    let piece = memory.export_tree(request)?;
                    let head = request.after.is_none().then(whole::head);
                    let lines = piece.files.iter().map(whole::line);
                    let text = head.into_iter().chain(lines).collect();
                    Ok((text, piece.files.len() as u32, piece.next))
                },
                |error| unwritable(place, &error),
            )
        }
        (_, Some(kind)) => pieces::write(
            context,
            place,
            kind.as_str(),
            |request| {
                let piece = memory.export_lines(kind, request)?;
                Ok((piece.text, piece.records, piece.next))
            },
            |error| unwritable(place, &error),
        ),
        (_, None) => {
            skills::follow(context, &memory);
            tree(context, &memory, place, arguments.force)
        }
    }
}

/// Whether the name of a place is that of a file of JSON Lines.
fn is_lines(place: &Path) -> bool {
    place
        .extension()
        .is_some_and(|extension| extension == "jsonl")
        && !place.is_dir()
}

fn unwritable(place: &Path, error: &io::Error) -> Failure {
    Failure::other(format!(
        "{}: {error}; choose another place",
        place.display()
    ))
}

/// Writes the tree, piece by piece, each file whole or not at all.
fn tree(
    context: &Context,
    memory: &Memory,
    place: &Path,
    force: bool,
) -> Result<ExitCode, Failure> {
    let failed = |error: io::Error| unwritable(place, &error);
    let before = prepared(place, force)?;
    let bar = progress("exporting", 0);
    let mut written = BTreeSet::new();
    let mut after = None;
    loop {
        let piece = memory.export_tree(&ExportRequest { after })?;
        for file in &piece.files {
            let path = within(place, &file.path)?;
            skills::replace(&path, file.text.as_bytes())
                .map_err(|error| unwritable(&path, &error))?;
            written.insert(file.path.clone());
            bar.inc(1);
        }
        after = piece.next;
        if after.is_none() {
            break;
        }
    }
    bar.finish_and_clear();
    // What an earlier export wrote and this one did not is no longer true.
    for path in before.difference(&written) {
        if let Ok(path) = within(place, path) {
            let _ = fs::remove_file(path);
        }
    }
    let list: Vec<_> = written.iter().map(String::as_str).collect();
    skills::replace(&place.join(MARKER), list.join("\n").as_bytes()).map_err(failed)?;
    let report = json!({ "files": written.len(), "directory": place });
    context.print(&report, || {
        let name = show::line(&place.display().to_string());
        vec![format!("Wrote {} files to {name}.", written.len())]
    })
}

/// Makes the directory ready. Gives the files that an earlier export wrote there.
fn prepared(place: &Path, force: bool) -> Result<BTreeSet<String>, Failure> {
    let failed = |error: io::Error| unwritable(place, &error);
    fs::create_dir_all(place).map_err(failed)?;
    let marker = place.join(MARKER);
    let before = match fs::symlink_metadata(&marker) {
        Ok(metadata) if metadata.is_file() => fs::read_to_string(&marker).map_err(failed)?,
        _ => {
            let empty = fs::read_dir(place).map_err(failed)?.next().is_none();
            if !empty && !force {
                return Err(Failure::input(format!(
                    "{} holds files that no export wrote; choose an empty directory, or take --force to write beside them",
                    place.display()
                )));
            }
            // An export that is interrupted can be done again.
            skills::replace(&marker, b"").map_err(failed)?;
            String::new()
        }
    };
    Ok(before.lines().map(str::to_owned).collect())
}

/// A path within the directory, whose directories are made. None of them is a link that leads elsewhere.
fn within(place: &Path, path: &str) -> Result<PathBuf, Failure> {
    let refused = |reason: &str| Failure::other(format!("{}: {path}: {reason}", place.display()));
    let parts: Vec<_> = path.split('/').collect();
    let plain =
        |part: &&str| !part.is_empty() && !matches!(*part, "." | "..") && !part.contains('\0');
    if !parts.iter().all(plain) {
        return Err(refused("it is not a path within the directory"));
    }
    let mut at = place.to_path_buf();
    for directory in &parts[..parts.len() - 1] {
        at.push(directory);
        match fs::symlink_metadata(&at) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                return Err(refused(
                    "one of its directories is not a directory; remove it",
                ));
            }
            Err(_) => fs::create_dir(&at).map_err(|error| unwritable(&at, &error))?,
        }
    }
    Ok(at.join(parts[parts.len() - 1]))
}

/// A bar on standard error: with a length, or counting only.
pub(super) fn progress(what: &'static str, length: u64) -> ProgressBar {
    let template = match length {
        0 => "{msg} {pos}",
        _ => "{msg} {bar:40} {percent} % {eta}",
    };
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length)
        .with_style(style)
        .with_message(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_never_written_outside_of_its_directory() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = directory.path().join("out");
        fs::create_dir(&place).expect("a directory");
        std::os::unix::fs::symlink("/tmp", place.join("skills")).expect("a link");
        for path in ["../x", "/etc/x", "a/../../x", "", "skills/x.md"] {
            assert!(within(&place, path).is_err(), "{path}");
        }
        assert_eq!(
            within(&place, "a/b.json").expect("a path"),
            place.join("a/b.json")
        );
    }
}
