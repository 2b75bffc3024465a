//! What the host reads of files and lines that others wrote, from its own sources: without the runtime of components, which would
//! take longer to build than a night has minutes.
//!
//! A module of the host names its neighbours by `crate::` and `super::`; so they stand at the root of this crate, and what
//! stands there in place of a larger neighbour is only what is asked of it.

use std::{fs, io, path::Path};

use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::Transport,
};
use tempfile::TempDir;
use twiceshy_wit::host::Archive;

use crate::{
    Home, Project, ProjectError, Settings, archive::DirectoryArchive, backup, declaration::Declaration, lines::Lines, package::Package,
};

/// A directory in memory, if the machine has such a place: a disk would be what is measured.
fn directory() -> TempDir {
    let shared = Path::new("/dev/shm");
    match shared.is_dir() {
        true => TempDir::new_in(shared),
        false => TempDir::new(),
    }
    .expect("a directory")
}

/// The settings of a user and a project with these files: `config.toml` and `config.yaml` of each.
///
/// # Errors
/// What is said of a file that can't be taken.
pub fn settings(users: [&str; 2], projects: [&str; 2]) -> Result<Settings, String> {
    let root = directory();
    let (home, project) = (Home(root.path().join("home")), Project(root.path().join("project")));
    for (directory, texts) in [(home.directory(), users), (project.directory(), projects)] {
        fs::create_dir(directory).expect("a directory");
        for (name, text) in ["config.toml", "config.yaml"].into_iter().zip(texts) {
            fs::write(directory.join(name), text).expect("a file");
        }
    }
    Settings::read(&home, &project).map_err(|error| match error {
        ProjectError::Unusable(file, error) => format!("{}: {error}", file.display()),
        ProjectError::Configuration(file, why) => format!("{}: {why}", file.display()),
        ProjectError::Environment(name, why) => format!("{name}: {why}"),
    })
}

/// The bytes as a file from which an adapter is installed: the component, and whether what it declares can be taken.
///
/// # Errors
/// What is said of a file that can't be taken.
pub fn adapter(bytes: &[u8]) -> Result<(Vec<u8>, bool), String> {
    let root = directory();
    let file = root.path().join("adapter.tar");
    fs::write(&file, bytes).expect("a file");
    let package = Package::read(&file)?;
    let declared = package.declaration.is_none_or(|(file, text)| {
        let text = String::from_utf8_lossy(&text).into_owned();
        Declaration::read(&file, &text).is_ok_and(|declared| Declaration::read(&file, &declared.text()).is_ok_and(|again| again == declared))
    });
    Ok((package.component, declared))
}

/// The bytes as a backup, unpacked: how many files came out of it.
///
/// # Errors
/// What is said of a backup that can't be taken.
///
/// # Panics
/// If anything came to lie outside of the directory.
pub fn backup(bytes: &[u8]) -> io::Result<usize> {
    let root = directory();
    let (file, place) = (root.path().join("backup"), root.path().join("place"));
    fs::write(&file, bytes).expect("a file");
    let unpacked = backup::unpack(&file, &place);
    let mut beside: Vec<_> = fs::read_dir(root.path()).expect("a directory").map(|one| one.expect("an entry").file_name()).collect();
    beside.retain(|name| name != "backup" && name != "place");
    assert!(beside.is_empty(), "{beside:?} lie outside");
    unpacked.map(|kept| kept.len())
}

/// The bytes in the place of a content of cold storage.
///
/// # Panics
/// If something else than the content is taken for it, or if keeping it does not mend the place.
pub fn cold(bytes: &[u8]) {
    const CONTENT: &[u8] = b"a long report";
    let root = directory();
    let archive = DirectoryArchive::new(root.path().to_owned());
    let name = archive.keep(CONTENT).expect("kept");
    let (first, rest) = name["sha256:".len()..].split_at(2);
    fs::write(root.path().join(first).join(format!("{rest}.gz")), bytes).expect("a file");
    if let Ok(content) = archive.fetch(&name) {
        assert_eq!(content, CONTENT, "something else was taken for the content");
    }
    assert_eq!(archive.keep(CONTENT), Ok(name.clone()));
    assert_eq!(archive.fetch(&name).as_deref(), Ok(CONTENT));
}

/// What is written to a client of `twiceshy mcp` that sends these bytes, when each request that gets through is answered.
pub fn answers(input: &[u8]) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let (write, mut read) = tokio::io::duplex(64 << 20);
    runtime.block_on(async {
        let mut lines = Lines::new(io::Cursor::new(input.to_vec()), write);
        while let Some(message) = lines.receive().await {
            if let ClientJsonRpcMessage::Request(request) = message {
                let error = rmcp::ErrorData::internal_error("passed on", None);
                lines.send(ServerJsonRpcMessage::error(error, Some(request.id))).await.expect("a place");
            }
        }
        lines.close().await.expect("it closes");
        drop(lines);
        let mut text = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut read, &mut text).await.expect("text");
        text
    })
}
