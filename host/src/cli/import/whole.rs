//! The whole memory as JSON Lines: a head with the version, then one file of the directory tree on each line.
//!
//! The tree is the form that comes back without loss; this is the same in one file that can be piped.

use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use serde_json::json;
use twiceshy::{
    Memory,
    wit::memory::{Error, Exchange, TreeFile, TreeImport},
};

use super::{PART_BYTES, PART_FILES, begun, ended, rank};
use crate::cli::{context::Context, export::progress, failure::Failure, show, skills};

/// The version of the form.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Head {
    twiceshy_export: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    path: String,
    text: String,
}

/// The line that such a file begins with.
pub(crate) fn head() -> String {
    json!(Head {
        twiceshy_export: VERSION
    })
    .to_string()
        + "\n"
}

/// A file of the tree as a line.
pub(crate) fn line(file: &TreeFile) -> String {
    json!(Line {
        path: file.path.clone(),
        text: file.text.clone()
    })
    .to_string()
        + "\n"
}

/// Whether a text is such a file, by its first line.
pub(crate) fn recognizes(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    serde_json::from_str::<Head>(first).is_ok()
}

/// Takes in such a file. A bad record is told with its line, and refuses the rest only if that is asked for.
pub(crate) fn import(
    context: &Context,
    text: &str,
    check: bool,
    strict: bool,
) -> Result<ExitCode, Failure> {
    let mut lines = text.lines().enumerate();
    let head = lines.next().map(|(_, line)| line).unwrap_or_default();
    let head: Head =
        serde_json::from_str(head).map_err(|error| Failure::input(format!("line 1: {error}")))?;
    if head.twiceshy_export > VERSION {
        return Err(Failure::input(format!(
            "line 1: the export is of version {}, and this program reads up to {VERSION}; update twiceshy",
            head.twiceshy_export
        )));
    }
    let mut files = Vec::new();
    let mut refused = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str::<Line>(line) {
            Ok(Line { path, text }) => files.push((number + 1, TreeFile { path, text })),
            Err(error) => refused.push(format!("line {}: {error}", number + 1)),
        }
    }
    files.sort_by(|(_, left), (_, right)| {
        (rank(&left.path), &left.path).cmp(&(rank(&right.path), &right.path))
    });
    let memory = context.memory()?;
    let bar = progress("checking", 2 * files.len() as u64);
    // Everything is checked before anything is kept.
    let (files, mut total) = checked(&memory, files, &mut refused, &bar)?;
    if strict && !refused.is_empty() {
        return Err(Failure::input(format!(
            "{}; nothing was taken in (--strict)",
            refused[0]
        )));
    }
    if !check {
        bar.set_message("importing");
        total = nothing();
        let store = context.store();
        let group = begun(&store, false)?;
        for part in parts(&files) {
            add(&mut total, memory.import_tree(part, false)?);
            bar.inc(part.len() as u64);
        }
        ended(group)?;
        skills::follow(context, &memory);
    }
    bar.finish_and_clear();
    let report = json!({
        "files": files.len(), "added": total.added, "changed": total.changed, "known": total.known,
        "ignored": total.ignored, "refused": refused,
    });
    context.print(&report, || {
        let would = if check { "would be " } else { "" };
        let mut lines = vec![format!(
            "{} files: {} memories {would}added, {} {would}changed, {} known before.",
            files.len(),
            total.added,
            total.changed,
            total.known
        )];
        lines.extend(
            refused
                .iter()
                .map(|why| format!("left out: {}", show::line(why))),
        );
        lines
    })?;
    Ok(if refused.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The files that the memory would take, and what would become of them.
fn checked(
    memory: &Memory,
    files: Vec<(usize, TreeFile)>,
    refused: &mut Vec<String>,
    bar: &indicatif::ProgressBar,
) -> Result<(Vec<TreeFile>, TreeImport), Failure> {
    let (numbers, files): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let mut good = Vec::with_capacity(files.len());
    let mut total = nothing();
    let mut numbers = numbers.into_iter();
    for part in parts(&files) {
        let lines: Vec<_> = numbers.by_ref().take(part.len()).collect();
        match memory.import_tree(part, true) {
            Ok(done) => {
                add(&mut total, done);
                good.extend_from_slice(part);
            }
            // One of them is bad; each is looked at by itself.
            Err(Error::InvalidArgument(_)) => {
                for (line, file) in lines.into_iter().zip(part) {
                    match memory.import_tree(std::slice::from_ref(file), true) {
                        Ok(done) => {
                            add(&mut total, done);
                            good.push(file.clone());
                        }
                        Err(Error::InvalidArgument(why)) => {
                            refused.push(format!("line {line}: {why}"))
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
            }
            Err(error) => return Err(error.into()),
        }
        bar.inc(part.len() as u64);
    }
    Ok((good, total))
}

/// Files in parts that the memory takes at once.
fn parts(files: &[TreeFile]) -> impl Iterator<Item = &[TreeFile]> {
    let mut rest = files;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = rest.iter().take(PART_FILES).take_while(|file| {
            bytes += file.text.len() as u64;
            bytes <= PART_BYTES
        });
        let (part, others) = rest.split_at(fits.count().max(1).min(rest.len()));
        rest = others;
        (!part.is_empty()).then_some(part)
    })
}

fn nothing() -> TreeImport {
    TreeImport {
        added: 0,
        changed: 0,
        known: 0,
        ignored: Vec::new(),
    }
}

fn add(total: &mut TreeImport, done: TreeImport) {
    total.added += done.added;
    total.changed += done.changed;
    total.known += done.known;
    total.ignored.extend(done.ignored);
}
