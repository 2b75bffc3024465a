//! The engine knows no domain: not one line of its code is about any of them.
//!
//! What is looked at is code with its literals; comments and tests may tell of anything.

use std::{collections::BTreeSet, fs, path::Path};

use crate::support::repository;

/// Words of the domains that the memory is shown to learn in, and of the worlds and tools it does that with.
const WORDS: [&str; 32] = [
    // Navigation.
    "minigrid",
    "gymnasium",
    "maze",
    "door",
    "doors",
    "lava",
    "wall",
    "walls",
    "obstacle",
    "obstacles",
    "robot",
    "forward",
    "pickup",
    "toggle",
    "collision",
    "collisions",
    // Computer use.
    "click",
    "clicks",
    "clicked",
    "mouse",
    "screenshot",
    "screenshots",
    "dialog",
    "dialogs",
    "bpm",
    "sequencer",
    "workstation",
    "chromium",
    "playwright",
    // Commands.
    "gridtool",
    "fluxtool",
    "rustc",
];

/// The domains themselves, as nothing in the code may compare with them.
const DOMAINS: [&str; 3] = ["\"cli\"", "\"navigation\"", "\"computer-use\""];

/// Words of error texts in any domain, in the tables of English that tags and fingerprints are read by.
const VOCABULARY: [(&str, &str); 2] = [
    ("tags.rs", "collision"),
    ("fingerprint/words.rs", "collision"),
];

/// The code of a file without its comments and without the tests at its end.
fn code(text: &str) -> String {
    let tests = text.match_indices("#[cfg(test)]\nmod ").find(|(at, _)| {
        text[*at..]
            .lines()
            .nth(1)
            .is_some_and(|line| line.ends_with('{'))
    });
    let text = tests.map_or(text, |(at, _)| &text[..at]);
    let lines = text
        .lines()
        .map(|line| match line.trim_start().starts_with("//") {
            true => "",
            false => line.split_once(" // ").map_or(line, |(code, _)| code),
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// The files of modules that are compiled for tests alone.
fn test_modules(text: &str) -> impl Iterator<Item = String> {
    let marked = text.split("#[cfg(test)]\nmod ").skip(1);
    let names = marked.filter_map(|rest| rest.split_once(';'));
    let names = names.filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    names.map(|(name, _)| format!("{name}.rs"))
}

fn sources(directory: &Path, found: &mut Vec<(String, String)>, root: &Path) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found, root);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).expect("below the root");
            let text = fs::read_to_string(&path).expect("a source file");
            found.push((name.display().to_string(), text));
        }
    }
}

/// What of some code is about a domain: the line's number and the word.
fn about_a_domain(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, line) in code(text).lines().enumerate() {
        let line = line.to_lowercase();
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let told = words
            .flat_map(|word| word.split('_'))
            .filter(|word| WORDS.contains(word) && !VOCABULARY.contains(&(name, *word)));
        let named = DOMAINS
            .iter()
            .copied()
            .filter(|domain| line.contains(domain));
        found.extend(
            told.chain(named)
                .map(|word| format!("{name}:{}: {word}", at + 1)),
        );
    }
    found
}

#[test]
fn not_one_line_of_domain_code_is_in_the_engine() {
    let mut files = Vec::new();
    for layer in ["text", "fingerprint", "learning", "engine"] {
        let root = repository().join("guest").join(layer).join("src");
        sources(&root, &mut files, &root);
    }
    assert!(files.len() > 100, "{} files", files.len());
    let tests: BTreeSet<_> = files
        .iter()
        .flat_map(|(_, text)| test_modules(text))
        .collect();
    let of_tests = |name: &str| {
        tests
            .iter()
            .any(|test| name == test || name.ends_with(&format!("/{test}")))
    };
    let files = files.iter().filter(|(name, _)| !of_tests(name));
    let found: Vec<_> = files
        .flat_map(|(name, text)| about_a_domain(name, text))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_line_about_a_domain_would_be_found() {
    for line in [
        "if ahead == \"lava\" {",
        "let is_door_open = true;",
        "match domain { \"navigation\" => 1 }",
    ] {
        assert_eq!(about_a_domain("runs.rs", line).len(), 1, "{line}");
    }
    let fine = "// A door.\nlet x = 1; // Lava.\n#[cfg(test)]\nmod tests {\n    \"wall\"\n}\n";
    assert!(about_a_domain("runs.rs", fine).is_empty());
}
