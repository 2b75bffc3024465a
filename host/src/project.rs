//! Where a memory lives.
//!
//! Owns finding the memory of a project: in a directory, in a database, or behind a service. What is in it is others'
//! business.

use std::{
    fmt, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use twiceshy_store::PostgresAddress;

use crate::{Home, RemoteMemory, Settings, projects, service, worktree};

/// The directory of a project's memory, at the project's root.
const DIRECTORY: &str = ".twiceshy";

/// The store within it.
const STORE: &str = "memory.db";

/// Large and cold contents within it.
const ARCHIVE: &str = "archive";

/// What else may be in the directory of a memory.
const OWN: [&str; 11] = [
    ".gitignore",
    "adapters",
    ARCHIVE,
    "config.toml",
    "config.yaml",
    "consolidation.lock",
    "sessions",
    "skills",
    "terminals",
    "told.json",
    "unfixed.json",
];

/// What this machine keeps of memories elsewhere, within the user's directory.
const ELSEWHERE: &str = "elsewhere";

/// The memory of a project: a directory, whether it exists yet or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    directory: PathBuf,
    /// The service that the memory is behind, if it is not in the directory.
    address: Option<String>,
    /// The database that holds the memory, if it is not in the directory.
    server: Option<PostgresAddress>,
}

/// Why a project's memory can't be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProjectError {
    /// A directory or file can't be read or made.
    Unusable(PathBuf, io::Error),
    /// A configuration file is not what it should be.
    Configuration(PathBuf, String),
    /// An environment variable is not what it should be.
    Environment(String, String),
    /// A memory elsewhere can't be asked.
    Elsewhere(String),
}

impl fmt::Display for ProjectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unusable(path, error) => write!(
                formatter,
                "{}: {error}; choose another place with --memory DIR, or fix the permissions",
                path.display()
            ),
            Self::Configuration(path, error) => {
                write!(
                    formatter,
                    "{}: {error}; fix or remove the file",
                    path.display()
                )
            }
            Self::Elsewhere(why) => formatter.write_str(why),
            Self::Environment(name, error) => {
                write!(formatter, "the variable {name}: {error}; fix or unset it")
            }
        }
    }
}

impl std::error::Error for ProjectError {}

