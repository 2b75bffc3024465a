//! The store of a project: opened when it is needed, made by the first write.
//!
//! Owns the moment of opening. A memory that nobody has written to yet is empty, not an error, and
//! looking at it leaves no trace; one that may not be written can still be read. One that came from somebody else is
//! neither read nor written, if it is asked whose it is.

use std::{
    fs, io,
    path::Path,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use twiceshy_store::{Group, OpenError, Options, PostgresOptions, PostgresStore, SqliteStore};
use twiceshy_wit::host::{Change, Condition, Error, Found, Key, Query, Store, Stored};

use crate::{Ownership, Project, Settings, Standing};

/// SQLite takes 511 bytes, the names of the log and its index included; beyond, it only says that it
/// can't open the file.
const LONGEST_PATH: usize = 507;

/// The functions after which no word of what they removed may be left in a file.
const REMOVING: [&str; 2] = ["episodes.purge", "episodes.purge-one"];

/// A project's store. Cheap to clone; clones are the same store.
#[derive(Debug, Clone)]
pub struct ProjectStore(Arc<Place>);

#[derive(Debug)]
struct Place {
    project: Project,
    busy_timeout: Duration,
    ownership: Option<Ownership>,
    /// What holds of experience for this process. It is read with the rest, and never written.
    experience: Option<Stored>,
    opened: OnceLock<Arc<SqliteStore>>,
    served: OnceLock<Arc<PostgresStore>>,
    /// Held while opening, so that threads open it once. Keeps when opening last failed, and why.
    opening: Mutex<Option<(Instant, Error)>>,
    /// Whether commits leave waiting for the disk to [`ProjectStore::sync`].
    deferred: AtomicBool,
    /// Whether a thread enters what is fresh in a database, so that no writer waits for it.
    settled_beside: AtomicBool,
}

impl ProjectStore {
    /// The store of a project. Nothing is opened yet.
    pub fn new(project: Project, settings: &Settings) -> Self {
        Self(Arc::new(Place {
            project,
            busy_timeout: Duration::from_millis(settings.busy_timeout_ms),
            ownership: None,
            experience: settings.experience.document(),
            opened: OnceLock::new(),
            served: OnceLock::new(),
            opening: Mutex::default(),
            deferred: AtomicBool::new(false),
            settled_beside: AtomicBool::new(false),
        }))
    }

    /// The same, used only if the memory is this user's own or new, and marked as such when it is made.
    #[must_use]
    pub fn owned(self, ownership: Ownership) -> Self {
        Self(Arc::new(Place {
            project: self.0.project.clone(),
            busy_timeout: self.0.busy_timeout,
            ownership: Some(ownership),
            experience: self.0.experience.clone(),
            opened: OnceLock::new(),
            served: OnceLock::new(),
            opening: Mutex::default(),
            deferred: AtomicBool::new(false),
            settled_beside: AtomicBool::new(false),
        }))
    }

    /// Refuses a memory that is not this user's.
    fn check_ownership(&self) -> Result<Standing, Error> {
        let standing = match &self.0.ownership {
            Some(ownership) => ownership.standing(&self.0.project),
            None => Standing::Own,
        };
        standing.check().map_err(Error::Denied)?;
        Ok(standing)
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.0.project
    }

    /// The store in a database; none if the memory is not in one.
    ///
    /// # Errors
    /// If the database can't be reached or used.
    pub fn served(&self) -> Result<Option<&Arc<PostgresStore>>, Error> {
        let Some(server) = self.0.project.server() else {
            return Ok(None);
        };
        if let Some(store) = self.0.served.get() {
            return Ok(Some(store));
        }
        let came = Instant::now();
        let mut failed = self
            .0
            .opening
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = self.0.served.get() {
            return Ok(Some(store));
        }
        // Who waited for another's attempt takes its answer, so that nobody's patience runs out one after the other.
        if let Some((ended, error)) = failed.as_ref()
            && *ended > came
        {
            return Err(error.clone());
        }
        let options = PostgresOptions {
            patience: self.0.busy_timeout,
        };
        let store = PostgresStore::open(server, options)
            .inspect_err(|error| *failed = Some((Instant::now(), error.clone())))?;
        let store = Arc::new(store);
        if self.0.settled_beside.load(Ordering::Relaxed) {
            store.settle_beside();
        }
        Ok(Some(self.0.served.get_or_init(|| store)))
    }

    /// The same before a batch is written: what belongs to this machine gets its directory now.
    fn served_for_writing(&self) -> Result<Option<&Arc<PostgresStore>>, Error> {
        let store = self.served()?;
        if store.is_some() && !self.0.project.directory().exists() {
            // Sessions work without it, each command by itself.
            let _ = self.0.project.create();
        }
        Ok(store)
    }

    /// Makes the store if it is not there, wherever it is.
    ///
    /// # Errors
    /// If it can't be made or opened.
    pub fn make(&self) -> Result<(), Error> {
        match self.served_for_writing()? {
            Some(_) => Ok(()),
            None => self.made().map(drop),
        }
    }

    /// The store in a file for reading; none if nothing was written yet, or if the memory is in a database.
    ///
    /// # Errors
    /// If it is there and can't be opened.
    pub fn existing(&self) -> Result<Option<&Arc<SqliteStore>>, Error> {
        self.check_place()?;
        let is_served = self.0.project.server().is_some();
        if is_served || self.0.opened.get().is_none() && !self.0.project.exists() {
            return Ok(None);
        }
        self.open().map(Some)
    }

    /// The store for reading, as far as it is a file on this machine.
    ///
    /// # Errors
    /// If it is there and can't be opened.
    pub fn file(&self) -> Result<Option<&Arc<SqliteStore>>, Error> {
        match self.0.project.address() {
            Some(_) => Ok(None),
            None => self.existing(),
        }
    }

    /// The store, made if it is not there.
    ///
    /// # Errors
    /// If it can't be made or opened.
    pub fn made(&self) -> Result<&Arc<SqliteStore>, Error> {
        self.check_place()?;
        if self.0.opened.get().is_none() && !self.0.project.exists() {
            self.check_ownership()?;
            self.0.project.create().map_err(|error| match error {
                crate::ProjectError::Unusable(_, ref cause)
                    if cause.kind() == std::io::ErrorKind::StorageFull =>
                {
                    Error::Full(error.to_string())
                }
                error => Error::ReadOnly(error.to_string()),
            })?;
        }
        self.open()
    }

    /// From now on a commit survives the process when it returns, and the machine when [`Self::sync`] does. For a process that
    /// makes a few commits and tells nobody of any of them before the last.
    pub fn defer(&self) {
        self.0.deferred.store(true, Ordering::Relaxed);
    }

    /// Says that this process stays: in a database a thread enters fresh texts and vectors into their indices, and no writer
    /// waits for it. Said before the store is used.
    pub fn settle_beside(&self) {
        self.0.settled_beside.store(true, Ordering::Relaxed);
    }

    /// Waits until the disk has everything that was committed.
    ///
    /// # Errors
    /// If the system can't write it.
    pub fn sync(&self) -> Result<(), Error> {
        self.0.opened.get().map_or(Ok(()), |store| store.sync())
    }

    /// Carries a long log over into the file, at a moment when nobody waits for this process.
    ///
    /// # Errors
    /// If the store is there and can't be opened.
    pub fn shorten_log(&self) -> Result<(), Error> {
        self.file()?.map_or(Ok(()), |store| store.shorten_log())
    }

    /// Refuses to open the file of a memory that is elsewhere.
    fn check_place(&self) -> Result<(), Error> {
        match self.0.project.address() {
            Some(address) => Err(Error::Unavailable(format!(
                "this needs the memory's own file, and the memory is at {address}; run it there"
            ))),
            None => Ok(()),
        }
    }

    /// Leaves no word of what was removed for good in any file: not in free parts of the store, not in sessions, not in the
    /// log of hooks, not in files of skills.
    ///
    /// # Errors
    /// If the store's file can't be written anew.
    pub fn erase(&self) -> Result<(), Error> {
        #[cfg(unix)]
        {
            let skill = |slug: &str| Key {
                kind: "skill".to_owned(),
                id: slug.to_owned(),
            };
            let is_kept = |slug: &str| Ok(!self.get_many(&[skill(slug)])?.is_empty());
            crate::traces::forget_words(&self.0.project);
            // Of a memory elsewhere the files are there.
            if self.0.project.address().is_none() {
                crate::traces::forget_skills(&self.0.project, is_kept)?;
            }
        }
        self.rewrite()
    }

    /// The same if a function of the contract, such as `episodes.purge`, removes something for good.
    ///
    /// # Errors
    /// If the store's file can't be written anew.
    pub fn erase_after(&self, method: &str) -> Result<(), Error> {
        match REMOVING.contains(&method) {
            true => self.erase(),
            false => Ok(()),
        }
    }

    /// Writes the files of the store anew. A service does so by itself.
    fn rewrite(&self) -> Result<(), Error> {
        if self.0.project.address().is_some() {
            return Ok(());
        }
        match self.served()? {
            Some(store) => store.rewrite(),
            None => self.existing()?.map_or(Ok(()), |store| store.rewrite()),
        }
    }

    /// Begins a group: what is committed from now on becomes durable when the group ends, with one wait for the disk.
    /// None while nothing was written yet, and if the memory is elsewhere.
    ///
    /// # Errors
    /// If the store is there and can't be opened.
    pub fn group(&self) -> Result<Option<Group<'_>>, Error> {
        if self.0.project.address().is_some() {
            return Ok(None);
        }
        Ok(self.existing()?.map(SqliteStore::group))
    }

    fn open(&self) -> Result<&Arc<SqliteStore>, Error> {
        if let Some(store) = self.0.opened.get() {
            return Ok(store);
        }
        let _one_at_a_time = self
            .0
            .opening
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = self.0.opened.get() {
            return Ok(store);
        }
        let standing = self.check_ownership()?;
        let file = self.0.project.store_file();
        let length = std::path::absolute(&file).map_or(0, |path| path.as_os_str().len());
        if length > LONGEST_PATH {
            return Err(Error::Corrupt(format!(
                "the path {} has {length} bytes, and SQLite allows {LONGEST_PATH}; choose a shorter one with --memory DIR",
                file.display()
            )));
        }
        // A session may have begun in the directory before, which is one's own then, and its file is to be marked, too.
        let begins = standing == Standing::New || standing == Standing::Own && !file.exists();
        if let (true, Some(ownership)) = (begins, &self.0.ownership) {
            ownership.begin(&self.0.project);
        }
        let open = |read_only| {
            let options = Options {
                busy_timeout: self.0.busy_timeout,
                read_only,
                ..Options::default()
            };
            SqliteStore::open(&file, options)
        };
        let store = match open(false) {
            Err(OpenError::Failed(Error::ReadOnly(_))) => open(true),
            opened => opened,
        };
        let store = store.map_err(|error| match error {
            _ if are_files_short(&file) => Error::Other(format!(
                "{}: too many files are open for this process; allow more with `ulimit -n`",
                file.display()
            )),
            OpenError::Failed(Error::Other(why)) => Error::Corrupt(why),
            OpenError::Failed(error) => error,
            // What can't be opened, and a file of another version or program, is as good as damaged to this one.
            other => Error::Corrupt(other.to_string()),
        })?;
        Ok(self.0.opened.get_or_init(|| Arc::new(store)))
    }
}

