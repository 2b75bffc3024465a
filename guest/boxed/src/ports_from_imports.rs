//! The engine's ports: a store and an archive over the bytes that the host keeps, and the component's other imports.

use std::sync::LazyLock;

use twiceshy_documents::ByteStore;
use twiceshy_engine::{Engine, Ports};
use twiceshy_wit::host::{Bytes, Entry, Error, Write};

use crate::{other_ports::Imports, twiceshy::host::bytes};

/// It remembers what was searched, for as long as the component lives.
static STORE: LazyLock<ByteStore<Imports>> = LazyLock::new(|| ByteStore::new(Imports));

/// The engine over this component's imports.
pub(crate) fn engine() -> Engine<'static> {
    Engine::new(Ports {
        store: &*STORE,
        archive: &*STORE,
        embedder: &Imports,
        model: &Imports,
        clock: &Imports,
        log: &Imports,
    })
}

impl Bytes for Imports {
    fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        bytes::get(keys)
    }

    fn scan(&self, first: &str, end: &str, limit: u32) -> Result<Vec<Entry>, Error> {
        bytes::scan(first, end, limit)
    }

    fn commit(&self, batch: &[Write], durable: bool) -> Result<(), Error> {
        bytes::commit(batch, durable)
    }
}
