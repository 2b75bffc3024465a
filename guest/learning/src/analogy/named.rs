//! What an error text names: its words in order, to find again in another error text what stood in the same place.

use std::collections::BTreeSet;

/// An error text in bytes as far as it is read.
const EVIDENCE_BYTES: usize = 8 << 10;

/// Words before a value by which its place is known again.
const CONTEXT: usize = 2;

/// How similar two spellings must be for one to be proposed instead of the other.
const SPELLING: f64 = 0.5;

/// The same, if the text does not name the one.
const SURE_SPELLING: f64 = 0.7;

/// The words of an error text.
#[derive(Debug)]
pub(crate) struct Named<'a> {
    words: Vec<&'a str>,
    /// Each word once, in the order of their bytes.
    known: Vec<&'a str>,
    text: &'a str,
}

impl<'a> Named<'a> {
    pub(crate) fn new(evidence: &'a str) -> Self {
        let end = evidence.floor_char_boundary(EVIDENCE_BYTES);
        let words: Vec<_> = evidence[..end]
            .split(|c: char| c.is_whitespace() || "\"'`“”‘’()[]{}<>,;|=".contains(c))
            .map(|word| word.trim_end_matches(['.', ':', '!', '?']))
            .filter(|word| !word.is_empty())
            .collect();
        let mut known = words.clone();
        known.sort_unstable();
        known.dedup();
        Self {
            known,
            words,
            text: &evidence[..end],
        }
    }

    /// Whether the text has a word between quotation marks, be it behind the name of what it belongs to.
    pub(super) fn quotes(&self, word: &str) -> bool {
        let opens = |before: &str| {
            let owner = before.strip_suffix('.');
            let inner = |c: char| c.is_alphanumeric() || "_.-".contains(c);
            let before = owner.map_or(before, |owner| owner.trim_end_matches(inner));
            before.ends_with(['"', '\'', '`', '“', '‘'])
        };
        let mut places = self.text.match_indices(word);
        places.any(|(at, _)| {
            let after = &self.text[at + word.len()..];
            opens(&self.text[..at]) && after.starts_with(['"', '\'', '`', '”', '’'])
        })
    }