/// Whether the process may not open the few files that a store needs; SQLite then only says that it can't open one of them.
fn are_files_short(file: &Path) -> bool {
    const NEEDED: usize = 4;
    let opened: io::Result<Vec<_>> = (0..NEEDED).map(|_| fs::File::open(file)).collect();
    // EMFILE and ENFILE.
    opened.is_err_and(|error| matches!(error.raw_os_error(), Some(23 | 24)))
}

impl Store for ProjectStore {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        let mut stored = match (self.served()?, self.existing()?) {
            (Some(store), _) => store.get_many(keys)?,
            (None, Some(store)) => store.get_many(keys)?,
            (None, None) => Vec::new(),
        };
        let experience = self.0.experience.iter();
        stored.extend(
            experience
                .filter(|held| keys.last() == Some(&held.key))
                .cloned(),
        );
        Ok(stored)
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        // A database waits for its disk by itself.
        if let Some(store) = self.served_for_writing()? {
            return store.commit(batch);
        }
        match self.0.deferred.load(Ordering::Relaxed) {
            true => self.made()?.commit_lightly(batch),
            false => self.made()?.commit(batch),
        }
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        match self.served_for_writing()? {
            Some(store) => store.commit_lightly(batch),
            None => self.made()?.commit_lightly(batch),
        }
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        match (self.served()?, self.existing()?) {
            (Some(store), _) => store.find(query),
            (None, Some(store)) => store.find(query),
            (None, None) => Ok(Vec::new()),
        }
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        match (self.served()?, self.existing()?) {
            (Some(store), _) => store.count(kind, conditions),
            (None, Some(store)) => store.count(kind, conditions),
            (None, None) => Ok(0),
        }
    }

    fn optimize(&self) -> Result<(), Error> {
        match (self.served()?, self.existing()?) {
            (Some(store), _) => store.optimize(),
            (None, Some(store)) => store.optimize(),
            (None, None) => Ok(()),
        }
    }
}
