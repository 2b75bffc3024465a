//! The files of adapters: written whole or not at all, by one process at a time.
//!
//! Owns how a small file and a whole directory take their place, and the lock around it. A project may come from
//! anywhere, so nothing is followed, and nothing goes that was not written here. What is in the files is others'
//! business.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

/// The name of the file that is locked.
const LOCK: &str = ".lock";

/// A directory that nobody else changes. Ends when it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the others. Makes the directory if it is not there yet.
    pub(super) fn of(directory: &Path) -> io::Result<Self> {
        make(directory)?;
        let mut options = File::options();
        options.create(true).append(true);
        let file = careful(&mut options).open(directory.join(LOCK))?;
        file.lock()?;
        Ok(Self { _file: file })
    }

    /// Waits until no other process is changing the directory.
    pub(super) fn wait(directory: &Path) {
        if let Ok(file) = careful(File::options().read(true)).open(directory.join(LOCK)) {
            let _ = file.lock_shared();
        }
    }

    /// Refuses what is in the place of the lock and leads elsewhere, or is no file.
    pub(super) fn refuse_other(directory: &Path) -> Result<(), String> {
        let lock = directory.join(LOCK);
        refuse_link(&lock)?;
        match lock.symlink_metadata() {
            Ok(metadata) if !metadata.is_file() => Err(format!(
                "{0} is not a regular file; remove it: rm -r {0}",
                lock.display()
            )),
            _ => Ok(()),
        }
    }
}

/// Opens without following a link at the end of the path, and without waiting for the other end of a pipe.
fn careful(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use nix::libc::{O_NOFOLLOW, O_NONBLOCK};
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(O_NOFOLLOW | O_NONBLOCK);
    }
    options
}

/// Opens a plain file to read it. What is none is refused, and a pipe that nobody writes to is not waited for.
pub(super) fn open_plain(file: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nix::libc::O_NONBLOCK);
    let input = options.open(file)?;
    match input.metadata()?.is_file() {
        true => Ok(input),
        false => Err(io::Error::other("not a regular file")),
    }
}

/// Refuses a link: its author would choose what is read, replaced or removed at its other end.
pub(super) fn refuse_link(path: &Path) -> Result<(), String> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => Err(format!(
            "{0} is a symbolic link, and nothing is read or changed through one; remove the link: rm {0}",
            path.display()
        )),
        _ => Ok(()),
    }
}

/// Refuses a directory that holds anything but these files, before it is replaced or removed.
pub(super) fn refuse_others(place: &Path, files: &[&str]) -> Result<(), String> {
    let wrong = |error: io::Error| format!("{}: {error}", place.display());
    let metadata = match place.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata.map_err(wrong)?,
    };
    if !metadata.is_dir() {
        return Err(format!(
            "{} is not a directory; move it away",
            place.display()
        ));
    }
    let others = others(place, files).map_err(wrong)?;
    if others.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} also holds {}, which is not part of an installed adapter; move it away, so that it is not lost",
        place.display(),
        others.join(", ")
    ))
}

/// What a directory holds besides these files.
fn others(directory: &Path, files: &[&str]) -> io::Result<Vec<String>> {
    let mut others = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() || !files.contains(&name.as_str()) {
            others.push(name);
        }
    }
    others.sort();
    Ok(others)
}

/// Makes a directory, the user's alone where it is new.
pub(super) fn make(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// Writes a file beside its place, brings it to the disk and moves it there.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    StagedFile::new(path, content)?.commit()
}

/// A file that is on the disk, beside its place. Goes when it is dropped before it has taken its place.
#[derive(Debug)]
pub(super) struct StagedFile {
    beside: PathBuf,
    place: PathBuf,
}

impl StagedFile {
    pub(super) fn new(place: &Path, content: &[u8]) -> io::Result<Self> {
        let directory = around(place)?;
        make(directory)?;
        let staged = Self {
            beside: beside(directory),
            place: place.to_owned(),
        };
        write_new(&staged.beside, content)?;
        Ok(staged)
    }

    /// Takes its place.
    pub(super) fn commit(self) -> io::Result<()> {
        fs::rename(&self.beside, &self.place)?;
        // Every reader sees it already, so a disk that fails now undoes nothing.
        let _ = sync(around(&self.place)?);
        Ok(())
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        // After it has taken its place there is nothing left here.
        let _ = fs::remove_file(&self.beside);
    }
}

