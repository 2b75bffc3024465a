//! The store in a database, held against every rule of the contract and against the other stores.
//!
//! These tests need a server: `tests/postgres/with cargo test -p twiceshy-store postgres`. Without one, they say so.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use twiceshy_store::conformance::conformance;
use twiceshy_store::{PostgresAddress, PostgresOptions, PostgresStore};

/// The address of the server, if there is one for tests.
pub fn server() -> Option<String> {
    let server = std::env::var("TWICESHY_POSTGRES").ok();
    if server.is_none() {
        eprintln!("skipped: TWICESHY_POSTGRES names no server; see tests/postgres/with");
    }
    server
}

/// The address of a memory that nobody has used yet.
pub fn new_memory(server: &str) -> PostgresAddress {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("test-{}-{}-{number}", std::process::id(), now.as_millis());
    PostgresAddress::parse(server)
        .unwrap()
        .with_memory(&name)
        .unwrap()
}

pub fn new_store(server: &str) -> PostgresStore {
    let options = PostgresOptions {
        patience: Duration::from_secs(20),
    };
    PostgresStore::open(&new_memory(server), options).unwrap()
}

#[test]
fn the_store_in_postgres_keeps_the_contract() {
    let Some(server) = server() else { return };
    conformance(&mut || Box::new(new_store(&server)));
}
