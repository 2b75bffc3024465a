//! Advice: what a rule text says, and whether an action follows it.
//!
//! Owns the reading of rule texts, their WRONG and their CORRECT, and whether an action has the form that is advised.
//! When two of them are the same is in `sameness`, when they contradict each other in `conflicts`. Whether the advice is
//! any good is measured elsewhere.

mod clauses;
mod conflicts;
mod sameness;
mod warning;

pub use conflicts::{Stance, conflict};
pub use sameness::normalised;
pub use warning::is_warned_of;

use std::{collections::BTreeSet, ops::Range};

use crate::{
    form::{Kind, Lexed, Pattern},
    mining,
};

/// A text in bytes as far as it is read: a rule has at most a thousand characters, an action a KiB.
const READ_BYTES: usize = 4 << 10;

/// What a rule text says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Advice {
    /// What not to do.
    pub wrong: Option<String>,
    /// What to do instead.
    pub correct: Option<String>,
}

/// Reads a rule text.
///
/// ```
/// use twiceshy_learning::advice::parse;
/// let advice = parse("wrong: sort desc => correct: sort down");
/// assert_eq!(advice.wrong.as_deref(), Some("sort desc"));
/// assert_eq!(advice.correct.as_deref(), Some("sort down"));
/// ```
pub fn parse(rule_text: &str) -> Advice {
    let rule = read(rule_text);
    let wrong = label(rule, "wrong");
    let correct = label(rule, "correct");
    match (wrong, correct) {
        (None, None) => Advice {
            wrong: discouraged(rule),
            correct: None,
        },
        (wrong, correct) => {
            let until = |own: (usize, usize), other: Option<(usize, usize)>| {
                let end = other.map_or(rule.len(), |(start, _)| start);
                let end = if end > own.0 { end } else { rule.len() };
                part(&rule[own.1..end], end < rule.len())
            };
            Advice {
                wrong: wrong.and_then(|own| until(own, correct)),
                correct: correct.and_then(|own| until(own, wrong)),
            }
        }
    }
}

/// Whether an action follows the advice: it has the form of CORRECT or, if CORRECT is prose, contains what tells
/// it from WRONG. An action that has the form of WRONG never does. Where only WRONG is known, an action of the same
/// program follows it by being otherwise.
///
/// ```
/// use twiceshy_learning::advice::follows;
/// let rule = "WRONG: LOAD <path> → CORRECT: LOAD <<path>>";
/// assert!(follows(rule, "LOAD <data/b.csv>"));
/// assert!(!follows(rule, "LOAD data/b.csv"));
/// ```
pub fn follows(rule_text: &str, action: &str) -> bool {
    let action = read(action);
    let advice = parse(rule_text);
    match (&advice.wrong, &advice.correct) {
        (Some(wrong), Some(correct)) => {
            let forms = Forms::new(wrong, correct);
            !forms.wrong.is_whole(action) && forms.are_followed_by(action)
                || is_prose(correct)
                    && !forms.wrong.is_in(action)
                    && has_difference(wrong, correct, action)
        }
        (None, Some(correct)) => {
            !Pattern::new(correct).places(action).is_empty()
                || is_prose(correct) && has_difference("", correct, action)
        }
        (Some(wrong), None) => is_otherwise(warned_form(wrong), action),
        (None, None) => contains_all(&spans(read(rule_text)), action),
    }
}

/// A command as it was written, and with holes for the data that the other side of its rule has too: who wrote the
/// rule down may not have generalised it.
struct Form {
    written: String,
    general: String,
}

impl Form {
    fn is_whole(&self, action: &str) -> bool {
        [&self.written, &self.general]
            .into_iter()
            .any(|form| Pattern::new(form).is_whole(action))
    }

    fn is_in(&self, action: &str) -> bool {
        !self.places(action).is_empty()
    }

    fn places(&self, action: &str) -> Vec<Range<usize>> {
        let mut places = Pattern::new(&self.written).places(action);
        places.extend(Pattern::new(&self.general).places(action));
        places
    }
}

/// Both forms of a rule.
struct Forms {
    wrong: Form,
    correct: Form,
}

impl Forms {
    fn new(wrong: &str, correct: &str) -> Self {
        let general = mining::generalise(wrong, correct);
        let form = |written: &str, general: String| Form {
            written: written.to_owned(),
            general,
        };
        Self {
            wrong: form(wrong, general.wrong),
            correct: form(correct, general.correct),
        }
    }

    /// Whether an action has the right form, and the wrong one nowhere else: `git push` within `git push --force` is
    /// not wrong, if the longer one is what is advised.
    fn are_followed_by(&self, action: &str) -> bool {
        let right = self.correct.places(action);
        let within = |place: &Range<usize>| {
            let covers =
                |right: &Range<usize>| right.start <= place.start && place.end <= right.end;
            right.iter().any(covers)
        };
        !right.is_empty() && self.wrong.places(action).iter().all(within)
    }

