//! What is committed is what the generator writes.

use std::{collections::BTreeSet, fs, path::Path};

use twiceshy_wit_generator::{DIRECTORIES, contract, files, root};

#[test]
fn the_generated_code_is_fresh() {
    let root = root();
    let files = files(&contract(&root).expect("the contract")).expect("code");
    let mut stale: BTreeSet<String> = files
        .iter()
        .filter(|(path, code)| fs::read_to_string(root.join(path)).ok().as_ref() != Some(*code))
        .map(|(path, _)| path.clone())
        .collect();
    for directory in DIRECTORIES {
        for path in found(&root, directory) {
            if !files.contains_key(&path) {
                stale.insert(path);
            }
        }
    }
    assert!(
        stale.is_empty(),
        "these files are not what the contract says; `cargo run -p twiceshy-wit-generator` writes them again: {stale:#?}"
    );
}

#[test]
fn no_generated_file_is_longer_than_a_reader_bears() {
    let root = root();
    let files = files(&contract(&root).expect("the contract")).expect("code");
    let long: Vec<_> = files
        .iter()
        .map(|(path, code)| (path, code.lines().count()))
        .filter(|(_, lines)| *lines > 600)
        .collect();
    assert!(long.is_empty(), "{long:#?}");
}

fn found(root: &Path, directory: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root.join(directory)).expect("a directory") {
        let entry = entry.expect("an entry");
        // What Python leaves behind when it loads a module.
        if entry.file_name() == "__pycache__" {
            continue;
        }
        let path = format!("{directory}/{}", entry.file_name().to_string_lossy());
        match entry.file_type().expect("a type").is_dir() {
            true => paths.extend(found(root, &path)),
            false => paths.push(path),
        }
    }
    paths
}
