//! The files of adapters: written whole or not at all, by one process at a time.
//!
//! Owns how a small file and a whole directory take their place, and the lock around it. What is in them is others'
//! business.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

/// A directory that nobody else changes. Ends when it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the others. Makes the directory if it is not there yet.
    pub(super) fn of(directory: &Path) -> io::Result<Self> {
        make(directory)?;
        let file = File::options()
            .create(true)
            .append(true)
            .open(directory.join(".lock"))?;
        file.lock()?;
        Ok(Self { _file: file })
    }

    /// Waits for whoever is changing the directory, if there is anything to wait for.
    pub(super) fn wait(directory: &Path) {
        if let Ok(file) = File::open(directory.join(".lock")) {
            let _ = file.lock_shared();
        }
    }
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
    let directory = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    make(directory)?;
    let beside = beside(directory);
    let written = write_new(&beside, content)
        .and_then(|()| fs::rename(&beside, path))
        .and_then(|()| sync(directory));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Makes a directory with these files, or puts it in the place of the one that is there. Whoever looks sees the old
/// files or the new ones. The directory around it is locked by the caller.
pub(super) fn replace(place: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    let around = place.parent().ok_or(io::ErrorKind::InvalidInput)?;
    sweep(around)?;
    let beside = beside(around);
    let written = (|| {
        make(&beside)?;
        for (name, content) in files {
            write_new(&beside.join(name), content)?;
        }
        sync(&beside)?;
        exchange(&beside, place)?;
        sync(around)
    })();
    let _ = fs::remove_dir_all(&beside);
    written
}

/// Removes a directory: at once for whoever looks. The directory around it is locked by the caller.
pub(super) fn remove(place: &Path) -> io::Result<()> {
    let around = place.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let aside = beside(around);
    fs::rename(place, &aside)?;
    sync(around)?;
    // A link goes, and what it leads to stays.
    match aside.symlink_metadata()?.is_dir() {
        true => fs::remove_dir_all(&aside),
        false => fs::remove_file(&aside),
    }
}

/// Moves a new directory into its place; what was there before is then where the new one was.
fn exchange(new: &Path, place: &Path) -> io::Result<()> {
    if place.symlink_metadata().is_err() {
        return fs::rename(new, place);
    }
    #[cfg(target_os = "linux")]
    {
        use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
        if renameat2(AT_FDCWD, new, AT_FDCWD, place, RenameFlags::RENAME_EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    // Where two directories can't change places at once, there is a moment without either.
    let around = place.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let old = beside(around);
    fs::rename(place, &old)?;
    fs::rename(new, place)?;
    fs::rename(&old, new)
}

/// Removes what a process that died has left. The directory is locked, so nobody is still at it.
fn sweep(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().ends_with(".tmp") {
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
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
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    directory.join(format!(".{}-{number}.tmp", process::id()))
}
