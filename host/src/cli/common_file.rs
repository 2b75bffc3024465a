//! A small file of JSON beside a memory that several processes read and change.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use nix::fcntl::{Flock, FlockArg};
use serde::{Serialize, de::DeserializeOwned};

/// Changes what is in a file while nobody else does. A file that is missing is made only if it is to be; one that can't be
/// understood is begun anew.
pub(crate) fn change<T>(path: &Path, create: bool, change: impl FnOnce(&mut T)) -> io::Result<()>
where
    T: Clone + Default + PartialEq + Serialize + DeserializeOwned,
{
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(create)
        .truncate(false)
        .mode(0o600)
        .open(path)?;
    let mut file: Flock<File> =
        Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, error)| error)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let before: T = serde_json::from_str(&text).unwrap_or_default();
    let mut content = before.clone();
    change(&mut content);
    if content == before {
        return Ok(());
    }
    let text = serde_json::to_string(&content)?;
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())
}
