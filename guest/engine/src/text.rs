//! Terms: how text is cut for searching and comparing.
//!
//! Owns the cutting of any script into terms: identifiers are split (`DataProcessor.process` is *data
//! processor process*), words lose common English endings, and scripts without spaces become pairs of
//! characters. Which terms matter, and how much, is the business of recall.

use std::{borrow::Cow, collections::BTreeSet};

/// The longest term in characters: anything longer is data, not a word.
const TERM_CHARS: usize = 40;

/// Words of English that any sentence has, as terms, sorted.
const FILLERS: [&str; 52] = [
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "do",
    "does", "for", "from", "has", "have", "if", "in", "instead", "into", "is", "it", "its", "make",
    "may", "more", "must", "of", "on", "or", "please", "should", "so", "some", "such", "sure",
    "than", "that", "the", "then", "there", "this", "to", "use", "was", "when", "will", "with",
    "you",
];

/// The terms of a text in their order, lowercase.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    let mut word = String::new();
    let mut previous = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if is_dense(character) {
            finish(&mut word, &mut terms);
            // Two neighbours make a term; a lone character stands for itself.
            match characters.peek() {
                Some(&next) if is_dense(next) => terms.push(String::from_iter([character, next])),
                _ if is_dense(previous) => {}
                _ => terms.push(character.to_string()),
            }
        } else if character.is_alphanumeric() {
            let next_is_lower = characters.peek().is_some_and(|next| next.is_lowercase());
            let hump = character.is_uppercase()
                && (previous.is_lowercase() || (previous.is_uppercase() && next_is_lower));
            let digits = previous.is_alphanumeric()
                && previous.is_ascii_digit() != character.is_ascii_digit();
            if hump || digits {
                finish(&mut word, &mut terms);
            }
            word.extend(character.to_lowercase());
        } else if !(is_apostrophe(character) && previous.is_alphabetic()) {
            finish(&mut word, &mut terms);
        }
        previous = character;
    }
    finish(&mut word, &mut terms);
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
    terms.retain(|term| !FILLERS.contains(&term.as_str()));
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

/// How alike two sets are, from 0 to 1: twice what they share over what they have.
pub fn likeness(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let all = left.len() + right.len();
    if all == 0 {
        return 0.0;
    }
    2.0 * left.intersection(right).count() as f64 / all as f64
}

fn finish(word: &mut String, terms: &mut Vec<String>) {
    if !word.is_empty() && word.chars().count() <= TERM_CHARS {
        terms.push(stem(word).to_owned());
    }
    word.clear();
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’')
}

/// Scripts that are written without spaces between words.
fn is_dense(character: char) -> bool {
    matches!(character,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{0e00}'..='\u{0eff}' | '\u{20000}'..='\u{3ffff}')
}

/// A word without its common English ending: enough for *files* to meet *file*, and no more.
fn stem(word: &str) -> &str {
    if !word.is_ascii() || word.len() < 4 {
        return word;
    }
    for (ending, least) in [("ing", 4), ("ed", 4), ("es", 3), ("s", 3)] {
        if let Some(root) = word.strip_suffix(ending)
            && root.len() >= least
            && !(ending == "s" && root.ends_with(['s', 'u', 'i']))
            && (ending != "es" || root.ends_with(['s', 'x', 'z', 'h']))
        {
            return root;
        }
    }
    word
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
    fn likeness_goes_from_nothing_to_the_same() {
        let set = term_set("no such table");
        assert_eq!(likeness(&set, &set), 1.0);
        assert_eq!(likeness(&set, &term_set("permission denied")), 0.0);
        assert_eq!(likeness(&BTreeSet::new(), &BTreeSet::new()), 0.0);
    }
}
