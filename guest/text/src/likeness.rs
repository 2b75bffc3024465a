//! Likeness: whether two texts state the same hypothesis, and how similar they are.
//!
//! Owns the comparison that decisions and failures are found by. Plain Levenshtein over characters calls *add a
//! cache* and *remove a cache* alike and misses *DataProcessor.process* for *process method*. So texts are brought
//! into a normal form first, a [`Wording`], and two wordings are the same hypothesis if
//!
//! * their words are the same, whatever their order, spelling style and endings, and however compounds are
//!   written; or all but one are, and that one is a slip of the keyboard; or one side has one word more, which
//!   does not turn the meaning round and makes up at most a fifth of the text;
//! * and nothing speaks against it: what stands *from* is not what stands *to* on the other side, no two kinds of
//!   thing or parts of the module's name are exchanged.
//!
//! What does not have the same words may still be the same [`Idea`]: its words are laid side by side, forms, short forms and words that
//! say the same in software beside each other, and nothing that matters may be left over.
//!
//! The similarity is one less the Levenshtein distance of the aligned words over their length. Words that may be
//! left out, such as *method*, the module's own name and what stands in parentheses, count a fifth. A difference
//! that is not allowed is no match, however few characters it has: *timeout 30* is not *timeout 60*. Where it keeps
//! its index is the business of the engine.

mod alignment;
mod idea;
mod kin;
mod quantity;
mod senses;
mod thesaurus;
mod vocabulary;
mod wording;

use crate::lexicon;
pub use crate::lexicon::NOT;
pub use senses::Senses;
pub use wording::Wording;

use wording::Turn;

/// From this similarity on, two texts are one hypothesis. Fixed: no call can change it.
pub const THRESHOLD: f64 = 0.8;

/// Wordings of more words than this are the same only word by word: one slip in a whole page says nothing.
pub const NEAR_WORDS: usize = 16;

/// What a word counts that may be left out. Not more than what the threshold leaves, so that such words alone
/// never keep two texts apart.
const SOFT: f64 = 0.2;

/// The shortest word, in characters, in which a slip is forgiven: shorter ones are other words.
const SLIP_CHARS: usize = 6;

/// How similar two texts about a module are, from 0.8 to 1; none if they are not the same hypothesis.
///
/// ```
/// use twiceshy_text::likeness::similarity;
/// let found = similarity("data_processor", "Refactor process method", "Refactor DataProcessor.process");
/// assert!(found.is_some_and(|found| found >= 0.8));
/// assert_eq!(similarity("cache", "add a cache", "remove a cache"), None);
/// ```
pub fn similarity(module: &str, left: &str, right: &str) -> Option<f64> {
    let (wording, ideas) = (
        Wording::new(module, left),
        [Idea::new(module, left), Idea::new(module, right)],
    );
    let others: Vec<_> = spellings(right)
        .iter()
        .map(|right| Wording::new(module, right))
        .collect();
    let by_words = others.iter().find_map(|other| compare(&wording, other));
    match by_words {
        Some(similarity) => (!ideas[0].is_opposite(&ideas[1])).then_some(similarity),
        None => said_otherwise((&wording, &ideas[0]), (&others[0], &ideas[1])),
    }
}

/// How similar two hypotheses are that do not have the same words, from 0.8 to 1; none if they are not the same.
pub fn said_otherwise(left: (&Wording, &Idea), right: (&Wording, &Idea)) -> Option<f64> {
    // The *to* of a purpose is no direction.
    let says_why = left.1.says_why() || right.1.says_why();
    match turn_round(left.0, right.0) && !says_why {
        true => None,
        false => alignment::similarity(&left.1.0, &right.1.0),
    }
}

/// What a text about a module says, word by word in its order: what is compared when two texts do not have the same words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idea(Vec<idea::Word>);

impl Idea {
    /// The idea of a text about a module.
    pub fn new(module: &str, text: &str) -> Self {
        Self(idea::words(module, text))
    }

    /// Marks of which two ideas that are one nearly always share some: only texts that differ by a slip in their only word share none.
    /// Empty for a text that is compared by its words alone.
    pub fn marks(&self) -> std::collections::BTreeSet<String> {
        alignment::marks(&self.0)
    }

    /// Whether another idea with the same words is the opposite.
    pub fn is_opposite(&self, other: &Self) -> bool {
        alignment::are_opposite(&self.0, &other.0)
    }

