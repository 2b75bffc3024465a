//! Owns what goes wrong with a database: what it means for a change that was under way, and the words for it.
//!
//! A failure says whether the change may be tried again, and whether it may have been made. It does not try anything.

use std::fmt;

use tokio_postgres::error::{DbError, SqlState};
use twiceshy_wit::host::Error;

use super::address::PostgresAddress;
use crate::bodies::Damaged;

/// What stops an operation.
#[derive(Debug)]
pub enum Failure {
    /// A rule of the contract does not hold.
    Contract(Error),
    /// Somebody else was in the way; nothing was changed, and the same may work at once.
    Crossed(String),
    /// The server went away, or does not answer, or is not to be written just now. If a commit was sent, it may have
    /// been made.
    Lost(String),
    /// The commit of this id was made before.
    MadeBefore,
    /// The server said no; nothing was changed.
    Refused(Box<DbError>),
    /// The server did not show a certificate that can be trusted; nothing was said to it.
    Untrusted(String),
    /// Something that can't be read.
    Damaged(String),
    /// Anything else; nothing was changed.
    Other(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Contract(error)
    }
}

impl From<Damaged> for Failure {
    fn from(_: Damaged) -> Self {
        Failure::Damaged("a document's content is damaged".into())
    }
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(said) = error.as_db_error() else {
            // Without an answer of the server the connection is of no use, or the answer was not what was expected.
            let said = words(&error);
            return match error.is_closed() || is_of_the_line(&error) {
                // Trying again would not make it another one.
                true if said.contains("invalid peer certificate") => Failure::Untrusted(said),
                true => Failure::Lost(said),
                false => Failure::Other(said),
            };
        };
        let code = said.code();
        let told = || said.message().to_owned();
        if *code == SqlState::UNIQUE_VIOLATION {
            return match said.constraint() {
                Some("commits_pkey") => Failure::MadeBefore,
                _ => Failure::Crossed(told()),
            };
        }
        let is_crossed = [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
        ];
        let is_away = [
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::CANNOT_CONNECT_NOW,
            SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
            // A server that was taken out of its place, or is not promoted yet.
            SqlState::READ_ONLY_SQL_TRANSACTION,
        ];
        if is_crossed.contains(code) {
            Failure::Crossed(told())
        } else if is_away.contains(code) || code.code().starts_with("08") {
            Failure::Lost(told())
        } else {
            Failure::Refused(Box::new(said.clone()))
        }
    }
}

/// Whether an error came from the connection and not from what was asked.
fn is_of_the_line(error: &tokio_postgres::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(one) = cause {
        if one.is::<std::io::Error>() {
            return true;
        }
        cause = one.source();
    }
    // What could not even be connected has no source when all hosts were tried in vain.
    error.to_string().contains("connect")
}

/// An error with its causes. The client's errors hold no password.
fn words(error: &tokio_postgres::Error) -> String {
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(one) = cause {
        let more = one.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        cause = one.source();
    }
    words
}

impl Failure {
    /// The error of the contract, in words for a database. `may_be_made` says that a commit was sent and not answered.
    pub fn describe(self, address: &PostgresAddress, may_be_made: bool) -> Error {
        if may_be_made {
            let why = match &self {
                Failure::Contract(error) => format!("{error:?}"),
                Failure::Crossed(why)
                | Failure::Lost(why)
                | Failure::Untrusted(why)
                | Failure::Damaged(why)
                | Failure::Other(why) => why.clone(),
                Failure::MadeBefore => "it was made".into(),
                Failure::Refused(said) => said.message().to_owned(),
            };
            return Error::Other(format!(
                "the database {address} went away before it answered a commit, which may have been made or not; read \
                 again before you try it again: {why}"
            ));
        }
        match self {
            Failure::Contract(error) => error,
            Failure::MadeBefore => Error::Other(format!(
                "the database {address} has a commit of the same id; nothing was changed; try again"
            )),
            Failure::Crossed(why) => Error::Busy(format!(
                "others kept changing what this commit changes in {address}, and nothing was changed; try again: {why}"
            )),
            Failure::Lost(why) => Error::Busy(format!(
                "the database {address} can't be reached, and nothing was changed; check that it runs and that the \
                 address is right, then try again: {why}"
            )),
            Failure::Untrusted(why) => Error::Denied(format!(
                "the certificate of {address} is not accepted, and nothing was sent; check the name of the host in the \
                 address, or name the certificate of its authority with sslrootcert=FILE: {why}"
            )),
            Failure::Damaged(why) => Error::Corrupt(format!(
                "{why} in {address}; restore a backup of the database"
            )),
            Failure::Other(why) => Error::Other(format!("the database {address} failed: {why}")),
            Failure::Refused(said) => refused(&said, address),
        }
    }
}

fn refused(said: &DbError, address: &PostgresAddress) -> Error {
    let (code, message) = (said.code(), said.message());
    let class = &code.code()[..2];
    if *code == SqlState::DISK_FULL || class == "53" && message.contains("space") {
        return Error::Full(format!(
            "no space left on the disk of {address}, and nothing was changed; free some space and try again"
        ));
    }
    if *code == QUOTA {
        return Error::Full(format!(
            "{message}; nothing was changed; forget something with `twiceshy prune`, or ask for more room"
        ));
    }
    if *code == SqlState::QUERY_CANCELED || *code == SqlState::LOCK_NOT_AVAILABLE {
        return Error::Busy(format!(
            "the database {address} took too long, and nothing was changed; try again later: {message}"
        ));
    }
    if *code == SqlState::TOO_MANY_CONNECTIONS || class == "53" {
        return Error::Busy(format!(
            "the database {address} has no room for another connection, and nothing was changed; try again later, or \
             allow more with max_connections: {message}"
        ));
    }
    if class == "28" {
        return Error::Denied(format!(
            "the database {address} does not know this user or password; check the address: {message}"
        ));
    }
    if *code == SqlState::INSUFFICIENT_PRIVILEGE {
        return Error::Denied(format!(
            "the user of {address} may not do this, and nothing was changed; the owner of the tables gives a role a \
             memory with `SELECT twiceshy.admit('MEMORY', 'ROLE')`: {message}"
        ));
    }
    if *code == SqlState::UNDEFINED_DATABASE {
        return Error::Other(format!(
            "there is no such database as {address}; make it with `createdb`: {message}"
        ));
    }
    if class == "XX" || *code == SqlState::DATA_CORRUPTED {
        return Error::Corrupt(format!(
            "the database {address} is damaged; restore a backup of it: {message}"
        ));
    }
    Error::Other(format!(
        "the database {address} failed ({}): {message}",
        code.code()
    ))
}

/// What our own check of a quota raises.
const QUOTA: SqlState = SqlState::CONFIGURATION_LIMIT_EXCEEDED;

/// Why a database can't serve as a store.
pub struct Unusable(pub String);

impl fmt::Display for Unusable {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
