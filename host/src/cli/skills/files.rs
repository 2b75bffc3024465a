//! The files of skills: `.twiceshy/skills/NAME.md`, where a person edits them.
//!
//! Owns which files changed since they were taken over, and how one is written. A file is looked at before it is read,
//! and read only if its size or time is another one. A file wins over the store; nothing that is not a plain file of
//! this directory is followed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use nix::fcntl::OFlag;
use serde::{Deserialize, Serialize};
use twiceshy::{
    Home, Memory, Ownership,
    wit::memory::{Error, Skill, Skills},
};

use super::super::{context::Context, failure::Failure, show};

/// A skill's file in bytes, as the memory takes it.
pub(super) const MOST_BYTES: u64 = 64 << 10;

/// Files that are followed.
const MOST_FILES: usize = 1_000;

/// A file that was changed so shortly before it was read may change again without another time.
const SETTLED: Duration = Duration::from_secs(2);

/// What is known of the files that were taken over.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Index {
    files: BTreeMap<String, Known>,
}

/// A file as it was taken over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Known {
    bytes: u64,
    /// Its time of change in nanoseconds; 0 if it has to be read again.
    changed_ns: i128,
    /// The hash of its text.
    hash: String,
    /// The hash of the text as the memory keeps it: without secrets.
    kept: String,
}

/// What became of the files.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Followed {
    /// Skills that were taken over from files.
    pub(super) taken: Vec<String>,
    /// Skills that were retired because their files were removed.
    pub(super) retired: Vec<String>,
    /// Skills whose files were written.
    pub(super) written: Vec<String>,
    /// Files that are no skills, each with the reason.
    #[serde(rename = "left-alone")]
    pub(super) left_alone: Vec<LeftAlone>,
}

/// A file that was left alone.
#[derive(Debug, Serialize)]
pub(super) struct LeftAlone {
    pub(super) file: String,
    pub(super) reason: String,
}

impl Followed {
    pub(super) fn lines(&self) -> Vec<String> {
        let named = |what: &str, names: &[String]| {
            (!names.is_empty()).then(|| format!("{what}: {}", show::line(&names.join(", "))))
        };
        let lines: Vec<_> = [
            named("taken over", &self.taken),
            named("retired", &self.retired),
            named("written", &self.written),
        ]
        .into_iter()
        .flatten()
        .collect();
        match lines.is_empty() && self.left_alone.is_empty() {
            true => vec!["Files and memory agree.".to_owned()],
            false => lines,
        }
    }
}

/// Takes over what was changed in the files. Trouble with a file is told on standard error and stands in no one's way.
pub(crate) fn follow(context: &Context, memory: &Memory) -> Followed {
    let followed = Files::of(context).follow(memory).unwrap_or_else(|error| {
        eprintln!(
            "twiceshy: the files of skills are not followed: {}",
            show::line(&error.to_string())
        );
        Followed::default()
    });
    for left in &followed.left_alone {
        eprintln!(
            "twiceshy: skills/{}: {}; left alone",
            show::line(&left.file),
            show::line(&left.reason)
        );
    }
    followed
}

/// Writes the file of a skill.
pub(super) fn write(context: &Context, skill: &Skill) -> Result<(), Failure> {
    let files = Files::of(context);
    let mut index = files.index();
    files
        .write(&mut index, skill)
        .and_then(|()| files.keep(&index))
        .map_err(|error| files.unusable(&error))
}

/// Writes the files of skills that have none, or whose text was changed in the memory and not in the file.
pub(super) fn write_back(context: &Context, skills: &[Skill]) -> Result<Vec<String>, Failure> {
    let files = Files::of(context);
    let mut index = files.index();
    let mut written = Vec::new();
    for skill in skills {
        let path = files.path(&skill.slug);
        let outdated = match (fs::symlink_metadata(&path), index.files.get(&skill.slug)) {
            (Err(_), _) => true,
            (Ok(_), None) => false,
            (Ok(_), Some(known)) => {
                let untouched = read(&path).is_ok_and(|text| hash(&text) == known.hash);
                untouched && hash(&skill.markdown) != known.kept
            }
        };
        if outdated {
            files
                .write(&mut index, skill)
                .map_err(|error| files.unusable(&error))?;
            written.push(skill.slug.clone());
        }
    }
    if !written.is_empty() {
        files.keep(&index).map_err(|error| files.unusable(&error))?;
    }
    Ok(written)
}

/// Removes the file of a skill.
pub(super) fn remove(context: &Context, slug: &str) -> Result<(), Failure> {
    let files = Files::of(context);
    let mut index = files.index();
    match fs::remove_file(files.path(slug)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(files.unusable(&error)),
        _ => {}
    }
    match index.files.remove(slug) {
        Some(_) => files.keep(&index).map_err(|error| files.unusable(&error)),
        None => Ok(()),
    }
}

