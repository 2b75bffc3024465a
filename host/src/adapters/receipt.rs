//! Receipts: which adapter was installed on this machine, byte for byte.
//!
//! Owns the files that say so, one for each place where an adapter is. They are in the user's own directory, also for
//! adapters of a project: a receipt that came with a project would be worth nothing.
//!
//! **What runs is what the receipt names.** Compiled code is found by the hash in the receipt, and a component is
//! compiled only after its bytes were hashed. So a component's file need not be read at every start: its size and
//! time are compared, and only if they are not what they were is it hashed. Whoever forges both changes what is on
//! the disk, and not what runs.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;

use super::files::StagedFile;
use crate::limits::AdapterLimits;

/// The receipt of an installed adapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Receipt {
    /// The adapter's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The SHA-256 of its component.
    pub component_sha256: String,
    /// The SHA-256 of its `adapter.toml`.
    pub declaration_sha256: String,
    /// The name of the file that it was installed from.
    pub source: String,
    /// When it was installed, in milliseconds since the Unix epoch.
    pub installed_at: u64,
    /// Where it is.
    pub directory: PathBuf,
    /// What it was granted then.
    pub limits: AdapterLimits,
    /// The component's size and time of change in nanoseconds, by which a change is noticed without reading it.
    pub component_bytes: u64,
    /// See `component_bytes`.
    pub component_changed_ns: u64,
}

impl Receipt {
    /// The receipt for the adapter in a directory, if it was installed there.
    pub(super) fn find(receipts: &Path, directory: &Path) -> Option<Self> {
        let receipt = read(&file(receipts, directory))?;
        (receipt.directory == absolute(directory)).then_some(receipt)
    }

    /// The receipts of all adapters of a name, wherever they are on this machine.
    pub(super) fn all_of(receipts: &Path, name: &str) -> Vec<Self> {
        let files = fs::read_dir(receipts).into_iter().flatten().flatten();
        files
            .filter(|file| file.file_name().to_string_lossy().starts_with(name))
            .filter_map(|file| read(&file.path()))
            .filter(|receipt| receipt.name == name)
            .collect()
    }

    /// Writes it beside its place, where it counts for nothing yet.
    pub(super) fn stage(&self, receipts: &Path) -> io::Result<StagedFile> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        StagedFile::new(&file(receipts, &self.directory), &bytes)
    }

    /// Takes the receipt away, if there is one.
    pub(super) fn remove(receipts: &Path, directory: &Path) -> Result<(), String> {
        let file = file(receipts, directory);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(format!(
                "its receipt {} can't be removed: {error}; fix that, then remove it again",
                file.display()
            )),
            _ => Ok(()),
        }
    }

    /// Whether it can be one that was written here. What is named after a hash would lead anywhere otherwise.
    fn is_sound(&self) -> bool {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        [&self.component_sha256, &self.declaration_sha256]
            .iter()
            .all(|hash| hash.len() == 64 && hash.bytes().all(is_digit))
    }

    /// Whether the component's file is the one that was installed, by a look from outside.
    pub(super) fn looks_same(&self, metadata: &fs::Metadata) -> bool {
        (self.component_bytes, self.component_changed_ns) == look(metadata)
    }
}

/// Size and time of change of a file.
pub(super) fn look(metadata: &fs::Metadata) -> (u64, u64) {
    let changed = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let nanoseconds = changed.and_then(|time| u64::try_from(time.as_nanos()).ok());
    (metadata.len(), nanoseconds.unwrap_or_default())
}

/// The SHA-256 of bytes in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A directory as receipts name it: the same however one came to it, whether it is there yet or not. A link in its
/// place is not followed: what it leads to has a receipt of its own.
pub(super) fn absolute(directory: &Path) -> PathBuf {
    let around = directory.parent().map(Path::canonicalize);
    match (around, directory.file_name()) {
        (Some(Ok(around)), Some(name)) => around.join(name),
        _ => directory.to_owned(),
    }
}

fn read(file: &Path) -> Option<Receipt> {
    let receipt: Receipt = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    receipt.is_sound().then_some(receipt)
}

fn file(receipts: &Path, directory: &Path) -> PathBuf {
    let directory = absolute(directory);
    let name = directory
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let place = xxh3_64(directory.as_os_str().as_encoded_bytes());
    receipts.join(format!("{name}-{place:016x}.json"))
}
