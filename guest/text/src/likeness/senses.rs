//! Words by number: the words of many texts in normal form, when texts are compared by their words alone.
//!
//! Owns what was found out about a word: texts that are compared with each other have most of their words in common, and stems,
//! synonyms and roles take time. **What comes of a text is the same as the words of its [`Wording`]**, whatever was read before.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use super::wording::{NEGATING, NEGATING_KANA, PARTICLES, Wording, is_generic};
use crate::{
    cut::{Piece, Reading, Sort, pieces},
    lexicon::{self, NOT, Role},
};

/// Hashes short words (FNV-1a): they are many, and nobody chooses them to collide.
struct Short(u64);

impl Default for Short {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Short {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

type Table<V> = HashMap<String, V, BuildHasherDefault<Short>>;

/// Words that were met.
#[derive(Default)]
pub struct Senses {
    /// For each word as it was written, the number of its normal form; none if it says nothing.
    words: Table<Option<u32>>,
    operators: Table<Option<u32>>,
    numbers: Table<u32>,
    /// The normal forms, by number.
    forms: Vec<String>,
}

impl Senses {
    /// The words of a text in normal form by their numbers, each once, in the order of the words.
    pub fn words_of(&mut self, text: &str) -> Vec<u32> {
        let pieces = pieces(text, Reading::Compared);
        let mut found = Vec::with_capacity(pieces.len());
        for (at, piece) in pieces.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| &pieces[at]);
            if !piece.aside {
                found.extend(self.piece(before, piece));
            }
        }
        if found.is_empty() {
            // What is left of a text of nothing but fillers and asides.
            let wording = Wording::new("", text);
            found.extend(wording.words().iter().map(|word| self.number(word)));
        }
        found.sort_unstable();
        found.dedup();
        found.sort_by(|left, right| self.form(*left).cmp(self.form(*right)));
        found
    }

    /// The word of a number.
    pub fn form(&self, number: u32) -> &str {
        &self.forms[number as usize]
    }

    /// How many words were met.
    pub fn count(&self) -> usize {
        self.forms.len()
    }

    fn piece(&mut self, before: Option<&Piece>, piece: &Piece) -> Option<u32> {
        let text = piece.text.as_str();
        match piece.sort {
            Sort::Break => None,
            Sort::Kana => {
                let negates = NEGATING_KANA.iter().any(|ending| text.contains(ending));
                negates.then(|| self.number(NOT))
            }
            Sort::Ideograph if NEGATING.contains(text) => Some(self.number(NOT)),
            Sort::Ideograph if PARTICLES.contains(text) => None,
            Sort::Ideograph | Sort::Number => Some(self.number(text)),
            Sort::Operator => {
                if let Some(known) = self.operators.get(text) {
                    return *known;
                }
                let is_marker = lexicon::role(text).is_some();
                let number = (!is_marker).then(|| self.number(text));
                self.operators.insert(text.to_owned(), number);
                number
            }
            Sort::Word => self.word(before, piece),
        }
    }

    fn word(&mut self, before: Option<&Piece>, piece: &Piece) -> Option<u32> {
        let text = piece.text.as_str();
        if before.is_some_and(|before| before.sort == Sort::Number)
            && let Some(unit) = lexicon::unit(text)
        {
            return Some(self.number(&lexicon::canonical(unit)));
        }
        // A lone capital is a name, unless the sentence begins with it.
        if piece.letter && before.is_some() {
            return Some(self.number(text));
        }
        if text == "than" && before.is_some_and(|before| before.text == "rather") {
            return None;
        }
        if let Some(known) = self.words.get(text) {
            return *known;
        }
        let number = self.looked_up(text);
        self.words.insert(text.to_owned(), number);
        number
    }

    fn looked_up(&mut self, text: &str) -> Option<u32> {
        if let Some(digits) = lexicon::digits(text) {
            return Some(self.number(digits));
        }
        let (word, role) = lexicon::sense(text);
        match role {
            Some(Role::Negation) => Some(self.number(NOT)),
            Some(Role::Filler | Role::Marker) => None,
            Some(Role::WeightyMarker) => Some(self.number(&word)),
            _ if is_generic(text, &word, role) => None,
            _ => Some(self.number(&word)),
        }
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.forms.len() as u32;
        self.forms.push(word.to_owned());
        self.numbers.insert(word.to_owned(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_by_number_are_those_of_the_wording_whatever_was_read_before() {
        let mut senses = Senses::default();
        let texts = [
            "Push the lock file of packcargo123 with npm (twice), not the other one",
            "rather than 30 s it takes 5 s; use C++ from A to B -> c",
            "A first letter, then the method of the function",
            "(nothing but an aside)",
            "the of and",
            "",
            "  ",
            "关闭数据库的连接 しない ません 5 < 6 <= 7 + 字+",
            "don't add a seven, daily: HTTPServer2 \u{201c}quoted\u{201d}",
            "WRONG: cargo build: x → CORRECT: cargo build --release",
            "instead of rather than only never remove",
        ];
        for text in texts.iter().chain(&texts) {
            let numbers = senses.words_of(text);
            let words: Vec<_> = numbers.iter().map(|one| senses.form(*one)).collect();
            assert_eq!(words, Wording::new("", text).words(), "{text}");
        }
        assert!(senses.count() > 30);
    }
}