/// The file of a skill, made if it is not there: as the memory has it, or from a template.
pub(super) fn prepare(
    context: &Context,
    slug: &str,
    known: Option<&Skill>,
) -> Result<PathBuf, Failure> {
    if !is_slug(slug) {
        return Err(Failure::input(format!(
            "`{}` is not a name of 1 to 64 lowercase letters, digits and dashes",
            show::cut(slug, 100)
        )));
    }
    let files = Files::of(context);
    let path = files.path(slug);
    if fs::symlink_metadata(&path).is_err() {
        Ownership::of(&Home::find()).create(&context.project)?;
        let text = match known {
            Some(skill) => skill.markdown.clone(),
            None => template(slug),
        };
        files
            .put(slug, &text)
            .map_err(|error| files.unusable(&error))?;
    }
    Ok(path)
}

fn template(slug: &str) -> String {
    format!(
        "# Skill: {}\n\n## Prerequisites\n- \n\n## Steps\n1. \n\n## Common Errors & Fixes\n- error: fix\n\n## Exit Criteria\n- \n",
        slug.replace('-', " ")
    )
}

/// The directory of skills and what is known of it.
struct Files {
    directory: PathBuf,
    index: PathBuf,
}

impl Files {
    fn of(context: &Context) -> Self {
        let memory = context.project.directory();
        Self {
            directory: memory.join("skills"),
            index: memory.join("skills.json"),
        }
    }

    fn path(&self, slug: &str) -> PathBuf {
        self.directory.join(format!("{slug}.md"))
    }

    fn unusable(&self, error: &io::Error) -> Failure {
        Failure::other(format!(
            "{}: {error}; fix its permissions",
            self.directory.display()
        ))
    }

    /// What is known of the files; nothing if that can't be read: then each file is read again.
    fn index(&self) -> Index {
        let text = fs::read_to_string(&self.index).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn keep(&self, index: &Index) -> io::Result<()> {
        replace(&self.index, serde_json::to_string(index)?.as_bytes())
    }

    fn follow(&self, memory: &Memory) -> io::Result<Followed> {
        let mut followed = Followed::default();
        match fs::symlink_metadata(&self.directory) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                return Err(io::Error::other(format!(
                    "{} is not a directory",
                    self.directory.display()
                )));
            }
            // Without the directory nothing is said about any skill.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(followed),
            Err(error) => return Err(error),
        }
        let mut index = self.index();
        let (found, more) = self.found(&mut followed)?;
        let changed: Vec<_> = found
            .iter()
            .filter(|(slug, stat)| {
                let known = index.files.get(*slug);
                known.is_none_or(|known| {
                    (known.bytes, known.changed_ns) != (stat.bytes, stat.changed_ns)
                })
            })
            .collect();
        let there: BTreeSet<_> = found.keys().collect();
        let removed: Vec<_> = index
            .files
            .keys()
            .filter(|slug| !there.contains(slug))
            .cloned()
            .collect();
        let removed = if more { Vec::new() } else { removed };
        if changed.is_empty() && removed.is_empty() {
            return Ok(followed);
        }
        // Whoever else is about to do the same does it once.
        let lock = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.index.with_extension("lock"))?;
        if lock.try_lock().is_err() {
            return Ok(followed);
        }
        for (slug, stat) in changed {
            self.take(memory, &mut index, slug, stat, &mut followed);
        }
        for slug in removed {
            // Somebody may have written it in between.
            if fs::symlink_metadata(self.path(&slug)).is_ok() {
                continue;
            }
            match Skills::retire(memory, &slug, "its file was removed") {
                Ok(_) => {
                    index.files.remove(&slug);
                    followed.retired.push(slug);
                }
                Err(Error::NotFound(_)) => {
                    index.files.remove(&slug);
                }
                Err(error) => return Err(io::Error::other(error.message().to_owned())),
            }
        }
        self.keep(&index)?;
        Ok(followed)
    }

    /// The files that may be skills, by name, and whether there are more than are followed.
    fn found(&self, followed: &mut Followed) -> io::Result<(BTreeMap<String, Known>, bool)> {
        let mut found = BTreeMap::new();
        for (at, entry) in fs::read_dir(&self.directory)?.enumerate() {
            if at >= MOST_FILES {
                followed.left_alone.push(LeftAlone {
                    file: "…".to_owned(),
                    reason: format!("there are more than {MOST_FILES} files"),
                });
                return Ok((found, true));
            }
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(slug) = name.strip_suffix(".md").filter(|_| !name.starts_with('.')) else {
                continue;
            };
            // Of the entry itself: a link is not followed.
            let metadata = fs::symlink_metadata(entry.path())?;
            let reason = if !metadata.is_file() {
                "it is not a plain file".to_owned()
            } else if !is_slug(slug) {
                "its name is not 1 to 64 lowercase letters, digits and dashes".to_owned()
            } else if metadata.len() > MOST_BYTES {
                format!(
                    "it has more than {} KiB; make two skills of it",
                    MOST_BYTES >> 10
                )
            } else {
                found.insert(slug.to_owned(), stat(&metadata));
                continue;
            };
            followed.left_alone.push(LeftAlone { file: name, reason });
        }
        Ok((found, false))
    }

    /// Takes over one file.
    fn take(
        &self,
        memory: &Memory,
        index: &mut Index,
        slug: &str,
        stat: &Known,
        followed: &mut Followed,
    ) {
        let outcome = read(&self.path(slug)).and_then(|text| {
            let hash = hash(&text);
            let same = index
                .files
                .get(slug)
                .is_some_and(|known| known.hash == hash);
            let kept = match index.files.get(slug).filter(|_| same) {
                Some(known) => known.kept.clone(),
                None => {
                    let skill = Skills::put(memory, slug, &text);
                    let skill = skill.map_err(|error| error.message().to_owned())?;
                    followed.taken.push(slug.to_owned());
                    self::hash(&skill.markdown)
                }
            };
            Ok(Known {
                changed_ns: settled(stat.changed_ns),
                bytes: stat.bytes,
                hash,
                kept,
            })
        });
        match outcome {
            Ok(known) => {
                index.files.insert(slug.to_owned(), known);
            }
            Err(reason) => followed.left_alone.push(LeftAlone {
                file: format!("{slug}.md"),
                reason,
            }),
        }
    }

    /// Writes the file of a skill and notes it.
    fn write(&self, index: &mut Index, skill: &Skill) -> io::Result<()> {
        self.put(&skill.slug, &skill.markdown)?;
        let metadata = fs::symlink_metadata(self.path(&skill.slug))?;
        let known = Known {
            changed_ns: settled(stat(&metadata).changed_ns),
            bytes: metadata.len(),
            hash: hash(&skill.markdown),
            kept: hash(&skill.markdown),
        };
        index.files.insert(skill.slug.clone(), known);
        Ok(())
    }

    fn put(&self, slug: &str, text: &str) -> io::Result<()> {
        match fs::symlink_metadata(&self.directory) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(io::Error::other("it is not a directory")),
            Err(_) => fs::create_dir(&self.directory)?,
        }
        replace(&self.path(slug), text.as_bytes())
    }
}

