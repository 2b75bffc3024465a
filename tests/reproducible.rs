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
    for part in ["guest", "wit", "host", "packages/python"] {
        copy(&repository().join(part), &sources.join(part));
    }
    for file in ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml"] {
        fs::copy(repository().join(file), sources.join(file)).unwrap();
    }
    copy(&repository().join("tests"), &sources.join("tests"));
    // The mark of a build directory, so that the compilers' work goes here, too.
    fs::write(place.join("CACHEDIR.TAG"), "").unwrap();
    let components = place.join("components");
    fs::create_dir_all(&components).unwrap();
    let built = Command::new(build_script())
        .env("CARGO", env!("CARGO"))
        .env("CARGO_MANIFEST_DIR", sources.join("host/guests"))
        .env("OUT_DIR", &components)
        .env_remove("TWICESHY_GUESTS_DIR")
        .output()
        .expect("the build script runs");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    components
}

/// The program that built the embedded guests: it need not be built again to build them again.
fn build_script() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_twiceshy"));
    let builds = fs::read_dir(program.with_file_name("build")).unwrap();
    let scripts = builds
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains("twiceshy-guests-"))
        .map(|path| path.join("build-script-build"))
        .filter(|script| script.is_file());
    let newest = scripts.max_by_key(|script| fs::metadata(script).unwrap().modified().unwrap());
    newest.expect("a build script")
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
