//! `docs/SEEDS.md`: every test that it names exists and is not left out. That they ran, too, is checked by `.ci/run`
//! over the output of all tests.

use std::{collections::BTreeSet, fs, path::Path};

use crate::support::{Scratch, repository};

/// The rows of the page: id, and the tests named in the last column.
fn rows() -> Vec<(String, Vec<String>)> {
    let quoted = |cell: &str| {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let row = |(id, cells): (String, Vec<String>)| (id, quoted(&cells[cells.len() - 1]));
    cells().into_iter().map(row).collect()
}

/// The rows of the page: id, and all cells.
fn cells() -> Vec<(String, Vec<String>)> {
    let page = fs::read_to_string(repository().join("docs/SEEDS.md")).expect("the page");
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<_> = line.split(" | ").collect();
        let id = cells.first()?.strip_prefix("| ")?;
        let is_row = id.split_once('-').is_some_and(|(letters, number)| {
            letters.chars().all(|letter| letter.is_ascii_uppercase())
                && number.parse::<u32>().is_ok()
        });
        if !is_row {
            return None;
        }
        let id = id.to_owned();
        let cells = cells
            .iter()
            .map(|cell| cell.trim_end_matches(" |").to_owned());
        Some((id, cells.collect()))
    });
    rows.collect()
}

/// The names of all test functions in the repository that are run.
fn tests(directory: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            tests(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                if line == "#[test]" {
                    is_test = true;
                } else if line.starts_with("#[ignore") {
                    is_test = false;
                } else if let Some(name) = line.strip_prefix("fn ").filter(|_| is_test) {
                    found.extend(name.split_once('(').map(|(name, _)| name.to_owned()));
                    is_test = false;
                }
            }
        }
    }
}

#[test]
fn every_test_that_the_page_names_exists() {
    let mut known = BTreeSet::new();
    for directory in ["guest", "host", "tests", "wit"] {
        tests(&repository().join(directory), &mut known);
    }
    let missing: Vec<_> = rows()
        .into_iter()
        .flat_map(|(id, named)| named.into_iter().map(move |name| (id.clone(), name)))
        .filter(|(_, name)| !known.contains(name))
        .collect();
    assert_eq!(missing, []);
}

/// Rows that are built later: PostgreSQL, and figures that are measured, not tested.
fn is_open(id: &str) -> bool {
    let number = |letters: &str| id.strip_prefix(letters)?.parse::<u32>().ok();
    id == "EM-94" || number("KM-").is_some_and(|number| matches!(number, 4 | 5 | 249..=261))
}

#[test]
fn every_row_that_is_not_out_of_scope_names_a_test() {
    let bare: Vec<_> = rows()
        .into_iter()
        .filter(|(id, named)| named.is_empty() && !id.starts_with("OS-") && !is_open(id))
        .map(|(id, _)| id)
        .collect();
    assert_eq!(bare, [""; 0]);
}

#[test]
fn every_row_has_an_id_of_its_own() {
    let rows = rows();
    let ids: BTreeSet<_> = rows.iter().map(|(id, _)| id).collect();
    assert!(
        rows.len() > 700,
        "{} rows: the page is not read as it is written",
        rows.len()
    );
    assert_eq!(ids.len(), rows.len());
    assert!(rows.iter().any(|(_, named)| !named.is_empty()));
}

/// A command is its words up to the first flag; the flags stand in its help.
#[test]
fn every_command_that_a_row_names_exists_with_its_flags() {
    let scratch = Scratch::new();
    let mut commands: Vec<(String, String)> = Vec::new();
    for (id, cells) in cells() {
        let named = cells.iter().take(cells.len() - 1);
        let quoted = named.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        let quoted = quoted.filter_map(|text| text.strip_prefix("twiceshy "));
        commands.extend(quoted.map(|command| (command.to_owned(), id.clone())));
    }
    commands.sort();
    commands.dedup_by(|one, other| one.0 == other.0);
    assert!(commands.len() > 8, "{commands:?}");
    for (command, id) in commands {
        let words: Vec<_> = command.split_whitespace().collect();
        let (words, flags): (Vec<_>, Vec<_>) =
            words.into_iter().partition(|word| !word.starts_with('-'));
        let ran = scratch.run(&[&words[..], &["--help"]].concat());
        let help = ran.stdout();
        assert_eq!(ran.code(), 0, "{id}: twiceshy {command}: {}", ran.stderr());
        let usage = format!("twiceshy {}", words.join(" "));
        assert!(help.contains(usage.trim_end()), "{id}: {command}: {help}");
        for flag in flags {
            assert!(help.contains(flag), "{id}: {command} has no {flag}");
        }
    }
}
