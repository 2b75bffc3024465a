//! The wording of a hypothesis: what is left of a text when style, order and fillers are gone.
//!
//! Owns the normal form that is compared and kept. How two of them are compared is the business of the module
//! above.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    cut::{Piece, Reading, Sort, pieces},
    lexicon::{self, NOT, Role},
};

/// A text about a module in normal form, ready to be compared many times. Every list is sorted and has each
/// word once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wording {
    /// The words that carry the meaning.
    #[serde(rename = "w")]
    pub(super) words: Vec<String>,
    /// Words that only name a kind of thing, such as *method*.
    #[serde(rename = "g", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) generic: Vec<String>,
    /// Words of the module's own name.
    #[serde(rename = "m", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) own: Vec<String>,
    /// Words in parentheses.
    #[serde(rename = "a", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) aside: Vec<String>,
    /// What stands on the two sides of a marker.
    #[serde(rename = "t", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) turns: Vec<Turn>,
    /// The ideographs in their order.
    #[serde(rename = "i", default, skip_serializing_if = "String::is_empty")]
    pub(super) ideographs: String,
}

/// A marker with the words before and behind it: *from memory to disk* is not *from disk to memory*.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Turn(
    pub(super) String,
    pub(super) BTreeSet<String>,
    pub(super) BTreeSet<String>,
);

/// Ideographs that say nothing by themselves.
pub(super) const PARTICLES: &str =
    "的了一个個把将將为為给給在中对對以和与與地得之其这這那请請则並并且来來去";

/// Ideographs that say *not*.
pub(super) const NEGATING: &str = "不没沒无無非未别勿";

/// Endings in kana that say *not*.
pub(super) const NEGATING_KANA: [&str; 4] = ["ない", "なし", "なく", "ません"];

impl Wording {
    /// The normal form of a text about a module.
    pub fn new(module: &str, text: &str) -> Self {
        let own: BTreeSet<String> = pieces(module, Reading::Compared)
            .iter()
            .filter(|piece| matches!(piece.sort, Sort::Word | Sort::Ideograph))
            .map(|piece| lexicon::canonical(&piece.text))
            .collect();
        let reader = Reader {
            own,
            ..Reader::default()
        };
        reader.read(text)
    }
}

#[derive(Default)]
struct Reader {
    own: BTreeSet<String>,
    words: BTreeSet<String>,
    generic: BTreeSet<String>,
    named: BTreeSet<String>,
    aside: BTreeSet<String>,
    dropped: BTreeSet<String>,
    ideographs: String,
    clauses: Clauses,
}

impl Reader {
    fn read(mut self, text: &str) -> Wording {
        let pieces = pieces(text, Reading::Compared);
        for (at, piece) in pieces.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| &pieces[at]);
            self.take(before, piece);
        }
        self.finish(text)
    }

    fn take(&mut self, before: Option<&Piece>, piece: &Piece) {
        let text = piece.text.as_str();
        match piece.sort {
            Sort::Break => self.clauses.end(),
            Sort::Kana => {
                self.dropped.insert(text.to_owned());
                if NEGATING_KANA.iter().any(|ending| text.contains(ending)) {
                    self.keep(NOT.to_owned(), piece.aside);
                }
            }
            Sort::Ideograph if NEGATING.contains(text) => self.keep(NOT.to_owned(), piece.aside),
            Sort::Ideograph if PARTICLES.contains(text) => {
                self.dropped.insert(text.to_owned());
            }
            Sort::Ideograph => {
                if self.own.contains(text) {
                    self.name(text.to_owned());
                } else {
                    if !piece.aside {
                        self.ideographs.push_str(text);
                    }
                    self.keep(text.to_owned(), piece.aside);
                }
            }
            Sort::Operator if lexicon::role(text).is_some() => self.clauses.mark("to"),
            Sort::Operator | Sort::Number => self.keep(text.to_owned(), piece.aside),
            Sort::Word => self.word(before, piece),
        }
    }

    fn word(&mut self, before: Option<&Piece>, piece: &Piece) {
        let text = piece.text.as_str();
        let after_number = before.is_some_and(|before| before.sort == Sort::Number);
        if let Some(unit) = lexicon::unit(text).filter(|_| after_number) {
            return self.keep(lexicon::canonical(unit), piece.aside);
        }
        if let Some(digits) = lexicon::digits(text) {
            return self.keep(digits.to_owned(), piece.aside);
        }
        // *rather than* is one marker.
        if text == "than" && before.is_some_and(|before| before.text == "rather") {
            return;
        }
        // A lone capital is a name, unless the sentence begins with it.
        if piece.letter && before.is_some() {
            return self.keep(text.to_owned(), piece.aside);
        }
        let (word, role) = lexicon::sense(text);
        match role {
            Some(Role::Negation) => {
                if !piece.aside {
                    self.clauses.mark(NOT);
                }
                self.keep(NOT.to_owned(), piece.aside);
            }
            Some(Role::Filler) => {
                if matches!(text, "and" | "then" | "und" | "et" | "y" | "и") && !piece.aside {
                    self.clauses.join(text);
                }
                self.dropped.insert(word);
            }
            Some(Role::Marker) => {
                if !piece.aside {
                    self.clauses.mark(marker(text));
                }
                self.dropped.insert(word);
            }
            Some(Role::WeightyMarker) => {
                if !piece.aside {
                    self.clauses.mark(text);
                }
                self.keep_silently(word, piece.aside);
            }
            _ if self.own.contains(&word) => self.name(word),
            _ if !piece.aside && is_generic(text, &word, role) => {
                self.clauses.say(&word);
                self.generic.insert(word);
            }
            _ => self.keep(word, piece.aside),
        }
    }

    fn keep(&mut self, word: String, aside: bool) {
        if !aside {
            self.clauses.say(&word);
        }
        self.keep_silently(word, aside);
    }

    fn keep_silently(&mut self, word: String, aside: bool) {
        if aside {
            self.aside.insert(word);
        } else {
            self.words.insert(word);
        }
    }

    fn name(&mut self, word: String) {
        self.clauses.say(&word);
        self.named.insert(word);
    }

    fn finish(mut self, text: &str) -> Wording {
        self.clauses.end();
        // A text of nothing but module words, fillers or asides is known by them.
        for fallback in [
            &mut self.named,
            &mut self.generic,
            &mut self.aside,
            &mut self.dropped,
        ] {
            if self.words.is_empty() {
                std::mem::swap(&mut self.words, fallback);
            }
        }
        if self.words.is_empty() {
            let spaced: Vec<_> = text.split_whitespace().collect();
            self.words.insert(spaced.join(" "));
        }
        let sorted = |words: BTreeSet<String>| words.into_iter().collect();
        let mut turns = self.clauses.turns;
        turns.sort();
        turns.dedup();
        Wording {
            words: sorted(self.words),
            generic: sorted(self.generic),
            own: sorted(self.named),
            aside: sorted(self.aside),
            turns,
            ideographs: self.ideographs,
        }
    }
}

