//! Reading: what somebody recognises in a text that shows commands.
//!
//! A remembered rule says `WRONG: … → CORRECT: …`; documentation shows examples. Reading means to find in
//! such a line one of the spellings one had in mind anyway. That is all that an executor takes from a text:
//! a rule that shows nothing it could have thought of tells it nothing.

use crate::habits::{self, Choice};

/// A rule as its reader takes it: the words of what is wrong and of what is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) wrong: Vec<String>,
    pub(crate) correct: Vec<String>,
}

impl Rule {
    /// Takes a rule apart; nothing is understood of one that is not `WRONG: … → CORRECT: …`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (wrong, correct) = text.split_once("CORRECT:")?;
        let wrong = wrong.trim_start().strip_prefix("WRONG:")?;
        let wrong = wrong.trim_end().trim_end_matches(['→', '>', '-', '=', ';']);
        Some(Self {
            wrong: words(wrong),
            correct: words(correct),
        })
    }

    /// The spellings of a choice that the rule calls right, then those that it calls wrong.
    pub(crate) fn says(&self, choice: &Choice) -> (Vec<usize>, Vec<usize>) {
        if self.correct.first().map(String::as_str) != Some(choice.tool.name()) {
            return (Vec::new(), Vec::new());
        }
        let about = habits::choice(choice.beside).is_none_or(|beside| {
            !recognised(beside, &self.correct).is_empty()
                || !recognised(beside, &self.wrong).is_empty()
        });
        if !about {
            return (Vec::new(), Vec::new());
        }
        let right = recognised(choice, &self.correct);
        let mut wrong = recognised(choice, &self.wrong);
        wrong.retain(|spelling| !right.contains(spelling));
        (right, wrong)
    }
}

/// The spellings of a choice that the examples of a documentation show.
pub(crate) fn in_docs(docs: &str, choice: &Choice) -> Vec<usize> {
    let mut found = Vec::new();
    for line in docs.lines() {
        // An example begins with the name of the program, wherever it stands in its line.
        let Some(at) = line.find(&format!("{} ", choice.tool.name())) else {
            continue;
        };
        let words = words(&line[at..]);
        let about = habits::choice(choice.beside)
            .is_none_or(|beside| !recognised(beside, &words).is_empty());
        if about {
            found.extend(recognised(choice, &words));
        }
    }
    found.dedup();
    found
}

/// The spellings of a choice that stand in a command.
fn recognised(choice: &Choice, words: &[String]) -> Vec<usize> {
    let stands = |spelling: &str| {
        let parts: Vec<_> = spelling.split(' ').collect();
        // A value that is written as it is looks like any other word.
        if parts == ["{}"] {
            return false;
        }
        words
            .get(1..)
            .unwrap_or_default()
            .windows(parts.len())
            .any(|window| {
                window
                    .iter()
                    .zip(&parts)
                    .all(|(word, part)| is_spelled(word, part))
            })
    };
    let spellings = choice.spellings.iter().enumerate();
    spellings
        .filter(|(_, (spelling, _))| stands(spelling))
        .map(|(index, _)| index)
        .collect()
}

/// A word has the form of a part of a spelling, whatever value stands in it.
fn is_spelled(word: &str, part: &str) -> bool {
    match part.split_once("{}") {
        None => word == part,
        Some((before, after)) => word
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after))
            // `./x` is not `.` before a column, and `::` is not a colon before a table.
            .is_some_and(|value| value.starts_with(|c: char| c.is_alphanumeric() || c == '<')),
    }
}

/// The words of a command line, quotes of a shell taken away.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::Tool;

    fn choice(name: &str) -> &'static Choice {
        habits::choice(name).expect("a choice")
    }

    fn spelled(choice: &Choice, found: &[usize]) -> Vec<&'static str> {
        found
            .iter()
            .map(|index| choice.spellings[*index].0)
            .collect()
    }

    #[test]
    fn a_rule_tells_the_spellings_it_calls_right_and_wrong() {
        let rule = "WRONG: gridtool filter <path> amount \">\" <num> -o big.csv → \
                    CORRECT: gridtool KEEP :<path> @amount is-above <num> INTO :big.csv";
        let rule = Rule::read(rule).expect("a rule");
        for (name, right, wrong) in [
            ("filter", "KEEP", "filter"),
            ("above", "is-above", ">"),
            ("into", "INTO", "-o"),
        ] {
            let (said, denied) = rule.says(choice(name));
            assert_eq!(spelled(choice(name), &said), [right]);
            assert!(spelled(choice(name), &denied).contains(&wrong), "{name}");
        }
        assert_eq!(
            spelled(choice("table"), &rule.says(choice("table")).0),
            [":{}"]
        );
        assert_eq!(
            spelled(choice("column"), &rule.says(choice("column")).0),
            ["@{}"]
        );
        assert!(
            rule.says(choice("falling")).0.is_empty(),
            "it is not about sorting"
        );
        assert!(
            rule.says(choice("smooth")).0.is_empty(),
            "it is about another tool"
        );
    }

    #[test]
    fn what_is_no_rule_tells_nothing() {
        for text in [
            "",
            "check the file name",
            "CORRECT: x",
            "AVOID: gridtool filter: no verb",
        ] {
            assert_eq!(Rule::read(text), None, "{text}");
        }
    }

    #[test]
    fn the_documentation_shows_one_spelling_for_each_choice() {
        for tool in Tool::ALL {
            for task in [
                crate::tasks::Task::usual(tool),
                crate::tasks::Task::other(tool),
            ] {
                for (name, _) in task.intents.iter().copied().flatten() {
                    let Some(choice) = habits::choice(name) else {
                        continue;
                    };
                    let mut found = in_docs(tool.docs(), choice);
                    found.sort_unstable();
                    found.dedup();
                    assert_eq!(found.len(), 1, "{name}: {:?}", spelled(choice, &found));
                }
            }
        }
    }
}