    /// Whether it says what it is good for.
    fn says_why(&self) -> bool {
        self.0.iter().any(|word| word.purpose)
    }
}

/// A text and the other ways in which it is usually written: *one* for *a single*, *every day* for *daily*. Wordings are
/// kept as they were made, so that these are asked for, not kept.
///
/// ```
/// use twiceshy_text::likeness::spellings;
/// assert_eq!(spellings("Rotate logs daily"), ["Rotate logs daily", "Rotate logs every day"]);
/// assert_eq!(spellings("Rotate logs"), ["Rotate logs"]);
/// ```
pub fn spellings(text: &str) -> Vec<String> {
    let mut all = vec![text.to_owned()];
    all.extend(with_units(text, true));
    all.extend(with_units(text, false));
    for swaps in lexicon::SPELLINGS {
        let others: Vec<_> = all.iter().filter_map(|text| swapped(text, swaps)).collect();
        all.extend(others);
    }
    all
}

/// A text with the unit behind every number in full, or short; none if all stay.
fn with_units(text: &str, in_full: bool) -> Option<String> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let mut changed = false;
    let mut at = 0;
    while at < words.len() {
        let digits = words[at].trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let behind = words[at][digits.len()..].to_lowercase();
        let is_number =
            !digits.is_empty() && digits.bytes().all(|byte| b"0123456789.,".contains(&byte));
        let is_apart = is_number && behind.is_empty() && at + 1 < words.len();
        let unit = if is_apart {
            words[at + 1].to_lowercase()
        } else {
            behind
        };
        let form = |(short, full): &&(&str, &str)| match in_full {
            true => *short == unit,
            false => *full == unit || (is_apart && *short == unit),
        };
        if is_number && let Some((short, full)) = lexicon::UNITS.iter().find(form) {
            let number = digits.to_owned();
            if is_apart {
                words.remove(at + 1);
            }
            words[at] = match in_full {
                true => format!("{number} {full}"),
                false => format!("{number}{short}"),
            };
            changed = true;
        }
        at += 1;
    }
    changed.then(|| words.join(" "))
}

/// A text with every word that can be written otherwise written so; none if all stay.
fn swapped(text: &str, swaps: &[(&str, &str)]) -> Option<String> {
    let words: Vec<_> = text.split_whitespace().collect();
    let mut rest = words.as_slice();
    let (mut swapped, mut changed) = (Vec::with_capacity(words.len()), false);
    while let Some(word) = rest.first() {
        let begins = |from: &str| {
            let head = rest.get(..from.split(' ').count())?;
            let mut pairs = head.iter().zip(from.split(' '));
            pairs
                .all(|(word, from)| word.eq_ignore_ascii_case(from))
                .then_some(head.len())
        };
        let swap = swaps.iter().find_map(|(one, other)| {
            let there = begins(one).map(|count| (count, *other));
            there.or_else(|| begins(other).map(|count| (count, *one)))
        });
        let (count, to) = swap.unwrap_or((1, word));
        changed |= swap.is_some();
        swapped.push(to);
        rest = &rest[count..];
    }
    changed.then(|| swapped.join(" "))
}

/// How similar two wordings are; none if they are not the same hypothesis.
pub fn compare(left: &Wording, right: &Wording) -> Option<f64> {
    if left == right {
        return Some(1.0);
    }
    let (only_left, only_right) = (
        rest(&left.words, &right.words),
        rest(&right.words, &left.words),
    );
    let near = left.words.len().max(right.words.len()) <= NEAR_WORDS;
    let aligned = match (only_left.as_slice(), only_right.as_slice()) {
        ([], []) => true,
        ([one], [other]) => near && is_slip(one, other),
        // *Function names* and *file names*: a kind of thing on one side is not left out but exchanged.
        ([one], []) => {
            near && may_be_added(left, one) && rest(&right.generic, &left.generic).is_empty()
        }
        ([], [one]) => {
            near && may_be_added(right, one) && rest(&left.generic, &right.generic).is_empty()
        }
        _ => are_compounds(&only_left, &only_right),
    };
    if !aligned || contradict(left, right) {
        return None;
    }
    let is_compound = only_left.len() + only_right.len() > 2;
    let hard = if is_compound {
        (0, text_chars(&left.words))
    } else {
        distance(&left.words, &right.words, &only_left, &only_right)
    };
    let (soft_left, soft_right) = (soft_words(left), soft_words(right));
    let soft = distance(
        &soft_left,
        &soft_right,
        &rest(&soft_left, &soft_right),
        &rest(&soft_right, &soft_left),
    );
    let edits = hard.0 as f64 + SOFT * soft.0 as f64;
    Some(1.0 - edits / (hard.1 + soft.1).max(1) as f64)
}

