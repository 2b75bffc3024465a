//! Sameness: when two rule texts are one.
//!
//! Owns the form in which rule texts are compared. What is dress in a sentence is taken off; a command keeps all that
//! could matter when it is run, case and punctuation included.

use twiceshy_text::lexicon::{Reader, is_filler};

use super::{is_prose, label, parse, read};
use crate::form::{Kind, Lexed};

/// A rule text in the form by which two are compared: the same for two that differ in case, spacing, filler words
/// or the style of their arrow; different for two that differ in anything that matters in a command.
///
/// ```
/// use twiceshy_learning::advice::normalised;
/// assert_eq!(normalised("Don't use  the tabs."), normalised("do not use tabs"));
/// assert_ne!(normalised("WRONG: x → CORRECT: LOAD x"), normalised("WRONG: x → CORRECT: load x"));
/// ```
pub fn normalised(rule_text: &str) -> String {
    let rule = rule_text.trim();
    let advice = parse(rule);
    let labelled = label(read(rule), "wrong").is_some() || label(read(rule), "correct").is_some();
    if !labelled {
        return match rule
            .get(..6)
            .filter(|head| head.eq_ignore_ascii_case("avoid:"))
        {
            Some(_) => format!("avoid: {}", normalised_part(&rule[6..])),
            None => normalised_prose(rule),
        };
    }
    let part = |label: &str, part: Option<String>| {
        part.map(|part| format!("{label}: {}", normalised_part(&part)))
    };
    let parts = [part("wrong", advice.wrong), part("correct", advice.correct)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// A command keeps everything but the width of its spaces.
fn normalised_part(text: &str) -> String {
    if is_prose(text) {
        return normalised_prose(text);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Words that are written in capitals to be heard, not because they are names.
const LOUD: &str = " ALWAYS NEVER NOT MUST DO DON'T USE ONLY AND OR WRONG CORRECT AVOID NO BEFORE AFTER INSTEAD OF ";

/// A sentence without its case, its fillers and its stops; what is code in it stays as it is.
fn normalised_prose(text: &str) -> String {
    let mut words = Vec::new();
    let lexed = Lexed::new(text);
    let is_quoted = |index: usize| lexed.quoted.iter().any(|range| range.contains(&index));
    for (index, token) in lexed.tokens.iter().enumerate() {
        let word = token.text.replace('’', "'");
        let lower = word.to_lowercase();
        let next = lexed.tokens.get(index + 1);
        match token.kind {
            Kind::Space => {}
            _ if is_quoted(index) => words.push(word),
            Kind::Quote if word == "`" => {}
            // A stop or a comma that a space or the end follows is punctuation.
            _ if ".,;:!".contains(&word) && next.is_none_or(|next| next.kind == Kind::Space) => {}
            Kind::Word if is_filler(&lower, Reader::Rule) => {}
            Kind::Word if lower == "don't" => words.extend(["do".to_owned(), "not".to_owned()]),
            Kind::Word if lower == "doesn't" => words.extend(["does".to_owned(), "not".to_owned()]),
            Kind::Word => {
                let letters = word.chars().filter(|c| c.is_alphabetic()).count();
                let capitals =
                    letters >= 2 && !word.chars().any(char::is_lowercase) && word != lower;
                let name = capitals && !LOUD.contains(&format!(" {word} "));
                words.push(if name { word } else { lower });
            }
            _ => words.push(word),
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_rule_in_other_dress_is_the_same() {
        for (left, right) in [
            ("WRONG: a → CORRECT: b", "wrong: a -> correct: b"),
            ("WRONG: a → CORRECT: b", "WRONG:  a\nCORRECT: `b`"),
            ("Always quote the path.", "quote path"),
            ("Don't use tabs!", "do not use tabs"),
            ("AVOID: x  y: gone", "avoid: x y: gone"),
            ("Use  `LOAD x`, please", "use `LOAD x`"),
            (
                "WRONG: bare path → CORRECT: Quote the path.",
                "wrong: bare path => correct: quote path",
            ),
        ] {
            assert_eq!(normalised(left), normalised(right), "{left} / {right}");
        }
    }

    #[test]
    fn what_matters_in_a_command_keeps_two_rules_apart() {
        for (left, right) in [
            ("WRONG: a → CORRECT: LOAD x", "WRONG: a → CORRECT: load x"),
            (
                "WRONG: a → CORRECT: set rows=5",
                "WRONG: a → CORRECT: set --rows 5",
            ),
            (
                "WRONG: a → CORRECT: set -rows 5",
                "WRONG: a → CORRECT: set --rows 5",
            ),
            ("WRONG: a → CORRECT: x 'b'", "WRONG: a → CORRECT: x \"b\""),
            ("WRONG: a → CORRECT: x b", "WRONG: a → CORRECT: x | b"),
            (
                "WRONG: a → CORRECT: git add .",
                "WRONG: a → CORRECT: git add",
            ),
            ("Use `rows=5`.", "Use `--rows 5`."),
            ("Use --rows=5.", "Use rows 5."),
            ("Write LOAD.", "Write load."),
            ("WRONG: a", "CORRECT: a"),
            ("use tabs", "do not use tabs"),
        ] {
            assert_ne!(normalised(left), normalised(right), "{left} / {right}");
        }
    }
}
