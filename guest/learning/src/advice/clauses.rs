//! Clauses: what a sentence says to do, and what not to do.
//!
//! Owns the cutting of a sentence into clauses, each with its polarity, the words that it is about, and the side it
//! takes where there are only two or a few: quoted or not, upper or lower case, before or after. English first, with
//! the negations of some other languages. Whether two clauses contradict each other is the business of conflicts.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use twiceshy_text::{
    lexicon::{Reader, is_filler},
    terms,
};

use crate::form::{Kind, Lexed};

/// One thing that a text says.
#[derive(Debug, Default, Clone)]
pub(super) struct Clause {
    /// Whether it says not to.
    pub(super) negative: bool,
    /// All its words that carry meaning.
    pub(super) terms: BTreeSet<String>,
    /// Those of them that say what to do or not to do, without to what end.
    pub(super) key: BTreeSet<String>,
    /// The sides that it takes, by question.
    pub(super) sides: BTreeMap<&'static str, &'static str>,
    /// What comes first and what comes second, if it speaks of an order.
    pub(super) order: Option<(BTreeSet<String>, BTreeSet<String>)>,
}

/// Questions that have few answers, each with the words that give it.
const QUESTIONS: &[(&str, &[(&str, &str)])] = &[
    (
        "case",
        &[
            (
                "upper",
                "uppercase upper-case uppercased capitalised capitalized capitals capital",
            ),
            ("lower", "lowercase lower-case lowercased"),
        ],
    ),
    (
        "quotes",
        &[
            ("yes", "quoted quote quotes quoting"),
            ("no", "unquoted unquote bare"),
        ],
    ),
    (
        "brackets",
        &[
            ("single", "singlequote"),
            ("double", "doublequote"),
            ("angle", "anglebracket"),
            ("square", "squarebracket"),
            ("round", "roundbracket"),
            ("curly", "curlybracket"),
            ("tick", "backtick"),
        ],
    ),
    (
        "presence",
        &[
            ("yes", "add append include insert with keep"),
            ("no", "remove drop omit delete exclude without strip"),
        ],
    ),
    (
        "switch",
        &[
            ("on", "enable activate allow"),
            ("off", "disable deactivate forbid"),
        ],
    ),
    (
        "direction",
        &[
            (
                "up",
                "ascending asc up increase raise higher larger longer more",
            ),
            (
                "down",
                "descending desc down decrease lower-down reduce smaller shorter less fewer",
            ),
        ],
    ),
    (
        "reach",
        &[("absolute", "absolute"), ("relative", "relative")],
    ),
    (
        "end",
        &[
            ("first", "first beginning start front leading"),
            ("last", "last end back trailing"),
        ],
    ),
    ("position", &[("left", "left"), ("right", "right")]),
    (
        "format",
        &[
            ("json", "json"),
            ("yaml", "yaml"),
            ("csv", "csv"),
            ("xml", "xml"),
            ("toml", "toml"),
        ],
    ),
    ("blank", &[("tabs", "tab tabs"), ("spaces", "spaces space")]),
    ("number", &[("singular", "singular"), ("plural", "plural")]),
    (
        "time",
        &[
            ("sync", "synchronous synchronously"),
            ("async", "asynchronous asynchronously"),
        ],
    ),
];

/// Words of more than one word that are read as one.
const PHRASES: &[(&str, &str)] = &[
    ("’", "'"),
    ("upper case", "uppercase"),
    ("lower case", "lowercase"),
    ("capital letters", "uppercase"),
    ("all caps", "uppercase"),
    ("small letters", "lowercase"),
    ("single quotes", "singlequote"),
    ("single-quoted", "singlequote"),
    ("single quote", "singlequote"),
    ("double quotes", "doublequote"),
    ("double-quoted", "doublequote"),
    ("double quote", "doublequote"),
    ("angle brackets", "anglebracket"),
    ("square brackets", "squarebracket"),
    ("round brackets", "roundbracket"),
    ("parentheses", "roundbracket"),
    ("curly braces", "curlybracket"),
    ("curly brackets", "curlybracket"),
    ("braces", "curlybracket"),
    ("backticks", "backtick"),
    ("without quotes", "unquoted"),
    ("without quotation marks", "unquoted"),
    ("no quotes", "unquoted"),
    ("in quotes", "quoted"),
    ("with quotes", "quoted"),
    ("quotation marks", "quotes"),
    ("don't", "do not"),
    ("doesn't", "does not"),
    ("mustn't", "must not"),
    ("shouldn't", "should not"),
    ("can't", "not"),
    ("cannot", "not"),
    ("no need", "not"),
    ("ne pas", "not"),
    ("不要", " not "),
    ("别", " not "),
    ("use of", "use"),
];

