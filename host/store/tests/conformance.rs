//! All stores against every rule of the contract.

use twiceshy_documents::{ByteMap, ByteStore};
use twiceshy_store::conformance::{cases, conformance};
use twiceshy_store::{MapStore, Options, SqliteStore};

#[test]
fn the_store_in_memory_keeps_the_contract() {
    conformance(&mut || Box::new(MapStore::new()));
}

#[test]
fn the_store_over_bytes_keeps_the_contract() {
    conformance(&mut || Box::new(ByteStore::new(ByteMap::new())));
}

#[test]
fn the_store_in_sqlite_keeps_the_contract() {
    let directory = tempfile::tempdir().unwrap();
    let mut number = 0;
    conformance(&mut || {
        number += 1;
        let path = directory.path().join(format!("{number}.db"));
        Box::new(SqliteStore::open(&path, Options::default()).unwrap())
    });
}

#[test]
fn no_rule_leaves_a_sqlite_file_damaged() {
    let directory = tempfile::tempdir().unwrap();
    for case in cases() {
        let path = directory.path().join(format!("{}.db", case.name));
        let store = SqliteStore::open(&path, Options::default()).unwrap();
        (case.check)(&store);
        assert_eq!(store.integrity(), Ok(vec![]), "{}", case.name);
        std::fs::remove_file(path).unwrap();
    }
}
