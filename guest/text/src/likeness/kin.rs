//! Whether two words are one word: in another form, in another spelling, short or in full, or another name for it.

use std::{collections::HashSet, sync::LazyLock};

use super::{is_slip, thesaurus};
use crate::{lexicon, stem::stem};

/// How two words are one, the closest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kinship {
    /// The same stem, or a name that everybody uses for it.
    Same,
    /// Another form of the word: *compress* and *compression*.
    Form,
    /// A slip of the keyboard.
    Slip,
    /// Short for it: *app*, *msg*.
    Short,
    /// Another word that says the same here.
    Synonym,
}

/// A folded word with all that it is compared by, found once: a word is compared with every word of the other side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sense {
    base: String,
    stem: String,
    canonical: String,
    groups: &'static [u16],
}

impl Sense {
    pub(super) fn of(word: &str) -> Self {
        let base = thesaurus::base(word);
        let stem = stem(base);
        Self {
            groups: thesaurus::groups(&stem),
            canonical: lexicon::canonical(base),
            base: base.to_owned(),
            stem,
        }
    }

    /// How two words are one; none if they are two.
    pub(super) fn kinship(&self, other: &Self) -> Option<Kinship> {
        let (left, right) = (self.base.as_str(), other.base.as_str());
        if left == right || self.canonical == other.canonical {
            return Some(Kinship::Same);
        }
        if are_forms(left, right) {
            return Some(Kinship::Form);
        }
        if self.groups.iter().any(|group| other.groups.contains(group)) {
            return Some(Kinship::Synonym);
        }
        if is_slip(&self.stem, &other.stem) || is_slip(left, right) {
            return Some(Kinship::Slip);
        }
        (is_short_for(left, right) || is_short_for(right, left)).then_some(Kinship::Short)
    }

    /// Marks of which two words that are one share at least one, but for slips in the first letters.
    pub(super) fn marks(&self) -> Vec<String> {
        let beginning: String = self.base.chars().take(3).collect();
        let mut marks = vec![self.canonical.clone(), format!("{beginning}-")];
        marks.extend(self.groups.iter().map(|group| format!("={group}")));
        marks
    }
}

/// Endings that make another form of a word, in the languages that are written with spaces. What turns a word round, as *-less* does, is
/// not among them.
const ENDINGS: &str = "\
    e s d r n t y es ed er rs ers or ors en ing ings ion ions ation ations ition ment ments ly al ally able ible ive ity ies ied \
    ier iers ic ical ication ance ence ful ous ize izes ized izing ization izer ise ises ised ising isation iser ist ate ates ated ating \
    ator tion ption cy ness ility le \
    em er es re ren rer res ung ungen lich ig igen keit ieren iert ierung ieren et te ten st end ende \
    ee ees ez ent ant ement eur ure iser ifier \
    ar ir o a as os ado ada ados adas ando iendo ndo cion ciones lo los las se cao coes amento imiento amiento ador \
    ac anie owac owanie enie ic yc owy owe owego ow ami c nie u ie i om ach";

/// Endings of short words, where little of the word is left to know it by.
const PLAIN_ENDINGS: &str = "s es ed d e ing";

static ENDINGS_BY_WORD: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| ENDINGS.split_whitespace().collect());

fn are_forms(left: &str, right: &str) -> bool {
    let (left, right) = (without_ge(left), without_ge(right));
    // Nearly all pairs of words differ in their first letters.
    let begin = |word: &'_ str| word.chars().take(3).collect::<Vec<_>>();
    if left.chars().next() != right.chars().next() || begin(left) != begin(right) {
        return false;
    }
    let shared = left
        .chars()
        .zip(right.chars())
        .take_while(|(left, right)| left == right)
        .count();
    let rest = |word: &str| -> String { word.chars().skip(shared).collect() };
    let (one, other) = (rest(left), rest(right));
    let longest = left.chars().count().max(right.chars().count());
    if left
        .chars()
        .any(|letter| ('\u{0400}'..='\u{04ff}').contains(&letter))
    {
        // Endings of Russian are many and long, and a root is rarely less than half of its word.
        let is_ending = |rest: &str| rest.chars().count() <= 6;
        let is_short = one.chars().count() + other.chars().count() <= 2;
        return shared >= if is_short { 3 } else { 4 }
            && shared * 2 >= longest
            && is_ending(&one)
            && is_ending(&other);
    }
    let last = left.chars().nth(shared.wrapping_sub(1));
    // *log* and *logging*: the consonant is doubled before the ending.
    let is_ending = |rest: &str| match shared {
        3 => PLAIN_ENDINGS
            .split_whitespace()
            .any(|ending| ending == rest),
        _ => ENDINGS_BY_WORD.contains(rest),
    };
    let is_form = |rest: &str| {
        let undoubled = || {
            let mut letters = rest.chars();
            (letters.next() == last && last != Some('e')).then_some(letters.as_str())
        };
        rest.is_empty() || is_ending(rest) || undoubled().is_some_and(is_ending)
    };
    shared * 2 >= longest && is_form(&one) && is_form(&other)
}

/// A German participle without its beginning: *geleert* is a form of *leeren*.
fn without_ge(word: &str) -> &str {
    let rest = word.strip_prefix("ge").filter(|rest| rest.len() >= 5);
    rest.filter(|rest| rest.ends_with('t') || rest.ends_with("en"))
        .unwrap_or(word)
}

/// Whether a word is written short by its consonants. Those that are written by their beginning stand in the table: *app* is short for
/// *application*, and *data* not for *database*.
fn is_short_for(short: &str, long: &str) -> bool {
    let (few, many) = (short.chars().count(), long.chars().count());
    if !(3..=4).contains(&few)
        || many < few + 3
        || short.chars().next() != long.chars().next()
        || short.chars().any(super::is_vowel)
    {
        return false;
    }
    let mut letters = long.chars();
    let are_in_order = short
        .chars()
        .all(|letter| letters.any(|other| other == letter));
    are_in_order && ends_alike(short, long)
}

/// The consonants of a short form reach to the end of the word: *msg* ends within *message*, *ptr* with *pointer*.
fn ends_alike(short: &str, long: &str) -> bool {
    let last = short.chars().last();
    long.chars()
        .rev()
        .take(3)
        .any(|letter| Some(letter) == last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinship(left: &str, right: &str) -> Option<Kinship> {
        Sense::of(left).kinship(&Sense::of(right))
    }

    #[test]
    fn a_word_is_known_in_another_form_spelling_or_name() {
        for (left, right) in [
            ("compress", "compression"),
            ("log", "logging"),
            ("lazy", "lazily"),
            ("sampling", "sample"),
            ("written", "write"),
            ("application", "app"),
            ("message", "msg"),
            ("bought", "purchased"),
            ("exportieren", "export"),
            ("кэшировать", "кэширование"),
        ] {
            assert!(kinship(left, right).is_some(), "{left} {right}");
        }
    }

    #[test]
    fn other_things_and_opposites_stay_apart() {
        for (left, right) in [
            ("enable", "disable"),
            ("increase", "decrease"),
            ("client", "server"),
            ("redis", "memcached"),
            ("encode", "decode"),
            ("before", "after"),
            ("user", "use"),
            ("care", "careless"),
            ("server", "service"),
            ("data", "database"),
            ("check", "checkpoint"),
            ("read", "write"),
        ] {
            assert_eq!(kinship(left, right), None, "{left} {right}");
        }
    }
}