    /// Whether an action has the wrong form somewhere, and not as a part of the right one.
    fn are_broken_by(&self, action: &str) -> bool {
        self.wrong.is_in(action) && !self.are_followed_by(action)
    }
}

fn read(text: &str) -> &str {
    text[..text.floor_char_boundary(READ_BYTES)].trim()
}

/// Where a label such as `WRONG:` begins and ends.
fn label(rule: &str, name: &str) -> Option<(usize, usize)> {
    // Of equal length in ASCII lowercase, so that the places fit.
    let lower = rule.to_ascii_lowercase();
    lower.match_indices(name).find_map(|(start, _)| {
        let stands_alone = !lower[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let after = &lower[start + name.len()..];
        let colon = after.trim_start().strip_prefix([':', '：'])?;
        stands_alone.then_some((start, rule.len() - colon.len()))
    })
}

/// One part of a rule without what surrounds it: arrows, separators, a pair of backticks around all.
fn part(text: &str, before_other: bool) -> Option<String> {
    let mut text = text.trim();
    if before_other {
        let arrows = ["→", "⇒", "->", "=>", "-->", "➜", "—", ";", ","];
        let arrow = arrows.iter().find_map(|arrow| text.strip_suffix(arrow));
        text = arrow.unwrap_or(text).trim_end_matches('-').trim_end();
    }
    let inside = text
        .strip_prefix('`')
        .and_then(|text| text.strip_suffix('`'));
    let text = inside
        .filter(|inside| !inside.contains('`'))
        .unwrap_or(text);
    (!text.is_empty()).then(|| text.to_owned())
}

/// What a text without labels warns of.
fn discouraged(rule: &str) -> Option<String> {
    let openings = [
        "avoid:",
        "avoid ",
        "do not use ",
        "don't use ",
        "never use ",
        "do not ",
        "don't ",
        "never ",
        "must not ",
    ];
    let rest = openings
        .into_iter()
        .find_map(|opening| after(rule, opening))?;
    part(rest, false)
}

/// What follows an opening, in any case and with any apostrophe.
fn after<'a>(rule: &'a str, opening: &str) -> Option<&'a str> {
    let mut rest = rule.chars();
    for expected in opening.chars() {
        let found = rest.next()?;
        if !(found.eq_ignore_ascii_case(&expected) || (expected == '\'' && found == '’')) {
            return None;
        }
    }
    Some(rest.as_str())
}

/// The form in a warning, without what it fails with.
fn warned_form(wrong: &str) -> &str {
    let lexed = Lexed::new(wrong);
    let (mut at, mut depth) = (0, 0i32);
    for (index, token) in lexed.tokens.iter().enumerate() {
        let quoted = lexed.quoted.iter().any(|range| range.contains(&index));
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            ":" if depth <= 0 && !quoted && wrong[at + 1..].starts_with(' ') => {
                return &wrong[..at];
            }
            _ => {}
        }
        at += token.text.len();
    }
    wrong
}

/// Whether an action does with the same program something else than what is warned of.
fn is_otherwise(wrong: &str, action: &str) -> bool {
    let program = |text: &str| {
        let lexed = Lexed::new(text);
        lexed.tokens.first().map(|token| token.text.to_owned())
    };
    !is_prose(wrong)
        && program(wrong).is_some()
        && program(wrong) == program(action)
        && !warning::has_form(wrong, action)
}

/// The program of which a rule speaks: what both of its commands run. None if they run different ones, or if it is a sentence.
///
/// ```
/// use twiceshy_learning::advice::program;
/// assert_eq!(program("WRONG: git psh → CORRECT: git push").as_deref(), Some("git"));
/// assert_eq!(program("WRONG: gti push → CORRECT: git push"), None);
/// ```
pub fn program(rule_text: &str) -> Option<String> {
    let advice = parse(rule_text);
    let (wrong, correct) = (advice.wrong?, advice.correct?);
    let first = |text: &str| {
        let lexed = Lexed::new(text);
        let token = lexed.tokens.first()?;
        let is_name = token.kind == Kind::Word && token.text.len() > 1;
        is_name.then(|| token.text.to_owned())
    };
    let is_command = !is_prose(&wrong) && !is_prose(&correct);
    first(&correct).filter(|program| is_command && first(&wrong).as_ref() == Some(program))
}

/// Words that a command does not have and a sentence can hardly do without.
const PROSE: &str = "the a an instead must should always never don't because which that your you please when needs need \
    around rather than every each must";

/// Words that a sentence may begin with when it says what to do.
const IMPERATIVES: &str = "use quote wrap write put avoid prefer spell unquote always never do";