/// Whether two wordings speak of the same thing and do not say the same: they share half of their words, and
/// still are two hypotheses.
pub fn are_rivals(left: &Wording, right: &Wording) -> bool {
    let shared = left.words.len() - rest(&left.words, &right.words).len();
    shared * 2 >= left.words.len().min(right.words.len()) && compare(left, right).is_none()
}

/// Whether two texts have something the other way round: one goes *to* where the other comes *from*, or what stands
/// before a marker such as *into* on one side stands behind it on the other.
///
/// ```
/// use twiceshy_text::likeness::are_opposite;
/// assert!(are_opposite("copy the data from staging to production", "copy the data from production to staging"));
/// assert!(!are_opposite("copy the data from staging to production", "copy all data from staging to production"));
/// ```
pub fn are_opposite(left: &str, right: &str) -> bool {
    Turns::of(left).are_opposite(right)
}

/// What stands on the two sides of each marker of a text, to be compared with many others.
#[derive(Debug, Clone)]
pub struct Turns(Vec<Turn>);

impl Turns {
    /// Those of a text.
    pub fn of(text: &str) -> Self {
        Self(Wording::new("", text).turns)
    }

    /// Whether another text has something the other way round, as [`are_opposite`] says.
    pub fn are_opposite(&self, other: &str) -> bool {
        // Most texts have no marker, and the other need not be read.
        if self.0.is_empty() {
            return false;
        }
        let others = Wording::new("", other).turns;
        let is_turned = |turn| others.iter().any(|other| are_turned(turn, other));
        self.0.iter().any(is_turned)
    }
}

impl Wording {
    /// Its words in their order: what the index is made of.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether the word at this place may be missing on the other side.
    pub fn may_lack(&self, at: usize) -> bool {
        self.words.len() <= NEAR_WORDS && may_be_added(self, &self.words[at])
    }

    /// Whether the word at this place may be written with a slip on the other side.
    pub fn may_slip(&self, at: usize) -> bool {
        self.words.len() <= NEAR_WORDS && slips(&self.words[at])
    }

    /// What the words have in common with every other way to write them: numbers as they are, and the
    /// consonants of all words, sorted, so that it is the same where compounds are written apart.
    pub fn signature(&self, without: Option<usize>) -> String {
        let mut letters = Vec::new();
        let mut signature = String::new();
        for (at, word) in self.words.iter().enumerate() {
            if Some(at) == without {
                continue;
            }
            if is_exact(word) {
                signature.push_str(word);
                signature.push(' ');
            } else {
                letters.extend(word.chars().filter(|letter| !is_vowel(*letter)));
            }
        }
        letters.sort_unstable();
        signature.extend(letters);
        signature
    }
}

/// The words of one sorted list that are not in another.
fn rest<'w>(words: &'w [String], others: &[String]) -> Vec<&'w str> {
    words
        .iter()
        .filter(|word| others.binary_search(word).is_err())
        .map(String::as_str)
        .collect()
}

fn soft_words(wording: &Wording) -> Vec<String> {
    let mut words = [&wording.generic[..], &wording.own, &wording.aside].concat();
    words.sort();
    words.dedup();
    words
}

/// The Levenshtein distance of two lists of words, those in common aligned, and the length of the longer.
fn distance(
    left: &[String],
    right: &[String],
    only_left: &[&str],
    only_right: &[&str],
) -> (usize, usize) {
    let edits = match (only_left, only_right) {
        (words, []) | ([], words) => words.iter().map(|word| chars(word) + 1).sum(),
        (left, right) => strsim::levenshtein(&left.join(" "), &right.join(" ")),
    };
    (edits, text_chars(left).max(text_chars(right)))
}

fn text_chars(words: &[String]) -> usize {
    words.iter().map(|word| chars(word) + 1).sum()
}

fn chars(word: &str) -> usize {
    word.chars().count()
}

/// Whether a word may be there on one side alone: it does not turn the meaning round, and without it the texts
/// are still similar enough.
fn may_be_added(longer: &Wording, word: &str) -> bool {
    let share = (chars(word) + 1) as f64 / text_chars(&longer.words) as f64;
    !is_exact(word) && share <= 1.0 - THRESHOLD && !is_weighty(word)
}

