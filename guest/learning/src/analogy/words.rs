//! The words of an action as they are compared: split at spaces, with quotation marks and what separates commands as
//! words of their own.

use crate::form::hole_at;

/// An action in words.
#[derive(Debug)]
pub(super) struct Words<'a> {
    words: Vec<Word<'a>>,
    /// What [`Words::program`] and [`Words::verb`] give: they are asked for every pair of words that may belong together.
    program: usize,
    verb: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    /// Whether a space stands before it.
    gap: bool,
}

/// Marks that are words of their own wherever they stand.
const SINGLE: &str = "\"'`;|&()=,";

impl<'a> Words<'a> {
    /// Cuts an action. With `whole` a quotation is one word, else its marks and its words are words of their own.
    pub(super) fn new(text: &'a str, whole: bool) -> Self {
        let mut words = Vec::new();
        let mut gap = false;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = if first.is_whitespace() {
                gap = true;
                rest = rest.trim_start();
                continue;
            } else if let Some((end, _)) = hole_at(rest) {
                end
            } else if let Some(end) = quotation(rest).filter(|_| whole) {
                end
            } else if rest.starts_with("&&") || rest.starts_with("||") {
                2
            } else if SINGLE.contains(first) {
                first.len_utf8()
            } else {
                let ends = |(at, c): &(usize, char)| {
                    c.is_whitespace()
                        || SINGLE.contains(*c)
                        || *at > 0 && hole_at(&rest[*at..]).is_some()
                };
                rest.char_indices()
                    .find(ends)
                    .map_or(rest.len(), |(at, _)| at)
            };
            words.push(Word {
                text: &rest[..end],
                gap,
            });
            gap = false;
            rest = &rest[end..];
        }
        let mut words = Self {
            words,
            program: 0,
            verb: None,
        };
        if !words.is_empty() {
            words.program = words.find_program();
            words.verb = words.find_verb();
        }
        words
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn text(&self, at: usize) -> &'a str {
        self.words[at].text
    }

    pub(super) fn texts(&self) -> Vec<&'a str> {
        self.words.iter().map(|word| word.text).collect()
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.words.iter().any(|word| word.text == text)
    }

    /// Whether a word is there, be it with what it belongs to or what belongs to it: `teachers` in `teachers.age`.
    pub(super) fn has_name(&self, text: &str) -> bool {
        self.words
            .iter()
            .any(|word| word.text == text || word.text.split('.').any(|part| part == text))
    }

    /// The action with one name in place of another, wherever it stands.
    pub(super) fn with(&self, name: &str, instead: &str) -> String {
        let mut written = String::new();
        for word in &self.words {
            if word.gap && !written.is_empty() {
                written.push(' ');
            }
            let parts = word.text.split('.');
            let renamed = parts.map(|part| if part == name { instead } else { part });
            match word.text == name {
                true => written.push_str(instead),
                false => written.push_str(&renamed.collect::<Vec<_>>().join(".")),
            }
        }
        written
    }

    pub(super) fn has_gap(&self, at: usize) -> bool {
        self.words[at].gap
    }

    /// Whether the word is a mark: nothing in it can be spoken.
    pub(super) fn is_mark(&self, at: usize) -> bool {
        is_mark(self.text(at))
    }

    /// Whether another word may stand in its place: it is neither a mark nor an option.
    pub(super) fn is_operand(&self, at: usize) -> bool {
        !self.is_mark(at) && !self.text(at).starts_with('-')
    }

    /// What is run: the first word behind settings such as `A=1`, or what `sudo` is to run.
    pub(super) fn program(&self) -> usize {
        self.program
    }

    fn find_program(&self) -> usize {
        let first = self.behind_settings();
        if self.text(first) != "sudo" {
            return first;
        }
        let mut at = first + 1;
        while at + 1 < self.len() && self.text(at).starts_with('-') {
            at += if matches!(self.text(at), "-u" | "-g") {
                2
            } else {
                1
            };
        }
        at.min(self.len() - 1)
    }

    /// The first word that is no part of a setting; the first of all if there is nothing else.
    fn behind_settings(&self) -> usize {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let mut first = 0;
        while first + 2 < self.len()
            && self.text(first).chars().all(is_name)
            && self.text(first + 1) == "="
            && !self.has_gap(first + 1)
        {
            match (first + 2..self.len()).find(|at| self.has_gap(*at)) {
                Some(next) => first = next,
                None => return 0,
            }
        }
        first
    }

    /// What the program is asked for: the word behind it. None if that is an option, or the program is one that is only
    /// given operands.
    pub(super) fn verb(&self) -> Option<usize> {
        self.verb
    }

    fn find_verb(&self) -> Option<usize> {
        let program = self.program;
        if twiceshy_shell::takes_only_operands(self.text(program)) {
            return None;
        }
        Some(program + 1).filter(|at| *at < self.len() && self.is_operand(*at))
    }

    /// Whether the word is the name in a setting that stands before what is run: `A=1 make`.
    pub(super) fn is_set(&self, at: usize) -> bool {
        at < self.program
            && self
                .words
                .get(at + 1)
                .is_some_and(|next| next.text == "=" && !next.gap)
    }

    /// Whether the word is the first of several between quotation marks: what a statement is about to do.
    pub(super) fn opens_statement(&self, at: usize) -> bool {
        let is_quote = |at: usize| matches!(self.text(at), "'" | "\"");
        at > 0 && is_quote(at - 1) && at + 1 < self.len() && !is_quote(at + 1)
    }

    /// Whether settings stand before what is run.
    pub(super) fn has_settings(&self) -> bool {
        self.is_set(0)
    }

    /// Whether a parenthesis follows the word at once: `print(`.
    pub(super) fn is_called(&self, at: usize) -> bool {
        self.words
            .get(at + 1)
            .is_some_and(|next| next.text == "(" && !next.gap)
    }

    /// Whether the word stands between quotation marks that are words of their own.
    pub(super) fn is_within_quotes(&self, at: usize) -> bool {
        let mut open = None;
        for word in &self.words[..at] {
            if matches!(word.text, "'" | "\"") {
                open = match open {
                    None => Some(word.text),
                    Some(mark) if mark == word.text => None,
                    other => other,
                };
            }
        }
        open.is_some()
    }

    /// Whether a command begins with the word.
    pub(super) fn opens(&self, at: usize) -> bool {
        // What stands behind a word and its parenthesis is an argument.
        let begins = |at: usize| at == 0 || self.words[at].gap;
        at == 0
            || matches!(self.text(at - 1), "&&" | "||" | ";" | "|" | "sudo")
            || self.text(at - 1) == "(" && begins(at - 1)
    }

    /// What a word counts when actions are compared.
    pub(super) fn weight(&self, at: usize) -> f64 {
        if self.is_mark(at) { 0.25 } else { 1.0 }
    }
}

