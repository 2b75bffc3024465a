//! Whether an action has a form: its words as they are, its holes filled with data of their type.
//!
//! Owns the search for a form in a text. A hole that comes twice must be filled twice with the same.

use std::ops::Range;

use super::{Kind, Lexed, hole_at};

/// How many places are tried in one search: a form that needs more is no form anybody follows.
const TRIES: usize = 20_000;

/// How many matches of one form in one text are distinguished.
const MATCHES: usize = 16;

/// A form, ready to be looked for.
#[derive(Debug)]
pub(crate) struct Pattern<'a> {
    parts: Vec<Part<'a>>,
}

#[derive(Debug)]
enum Part<'a> {
    Text(&'a str),
    Space,
    Hole { base: &'static str, name: &'a str },
}

/// One search: the text, what the holes were filled with, and the tries that are left.
struct Search<'a, 'p> {
    text: &'a str,
    filled: Vec<(&'p str, &'a str)>,
    tries: usize,
}

impl<'a> Pattern<'a> {
    pub(crate) fn new(form: &'a str) -> Self {
        let part = |token: &super::Token<'a>| match token.kind {
            Kind::Space => Part::Space,
            Kind::Hole => match hole_at(token.text) {
                Some((_, base)) => Part::Hole {
                    base,
                    name: token.text,
                },
                None => Part::Text(token.text),
            },
            _ => Part::Text(token.text),
        };
        Self {
            parts: Lexed::new(form.trim()).tokens.iter().map(part).collect(),
        }
    }

    /// Whether `text` as a whole has the form.
    pub(crate) fn is_whole(&self, text: &str) -> bool {
        let text = text.trim();
        let mut search = Search::new(text);
        !self.parts.is_empty() && search.from(&self.parts, 0, true) == Some(text.len())
    }

    /// Where `text` has the form, as ranges of bytes, none within a word.
    pub(crate) fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        if self.parts.is_empty() {
            return places;
        }
        let mut search = Search::new(text);
        let mut inside_word = false;
        let mut free_from = 0;
        for (start, c) in text.char_indices() {
            let begins = start >= free_from && !(inside_word && is_word(c)) && !c.is_whitespace();
            inside_word = is_word(c);
            if !begins {
                continue;
            }
            search.filled.clear();
            if let Some(end) = search.from(&self.parts, start, false) {
                places.push(start..end);
                free_from = end;
            }
            if search.tries == 0 || places.len() == MATCHES {
                break;
            }
        }
        places
    }
}

impl<'a, 'p> Search<'a, 'p> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            filled: Vec::new(),
            tries: TRIES,
        }
    }

    /// Where the parts end that begin at `at`.
    fn from(&mut self, parts: &[Part<'p>], at: usize, to_end: bool) -> Option<usize> {
        self.tries = self.tries.checked_sub(1)?;
        let rest = &self.text[at..];
        let Some((part, others)) = parts.split_first() else {
            let ends = match to_end {
                true => rest.is_empty(),
                false => {
                    let last = self.text[..at].chars().next_back();
                    !(last.is_some_and(is_word) && rest.starts_with(is_word))
                }
            };
            return ends.then_some(at);
        };
        match part {
            Part::Text(text) => rest
                .starts_with(text)
                .then(|| self.from(others, at + text.len(), to_end))?,
            Part::Space => {
                let space = rest.len() - rest.trim_start().len();
                (space > 0).then(|| self.from(others, at + space, to_end))?
            }
            Part::Hole { base, name } => {
                let filled = self.filled.iter().find(|(known, _)| known == name);
                if let Some((_, value)) = filled {
                    let value = *value;
                    return rest
                        .starts_with(value)
                        .then(|| self.from(others, at + value.len(), to_end))?;
                }
                let within = rest_of_quotation(&self.text[..at], rest);
                for end in fillings(base, &rest[..within]) {
                    self.filled.push((name, &rest[..end]));
                    if let Some(end) = self.from(others, at + end, to_end) {
                        return Some(end);
                    }
                    self.filled.pop();
                    if self.tries == 0 {
                        break;
                    }
                }
                None
            }
        }
    }
}

