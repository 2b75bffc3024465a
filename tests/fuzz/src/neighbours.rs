//! What the host's sources ask of larger neighbours, in the place of these.

use std::{
    io,
    path::{Path, PathBuf},
};

use twiceshy_wit::memory::{Error, ExperienceSettings};

/// The user's directory.
pub struct Home(pub PathBuf);

impl Home {
    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.0
    }
}

/// The directory of a memory.
pub struct Project(pub PathBuf);

impl Project {
    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.0
    }
}

/// Why a file of settings can't be taken.
pub enum ProjectError {
    Unusable(PathBuf, io::Error),
    Configuration(PathBuf, String),
    Environment(String, String),
}

/// A memory, to which no settings are handed here.
pub enum Memory {}

impl Memory {
    pub fn service(&self) -> Option<&str> {
        match *self {}
    }

    pub fn settings(&self) -> Result<ExperienceSettings, Error> {
        match *self {}
    }

    pub fn configure(&self, _: &ExperienceSettings) -> Result<(), Error> {
        match *self {}
    }
}

pub mod adapter {
    pub(crate) use crate::terms;

    pub mod contract {
        pub fn offered() -> String {
            "twiceshy:adapter@0.1".to_owned()
        }
    }
}

pub mod installed {
    use std::{fs, path::Path};

    pub const COMPONENT: &str = "adapter.wasm";

    pub fn read(file: &Path, most: usize) -> Result<Vec<u8>, String> {
        let bytes = fs::read(file).map_err(|error| error.to_string())?;
        match bytes.len() > most {
            true => Err(format!("it has more than {most} bytes")),
            false => Ok(bytes),
        }
    }
}

pub mod receipt {
    use sha2::{Digest, Sha256};

    pub fn sha256(bytes: &[u8]) -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
