//! The desk: all that a function of the memory works with. It reads, asks the embedder and the model, and commits.
//!
//! Owns the one way to commit. **Invariant: nothing is asked of a model or an embedder while a commit is prepared.**
//! Committing borrows the desk exclusively, and what prepares a commit only gets a [`Batch`], which can't ask: so a
//! conflict never asks anything twice, and no lock of the store waits for an answer from outside.

use std::ops::Deref;

use twiceshy_wit::{
    host::{self, Change, Embedder, Model, Store},
    memory::Error,
};

use super::{batch::Batch, errors::from_store, ports::Ports, reader::Reader, reader::Versions};

/// How often a commit is prepared again when others change the same documents at the same time. Each
/// conflict means that somebody else made progress, so the number only bounds a broken store.
const MOST_ATTEMPTS: u32 = 10_000;

/// What a function of the memory works with.
pub(crate) struct Desk<'a> {
    reader: Reader<'a>,
    pub(crate) embedder: &'a dyn Embedder,
    pub(crate) model: &'a dyn Model,
}

impl<'a> Deref for Desk<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.reader
    }
}

impl<'a> Desk<'a> {
    pub(crate) fn new(ports: Ports<'a>) -> Self {
        Self {
            reader: Reader {
                store: ports.store,
                archive: ports.archive,
                clock: ports.clock,
                log: ports.log,
                versions: None,
            },
            embedder: ports.embedder,
            model: ports.model,
        }
    }

    /// The same desk over another store and archive, such as one that writes down what it does.
    pub(crate) fn over<'o>(&self, store: &'o dyn Store, archive: &'o dyn host::Archive) -> Desk<'o>
    where
        'a: 'o,
    {
        Desk {
            reader: Reader {
                store,
                archive,
                ..self.reader
            },
            embedder: self.embedder,
            model: self.model,
        }
    }

    /// Prepares a batch and commits it, again and again until no other writer gets in between.
    pub(crate) fn commit<T>(
        &mut self,
        prepare: impl FnMut(&mut Batch) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let store = self.reader.store;
        self.commit_by(|changes| store.commit(changes), prepare)
    }

    /// The same for what need not survive a crash of the machine, and that nobody should wait for.
    pub(crate) fn commit_lightly<T>(
        &mut self,
        prepare: impl FnMut(&mut Batch) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let store = self.reader.store;
        self.commit_by(|changes| store.commit_lightly(changes), prepare)
    }

    fn commit_by<T>(
        &mut self,
        commit: impl Fn(&[Change]) -> Result<(), host::Error>,
        mut prepare: impl FnMut(&mut Batch) -> Result<T, Error>,
    ) -> Result<T, Error> {
        for attempt in 0..MOST_ATTEMPTS {
            let versions = Versions::default();
            let mut batch = Batch::new(
                Reader {
                    versions: Some(&versions),
                    ..self.reader
                },
                attempt,
            );
            let answer = prepare(&mut batch)?;
            let changes = batch.into_changes();
            if changes.is_empty() {
                return Ok(answer);
            }
            match commit(&changes) {
                Ok(()) => return Ok(answer),
                Err(host::Error::Conflict(_)) => {}
                Err(error) => return Err(from_store(error)),
            }
        }
        Err(Error::Busy(format!(
            "Other writers changed the same documents {MOST_ATTEMPTS} times in a row. Try again later."
        )))
    }
}
