//! `twiceshy import`: files that this program or another one wrote, into the memory.
//!
//! Owns reading within bounds, parts and progress. What is in the files is the memory's business; what other memories write
//! is read by `elsewhere`.

mod bad_lines;
mod elsewhere;
mod notes;
pub(crate) mod whole;

use std::{
    fs::{self, OpenOptions},
    io::{self, Read},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use nix::fcntl::OFlag;
use serde_json::json;
use twiceshy::{
    Group, Memory, ProjectStore,
    wit::memory::{
        Exchange, ImportRequest, Imported, Lessons, LineKind, TreeFile, TreeImport, Upkeep,
    },
};

use super::{
    context::Context, export::progress, failure::Failure, input, show, skills, words::word,
};
use bad_lines::without_bad_lines;
use elsewhere::{FORMS, Form, Record};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy import backup/
  twiceshy import backup/ --check
  twiceshy import memory_events.jsonl
  twiceshy import lessons.jsonl --kind lessons
  cat *.jsonl | twiceshy import - --kind lessons
  twiceshy import memory.jsonl                   # of `twiceshy export memory.jsonl`, or of the MCP memory server
  twiceshy import CLAUDE.md
  twiceshy import ~/memories/ --as notes

A directory is a tree as `twiceshy export` writes it, or as another system did with the same members. A file holds JSON
Lines. Everything is read and checked before anything is written. Of JSON Lines, a bad record is told with its line and left out, and
the exit code is 1; with --strict it refuses the whole file. A damaged tree is refused. What is there already stays as it is,
what was changed by hand holds, and the same files again change nothing.

Of other memories: the file of the official MCP memory server (mcp-memory), exports of mem0 and claude-mem, and notes: CLAUDE.md,
AGENTS.md, GEMINI.md, any Markdown or text, and a directory of such files as Anthropic's memory tool keeps. Each item becomes a fact or a
rule that is claimed, with the line it comes from, until it has helped here.";

/// One file in bytes: what the memory takes at once, with room for others.
const FILE_BYTES: u64 = 20 << 20;

/// A part that is handed to the memory, in bytes.
const PART_BYTES: u64 = 8 << 20;

/// Files of a part.
const PART_FILES: usize = 500;

/// Files of a tree.
const MOST_FILES: usize = 1_000_000;

/// Directories within directories.
const DEPTH: usize = 4;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The directory of a tree, or a file of JSON Lines; `-` reads lines from standard input.
    place: PathBuf,
    /// What the lines are: events, lessons, episodes or experience; by the file's name if it says so.
    #[arg(long, value_parser = word::<LineKind>)]
    kind: Option<LineKind>,
    /// Whose form it is: mcp-memory, mem0, claude-mem or notes; by name and content if left out.
    #[arg(long = "as", value_name = "FORM", conflicts_with = "kind")]
    form: Option<String>,
    /// Refuse everything if one record is bad.
    #[arg(long)]
    strict: bool,
    /// Only check, and say what would become of it.
    #[arg(long)]
    check: bool,
}

pub(crate) fn import(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let place = &arguments.place;
    let form = match &arguments.form {
        None => None,
        Some(name) => Some(form_named(name)?),
    };
    if place.as_os_str() != "-" && fs::metadata(place).is_ok_and(|metadata| metadata.is_dir()) {
        if arguments.kind.is_some() {
            return Err(Failure::input("a tree has all kinds; leave --kind out"));
        }
        if form.is_some() || !is_tree(place) {
            return from_elsewhere(context, arguments, form);
        }
        return tree(context, place, arguments.check);
    }
    if arguments.kind.is_none() && (form.is_some() || place.as_os_str() != "-") {
        let text = input::whole(place)?;
        if form.is_none() && whole::recognizes(&text) {
            return whole::import(context, &text, arguments.check, arguments.strict);
        }
        if form.is_some() || elsewhere::form_of(&text, place).is_some() {
            return from_elsewhere(context, arguments, form);
        }
    }
    let kind = arguments.kind.or_else(|| kind_by_name(place)).ok_or_else(|| {
        Failure::input("what the lines are is not said; give --kind events, lessons, episodes or experience")
    })?;
    lines(context, kind, place, arguments)
}