/// The length of the quotation that a text begins with.
fn quotation(text: &str) -> Option<usize> {
    let mark = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    let (end, _) = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == mark && !escaped;
        escaped = *c == '\\' && !escaped && mark == '"';
        ends
    })?;
    Some(end + 1)
}

/// The quotations of a text.
pub(super) fn quotations(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let end = quotation(&text[at..]);
        found.extend(end.map(|end| &text[at..at + end]));
        at += end.unwrap_or(first.len_utf8());
    }
    found
}

/// Whether a quotation is made of several words that stand in a text without its marks: `'a b'` in `cat a b`.
pub(super) fn is_put_around(quotation: &str, text: &str) -> bool {
    let inner = &quotation[1..quotation.len() - 1];
    inner.trim().contains(char::is_whitespace) && text.contains(inner) && !text.contains(quotation)
}

/// Whether a word is a plain one, as commands and their verbs are: no path, no number, no quotation.
pub(super) fn is_plain(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

pub(super) fn is_mark(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
}

/// Whether two words are paths of one kind: in a directory or not, with an ending or without.
pub(super) fn is_of_kind(left: &str, right: &str) -> bool {
    let [left, right] = [left, right].map(|path| path.trim_start_matches("./"));
    let has_ending = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.trim_start_matches('.').contains('.')
    };
    left.contains('/') == right.contains('/') && has_ending(left) == has_ending(right)
}

/// Whether two actions are one, but for the width of their spaces.
pub(super) fn is_same(left: &str, right: &str) -> bool {
    left.split_whitespace().eq(right.split_whitespace())
}

/// How similarly a word must be spelled to be another spelled right.
const SPELLING: f64 = 0.7;

/// Whether two words are one but for its spelling.
pub(super) fn is_spelled_like(left: &str, right: &str) -> bool {
    strsim::normalized_damerau_levenshtein(left, right) >= SPELLING
}
