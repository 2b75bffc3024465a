//! The file of a backup: a compressed tar archive whose last entry says what is in it.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Component, Path},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The last entry.
const MANIFEST: &str = "twiceshy-backup.json";

/// The version of the form.
const VERSION: u32 = 1;

/// How many times its size a backup may unpack to, and how many bytes at least: ours grow to 230 times at most, and a file that
/// somebody made to fill a disk to a thousand times.
const MOST_TIMES: u64 = 300;
const MOST_BYTES: u64 = 64 << 20;

/// The manifest in bytes: a hundred bytes for each of a million files.
const MANIFEST_BYTES: u64 = 256 << 20;

/// A file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    bytes: u64,
    sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    version: u32,
    program: String,
    files: BTreeMap<String, Kept>,
}

/// A backup that is being written.
pub(crate) struct Package {
    tar: tar::Builder<GzEncoder<Hashing<File>>>,
    files: BTreeMap<String, Kept>,
}

/// A writer that knows the hash of what went through.
struct Hashing<W> {
    inner: W,
    hash: Sha256,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Package {
    /// Begins a backup in a new file, which only this user can read: a memory is private.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let _ = fs::remove_file(path);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        let hashing = Hashing {
            inner: file,
            hash: Sha256::new(),
        };
        Ok(Self {
            tar: tar::Builder::new(GzEncoder::new(hashing, Compression::fast())),
            files: BTreeMap::new(),
        })
    }

    /// Adds a file under a name.
    pub(crate) fn add(&mut self, name: &str, path: &Path) -> io::Result<()> {
        let mut file = File::open(path)?;
        let (bytes, sha256) = digest(&mut file)?;
        let file = File::open(path)?;
        // A file that grew since is cut, and one that shrank is an error: the hash would not fit.
        self.append(name, bytes, &mut file.take(bytes))?;
        self.files.insert(name.to_owned(), Kept { bytes, sha256 });
        Ok(())
    }

    fn append(&mut self, name: &str, bytes: u64, content: &mut dyn Read) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes);
        header.set_mode(0o600);
        self.tar.append_data(&mut header, name, content)
    }

    /// Ends the backup; returns what is in it, and the hash of the whole file.
    pub(crate) fn finish(mut self) -> io::Result<(BTreeMap<String, Kept>, String)> {
        let manifest = Manifest {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            files: std::mem::take(&mut self.files),
        };
        let text = serde_json::to_vec_pretty(&manifest)?;
        self.append(MANIFEST, text.len() as u64, &mut text.as_slice())?;
        let hashing = self.tar.into_inner()?.finish()?;
        hashing.inner.sync_all()?;
        Ok((manifest.files, hexadecimal(&hashing.hash.finalize())))
    }
}

fn digest(reader: &mut dyn Read) -> io::Result<(u64, String)> {
    let mut hashing = Hashing {
        inner: io::sink(),
        hash: Sha256::new(),
    };
    let bytes = io::copy(reader, &mut hashing)?;
    Ok((bytes, hexadecimal(&hashing.hash.finalize())))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A reader that refuses to give more than so many bytes.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            io::Error::other(format!(
                "it unpacks to more than {MOST_TIMES} times its size, which no backup of a memory does"
            ))
        })?;
        Ok(read)
    }
}

