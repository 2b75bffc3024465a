//! The tokens of an action: words, data, marks and spaces, in order and without loss.
//!
//! Owns where a token begins and ends and what it is by its shape: `rows=5` is three tokens, `--rows` one,
//! a quoted text is its quotes and what stands inside. The tokens of a text, put together, are the text.

use std::ops::Range;

use twiceshy_fingerprint::fingerprint;
use twiceshy_text::script::is_joined;

use super::hole_at;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A word, a flag, a keyword: what it says is its meaning.
    Word,
    /// Data, with the type of the hole that may stand for it.
    Data(&'static str),
    /// A typed hole, or the placeholder of a masked secret.
    Hole,
    /// A quotation mark that has its partner.
    Quote,
    /// Any other mark.
    Mark,
    /// Space.
    Space,
}

/// One token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// What is written.
    pub text: &'a str,
}

impl Token<'_> {
    /// Whether it carries meaning of its own: a word, data or a hole.
    pub fn speaks(&self) -> bool {
        !matches!(self.kind, Kind::Quote | Kind::Mark | Kind::Space)
    }

    /// Whether it is an option such as `-n` or `--rows`.
    pub fn is_flag(&self) -> bool {
        self.kind == Kind::Word && self.text.len() > 1 && self.text.starts_with('-')
    }
}

/// A text in tokens.
#[derive(Debug, Default)]
pub struct Lexed<'a> {
    /// The tokens; put together they are the text.
    pub tokens: Vec<Token<'a>>,
    /// What stands between quotation marks, as ranges of tokens, outer before inner. None is empty.
    pub quoted: Vec<Range<usize>>,
}

/// Quotation marks and their partners.
const QUOTES: [(char, char); 7] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
    ('「', '」'),
];

/// The partner of a quotation mark that opens.
pub(super) fn closing(mark: char) -> Option<char> {
    let pair = QUOTES.into_iter().find(|(opening, _)| *opening == mark)?;
    Some(pair.1)
}

impl<'a> Lexed<'a> {
    /// A text, cut.
    pub fn new(text: &'a str) -> Self {
        let mut lexed = Self::default();
        lexed.cut(text);
        lexed
    }

    /// The text of a range of tokens.
    pub fn text(&self, range: Range<usize>) -> String {
        self.tokens[range].iter().map(|token| token.text).collect()
    }

    /// The indices of the tokens that are not space.
    pub fn solid(&self) -> Vec<usize> {
        let solid = |index: &usize| self.tokens[*index].kind != Kind::Space;
        (0..self.tokens.len()).filter(solid).collect()
    }

    fn push(&mut self, kind: Kind, text: &'a str) {
        if !text.is_empty() {
            self.tokens.push(Token { kind, text });
        }
    }

    fn cut(&mut self, text: &'a str) {
        let mut at = 0;
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            at += if first.is_whitespace() {
                let end = rest
                    .find(|c: char| !c.is_whitespace())
                    .unwrap_or(rest.len());
                self.push(Kind::Space, &rest[..end]);
                end
            } else if let Some(end) = placeholder(rest) {
                self.push(Kind::Hole, &rest[..end]);
                end
            } else if let Some((opening, end)) = quotation(&text[..at], rest, first) {
                self.quotation(&rest[..end], opening);
                end
            } else if let Some((base, end)) = whole(rest, text[..at].chars().next_back()) {
                self.push(Kind::Data(base), &rest[..end]);
                end
            } else if let Some(end) = redirection(rest) {
                self.push(Kind::Mark, &rest[..end]);
                end
            } else {
                let end = chunk(rest);
                if end == 0 {
                    self.push(Kind::Mark, &rest[..first.len_utf8()]);
                    first.len_utf8()
                } else {
                    self.classify(&rest[..end], rest[end..].starts_with('('));
                    end
                }
            };
        }
    }

    /// Marks that have their partner, and between them whatever is quoted.
    fn quotation(&mut self, text: &'a str, mark: usize) {
        let closing = text.chars().next_back().map_or(0, char::len_utf8);
        self.push(Kind::Quote, &text[..mark]);
        let place = self.quoted.len();
        let start = self.tokens.len();
        self.cut(&text[mark..text.len() - closing]);
        if start < self.tokens.len() {
            self.quoted.insert(place, start..self.tokens.len());
        }
        self.push(Kind::Quote, &text[text.len() - closing..]);
    }

    /// A run of letters, digits, dots, dashes and slashes: one token, or a few.
    fn classify(&mut self, text: &'a str, called: bool) {
        if let Some(base) = data(text, called) {
            return self.push(Kind::Data(base), text);
        }
        // A range, a fraction, a negative number, a quantity: the numbers come apart.
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let digits = text.chars().filter(|c| c.is_ascii_digit()).count();
        let quantity = text.starts_with(|c: char| c.is_ascii_digit())
            && text
                .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
                .chars()
                .all(char::is_alphabetic);
        let version = text.strip_prefix('v').is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit())
                && rest.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        });
        if digits == 0 || (letters > 0 && !quantity && !version) {
            return self.push(Kind::Word, text);
        }
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = rest
                .find(|c| is_number(c) != is_number(first))
                .unwrap_or(rest.len());
            let kind = match first {
                c if c.is_ascii_digit() => Kind::Data("num"),
                c if c.is_alphabetic() => Kind::Word,
                _ => Kind::Mark,
            };
            self.push(kind, &rest[..end]);
            rest = &rest[end..];
        }
    }
}