/// Several words for one direction.
fn marker(text: &str) -> &str {
    match text {
        "to" | "into" | "onto" | "toward" | "towards" | "zu" | "zum" | "zur" | "nach" | "vers"
        | "à" | "a" | "hacia" | "на" | "в" | "к" => "to",
        "from" | "von" | "vom" | "aus" | "de" | "desde" | "с" | "из" | "от" => "from",
        "instead" | "rather" | "statt" => "instead",
        other => other,
    }
}

/// Whether a word only names a kind of thing: *method* is a synonym of *function*, which is generic.
pub(super) fn is_generic(text: &str, canonical: &str, role: Option<Role>) -> bool {
    let is_generic = |role: Option<Role>| role == Some(Role::Generic);
    is_generic(role) || (text != canonical && is_generic(lexicon::role(canonical)))
}

/// The words of a clause on both sides of its markers.
#[derive(Default)]
struct Clauses {
    turns: Vec<Turn>,
    /// The marker that was met last, with the words before it.
    open: Option<(String, BTreeSet<String>)>,
    /// The words since the last marker.
    phrase: BTreeSet<String>,
    /// The words behind a *from*, until its *to*.
    source: Option<BTreeSet<String>>,
    /// The words behind a *to* that had no *from* yet.
    target: Option<BTreeSet<String>>,
}

impl Clauses {
    fn say(&mut self, word: &str) {
        self.phrase.insert(word.to_owned());
    }

    fn mark(&mut self, marker: &str) {
        // *instead of*, *out of*: the second marker adds nothing to the first.
        if self.phrase.is_empty() && self.open.is_some() {
            return;
        }
        let before = self.close();
        self.open = Some((marker.to_owned(), before));
    }

    /// The next part of a list or of a row of actions.
    fn join(&mut self, word: &str) {
        if word == "then" {
            self.mark("then");
        } else if !self.phrase.is_empty() {
            self.close();
        }
    }

    fn close(&mut self) -> BTreeSet<String> {
        let phrase = std::mem::take(&mut self.phrase);
        if let Some((marker, before)) = self.open.take()
            && !phrase.is_empty()
        {
            let mut from = before.clone();
            match marker.as_str() {
                "from" => {
                    if let Some(target) = self.target.take() {
                        self.turn("to", phrase.clone(), target);
                    } else {
                        self.source = Some(phrase.clone());
                    }
                }
                "to" => match self.source.take() {
                    Some(source) => from = source,
                    None => self.target = Some(phrase.clone()),
                },
                _ => {}
            }
            self.turn(&marker, from, phrase.clone());
        }
        phrase
    }

    fn turn(&mut self, marker: &str, before: BTreeSet<String>, behind: BTreeSet<String>) {
        let only = |left: &BTreeSet<String>, right: &BTreeSet<String>| -> BTreeSet<String> {
            left.difference(right).cloned().collect()
        };
        let (left, right) = (only(&before, &behind), only(&behind, &before));
        if !left.is_empty() && !right.is_empty() {
            self.turns.push(Turn(marker.to_owned(), left, right));
        }
    }

    fn end(&mut self) {
        // A break between two objects of one marker, as in *first A, then B*, keeps the words before it.
        let phrase = self.close();
        self.phrase = phrase;
        self.open = None;
    }
}
