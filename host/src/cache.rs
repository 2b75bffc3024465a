//! The cache of compiled components.
//!
//! Compiling takes a second, loading what was compiled a millisecond, and a hook is a new process for
//! every step of an agent. Owns the files of the cache: one per component and engine, named by the
//! content of both, written under another name and moved into place, so that many processes may start
//! at once. A damaged file is compiled again and replaced.
//!
//! Looking at every byte takes longer than loading them, so it is done once: a file that was found whole gets a
//! time of modification that no write leaves behind.

use std::{
    fmt, fs,
    hash::{Hash, Hasher},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, SystemTime},
};

use twiceshy_guests::Guest;
use wasmtime::{Engine, component::Component};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

use crate::engines;

/// Stands behind the content of every file of the cache, before its checksum: the format.
const MAGIC: &[u8; 16] = b"twiceshy cwasm 1";

/// The length of magic and checksum.
const SEAL: usize = 32;

/// The modification time of a file that was found whole: a moment in 2001, which any write changes.
const FOUND_WHOLE: Duration = Duration::from_secs(987_654_321);

/// Where compiled components are kept, and whom to tell when one has to be compiled.
pub struct Cache {
    directory: Option<PathBuf>,
    compiling: Box<dyn Fn(&str) + Send + Sync>,
}

/// What stands under a component's name in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// It is there and sound.
    Sound,
    /// It is not there yet.
    Missing,
    /// It is there but can't be used; the next start replaces it.
    Damaged(String),
}

impl fmt::Debug for Cache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Cache")
            .field("directory", &self.directory)
            .finish_non_exhaustive()
    }
}

