//! The files that sessions are read from: those of hosts on this machine, and those that somebody names.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::formats::{FORMATS, Format};
use crate::cli::failure::Failure;

/// Directories within directories: hosts nest by project, by day and by session.
const DEPTH: usize = 8;

/// A file with sessions.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    /// When it was written last, in milliseconds since the Unix epoch.
    pub(crate) written_at: u64,
    /// Who wants it.
    pub(crate) wanted: Wanted,
}

/// Why a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// It is where a host keeps its sessions.
    Host,
    /// It is in a directory that somebody named.
    Directory,
    /// Somebody named it.
    Itself,
}

/// What was asked for.
pub(crate) struct Found {
    /// Oldest first.
    pub(crate) sources: Vec<Source>,
    /// The hosts that were looked for, with whether anything of them is on this machine.
    pub(crate) hosts: Vec<(&'static str, bool)>,
    /// What was not looked at, and why.
    pub(crate) troubles: Vec<String>,
}

/// Finds the files of what is named: hosts, files or directories; of all hosts if nothing is.
pub(crate) fn find(from: &[String]) -> Result<Found, Failure> {
    let mut found = Found {
        sources: Vec::new(),
        hosts: Vec::new(),
        troubles: Vec::new(),
    };
    for name in from {
        if FORMATS.iter().any(|format| format.name == name) {
            found.add_host(name);
            continue;
        }
        let path = Path::new(name);
        let metadata = fs::metadata(path).map_err(|error| {
            let names: Vec<_> = host_names().collect();
            Failure::input(format!(
                "--from {name}: {error}; name a host ({}), or a file or directory that is there",
                names.join(", ")
            ))
        })?;
        if metadata.is_dir() {
            found.add_directory(path, DEPTH, Wanted::Directory);
        } else if metadata.is_file() {
            found.add(path, Wanted::Itself);
        } else {
            // It is read more than once, and opening a pipe may never return.
            return Err(Failure::input(format!(
                "--from {name}: it is neither a file nor a directory; write what it gives into a file"
            )));
        }
    }
    if from.is_empty() {
        host_names().for_each(|name| found.add_host(name));
    }
    found
        .sources
        .sort_by(|left, right| (left.written_at, &left.path).cmp(&(right.written_at, &right.path)));
    found
        .sources
        .dedup_by(|left, right| left.path == right.path);
    Ok(found)
}

/// The names of all hosts, each once.
pub(crate) fn host_names() -> impl Iterator<Item = &'static str> {
    let mut last = "";
    FORMATS.iter().filter_map(move |format| {
        let is_new = format.name != last;
        last = format.name;
        is_new.then_some(format.name)
    })
}

impl Found {
    fn add_host(&mut self, name: &str) {
        let mut is_here = false;
        let formats = FORMATS.iter().filter(|format| format.name == name);
        let mut host = "";
        for format in formats {
            host = format.host;
            for place in format.places() {
                is_here = true;
                match place.is_dir() {
                    true => self.add_directory(&place, DEPTH, Wanted::Host),
                    false => self.add(&place, Wanted::Host),
                }
            }
        }
        self.hosts.push((host, is_here));
    }

    /// Adds the files below a directory. Links are not followed: they lead in circles, or elsewhere.
    fn add_directory(&mut self, directory: &Path, depth: usize, wanted: Wanted) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = entry.path();
            if kind.is_dir() && depth > 0 {
                self.add_directory(&path, depth - 1, wanted);
            } else if kind.is_dir() {
                let path = path.display();
                self.troubles.push(format!(
                    "{path}: more than {DEPTH} directories deep; name it with --from"
                ));
            } else if kind.is_file() && is_likely(&path) {
                self.add(&path, wanted);
            }
        }
    }

    fn add(&mut self, path: &Path, wanted: Wanted) {
        let metadata = fs::metadata(path);
        let written = metadata
            .as_ref()
            .ok()
            .and_then(|metadata| metadata.modified().ok());
        let written = written.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        self.sources.push(Source {
            path: path.to_owned(),
            bytes: metadata.map_or(0, |metadata| metadata.len()),
            written_at: written.map_or(0, |at| u64::try_from(at.as_millis()).unwrap_or(u64::MAX)),
            wanted,
        });
    }
}

/// Whether a file in a directory may be one of a known format, by the end of its name.
fn is_likely(path: &Path) -> bool {
    let ends = ["jsonl", "json", "traj", "cast", "db"];
    let extension = path.extension().unwrap_or_default();
    ends.iter().any(|end| extension == *end)
}

/// The format of a source, or why it has none.
pub(crate) fn format_of(source: &Source) -> Result<Option<&'static Format>, String> {
    match Format::of(&source.path) {
        Ok(Some(format)) => Ok(Some(format)),
        // What lies beside sessions is of no interest; what somebody names is.
        Ok(None) if source.wanted != Wanted::Itself => Ok(None),
        Ok(None) => Err(
            "it is no transcript of a known format (a shell's history has neither outputs nor exit codes)".to_owned(),
        ),
        Err(error) => Err(error.to_string()),
    }
}
