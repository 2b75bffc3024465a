//! Terms: how text is cut for searching and comparing.
//!
//! Owns the cutting of any script into terms: identifiers are split (`DataProcessor.process` is *data
//! processor process*), words lose common English endings, and scripts without spaces become pairs of
//! characters. Which terms matter, and how much, is the business of recall.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    cut::{Piece, Reading, Sort, pieces},
    lexicon::{Reader, is_filler},
    stem::{light, stem},
};

/// The longest term in characters: anything longer is data, not a word.
const TERM_CHARS: usize = 40;

/// How often a term counts in a question at most. What is said twice is what it is about; a log may repeat a word a
/// hundred times.
pub const MOST_TIMES: usize = 3;

/// The terms of a text in their order, lowercase.
pub fn terms(text: &str) -> Vec<String> {
    cut(text, |word| light(word).to_owned())
}

/// The terms that a text is indexed by, in their order and as often as they occur: whole stems, so that *hike* meets
/// *hiking*, without the words that any sentence has and without holes such as `<path>`. If nothing else is left, all.
pub fn indexed(text: &str) -> Vec<String> {
    without_fillers(text, |word| is_filler(light(word), Reader::Search))
}

/// The terms by which an index is asked for a text: those of [`indexed`] without the words of any question, each as
/// often as the text has it and at most [`MOST_TIMES`], and beside each that was cut differently in stores that an earlier
/// version wrote the form that is found there.
pub fn asked(text: &str) -> Vec<String> {
    let says_nothing = |word: &str| {
        let root = light(word);
        let readers = [Reader::Search, Reader::Question];
        let is_filler = |reader| is_filler(root, reader) || is_filler(word, reader);
        readers.into_iter().any(is_filler)
    };
    let stems = without_fillers(text, says_nothing);
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    let mut asked = Vec::with_capacity(stems.len());
    for stem in &stems {
        let times = times.entry(stem).or_default();
        *times += 1;
        if *times <= MOST_TIMES {
            asked.push(stem.clone());
        }
    }
    let is_new =
        |term: &String| !times.contains_key(term.as_str()) && !is_filler(term, Reader::Question);
    let earlier: Vec<_> = telling(text).into_iter().filter(is_new).collect();
    asked.extend(earlier);
    asked
}

/// The stems of a text without words that say nothing and without holes; all words if nothing else is left.
fn without_fillers(text: &str, says_nothing: impl Fn(&str) -> bool) -> Vec<String> {
    let text = without_holes(text);
    let all = cut(&text, |word| match says_nothing(word) {
        true => format!("{FILLER}{word}"),
        false => stem(word),
    });
    let kept: Vec<_> = all
        .iter()
        .filter(|term| !term.starts_with(FILLER))
        .cloned()
        .collect();
    match kept.is_empty() {
        true => all
            .iter()
            .map(|term| term.trim_start_matches(FILLER).to_owned())
            .collect(),
        false => kept,
    }
}

/// How much of what a text says stands in another, from 0 to 1.
pub fn coverage(of: &BTreeSet<String>, by: &BTreeSet<String>) -> f64 {
    match of.len() {
        0 => 0.0,
        all => of.intersection(by).count() as f64 / all as f64,
    }
}

/// Marks a word that says nothing, while a text is cut: no term contains it.
const FILLER: char = ' ';

fn cut(text: &str, root: impl Fn(&str) -> String) -> Vec<String> {
    let pieces = pieces(text, Reading::Searched);
    let is_dense = |piece: &Piece| piece.sort == Sort::Ideograph;
    let mut terms = Vec::with_capacity(pieces.len());
    for (at, piece) in pieces.iter().enumerate() {
        if is_dense(piece) {
            // Two neighbours make a term; a lone character stands for itself.
            let neighbour = |next: &&Piece| is_dense(next) && next.touches;
            match pieces.get(at + 1).filter(neighbour) {
                Some(next) => terms.push(format!("{}{}", piece.text, next.text)),
                None if piece.touches && at > 0 && is_dense(&pieces[at - 1]) => {}
                None => terms.push(piece.text.clone()),
            }
        } else if piece.text.chars().count() <= TERM_CHARS {
            terms.push(root(&piece.text));
        }
    }
    terms
}

/// The different terms of a text.
pub fn term_set(text: &str) -> BTreeSet<String> {
    terms(text).into_iter().collect()
}

