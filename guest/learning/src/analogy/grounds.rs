//! Grounds: whether what a lesson did about what its error blamed is a reason to do it elsewhere.
//!
//! An action that worked is not always a fix. If the error blamed a name and the action that worked still has that name in its place,
//! with nothing but other operands or marks around it, then whatever made it work, it was not that. And what an error says
//! about a name of one owner says nothing about the same name of another.

use super::{
    change::{Change, Use},
    named::Named,
    precedent::{Actions, Precedent},
    words::{Words, is_mark, is_spelled_like},
};

/// Whether all cases of a lesson leave what their errors blame as it is.
///
/// ```
/// use twiceshy_learning::analogy::{Case, Precedent, leaves_culprit};
/// let leaves = |wrong, error, correct| leaves_culprit(&Precedent::new(&Case::new(wrong, error, correct)));
/// let error = "Table 'school.pupils' doesn't exist";
/// assert!(leaves("get name from pupils", error, "get name from pupils where age > 5"));
/// assert!(!leaves("get name from pupils", error, "get name from pupil"));
/// assert!(!leaves("rm build", "rm: cannot remove 'build': Is a directory", "rm -r build"));
/// ```
pub fn leaves_culprit(precedent: &Precedent) -> bool {
    let Actions { wrong, correct, .. } = precedent.actions(false);
    if wrong.is_empty() || correct.is_empty() || precedent.case().evidence.is_empty() {
        return false;
    }
    is_left(wrong, correct, precedent.change(false), precedent.named())
}