/// Whether a text is a sentence rather than a command.
pub fn is_prose(text: &str) -> bool {
    let is_in = |list: &str, word: &str| list.split(' ').any(|one| one.eq_ignore_ascii_case(word));
    // Cutting a text into tokens takes longer than looking for such a word in it. An apostrophe belongs to some of them.
    let is_telling = |word: &str| is_in(PROSE, word) || is_in(IMPERATIVES, word);
    let mut letters = text.split(|c: char| !c.is_ascii_alphabetic());
    if text.is_ascii() && !text.contains('\'') && !letters.any(is_telling) {
        return false;
    }
    let lexed = Lexed::new(text);
    if lexed.tokens.iter().any(|token| token.kind == Kind::Hole) {
        return false;
    }
    let words: Vec<_> = lexed
        .tokens
        .iter()
        .filter(|token| token.kind == Kind::Word)
        .collect();
    let begins = words
        .first()
        .is_some_and(|word| is_in(IMPERATIVES, word.text));
    (begins && words.len() > 1) || words.iter().any(|word| is_in(PROSE, word.text))
}

/// What stands in backticks or quotation marks.
fn spans(text: &str) -> Vec<String> {
    let lexed = Lexed::new(text);
    lexed
        .quoted
        .iter()
        .map(|range| lexed.text(range.clone()))
        .collect()
}

fn contains_all(forms: &[String], action: &str) -> bool {
    !forms.is_empty()
        && forms
            .iter()
            .all(|form| !Pattern::new(form).places(action).is_empty())
}

/// Whether an action leans on the advice: it is of the same program and verb, and has everything that CORRECT brings
/// in and nothing of what it takes away. It may say more or less besides, so that what becomes of it need not be due
/// to the advice.
///
/// ```
/// use twiceshy_learning::advice::leans_on;
/// let rule = "WRONG: grid sort <path> by size → CORRECT: grid arrange <path> by size";
/// assert!(leans_on(rule, "grid arrange :a.csv by @size falling"));
/// assert!(!leans_on(rule, "grid sort :a.csv by @size falling"));
/// ```
pub fn leans_on(rule_text: &str, action: &str) -> bool {
    let advice = parse(rule_text);
    let (Some(wrong), Some(correct)) = (&advice.wrong, &advice.correct) else {
        return false;
    };
    let action = Lexed::new(read(action));
    let (wrong, correct) = (Lexed::new(wrong), Lexed::new(correct));
    let (warned, advised, done) = (
        warning::words(&wrong),
        warning::words(&correct),
        warning::words(&action),
    );
    let mut brought = advised.difference(&warned).peekable();
    let mut taken = warned.difference(&advised).peekable();
    warning::head(&correct) == warning::head(&action)
        && brought.peek().is_some()
        && taken.peek().is_some()
        && brought.all(|word| done.contains(word))
        && taken.all(|word| !done.contains(word))
}

/// Whether an action is of the kind that a rule calls wrong: it runs the same program, and has every word that the rule takes
/// away and not all that it brings.
///
/// ```
/// use twiceshy_learning::advice::is_wrong_there;
/// assert!(is_wrong_there("grid sort <path> desc", "grid sort <path> down", "grid sort a.csv by x desc"));
/// assert!(!is_wrong_there("grid sort <path> desc", "grid sort <path> down", "grid sort a.csv asc"));
/// ```
pub fn is_wrong_there(wrong: &str, correct: &str, action: &str) -> bool {
    // What is no whole command, such as `--rows`, is looked for as it is.
    let is_fragment = !wrong.starts_with(char::is_alphanumeric) || !wrong.contains(' ');
    if is_fragment && !Pattern::new(wrong).places(read(action)).is_empty() {
        return true;
    }
    let action = Lexed::new(read(action));
    let (wrong, correct) = (Lexed::new(wrong), Lexed::new(correct));
    let words = |lexed: &Lexed| -> BTreeSet<String> {
        let solid = lexed.solid().into_iter().map(|at| lexed.tokens[at]);
        let named = solid.filter(|token| token.kind != Kind::Hole && token.kind != Kind::Quote);
        named.map(|token| token.text.to_owned()).collect()
    };
    let program = |lexed: &Lexed| lexed.tokens.first().map(|token| token.text.to_owned());
    let (warned, advised, done) = (words(&wrong), words(&correct), words(&action));
    let mut taken = warned.difference(&advised).peekable();
    let mut brought = advised.difference(&warned);
    program(&wrong) == program(&action)
        && taken.peek().is_some()
        && taken.all(|word| done.contains(word))
        && !(advised.len() > warned.len() && brought.all(|word| done.contains(word)))
}

/// Whether an action has what a sentence advises and does not warn of: its quoted forms or else most of its words.
fn has_difference(wrong: &str, correct: &str, action: &str) -> bool {
    let warned = spans(wrong);
    let advised: Vec<_> = spans(correct)
        .into_iter()
        .filter(|form| !warned.contains(form))
        .collect();
    if !advised.is_empty() {
        return contains_all(&advised, action);
    }
    let told: Vec<_> = clauses::content(correct)
        .into_iter()
        .filter(|word| !clauses::content(wrong).contains(word))
        .collect();
    let done = clauses::content(action);
    let met = told.iter().filter(|word| done.contains(*word)).count();
    !told.is_empty() && 2 * met >= told.len() && met > 0
}