/// A hole, or what stands for a masked secret.
fn placeholder(rest: &str) -> Option<usize> {
    if let Some((end, _)) = hole_at(rest) {
        return Some(end);
    }
    let inside = rest.strip_prefix("<secret")?;
    let end = inside.find('>').filter(|end| *end <= 16)?;
    let kind = &inside[..end];
    let named = |kind: &str| kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    (kind.is_empty() || kind.strip_prefix(':').is_some_and(named))
        .then_some("<secret".len() + end + 1)
}

/// A quoted text at the beginning of `rest`: the length of its opening mark, and of all.
fn quotation(before: &str, rest: &str, first: char) -> Option<(usize, usize)> {
    let closing = closing(first)?;
    if matches!(first, '\'' | '‘') {
        // The apostrophe of a word opens nothing; the letter before a literal (`b'x'`) is not a word.
        let word = before
            .chars()
            .rev()
            .take(2)
            .take_while(|c| c.is_alphanumeric());
        if word.count() == 2 {
            return None;
        }
    }
    let start = first.len_utf8();
    let mut escaped = false;
    for (at, c) in rest[start..].char_indices() {
        if c == closing && !escaped {
            return Some((start, start + at + c.len_utf8()));
        }
        escaped = c == '\\' && !escaped && first != '\'';
    }
    None
}

/// Data that have marks inside: addresses on the web, paths with a drive, times of day.
fn whole(rest: &str, before: Option<char>) -> Option<(&'static str, usize)> {
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let scheme = rest
        .bytes()
        .take(16)
        .take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b))
        .count();
    let ends = |c: char| c.is_whitespace() || "\"'`<>|;()[]{},".contains(c);
    if scheme >= 2 && rest[scheme..].starts_with("://") {
        return Some(("url", rest.find(ends).unwrap_or(rest.len())));
    }
    let bytes = rest.as_bytes();
    if bytes.len() > 3 && bytes[0].is_ascii_alphabetic() && bytes[1..].starts_with(b":\\") {
        return Some(("path", rest.find(ends).unwrap_or(rest.len())));
    }
    let time = rest
        .bytes()
        .take_while(|b| b.is_ascii_digit() || *b == b':')
        .count();
    let clock = &rest[..time];
    let parts = clock.split(':');
    (time >= 7
        && parts.clone().count() == 3
        && parts.clone().all(|part| (1..=2).contains(&part.len())))
    .then_some(("time", time))
}

/// `2>`, `2>&1`: where a stream goes is no number.
fn redirection(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let numbered = bytes.len() >= 2 && matches!(bytes[0], b'0'..=b'2' | b'&') && bytes[1] == b'>';
    if !(numbered || rest.starts_with(">&")) {
        return None;
    }
    let arrow = rest.find('>')? + 1;
    let rest = &rest.as_bytes()[arrow..];
    let stream = rest.first() == Some(&b'&')
        && rest.get(1).is_some_and(u8::is_ascii_digit)
        && !rest.get(2).is_some_and(u8::is_ascii_alphanumeric);
    Some(if stream { arrow + 2 } else { arrow })
}

/// The length of the run at the beginning of `rest` that makes one token, at least by its characters.
fn chunk(rest: &str) -> usize {
    let mut end = 0;
    let mut characters = rest.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let inside = match c {
            '_' | '-' | '.' => true,
            '/' => at > 0 || next.is_some_and(|n| n.is_alphanumeric() || "_.-".contains(n)),
            '~' => at == 0 && next == Some('/'),
            '\'' | '’' => {
                at > 0
                    && rest[..at].ends_with(char::is_alphabetic)
                    && next.is_some_and(char::is_alphabetic)
            }
            c => c.is_alphanumeric() || is_joined(c),
        };
        if !inside {
            break;
        }
        end = at + c.len_utf8();
    }
    // The stop of a sentence is not part of the word before it.
    let run = &rest[..end];
    if run.ends_with('.') && run.trim_end_matches('.').ends_with(char::is_alphanumeric) {
        return run.trim_end_matches('.').len();
    }
    // A dash before a number is a sign.
    if run.starts_with('-') && run[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    end
}