/// Whether a change leaves what its error blames as it is and puts only operands or marks around it. An option, another
/// command, a setting (`A=b`), another form of what is blamed, or what the error itself names are more than that.
fn is_left(wrong: &Words, correct: &Words, change: &Change, then: &Named) -> bool {
    let blamed = accused(wrong, then);
    // What stands behind another word is in another role: `IN 6, 7` and `IN (6, 7)`.
    let has_role = |place: usize, word: usize| match (place, word) {
        _ if correct.is_called(place) != wrong.is_called(word) => false,
        _ if correct.is_within_quotes(place) != wrong.is_within_quotes(word) => false,
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
            && !wrong.opens_statement(*word)
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
    // An option has a role of its own, whatever stands before it.
    (0..wrong.len())
        .filter(|word| wrong.is_operand(*word))
        .any(|word| {
            let is_blamed =
                |at: usize| then.quotes(wrong.text(word)) && now.quotes(action.text(at));
            let is_elsewhere = |at| is_blamed(at) && before(wrong, word) != before(action, at);
            partner(word).is_some_and(is_elsewhere)
        })
}

/// Whether two errors quote different values, none of which is in their actions: `No module named 'x'`.
pub(super) fn has_other_cause(
    (wrong, then): (&Words, &Named),
    (action, now): (&Words, &Named),
) -> bool {
    let (old, new) = (then.quoted(), now.quoted());
    let is_absent = |words: &Words, value: &str| {
        let mut texts = (0..words.len()).map(|at| words.text(at));
        !texts.any(|text| text.contains(value) || value.contains(text) && !is_mark(text))
    };
    let differs = |own: &[&str], other: &[&str], words: &Words| {
        own.iter()
            .any(|value| !other.contains(value) && is_absent(words, value))
    };
    differs(&old, &new, wrong) && differs(&new, &old, action)
}

/// Whether two errors say whose a name is, and say the same or not. None if one of them does not say it.
pub(super) fn is_same_owner(name: &str, then: &Named, now: &Named) -> Option<bool> {
    Some(then.owner(name)? == now.owner(name)?)
}

#[cfg(test)]
mod tests {
    use crate::analogy::{
        Case, Failed, Precedent, apply, has_same_culprit, leaves_culprit, substitute,
    };

    fn told(case: [&str; 3], failed: [&str; 2]) -> Option<String> {
        let case = Case::new(case[0], case[1], case[2]);
        let failed = Failed::new(failed[0], failed[1]);
        let precedent = Precedent::new(&case);
        let said = apply(&precedent, &failed).or_else(|| substitute(&precedent, &failed));
        said.map(|analogy| analogy.command)
    }

    fn leaves(wrong: &str, evidence: &str, correct: &str) -> bool {
        leaves_culprit(&Precedent::new(&Case::new(wrong, evidence, correct)))
    }

    #[test]
    fn what_still_has_the_name_that_its_error_blames_is_no_fix() {
        let error = "Table 'world.nation' doesn't exist";
        let wrong = "SELECT gnp FROM nation WHERE form = 'x'";
        assert!(leaves(
            wrong,
            error,
            "SELECT gnp FROM nation WHERE form = 'x' ```"
        ));
        assert!(leaves(
            wrong,
            error,
            "SELECT gnp FROM nation WHERE form = 'x' AND code = 'y'"
        ));
        assert!(!leaves(
            wrong,
            error,
            "SELECT gnp FROM world.nation WHERE form = 'x'"
        ));
        assert!(!leaves(
            wrong,
            error,
            "SELECT gnp FROM country WHERE form = 'x'"
        ));
    }

    #[test]
    fn an_option_a_command_an_order_or_what_the_error_says_is_a_fix_that_keeps_the_name() {
        let directory = "rm: cannot remove 'build': Is a directory";
        assert!(!leaves("rm build", directory, "rm -r build"));
        let missing = "cp: cannot create regular file 'out/': Not a directory";
        assert!(!leaves("cp a out/", missing, "mkdir out/ && cp a out/"));
        let exists = "ln: failed to create symbolic link '/srv/app': File exists";
        assert!(!leaves(
            "ln -s /opt/app /srv/app",
            exists,
            "ln -s /srv/app /opt/app"
        ));
        let ambiguous = "fatal: ambiguous argument 'a'\nUse '--' to separate paths";
        assert!(!leaves("git log a", ambiguous, "git log a --"));
        let syntax = "near \"6\": syntax error";
        assert!(!leaves(
            "SELECT a WHERE b IN 6, 7",
            syntax,
            "SELECT a WHERE b IN (6, 7)"
        ));
    }

    #[test]
    fn a_name_of_another_owner_is_another_name() {
        let case = [
            "SELECT name FROM students ORDER BY age",
            "Table 'school.students' doesn't exist",
            "SELECT name FROM student ORDER BY age",
        ];
        let same = [
            "SELECT id FROM students",
            "Table 'school.students' doesn't exist",
        ];
        assert_eq!(told(case, same).as_deref(), Some("SELECT id FROM student"));
        let other = [
            "SELECT name FROM students ORDER BY age",
            "Table 'pets.students' doesn't exist",
        ];
        assert_eq!(told(case, other), None);
    }

    #[test]
    fn what_an_owner_calls_otherwise_holds_in_all_that_is_asked_of_it() {
        let error = "Table 'world.languages' doesn't exist";
        let case = [
            "SELECT name FROM languages WHERE share > 5",
            error,
            "SELECT name FROM countrylanguage WHERE share > 5",
        ];
        let failed = [
            "SELECT COUNT(*) FROM languages GROUP BY code LIMIT 3",
            error,
        ];
        let expected = "SELECT COUNT(*) FROM countrylanguage GROUP BY code LIMIT 3";
        assert_eq!(told(case, failed).as_deref(), Some(expected));
    }

    #[test]
    fn another_name_is_right_only_where_nearly_the_same_is_done() {
        let error = "Unknown column 'name' in 'where clause'";
        let case = [
            "sqlite3 air.db \"SELECT country FROM airlines WHERE name = 'x'\"",
            error,
            "sqlite3 air.db \"SELECT country FROM airlines WHERE carrier = 'x'\"",
        ];
        let near = "sqlite3 air.db \"SELECT country FROM airlines WHERE name = 'y'\"";
        assert!(told(case, [near, error]).is_some_and(|said| said.contains("carrier")));
        let far = "sqlite3 vote.db \"SELECT id FROM contestants WHERE name != 'y'\"";
        assert_eq!(told(case, [far, error]), None);
        let [wrong, evidence, correct] = case;
        let failed = Failed::new(far, error);
        assert!(!has_same_culprit(
            &Precedent::new(&Case::new(wrong, evidence, correct)),
            &failed
        ));
    }

    #[test]
    fn marks_around_what_is_blamed_are_right_only_behind_the_same_word() {
        let case = [
            "sqlite3 shop.db \"SELECT price FROM products WHERE kind IN 6, 7\"",
            "OperationalError: near \"6\": syntax error",
            "sqlite3 shop.db \"SELECT price FROM products WHERE kind IN (6, 7)\"",
        ];
        let again = [
            "sqlite3 shop.db \"SELECT title FROM products WHERE stock IN 3, 4\"",
            "OperationalError: near \"3\": syntax error",
        ];
        assert!(told(case, again).is_some_and(|said| said.contains("IN (3, 4)")));
        let other = [
            "sqlite3 shop.db \"SELECT TOP 8 name, joined FROM customers\"",
            "OperationalError: near \"8\": syntax error",
        ];
        assert_eq!(told(case, other), None);
    }

    #[test]
    fn what_the_error_names_is_renamed_within_a_path_too() {
        let case = [
            "node main.js",
            "Error: Cannot find module 'left-padding'",
            "npm install ./vendor/left-padding && node main.js",
        ];
        let failed = ["node calendar.js", "Error: Cannot find module 'tiny-dates'"];
        let expected = "npm install ./vendor/tiny-dates && node calendar.js";
        assert_eq!(told(case, failed).as_deref(), Some(expected));
        let gone = ["node gone.js", "Error: Cannot find module '/tmp/x/gone.js'"];
        assert_eq!(told(case, gone), None);
    }

    #[test]
    fn the_value_of_a_long_option_is_a_setting_and_no_number_of_the_day() {
        let case = [
            "rustc --emit metadata a.rs",
            "error[E0670]: `async fn` is not permitted in Rust 2015",
            "rustc --edition 2021 --emit metadata a.rs",
        ];
        let failed = ["rustc --emit metadata b.rs", case[1]];
        let expected = "rustc --edition 2021 --emit metadata b.rs";
        assert_eq!(told(case, failed).as_deref(), Some(expected));
    }

    #[test]
    fn the_value_of_an_option_and_an_operand_are_different_roles() {
        let case = [
            "tar xf a.tar -C out",
            "tar: out: Cannot open: No such file or directory",
            "mkdir out && tar xf a.tar -C out",
        ];
        let failed = [
            "tar xf missing.tar",
            "tar: missing.tar: Cannot open: No such file or directory",
        ];
        assert_eq!(told(case, failed), None);
    }
}