    /// The words between quotation marks.
    pub(super) fn quoted(&self) -> Vec<&'a str> {
        let mut quoted = Vec::new();
        let mut rest = self.text;
        while let Some(at) = rest.find(['"', '\'', '`', '‘']) {
            let mark = rest[at..].chars().next().unwrap_or('"');
            let inner = &rest[at + mark.len_utf8()..];
            let Some(end) = inner.find(['"', '\'', '`', '’']) else {
                break;
            };
            let value = &inner[..end];
            // An apostrophe opens nothing.
            let is_word = !value.is_empty() && !value.contains(char::is_whitespace);
            let behind = inner[end..].chars().next().map_or(0, char::len_utf8);
            rest = &inner[if is_word { end + behind } else { 0 }..];
            quoted.extend(Some(value).filter(|_| is_word));
        }
        quoted
    }

    /// Whose a name is, if the text says so: `school` in `school.teachers`.
    pub(super) fn owner(&self, name: &str) -> Option<&'a str> {
        self.known.iter().find_map(|known| {
            let owner = known.strip_suffix(name)?.strip_suffix('.')?;
            (!owner.is_empty()).then_some(owner)
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether the text names a word.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.known.binary_search(&word).is_ok()
    }

    /// Whether the text names a word, be it without the dashes of an option or behind the name of what it belongs to:
    /// `stagd` is `--stagd`, `school.teachers` is `teachers`.
    pub(super) fn blames(&self, word: &str) -> bool {
        let bare = word.trim_start_matches('-');
        let is_behind = |named: &&str| {
            let owner = named
                .strip_suffix(bare)
                .and_then(|rest| rest.strip_suffix('.'));
            owner.is_some_and(|owner| !owner.is_empty())
        };
        self.has(word) || !bare.is_empty() && (self.has(bare) || self.known.iter().any(is_behind))
    }

    /// What `other` names in the place in which this text names `word`: known by the words before it, and by how often they
    /// came before.
    pub(super) fn value_in_place<'o>(&self, word: &str, other: &Named<'o>) -> Option<&'o str> {
        let places = self.words.iter().enumerate();
        let places = places.filter(|(place, known)| **known == word && *place >= CONTEXT);
        let value = places.map(|(place, _)| place).find_map(|place| {
            let context = &self.words[place - CONTEXT..place];
            let (own, found) = (self.behind(context), other.behind(context));
            let values: BTreeSet<_> = found.iter().map(|at| other.words[*at]).collect();
            match own.len() == found.len() {
                true => {
                    let number = own.iter().position(|at| *at == place)?;
                    Some(other.words[found[number]])
                }
                false => values.first().copied().filter(|_| values.len() == 1),
            }
        });
        let value = value.or_else(|| self.first_in_place(word, other))?;
        is_harmless(value, word).then_some(value)
    }

    /// What `other` begins with, if this text begins with `word` and both go on in the same words: `a.txt: needs merge`.
    fn first_in_place<'o>(&self, word: &str, other: &Named<'o>) -> Option<&'o str> {
        let behind = self.words.get(1..=CONTEXT)?;
        let is_first = self.words[0] == word && other.words.get(1..=CONTEXT)? == behind;
        is_first.then(|| other.words[0])
    }

    /// The places behind some words.
    fn behind(&self, context: &[&str]) -> Vec<usize> {
        let windows = self.words.windows(context.len()).enumerate();
        let found = windows.filter(|(_, window)| *window == context);
        let places = found.map(|(at, _)| at + context.len());
        places.filter(|at| *at < self.words.len()).collect()
    }

    /// What the text proposes in place of a word that it names: of the words that `then`, the error of the lesson,
    /// does not have as well, the one that is spelled most similarly.
    /// A word that it does not name must be spelled nearly as what it proposes.
    pub(super) fn proposal(&self, word: &str, then: &Named) -> Option<&'a str> {
        let lower = word.to_lowercase();
        let spelled =
            |other: &str| strsim::normalized_damerau_levenshtein(&lower, &other.to_lowercase());
        let own = |other: &&&str| **other != word && !then.has(other);
        let (best, likeness) = self
            .known
            .iter()
            .filter(own)
            .map(|other| (*other, spelled(other)))
            .max_by(|(left, a), (right, b)| a.total_cmp(b).then(right.cmp(left)))?;
        let least = match self.has(word) {
            true => SPELLING,
            false => SURE_SPELLING,
        };
        (likeness >= least && is_harmless(best, word)).then_some(best)
    }

    /// What the text names as the error of the lesson did, and what was right there, if it is spelled similarly to a word: one
    /// of the choices that a tool lists each time.
    pub(super) fn choice(&self, word: &str, right: &str) -> Option<&'a str> {
        let [lower, choice] = [word, right].map(str::to_lowercase);
        let likeness = strsim::normalized_damerau_levenshtein(&lower, &choice);
        let listed = self
            .known
            .binary_search(&right)
            .ok()
            .map(|at| self.known[at]);
        listed.filter(|listed| likeness >= SPELLING && *listed != word && is_harmless(listed, word))
    }

    /// How much of what both texts say is the same, from 0 to 1, after the names in this one are changed.
    pub(super) fn likeness(&self, other: &Named, renamed: &[(&str, &str)]) -> f64 {
        let named = |word: &&str| {
            let new = renamed.iter().find(|(old, _)| old == word);
            new.map_or((*word).to_owned(), |(_, new)| (*new).to_owned())
        };
        let own: BTreeSet<String> = self.known.iter().map(named).collect();
        let shared = own.iter().filter(|word| other.has(word)).count();
        let plainly_shared = self.known.iter().filter(|word| other.has(word)).count();
        // An error text may go on with the old names: then it is compared as it is.
        share(shared, own.len() + other.known.len())
            .max(share(plainly_shared, self.known.len() + other.known.len()))
    }
}

/// The share of what two texts say together that both say.
fn share(shared: usize, both: usize) -> f64 {
    match both - shared {
        0 => 1.0,
        all => shared as f64 / all as f64,
    }
}

/// Whether a word of an error text may stand in a command in place of `old`: whoever wrote the text must not get more than
/// a plain word into what others paste, nor an option where there was none.
fn is_harmless(word: &str, old: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "-_./:@+,%".contains(c);
    word.chars().all(plain) && (old.starts_with('-') || !word.starts_with('-'))
}
