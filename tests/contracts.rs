//! The contracts in `wit/`: every item is documented, and a change of them is a visible act.

use twiceshy::wit::{FUNCTIONS, audit};

use crate::support::repository;

#[test]
fn the_contracts_are_what_the_snapshot_says() {
    insta::assert_snapshot!(audit::CONTRACTS);
}

#[test]
fn every_item_is_documented_and_says_since_when() {
    assert_eq!(audit::UNDOCUMENTED, [""; 0], "without documentation");
    assert_eq!(audit::UNDATED, [""; 0], "without @since");
}

#[test]
fn no_embedder_has_to_return_an_error_beside_an_option() {
    // Hosts in Python can't tell the cases of `result<option<T>, E>` apart.
    assert!(!audit::CONTRACTS.contains("result<option<"));
}

#[test]
fn every_function_of_the_memory_is_described_for_callers() {
    let mut functions = Vec::new();
    for file in std::fs::read_dir(repository().join("wit/memory")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let mut interface = String::new();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("interface ") {
                interface = name.trim_end_matches(" {").to_owned();
            } else if let Some((name, _)) = line.trim().split_once(": func(") {
                functions.push(format!("{interface}.{}", name.trim_start_matches('%')));
            }
        }
    }
    functions.sort();
    functions.retain(|function| !function.starts_with("rpc."));
    let mut described: Vec<_> = FUNCTIONS
        .iter()
        .map(|function| format!("{}.{}", function.interface, function.name))
        .collect();
    described.sort();
    assert_eq!(described, functions);
    assert!(FUNCTIONS.iter().all(|function| !function.docs.is_empty()));
}
