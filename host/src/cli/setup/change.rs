//! Changes of settings files: planned, shown as a diff, made as a whole, and taken back.
//!
//! A receipt in the user's directory says what a file was before, so that `--undo` leaves its bytes as they were. A file
//! that somebody changed since keeps that change: then only our pieces are taken out.

use std::{
    collections::BTreeMap,
    fs::{self, File, Permissions},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use nix::fcntl::{Flock, FlockArg};
use serde::{Deserialize, Serialize};
use similar::TextDiff;
use twiceshy::Home;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    super::failure::Failure,
    json, toml,
    wanted::{Content, MARK, Machine, Piece, Row, Wanted},
};

/// The longest file of settings: hosts write some KiB.
const MOST_BYTES: u64 = 16 << 20;

/// A file that is to be changed.
pub(super) struct Change {
    pub(super) path: PathBuf,
    /// None if there is no file.
    before: Option<String>,
    /// None if the file is to be removed.
    after: Option<String>,
    is_program: bool,
}

/// What is to be done for a host.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) changes: Vec<Change>,
    /// What can't be done, and why.
    pub(super) troubles: Vec<String>,
}

/// What was done for a host.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Receipt {
    files: BTreeMap<PathBuf, Kept>,
    /// Directories that were made, outer ones first.
    made: Vec<PathBuf>,
}

/// A file as it was.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    /// The name of its copy; none if there was no file.
    backup: Option<String>,
    /// What we left, as a hash.
    left: u64,
}

/// Where receipts and backups are.
pub(super) struct Desk {
    directory: PathBuf,
}

impl Change {
    /// The change as a diff, for a person.
    pub(super) fn diff(&self) -> String {
        let empty = String::new();
        let (before, after) = (
            self.before.as_ref().unwrap_or(&empty),
            self.after.as_ref().unwrap_or(&empty),
        );
        let path = self.path.display().to_string();
        let name = |text: &Option<String>| {
            text.as_ref()
                .map_or("/dev/null".to_owned(), |_| path.clone())
        };
        let diff = TextDiff::from_lines(before, after);
        let mut diff = diff.unified_diff();
        diff.context_radius(2)
            .header(&name(&self.before), &name(&self.after))
            .to_string()
    }

    /// What is done to the file, in a word.
    pub(super) fn what(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, _) => "make",
            (_, None) => "remove",
            _ => "change",
        }
    }
}

/// What it takes to connect a host.
pub(super) fn connection(row: &Row, machine: &Machine) -> Plan {
    let mut plan = Plan::default();
    for Wanted { path, content } in row.files(machine) {
        let path = resolved(path);
        let before = match text_of(&path) {
            Ok(before) => before,
            Err(error) => {
                plan.troubles.push(format!("{}: {error}", path.display()));
                continue;
            }
        };
        let text = before.as_deref().unwrap_or_default();
        let after = match &content {
            Content::Json(pieces) => json::with(text, pieces),
            Content::Toml(pieces) => toml::with(text, pieces),
            Content::Own { .. } if before.as_ref().is_some_and(|text| !text.contains(MARK)) => Err(
                "somebody else's hook is there, and only one can be; call `twiceshy hook` from it"
                    .to_owned(),
            ),
            Content::Own { text, .. } => Ok(text.clone()),
        };
        let is_program = matches!(
            content,
            Content::Own {
                is_program: true,
                ..
            }
        );
        match after {
            Err(error) => plan.troubles.push(format!(
                "{}: {error}; nothing is changed in it",
                path.display()
            )),
            Ok(after) if before.as_ref() == Some(&after) => {}
            Ok(after) => plan.changes.push(Change {
                path,
                before,
                after: Some(after),
                is_program,
            }),
        }
    }
    plan
}

/// Whether our hooks are in all files of a host, and whether they are what we would put there now.
pub(super) fn presence(row: &Row, machine: &Machine) -> (bool, bool) {
    let files = row.files(machine);
    let has = |wanted: &Wanted| {
        let text = text_of(&resolved(wanted.path.clone()))
            .ok()
            .flatten()
            .unwrap_or_default();
        let hooks = |pieces: &[Piece]| {
            pieces
                .iter()
                .any(|piece| matches!(piece, Piece::Element(..)))
        };
        match &wanted.content {
            Content::Json(pieces) => !hooks(pieces) || json::has(&text, &without_servers(pieces)),
            Content::Toml(pieces) => !hooks(pieces) || toml::has(&text, &without_servers(pieces)),
            Content::Own { .. } => text.contains(MARK),
        }
    };
    let is_there = files.iter().all(has);
    (
        is_there,
        is_there && connection(row, machine).changes.is_empty(),
    )
}

