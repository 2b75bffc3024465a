//! The archive of a project: large and cold contents beside its store.
//!
//! Owns where it is and when it comes into being. A memory that nobody has written to yet has no archive either, and
//! looking for a content leaves no trace.

use twiceshy_store::DirectoryArchive;
use twiceshy_wit::host::{Archive, Error};

use crate::Project;

/// A project's archive.
#[derive(Debug)]
pub struct ProjectArchive {
    project: Project,
    archive: DirectoryArchive,
}

impl ProjectArchive {
    /// The archive of a project. Nothing is made yet.
    pub fn new(project: Project) -> Self {
        Self {
            archive: DirectoryArchive::new(project.archive_directory()),
            project,
        }
    }
}

impl Archive for ProjectArchive {
    fn keep(&self, content: &[u8]) -> Result<String, Error> {
        self.project
            .create()
            .map_err(|error| Error::ReadOnly(error.to_string()))?;
        self.archive.keep(content)
    }

    fn fetch(&self, name: &str) -> Result<Vec<u8>, Error> {
        self.archive.fetch(name)
    }

    fn discard(&self, name: &str) -> Result<(), Error> {
        self.archive.discard(name)
    }
}
