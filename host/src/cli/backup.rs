//! `twiceshy backup` and `twiceshy restore`: the whole memory in one file, and back.
//!
//! Owns the order in which things are copied, so that the copy is of one moment while others work. The file is in
//! `package`.

mod package;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{SystemTime, UNIX_EPOCH},
};

use clap::Args;
use serde_json::json;
use twiceshy::{Options, Project, SqliteStore, wit::host::Error};

use super::{context::Context, export::progress, failure::Failure, question, show};
use package::{Kept, Package};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy backup
  twiceshy backup ~/backups/site.tar.gz
  twiceshy restore ~/backups/site.tar.gz

The file is a compressed tar archive: the store as it was at one moment, cold storage, skills and the project's
configuration, with the SHA-256 of each in twiceshy-backup.json. Agents may go on working meanwhile. Adapters and the
user's own configuration are not in it.";

pub(crate) const RESTORE_EXAMPLES: &str = "\
Examples:
  twiceshy restore ~/backups/site.tar.gz
  twiceshy restore ~/backups/site.tar.gz --memory /tmp/look/.twiceshy

The backup is unpacked beside the memory and checked as a whole before it takes its place. A memory that is there is set
aside, never removed: the command says where it is. Stop agents that use it first: what they write meanwhile goes to the
memory that is set aside. What is restored counts as your own memory: restore no file of somebody you do not trust.";

/// What is in a backup beside the store and cold storage.
const PLAIN_FILES: [&str; 2] = ["config.toml", "config.yaml"];
const SKILLS: &str = "skills";

/// Directories within directories: cold storage has one level of them.
const DEPTH: usize = 3;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file to write. Default: twiceshy-backup-DATE.tar.gz in the working directory.
    file: Option<PathBuf>,
    /// Replace the file if it is there.
    #[arg(long)]
    force: bool,
}

pub(crate) fn backup(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let project = &context.project;
    let store = context.store();
    if let Some(server) = project.server() {
        return Err(Failure::input(format!(
            "the memory is in the database {server}; back it up with `pg_dump --schema=twiceshy`"
        )));
    }
    let Some(store) = store.existing()? else {
        return Err(Failure::other(format!(
            "{} holds no memory yet; there is nothing to back up",
            project.directory().display()
        )));
    };
    let file = arguments.file.clone().unwrap_or_else(default_name);
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => no_room(&file),
        _ => Failure::other(format!("{}: {error}", file.display())),
    };
    if file.exists() && !arguments.force {
        return Err(Failure::input(format!(
            "{}: it is there already; choose another name, or take --force to replace it",
            file.display()
        )));
    }
    let bar = progress("backing up", 0);
    let beside = |what: &str| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        file.with_file_name(format!(".{name}.{}.{what}", std::process::id()))
    };
    let (part, snapshot) = (Leftover(beside("part")), Leftover(beside("db")));
    let mut package = Package::create(&part.0).map_err(failed)?;
    // Contents of cold storage are there before the store refers to them. Those that came while the store was copied are
    // looked for once more.
    let archive = project.archive_directory();
    let before = files(&archive, DEPTH);
    store.snapshot(&snapshot.0).map_err(|error| match error {
        // The store names its own device; what is written is the copy.
        Error::Full(_) => no_room(&file),
        error => error.into(),
    })?;
    package.add("memory.db", &snapshot.0).map_err(failed)?;
    bar.inc(1);
    let mut contents: BTreeMap<_, _> = before.into_iter().collect();
    contents.extend(files(&archive, DEPTH));
    for (name, path) in contents {
        // What was purged in the meantime is not referred to any more.
        match package.add(&format!("archive/{name}"), &path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            added => added.map_err(failed)?,
        }
        bar.inc(1);
    }
    let plain = PLAIN_FILES.map(|name| (name.to_owned(), project.directory().join(name)));
    let skills = files(&project.directory().join(SKILLS), 0);
    let skills = skills
        .into_iter()
        .map(|(name, path)| (format!("{SKILLS}/{name}"), path));
    for (name, path) in plain.into_iter().chain(skills) {
        if path
            .symlink_metadata()
            .is_ok_and(|metadata| metadata.is_file())
        {
            package.add(&name, &path).map_err(failed)?;
        }
    }
    let (kept, sha256) = package.finish().map_err(failed)?;
    fs::rename(&part.0, &file).map_err(failed)?;
    bar.finish_and_clear();
    let bytes = fs::metadata(&file).map_err(failed)?.len();
    let report = json!({ "file": file, "files": kept.len(), "bytes": bytes, "sha256": sha256 });
    context.print(&report, || {
        let name = show::line(&file.display().to_string());
        vec![
            format!(
                "Wrote {name}: {} files, {} KiB.",
                kept.len(),
                bytes.div_ceil(1 << 10)
            ),
            format!("sha256 {sha256}"),
        ]
    })
}

