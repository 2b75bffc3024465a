//! Owns the words for what goes wrong with a database file: the cause and the way out.
//!
//! It turns SQLite's codes into the errors of the contract. It does not decide whether to try again.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use rusqlite::{ErrorCode, ffi};
use twiceshy_wit::host::Error;

/// What stops an operation inside the store: SQLite, or a rule of the contract.
#[derive(Debug)]
pub enum Failure {
    /// SQLite said no.
    Sqlite(rusqlite::Error),
    /// A rule of the contract does not hold.
    Contract(Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Failure::Sqlite(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Contract(error)
    }
}

impl Failure {
    /// The error of the contract, in words for the store at `path`.
    pub fn describe(self, file: &Path, patience: Duration) -> Error {
        let error = match self {
            Failure::Contract(error) => return error,
            Failure::Sqlite(error) => error,
        };
        let path = file.display();
        let code = error.sqlite_error().map(|error| error.extended_code);
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => busy(file, patience),
            Some(ErrorCode::DiskFull) => full(&path),
            // The index of the log lives in a file that is made longer before it is mapped.
            _ if code == Some(ffi::SQLITE_IOERR_SHMSIZE) => full(&path),
            Some(ErrorCode::ReadOnly) => read_only(&path),
            Some(ErrorCode::NotADatabase) => Error::Corrupt(format!(
                "{path} is not a database, or its beginning is damaged; move it away to start with an empty \
                 memory, or restore a backup"
            )),
            Some(ErrorCode::DatabaseCorrupt) => Error::Corrupt(format!(
                "the store {path} is damaged ({error}); check it with `twiceshy doctor`, save what is readable \
                 with `sqlite3 {path} .recover`, or restore a backup"
            )),
            Some(ErrorCode::CannotOpen) => Error::Other(format!(
                "the store {path} can't be opened ({error}); check that its directory exists and that you may \
                 write to it"
            )),
            Some(ErrorCode::PermissionDenied) => Error::Other(format!(
                "the store {path} may not be used ({error}); check the permissions of the file and its directory"
            )),
            Some(ErrorCode::TooBig) => Error::InvalidArgument(format!(
                "a document is too large for the store {path}; make its text or its vector shorter"
            )),
            Some(ErrorCode::SystemIoFailure) => Error::Other(format!(
                "the device that holds {path} failed to read or write (SQLite error {}: {error}); \
                 check the disk and the system's log",
                code.unwrap_or_default()
            )),
            _ => Error::Other(format!("the store {path} failed: {error}")),
        }
    }
}

/// The error of a store that others hold for too long.
pub fn busy(path: &Path, patience: Duration) -> Error {
    let path = path.display();
    Error::Busy(format!(
        "the store {path} has been locked by another process for more than {patience:?}; try again, or see which \
         one with `lsof {path}`"
    ))
}

/// The error of a store that can be read but not written.
pub fn read_only(path: &dyn fmt::Display) -> Error {
    Error::ReadOnly(format!(
        "the store {path} is read-only, and nothing was changed; check how it was opened, and the permissions of \
         the file and its directory"
    ))
}

/// The error of a store whose latest commits are in a log that can't be read in its place.
pub fn log_unreadable(path: &Path) -> Error {
    let path = path.display();
    Error::Other(format!(
        "the latest commits of the store {path} are in its log {path}-wal, which can't be read in a read-only \
         directory; copy both files to a directory that you may write to"
    ))
}

/// The error of a store that holds a commit which only who may write can bring to where it is read.
pub fn left_behind(path: &Path) -> Error {
    Error::Busy(format!(
        "the store {} holds a commit of a process that ended before it was done, and was opened read-only; open it once \
         for writing",
        path.display()
    ))
}

fn full(path: &dyn fmt::Display) -> Error {
    Error::Full(format!(
        "no space left on the device of {path}, and nothing was changed; free some space and try again"
    ))
}

/// Why a database file can't serve as a store.
#[derive(Debug, Clone, PartialEq)]
pub enum OpenError {
    /// The file is a database of another program.
    Foreign(String),
    /// The file was written by a newer twiceshy.
    Newer(String),
    /// The file was written by an older twiceshy and may not be changed.
    Older(String),
    /// The file can't be used now; says why.
    Failed(Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            OpenError::Foreign(message) | OpenError::Newer(message) | OpenError::Older(message) => {
                message
            }
            OpenError::Failed(error) => words(error),
        })
    }
}

impl std::error::Error for OpenError {}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Failed(error) => error,
            other => Error::Other(other.to_string()),
        }
    }
}

fn words(error: &Error) -> &str {
    match error {
        Error::Conflict(message)
        | Error::InvalidArgument(message)
        | Error::Busy(message)
        | Error::Full(message)
        | Error::ReadOnly(message)
        | Error::Corrupt(message)
        | Error::Unavailable(message)
        | Error::Denied(message)
        | Error::Other(message) => message,
    }
}

/// Why a file could not be opened.
pub enum Unopened {
    Sqlite(rusqlite::Error),
    Refused(OpenError),
}

impl From<rusqlite::Error> for Unopened {
    fn from(error: rusqlite::Error) -> Self {
        Unopened::Sqlite(error)
    }
}

impl From<Failure> for Unopened {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Sqlite(error) => Unopened::Sqlite(error),
            Failure::Contract(error) => Unopened::Refused(OpenError::Failed(error)),
        }
    }
}

/// Whether SQLite found no way to write what it has to write beside a file.
pub fn unwritable(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::SystemIoFailure)
    )
}