impl Cache {
    /// A cache in a directory, which is made when it is needed. `compiling` gets the name of a
    /// component before it is compiled.
    pub fn new(directory: PathBuf, compiling: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            directory: Some(directory),
            compiling: Box::new(compiling),
        }
    }

    /// No cache: every component is compiled when it is loaded.
    pub fn none() -> Self {
        Self {
            directory: None,
            compiling: Box::new(|_| {}),
        }
    }

    /// Loads the component whose bytes have this hash, compiled before if possible.
    pub(crate) fn load<E>(
        &self,
        engine: &Engine,
        name: &str,
        sha256: &str,
        compile: impl FnOnce() -> Result<Component, E>,
    ) -> Result<Component, E> {
        let file = self.file(engine, name, sha256);
        if let Some(file) = &file
            && let Ok(component) = read(engine, file)
        {
            return Ok(component);
        }
        self.tell(name);
        let component = compile()?;
        self.keep(engine, name, sha256, &component);
        Ok(component)
    }

    /// Says that a component is compiled now.
    pub(crate) fn tell(&self, name: &str) {
        (self.compiling)(name);
    }

    /// Keeps what was compiled. Without a place to write, everything still works, only slower: `doctor` tells.
    pub(crate) fn keep(&self, engine: &Engine, name: &str, sha256: &str, component: &Component) {
        if let Some(file) = self.file(engine, name, sha256) {
            let _ = component
                .serialize()
                .map(|compiled| write(&file, &compiled));
        }
    }

    /// Removes what was compiled of a component, for any engine.
    pub(crate) fn forget(&self, name: &str, sha256: &str) {
        let Some(directory) = self.directory.as_ref().filter(|_| !is_ours(name)) else {
            return;
        };
        let beginning = format!("{name}-{}-", content(sha256));
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&beginning) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Removes what was compiled of other contents that had a component's name, for any engine.
    pub(crate) fn forget_others(&self, name: &str, kept: &[String]) {
        let directory = self.directory.as_ref().filter(|_| !is_ours(name));
        let entries = directory.map(fs::read_dir);
        for entry in entries.into_iter().flatten().flatten().flatten() {
            let file = entry.file_name();
            let of_name = file
                .to_str()
                .and_then(|file| file.strip_prefix(name)?.strip_prefix('-'));
            // Another name may begin with this one.
            let parts = of_name.map(|rest| rest.split(['-', '.']).collect::<Vec<_>>());
            if let Some([found, _, "cwasm"]) = parts.as_deref()
                && !kept.iter().any(|sha256| content(sha256) == *found)
            {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Looks at what is kept of the components that are part of this crate.
    pub fn inspect(&self) -> Vec<(&'static str, Entry)> {
        let adapters = twiceshy_guests::ADAPTERS
            .iter()
            .map(|guest| (engines::adapters(), *guest));
        let bundled =
            std::iter::once((engines::memory(), &twiceshy_guests::MEMORY)).chain(adapters);
        let look = |(engine, guest): (&Engine, &Guest)| {
            let entry = match self.file(engine, guest.name, guest.sha256) {
                Some(file) if file.exists() => match check(&file)
                    .map_err(|error| error.to_string())
                    .and_then(|()| read(engine, &file))
                {
                    Ok(_) => Entry::Sound,
                    Err(error) => Entry::Damaged(format!("{}: {error}", file.display())),
                },
                _ => Entry::Missing,
            };
            (guest.name, entry)
        };
        bundled.map(look).collect()
    }

    /// The file's name says all that the compiled code depends on.
    fn file(&self, engine: &Engine, name: &str, sha256: &str) -> Option<PathBuf> {
        let mut hash = Xxh3Default::new();
        engine.precompile_compatibility_hash().hash(&mut hash);
        let engine = hash.finish();
        let content = content(sha256);
        Some(
            self.directory
                .as_ref()?
                .join(format!("{name}-{content}-{engine:016x}.cwasm")),
        )
    }
}

/// What of a hash stands in a file's name: enough that nobody finds two contents for it.
fn content(sha256: &str) -> &str {
    sha256.get(..32).unwrap_or(sha256)
}

/// Whether a name is that of a component which is part of this crate. What was compiled of these is never forgotten,
/// whoever else calls itself so: without it, the next step of an agent waits for a compilation.
pub(crate) fn is_ours(name: &str) -> bool {
    std::iter::once(&twiceshy_guests::MEMORY)
        .chain(twiceshy_guests::ADAPTERS)
        .any(|guest| guest.name == name)
}

/// Loads compiled code by mapping its file, after a look at every byte of it if nobody had one since it was written.
fn read(engine: &Engine, file: &Path) -> Result<Component, String> {
    refuse_foreign(file)?;
    let modified = fs::metadata(file).and_then(|metadata| metadata.modified());
    if !modified.is_ok_and(|modified| modified == SystemTime::UNIX_EPOCH + FOUND_WHOLE) {
        check(file).map_err(|error| error.to_string())?;
    }
    // SAFETY: the file is what `Component::serialize` gave to this user: nobody else can write it, it is
    // never changed in place, the checksum showed that it is whole, and its time that nobody wrote it since.
    unsafe { Component::deserialize_file(engine, file) }.map_err(|error| format!("{error:#}"))
}

/// Compares the content with the checksum behind it. Reads through a small buffer: mapping the file is what
/// makes loading fast, and a copy of it would undo that.
fn check(file: &Path) -> io::Result<()> {
    let damaged = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut input = fs::File::open(file)?;
    let length = input.metadata()?.len();
    let content = length
        .checked_sub(SEAL as u64)
        .ok_or_else(|| damaged("the file is cut off"))?;
    let mut hash = Xxh3Default::new();
    let mut buffer = vec![0; 128 << 10];
    let mut left = content;
    while left > 0 {
        let count = input.read(&mut buffer[..left.min(128 << 10) as usize])?;
        if count == 0 {
            return Err(damaged("the file is cut off"));
        }
        hash.update(&buffer[..count]);
        left -= count as u64;
    }
    let mut seal = [0; SEAL];
    input.read_exact(&mut seal)?;
    if seal != sealed(hash.digest128()) {
        return Err(damaged("the checksum does not match the content"));
    }
    // Where a time can't be set, every start looks again.
    let _ = input.set_modified(SystemTime::UNIX_EPOCH + FOUND_WHOLE);
    Ok(())
}

/// What stands behind the content.
fn sealed(checksum: u128) -> [u8; SEAL] {
    let mut seal = [0; SEAL];
    seal[..16].copy_from_slice(MAGIC);
    seal[16..].copy_from_slice(&checksum.to_le_bytes());
    seal
}

/// Compiled code is run as it is, so it must come from nobody but this user.
#[cfg(unix)]
fn refuse_foreign(file: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    let own = nix::unistd::geteuid().as_raw();
    for path in [Some(file), file.parent()].into_iter().flatten() {
        let metadata = fs::metadata(path).map_err(|error| error.to_string())?;
        if metadata.uid() != own || metadata.mode() & 0o022 != 0 {
            return Err(format!(
                "other users may write {}; make it yours alone: chmod go-w",
                path.display()
            ));
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_foreign(_: &Path) -> Result<(), String> {
    Ok(())
}

fn write(file: &Path, compiled: &[u8]) -> io::Result<()> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let directory = file.parent().ok_or(io::ErrorKind::InvalidInput)?;
    make_private(directory)?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = directory.join(format!(".{}-{number}.tmp", process::id()));
    let written = (|| {
        let mut output = private_file(&temporary)?;
        output.write_all(compiled)?;
        output.write_all(&sealed(xxh3_128(compiled)))?;
        // What is found whole once must not be lost with the power.
        output.sync_data()?;
        if file.is_dir() {
            // A file never takes the place of a directory by itself.
            fs::remove_dir_all(file)?;
        }
        fs::rename(&temporary, file)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(unix)]
fn make_private(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
}

#[cfg(unix)]
fn private_file(path: &Path) -> io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
}

#[cfg(not(unix))]
fn make_private(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}

#[cfg(not(unix))]
fn private_file(path: &Path) -> io::Result<fs::File> {
    fs::File::create(path)
}