/// A directory beside its place: the new one, and after it has taken its place the one that was there before. Goes
/// when it is dropped. Its owner holds the lock of the directory around it.
#[derive(Debug)]
pub(super) struct StagedDirectory<'f> {
    beside: PathBuf,
    place: PathBuf,
    files: &'f [&'f str],
}

impl<'f> StagedDirectory<'f> {
    /// Writes files of these names.
    pub(super) fn new(place: &Path, files: &'f [&'f str], contents: &[&[u8]]) -> io::Result<Self> {
        let staged = Self::beside(place, files)?;
        sweep(around(place)?, files)?;
        make(&staged.beside)?;
        for (name, content) in files.iter().zip(contents) {
            write_new(&staged.beside.join(name), content)?;
        }
        sync(&staged.beside)?;
        Ok(staged)
    }

    /// Moves the directory that is in a place aside, atomically.
    pub(super) fn aside(place: &Path, files: &'f [&'f str]) -> io::Result<Self> {
        let staged = Self::beside(place, files)?;
        fs::rename(place, &staged.beside)?;
        Ok(staged)
    }

    fn beside(place: &Path, files: &'f [&'f str]) -> io::Result<Self> {
        Ok(Self {
            beside: beside(around(place)?),
            place: place.to_owned(),
            files,
        })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.beside
    }

    /// Takes its place, and then is what was there before, if anything was; the second time it undoes that. Whoever
    /// looks sees the one or the other.
    pub(super) fn exchange(&self) -> io::Result<()> {
        let there = |path: &Path| path.symlink_metadata().is_ok();
        match (there(&self.beside), there(&self.place)) {
            (true, true) => exchange(&self.beside, &self.place),
            (true, false) => fs::rename(&self.beside, &self.place),
            (false, _) => fs::rename(&self.place, &self.beside),
        }
    }

    /// Leaves it where it is, so that a person can repair what went wrong.
    pub(super) fn keep(self) -> PathBuf {
        let path = self.beside.clone();
        std::mem::forget(self);
        path
    }

    /// Brings it to the disk which of them is where.
    pub(super) fn sync(&self) -> io::Result<()> {
        sync(around(&self.place)?)
    }
}

impl Drop for StagedDirectory<'_> {
    fn drop(&mut self) {
        let _ = discard(&self.beside, self.files);
    }
}

fn around(place: &Path) -> io::Result<&Path> {
    place.parent().ok_or(io::ErrorKind::InvalidInput.into())
}

/// Removes a directory with these files. One that holds anything else stays, with that.
fn discard(directory: &Path, files: &[&str]) -> io::Result<()> {
    for file in files {
        match fs::remove_file(directory.join(file)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::remove_dir(directory)
}

/// Makes two directories change places.
fn exchange(new: &Path, place: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
        if renameat2(AT_FDCWD, new, AT_FDCWD, place, RenameFlags::RENAME_EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    // Where two directories can't change places at once, there is a moment without either.
    let old = beside(around(place)?);
    fs::rename(place, &old)?;
    if let Err(error) = fs::rename(new, place) {
        let _ = fs::rename(&old, place);
        return Err(error);
    }
    fs::rename(&old, new)
}

/// Removes what a process that died has left. The directory is locked, so nobody is still at it.
fn sweep(directory: &Path, files: &[&str]) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let is_left = entry.file_name().to_str().is_some_and(is_beside);
        if is_left && entry.file_type()?.is_dir() && others(&entry.path(), files)?.is_empty() {
            discard(&entry.path(), files)?;
        }
    }
    Ok(())
}

fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Brings the names in a directory to the disk.
fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// A name that nobody else uses and no adapter has.
fn beside(directory: &Path) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!(".{}-{number}.tmp", process::id()));
        // Another process may have had this one's number, and died.
        if path.symlink_metadata().is_err() {
            return path;
        }
    }
}

/// Whether a name is one that [`beside`] gives.
fn is_beside(name: &str) -> bool {
    let numbers = name
        .strip_prefix('.')
        .and_then(|name| name.strip_suffix(".tmp")?.split_once('-'));
    let is_number = |text: &str| {
        text.parse::<u32>()
            .is_ok_and(|number| number.to_string() == text)
    };
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_temporaries_are_told_as_such() {
        let ours = beside(Path::new("/x"));
        assert!(is_beside(ours.file_name().unwrap().to_str().unwrap()));
        for other in [
            "x.tmp",
            ".tmp",
            ".x.tmp",
            ".1.tmp",
            ".1-.tmp",
            ".1-2-3.tmp",
            ".01-2.tmp",
            "1-2.tmp",
        ] {
            assert!(!is_beside(other), "{other}");
        }
    }
}
