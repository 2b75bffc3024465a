//! The archive of a project: large and cold contents beside its store.
//!
//! Owns where it is and when it comes into being. A memory that nobody has written to yet has no archive either, and
//! looking for a content leaves no trace. The archive of a memory in a database is in the database.

use twiceshy_store::{DirectoryArchive, PostgresArchive};
use twiceshy_wit::host::{Archive, Error};

use crate::{Project, ProjectStore};

/// A project's archive.
#[derive(Debug)]
pub struct ProjectArchive {
    project: Project,
    archive: DirectoryArchive,
    store: Option<ProjectStore>,
}

impl ProjectArchive {
    /// The archive of a project in its directory. Nothing is made yet.
    pub fn new(project: Project) -> Self {
        Self {
            archive: DirectoryArchive::new(project.archive_directory()),
            project,
            store: None,
        }
    }

    /// The archive beside a project's store, wherever that is.
    pub fn beside(store: ProjectStore) -> Self {
        Self {
            store: Some(store.clone()),
            ..Self::new(store.project().clone())
        }
    }

    fn served(&self) -> Result<Option<PostgresArchive>, Error> {
        let Some(store) = &self.store else {
            return Ok(None);
        };
        Ok(store
            .served()?
            .map(|store| PostgresArchive::new(store.clone())))
    }
}

impl Archive for ProjectArchive {
    fn keep(&self, content: &[u8]) -> Result<String, Error> {
        if let Some(served) = self.served()? {
            return served.keep(content);
        }
        // What is in an archive is believed, so the memory that it belongs to is one's own, and marked as such, before.
        match &self.store {
            Some(store) => store.made().map(drop)?,
            None => (self.project.create()).map_err(|error| Error::ReadOnly(error.to_string()))?,
        }
        self.archive.keep(content)
    }

    fn fetch(&self, name: &str) -> Result<Vec<u8>, Error> {
        match self.served()? {
            Some(served) => served.fetch(name),
            None => self.archive.fetch(name),
        }
    }

    fn discard(&self, name: &str) -> Result<(), Error> {
        match self.served()? {
            Some(served) => served.discard(name),
            None => self.archive.discard(name),
        }
    }
}
