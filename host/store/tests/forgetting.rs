//! What is removed leaves no word behind in any file of the store.

use std::{fs, path::Path};

use twiceshy_store::{Options, SqliteStore};
use twiceshy_wit::host::{
    Attribute, Change, Document, Key, Precondition, Put, Removal, Store, Value,
};

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

fn key(number: u64) -> Key {
    Key {
        kind: format!("kind-{}", number % 3),
        id: format!("document-{number}"),
    }
}

/// A document full of words that begin with `mark`.
fn put(number: u64, mark: &str, words: u64) -> Change {
    let all: Vec<String> = (0..words)
        .map(|word| format!("{mark}{number}x{word}"))
        .collect();
    let attribute = |name: &str, value: &str| Attribute {
        name: name.to_owned(),
        value: Value::Text(value.to_owned()),
    };
    Change::Put(Put {
        document: Document {
            key: key(number),
            body: format!("{{\"text\":\"{}\"}}", all.join(" ")),
            attributes: vec![attribute("tag", &all[0]), attribute("session", mark)],
            text: all.join(" "),
            vector: Vec::new(),
        },
        precondition: Precondition::Anything,
    })
}

fn remove(number: u64) -> Change {
    Change::Remove(Removal {
        key: key(number),
        precondition: Precondition::Anything,
    })
}

/// How often a text stands in the files of a directory.
fn sightings(directory: &Path, text: &str) -> Vec<String> {
    let mut seen = Vec::new();
    for file in fs::read_dir(directory).unwrap() {
        let path = file.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let found = bytes
            .windows(text.len())
            .filter(|part| *part == text.as_bytes());
        let count = found.count();
        if count > 0 {
            seen.push(format!("{count} in {}", path.display()));
        }
    }
    seen
}

#[test]
fn what_is_removed_leaves_no_word_in_any_file() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options {
        light: true,
        ..Options::default()
    };
    let store = SqliteStore::open(&directory.path().join("store.db"), options).unwrap();
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut secret = Vec::new();
    for number in 0..600 {
        let is_secret = number % 4 == 1;
        let mark = if is_secret { "zqsecretzq" } else { "plain" };
        let words = 1 + dice.roll(300);
        store.commit(&[put(number, mark, words)]).unwrap();
        if is_secret {
            secret.push(number);
        }
        // It grows and shrinks, moves from page to page, and others go from around it.
        let again = dice.roll(number + 1);
        let mark = if again % 4 == 1 {
            "zqsecretzq"
        } else {
            "plain"
        };
        store
            .commit(&[put(again, mark, 1 + dice.roll(400))])
            .unwrap();
        if number % 7 == 0 {
            let gone = dice.roll(number + 1);
            store.commit(&[remove(gone)]).unwrap();
        }
        if number % 200 == 0 {
            store.optimize().unwrap();
        }
    }
    assert!(!sightings(directory.path(), "zqsecretzq").is_empty());
    for number in secret {
        store.commit(&[remove(number)]).unwrap();
    }
    store.rewrite().unwrap();
    let left = sightings(directory.path(), "zqsecretzq");
    assert!(left.is_empty(), "{left:?}");
    assert!(!sightings(directory.path(), "plain").is_empty());
    assert!(store.integrity().unwrap().is_empty());
}
