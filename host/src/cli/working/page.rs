//! Writing a page to a file: whole or not at all, and only where it was meant to be.

use std::{
    env, fs,
    fs::OpenOptions,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Component, Path, PathBuf},
};

use nix::fcntl::OFlag;

use crate::cli::failure::Failure;

/// Writes a file by putting a new one in its place. A link that stands there is replaced, not followed; a directory
/// on the way that leads out of the working directory is refused, unless the path itself says so.
pub(super) fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let wrong = |error: std::io::Error| Failure::other(format!("{}: {error}", file.display()));
    let Some(name) = file.file_name() else {
        return Err(Failure::input(format!(
            "{} names no file; name one such as CONTINUITY.md",
            file.display()
        )));
    };
    let parent = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let real = fs::canonicalize(&parent).map_err(wrong)?;
    let stays = file
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if stays {
        let here = env::current_dir()
            .and_then(fs::canonicalize)
            .map_err(wrong)?;
        if !real.starts_with(&here) {
            return Err(Failure::input(format!(
                "{} leads through a link out of the working directory; name the place itself",
                file.display()
            )));
        }
    }
    if fs::symlink_metadata(real.join(name)).is_ok_and(|found| found.is_dir()) {
        return Err(Failure::input(format!(
            "{} is a directory; name a file",
            file.display()
        )));
    }
    let mut draft = name.to_os_string();
    draft.push(format!(".{}.new", std::process::id()));
    let draft = real.join(draft);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(&draft)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&draft, real.join(name)));
    written.map_err(|error| {
        let _ = fs::remove_file(&draft);
        wrong(error)
    })
}