fn form_named(name: &str) -> Result<&'static Form, Failure> {
    let names: Vec<_> = FORMS.iter().map(|form| form.name).collect();
    FORMS.iter().find(|form| form.name == name).ok_or_else(|| {
        Failure::input(format!(
            "--as {name}: there is no such form; there are {}",
            names.join(", ")
        ))
    })
}

/// Whether a directory has a part of the tree that an export writes.
fn is_tree(place: &Path) -> bool {
    let is_empty = fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_none());
    let parts = [
        ".twiceshy-export",
        "episodic",
        "semantic",
        "skills",
        "ledgers",
        "ledgers.json",
        "handoffs",
        "learnings",
        "metrics",
        "twiceshy",
    ];
    is_empty
        || parts
            .iter()
            .any(|part| place.join(part).symlink_metadata().is_ok())
}

/// Takes in what another memory has written: each record by itself.
fn from_elsewhere(
    context: &Context,
    arguments: &Arguments,
    form: Option<&'static Form>,
) -> Result<ExitCode, Failure> {
    let place = &arguments.place;
    let mut records = Vec::new();
    if place.is_dir() {
        let files = elsewhere::files(place).map_err(|why| {
            Failure::input(format!(
                "{}: {why}; nothing was taken in. Import its parts one by one",
                place.display()
            ))
        })?;
        for (name, path) in files {
            let text = match plain_text(&path) {
                Ok(text) => text,
                Err(why) => {
                    records.push(Record {
                        place: name,
                        candidate: Err(why),
                    });
                    continue;
                }
            };
            let notes = || form_named("notes").ok();
            let form = form
                .or_else(|| elsewhere::form_of(&text, &path))
                .or_else(notes);
            records.extend(
                form.map(|form| form.records(&text, &name))
                    .unwrap_or_default(),
            );
        }
    } else {
        let text = input::whole(place)?;
        let name = place
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let form = form.or_else(|| elsewhere::form_of(&text, place));
        records = form
            .map(|form| form.records(&text, &name))
            .unwrap_or_default();
    }
    let first_bad = records
        .iter()
        .find_map(|record| Some((&record.place, record.candidate.as_ref().err()?)));
    if let (true, Some((place, why))) = (arguments.strict, first_bad) {
        return Err(Failure::input(format!(
            "{place}: {why}; nothing was taken in (--strict)"
        )));
    }
    let memory = context.memory()?;
    let bar = progress("importing", records.len() as u64);
    let before = memory.status()?.lessons;
    let (mut good, mut refused) = (0, Vec::new());
    let store = context.store();
    let group = begun(&store, arguments.check)?;
    for Record { place, candidate } in &records {
        let taken = candidate
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|candidate| match arguments.check {
                true => Ok(()),
                false => memory
                    .propose(candidate)
                    .map(drop)
                    .map_err(|error| error.message().to_owned()),
            });
        match taken {
            Ok(()) => good += 1,
            Err(why) => refused.push(format!("{place}: {why}")),
        }
        bar.inc(1);
    }
    ended(group)?;
    bar.finish_and_clear();
    let added = match arguments.check {
        true => good,
        false => memory.status()?.lessons.saturating_sub(before),
    };
    let known = good - added.min(good);
    let report =
        json!({ "records": records.len(), "added": added, "known": known, "refused": refused });
    context.print(&report, || {
        let would = if arguments.check { "would be " } else { "" };
        let mut lines = vec![format!(
            "{} facts and rules: {added} {would}added, {known} known before.",
            records.len()
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

/// The kind that a file's name tells, such as `memory_events.jsonl`.
fn kind_by_name(place: &Path) -> Option<LineKind> {
    let name = place.file_name()?.to_string_lossy().to_lowercase();
    let kinds = [
        ("event", LineKind::Events),
        ("lesson", LineKind::Lessons),
        ("episode", LineKind::Episodes),
        ("experience", LineKind::Experience),
    ];
    let named = kinds.into_iter().find(|(word, _)| name.contains(word));
    named.map(|(_, kind)| kind)
}

fn lines(
    context: &Context,
    kind: LineKind,
    place: &Path,
    arguments: &Arguments,
) -> Result<ExitCode, Failure> {
    let check = arguments.check;
    let memory = context.memory()?;
    let mut text = input::whole(place)?;
    let mut refused = Vec::new();
    if !arguments.strict {
        text = without_bad_lines(&memory, kind, &text, &mut refused)?;
    }
    let parts = parts(&text);
    let bar = progress("checking", 2 * parts.len() as u64);
    let store = context.store();
    let mut total = Imported {
        records: 0,
        added: 0,
        known: 0,
    };
    // The whole file is checked before anything is kept.
    for passes in [true, false] {
        if !passes && check {
            break;
        }
        total = Imported {
            records: 0,
            added: 0,
            known: 0,
        };
        // What is imported becomes durable together; a part that fails leaves the parts before it.
        let group = begun(&store, passes)?;
        for (first, part) in &parts {
            // Empty lines in front of a part, so that the memory counts its lines as the file does.
            let request = ImportRequest {
                text: format!("{}{part}", "\n".repeat(*first)),
                check_only: Some(passes),
            };
            let done = memory.import_lines(kind, &request)?;
            total.records += done.records;
            total.added += done.added;
            total.known += done.known;
            bar.inc(1);
        }
        ended(group)?;
        bar.set_message("importing");
    }
    bar.finish_and_clear();
    let Imported {
        records,
        added,
        known,
    } = &total;
    let report = json!({ "records": records, "added": added, "known": known, "refused": refused });
    context.print(&report, || {
        let would = if check { "would be " } else { "" };
        let kind = kind.as_str();
        let mut lines = vec![format!(
            "{records} {kind} in the file: {added} {would}added, {known} known before."
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

/// A group of commits, unless nothing is written. The memory is made for it: import writes in any case.
fn begun(store: &ProjectStore, check: bool) -> Result<Option<Group<'_>>, Failure> {
    match check {
        true => Ok(None),
        false => {
            store.make()?;
            Ok(store.group()?)
        }
    }
}

pub(crate) fn ended(group: Option<Group>) -> Result<(), Failure> {
    Ok(group.map_or(Ok(()), Group::end)?)
}

/// A text in parts of whole lines, each with the number of lines before it.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut first, mut line, mut end) = (0, 0, 0, 0);
    for part in text.split_inclusive('\n') {
        if end > start && (end - start + part.len()) as u64 > PART_BYTES {
            parts.push((first, &text[start..end]));
            (start, first) = (end, line);
        }
        end += part.len();
        line += 1;
    }
    parts.push((first, &text[start..end]));
    parts
}

fn tree(context: &Context, place: &Path, check: bool) -> Result<ExitCode, Failure> {
    let mut paths = Vec::new();
    list(place, "", DEPTH, &mut paths)?;
    paths.sort_by(|left, right| (rank(&left.0), &left.0).cmp(&(rank(&right.0), &right.0)));
    let memory = context.memory()?;
    let bar = progress("checking", 2 * paths.len() as u64);
    // The whole tree is checked before anything is kept.
    let mut total = taken(&memory, place, &paths, true, &bar)?;
    if !check {
        bar.set_message("importing");
        let store = context.store();
        let group = begun(&store, false)?;
        total = taken(&memory, place, &paths, false, &bar)?;
        ended(group)?;
        // What came with the tree is there to be edited, too.
        skills::follow(context, &memory);
    }
    bar.finish_and_clear();
    let report = json!({
        "files": paths.len(),
        "added": total.added,
        "changed": total.changed,
        "known": total.known,
        "ignored": total.ignored,
    });
    context.print(&report, || {
        let would = if check { "would be " } else { "" };
        let mut lines = vec![format!(
            "{} files: {} memories {would}added, {} {would}changed, {} known before.",
            paths.len(),
            total.added,
            total.changed,
            total.known
        )];
        lines.extend(
            total
                .ignored
                .iter()
                .map(|left| format!("left alone: {}", show::line(left))),
        );
        lines
    })
}

/// Hands the files to the memory, part by part.
fn taken(
    memory: &Memory,
    place: &Path,
    paths: &[(String, u64)],
    check_only: bool,
    bar: &indicatif::ProgressBar,
) -> Result<TreeImport, Failure> {
    let mut total = TreeImport {
        added: 0,
        changed: 0,
        known: 0,
        ignored: Vec::new(),
    };
    let mut rest = paths;
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = rest.iter().take(PART_FILES).take_while(|(_, size)| {
            bytes += size;
            bytes <= PART_BYTES
        });
        let (part, others) = rest.split_at(fits.count().max(1));
        rest = others;
        let files = part
            .iter()
            .map(|(path, _)| {
                let text = read(&place.join(path), path)?;
                Ok(TreeFile {
                    path: path.clone(),
                    text,
                })
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        let done = memory.import_tree(&files, check_only)?;
        total.added += done.added;
        total.changed += done.changed;
        total.known += done.known;
        total.ignored.extend(done.ignored);
        bar.inc(part.len() as u64);
    }
    Ok(total)
}

/// In which order files are handed over: what others refer to goes first.
fn rank(path: &str) -> usize {
    let order = [
        "twiceshy/",
        "episodic/",
        "semantic/links",
        "semantic/",
        "skills/",
    ];
    match order.iter().position(|start| path.starts_with(start)) {
        Some(2) => order.len() + 1,
        Some(at) => at,
        None => order.len(),
    }
}

/// The files below a directory with their sizes. Anything but plain files and directories is refused.
fn list(
    place: &Path,
    below: &str,
    depth: usize,
    found: &mut Vec<(String, u64)>,
) -> Result<(), Failure> {
    let directory = place.join(below);
    let unreadable = |error: io::Error| Failure::input(format!("{}: {error}", directory.display()));
    for entry in fs::read_dir(&directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let Ok(name) = entry.file_name().into_string() else {
            return Err(Failure::input(format!(
                "{}: the name of a file is not valid UTF-8; nothing was taken in",
                directory.display()
            )));
        };
        // What is hidden is not part of any layout: marks of an export, leftovers of a crash.
        if name.starts_with('.') {
            continue;
        }
        let path = match below {
            "" => name,
            below => format!("{below}/{name}"),
        };
        let refused = |reason: String| {
            Err(Failure::input(format!(
                "{path}: {reason}; nothing was taken in"
            )))
        };
        let metadata = fs::symlink_metadata(entry.path()).map_err(unreadable)?;
        if metadata.is_dir() {
            if depth == 0 {
                return refused("the directories are too deep".to_owned());
            }
            list(place, &path, depth - 1, found)?;
        } else if !metadata.is_file() {
            return refused("it is a link or no plain file; links are not followed".to_owned());
        } else if metadata.len() > FILE_BYTES {
            return refused(format!("it has more than {} MiB", FILE_BYTES >> 20));
        } else {
            found.push((path, metadata.len()));
        }
        if found.len() > MOST_FILES {
            return Err(Failure::input(format!(
                "{}: it has more than {MOST_FILES} files",
                place.display()
            )));
        }
    }
    Ok(())
}

/// The text of a file of a tree.
fn read(file: &Path, path: &str) -> Result<String, Failure> {
    plain_text(file)
        .map_err(|reason| Failure::input(format!("{path}: {reason}; nothing was taken in")))
}

/// The text of a plain file within its bounds, or why there is none.
fn plain_text(file: &Path) -> Result<String, String> {
    let failed = |error: io::Error| error.to_string();
    let kind = fs::symlink_metadata(file).map_err(failed)?.file_type();
    if !kind.is_file() {
        return Err("it is a link or no plain file; links are not followed".to_owned());
    }
    let open = OpenOptions::new()
        .read(true)
        .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits())
        .open(file)
        .map_err(failed)?;
    let mut bytes = Vec::new();
    open.take(FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(format!("it has more than {} MiB", FILE_BYTES >> 20));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line} is not valid UTF-8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_file_is_cut_at_lines_and_their_numbers_are_kept() {
        let line = format!("{}\n", "x".repeat(PART_BYTES as usize / 2));
        let text = line.repeat(3) + "last";
        let parts = parts(&text);
        let counts: Vec<_> = parts
            .iter()
            .map(|(first, part)| (*first, part.lines().count()))
            .collect();
        assert_eq!(counts, [(0, 1), (1, 1), (2, 2)]);
        assert_eq!(
            parts.iter().map(|(_, part)| *part).collect::<String>(),
            text
        );
    }

    #[test]
    fn what_others_refer_to_goes_first() {
        let mut paths = [
            "semantic/links.json",
            "ledgers/a.json",
            "skills/a.md",
            "semantic/facts.json",
            "twiceshy/task.json",
            "episodic/index.json",
        ];
        paths.sort_by_key(|path| rank(path));
        assert_eq!(paths[0], "twiceshy/task.json");
        assert_eq!(paths[1], "episodic/index.json");
        assert_eq!(paths[5], "semantic/links.json");
    }
}
