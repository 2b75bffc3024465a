//! The store of a test: in memory, or what `TWICESHY_TEST_STORE` names: `sqlite`, or `postgres` with the server of
//! `TWICESHY_POSTGRES`, each world in a memory of its own. What is asked of the engine must not depend on it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use twiceshy_store::migration::Whole;
use twiceshy_store::{
    MapStore, Options, PostgresAddress, PostgresOptions, PostgresStore, SqliteStore,
};
use twiceshy_wit::host::{Change, Condition, Error, Found, Key, Query, Store, Stored};

pub enum TestStore {
    Map(Box<MapStore>),
    File(
        Box<SqliteStore>,
        #[expect(dead_code, reason = "it is removed with the store")] tempfile::TempDir,
    ),
    Database(Box<PostgresStore>),
}

impl Default for TestStore {
    fn default() -> Self {
        match std::env::var("TWICESHY_TEST_STORE").as_deref() {
            Ok("sqlite") => {
                let directory = tempfile::tempdir().expect("a directory");
                let options = Options {
                    light: true,
                    ..Options::default()
                };
                let store = SqliteStore::open(&directory.path().join("memory.db"), options);
                TestStore::File(Box::new(store.expect("a store")), directory)
            }
            Ok("postgres") => TestStore::Database(Box::new(new_memory())),
            Ok(other) => panic!("TWICESHY_TEST_STORE is {other}, not sqlite or postgres"),
            Err(_) => TestStore::Map(Box::default()),
        }
    }
}

/// A memory in the database that nobody has used yet. All of them share their connections: a new one takes the server longer
/// than most tests do.
fn new_memory() -> PostgresStore {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    static FIRST: OnceLock<PostgresStore> = OnceLock::new();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let name = format!(
        "engine-{}-{}-{}",
        std::process::id(),
        now.expect("a time").as_millis(),
        NUMBER.fetch_add(1, Ordering::Relaxed)
    );
    let first = FIRST.get_or_init(|| {
        let server = std::env::var("TWICESHY_POSTGRES").expect("a server; see tests/postgres/with");
        let address = PostgresAddress::parse(&server).expect("an address");
        let patience = Duration::from_secs(20);
        PostgresStore::open(&address, PostgresOptions { patience }).expect("a database")
    });
    first.another(&name).expect("a memory")
}

impl TestStore {
    fn store(&self) -> &dyn Store {
        match self {
            TestStore::Map(store) => &**store,
            TestStore::File(store, _) => &**store,
            TestStore::Database(store) => &**store,
        }
    }

    /// Everything that is kept, one text for each document, for tests that look for a word anywhere.
    #[allow(dead_code, reason = "not every test file needs it")]
    pub fn texts(&self) -> Vec<String> {
        let whole: &dyn Whole = match self {
            TestStore::Map(store) => return store.texts(),
            TestStore::File(store, _) => &**store,
            TestStore::Database(store) => &**store,
        };
        let mut texts = Vec::new();
        for kind in whole.kinds().expect("kinds") {
            let entries = whole.entries(&kind).expect("entries");
            let ids: Vec<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
            let documents = whole.documents(&kind, &ids).expect("documents");
            texts.extend(documents.iter().map(|kept| format!("{:?}", kept.document)));
        }
        texts
    }
}

impl Store for TestStore {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        self.store().get_many(keys)
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        self.store().commit(batch)
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        self.store().commit_lightly(batch)
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        self.store().find(query)
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        self.store().count(kind, conditions)
    }

    fn optimize(&self) -> Result<(), Error> {
        self.store().optimize()
    }
}
