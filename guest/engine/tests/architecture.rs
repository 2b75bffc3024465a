//! `docs/ARCHITECTURE.md` against the code: no module is missing, and every file that it names exists.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Where the paths on the page may begin.
const ROOTS: [&str; 7] = [
    "",
    "guest/engine/src",
    "guest/fingerprint/src",
    "guest/learning/src",
    "host",
    "host/src",
    "host/store/src",
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the repository")
        .to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What stands in backquotes on the page.
fn quoted(page: &str) -> BTreeSet<&str> {
    page.lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect()
}

/// The modules that a file declares, without those of tests.
fn modules(file: &str) -> Vec<String> {
    let text = read(file);
    let mut modules = Vec::new();
    let mut is_test = false;
    for line in text.lines() {
        if let Some(declared) = line.strip_suffix(';') {
            let name = declared.rsplit_once("mod ").map(|(_, name)| name);
            if let Some(name) = name.filter(|_| !is_test && !declared.starts_with(['/', ' '])) {
                modules.push(name.to_owned());
            }
        }
        is_test = line.contains("cfg(test)") || line.contains("cfg(all(test");
    }
    modules
}

#[test]
fn the_architecture_names_every_module_of_the_engine_the_host_and_the_store() {
    let page = read("docs/ARCHITECTURE.md");
    let quoted = quoted(&page);
    for (file, prefix) in [
        ("guest/engine/src/lib.rs", ""),
        ("host/src/lib.rs", ""),
        ("host/store/src/lib.rs", ""),
        ("host/store/src/sqlite.rs", "sqlite/"),
    ] {
        let modules = modules(file);
        assert!(!modules.is_empty(), "{file} declares no modules");
        for module in modules {
            let name = format!("{prefix}{module}");
            assert!(quoted.contains(name.as_str()), "{file}: `{name}`");
        }
    }
}

#[test]
fn every_file_that_the_architecture_names_exists() {
    let page = read("docs/ARCHITECTURE.md");
    let missing: Vec<_> = quoted(&page)
        .into_iter()
        .filter(|name| name.ends_with(".rs") && !name.contains("INTERFACE"))
        .filter(|name| {
            !ROOTS
                .iter()
                .any(|root| repository().join(root).join(name).is_file())
        })
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
