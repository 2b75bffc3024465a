//! The guests' bytes depend on their sources alone.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::support::repository;

/// The guests again, from a copy of the sources in another directory.
fn built_elsewhere() -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("another place");
    let sources = place.join("sources");
    if sources.exists() {
        fs::remove_dir_all(&sources).unwrap();
    }
    for part in ["guest", "wit", "host"] {
        copy(&repository().join(part), &sources.join(part));
    }
    for file in ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml"] {
        fs::copy(repository().join(file), sources.join(file)).unwrap();
    }
    copy(&repository().join("tests"), &sources.join("tests"));
    let built = Command::new(env!("CARGO"))
        .current_dir(&sources)
        .args([
            "build",
            "--locked",
            "--package",
            "twiceshy-guests",
            "--target-dir",
        ])
        .arg(place.join("target"))
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("cargo runs");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let builds = fs::read_dir(place.join("target/debug/build")).unwrap();
    let newest = builds
        .map(|entry| entry.unwrap().path().join("out"))
        .filter(|out| out.join("memory.wasm").exists())
        .max_by_key(|out| {
            fs::metadata(out.join("memory.wasm"))
                .unwrap()
                .modified()
                .unwrap()
        });
    newest.expect("the components")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn two_directories_give_the_same_bytes() {
    let elsewhere = built_elsewhere();
    for guest in [&twiceshy_guests::MEMORY]
        .into_iter()
        .chain(twiceshy_guests::ADAPTERS)
    {
        let other = fs::read(elsewhere.join(format!("{}.wasm", guest.name))).unwrap();
        assert!(
            other == guest.bytes,
            "{}: {} and {} bytes",
            guest.name,
            other.len(),
            guest.bytes.len()
        );
    }
}

#[test]
fn no_path_of_this_machine_is_in_the_bytes() {
    let home = std::env::var("HOME").unwrap_or_default();
    let cargo_home = std::env::var("CARGO_HOME").unwrap_or_else(|_| format!("{home}/.cargo"));
    let repository = repository().display().to_string();
    for guest in [&twiceshy_guests::MEMORY]
        .into_iter()
        .chain(twiceshy_guests::ADAPTERS)
    {
        for path in [&cargo_home, &repository] {
            let found = guest
                .bytes
                .windows(path.len())
                .any(|window| window == path.as_bytes());
            assert!(!found, "{} names {path}", guest.name);
        }
        let names_home = guest
            .bytes
            .windows(6)
            .any(|window| window == b"/home/" || window == b"/Users");
        assert!(!names_home, "{} names a home directory", guest.name);
    }
}
