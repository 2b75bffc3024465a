//! The log of hooks: what each event was, what was said, and what came of it.
//!
//! JSON Lines in the user's directory, one line for each event, at most two files of 2 MiB. Many processes write to it at once: a
//! line is one write. No output and no argument of a command that worked is in it.

use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use nix::fcntl::{Flock, FlockArg};
use serde::{Deserialize, Serialize};
use twiceshy::{
    Home,
    traces::{LOG, LOG_LOCK},
};

use super::{
    super::{context::Context, session::Session, show},
    payload::{Happening, Payload},
};

const FILE: &str = "hook.jsonl";
const FORMER: &str = "hook.1.jsonl";

/// A file of this size is set aside, and what was set aside before is removed.
const MOST_BYTES: u64 = 2 << 20;

/// An event, as it is logged.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Entry {
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    pub(crate) host: String,
    pub(crate) event: String,
    /// The session and its sub-agent, as a short hash.
    pub(crate) session: String,
    /// The directory of the memory.
    pub(crate) memory: String,
    /// What it was: start, prompt, before, worked, failed, pause, end, or nothing.
    pub(crate) what: String,
    /// The program or tool; of a failure the whole action, with secrets masked.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) action: String,
    /// The lessons that were shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) shown: Vec<Shown>,
    /// What the lessons that were shown in the run that ended came to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) judged: Vec<Judged>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// What went wrong with us.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trouble: Option<String>,
    /// How long it took, in milliseconds.
    pub(crate) ms: u64,
}

/// A lesson that was shown.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shown {
    pub(crate) lesson: String,
    pub(crate) text: String,
}

/// A lesson that was shown in a run, and how that was judged when the run ended.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) lesson: String,
    pub(crate) verdict: String,
}

impl Entry {
    pub(crate) fn new(host: &str, event: &str) -> Self {
        let at = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let mut entry = Self {
            at: u64::try_from(at.as_millis()).unwrap_or_default(),
            what: "nothing".to_owned(),
            ..Self::default()
        };
        entry.name(host, event);
        entry
    }

    /// Enters of which host it is, and which event.
    pub(crate) fn name(&mut self, host: &str, event: &str) {
        (self.host, self.event) = (show::cut(host, 40), show::cut(event, 60));
    }

    /// Enters what is known from the event alone.
    pub(crate) fn describe(&mut self, payload: &Payload, context: &Context) {
        let session = Session::named(&payload.session, payload.agent.as_deref());
        self.session = session.file_name().chars().take(8).collect();
        self.memory = context.project.directory().display().to_string();
        let (what, action) = match &payload.happening {
            Happening::Start | Happening::Compacted => ("start", None),
            Happening::Prompt(_) => ("prompt", None),
            Happening::Before(call) => ("before", Some(call)),
            Happening::After(outcomes) => ("after", outcomes.first().map(|one| &one.call)),
            Happening::Pause => ("pause", None),
            Happening::End => ("end", None),
            Happening::Nothing(_) => ("nothing", None),
        };
        self.what = what.to_owned();
        // Arguments may be secret; only the memory masks them.
        self.action = action.map(|call| name(&call.line())).unwrap_or_default();
    }
}

/// The program of a command. What looks like its verb may be a password: `login hunter`.
fn name(line: &str) -> String {
    let line = twiceshy_shell::parse(line);
    let command = line.commands.iter().find(|one| !one.is_change_of_place());
    show::cut(command.map_or("", |one| one.program()), 60)
}

/// Where the log is.
pub(crate) struct Log {
    directory: PathBuf,
}

impl Log {
    pub(crate) fn of(home: &Home) -> Self {
        Self {
            directory: home.directory().join(LOG),
        }
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.join(FILE)
    }

    /// Adds an entry. A log that can't be written is no reason to fail.
    pub(crate) fn write(&self, entry: &Entry) {
        if let Ok(mut line) = serde_json::to_string(entry) {
            line.push('\n');
            let _ = self.append(line.as_bytes());
            let _ = fs::write(self.mark(&entry.host), &line);
        }
    }

