//! An adapter in a directory: `adapter.toml` and `adapter.wasm`, and whether they are what was installed.
//!
//! Owns reading and verifying them. Where directories are looked for, and what the adapter then may do, is others'
//! business.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{
    AdapterState, Place,
    declaration::{self, Declaration},
    files,
    receipt::{self, Receipt},
};
use crate::{PluginError, PluginErrorKind, adapter::contract, limits};

/// The name of the component's file.
pub(super) const COMPONENT: &str = "adapter.wasm";

/// All that is in an adapter's directory.
pub(super) const FILES: [&str; 2] = [declaration::FILE, COMPONENT];

/// A directory with an adapter's name.
#[derive(Debug, Clone)]
pub(super) struct Installed {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) directory: PathBuf,
}

/// An adapter that is what was installed.
#[derive(Debug)]
pub(super) struct Verified {
    pub(super) declaration: Declaration,
    pub(super) receipt: Receipt,
}

/// Why an adapter can't be used.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) state: AdapterState,
    pub(super) message: String,
}

impl Problem {
    pub(super) fn broken(message: impl Into<String>) -> Self {
        Self {
            state: AdapterState::Broken,
            message: message.into(),
        }
    }

    pub(super) fn error(self, name: &str) -> PluginError {
        let kind = match self.state {
            AdapterState::Broken => PluginErrorKind::Incompatible,
            _ => PluginErrorKind::Refused,
        };
        PluginError::new(name, kind, self.message)
    }
}

impl Installed {
    /// Whether there is anything under its name: a directory, or a link, which is then reported.
    pub(super) fn is_there(&self) -> bool {
        let metadata = self.directory.symlink_metadata();
        metadata.is_ok_and(|metadata| metadata.is_dir() || metadata.is_symlink())
    }

    /// Refuses an adapter that is somewhere else than it seems. The user may keep all adapters elsewhere; a project
    /// comes from anywhere, and must not choose a directory of the user's.
    pub(super) fn refuse_links(&self) -> Result<(), String> {
        if let Some(around) = self.directory.parent()
            && self.place == Place::Project
        {
            files::refuse_link(around)?;
        }
        files::refuse_link(&self.directory)
    }

    /// What its `adapter.toml` says, and the hash of that.
    pub(super) fn declaration(&self) -> Result<(Declaration, String), Problem> {
        self.refuse_links().map_err(Problem::broken)?;
        let file = self.directory.join(declaration::FILE);
        let bytes = read(&file, declaration::MOST_BYTES).map_err(Problem::broken)?;
        let text = str::from_utf8(&bytes)
            .map_err(|_| Problem::broken(format!("{}: not UTF-8", file.display())))?;
        let declaration = Declaration::read(&file, text).map_err(Problem::broken)?;
        if declaration.name != self.name {
            return Err(Problem::broken(format!(
                "{} says name = {:?}; the directory must have the name of its adapter",
                file.display(),
                declaration.name
            )));
        }
        contract::version_fits(&declaration.contract).map_err(Problem::broken)?;
        Ok((declaration, receipt::sha256(&bytes)))
    }

    /// Looks whether it is what was installed. Whoever is installing it just now is waited for.
    pub(super) fn verify(&self, receipts: &Path) -> Result<Verified, Problem> {
        self.look(receipts).or_else(|problem| {
            // Nobody installs anything through a link, so there is nobody to wait for.
            if self.refuse_links().is_err() {
                return Err(problem);
            }
            if let Some(around) = self.directory.parent() {
                files::Lock::wait(around);
            }
            self.look(receipts)
        })
    }

    fn look(&self, receipts: &Path) -> Result<Verified, Problem> {
        let (declaration, hash) = self.declaration()?;
        let Some(receipt) = Receipt::find(receipts, &self.directory) else {
            return Err(self.not_installed());
        };
        let changed = |file: &str| Problem {
            state: AdapterState::Changed,
            message: format!(
                "{} was changed since it was installed; if you changed it, install it again: {}",
                self.directory.join(file).display(),
                self.install_command()
            ),
        };
        if receipt.declaration_sha256 != hash {
            return Err(changed(declaration::FILE));
        }
        let file = self.directory.join(COMPONENT);
        let metadata = fs::metadata(&file)
            .map_err(|error| Problem::broken(format!("{}: {error}", file.display())))?;
        if !receipt.looks_same(&metadata)
            && receipt::sha256(&self.component()?) != receipt.component_sha256
        {
            return Err(changed(COMPONENT));
        }
        Ok(Verified {
            declaration,
            receipt,
        })
    }

    /// The bytes of the component, which fit what `adapter.toml` says of them.
    pub(super) fn component(&self) -> Result<Vec<u8>, Problem> {
        read(&self.directory.join(COMPONENT), limits::COMPONENT_BYTES).map_err(Problem::broken)
    }

    fn not_installed(&self) -> Problem {
        let whence = match self.place {
            Place::Project => "it came with the project and was not installed on this machine",
            _ => "it was put there by hand and not installed",
        };
        Problem {
            state: AdapterState::NotInstalled,
            message: format!(
                "{whence}; it would run in a sandbox, but its feedback becomes part of the memory: check it \
                 (`twiceshy adapter check {}`), and if you trust it: {}",
                self.directory.join(COMPONENT).display(),
                self.install_command()
            ),
        }
    }

    fn install_command(&self) -> String {
        let project = match self.place {
            Place::Project => "--project ",
            _ => "",
        };
        format!(
            "twiceshy adapter install {project}{}",
            self.directory.join(COMPONENT).display()
        )
    }
}

/// Reads a plain file of at most so many bytes.
pub(super) fn read(file: &Path, most: usize) -> Result<Vec<u8>, String> {
    let wrong = |error: io::Error| format!("{}: {error}", file.display());
    let mut bytes = Vec::new();
    files::open_plain(file)
        .map_err(wrong)?
        .take(most as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(wrong)?;
    if bytes.len() > most {
        return Err(format!(
            "{}: it has more than {most} bytes, which is the maximum",
            file.display()
        ));
    }
    Ok(bytes)
}