fn is_weighty(word: &str) -> bool {
    use lexicon::Role::{Negation, Weighty, WeightyMarker};
    matches!(
        lexicon::role(word),
        Some(Negation | Weighty | WeightyMarker)
    )
}

/// Numbers, operators and the *not* are what they are.
fn is_exact(word: &str) -> bool {
    word == lexicon::NOT
        || word.chars().any(char::is_numeric)
        || !word.chars().any(char::is_alphabetic)
}

/// Whether a word is long enough for a slip.
fn slips(word: &str) -> bool {
    !is_exact(word) && chars(word) >= SLIP_CHARS
}

/// Whether two words differ by one slip of the keyboard: a letter too many, too few or another one, or two
/// neighbours exchanged, but not at the beginning, where hardly anybody slips and *un-*, *de-* and *a-* stand.
fn is_slip(left: &str, right: &str) -> bool {
    slips(left)
        && slips(right)
        && left.chars().next() == right.chars().next()
        && strsim::osa_distance(left, right) == 1
        && strsim::normalized_levenshtein(left, right) >= SLIP_LIKENESS
        && !lexicon::are_different_words(left, right)
}

/// Two exchanged neighbours are two edits: in a word of six letters a third of it.
const SLIP_LIKENESS: f64 = 0.66;

/// Whether what is left on the two sides is the same compounds, written apart on one side.
fn are_compounds(left: &[&str], right: &[&str]) -> bool {
    let (one, parts) = match (left, right) {
        ([one], parts) | (parts, [one]) if parts.len() == 2 => (one, parts),
        _ => return false,
    };
    // A stem has lost its last vowel, which it keeps within a compound.
    let bare =
        |text: &str| -> String { text.chars().filter(|letter| !is_vowel(*letter)).collect() };
    let together = |first: &str, second: &str| {
        bare(one) == bare(first) + &bare(second)
            && one.chars().next() == first.chars().next()
            && chars(one).abs_diff(chars(first) + chars(second)) <= 1
    };
    !is_exact(one) && (together(parts[0], parts[1]) || together(parts[1], parts[0]))
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

/// Whether something speaks against two texts with the same words.
fn contradict(left: &Wording, right: &Wording) -> bool {
    let exchanged = |left: &[String], right: &[String]| {
        let telling = |words: Vec<&str>| {
            words
                .into_iter()
                .any(|word| !is_exact(word) || word == lexicon::NOT)
        };
        telling(rest(left, right)) && telling(rest(right, left))
    };
    exchanged(&left.generic, &right.generic)
        || exchanged(&left.own, &right.own)
        || exchanged(&left.aside, &right.aside)
        || turn_round(left, right)
        || !(strsim::normalized_levenshtein(&left.ideographs, &right.ideographs) >= THRESHOLD
            || is_moved(&left.ideographs, &right.ideographs))
}

/// Whether something stands on the other side of a marker.
fn turn_round(left: &Wording, right: &Wording) -> bool {
    let is_turned = |turn| right.turns.iter().any(|other| are_turned(turn, other));
    left.turns.iter().any(is_turned)
}

/// Whether one text is the other with two neighbouring stretches exchanged. *A into B* and *B into A* are not:
/// what stands between them stays.
fn is_moved(left: &str, right: &str) -> bool {
    let (left, right): (Vec<_>, Vec<_>) = (left.chars().collect(), right.chars().collect());
    if left.len() != right.len() {
        return false;
    }
    let Some(start) = (0..left.len()).find(|at| left[*at] != right[*at]) else {
        return true;
    };
    let end = (start..left.len())
        .rfind(|at| left[*at] != right[*at])
        .map_or(start, |at| at + 1);
    let mut turned = left[start..end].to_vec();
    (1..turned.len()).any(|_| {
        turned.rotate_left(1);
        turned == right[start..end]
    })
}

/// Whether what stands before a marker on one side stands behind it on the other, and the other way round; or
/// one goes *to* where the other comes *from*.
fn are_turned(left: &Turn, right: &Turn) -> bool {
    if matches!(
        (left.0.as_str(), right.0.as_str()),
        ("from", "to") | ("to", "from")
    ) {
        return left.2 == right.2;
    }
    let crosses = |before: &Turn, behind: &Turn| {
        before
            .1
            .difference(&behind.1)
            .any(|word| behind.2.contains(word) && !before.2.contains(word))
    };
    left.0 == right.0 && crosses(left, right) && crosses(right, left)
}