/// The failure of a backup that does not fit where it is written.
fn no_room(file: &Path) -> Failure {
    Failure::from(Error::Full(format!(
        "{}: no space left on the device of this file, and the memory is unchanged; free some space there, or name a file on another device",
        file.display()
    )))
}

/// A file that is removed when it is no longer needed, whatever happened.
struct Leftover(PathBuf);

impl Drop for Leftover {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn now() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

/// The present time in a file's name.
fn stamp() -> String {
    show::time(now()).replace(' ', "-").replace(':', "")
}

fn default_name() -> PathBuf {
    format!("twiceshy-backup-{}.tar.gz", stamp()).into()
}

/// The plain files below a directory by their paths within it, without unfinished and hidden ones.
fn files(directory: &Path, depth: usize) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else {
            continue;
        };
        if name.starts_with('.') || name == "unfinished" {
            continue;
        }
        if kind.is_file() {
            found.push((name, entry.path()));
        } else if kind.is_dir() && depth > 0 {
            let below = files(&entry.path(), depth - 1).into_iter();
            found.extend(below.map(|(path, file)| (format!("{name}/{path}"), file)));
        }
    }
    found
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The file that `twiceshy backup` wrote.
    file: PathBuf,
    /// Do not ask before a memory that is there is set aside.
    #[arg(long)]
    yes: bool,
}

pub(crate) fn restore(context: &Context, arguments: &Restore) -> Result<ExitCode, Failure> {
    let file = &arguments.file;
    let refused = |error: io::Error| {
        Failure::input(format!("{}: {error}; nothing was restored", file.display()))
    };
    let place = context.project.directory();
    let is_there = context.project.exists();
    // Nobody is asked about a file that is not there.
    fs::metadata(file).map_err(refused)?;
    if is_there && !arguments.yes {
        let question = format!(
            "{} is set aside, and the backup takes its place. Go on?",
            place.display()
        );
        match question::confirmed(&question)? {
            Some(true) => {}
            Some(false) => {
                eprintln!("Nothing was restored.");
                return Ok(ExitCode::FAILURE);
            }
            None => {
                return Err(Failure::input(format!(
                    "{} holds a memory; say --yes to set it aside, or name another place with --memory DIR",
                    place.display()
                )));
            }
        }
    }
    let name = place
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let new = Unpacked(place.with_file_name(format!("{name}.restoring-{}", std::process::id())));
    let unpacked = Project::at(&new.0);
    unpacked.create()?;
    let kept = package::unpack(file, &new.0).map_err(refused)?;
    check(&unpacked, &kept).map_err(refused)?;
    let aside = place.with_file_name(format!("{name}.before-{}", stamp()));
    let moved = |error: io::Error| Failure::other(format!("{}: {error}", place.display()));
    let had_directory = place.symlink_metadata().is_ok();
    if had_directory {
        fs::rename(place, &aside).map_err(moved)?;
    }
    if let Err(error) = fs::rename(&new.0, place) {
        if had_directory {
            let _ = fs::rename(&aside, place);
        }
        return Err(moved(error));
    }
    // Whoever names the file has chosen it. If the user's directory can't be written, it has to be accepted later.
    let _ = context.ownership().accept(&context.project);
    let aside = had_directory.then_some(aside);
    let report = json!({ "memory": place, "files": kept.len(), "aside": aside });
    context.print(&report, || {
        let mut lines = vec![format!(
            "Restored {} files into {}.",
            kept.len(),
            show::line(&place.display().to_string())
        )];
        if let Some(aside) = &aside {
            lines.push(format!(
                "What was there is in {}.",
                show::line(&aside.display().to_string())
            ));
        }
        lines
    })
}

/// Looks whether what was unpacked is a memory without damage.
fn check(project: &Project, kept: &BTreeMap<String, Kept>) -> io::Result<()> {
    if !kept.contains_key("memory.db") {
        return Err(io::Error::other("there is no memory.db in it"));
    }
    let other = |error: String| io::Error::other(format!("its store can't be used: {error}"));
    let store = SqliteStore::open(&project.store_file(), Options::default());
    let store = store.map_err(|error| other(error.to_string()))?;
    let problems = store
        .integrity()
        .map_err(|error| other(error.message().to_owned()))?;
    match problems.first() {
        None => Ok(()),
        Some(problem) => Err(other(problem.clone())),
    }
}

/// A directory that is removed unless it was moved to its place.
struct Unpacked(PathBuf);

impl Drop for Unpacked {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
