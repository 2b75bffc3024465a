//! What the memory component imports, served by the host.
//!
//! Owns the connection of a component instance to the host's store, clock, embedder, model and log.
//! Which store, and what is in it, is others' business.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use twiceshy_wit::host::{
    Archive, Change, Clock, Condition, Embedder, Error, Found, Key, Level, Log, Model, Query,
    Store, Stored,
};

use crate::{bindings::memory::twiceshy::host as imports, bounds::Bounds};

/// The ports of a memory, shared by all its instances.
#[derive(Clone)]
pub(crate) struct Ports {
    pub(crate) store: Arc<dyn Store + Send + Sync>,
    pub(crate) archive: Arc<dyn Archive + Send + Sync>,
    pub(crate) embedder: Arc<dyn Embedder + Send + Sync>,
    pub(crate) model: Arc<dyn Model + Send + Sync>,
    pub(crate) clock: Arc<dyn Clock + Send + Sync>,
    pub(crate) log: Arc<dyn Log + Send + Sync>,
}

/// What belongs to one instance.
pub(crate) struct State {
    pub(crate) ports: Ports,
    pub(crate) bounds: Bounds,
    /// The last time that was returned: it never goes back within an instance.
    pub(crate) told: u64,
}

impl imports::store::Host for State {
    fn get_many(&mut self, keys: Vec<Key>) -> Result<Vec<Stored>, Error> {
        self.ports.store.get_many(&keys)
    }

    fn commit(&mut self, batch: Vec<Change>) -> Result<(), Error> {
        self.ports.store.commit(&batch)
    }

    fn commit_lightly(&mut self, batch: Vec<Change>) -> Result<(), Error> {
        self.ports.store.commit_lightly(&batch)
    }

    fn find(&mut self, query: Query) -> Result<Vec<Found>, Error> {
        self.ports.store.find(&query)
    }

    fn count(&mut self, kind: String, conditions: Vec<Condition>) -> Result<u32, Error> {
        self.ports.store.count(&kind, &conditions)
    }

    fn optimize(&mut self) -> Result<(), Error> {
        self.ports.store.optimize()
    }
}

impl imports::archive::Host for State {
    fn keep(&mut self, content: Vec<u8>) -> Result<String, Error> {
        self.ports.archive.keep(&content)
    }

    fn fetch(&mut self, name: String) -> Result<Vec<u8>, Error> {
        self.ports.archive.fetch(&name)
    }

    fn discard(&mut self, name: String) -> Result<(), Error> {
        self.ports.archive.discard(&name)
    }
}

impl imports::embedder::Host for State {
    fn identity(&mut self) -> Result<String, Error> {
        self.ports.embedder.identity()
    }

    fn embed(&mut self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, Error> {
        self.ports.embedder.embed(&texts)
    }
}

impl imports::model::Host for State {
    fn complete(&mut self, prompt: String, schema: String) -> Result<String, Error> {
        self.ports.model.complete(&prompt, &schema)
    }
}

impl imports::clock::Host for State {
    fn now(&mut self) -> u64 {
        self.told = self.told.max(self.ports.clock.now());
        self.told
    }
}

impl imports::log::Host for State {
    fn write(&mut self, level: Level, message: String) {
        self.ports.log.write(level, &message);
    }
}

/// The machine's own clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

/// What stands for a port that a host does not offer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unavailable;

impl Archive for Unavailable {
    fn keep(&self, _: &[u8]) -> Result<String, Error> {
        Err(no_archive())
    }

    fn fetch(&self, _: &str) -> Result<Vec<u8>, Error> {
        Err(no_archive())
    }

    fn discard(&self, _: &str) -> Result<(), Error> {
        Err(no_archive())
    }
}

fn no_archive() -> Error {
    Error::Unavailable("this host offers no archive".to_owned())
}

impl Embedder for Unavailable {
    fn identity(&self) -> Result<String, Error> {
        Err(Error::Unavailable("no embedder is configured".to_owned()))
    }

    fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        Err(Error::Unavailable("no embedder is configured".to_owned()))
    }
}

impl Model for Unavailable {
    fn complete(&self, _: &str, _: &str) -> Result<String, Error> {
        Err(Error::Unavailable("no model is configured".to_owned()))
    }
}

impl Log for Unavailable {
    fn write(&self, _: Level, _: &str) {}
}