/// Words that turn a clause round.
const NEGATIONS: &str = " not never no avoid avoids nicht nie niemals kein keine nunca jamais pas не никогда none neither nor ";

/// Words behind which a clause says to what end, no longer what.
const ENDS: &str = " to for in when on around with from at by into because since during while if ";

/// What sets the opposite of a clause off within a sentence.
const TURNS: [&str; 7] = [
    " instead of ",
    " rather than ",
    ", not ",
    ", never ",
    " and not ",
    " but not ",
    " over ",
];

/// The clauses of a sentence or of several.
pub(super) fn of(text: &str) -> Vec<Clause> {
    let mut text = format!(" {} ", text.to_lowercase());
    // Most texts have none of them, and what has none gets none by replacing.
    let first = PHRASES
        .iter()
        .position(|(phrase, _)| text.contains(phrase))
        .unwrap_or(PHRASES.len());
    for (phrase, word) in &PHRASES[first..] {
        text = text.replace(phrase, word);
    }
    let mut clauses = Vec::new();
    for sentence in sentences(&text) {
        let turn = TURNS
            .iter()
            .filter_map(|turn| Some((sentence.find(turn)?, turn.len())))
            .min();
        match turn {
            Some((at, length)) => {
                let said = clause(&sentence[..at], false);
                clauses.push(clause(
                    &format!(" {}", &sentence[at + length..]),
                    !said.negative,
                ));
                clauses.push(said);
            }
            None => clauses.push(clause(sentence, false)),
        }
    }
    clauses.retain(|clause| !(clause.terms.is_empty() && clause.sides.is_empty()));
    clauses
}

/// The words of a text that carry meaning, fillers left out.
pub(super) fn content(text: &str) -> BTreeSet<String> {
    words(&text.to_lowercase())
        .into_iter()
        .filter(|word| {
            !is_filler(word, Reader::Advice) && !is_in(ENDS, word) && !is_in(NEGATIONS, word)
        })
        .map(|word| term(&word))
        .collect()
}

fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut from = 0;
    let ends = [". ", "; ", "! ", "\n", " but ", "。", "；"];
    while from < text.len() {
        let end = ends
            .iter()
            .filter_map(|end| Some((from + text[from..].find(end)?, end.len())))
            // `but not` is a turn within its sentence.
            .filter(|(at, _)| !text[*at..].starts_with(" but not "))
            .min();
        let (end, length) = end.unwrap_or((text.len(), 0));
        sentences.push(&text[from..end]);
        from = end + length;
        if length == 0 {
            break;
        }
    }
    sentences
}

fn clause(text: &str, turned: bool) -> Clause {
    let mut clause = Clause {
        negative: turned,
        ..Clause::default()
    };
    let mut ended = false;
    let mut before: Option<(BTreeSet<String>, bool)> = None;
    for word in words(text) {
        if matches!(word.as_str(), "before" | "after") && !clause.terms.is_empty() {
            before = Some((std::mem::take(&mut clause.terms), word == "before"));
            continue;
        }
        ended |= is_in(ENDS, &word) && !clause.key.is_empty();
        if is_in(NEGATIONS, &word) {
            clause.negative = !clause.negative;
        } else if let Some((question, side)) = side(&word) {
            // Both sides of a question are no side.
            let taken = clause.sides.insert(question, side);
            if taken.is_some_and(|taken| taken != side) {
                clause.sides.remove(question);
            }
        } else if !is_filler(&word, Reader::Advice) && !is_in(ENDS, &word) {
            let term = term(&word);
            if !ended {
                clause.key.insert(term.clone());
            }
            clause.terms.insert(term);
        }
    }
    if let Some((first, is_before)) = before {
        let second = clause.terms.clone();
        clause.terms.extend(first.iter().cloned());
        clause.order = Some(if is_before {
            (first, second)
        } else {
            (second, first)
        });
    }
    clause
}

/// The words of a lowercase text: what is set off by spaces, without stops and quotation marks around it.
fn words(text: &str) -> Vec<String> {
    let edge = |c: char| ".,;:!?()\"'`“”«»".contains(c);
    text.split_whitespace()
        .map(|word| word.trim_matches(edge).to_owned())
        .filter(|word| !word.is_empty() && word != "→")
        .collect()
}

/// A side that a word takes: its place among all sides, the question and the side.
type Side = (usize, &'static str, &'static str);