fn without_servers(pieces: &[Piece]) -> Vec<Piece> {
    let elements = pieces.iter().filter_map(|piece| match piece {
        Piece::Element(path, value) => Some(Piece::Element(path.clone(), value.clone())),
        _ => None,
    });
    elements.collect()
}

/// The file behind a link, which may be kept elsewhere.
fn resolved(path: PathBuf) -> PathBuf {
    fs::canonicalize(&path).unwrap_or(path)
}

/// The text of a settings file. What is no file is not opened: a pipe would be waited for. A link that leads nowhere would
/// give way to a file.
fn text_of(path: &Path) -> io::Result<Option<String>> {
    let is_none = |found: fs::Metadata| !found.is_file() || found.len() > MOST_BYTES;
    if fs::metadata(path).is_ok_and(is_none) {
        return Err(io::Error::other("it is no file of settings"));
    }
    if path.is_symlink() {
        return Err(io::Error::other(
            "it is a link that leads nowhere; remove it, or make what it names",
        ));
    }
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Desk {
    pub(super) fn of(home: &Home) -> Self {
        Self {
            directory: home.directory().join("setup"),
        }
    }

    /// Keeps other setups away until it is dropped.
    pub(super) fn lock(&self) -> Result<Flock<File>, Failure> {
        fs::create_dir_all(&self.directory)?;
        let file = File::create(self.directory.join("lock"))?;
        Flock::lock(file, FlockArg::LockExclusive)
            .map_err(|(_, error)| Failure::other(error.to_string()))
    }

    /// Makes the changes of a plan, each file as a whole.
    pub(super) fn connect(&self, row: &Row, plan: &Plan, machine: &Machine) -> Result<(), Failure> {
        let mut receipt = self.receipt(row);
        for change in &plan.changes {
            let Some(after) = &change.after else {
                continue;
            };
            // What the file was before the first setup; or, if somebody changed it since, what is theirs in it.
            let original = match (receipt.files.get(&change.path), &change.before) {
                (Some(kept), Some(before)) if kept.left == hash(before) => kept
                    .backup
                    .clone()
                    .map(|name| fs::read_to_string(self.directory.join(name)).unwrap_or_default()),
                (Some(_), Some(before)) => Some(theirs(row, machine, &change.path, before)),
                (_, before) => before.clone(),
            };
            let backup = match original {
                Some(text) => Some(self.back_up(row, &change.path, &text)?),
                None => None,
            };
            let kept = Kept {
                backup,
                left: hash(after),
            };
            receipt.files.insert(change.path.clone(), kept);
            receipt.made.extend(make_parents(&change.path)?);
            // On record before the file changes, so that it can be taken back whatever happens.
            self.keep(row, &receipt)?;
            write(&change.path, after, change.is_program)?;
        }
        Ok(())
    }

    /// What it takes to leave a host's files as they were.
    pub(super) fn return_plan(&self, row: &Row, machine: &Machine) -> Plan {
        let receipt = self.receipt(row);
        let mut plan = Plan::default();
        for Wanted { path, content } in row.files(machine) {
            let path = resolved(path);
            let before = match text_of(&path) {
                Ok(Some(before)) => before,
                Ok(None) => continue,
                Err(error) => {
                    plan.troubles.push(format!("{}: {error}", path.display()));
                    continue;
                }
            };
            let kept = receipt.files.get(&path);
            let after = match kept.filter(|kept| kept.left == hash(&before)) {
                Some(Kept { backup: None, .. }) => Ok(None),
                Some(Kept {
                    backup: Some(name), ..
                }) => {
                    let copy = self.directory.join(name);
                    let text = fs::read_to_string(&copy);
                    text.map(Some)
                        .map_err(|error| format!("{}: {error}", copy.display()))
                }
                None => remainder(
                    &content,
                    &before,
                    kept.is_some_and(|kept| kept.backup.is_none()),
                ),
            };
            match after {
                Err(error) => plan.troubles.push(format!("{}: {error}", path.display())),
                Ok(after) if after.as_ref() == Some(&before) => {}
                Ok(after) => plan.changes.push(Change {
                    path,
                    before: Some(before),
                    after,
                    is_program: false,
                }),
            }
        }
        plan
    }

    /// Makes the changes that leave a host's files as they were.
    pub(super) fn disconnect(&self, row: &Row, plan: &Plan) -> Result<(), Failure> {
        let receipt = self.receipt(row);
        for change in &plan.changes {
            match &change.after {
                Some(after) => write(&change.path, after, false)?,
                None => fs::remove_file(&change.path)?,
            }
        }
        // Those that are still empty, from the innermost.
        for directory in receipt.made.iter().rev() {
            let _ = fs::remove_dir(directory);
        }
        match fs::remove_file(self.receipt_file(row)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Whether this host was connected.
    pub(super) fn has_receipt(&self, row: &Row) -> bool {
        self.receipt_file(row).exists()
    }

    fn receipt_file(&self, row: &Row) -> PathBuf {
        self.directory.join(format!("{}.json", row.host))
    }

    fn receipt(&self, row: &Row) -> Receipt {
        let text = fs::read_to_string(self.receipt_file(row)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn keep(&self, row: &Row, receipt: &Receipt) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(receipt)
            .map_err(|error| Failure::other(error.to_string()))?;
        Ok(write(&self.receipt_file(row), &text, false)?)
    }

    /// Keeps a copy, by its content, and gives its name.
    fn back_up(&self, row: &Row, path: &Path, text: &str) -> Result<String, Failure> {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name = format!(
            "{}-{:016x}-{}",
            row.host,
            hash(text),
            name.unwrap_or_default()
        );
        let copy = self.directory.join(&name);
        if !copy.exists() {
            write(&copy, text, false)?;
            // Settings may hold keys.
            fs::set_permissions(&copy, Permissions::from_mode(0o600))?;
        }
        Ok(name)
    }
}

/// A text without what is ours in it.
fn theirs(row: &Row, machine: &Machine, path: &Path, text: &str) -> String {
    let wanted = row
        .files(machine)
        .into_iter()
        .find(|wanted| resolved(wanted.path.clone()) == path);
    let rest = wanted.and_then(|wanted| remainder(&wanted.content, text, false).ok().flatten());
    rest.unwrap_or_else(|| text.to_owned())
}

/// What is left of a text without our pieces; none if that is nothing and the file was ours.
fn remainder(content: &Content, text: &str, was_ours: bool) -> Result<Option<String>, String> {
    match content {
        Content::Json(pieces) => {
            let rest = json::without(text, pieces)?;
            Ok((!was_ours || !json::is_bare(&rest, pieces)).then_some(rest))
        }
        Content::Toml(pieces) => {
            let rest = toml::without(text, pieces)?;
            Ok((!was_ours || !rest.trim().is_empty()).then_some(rest))
        }
        Content::Own { .. } => Ok((!text.contains(MARK)).then(|| text.to_owned())),
    }
}

/// Makes the directories around a file. Gives those that were missing, outer ones first.
fn make_parents(path: &Path) -> io::Result<Vec<PathBuf>> {
    let missing = path
        .ancestors()
        .skip(1)
        .take_while(|directory| !directory.exists());
    let mut missing: Vec<_> = missing.map(Path::to_owned).collect();
    missing.reverse();
    for directory in &missing {
        fs::create_dir(directory).or_else(|error| match directory.is_dir() {
            true => Ok(()),
            false => Err(error),
        })?;
    }
    Ok(missing)
}

/// Writes a file as a whole: nobody sees half of it, and its permissions stay.
fn write(path: &Path, text: &str, is_program: bool) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.twiceshy-{}", std::process::id()));
    let written = (|| {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        if let Ok(there) = fs::metadata(path) {
            file.set_permissions(there.permissions())?;
        } else if is_program {
            file.set_permissions(Permissions::from_mode(0o755))?;
        }
        file.sync_all()?;
        fs::rename(&beside, path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

fn hash(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}
