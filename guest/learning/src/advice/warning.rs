//! Warning: whether an action is what a rule warns of.
//!
//! Owns the other side of [`follows`](super::follows): what the WRONG of a rule, or its AVOID, describes. A rule that is
//! a sentence describes no form, and then nothing can be said.

use std::collections::BTreeSet;

use super::{Forms, Pattern, follows, is_prose, parse, read, warned_form};
use crate::form::{Kind, Lexed, hole_at};

/// Whether an action is what a rule warns of: it has the form of WRONG, or it is of the same program and verb, has
/// everything that CORRECT takes away and lacks something that CORRECT brings in. None if the rule describes no form.
///
/// ```
/// use twiceshy_learning::advice::is_warned_of;
/// let rule = "WRONG: grid sort <path> by size → CORRECT: grid arrange <path> by size";
/// assert_eq!(is_warned_of(rule, "grid sort b.csv by size"), Some(true));
/// assert_eq!(is_warned_of(rule, "grid arrange b.csv by size"), Some(false));
/// assert_eq!(is_warned_of("AVOID: tape wipe …: the tape is gone", "tape wipe --all"), Some(true));
/// assert_eq!(is_warned_of("AVOID: tape wipe …: the tape is gone", "tape play"), Some(false));
/// assert_eq!(is_warned_of("Keep the files small.", "tape wipe --all"), None);
/// ```
pub fn is_warned_of(rule_text: &str, action: &str) -> Option<bool> {
    let action = read(action);
    let advice = parse(rule_text);
    let wrong = advice.wrong?;
    let Some(correct) = &advice.correct else {
        let form = warned_form(&wrong);
        return (!is_prose(form)).then(|| has_form(form, action));
    };
    if is_prose(&wrong) {
        return None;
    }
    if follows(rule_text, action) {
        return Some(false);
    }
    Some(Forms::new(&wrong, correct).are_broken_by(action) || has_fault(&wrong, correct, action))
}

/// Whether an action has all parts of a form in order. A gap stands for anything.
pub(super) fn has_form(form: &str, action: &str) -> bool {
    let mut rest = action;
    form.split('…')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .all(|part| {
            let Some(place) = Pattern::new(part).places(rest).first().cloned() else {
                return false;
            };
            rest = &rest[place.end..];
            true
        })
}

/// Whether an action makes the mistake of a rule in other words: the same program and verb, with all that CORRECT takes
/// away and without something that it brings in.
fn has_fault(wrong: &str, correct: &str, action: &str) -> bool {
    let (wrong, correct, action) = (Lexed::new(wrong), Lexed::new(correct), Lexed::new(action));
    let (warned, advised, done) = (words(&wrong), words(&correct), words(&action));
    let mut taken = warned.difference(&advised);
    let mut brought = advised.difference(&warned).peekable();
    // A form that is told apart by its marks alone is not told apart by words.
    let differs = warned != advised;
    differs
        && is_same_work(&wrong, &action)
        && taken.all(|word| done.contains(word))
        && (brought.peek().is_none() || brought.any(|word| !done.contains(word)))
}

/// Whether two actions are of the same program and, if both name one, of the same verb.
fn is_same_work(left: &Lexed, right: &Lexed) -> bool {
    let verb = |lexed: &Lexed| {
        let second = *lexed.solid().get(1)?;
        let token = lexed.tokens[second];
        (token.kind == Kind::Word && !token.is_flag()).then(|| token.text.to_owned())
    };
    let verbs = (verb(left), verb(right));
    let program = |lexed: &Lexed| head(lexed).into_iter().next();
    program(left) == program(right)
        && (verbs.0.is_none() || verbs.1.is_none() || verbs.0 == verbs.1)
}

/// The words of a text, without its data and holes.
pub(super) fn words(lexed: &Lexed) -> BTreeSet<String> {
    let solid = lexed.solid().into_iter().map(|at| lexed.tokens[at]);
    let named = solid.filter(|token| token.kind == Kind::Word && hole_at(token.text).is_none());
    named.map(|token| token.text.to_owned()).collect()
}

/// The program and the verb of an action.
pub(super) fn head(lexed: &Lexed) -> Vec<String> {
    let solid = lexed.solid().into_iter().take(2);
    solid.map(|at| lexed.tokens[at].text.to_owned()).collect()
}