/// The sides by their words: a rule is compared with dozens, word by word.
static SIDES: LazyLock<BTreeMap<&'static str, Side>> = LazyLock::new(|| {
    let sides = QUESTIONS
        .iter()
        .flat_map(|(question, sides)| sides.iter().map(move |side| (question, side)));
    let mut by_word = BTreeMap::new();
    for (place, (question, (side, words))) in sides.enumerate() {
        for word in words.split(' ') {
            by_word.entry(word).or_insert((place, *question, *side));
        }
    }
    by_word
});

fn side(word: &str) -> Option<(&'static str, &'static str)> {
    let bare = word.trim_end_matches('s');
    let found = [word, bare].map(|word| SIDES.get(word));
    let (_, question, side) = found.into_iter().flatten().min()?;
    Some((question, side))
}

/// A word as it is compared: plain words by their stem, code as it stands.
fn term(word: &str) -> String {
    if word.chars().all(char::is_alphabetic) {
        let terms = terms::terms(word);
        if !terms.is_empty() {
            return terms.join(" ");
        }
    }
    word.to_owned()
}

/// Whether a word, which has no space in it, is in a list.
fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word) && !word.is_empty()
}

/// The clauses of a fix that is written as two commands: what it brings in, and what it takes away.
pub(super) fn of_forms(wrong: &str, correct: &str) -> Vec<Clause> {
    let tokens = |text: &str| -> Vec<(Kind, String)> {
        let lexed = Lexed::new(text);
        lexed
            .solid()
            .into_iter()
            .map(|at| (lexed.tokens[at].kind, lexed.tokens[at].text.to_owned()))
            .collect()
    };
    let (left, right) = (tokens(wrong), tokens(correct));
    let only = |these: &[(Kind, String)], those: &[(Kind, String)]| -> Vec<(Kind, String)> {
        these
            .iter()
            .filter(|token| !those.contains(token))
            .cloned()
            .collect()
    };
    let (taken, brought) = (only(&left, &right), only(&right, &left));
    let mut clauses = Vec::new();
    for (tokens, others, negative) in [(&brought, &taken, false), (&taken, &brought, true)] {
        let mut clause = Clause {
            negative,
            ..Clause::default()
        };
        for (kind, text) in tokens {
            let lower = text.to_lowercase();
            let recased = others
                .iter()
                .any(|(_, other)| other.to_lowercase() == lower);
            match kind {
                Kind::Quote => {
                    let style = if text == "'" { "single" } else { "double" };
                    clause.sides.insert("quotes", "yes");
                    clause.sides.insert("brackets", style);
                }
                Kind::Word if recased => {
                    let upper = text.chars().any(char::is_uppercase);
                    clause
                        .sides
                        .insert("case", if upper { "upper" } else { "lower" });
                }
                Kind::Word => {
                    clause.terms.insert(term(&lower));
                }
                _ => {}
            }
        }
        clause.key = clause.terms.clone();
        if !(clause.terms.is_empty() && clause.sides.is_empty()) {
            clauses.push(clause);
        }
    }
    clauses
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The side of a word, by looking at all of them.
    fn looked_up(word: &str) -> Option<(&'static str, &'static str)> {
        QUESTIONS.iter().find_map(|(question, sides)| {
            let (side, _) = sides.iter().find(|(_, words)| {
                let bare = word.trim_end_matches('s');
                words.split(' ').any(|known| known == word || known == bare)
            })?;
            Some((*question, *side))
        })
    }

    #[test]
    fn the_table_of_sides_says_what_a_look_at_all_of_them_says() {
        let all = QUESTIONS.iter().flat_map(|(_, sides)| *sides);
        let known = all.flat_map(|(_, words)| words.split(' '));
        let mut found = 0;
        for word in known.chain(["s", "ss", "", "bas", "plain", "starts", "lessss"]) {
            let bare = word.trim_end_matches('s').to_owned();
            for form in [
                word.to_owned(),
                format!("{word}s"),
                format!("{word}ss"),
                bare,
            ] {
                assert_eq!(side(&form), looked_up(&form), "{form}");
                found += usize::from(side(&form).is_some());
            }
        }
        assert!(found > 300, "{found}");
    }

    #[test]
    fn a_list_has_its_words_and_nothing_else() {
        assert!(is_in(ENDS, "because") && is_in(NEGATIONS, "никогда"));
        assert!(!is_in(ENDS, "") && !is_in(ENDS, "becaus") && !is_in(NEGATIONS, "ever"));
    }
}
