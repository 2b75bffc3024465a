//! The files of the repository: none is too long, and none that belongs to a binary of tests is forgotten by it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// No file is longer.
const MOST_LINES: usize = 600;

/// Where the sources are.
const PARTS: [&str; 5] = ["examples", "guest", "host", "tests", "wit"];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the repository")
}

/// Every Rust file below a directory.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn every_source() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for part in PARTS {
        sources(&repository().join(part), &mut found);
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn shown(path: &Path) -> String {
    let path = path.strip_prefix(repository()).unwrap_or(path);
    path.display().to_string()
}

#[test]
fn no_file_is_longer_than_600_lines() {
    let mut crates: BTreeMap<String, usize> = BTreeMap::new();
    let mut long = Vec::new();
    for path in every_source() {
        let lines = read(&path).lines().count();
        if lines > MOST_LINES {
            long.push(format!("{}: {lines}", shown(&path)));
        }
        if let Some((of, _)) = shown(&path).split_once("/src/") {
            *crates.entry(of.to_owned()).or_default() += lines;
        }
    }
    for (of, lines) in crates {
        println!("{lines:6} {of}");
    }
    assert!(
        long.is_empty(),
        "longer than {MOST_LINES} lines: {}",
        long.join(", ")
    );
}

/// Cargo finds files of tests by itself only where each is a binary of its own; elsewhere a file that no `mod` names
/// is never compiled, and its tests pass by not being there.
#[test]
fn every_file_of_tests_is_part_of_a_binary() {
    let sources = every_source();
    let mut forgotten = Vec::new();
    for main in sources
        .iter()
        .filter(|path| path.ends_with("tests/main.rs"))
    {
        let directory = main.parent().expect("a directory of tests");
        // Those of other crates below it have a manifest and a binary of their own.
        let own = |path: &&PathBuf| {
            let mut between = path.ancestors().skip(1);
            let crates =
                between.find(|above| above.join("Cargo.toml").is_file() || *above == directory);
            path.starts_with(directory) && crates == Some(directory) && *path != main
        };
        for path in sources.iter().filter(own) {
            let (above, name) = match path.file_stem().expect("a name") {
                stem if stem == "mod" => (path.parent().expect("a module"), path.parent()),
                _ => (path.as_path(), Some(path.as_path())),
            };
            let name = name
                .and_then(Path::file_stem)
                .expect("a name")
                .to_string_lossy();
            let parent = above.parent().expect("a parent");
            let declared_in = match parent == directory {
                true => main.clone(),
                false if parent.join("mod.rs").is_file() => parent.join("mod.rs"),
                false => parent.with_extension("rs"),
            };
            let declared = declared_in.is_file() && {
                let text = read(&declared_in);
                text.lines()
                    .any(|line| line.ends_with(&format!("mod {name};")))
            };
            if !declared {
                forgotten.push(shown(path));
            }
        }
    }
    assert!(
        forgotten.is_empty(),
        "no `mod` names {}",
        forgotten.join(", ")
    );
}