/// The different terms of a text that tell something: without the words that any sentence has, and without holes
/// such as `<path>`.
pub fn telling(text: &str) -> BTreeSet<String> {
    let mut terms = term_set(&without_holes(text));
    terms.retain(|term| !is_filler(term, Reader::Search));
    terms
}

/// A text without its typed holes: a `<`, lowercase letters and digits, a `>`.
fn without_holes(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some(at) = rest.find('<') {
        let name = &rest[at + 1..];
        let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let end = name
            .bytes()
            .position(|byte| !is_name(byte))
            .unwrap_or(name.len());
        kept.push_str(&rest[..at]);
        if end > 0 && name[end..].starts_with('>') {
            kept.push(' ');
            rest = &name[end + 1..];
        } else {
            kept.push('<');
            rest = name;
        }
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// How similar two sets are, from 0 to 1: twice what they share over what they have.
pub fn similarity(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let all = left.len() + right.len();
    if all == 0 {
        return 0.0;
    }
    2.0 * left.intersection(right).count() as f64 / all as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_something_is_neither_a_filler_nor_a_hole() {
        assert_eq!(telling("the <path> of <str2> is"), BTreeSet::new());
        assert_eq!(
            telling("LOAD <<path>> if a<5"),
            BTreeSet::from(["5", "load"].map(str::to_owned))
        );
    }

    #[test]
    fn the_forms_of_a_word_are_indexed_as_one_and_as_often_as_they_occur() {
        assert_eq!(
            indexed("hiking, we hiked a hike"),
            ["hik", "we", "hik", "hik"]
        );
        assert_eq!(
            indexed("the <path> of DataProcessor"),
            ["data", "processor"]
        );
        assert_eq!(indexed("that is it"), ["that", "is", "it"]);
        assert_eq!(indexed("文件不存在"), terms("文件不存在"));
    }

    #[test]
    fn an_index_of_an_earlier_version_is_asked_in_its_own_terms() {
        assert_eq!(asked("moves"), ["mov", "move"]);
        assert_eq!(asked("parser"), ["parser"]);
        for old in telling("hiking with the cached movies") {
            assert!(
                asked("hiking with the cached movies").contains(&old),
                "{old}"
            );
        }
    }

    #[test]
    fn a_question_is_asked_by_what_it_is_about() {
        assert_eq!(
            asked("When did you say that Ann would paint the lake?"),
            ["say", "ann", "paint", "lak", "lake"]
        );
        assert_eq!(asked("who am I"), ["who", "am", "i"]);
        assert_eq!(asked("which is not in scope"), ["not", "scop", "scope"]);
    }

    #[test]
    fn what_is_said_twice_counts_twice_and_what_is_repeated_counts_no_more_than_thrice() {
        assert_eq!(asked("type of a type"), ["typ", "typ", "type"]);
        assert_eq!(asked(&"error ".repeat(100)), ["error"; MOST_TIMES]);
    }

    #[test]
    fn identifiers_are_split_in_every_style() {
        let expected = ["data", "processor", "process"];
        for text in [
            "DataProcessor.process",
            "data_processor_process",
            "data-processor process",
        ] {
            assert_eq!(terms(text), expected, "{text}");
        }
        assert_eq!(terms("HTTPServer2"), ["http", "server", "2"]);
    }

    #[test]
    fn plural_and_singular_meet() {
        assert_eq!(terms("files"), terms("file"));
        assert_eq!(terms("boxes"), terms("box"));
        assert_eq!(terms("class status this"), ["class", "status", "this"]);
    }

    #[test]
    fn scripts_without_spaces_become_pairs() {
        assert_eq!(terms("文件不存在"), ["文件", "件不", "不存", "存在"]);
        assert_eq!(terms("файл не найден"), ["файл", "не", "найден"]);
    }

    #[test]
    fn an_apostrophe_stays_within_its_word() {
        assert_eq!(terms("can't open"), ["cant", "open"]);
    }

    #[test]
    fn similarity_goes_from_nothing_to_the_same() {
        let set = term_set("no such table");
        assert_eq!(similarity(&set, &set), 1.0);
        assert_eq!(similarity(&set, &term_set("permission denied")), 0.0);
        assert_eq!(similarity(&BTreeSet::new(), &BTreeSet::new()), 0.0);
    }
}
