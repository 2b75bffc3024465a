//! The store of twiceshy as a component: the whole contract of a store over bytes under keys.
//!
//! It is for those who embed the memory component by itself, and for holding the store against its rules in every
//! runtime. Natively there is nothing to it: a linker of a machine can't take the names of exports.
#![cfg(target_family = "wasm")]

use std::sync::LazyLock;

use twiceshy_documents::ByteStore;
use twiceshy_wit::host::{
    Bytes, Change, Condition, Entry, Error, Found, Key, Query, Store, Stored, Write,
};

wit_bindgen::generate!({
    world: "twiceshy:host/store-over-bytes",
    path: ["../../wit/host"],
    with: { "twiceshy:host/types@0.1.0": twiceshy_wit::host },
    generate_all,
});

struct Component;

export!(Component);

struct Imports;

/// It remembers what was searched, for as long as the component lives.
static STORE: LazyLock<ByteStore<Imports>> = LazyLock::new(|| ByteStore::new(Imports));

impl Bytes for Imports {
    fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        twiceshy::host::bytes::get(keys)
    }

    fn scan(&self, first: &str, end: &str, limit: u32) -> Result<Vec<Entry>, Error> {
        twiceshy::host::bytes::scan(first, end, limit)
    }

    fn commit(&self, batch: &[Write], durable: bool) -> Result<(), Error> {
        twiceshy::host::bytes::commit(batch, durable)
    }
}

impl exports::twiceshy::host::store::Guest for Component {
    fn get_many(keys: Vec<Key>) -> Result<Vec<Stored>, Error> {
        STORE.get_many(&keys)
    }

    fn commit(batch: Vec<Change>) -> Result<(), Error> {
        STORE.commit(&batch)
    }

    fn commit_lightly(batch: Vec<Change>) -> Result<(), Error> {
        STORE.commit_lightly(&batch)
    }

    fn find(query: Query) -> Result<Vec<Found>, Error> {
        STORE.find(&query)
    }

    fn count(kind: String, conditions: Vec<Condition>) -> Result<u32, Error> {
        STORE.count(&kind, &conditions)
    }

    fn optimize() -> Result<(), Error> {
        STORE.optimize()
    }
}
