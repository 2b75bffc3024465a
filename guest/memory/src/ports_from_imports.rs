//! The engine's ports, served by the component's imports.

use twiceshy_engine::{Engine, Ports};
use twiceshy_wit::host::{Archive, Change, Condition, Error, Found, Key, Query, Store, Stored};

use crate::{
    other_ports::Imports,
    twiceshy::host::{archive, store},
};

/// The engine over this component's imports.
pub(crate) fn engine() -> Engine<'static> {
    Engine::new(Ports {
        store: &Imports,
        archive: &Imports,
        embedder: &Imports,
        model: &Imports,
        clock: &Imports,
        log: &Imports,
    })
}

impl Store for Imports {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        store::get_many(keys)
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        store::commit(batch)
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        store::commit_lightly(batch)
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        store::find(query)
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        store::count(kind, conditions)
    }

    fn optimize(&self) -> Result<(), Error> {
        store::optimize()
    }
}

impl Archive for Imports {
    fn keep(&self, content: &[u8]) -> Result<String, Error> {
        archive::keep(content)
    }

    fn fetch(&self, name: &str) -> Result<Vec<u8>, Error> {
        archive::fetch(name)
    }

    fn discard(&self, name: &str) -> Result<(), Error> {
        archive::discard(name)
    }
}