/// The type of a run that is data as a whole.
fn data(text: &str, called: bool) -> Option<&'static str> {
    let bytes = text.as_bytes();
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let all = |allowed: fn(&u8) -> bool| bytes.iter().all(allowed);
    if text.contains('/') && text.chars().any(char::is_alphabetic) {
        return Some("path");
    }
    if matches!(text, ".." | "./" | "../") || text.contains("../") {
        return Some("path");
    }
    if digits > 0 {
        if all(|b| b.is_ascii_digit() || *b == b'.') && bytes[0] != b'.' {
            return Some("num");
        }
        if is_date(bytes) {
            return Some("date");
        }
        let letters = bytes.iter().filter(|b| b.is_ascii_alphabetic()).count();
        if bytes.len() >= 7 && letters > 0 && all(u8::is_ascii_hexdigit) {
            return Some("hash");
        }
        if bytes.len() == 36 && all(|b| b.is_ascii_hexdigit() || *b == b'-') {
            return Some("id");
        }
        if let Some((name, number)) = text.rsplit_once(['-', '_'])
            && number.len() >= 2
            && number.bytes().all(|b| b.is_ascii_digit())
            && !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphabetic())
            && !is_known_with_number(name)
        {
            return Some("id");
        }
    } else if text.chars().all(char::is_numeric) {
        return Some("num");
    }
    // A method that is called is no file, although its name may end like one.
    let named = text
        .rsplit_once('.')
        .is_some_and(|(name, end)| !name.is_empty() && fingerprint::is_file_ending(end));
    (named && !called && !text.starts_with('-')).then_some("path")
}

/// Names of encodings and hashes, which have their number like an id.
fn is_known_with_number(name: &str) -> bool {
    [
        "utf", "sha", "iso", "base", "latin", "cp", "x", "int", "float", "uint",
    ]
    .iter()
    .any(|known| name.eq_ignore_ascii_case(known))
}

fn is_date(bytes: &[u8]) -> bool {
    bytes.len() >= 10
        && bytes[..10].iter().enumerate().all(|(at, b)| match at {
            4 | 7 => *b == b'-',
            _ => b.is_ascii_digit(),
        })
        && bytes[10..].iter().all(|b| b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> String {
        let shown = |token: &Token| match token.kind {
            Kind::Data(base) => format!("{base}:{}", token.text),
            Kind::Quote => "q".to_owned(),
            _ => token.text.to_owned(),
        };
        let lexed = Lexed::new(text);
        assert_eq!(lexed.text(0..lexed.tokens.len()), text);
        let solid = lexed.solid();
        let shown: Vec<_> = solid
            .into_iter()
            .map(|at| shown(&lexed.tokens[at]))
            .collect();
        shown.join(" ")
    }

    #[test]
    fn an_action_comes_apart_at_its_joints() {
        for (text, tokens) in [
            ("rows=5", "rows = num:5"),
            ("--rows 5", "--rows num:5"),
            ("\"a b\"", "q a b q"),
            ("a|b", "a | b"),
            ("f(x,1)", "f ( x , num:1 )"),
            ("cat src/main.rs", "cat path:src/main.rs"),
            ("LOAD <sales.csv>", "LOAD < path:sales.csv >"),
            (
                "FILTER @amount is-above 5",
                "FILTER @ amount is-above num:5",
            ),
            ("df.head(10)", "df.head ( num:10 )"),
            ("head -5 notes.txt", "head - num:5 path:notes.txt"),
            ("make all 2>&1", "make all 2>&1"),
            ("dd bs=10MB", "dd bs = num:10 MB"),
            (
                "see evt-1001 at 10:30:00",
                "see id:evt-1001 at time:10:30:00",
            ),
            ("echo it's <secret:token>", "echo it's <secret:token>"),
            ("curl https://a.org/x?y=1", "curl url:https://a.org/x?y=1"),
            ("git add .", "git add ."),
            ("sed -n 1,10p", "sed -n num:1 , num:10 p"),
            ("зайди в 3", "зайди в num:3"),
            (r"type C:\a\b.txt", r"type path:C:\a\b.txt"),
            (
                "utf-8 x86_64 python3 v1.2",
                "utf-8 x86_64 python3 v num:1.2",
            ),
            ("a ~> b{rate:3}", "a ~ > b { rate : num:3 }"),
            ("2024-01-15 9f86d08a", "date:2024-01-15 hash:9f86d08a"),
        ] {
            assert_eq!(cut(text), tokens, "{text}");
        }
    }

    #[test]
    fn what_is_quoted_is_known_outer_before_inner() {
        let lexed = Lexed::new(r#"run "say 'hi you' now""#);
        let quoted: Vec<_> = lexed
            .quoted
            .iter()
            .map(|range| lexed.text(range.clone()))
            .collect();
        assert_eq!(quoted, ["say 'hi you' now", "hi you"]);
    }
}