    fn append(&self, line: &[u8]) -> std::io::Result<()> {
        let path = self.path();
        let open = || {
            OpenOptions::new()
                .create(true)
                .append(true)
                .mode(0o600)
                .open(&path)
        };
        let mut file = open().or_else(|_| {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&self.directory)?;
            open()
        })?;
        if file.metadata()?.len() > MOST_BYTES {
            self.rotate();
            file = open()?;
        }
        file.write_all(line)
    }

    /// Sets the file aside, once, however many find it too long.
    fn rotate(&self) {
        let Some(_lock) = self.lock() else { return };
        let is_long = fs::metadata(self.path()).is_ok_and(|data| data.len() > MOST_BYTES);
        if is_long {
            let _ = fs::rename(self.path(), self.directory.join(FORMER));
        }
    }

    fn lock(&self) -> Option<Flock<File>> {
        let lock = File::create(self.directory.join(LOG_LOCK)).ok()?;
        Flock::lock(lock, FlockArg::LockExclusive).ok()
    }

    /// The file with the last entry of a host, which stays when the log is rotated.
    fn mark(&self, host: &str) -> PathBuf {
        let name: String = host.chars().filter(char::is_ascii_alphanumeric).collect();
        self.directory.join(format!("last-{name}.json"))
    }

    /// The last event of a host.
    pub(crate) fn last(&self, host: &str) -> Option<Entry> {
        serde_json::from_str(&fs::read_to_string(self.mark(host)).ok()?).ok()
    }

    /// The entries in it, oldest first.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let files = [FORMER, FILE].map(|name| entries_of(&self.directory.join(name)));
        files.concat()
    }
}

fn entries_of(path: &Path) -> Vec<Entry> {
    let text = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    // A line that is being written is passed over.
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use twiceshy::traces::forget_log;

    use super::*;

    #[test]
    fn a_log_stays_within_its_bound_and_loses_no_recent_entry() {
        let directory = tempfile::tempdir().expect("a directory");
        let log = Log {
            directory: directory.path().join("log"),
        };
        let note = "x".repeat(64 << 10);
        for event in 0..100 {
            let mut entry = Entry::new("codex", &event.to_string());
            entry.note = Some(note.clone());
            log.write(&entry);
        }
        let size: u64 = fs::read_dir(&log.directory)
            .expect("readable")
            .map(|file| file.expect("a file").metadata().expect("known").len())
            .sum();
        assert!(size < 2 * (MOST_BYTES + (128 << 10)), "{size}");
        let entries = log.entries();
        let first: usize = entries[0].event.parse().expect("a number");
        assert!(entries.len() > 30);
        assert!(
            entries
                .iter()
                .enumerate()
                .all(|(at, entry)| entry.event == (first + at).to_string())
        );
        assert_eq!(log.last("codex").expect("an entry").event, "99");
        assert_eq!(log.last("gemini"), None);
    }

    #[test]
    fn the_words_of_one_memory_go_and_everything_else_stays() {
        let directory = tempfile::tempdir().expect("a directory");
        let log = Log {
            directory: directory.path().join("log"),
        };
        for memory in ["/one", "/other"] {
            let mut entry = Entry::new("codex", "PostToolUse");
            entry.memory = memory.to_owned();
            entry.action = format!("mover {memory}-box");
            entry.trouble = Some(format!("{memory}-box is stuck"));
            log.write(&entry);
        }
        let before = log.entries();
        forget_log(&log.directory, Path::new("/one"));
        let after = log.entries();
        assert_eq!((after.len(), &after[1]), (2, &before[1]));
        assert_eq!((after[0].at, after[0].action.as_str()), (before[0].at, ""));
        for file in fs::read_dir(&log.directory).expect("readable") {
            let path = file.expect("a file").path();
            let text = fs::read_to_string(&path).expect("readable");
            assert!(!text.contains("one-box"), "{path:?}");
        }
        forget_log(&log.directory, Path::new("/other"));
        assert_eq!(log.last("codex").expect("an entry").action, "");
    }

    #[test]
    fn an_action_is_named_without_its_arguments() {
        assert_eq!(
            name("cd app && curl -H 'Authorization: x' https://a.org"),
            "curl"
        );
        assert_eq!(name("git push origin main"), "git");
        assert_eq!(name("./login swordfish"), "login");
        assert_eq!(name(""), "");
    }
}