fn is_slug(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=64).contains(&name.len()) && !name.starts_with('-') && name.bytes().all(allowed)
}

fn stat(metadata: &fs::Metadata) -> Known {
    Known {
        bytes: metadata.len(),
        changed_ns: i128::from(metadata.mtime()) * 1_000_000_000
            + i128::from(metadata.mtime_nsec()),
        hash: String::new(),
        kept: String::new(),
    }
}

/// A time of change that may be relied on; 0 if the file may change again within it.
fn settled(changed_ns: i128) -> i128 {
    let limit = SystemTime::now() - SETTLED;
    let limit = limit
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_nanos() as i128;
    if changed_ns < limit { changed_ns } else { 0 }
}

fn hash(text: &str) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
}

/// The text of a plain file within its bounds.
fn read(path: &Path) -> Result<String, String> {
    let told = |error: io::Error| error.to_string();
    let file = OpenOptions::new()
        .read(true)
        .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits())
        .open(path)
        .map_err(told)?;
    if !file.metadata().map_err(told)?.is_file() {
        return Err("it is not a plain file".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(told)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it has more than {} KiB", MOST_BYTES >> 10));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line} is not valid UTF-8")
    })
}

/// Writes a file whole or not at all.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    // One that is left from a process that was killed is nobody's.
    let _ = fs::remove_file(&part);
    let mut file = File::create_new(&part)?;
    // Whoever made a file theirs alone finds it so again.
    let mode = fs::symlink_metadata(path)
        .ok()
        .filter(fs::Metadata::is_file);
    if let Some(mode) = mode {
        file.set_permissions(mode.permissions())?;
    }
    let written = file.write_all(content).and_then(|()| file.sync_all());
    let done = written.and_then(|()| fs::rename(&part, path));
    if done.is_err() {
        let _ = fs::remove_file(&part);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_just_changed_is_read_again() {
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .expect("a time")
            .as_nanos() as i128;
        assert_eq!(settled(now), 0);
        let before = now - 10_000_000_000;
        assert_eq!(settled(before), before);
    }

    #[test]
    fn a_name_is_one_of_a_skill() {
        assert!(is_slug("api-2"));
        for name in ["", "..", "-x", "A", "a/b", "a.b", &"a".repeat(65)] {
            assert!(!is_slug(name), "{name}");
        }
    }
}
