//! What an error of a port means to the caller of the memory.

use twiceshy_wit::{host, memory::Error};

/// What a store's error means to the caller of the memory.
pub(crate) fn from_store(error: host::Error) -> Error {
    match error {
        host::Error::Other(text) => Error::Storage(text),
        error => from_host(error),
    }
}

/// What a port's error means to the caller of the memory.
pub(crate) fn from_host(error: host::Error) -> Error {
    match error {
        host::Error::Conflict(text) => Error::Conflict(text),
        host::Error::InvalidArgument(text) => Error::InvalidArgument(text),
        host::Error::Busy(text) => Error::Busy(text),
        host::Error::Full(text) | host::Error::ReadOnly(text) | host::Error::Corrupt(text) => {
            Error::Storage(text)
        }
        host::Error::Unavailable(text) => Error::Unavailable(text),
        host::Error::Denied(text) => Error::Denied(text),
        host::Error::Other(text) => Error::Other(text),
    }
}
