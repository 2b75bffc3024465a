//! Grounds: whether what a lesson did about what its error blamed is a reason to do it elsewhere.
//!
//! An action that worked is not always a fix. If the error blamed a name and the action that worked still has that name in its place,
//! with nothing but other operands or marks around it, then whatever made it work, it was not that. And what an error says
//! about a name of one owner says nothing about the same name of another.

use super::{
    Case,
    change::{Change, Use},
    named::Named,
    words::{Words, is_mark},
};

/// Whether all cases of a lesson leave what their errors blame as it is.
///
/// ```
/// use twiceshy_learning::analogy::{Case, leaves_culprit};
/// let error = "Table 'school.pupils' doesn't exist";
/// assert!(leaves_culprit(&Case::new("get name from pupils", error, "get name from pupils where age > 5")));
/// assert!(!leaves_culprit(&Case::new("get name from pupils", error, "get name from pupil")));
/// let error = "rm: cannot remove 'build': Is a directory";
/// assert!(!leaves_culprit(&Case::new("rm build", error, "rm -r build")));
/// ```
pub fn leaves_culprit(case: &Case) -> bool {
    let [wrong, correct] = [&case.wrong, &case.correct].map(|text| Words::new(text, false));
    if wrong.is_empty() || correct.is_empty() || case.evidence.is_empty() {
        return false;
    }
    let then = Named::new(&case.evidence);
    is_left(
        &wrong,
        &correct,
        &Change::new(&wrong, &correct, &then),
        &then,
    )
}

/// Whether a change leaves what its error blames as it is and puts only operands or marks around it. An option, another
/// command, a setting (`A=b`), another form of what is blamed, or what the error itself names are more than that.
fn is_left(wrong: &Words, correct: &Words, change: &Change, then: &Named) -> bool {
    let blamed = accused(wrong, then);
    // What stands behind another word is in another role: `IN 6, 7` and `IN (6, 7)`.
    let has_role = |place: usize, word: usize| match (place, word) {
        (0, 0) => true,
        (0, _) | (_, 0) => false,
        _ => correct.text(place - 1) == wrong.text(word - 1),
    };
    let is_as_it_was = |word: &usize| {
        let mut uses = change.uses.iter();
        let place = uses.clone().position(|used| *used == Use::Kept(*word));
        place.is_some_and(|place| has_role(place, *word))
            && !uses.any(|used| used.source() == Some(*word) && *used != Use::Kept(*word))
    };
    if blamed.is_empty() || !blamed.iter().all(is_as_it_was) {
        return false;
    }
    let separates = |place: usize| {
        place + 1 < correct.len() && matches!(correct.text(place), "&&" | "||" | ";" | "|")
    };
    let is_setting = |place: usize| {
        place + 1 < correct.len() && correct.text(place + 1) == "=" && !correct.has_gap(place + 1)
    };
    let mut new = (0..correct.len()).filter(|place| change.uses[*place] == Use::New);
    let brings_more = new.any(|place| {
        let is_option = !correct.is_mark(place) && !correct.is_operand(place);
        let is_run = place == 0 && !correct.is_mark(place);
        is_option
            || is_run
            || separates(place)
            || is_setting(place)
            || then.has(correct.text(place))
    });
    let is_asked = |word: usize| {
        word == wrong.program()
            || wrong.verb() == Some(word)
            || !wrong.is_mark(word) && !wrong.is_operand(word)
    };
    // Another order puts things into other roles.
    let is_moved =
        |used: &Use| matches!(used, Use::Copied(word) if !change.uses.contains(&Use::Kept(*word)));
    if change.uses.iter().any(is_moved) {
        return false;
    }
    let takes_more = (0..wrong.len()).any(|word| change.taken[word] && is_asked(word));
    !brings_more && !takes_more
}

/// The operands that an error blames: those that it quotes, or if it quotes none, those that it names.
fn accused(words: &Words, named: &Named) -> Vec<usize> {
    let operands = || (0..words.len()).filter(|at| words.is_operand(*at) && *at != words.program());
    let quoted: Vec<_> = operands()
        .filter(|at| named.quotes(words.text(*at)))
        .collect();
    if !quoted.is_empty() {
        return quoted;
    }
    operands()
        .filter(|at| words.verb() != Some(*at) && named.blames(words.text(*at)))
        .collect()
}

/// Whether a change put another name in place of one that its error blames, and is not at home where it would be made now. What is
/// called (`f(…)`), what a program is asked for, and what is only spelled otherwise are right anywhere; another name is right in
/// the surroundings that it was learned in, which `is_close` tells.
pub(super) fn is_out_of_place(
    wrong: &Words,
    correct: &Words,
    change: &Change,
    (then, now): (&Named, &Named),
    is_close: impl Fn(&str) -> bool,
) -> bool {
    let is_name = |word: &usize| {
        let is_called = *word + 1 < wrong.len() && wrong.text(*word + 1) == "(";
        change.taken[*word]
            && !change.replaced[*word]
            && !is_called
            && wrong.is_operand(*word)
            && *word != wrong.program()
            && wrong.verb() != Some(*word)
            && then.quotes(wrong.text(*word))
    };
    let brought: Vec<_> = change.brings_operands(correct);
    let is_new = |text: &&str| !then.has(text) && !now.has(text);
    (0..wrong.len()).filter(is_name).any(|word| {
        let name = wrong.text(word);
        let is_respelled = |text: &&str| is_spelled_like(name, text);
        is_same_owner(name, then, now).is_none()
            && brought.iter().any(is_new)
            && !brought.iter().any(is_respelled)
            && !is_close(name)
    })
}

/// Whether a change only puts marks around what its error blames, and another word stands before what is blamed now: `IN 6, 7`
/// wants parentheses, `TOP 10` does not.
pub(super) fn is_in_other_role(
    (wrong, correct, action): (&Words, &Words, &Words),
    change: &Change,
    partner: impl Fn(usize) -> Option<usize>,
    (then, now): (&Named, &Named),
) -> bool {
    let mut brought = change.brings(correct).peekable();
    let takes = (0..wrong.len()).any(|word| change.taken[word] && !wrong.is_mark(word));
    if takes || brought.peek().is_none() || !brought.all(is_mark) {
        return false;
    }
    let before = |words: &Words, at: usize| at.checked_sub(1).map(|at| words.text(at).to_owned());
    (0..wrong.len()).any(|word| {
        let is_blamed = |at: usize| then.quotes(wrong.text(word)) && now.quotes(action.text(at));
        partner(word).is_some_and(|at| {
            is_blamed(at)
                && wrong.text(word) != action.text(at)
                && before(wrong, word) != before(action, at)
        })
    })
}

/// How similarly a word must be spelled to be another spelled right.
const SPELLING: f64 = 0.7;

/// Whether two words are one but for its spelling.
pub(super) fn is_spelled_like(left: &str, right: &str) -> bool {
    strsim::normalized_damerau_levenshtein(left, right) >= SPELLING
}

/// Whether two errors say whose a name is, and say the same or not. None if one of them does not say it.
pub(super) fn is_same_owner(name: &str, then: &Named, now: &Named) -> Option<bool> {
    Some(then.owner(name)? == now.owner(name)?)
}
