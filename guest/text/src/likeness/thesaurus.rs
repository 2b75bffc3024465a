//! Which words say the same in a hypothesis about software.
//!
//! Owns the tables, and nothing of how they are used. A word may be in several groups: two words say the same if they share one. Each
//! table has a reason to be here: words that a team exchanges freely when it writes an idea down a second time. Names of products,
//! components and quantities are never exchanged, and neither are opposites.

use std::{
    borrow::Cow,
    collections::HashMap,
    hash::{BuildHasherDefault, DefaultHasher},
    sync::LazyLock,
};

use crate::{script::is_ideograph, stem::stem};

/// Only asked for single words, never walked over.
type Table<V> = HashMap<String, V, BuildHasherDefault<DefaultHasher>>;

/// The groups of a stem.
pub(super) fn groups(stem: &str) -> &'static [u16] {
    GROUPS_BY_STEM.get(stem).map_or(&[], Vec::as_slice)
}

/// The plain form of a word whose other forms no ending tells.
pub(super) fn base(word: &str) -> &str {
    IRREGULAR_FORMS.get(word).copied().unwrap_or(word)
}

/// The words that stand for several words from here on, and how many they are.
pub(super) fn phrase(words: &[&str]) -> Option<(usize, &'static str)> {
    let first = words.first()?;
    let begins = |(phrase, stands): &(&'static str, &'static str)| {
        let count = phrase.split(' ').count();
        let are_these = || words[..count].iter().copied().eq(phrase.split(' '));
        (count <= words.len() && are_these()).then_some((count, *stands))
    };
    let all = PHRASES_BY_FIRST.get(*first)?;
    all.iter().find_map(begins)
}

/// A text with one of several words in ideographs for all of them, where it has any.
pub(super) fn with_one_word_each(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_ideograph) {
        return Cow::Borrowed(text);
    }
    let mut text = text.to_owned();
    for line in IDEOGRAPHS.lines() {
        if let Some((first, others)) = line.split_once(' ') {
            for other in others.split(' ') {
                text = text.replace(other, first);
            }
        }
    }
    Cow::Owned(text)
}

static GROUPS_BY_STEM: LazyLock<Table<Vec<u16>>> = LazyLock::new(|| {
    let mut table = Table::<Vec<u16>>::default();
    for (number, line) in (0..).zip(GROUPS.lines()) {
        for word in line.split_whitespace() {
            let groups = table.entry(stem(word)).or_default();
            if !groups.contains(&number) {
                groups.push(number);
            }
        }
    }
    table
});

static IRREGULAR_FORMS: LazyLock<Table<&'static str>> = LazyLock::new(|| {
    let forms = |line: &'static str| {
        let mut words = line.split_whitespace();
        let base = words.next().unwrap_or_default();
        words.map(move |word| (word.to_owned(), base))
    };
    IRREGULAR.lines().flat_map(forms).collect()
});

type Phrases = Vec<(&'static str, &'static str)>;

static PHRASES_BY_FIRST: LazyLock<Table<Phrases>> = LazyLock::new(|| {
    let mut table = Table::<Phrases>::default();
    for line in PHRASES.lines() {
        if let Some((phrases, stands)) = line.split_once('=') {
            for phrase in phrases.split(',').map(str::trim) {
                let first = phrase.split(' ').next().unwrap_or_default();
                let all = table.entry(first.to_owned()).or_default();
                all.push((phrase, stands.trim()));
            }
        }
    }
    // The longest first: *instead of* before *instead*.
    for all in table.values_mut() {
        all.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    }
    table
});

/// Several words that stand for one. `instead`, `favoring`, `before`, `after`, `above` and `below` are what alignment knows.
const PHRASES: &str = include_str!("phrases.txt");

/// Words whose forms no ending tells, the plain form first.
const IRREGULAR: &str = include_str!("forms.txt");

/// What is said in several ways, a group a line.
const GROUPS: &str = include_str!("groups.txt");

/// Words in ideographs that say the same, a group a line.
const IDEOGRAPHS: &str = include_str!("ideographs.txt");
