//! What to stay away from: the form of actions that failed again and again, and what they fail with.
//!
//! Owns what several actions have in common. If they are of one shape, that is it; if not, the words that all of
//! them have. A shape that has worked is not what is wrong.

use super::{RULE_CHARS, rule::shape};
use crate::form::{Kind, Lexed, common};

/// Different actions that are compared.
const ACTIONS: usize = 8;

/// A template in characters, as a warning quotes it.
const TEMPLATE_CHARS: usize = 300;

/// What stands for whatever lies between two words that all actions have.
const GAP: &str = "…";

/// What `actions` have in common, unless something of that form has worked.
pub(super) fn form<'a>(actions: &[&str], worked: impl Iterator<Item = &'a str>) -> Option<String> {
    let first = shape(actions.first()?);
    if actions.iter().all(|action| shape(action) == first) {
        if !says_something(&first) {
            return None;
        }
        let has_worked = worked.into_iter().any(|action| shape(action) == first);
        return (!has_worked).then_some(first);
    }
    let words = |action: &str| -> Vec<String> {
        let form = shape(action);
        let lexed = Lexed::new(&form);
        let solid = lexed.solid();
        solid
            .iter()
            .map(|at| lexed.tokens[*at].text.to_owned())
            .collect()
    };
    let mut shared = words(actions[0]);
    for action in actions.iter().skip(1).take(ACTIONS) {
        let other = words(action);
        shared = common(&shared, &other)
            .into_iter()
            .map(|(at, _)| shared[at].clone())
            .collect();
    }
    let telling = |word: &String| {
        let lexed = Lexed::new(word);
        lexed.tokens.iter().any(|token| token.kind == Kind::Word)
    };
    // The program alone tells nothing: everything that is done with it begins so.
    let program = words(actions[0]).into_iter().next();
    if shared.first() != program.as_ref()
        || shared.iter().skip(1).filter(|word| telling(word)).count() == 0
    {
        return None;
    }
    let has_all = |action: &str| common(&shared, &words(action)).len() == shared.len();
    let has_worked = worked.into_iter().any(has_all);
    (!has_worked).then(|| spread(&shared, &shape(actions[0])))
}

/// Whether a form says more than which program is run: everything that is done with it begins so.
fn says_something(form: &str) -> bool {
    let lexed = Lexed::new(form);
    let solid = lexed.solid();
    let mut words = solid.iter().skip(1).map(|at| lexed.tokens[*at].kind);
    solid.len() == 1 || words.any(|kind| kind == Kind::Word)
}

/// The words as they stand in `form`, with a mark where something else stands between them.
fn spread(words: &[String], form: &str) -> String {
    let lexed = Lexed::new(form);
    let solid = lexed.solid();
    let texts: Vec<_> = solid
        .iter()
        .map(|at| lexed.tokens[*at].text.to_owned())
        .collect();
    let mut spread = String::new();
    let mut from = 0;
    for (_, place) in common(words, &texts) {
        if place > from {
            spread.push_str(if from == 0 { "… " } else { " … " });
        } else if place > 0 && solid[place] > solid[place - 1] + 1 {
            spread.push(' ');
        }
        spread.push_str(&texts[place]);
        from = place + 1;
    }
    if from < texts.len() {
        spread.push(' ');
        spread.push_str(GAP);
    }
    spread
}

/// The warning, if it says what goes wrong and is short enough to be read.
pub(super) fn text(form: &str, template: &str) -> Option<String> {
    if is_bare_exit(template) {
        return None;
    }
    let template = template.split_whitespace().collect::<Vec<_>>().join(" ");
    let said: String = if template.chars().count() > TEMPLATE_CHARS {
        template
            .chars()
            .take(TEMPLATE_CHARS - 1)
            .chain(['…'])
            .collect()
    } else {
        template
    };
    let text = format!("AVOID: {form}: {said}");
    (text.chars().count() <= RULE_CHARS).then_some(text)
}

/// Whether a template says no more than that something ended badly: `make: exit <num> without a word`.
fn is_bare_exit(template: &str) -> bool {
    let said = template
        .rsplit_once(": ")
        .map_or(template, |(_, said)| said);
    let said = said.trim().strip_suffix("without a word").unwrap_or(said);
    let mut words = said.split_whitespace();
    let is_word = |word: &str| word.starts_with(char::is_alphabetic);
    words.next() == Some("exit") && !words.any(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_exit_code_is_no_warning() {
        assert_eq!(text("make", "make: exit <num> without a word"), None);
        assert_eq!(text("make", "exit 2"), None);
        assert!(text("make", "exit handler missing").is_some());
        assert!(text("make", "make: no rule for all").is_some());
    }

    #[test]
    fn actions_of_one_shape_are_that_shape() {
        let actions = ["tool frob 1 a.csv", "tool frob 7 b.csv"];
        let found = form(&actions, std::iter::empty());
        assert_eq!(found.as_deref(), Some("tool frob <num> <path>"));
        assert_eq!(form(&actions, ["tool frob 3 c.csv"].into_iter()), None);
    }

    #[test]
    fn other_actions_are_named_by_what_they_share() {
        let actions = ["tool --fast load a.csv", "tool --fast -q save b.csv now"];
        let found = form(&actions, std::iter::empty());
        assert_eq!(found.as_deref(), Some("tool --fast … <path>"));
        assert_eq!(form(&["tool a", "tool b"], std::iter::empty()), None);
        assert_eq!(form(&["ls -l", "git -l"], std::iter::empty()), None);
    }
}