/// How far a hole may reach: what is filled in between quotation marks ends where they do.
fn rest_of_quotation(before: &str, rest: &str) -> usize {
    let mark = before.chars().next_back();
    let Some(closing) = mark.and_then(super::lex::closing) else {
        return rest.len();
    };
    let mut escaped = false;
    let end = rest.char_indices().find(|(_, c)| {
        let ends = *c == closing && !escaped;
        escaped = *c == '\\' && !escaped && closing != '\'';
        ends
    });
    end.map_or(rest.len(), |(at, _)| at)
}

/// The lengths that a hole may take at the beginning of `rest`, the likeliest first.
fn fillings(base: &str, rest: &str) -> Vec<usize> {
    let allowed = |c: char| match base {
        "num" => c.is_numeric() || c == '.',
        "path" | "url" => !c.is_whitespace() && !"\"'`<>|;,()[]{}".contains(c),
        "str" => !"\n\r".contains(c),
        "name" => is_word(c) || "-.".contains(c),
        _ => is_word(c) || "-.:".contains(c),
    };
    let longest = rest.find(|c| !allowed(c)).unwrap_or(rest.len());
    let run = &rest[..longest];
    let proper = |run: &str| match base {
        "num" => run.starts_with(char::is_numeric) && run.ends_with(char::is_numeric),
        // The marks around a text are not the text: they may be what a rule is about.
        "str" => !run.starts_with(is_edge) && !run.ends_with(is_edge),
        "path" => run.chars().any(char::is_alphanumeric) || run == "..",
        _ => run.starts_with(|c| is_word(c) || base == "url") && !run.ends_with('.'),
    };
    let ends = run.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut ends = ends.filter(|end| proper(&run[..*end]));
    match base {
        "str" => ends.collect(),
        // Half a number is another number.
        "num" | "hash" | "date" | "time" => ends.next_back().into_iter().collect(),
        _ => {
            let mut ends: Vec<_> = ends.collect();
            ends.reverse();
            ends
        }
    }
}

fn is_edge(c: char) -> bool {
    c.is_whitespace() || "\"'`“”«»「」".contains(c)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(form: &str, text: &str) -> bool {
        Pattern::new(form).is_whole(text)
    }

    #[test]
    fn a_hole_takes_data_of_its_type_and_nothing_else() {
        assert!(whole("LOAD <<path>>", "LOAD <data/sales.csv>"));
        assert!(!whole("LOAD <path>", "LOAD <data/sales.csv>"));
        assert!(whole("head -<num> <path>", "head -20 b.txt"));
        assert!(!whole("head -<num> <path>", "head -x b.txt"));
        assert!(whole("LOAD \"<str>\"", "LOAD \"my file.csv\""));
        assert!(!whole("LOAD <str>", "LOAD \"my file.csv\""));
        assert!(whole("SORT @<name> down", "SORT @price  down"));
        assert!(!whole("SORT <name> down", "SORT @price down"));
    }

    #[test]
    fn a_hole_that_comes_twice_is_filled_with_the_same() {
        assert!(whole("cp <path> <path>", "cp a.txt a.txt"));
        assert!(!whole("cp <path> <path>", "cp a.txt b.txt"));
        assert!(whole("cp <path> <path2>", "cp a.txt b.txt"));
    }

    #[test]
    fn what_is_filled_in_between_quotation_marks_ends_where_they_do() {
        assert!(whole(r#"say "<str>""#, r#"say "good day""#));
        assert!(!whole(r#"say "<str>""#, r#"say "good" and "day""#));
        assert!(whole(r#"say "<str>""#, r#"say "a \"good\" day""#));
        assert!(whole(
            r#"say "<str>" and "<str2>""#,
            r#"say "good" and "day""#
        ));
        assert!(whole("say '<str>'", "say 'good \"old\" day'"));
        assert!(whole("say <str>", r#"say good "old" day"#));
    }

    #[test]
    fn a_form_is_found_within_an_action_but_not_within_a_word() {
        let places = |form: &str, text: &str| Pattern::new(form).places(text);
        assert_eq!(
            places("git push", "cd x && git push -f").first(),
            Some(&(8..16))
        );
        assert!(places("git push", "git pushd").is_empty());
        assert_eq!(places("<num> down", "7 down, 8 down"), [0..6, 8..14]);
    }

    #[test]
    fn a_form_of_many_holes_gives_up_in_time() {
        let form = "<str> ".repeat(40);
        assert!(!whole(&format!("{form}!"), &"a ".repeat(2_000)));
    }
}
