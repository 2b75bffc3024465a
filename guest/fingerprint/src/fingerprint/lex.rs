//! The tokens of one message: words, holes and punctuation, in order.
//!
//! It owns cutting a cleaned line into tokens: where a quotation, a path, an address begins and ends, and
//! which numbers are codes. It does not know the structure of messages; that is the masker's.

use twiceshy_text::script::{is_joined, is_unspaced};

use super::names;
use super::shape::{self, Shape};
use super::words;

/// What a token is to the masker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word of the language; it may still turn out to be a name by its place.
    Word,
    /// A code or the name of an error: meaning, whatever its place.
    Fixed,
    /// Something volatile.
    Hole,
    /// Punctuation.
    Punct,
}

/// One token of a message, lowercase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    pub text: String,
    /// Whether a space stands before it.
    pub spaced: bool,
}

/// What the text is, which decides how identifiers and quotations are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A message: names are volatile.
    Message,
    /// A state or an action: its keys and short words are the meaning.
    Payload,
}

/// The holes that a template may hold; in a text they stand for themselves, so that a template is its own template.
const HOLES: [&str; 14] = [
    "<path>", "<num>", "<hex>", "<uuid>", "<id>", "<time>", "<str>", "<url>", "<addr>", "<email>",
    "<ver>", "<opt>", "<empty>", "<more>",
];

/// Cuts `line` into tokens.
pub(crate) fn tokens(line: &str, mode: Mode) -> Vec<Token> {
    let mut lexer = Lexer {
        chars: line.chars().collect(),
        at: 0,
        spaced: false,
        mode,
        depth: 0,
        out: Vec::new(),
    };
    lexer.run();
    lexer.out
}

pub(super) struct Lexer {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    pub(super) spaced: bool,
    pub(super) mode: Mode,
    pub(super) depth: u8,
    pub(super) out: Vec<Token>,
}

