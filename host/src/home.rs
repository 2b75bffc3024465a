//! The user's own directory: where it is, and what is in it.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::{Project, settings::CONFIGURATION};

/// The home that the system knows of the user, if the environment names none.
#[cfg(unix)]
fn registered() -> Option<PathBuf> {
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).ok()??;
    Some(user.dir)
}

#[cfg(not(unix))]
fn registered() -> Option<PathBuf> {
    None
}

/// The user's own directory: compiled components and the user's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    directory: PathBuf,
}

impl Home {
    /// The user's directory at this place.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
        }
    }

    /// `TWICESHY_HOME`, or `twiceshy` in the user's data directory.
    pub fn find() -> Self {
        let set = |name: &str| {
            env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let directory = set("TWICESHY_HOME")
            .or_else(|| Some(set("XDG_DATA_HOME")?.join("twiceshy")))
            .or_else(|| Some(set("HOME")?.join(".local/share/twiceshy")))
            .or_else(|| Some(set("LOCALAPPDATA")?.join("twiceshy")))
            .or_else(|| Some(registered()?.join(".local/share/twiceshy")))
            // Never a directory that somebody else could have made: what is in it is believed. It can't be written, and
            // everything goes on without it.
            .unwrap_or_else(|| PathBuf::from("/nonexistent/twiceshy"));
        Self { directory }
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The configuration file within it.
    pub fn configuration(&self) -> PathBuf {
        self.directory.join(CONFIGURATION)
    }

    /// The user's own memory, beside those of projects.
    pub fn memory(&self) -> Project {
        Project::at(self.directory.join("memory"))
    }

    /// Where compiled components are kept.
    pub fn cache(&self) -> PathBuf {
        self.directory.join("cache")
    }
}