impl Project {
    /// The memory in this directory.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            address: None,
            server: None,
        }
    }

    /// The memory of this name: a directory, or the address of a memory elsewhere: of a service such as
    /// `https://memory.example`, or of a database such as `postgres://anna@db.example/team`. What this machine alone keeps
    /// of the latter, such as which runs are open here, is in the user's directory.
    ///
    /// # Errors
    /// If it begins as an address and is none.
    pub fn named(name: &Path, home: &Home) -> Result<Self, ProjectError> {
        let Some(address) = name.to_str().filter(|name| name.contains("://")) else {
            return Ok(Self::at(name));
        };
        let server = match PostgresAddress::is_meant(address) {
            true => Some(PostgresAddress::parse(address).map_err(ProjectError::Elsewhere)?),
            false => None,
        };
        let has_secret = service::host(address).contains('@');
        if server.is_none() && (has_secret || !RemoteMemory::is_address(address)) {
            return Err(ProjectError::Elsewhere(format!(
                "`{}` is not the address of a memory; write it as https://HOST:PORT or postgres://USER@HOST/DATABASE",
                service::shown(address)
            )));
        }
        // The place of a database is shown without its password, and stays when the password changes.
        let shown = server.as_ref().map(ToString::to_string);
        let address = shown.as_deref().unwrap_or(address);
        let digest = Sha256::digest(address.trim_end_matches('/').as_bytes());
        let short: String = digest[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Ok(Self {
            directory: home.directory().join(ELSEWHERE).join(short),
            address: server.is_none().then(|| address.to_owned()),
            server,
        })
    }

    /// The memory to use in a directory: the one that the user's settings name for everything, or the one found upward.
    ///
    /// # Errors
    /// If the user's settings can't be read.
    pub fn of_directory(from: &Path, home: &Home) -> Result<Self, ProjectError> {
        let settings = Settings::read(home, &Self::at(home.directory()))?;
        match &settings.memory {
            Some(name) => Self::named(Path::new(name), home),
            None => Ok(Self::find(from)),
        }
    }

    /// The database that holds the memory, if it is in one.
    pub fn server(&self) -> Option<&PostgresAddress> {
        self.server.as_ref()
    }

    /// The service that the memory is behind, if it is behind one.
    pub fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// The memory found upward from a directory, as far as the root of its version-controlled tree: what lies above is another
    /// project's, or was made by who ran something in a home. If there is none, where the first write makes it: at
    /// that root, at that of the main tree if there are several, or right there.
    pub fn find(from: &Path) -> Self {
        let tree = worktree::tree_of(from);
        let found = from
            .ancestors()
            .take_while(|directory| tree.is_none_or(|tree| directory.starts_with(tree)))
            .map(|directory| directory.join(DIRECTORY))
            .find(|path| path.is_dir());
        Self::at(found.unwrap_or_else(|| worktree::home_of_memory(from).join(DIRECTORY)))
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where the memory is, for a person.
    pub fn place(&self) -> String {
        match (&self.address, &self.server) {
            (Some(address), _) => address.clone(),
            (None, Some(server)) => server.to_string(),
            (None, None) => self.directory.display().to_string(),
        }
    }

    /// The store's file.
    pub fn store_file(&self) -> PathBuf {
        self.directory.join(STORE)
    }

    /// The directory of large and cold contents.
    pub fn archive_directory(&self) -> PathBuf {
        self.directory.join(ARCHIVE)
    }

    /// Whether anything was written yet; a memory elsewhere is taken to be there.
    pub fn exists(&self) -> bool {
        self.address.is_some() || self.server.is_some() || self.store_file().exists()
    }

    /// Whether it is that of a repository.
    pub fn is_in_repository(&self) -> bool {
        let root = self.directory.parent();
        root.is_some_and(|root| root.join(".git").exists())
    }

    /// Whether files of others are in the directory: somebody named the directory of a project, say.
    pub fn is_shared(&self) -> bool {
        let is_other = |name: &str| !OWN.contains(&name) && !name.starts_with(STORE);
        let mut entries = fs::read_dir(&self.directory).into_iter().flatten();
        !self.directory.ends_with(DIRECTORY)
            && entries.any(|entry| {
                entry.is_ok_and(|entry| is_other(&entry.file_name().to_string_lossy()))
            })
    }

    /// Makes the directory, ignored by git through a file of its own. A directory that others have put their files into is
    /// theirs: git goes on seeing them.
    ///
    /// # Errors
    /// If it can't be made.
    pub fn create(&self) -> Result<(), ProjectError> {
        let unusable = |error| ProjectError::Unusable(self.directory.clone(), error);
        if self.directory.exists() && !self.directory.is_dir() {
            return Err(unusable(io::ErrorKind::NotADirectory.into()));
        }
        fs::create_dir_all(&self.directory).map_err(unusable)?;
        if self.is_shared() {
            return Ok(());
        }
        let ignore = self.directory.join(".gitignore");
        // Whatever has that name stays, also a link to where there is nothing: it is not written through.
        match fs::File::create_new(&ignore) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(unusable(error)),
            Ok(mut file) => {
                projects::note(&self.directory);
                file.write_all(b"*\n").map_err(unusable)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> tempfile::TempDir {
        tempfile::tempdir().expect("a directory for the test")
    }

    #[test]
    fn the_memory_is_found_upward() {
        let root = scratch();
        let deep = root.path().join("a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(root.path().join(DIRECTORY)).unwrap();
        assert_eq!(
            Project::find(&deep).directory(),
            root.path().join(DIRECTORY)
        );
    }

    #[test]
    fn a_memory_above_the_root_of_a_repository_is_not_its_own() {
        let root = scratch();
        let deep = root.path().join("project/src");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(root.path().join(DIRECTORY)).unwrap();
        fs::create_dir(root.path().join("project/.git")).unwrap();
        let own = root.path().join("project").join(DIRECTORY);
        assert_eq!(Project::find(&deep).directory(), own);
    }

    #[test]
    fn files_of_others_are_not_hidden_from_git() {
        let root = scratch();
        let project = Project::at(root.path());
        fs::write(root.path().join("main.c"), "").unwrap();
        // When the store is there, too.
        for name in ["memory.db", "sessions"] {
            project.create().unwrap();
            assert!(!root.path().join(".gitignore").exists(), "before {name}");
            fs::write(root.path().join(name), "").unwrap();
        }
        fs::remove_file(root.path().join("main.c")).unwrap();
        project.create().unwrap();
        assert!(root.path().join(".gitignore").exists());
    }

    #[test]
    fn without_one_it_is_made_at_the_root_of_the_version_controlled_tree() {
        let root = scratch();
        let deep = root.path().join("a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(root.path().join("a/.git")).unwrap();
        let project = Project::find(&deep);
        assert_eq!(project.directory(), root.path().join("a").join(DIRECTORY));
        project.create().unwrap();
        assert_eq!(
            fs::read_to_string(project.directory().join(".gitignore")).unwrap(),
            "*\n"
        );
    }
}
