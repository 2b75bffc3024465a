//! The archive in a directory: what it keeps is whole, whoever is killed when, and what is not is never given out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use twiceshy_store::DirectoryArchive;
use twiceshy_wit::host::{Archive, Error};

const ROLE: &str = "TWICESHY_ARCHIVE_CHILD";

/// The files of contents in an archive.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for shelf in fs::read_dir(directory).into_iter().flatten().flatten() {
        if shelf.file_name() != "unfinished" {
            let entries = fs::read_dir(shelf.path()).unwrap().flatten();
            files.extend(entries.map(|entry| entry.path()));
        }
    }
    files.sort();
    files
}

fn unfinished(directory: &Path) -> usize {
    fs::read_dir(directory.join("unfinished")).map_or(0, Iterator::count)
}

#[test]
fn a_content_is_kept_once_by_its_hash_and_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    let archive = DirectoryArchive::new(directory.path().join("archive"));
    let name = archive.keep(b"hello").unwrap();
    assert_eq!(
        name,
        "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    );
    assert_eq!(archive.keep(b"hello").unwrap(), name);
    assert_eq!(archive.fetch(&name).unwrap(), b"hello");
    let place = directory
        .path()
        .join("archive/2c/f24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824.gz");
    assert_eq!(files(&directory.path().join("archive")), [place]);
    assert_eq!(unfinished(&directory.path().join("archive")), 0);
    assert_eq!(archive.fetch(&archive.keep(b"").unwrap()).unwrap(), b"");
}

#[test]
fn a_content_that_is_discarded_is_gone_and_discarding_it_again_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let archive = DirectoryArchive::new(directory.path());
    let name = archive.keep(b"hello").unwrap();
    archive.discard(&name).unwrap();
    archive.discard(&name).unwrap();
    assert!(matches!(archive.fetch(&name), Err(Error::Corrupt(_))));
}

#[test]
fn a_damaged_content_is_never_given_out_and_mended_when_it_is_kept_again() {
    let directory = tempfile::tempdir().unwrap();
    let archive = DirectoryArchive::new(directory.path());
    let content: Vec<u8> = (0..100_000u32).flat_map(u32::to_le_bytes).collect();
    let name = archive.keep(&content).unwrap();
    let file = files(directory.path()).remove(0);
    let whole = fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let other = fs::read({
        archive.keep(b"another content").unwrap();
        files(directory.path())
            .into_iter()
            .find(|other| *other != file)
            .unwrap()
    });
    for damage in [
        flipped,
        whole[..whole.len() / 2].to_vec(),
        Vec::new(),
        other.unwrap(),
    ] {
        fs::write(&file, &damage).unwrap();
        assert!(matches!(archive.fetch(&name), Err(Error::Corrupt(_))));
        assert_eq!(archive.keep(&content).unwrap(), name);
        assert_eq!(archive.fetch(&name).unwrap(), content);
    }
}

#[test]
fn a_hostile_name_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let archive = DirectoryArchive::new(directory.path().join("archive"));
    let outside = directory.path().join("outside");
    fs::write(&outside, "kept").unwrap();
    let digits = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    for name in [
        "../outside",
        "",
        "sha256:",
        "sha256:../../../../outside",
        &digits.to_uppercase(),
        &format!("md5:{digits}"),
        &format!("sha256:{digits}0"),
        &format!("sha256:{}/{}", &digits[..2], &digits[3..]),
        &format!("sha256:{}\0", &digits[1..]),
    ] {
        assert!(
            matches!(archive.fetch(name), Err(Error::InvalidArgument(_))),
            "{name:?}"
        );
        assert!(
            matches!(archive.discard(name), Err(Error::InvalidArgument(_))),
            "{name:?}"
        );
    }
    assert!(outside.exists());
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_content_is_not_followed() {
    let directory = tempfile::tempdir().unwrap();
    let archive = DirectoryArchive::new(directory.path());
    let name = archive.keep(b"hello").unwrap();
    let file = files(directory.path()).remove(0);
    let elsewhere = directory.path().join("elsewhere");
    fs::rename(&file, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
    assert!(matches!(archive.fetch(&name), Err(Error::Corrupt(_))));
}

#[cfg(unix)]
#[test]
fn a_link_in_the_archive_loses_nothing_of_what_it_leads_to() {
    let (directory, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let precious = elsewhere.path().join("precious.txt");
    fs::write(&precious, "mine").unwrap();
    let link = directory.path().join("unfinished");
    std::os::unix::fs::symlink(elsewhere.path(), link).unwrap();
    let refused = DirectoryArchive::new(directory.path()).keep(b"content");
    let message = refused.unwrap_err().message().to_owned();
    assert!(message.contains("is a link"), "{message}");
    assert_eq!(fs::read(&precious).unwrap(), b"mine");
}

#[test]
fn a_file_that_unpacks_without_end_is_read_up_to_the_limit() {
    use std::io::Write;
    let directory = tempfile::tempdir().unwrap();
    let archive = DirectoryArchive::new(directory.path());
    let name = archive.keep(b"hello").unwrap();
    let file = files(directory.path()).remove(0);
    let bomb = fs::File::create(&file).unwrap();
    let mut packed = flate2::write::GzEncoder::new(bomb, flate2::Compression::best());
    let zeros = vec![0; 1 << 20];
    (0..80).for_each(|_| packed.write_all(&zeros).unwrap());
    packed.finish().unwrap();
    assert!(matches!(archive.fetch(&name), Err(Error::Corrupt(_))));
    assert!(matches!(
        archive.keep(&vec![0; (64 << 20) + 1]),
        Err(Error::InvalidArgument(_))
    ));
}

#[test]
fn many_may_keep_the_same_content_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let content = vec![7; 1 << 20];
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let archive = DirectoryArchive::new(directory.path());
                for number in 0..20u32 {
                    let name = archive.keep(&content).unwrap();
                    assert_eq!(archive.fetch(&name).unwrap(), content);
                    let own = archive.keep(&number.to_le_bytes()).unwrap();
                    assert_eq!(archive.fetch(&own).unwrap(), number.to_le_bytes());
                }
            });
        }
    });
    assert_eq!(files(directory.path()).len(), 21);
    assert_eq!(unfinished(directory.path()), 0);
}

/// What a child of these tests does: it keeps contents until it is killed.
#[test]
fn what_a_child_does() {
    let Ok(directory) = std::env::var(ROLE) else {
        return;
    };
    let archive = DirectoryArchive::new(directory);
    for number in 0u64.. {
        let content: Vec<u8> = (0..200_000u64)
            .flat_map(|at| (at * 31 + number).to_le_bytes())
            .collect();
        archive.keep(&content).unwrap();
    }
}

#[test]
fn a_process_that_is_killed_leaves_whole_contents_and_nothing_that_stays() {
    let directory = tempfile::tempdir().unwrap();
    for round in 0..4 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "archive::what_a_child_does", "--nocapture"])
            .env(ROLE, directory.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while unfinished(directory.path()) == 0 && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(round * 7));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let archive = DirectoryArchive::new(directory.path());
    for file in files(directory.path()) {
        let shelf = file.parent().and_then(Path::file_name).unwrap();
        let name = format!(
            "sha256:{}{}",
            shelf.to_string_lossy(),
            file.file_stem().unwrap().to_string_lossy()
        );
        archive.fetch(&name).unwrap();
    }
    archive.keep(b"the next one cleans").unwrap();
    assert_eq!(unfinished(directory.path()), 0);
}
