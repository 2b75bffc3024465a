//! Owns an archive in a directory: contents that are too large or too rarely needed for a store, by their hash.
//!
//! A content is one file, `ab/cdef….gz`, compressed. It is written beside its place and moved there when it is whole
//! and on the disk, so that a name never stands for half a content, even if a process is killed. Several processes may use
//! one directory at once; they need not know of each other, because what they write under one name is the same. What
//! contents mean is others' business.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use twiceshy_wit::host::{Archive, Error};

/// A content in bytes, as the contract has it.
const CONTENT_BYTES: usize = 64 << 20;

/// Where contents are written before they are moved to their place.
const UNFINISHED: &str = "unfinished";

/// An archive in a directory, which is made by the first content.
#[derive(Debug)]
pub struct DirectoryArchive {
    directory: PathBuf,
    cleaned: Once,
}

/// How often a content is written once more because its file was cleaned away.
const CLEANED_AWAY: usize = 3;

/// What tells files apart that one process writes at the same time.
static NUMBER: AtomicU32 = AtomicU32::new(0);

impl DirectoryArchive {
    /// The archive in a directory. Nothing is read or made yet.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            cleaned: Once::new(),
        }
    }

    /// The file of a content.
    fn place(&self, name: &str) -> Result<PathBuf, Error> {
        let digits = name.strip_prefix("sha256:").unwrap_or_default();
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if digits.len() != 64 || !digits.bytes().all(is_digit) {
            let shown: String = name.chars().take(80).collect();
            return Err(Error::InvalidArgument(format!(
                "name: {shown:?} is not `sha256:` and 64 hexadecimal digits"
            )));
        }
        let (first, rest) = digits.split_at(2);
        Ok(self.directory.join(first).join(format!("{rest}.gz")))
    }

    /// Writes a content to its place, whole or not at all.
    fn write(&self, place: &Path, content: &[u8]) -> io::Result<()> {
        let shelf = place.parent().unwrap_or(&self.directory);
        let unfinished = self.directory.join(UNFINISHED);
        let is_new = !shelf.exists();
        make_private(shelf)?;
        make_private(&unfinished)?;
        self.cleaned.call_once(|| clean(&unfinished));
        // Somebody who cleans up may take a file for a dead one's in the moment before it is locked.
        let mut written = self.written_to(place, &unfinished, content);
        for _ in 0..CLEANED_AWAY {
            match written {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    written = self.written_to(place, &unfinished, content);
                }
                _ => break,
            }
        }
        written?;
        sync_directory(shelf)?;
        match is_new {
            true => sync_directory(&self.directory),
            false => Ok(()),
        }
    }

    /// Writes a content beside its place and moves it there.
    fn written_to(&self, place: &Path, unfinished: &Path, content: &[u8]) -> io::Result<()> {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = unfinished.join(format!("{}-{number}", std::process::id()));
        let written = self.written(&path, content);
        // It is let go when it is in its place.
        let moved = written.and_then(|file| fs::rename(&path, place).map(|()| drop(file)));
        if moved.is_err() {
            let _ = fs::remove_file(&path);
        }
        moved
    }

    /// A file with a content that is on the disk. It stays locked, which says that somebody is at work on it.
    fn written(&self, path: &Path, content: &[u8]) -> io::Result<File> {
        // A process of the same number may have died here.
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        let _ = file.try_lock();
        let mut packed = GzEncoder::new(&file, Compression::default());
        packed.write_all(content)?;
        packed.finish()?;
        file.sync_all()?;
        Ok(file)
    }

    fn read(&self, place: &Path) -> io::Result<Vec<u8>> {
        if !fs::symlink_metadata(place)?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidData, "it is not a file"));
        }
        let mut content = Vec::new();
        // Whatever a damaged or hostile file unpacks to, this is where it ends.
        let most = CONTENT_BYTES as u64 + 1;
        GzDecoder::new(File::open(place)?)
            .take(most)
            .read_to_end(&mut content)?;
        Ok(content)
    }

    fn describe(&self, error: &io::Error) -> Error {
        let text = format!("the archive {}: {error}", self.directory.display());
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Error::Full(text),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Error::ReadOnly(text),
            _ => Error::Other(text),
        }
    }
}