/// Unpacks a backup into a directory, and checks every file of it.
pub(crate) fn unpack(file: &Path, directory: &Path) -> io::Result<BTreeMap<String, Kept>> {
    let file = File::open(file)?;
    let most = MOST_BYTES.saturating_add(file.metadata()?.len().saturating_mul(MOST_TIMES));
    let mut tar = tar::Archive::new(Bounded {
        inner: GzDecoder::new(file),
        left: most,
    });
    let mut found = BTreeMap::new();
    let mut manifest: Option<Manifest> = None;
    for entry in tar.entries()? {
        let mut entry = entry.map_err(|error| damaged(&error.to_string()))?;
        let name = entry.path()?.to_str().map(str::to_owned);
        let name =
            name.filter(|name| is_plain(Path::new(name)) && entry.header().entry_type().is_file());
        let name = name.ok_or_else(|| damaged("an entry is no plain file within it"))?;
        if name == MANIFEST {
            let mut text = Vec::new();
            entry.by_ref().take(MANIFEST_BYTES).read_to_end(&mut text)?;
            manifest =
                Some(serde_json::from_slice(&text).map_err(|error| damaged(&error.to_string()))?);
            continue;
        }
        let place = directory.join(&name);
        fs::create_dir_all(place.parent().unwrap_or(directory))?;
        let mut output = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&place)?;
        let mut hashing = Hashing {
            inner: &mut output,
            hash: Sha256::new(),
        };
        let bytes =
            io::copy(&mut entry, &mut hashing).map_err(|error| damaged(&error.to_string()))?;
        let sha256 = hexadecimal(&hashing.hash.finalize());
        output.sync_all()?;
        found.insert(name, Kept { bytes, sha256 });
    }
    // Only at the end of it the compression says whether all of it was right.
    io::copy(&mut tar.into_inner(), &mut io::sink())
        .map_err(|error| damaged(&error.to_string()))?;
    let manifest = manifest.ok_or_else(|| {
        damaged(&format!(
            "{MANIFEST} is missing; it was cut off, or is no backup"
        ))
    })?;
    if manifest.version > VERSION {
        return Err(io::Error::other(format!(
            "it was written by a newer version ({}); update twiceshy",
            manifest.program
        )));
    }
    let wrong = manifest
        .files
        .iter()
        .find(|(name, kept)| found.get(*name) != Some(kept));
    if let Some((name, _)) = wrong {
        return Err(damaged(&format!("{name} is missing or changed")));
    }
    if found.len() != manifest.files.len() {
        return Err(damaged("it has files that its list does not name"));
    }
    Ok(found)
}

fn damaged(why: &str) -> io::Error {
    io::Error::other(format!("the backup is damaged: {why}"))
}

fn is_plain(path: &Path) -> bool {
    let mut parts = path.components();
    parts.clone().next().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(directory: &Path) -> std::path::PathBuf {
        let file = directory.join("a.tar.gz");
        fs::write(directory.join("one"), b"content").expect("writable");
        let mut package = Package::create(&file).expect("a file");
        package
            .add("archive/ab/one", &directory.join("one"))
            .expect("added");
        package.finish().expect("finished");
        file
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = packed(directory.path());
        let out = directory.path().join("out");
        let kept = unpack(&file, &out).expect("whole");
        assert_eq!(kept.len(), 1);
        assert_eq!(
            fs::read(out.join("archive/ab/one")).expect("a file"),
            b"content"
        );
    }

    #[test]
    fn a_backup_with_any_byte_changed_or_cut_off_is_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = packed(directory.path());
        let whole = fs::read(&file).expect("readable");
        for at in (10..whole.len()).step_by(7) {
            let mut changed = whole.clone();
            changed[at] ^= 0x55;
            for bytes in [changed, whole[..at].to_vec()] {
                let bad = directory.path().join("bad.tar.gz");
                fs::write(&bad, bytes).expect("writable");
                let out = tempfile::tempdir().expect("a directory");
                assert!(unpack(&bad, out.path()).is_err(), "byte {at}");
            }
        }
    }

    #[test]
    fn a_backup_that_would_fill_the_disk_is_refused_before_it_does() {
        let directory = tempfile::tempdir().expect("a directory");
        let bomb = directory.path().join("bomb.tar.gz");
        let tar = File::create(&bomb).expect("a file");
        let mut tar = tar::Builder::new(GzEncoder::new(tar, Compression::best()));
        let bytes = 192 << 20;
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes);
        tar.append_data(&mut header, "memory.db", io::repeat(0).take(bytes))
            .expect("added");
        tar.into_inner()
            .and_then(GzEncoder::finish)
            .expect("finished");
        let out = tempfile::tempdir().expect("a directory");
        let refused = unpack(&bomb, out.path()).expect_err("too much");
        assert!(refused.to_string().contains("300 times"), "{refused}");
        let written = fs::metadata(out.path().join("memory.db")).map_or(0, |found| found.len());
        assert!(written < 160 << 20, "{written}");
    }

    #[test]
    fn no_entry_leads_outside() {
        for path in ["/etc/passwd", "../a", "a/../../b", "", "."] {
            assert!(!is_plain(Path::new(path)), "{path}");
        }
        assert!(is_plain(Path::new("archive/ab/cd.gz")));
    }
}
