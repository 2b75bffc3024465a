//! Traces: where words of a memory are besides its store, and how they go when something is removed for good.
//!
//! They are in what a session still has to be told, in the log of hooks, and in files of skills. What is known of all of
//! these is JSON, of which only the members that have words are looked at.

use std::{
    fs::{self, File, OpenOptions},
    io::{Read, Seek, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use nix::fcntl::{Flock, FlockArg, OFlag};
use serde_json::Value;
use twiceshy_wit::host::Error;

use crate::{Home, Project};

/// The directory of sessions in a memory, and that of the log in the user's directory.
pub const SESSIONS: &str = "sessions";
/// See [`SESSIONS`].
pub const LOG: &str = "log";

/// The file that is locked by whoever changes the log.
pub const LOG_LOCK: &str = "lock";

/// How long a session that somebody works in is waited for.
const WAIT: Duration = Duration::from_secs(1);

/// Bytes of a session's file that are read: far more than is written.
const MOST_BYTES: u64 = 1 << 20;

/// Removes the files of skills that the memory no longer has. One that somebody changed since is a new skill and stays.
pub(crate) fn forget_skills(
    project: &Project,
    is_kept: impl Fn(&str) -> Result<bool, Error>,
) -> Result<(), Error> {
    let memory = project.directory();
    let index = memory.join("skills.json");
    let known = fs::read(&index).unwrap_or_default();
    let Ok(mut known) = serde_json::from_slice::<Value>(&known) else {
        return Ok(());
    };
    let Some(files) = known.get_mut("files").and_then(Value::as_object_mut) else {
        return Ok(());
    };
    let mut gone = Vec::new();
    for (slug, file) in files.iter() {
        if !slug.contains(['/', '\\']) && !is_kept(slug)? {
            gone.push((slug.clone(), file["bytes"].as_u64()));
        }
    }
    if gone.is_empty() {
        return Ok(());
    }
    for (slug, bytes) in gone {
        let path = memory.join("skills").join(format!("{slug}.md"));
        let now = fs::symlink_metadata(&path).ok();
        if now.is_some_and(|now| now.is_file() && Some(now.len()) == bytes) {
            let _ = fs::remove_file(&path);
        }
        files.remove(&slug);
    }
    let new = index.with_extension("new");
    let _ = fs::write(&new, known.to_string()).and_then(|()| fs::rename(&new, &index));
    Ok(())
}

/// Leaves no word of a memory in sessions and in the log of hooks.
pub(crate) fn forget_words(project: &Project) {
    forget_sessions(&project.directory().join(SESSIONS));
    let log = Home::find().directory().join(LOG);
    forget_log(&log, project.directory());
}

fn files(directory: &Path) -> impl Iterator<Item = std::path::PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

/// What the sessions of a directory still had to be told is not said.
pub fn forget_sessions(directory: &Path) {
    for path in files(directory) {
        let _ = forget_session(&path);
    }
}

fn forget_session(path: &Path) -> std::io::Result<()> {
    // A memory may have come with a clone: a link leads elsewhere, and a pipe would be waited for.
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits())
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(());
    }
    let deadline = Instant::now() + WAIT;
    let mut file = loop {
        file = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(file) => break file,
            Err((file, _)) if Instant::now() < deadline => file,
            Err((_, error)) => return Err(error.into()),
        };
        thread::sleep(Duration::from_millis(5));
    };
    let mut text = String::new();
    (&mut *file).take(MOST_BYTES).read_to_string(&mut text)?;
    let Ok(mut state) = serde_json::from_str::<Value>(&text) else {
        return Ok(());
    };
    let Some(notes) = state.get_mut("notes").and_then(Value::as_object_mut) else {
        return Ok(());
    };
    if notes.remove("waiting").is_none() {
        return Ok(());
    }
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(state.to_string().as_bytes())
}

/// That there was an event of a memory is all that a log still says of it.
pub fn forget_log(log: &Path, memory: &Path) {
    // Without a log there is no place for the file, either.
    let Ok(lock) = File::create(log.join(LOG_LOCK)) else {
        return;
    };
    let Ok(_lock) = Flock::lock(lock, FlockArg::LockExclusive) else {
        return;
    };
    let memory = memory.display().to_string();
    for path in files(log) {
        let text = fs::read(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().map(|line| without_words(line, &memory));
        let after: String = lines.map(|line| line + "\n").collect();
        if after.trim_end() == text.trim_end() {
            continue;
        }
        let new = path.with_extension("new");
        let _ = fs::write(&new, after).and_then(|()| fs::rename(&new, &path));
    }
}

/// A line of the log without what is said of a memory.
fn without_words(line: &str, memory: &str) -> String {
    let Ok(Value::Object(mut entry)) = serde_json::from_str(line) else {
        return line.to_owned();
    };
    if entry.get("memory").and_then(Value::as_str) != Some(memory) {
        return line.to_owned();
    }
    for member in ["action", "shown", "note", "trouble"] {
        entry.remove(member);
    }
    Value::Object(entry).to_string()
}