impl Archive for DirectoryArchive {
    fn keep(&self, content: &[u8]) -> Result<String, Error> {
        if content.len() > CONTENT_BYTES {
            return Err(Error::InvalidArgument(format!(
                "content has {} bytes, and at most {CONTENT_BYTES} are allowed",
                content.len()
            )));
        }
        let name = name_of(content);
        let place = self.place(&name)?;
        // What is there already is trusted only if it is what it should be; else it is mended.
        let is_there = self.read(&place).is_ok_and(|kept| kept == content);
        if !is_there {
            self.write(&place, content)
                .map_err(|error| self.describe(&error))?;
        }
        Ok(name)
    }

    fn fetch(&self, name: &str) -> Result<Vec<u8>, Error> {
        let place = self.place(name)?;
        let damaged = |what: String| {
            Error::Corrupt(format!(
                "the content {name} {what} in the archive {}; restore it from a backup",
                self.directory.display()
            ))
        };
        let content = match self.read(&place) {
            Ok(content) => content,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(damaged("is missing".to_owned()));
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return Err(self.describe(&error));
            }
            Err(error) => return Err(damaged(format!("can't be read ({error})"))),
        };
        match name_of(&content) == name {
            true => Ok(content),
            false => Err(damaged("is damaged".to_owned())),
        }
    }

    fn discard(&self, name: &str) -> Result<(), Error> {
        match fs::remove_file(self.place(name)?) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.describe(&error)),
            _ => Ok(()),
        }
    }
}

#[cfg(feature = "postgres")]
impl crate::migration::Contents for DirectoryArchive {
    fn names(&self) -> Result<std::collections::BTreeSet<String>, Error> {
        let mut names = std::collections::BTreeSet::new();
        let listed = |directory: &Path| match fs::read_dir(directory) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            entries => entries?.collect::<io::Result<Vec<_>>>(),
        };
        let shelves = listed(&self.directory).map_err(|error| self.describe(&error))?;
        for shelf in shelves {
            let first = shelf.file_name().to_string_lossy().into_owned();
            if first.len() != 2 || !shelf.path().is_dir() {
                continue;
            }
            for file in listed(&shelf.path()).map_err(|error| self.describe(&error))? {
                let rest = file.file_name().to_string_lossy().into_owned();
                let name = format!("sha256:{first}{}", rest.trim_end_matches(".gz"));
                // What is no content is somebody else's.
                if self.place(&name).is_ok_and(|place| place == file.path()) {
                    names.insert(name);
                }
            }
        }
        Ok(names)
    }
}

/// The name of a content.
fn name_of(content: &[u8]) -> String {
    let digest = Sha256::digest(content);
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digits}")
}

/// Makes a directory that only its owner may look into, if it is not there. A link is refused: what is removed and written
/// here would be removed and written elsewhere.
fn make_private(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)?;
    match fs::symlink_metadata(directory)?.is_dir() {
        true => Ok(()),
        false => Err(io::Error::other(format!(
            "{} is a link, and an archive leads nowhere; remove it",
            directory.display()
        ))),
    }
}

/// Brings the entries of a directory to the disk.
fn sync_directory(directory: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = directory;
    Ok(())
}

/// Removes what processes that were killed left behind: what nobody holds locked. What can't be removed does no harm.
fn clean(unfinished: &Path) {
    let Ok(entries) = fs::read_dir(unfinished) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_left = OpenOptions::new()
            .write(true)
            .open(&path)
            .is_ok_and(|file| file.try_lock().is_ok());
        if is_left {
            let _ = fs::remove_file(path);
        }
    }
}
