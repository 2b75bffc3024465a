//! The engine and the ports through which it reaches the world.
//!
//! Owns reading and committing documents and the retry after a version conflict. What is written, and
//! why, is the business of the nouns' own modules.

use twiceshy_wit::{
    host::{self, Archive, Change, Clock, Embedder, Key, Level, Log, Model, Query, Store, Stored},
    memory::Error,
};

use crate::documents::{Kind, Noun, Read};

/// What the engine needs from whoever holds it.
#[derive(Clone, Copy)]
pub struct Ports<'a> {
    /// Where documents live.
    pub store: &'a dyn Store,
    /// Large and cold contents; may answer `unavailable`.
    pub archive: &'a dyn Archive,
    /// Vectors for texts; may answer `unavailable`.
    pub embedder: &'a dyn Embedder,
    /// A language model; may answer `unavailable`.
    pub model: &'a dyn Model,
    /// The time.
    pub clock: &'a dyn Clock,
    /// Messages for whoever runs the memory.
    pub log: &'a dyn Log,
}

/// A memory: the rules of twiceshy over the documents of one store.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    pub(crate) ports: Ports<'a>,
}

/// How often a change is tried again when others change the same documents at the same time. Each
/// conflict means that somebody else made progress, so the number only bounds a broken store.
const MOST_ATTEMPTS: u32 = 10_000;

impl<'a> Engine<'a> {
    /// A memory over these ports. Costs nothing: all state is in the store.
    pub fn new(ports: Ports<'a>) -> Self {
        Self { ports }
    }

    pub(crate) fn now(&self) -> u64 {
        self.ports.clock.now()
    }

    /// Reads documents by key, in the order of `keys`; what is missing is left out.
    pub(crate) fn read(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        self.ports.store.get_many(keys).map_err(from_store)
    }

    /// Reads one noun by its id.
    pub(crate) fn load<N: Noun>(&self, id: &str) -> Result<Option<Read<N>>, Error> {
        // An id that no store can hold is not stored anywhere.
        if id.is_empty() || id.len() > crate::limits::ID_BYTES || id.contains('\0') {
            return Ok(None);
        }
        match self.read(&[N::KIND.key(id)])?.first() {
            Some(stored) => Read::parse(stored).map(Some),
            None => Ok(None),
        }
    }

    /// Finds nouns, each with the store's score. A document that can't be read is left out with a warning,
    /// so that one damaged document does not take the whole memory with it.
    pub(crate) fn search<N: Noun>(&self, query: &Query) -> Result<Vec<(Read<N>, f64)>, Error> {
        let found = self.ports.store.find(query).map_err(from_store)?;
        let mut nouns = Vec::with_capacity(found.len());
        for found in found {
            match Read::parse(&found.document) {
                Ok(noun) => nouns.push((noun, found.score)),
                Err(error) => self.warn(&format!("skipped: {}", error.message())),
            }
        }
        Ok(nouns)
    }

    pub(crate) fn count(&self, kind: Kind, conditions: &[host::Condition]) -> Result<u32, Error> {
        self.ports
            .store
            .count(kind.as_str(), conditions)
            .map_err(from_store)
    }

    /// Prepares and commits a change until no other writer gets in between. `prepare` reads what it needs
    /// afresh each time and says what to commit and what to answer; it gets the number of the attempt.
    pub(crate) fn change<T>(
        &self,
        prepare: impl FnMut(u32) -> Result<(Vec<Change>, T), Error>,
    ) -> Result<T, Error> {
        self.change_by(|batch| self.ports.store.commit(batch), prepare)
    }

    /// The same for a change that need not outlive the machine, and that nobody should wait for.
    pub(crate) fn change_lightly<T>(
        &self,
        prepare: impl FnMut(u32) -> Result<(Vec<Change>, T), Error>,
    ) -> Result<T, Error> {
        self.change_by(|batch| self.ports.store.commit_lightly(batch), prepare)
    }

    fn change_by<T>(
        &self,
        commit: impl Fn(&[Change]) -> Result<(), host::Error>,
        mut prepare: impl FnMut(u32) -> Result<(Vec<Change>, T), Error>,
    ) -> Result<T, Error> {
        for attempt in 0..MOST_ATTEMPTS {
            let (batch, answer) = prepare(attempt)?;
            if batch.is_empty() {
                return Ok(answer);
            }
            match commit(&batch) {
                Ok(()) => return Ok(answer),
                Err(host::Error::Conflict(_)) => {}
                Err(error) => return Err(from_store(error)),
            }
        }
        Err(Error::Busy(format!(
            "other writers changed the same documents {MOST_ATTEMPTS} times in a row; try again later"
        )))
    }

    pub(crate) fn warn(&self, message: &str) {
        self.ports.log.write(Level::Warn, message);
    }

    /// Tells whoever looks for a fault what was done.
    pub(crate) fn debug(&self, message: &str) {
        self.ports.log.write(Level::Debug, message);
    }
}

/// What a store's error means to whoever calls the memory.
pub(crate) fn from_store(error: host::Error) -> Error {
    match error {
        host::Error::Other(text) => Error::Storage(text),
        error => from_host(error),
    }
}

/// What a port's error means to whoever calls the memory.
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
