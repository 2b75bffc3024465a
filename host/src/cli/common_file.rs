//! A small file of JSON beside a memory that several processes read and change.
//!
//! A memory may have come with a clone: what has such a file's name and is no file of this size is none of ours.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use nix::fcntl::{Flock, FlockArg, OFlag};
use serde::{Serialize, de::DeserializeOwned};

/// Bytes of a file that are read: far more than we write.
const MOST_BYTES: u64 = 1 << 20;

/// Opens a file, and nothing else that has its name: a link leads elsewhere, and a pipe would be waited for.
pub(crate) fn open(path: &Path, create: bool) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(create)
        .truncate(false)
        .mode(0o600)
        .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits())
        .open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is no file")),
    }
}

/// What is in a file, if it is what we write.
pub(crate) fn parsed<T: DeserializeOwned>(file: &File) -> Option<T> {
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// Changes what is in a file while nobody else does. A file that is missing is made only if it is to be; one that can't be
/// understood is begun anew.
pub(crate) fn change<T>(path: &Path, create: bool, change: impl FnOnce(&mut T)) -> io::Result<()>
where
    T: Clone + Default + PartialEq + Serialize + DeserializeOwned,
{
    let mut file: Flock<File> =
        Flock::lock(open(path, create)?, FlockArg::LockExclusive).map_err(|(_, error)| error)?;
    let before: T = parsed(&file).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use nix::{sys::stat::Mode, unistd::mkfifo};

    use super::*;

    #[test]
    fn what_is_no_file_is_neither_followed_nor_waited_for() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = |name: &str| directory.path().join(name);
        fs::write(place("elsewhere"), "[1]").expect("writable");
        symlink(place("elsewhere"), place("link")).expect("a link");
        symlink(place("missing"), place("dangling")).expect("a link");
        mkfifo(&place("pipe"), Mode::S_IRWXU).expect("a pipe");
        fs::create_dir(place("directory")).expect("a directory");
        symlink("/dev/zero", place("endless")).expect("a link");
        for name in ["link", "dangling", "endless", "pipe", "directory"] {
            let changed = change(&place(name), true, |numbers: &mut Vec<u8>| numbers.push(2));
            assert!(changed.is_err(), "{name}");
        }
        assert_eq!(
            fs::read_to_string(place("elsewhere")).expect("readable"),
            "[1]"
        );
        assert!(!place("missing").exists());
    }

    #[test]
    fn a_file_is_changed_and_one_that_is_damaged_or_huge_begins_anew() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        for content in ["[1]", "[1", &format!("[1{}]", " ".repeat(2 << 20))] {
            fs::write(&path, content).expect("writable");
            change(&path, false, |numbers: &mut Vec<u8>| numbers.push(2)).expect("changed");
            let now: Vec<u8> = parsed(&open(&path, false).expect("there")).expect("sound");
            assert_eq!(
                now,
                if content == "[1]" {
                    vec![1, 2]
                } else {
                    vec![2]
                }
            );
        }
    }
}
