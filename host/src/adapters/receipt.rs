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

use super::files;
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
        let receipt: Self =
            serde_json::from_slice(&fs::read(file(receipts, directory)).ok()?).ok()?;
        (receipt.directory == absolute(directory)).then_some(receipt)
    }

    pub(super) fn write(&self, receipts: &Path) -> io::Result<()> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        files::write(&file(receipts, &self.directory), &bytes)
    }

    pub(super) fn remove(receipts: &Path, directory: &Path) {
        let _ = fs::remove_file(file(receipts, directory));
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

/// A directory as receipts name it: the same however one came to it.
pub(super) fn absolute(directory: &Path) -> PathBuf {
    directory
        .canonicalize()
        .unwrap_or_else(|_| directory.to_owned())
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