impl Lexer {
    pub(super) fn run(&mut self) {
        while let Some(c) = self.peek(0) {
            if c.is_whitespace() {
                self.spaced = true;
                self.at += 1;
            } else if !(self.hole()
                || self.quotation(c)
                || self.url()
                || self.windows_path()
                || self.unix_path()
                || self.chunk())
            {
                // A quotation mark without its partner says nothing.
                if !"\"'`“”„‘’«»".contains(c) {
                    self.push(Kind::Punct, c.to_string());
                }
                self.at += 1;
            }
        }
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    pub(super) fn before(&self) -> Option<char> {
        self.at.checked_sub(1).map(|n| self.chars[n])
    }

    pub(super) fn text(&self, from: usize, to: usize) -> String {
        self.chars[from..to].iter().collect()
    }

    pub(super) fn push(&mut self, kind: Kind, text: String) {
        self.out.push(Token {
            kind,
            text,
            spaced: std::mem::take(&mut self.spaced),
        });
    }

    pub(super) fn push_hole(&mut self, hole: &str) {
        self.push(Kind::Hole, hole.to_string());
    }

    fn hole(&mut self) -> bool {
        if self.peek(0) != Some('<') {
            return false;
        }
        let Some(end) =
            (self.at..self.chars.len().min(self.at + 8)).find(|&n| self.chars[n] == '>')
        else {
            return false;
        };
        let text = self.text(self.at, end + 1);
        let known = HOLES.contains(&text.as_str());
        if known {
            self.at = end + 1;
            self.push(Kind::Hole, text);
        }
        known
    }

    fn url(&mut self) -> bool {
        let scheme = self.chars[self.at..]
            .iter()
            .take(16)
            .take_while(|c| c.is_ascii_alphanumeric() || "+-.".contains(**c))
            .count();
        if scheme < 2 || !self.chars[self.at + scheme..].starts_with(&[':', '/', '/']) {
            return false;
        }
        let mut end = self.at + scheme;
        while self
            .chars
            .get(end)
            .is_some_and(|c| !c.is_whitespace() && !"\"'`<>)]},;“”’»」，。、；".contains(*c))
        {
            end += 1;
        }
        while ".:!?".contains(self.chars[end - 1]) {
            end -= 1;
        }
        self.at = end;
        self.push_hole("<url>");
        true
    }

    fn is_path_char(c: char) -> bool {
        !c.is_whitespace() && !"\"'`<>|()[]{},;=“”‘’«»「」『』：，。、；！".contains(c)
    }

    fn path_from(&mut self, start: usize, separator: char) {
        let mut end = start;
        loop {
            while self.chars.get(end).is_some_and(|c| Self::is_path_char(*c)) {
                end += 1;
            }
            // A directory may have a space in its name: the path goes on if the next word has a separator inside.
            let next: Vec<char> = self.chars[end..]
                .iter()
                .skip(1)
                .copied()
                .take_while(|c| Self::is_path_char(*c))
                .collect();
            let ended = ":.".contains(self.chars[end - 1]);
            let inside = next.iter().position(|c| *c == separator).is_some_and(|n| {
                n > 0
                    && next.first().is_some_and(|c| c.is_alphanumeric())
                    && !next[..n].contains(&':')
            });
            if self.chars.get(end) != Some(&' ') || ended || !inside {
                break;
            }
            end += 1;
        }
        while end > start + 1 && ".:!?".contains(self.chars[end - 1]) {
            end -= 1;
        }
        self.at = end;
        self.push_hole("<path>");
        self.place();
    }

    /// Swallows `(12)` and `(12,5)` behind a path: where in the file.
    fn place(&mut self) {
        if self.peek(0) == Some('(') {
            let inside = self.chars[self.at + 1..]
                .iter()
                .take_while(|c| c.is_ascii_digit() || **c == ',')
                .count();
            if inside > 0 && self.peek(inside + 1) == Some(')') {
                self.at += inside + 2;
            }
        }
    }

    fn windows_path(&mut self) -> bool {
        let drive = self.peek(0).is_some_and(|c| c.is_ascii_alphabetic())
            && self.peek(1) == Some(':')
            && self.peek(2) == Some('\\');
        let share = self.peek(0) == Some('\\')
            && self.peek(1) == Some('\\')
            && self.peek(2).is_some_and(char::is_alphanumeric);
        if !(drive || share) || self.before().is_some_and(char::is_alphanumeric) {
            return false;
        }
        self.path_from(self.at + 2, '\\');
        true
    }

    fn unix_path(&mut self) -> bool {
        let begins = match (self.peek(0), self.peek(1)) {
            (Some('/'), Some(c)) => c.is_alphanumeric() || "_.".contains(c),
            (Some('~'), Some('/')) => true,
            _ => false,
        };
        if !begins
            || self
                .before()
                .is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c))
        {
            return false;
        }
        self.path_from(self.at, '/');
        true
    }

    fn chunk(&mut self) -> bool {
        let Some(first) = self.peek(0) else {
            return false;
        };
        let start = self.at;
        let unspaced = |c: char| is_unspaced(c) && c.is_alphanumeric();
        if unspaced(first) {
            let numeric = first.is_numeric();
            let end = (start..self.chars.len())
                .find(|&n| !unspaced(self.chars[n]) || self.chars[n].is_numeric() != numeric)
                .unwrap_or(self.chars.len());
            self.at = end;
            let text = self.text(start, end);
            if numeric {
                self.push_hole("<num>")
            } else {
                self.push(Kind::Word, text)
            }
            return true;
        }
        let mut end = start;
        while let Some(&c) = self.chars.get(end) {
            let letter = |n: usize| self.chars.get(n).is_some_and(|c| c.is_alphanumeric());
            let inside =
                (matches!(c, '\'' | '’') && end > start && letter(end - 1) && letter(end + 1))
                    || (c == ','
                        && end > start
                        && self.chars[end - 1].is_ascii_digit()
                        && self.chars.get(end + 1).is_some_and(char::is_ascii_digit));
            if unspaced(c)
                || !(c.is_alphanumeric() || is_joined(c) || "_-./\\:@#$%&+~*".contains(c) || inside)
            {
                break;
            }
            end += 1;
        }
        while end > start && ".:*&#+~-@$\\/".contains(self.chars[end - 1]) {
            end -= 1;
        }
        if first == ':' {
            // A symbol: `:name` with a space before it and none behind the colon.
            let symbol = self.spaced && self.peek(1).is_some_and(char::is_alphabetic);
            if symbol {
                self.at = end;
                self.push_hole("<id>");
            }
            return symbol;
        }
        if end == start || !self.chars[start..end].iter().any(|c| c.is_alphanumeric()) {
            return false;
        }
        self.at = end;
        let raw = self.text(start, end).replace('’', "'");
        self.classify(&raw);
        true
    }

    fn classify(&mut self, raw: &str) {
        // A login shell has a dash before its name.
        if let Some(shell) = raw.strip_prefix('-')
            && self.out.is_empty()
            && self.peek(0) == Some(':')
        {
            return self.push(Kind::Word, shell.to_lowercase());
        }
        let code_place = self.code_place();
        let plain_number = raw.len() <= 6
            && raw
                .trim_start_matches('-')
                .bytes()
                .all(|b| b.is_ascii_digit());
        if (plain_number && (code_place || self.is_http_status(raw)))
            || (code_place && raw.starts_with(|c: char| c.is_ascii_digit()) && raw.contains('/'))
        {
            return self.push(Kind::Fixed, raw.to_lowercase());
        }
        // A template has its codes in lowercase: where there is no doubt they are codes still.
        let lower_code = names::is_lower_code(raw)
            && (self.in_code_bracket()
                || raw.contains('-') && self.opens_clause()
                || code_place && matches!(self.peek(0), Some(':' | ']')));
        if lower_code
            || names::is_code(raw) && (code_place || self.opens_clause() || self.in_code_bracket())
        {
            return self.push(Kind::Fixed, raw.to_lowercase());
        }
        if raw
            .get(..5)
            .is_some_and(|p| p.eq_ignore_ascii_case("http/"))
        {
            return self.push(Kind::Word, "http".into());
        }
        let shape = shape::of(raw);
        match shape {
            Shape::Hole(hole) => {
                // Four numbers behind the word are a version, although they could be an address.
                let version =
                    hole == "<addr>" && self.out.last().is_some_and(|t| t.text == "version");
                let hole = if version { "<ver>" } else { hole };
                self.push_hole(hole);
                if hole == "<path>" {
                    self.place();
                }
            }
            _ if raw.contains(':') && !raw.contains("::") => self.split_at_colons(raw),
            _ if self.is_call(raw) => {
                if self.mode == Mode::Payload && !raw.bytes().any(|b| b.is_ascii_digit()) {
                    self.push(Kind::Word, raw.to_lowercase());
                } else {
                    self.push_hole("<id>");
                }
                if self.peek(0) == Some('(') && self.peek(1) == Some(')') {
                    self.at += 2;
                }
            }
            Shape::Name
                if self.mode == Mode::Payload && !raw.bytes().any(|b| b.is_ascii_digit()) =>
            {
                self.push(Kind::Word, raw.to_lowercase())
            }
            Shape::Name => self.push_hole("<id>"),
            Shape::Word => {
                let compound =
                    raw.contains(['_', '.']) || raw.bytes().skip(1).any(|b| b.is_ascii_uppercase());
                let fixed = compound
                    && words::class(raw.as_bytes()).is_none()
                    && (raw.bytes().all(|b| b.is_ascii_uppercase())
                        || names::speaks_of_failure(raw.rsplit(['.', ':']).next().unwrap_or(raw)));
                self.push(
                    if fixed { Kind::Fixed } else { Kind::Word },
                    raw.to_lowercase(),
                );
                self.plural();
            }
        }
    }

    /// Swallows the `(s)` of `file(s)`.
    fn plural(&mut self) {
        if self.chars[self.at..].starts_with(&['(', 's', ')']) {
            self.at += 3;
        }
    }

    fn split_at_colons(&mut self, raw: &str) {
        // Three and more parts with something volatile among them are one name: `org:name:jar:1.2`.
        let mut parts = raw.split(':');
        let opens = parts.next().map(shape::of);
        if parts.clone().count() >= 2
            && opens != Some(Shape::Hole("<path>"))
            && parts.all(|p| !p.is_empty())
            && raw.split(':').any(|p| shape::of(p) != Shape::Word)
        {
            return self.push_hole("<id>");
        }
        for (n, part) in raw.split(':').enumerate() {
            if n > 0 {
                self.push(Kind::Punct, ":".into());
            }
            if !part.is_empty() {
                self.classify(part);
            }
        }
    }

    /// `name(` without a space: a call, and the name of what is called is volatile.
    fn is_call(&self, raw: &str) -> bool {
        self.peek(0) == Some('(')
            && self.peek(1) != Some('s')
            && raw.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && words::class(raw.as_bytes()).is_none()
            && !names::speaks_of_failure(raw)
    }
}

#[cfg(test)]
mod tests {
    use super::{Mode, tokens};

    fn text(line: &str) -> String {
        let texts: Vec<String> = tokens(line, Mode::Message)
            .into_iter()
            .map(|t| t.text)
            .collect();
        texts.join(" ")
    }

    #[test]
    fn a_path_may_have_spaces_and_ends_before_the_next_word() {
        assert_eq!(
            text(r"in C:\build agents\job 12\main.py: gone"),
            "in <path> : gone"
        );
        assert_eq!(text("in /srv/job 4/main.c or not"), "in <path> or not");
    }

    #[test]
    fn a_call_loses_its_name_and_a_plural_its_brackets() {
        assert_eq!(text("fetch() got 2 file(s)"), "<id> got <num> file");
    }

    #[test]
    fn scripts_without_spaces_are_cut_at_numbers_and_latin_names() {
        assert_eq!(text("第93行错误abc"), "第 <num> 行错误 abc");
    }
}
