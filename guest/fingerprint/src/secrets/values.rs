//! Values: where the value after a key ends, and whether it is one to hide.
//!
//! This module owns the extent of a quoted or bare value and the judgement of it against what its
//! key announced. It does not look for keys. The extent errs towards hiding too much of a line
//! rather than leaving the tail of a password; the judgement errs towards keeping error language.

use super::bytes::*;
use super::lexicon::{ERRORS, LITERALS, PROSE, ROOTS, SENTENCE, listed};
use super::names::{Level, Sensitive};
use super::{Kind, placeholder_len};

/// A value's place and how it was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quoted: bool,
    /// The closing quote and its depth in backslashes.
    pub(super) quote: Option<(u8, usize)>,
}

/// How much of a value is looked at before it is judged; what is hidden is then hidden to its end.
/// A text full of keys whose values stay would otherwise be read again from each of them.
pub(super) const MAX_LOOK: usize = 1024;

impl Value {
    /// The value with the end it would have without the bound.
    pub(super) fn to_its_end(mut self, t: &[u8]) -> Value {
        if self.end - self.start >= MAX_LOOK {
            self.end = match self.quote {
                Some((quote, depth)) => closing(t, self.end, quote, depth),
                None => bare_end(t, self.end),
            };
        }
        self
    }
}

/// How a value follows its key; prose and source code write blanks, configuration seldom does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `key=value`.
    Tight,
    /// `key: value`, `key = value`.
    Spaced,
    /// `?key=value` or `&key=value` in a URL.
    Query,
    /// `--key value`.
    Flag,
}

/// The value that begins at `i`; `None` when nothing begins there.
pub(super) fn extent(t: &[u8], i: usize, key: usize) -> Option<Value> {
    let mut i = i;
    // Python's and C#'s string prefixes.
    if matches!(
        at(t, i),
        b'b' | b'B' | b'r' | b'R' | b'u' | b'f' | b'@' | b'$'
    ) && is_at(t, i + 1, QUOTE)
    {
        i += 1;
    }
    if let Some((open, quote, depth)) = opening(t, i) {
        let end = closing(&t[..t.len().min(open + MAX_LOOK)], open, quote, depth);
        return (end > open).then_some(Value {
            quote: Some((quote, depth)),
            start: open,
            end,
            quoted: true,
        });
    }
    let end = bare_end(&t[..t.len().min(i + MAX_LOOK)], i);
    let end = if end - i < MAX_LOOK {
        trim_brackets(t, i, end, key)
    } else {
        end
    };
    (end > i).then_some(Value {
        quote: None,
        start: i,
        end,
        quoted: false,
    })
}

/// An opening quote at `i`, perhaps behind backslashes: where its text begins, and its depth.
pub(super) fn opening(t: &[u8], i: usize) -> Option<(usize, u8, usize)> {
    let mut j = i;
    while at(t, j) == b'\\' && j - i < 8 {
        j += 1;
    }
    if !is_at(t, j, QUOTE) {
        return None;
    }
    let (quote, depth) = (t[j], j - i);
    if depth == 0 && at(t, j + 1) == quote && at(t, j + 2) == quote {
        j += 2;
    }
    Some((j + 1, quote, depth))
}

/// The closing quote for one opened behind `depth` backslashes, or the line's end.
pub(super) fn closing(t: &[u8], open: usize, quote: u8, depth: usize) -> usize {
    let (mut j, mut slashes) = (open, 0);
    while j < t.len() {
        match t[j] {
            b'\n' | b'\r' => return j,
            b'\\' => slashes += 1,
            b if b == quote => {
                let closes = if depth == 0 {
                    slashes % 2 == 0
                } else {
                    slashes <= depth
                };
                if closes {
                    return if depth == 0 { j } else { j - slashes };
                }
                slashes = 0;
            }
            _ => slashes = 0,
        }
        j += 1;
    }
    j
}

fn bare_end(t: &[u8], i: usize) -> usize {
    if let Some(len) = placeholder_len(&t[i.min(t.len())..])
        && !is_at(t, i + len, ALNUM)
    {
        return i + len;
    }
    // `<your password>` of a manual holds blanks.
    if at(t, i) == b'<'
        && let Some(n) = t[i..t.len().min(i + 64)].iter().position(|&b| b == b'>')
        && t[i + 1..i + n]
            .iter()
            .all(|b| is(*b, URLSAFE | DOT) || *b == b' ')
        && !is_at(t, i + n + 1, ALNUM)
    {
        return i + n + 1;
    }
    // ODBC puts braces around a value that holds a semicolon.
    if at(t, i) == b'{'
        && let Some(n) = t[i..t.len().min(i + 256)].iter().position(|&b| b == b'}')
        && at(t, i + n + 1) == b';'
    {
        return i + n + 1;
    }
    let mut j = i;
    while j < t.len() {
        let b = t[j];
        let ends = match b {
            0..=0x20 | 0x7f => true,
            b'"' | b'\'' | b'`' => !is_at(t, j + 1, ALNUM),
            b'\\' => escape_ends(t, j),
            b';' | b',' | b'&' | b'|' => delimits(t, j + 1, b == b';'),
            b'<' => at(t, j + 1) == b'/',
            b'%' => t[j..].starts_with(b"%26"),
            // CJK punctuation, full-width forms and curly quotes end a value in prose.
            0xe3 => at(t, j + 1) == 0x80,
            0xef => at(t, j + 1) == 0xbc,
            0xe2 => at(t, j + 1) == 0x80 && matches!(at(t, j + 2), 0x98..=0x9f),
            _ => false,
        };
        if ends {
            break;
        }
        j += 1;
    }
    j
}

/// Whether a delimiter before `i` ends the value: a blank, a quote or the next assignment follows.
/// Only connection strings have names with blanks, as in `;User Id=`.
fn delimits(t: &[u8], i: usize, blanks: bool) -> bool {
    let b = at(t, i);
    if b <= 0x20
        || is(b, QUOTE)
        || matches!(b, b'\\' | b'&' | b';' | b'|' | b')' | b'}' | b']' | b'{')
    {
        return true;
    }
    if t[i..].starts_with(b"amp;") {
        return true;
    }
    let limit = t.len().min(i + 48);
    let name = &t[i..limit];
    let len = name
        .iter()
        .position(|b| !(is(*b, URLSAFE | DOT) || (blanks && *b == b' ')))
        .unwrap_or(name.len());
    len > 0 && matches!(at(t, i + len), b'=' | b':')
}

/// Whether a backslash at `j` ends a bare value: an escaped quote or line break of an outer string.
fn escape_ends(t: &[u8], j: usize) -> bool {
    let mut k = j;
    while at(t, k) == b'\\' && k - j < 8 {
        k += 1;
    }
    match at(t, k) {
        b'"' | b'\'' | b'`' => !is_at(t, k + 1, ALNUM),
        b'n' | b'r' | b't' => delimits(t, k + 1, false) || at(t, k + 1) == b'\\',
        b => b <= 0x20,
    }
}

/// Leaves out closing brackets that were opened on the line before the key.
fn trim_brackets(t: &[u8], start: usize, end: usize, key: usize) -> usize {
    let (mut keep, mut j) = (end, end);
    while j > start
        && matches!(
            t[j - 1],
            b')' | b']' | b'}' | b'>' | b'.' | b',' | b':' | b';' | b'!'
        )
    {
        j -= 1;
        let open = match t[j] {
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            b'>' => b'<',
            _ => continue,
        };
        let before = &t[key.saturating_sub(256)..key];
        let line = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |p| p + 1);
        if before[line..].contains(&open) && !t[start..j].contains(&open) {
            keep = j;
        }
    }
    keep
}

/// Whether the value is one to hide, given what its key announced and how it is written.
pub(super) fn is_secret(v: &[u8], quoted: bool, style: Style, name: Sensitive) -> bool {
    if stands_for_nothing(v) || position(v, b"://").is_some() || v.starts_with(b"-----BEGIN") {
        return false;
    }
    let tight = matches!(style, Style::Tight | Style::Query);
    match name.level {
        Level::Sure => is_sure(v, quoted, style, name),
        Level::Likely if style == Style::Query => v.len() >= 4 && is_sure(v, quoted, style, name),
        Level::Likely if style == Style::Flag => is_sure(v, quoted, style, name),
        Level::Likely => is_likely(v, name),
        Level::Assigned if style == Style::Flag => is_password(v),
        Level::Assigned => (quoted || (tight && v.len() >= 6)) && is_sure(v, quoted, style, name),
        Level::Foreign => is_password(v) || (quoted && !v.contains(&b' ')),
        Level::Long => v.len() >= 24 && opaque(v, 24),
        Level::Made => is_made(v, name.bare && name.kind == Kind::ApiKey) || quoted && is_drawn(v),
        Level::Query => style == Style::Query && opaque(v, 16),
        Level::Code => (6..=8).contains(&v.len()) && v.iter().all(u8::is_ascii_digit),
        Level::Authorization | Level::Cookie => opaque(v, 8),
    }
}

/// Whether nothing but a machine makes such a value: letters and digits, many of them in a row. What is said of a key
/// without its owner may be a digest, which has no letter behind `f`, or a name that is public.
pub(super) fn is_made(v: &[u8], beyond_hex: bool) -> bool {
    const SHORTEST: usize = 20;
    const RUN: usize = 16;
    let plain = |b: &u8| is(*b, URLSAFE | BASE64 | DOT);
    let public =
        v.starts_with(b"AAAAB3Nza") || v.starts_with(b"AAAAC3Nza") || v.starts_with(b"sha");
    if v.len() < SHORTEST || !v.iter().all(plain) || public || is_path(v) || is_code(v) {
        return false;
    }
    if !beyond_hex && is_uuid(v) {
        return true;
    }
    v.split(|b| !is(*b, ALNUM)).any(|run| {
        let m = mix(run);
        run.len() >= RUN
            && m.digit >= 3
            && m.upper + m.lower >= 3
            && (!beyond_hex || !run.iter().all(|b| is(*b, HEX)))
    })
}

/// Whether letters, digits and marks follow each other as lots are drawn, such as in the keys that WordPress makes; a regular
/// expression has its classes and escapes.
fn is_drawn(v: &[u8]) -> bool {
    const SHORTEST: usize = 24;
    let m = mix(v);
    let mut marks: Vec<u8> = v.iter().copied().filter(u8::is_ascii_punctuation).collect();
    marks.sort_unstable();
    marks.dedup();
    let classes = [&b"\\"[..], b"(?", b"0-9", b"a-z", b"A-Z", b"::", b"</"];
    v.len() >= SHORTEST
        && v.iter().all(|b| b.is_ascii_graphic())
        && m.upper >= 2
        && m.lower >= 2
        && m.digit >= 2
        && marks.len() >= 6
        && !classes.iter().any(|class| position(v, class).is_some())
}

fn is_uuid(v: &[u8]) -> bool {
    v.len() == 36
        && v.iter().enumerate().all(|(place, b)| match place {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => is(*b, HEX),
        })
}

fn is_likely(v: &[u8], name: Sensitive) -> bool {
    if name.kind == Kind::Token && is_basic_pair(v) {
        return true;
    }
    let min = if name.kind == Kind::Secret { 6 } else { 8 };
    opaque(v, min) && !is_path(v) && !is_code(v) && !is_dotted_name(v)
}

fn is_sure(v: &[u8], quoted: bool, style: Style, name: Sensitive) -> bool {
    // `pwd: /srv/app` is the answer of a shell.
    let place = name.bare && style == Style::Spaced && v[1..].contains(&b'/');
    if is_path(v) && (name.kind != Kind::Password || place) {
        return false;
    }
    let word = trim_punctuation(v);
    if v.iter().any(|&b| is(b, SPACE)) {
        return !is_sentence(v);
    }
    if listed(ERRORS, word) {
        return false;
    }
    if quoted {
        return true;
    }
    let loose = matches!(style, Style::Spaced | Style::Flag);
    // A program that complains: `pwd: -p: invalid option`.
    if style == Style::Spaced && v.len() > 1 && v.ends_with(b":") {
        return false;
    }
    // `random_password.db.result` of a configuration that refers to itself.
    let refers = style == Style::Spaced && v.iter().filter(|b| **b == b'.').count() > 1;
    if is_code(v)
        || (refers && is_dotted_name(v))
        || (loose && (listed(PROSE, word) || word.is_empty()))
    {
        return false;
    }
    // `--token TOKEN` of a manual, `api_key = key` of a program.
    let m = mix(v);
    if style == Style::Flag && m.lower + m.digit == 0 && v.iter().all(|b| is(*b, WORD)) {
        return false;
    }
    let plain = word.len() < 20 && word.iter().all(|b| is(*b, UPPER | LOWER | UNDER));
    // A syntax tree has as many fields named `…_token` as a client has tokens.
    let lexical = name.kind == Kind::Token && !opaque(word, 8);
    let number = name.kind != Kind::Password && word.len() < 12 && m.digit == word.len();
    let ffi = matches!(v, b"*mut" | b"*const")
        || v[0] == b'['
        || listed("u8 u16 u32 u64 i32 i64 usize", word);
    // The number of a field: `string password = 3;`.
    let field = word.len() < 4 && m.digit == word.len();
    if style == Style::Spaced && (number || ffi || field) {
        return false;
    }
    let variable = style == Style::Spaced && name.kind != Kind::Password && (plain || lexical);
    !variable && !is_type(v)
}

/// Literals, variables, and what manuals and redactors put in a secret's place.
pub(super) fn stands_for_nothing(v: &[u8]) -> bool {
    let Some((&first, rest)) = v.split_first() else {
        return true;
    };
    let last = v[v.len() - 1];
    if listed(LITERALS, v)
        || v.iter()
            .all(|b| matches!(b, b'*' | b'x' | b'X' | b'.' | b'-' | b'_' | b'?' | b'#'))
    {
        return true;
    }
    // `YOUR_API_KEY_HERE`, `your-token`.
    if starts_ci(v, 0, b"your") && v.iter().any(|b| matches!(b, b'_' | b'-')) {
        return true;
    }
    // Bullets and ellipses.
    if v.starts_with("•".as_bytes()) || v.starts_with("…".as_bytes()) {
        return true;
    }
    let name = |s: &[u8]| !s.is_empty() && !is(s[0], DIGIT) && s.iter().all(|b| is(*b, WORD));
    match first {
        b'$' => {
            matches!(rest.first(), Some(b'{' | b'('))
                || name(rest)
                || rest.strip_prefix(b"env:").is_some_and(name)
                || is_member(rest)
                || (rest.len() == 1 && is(rest[0], DIGIT))
        }
        b'%' => {
            (last == b'%' && rest.len() > 1 && name(&rest[..rest.len() - 1]))
                || matches!(rest, b"s" | b"d" | b"v" | b"q" | b"@" | b"r")
        }
        b'<' => {
            last == b'>'
                && v.len() <= 64
                && v[1..v.len() - 1]
                    .iter()
                    .all(|b| is(*b, URLSAFE | SPACE | COLON | DOT))
        }
        b'{' => {
            v.starts_with(b"{{")
                || matches!(rest.first(), Some(b'"' | b'\''))
                || (last == b'}' && name(&v[1..v.len() - 1]))
                || v == b"{}"
                || v == b"{"
        }
        b'[' | b'(' => v.len() < 3 || (matches!(last, b']' | b')') && mix(v).digit == 0),
        b'#' => rest.first() == Some(&b'{'),
        b':' | b'@' => name(rest) && !rest.iter().any(u8::is_ascii_digit),
        b'!' => rest.starts_with(b"vault") || rest.starts_with(b"Ref") || rest.starts_with(b"env"),
        _ => v.len() == 1 && !is(first, ALNUM),
    }
}

/// A member of a variable, behind its dollar sign: `$_POST['name']`, `$this->name`.
fn is_member(rest: &[u8]) -> bool {
    let end = run(rest, 0, WORD);
    end > 1 && !is(rest[0], DIGIT) && (at(rest, end) == b'[' || rest[end..].starts_with(b"->"))
}

/// A whole sentence: words with one that only a message would hold.
fn is_sentence(v: &[u8]) -> bool {
    let mut words = v
        .split(|b| is(*b, SPACE))
        .map(trim_punctuation)
        .filter(|w| !w.is_empty());
    words.any(|w| listed(SENTENCE, w))
}

fn trim_punctuation(v: &[u8]) -> &[u8] {
    let end = v
        .iter()
        .rposition(|b| !matches!(b, b'.' | b',' | b':' | b';' | b'!' | b'?' | b')' | b'\''));
    &v[..end.map_or(0, |p| p + 1)]
}

/// A file's path; an AWS secret may begin with a slash too, and has forty bytes of all kinds.
fn is_path(v: &[u8]) -> bool {
    let drive =
        v.len() > 2 && is(v[0], UPPER | LOWER) && v[1] == b':' && matches!(v[2], b'\\' | b'/');
    let rooted = v.starts_with(b"/")
        || v.starts_with(b"./")
        || v.starts_with(b"../")
        || v.starts_with(b"~/");
    (rooted || drive) && !(v.len() == 40 && opaque(v, 40))
}

/// A piece of a program: a path of names, a call, a generic type.
fn is_code(v: &[u8]) -> bool {
    let v = v
        .strip_prefix(b"&")
        .or_else(|| v.strip_prefix(b"*"))
        .unwrap_or(v);
    if position(v, b"::").is_some() {
        return true;
    }
    let root = run(v, 0, WORD);
    if root == 0 || is(v[0], DIGIT) {
        return false;
    }
    let path = run(v, 0, WORD | DOT);
    let dotted = v[..path].contains(&b'.');
    let bang = path + usize::from(at(v, path) == b'!');
    if at(v, bang) == b'(' || (at(v, bang) == b'[' && (dotted || bang > path)) {
        return true;
    }
    let path = &v[..path];
    let opens = matches!(at(v, root), b'<' | b'[') && !v[..root].iter().any(u8::is_ascii_digit);
    opens
        || (at(v, root) == b'.'
            && listed(ROOTS, &v[..root])
            && path.len() + 1 >= trim_punctuation(v).len())
}

/// `parser.token2`: names between dots, each with few digits.
fn is_dotted_name(v: &[u8]) -> bool {
    let named = |s: &[u8]| {
        let m = mix(s);
        s.first().is_some_and(|b| is(*b, LOWER | UNDER))
            && m.upper == 0
            && m.digit < 3
            && m.digit * 2 < s.len()
    };
    v.contains(&b'.') && v.iter().all(|b| is(*b, WORD | DOT)) && v.split(|b| *b == b'.').all(named)
}

/// A type's name after `password:` in a signature.
fn is_type(v: &[u8]) -> bool {
    let v = v.strip_prefix(b"&").unwrap_or(v);
    listed(
        "string str bytes secretstring secretstr securestring secret token buffer vec option",
        trim_punctuation(v),
    ) && v
        .first()
        .is_some_and(|b| is(*b, UPPER) || v.starts_with(b"st"))
}

/// Whether a value looks like a password to somebody who can't read the words around it.
pub(super) fn is_password(v: &[u8]) -> bool {
    let v = v
        .strip_suffix(b".")
        .or_else(|| v.strip_suffix(b","))
        .unwrap_or(v);
    let letters = v.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let digits = v.iter().filter(|b| b.is_ascii_digit()).count();
    let marks = v.iter().filter(|b| b"!@#$%^&*?+=~_".contains(b)).count();
    (4..=128).contains(&v.len())
        && v.iter().all(|b| (0x21..0x7f).contains(b))
        && (letters > 0 && digits + marks > 0 || digits >= 6 && digits == v.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> &str {
        let i = text.find('=').expect("an assignment") + 1;
        extent(text.as_bytes(), i, 0).map_or("", |v| &text[v.start..v.end])
    }

    #[test]
    fn a_bare_value_ends_where_the_next_field_begins() {
        assert_eq!(value("p=ab;c&d x"), "ab;c&d");
        assert_eq!(value("p=abc;User Id=x"), "abc");
        assert_eq!(value("p=abc&x=1"), "abc");
        assert_eq!(value("p=abc, q=1"), "abc");
        assert_eq!(value("p=abc\\nq=1"), "abc");
        assert_eq!(value("p=it's5 x"), "it's5");
        assert_eq!(value("p=abc\r\nq"), "abc");
        assert_eq!(value("p={a;b};q=1"), "{a;b}");
    }

    #[test]
    fn a_quoted_value_ends_at_its_own_quote() {
        assert_eq!(value("p=\"va lue\" x"), "va lue");
        assert_eq!(value("p=\"a\\\"b\" x"), "a\\\"b");
        assert_eq!(value("p=\\\"abc\\\", x"), "abc");
        assert_eq!(value("p='open\nnext"), "open");
        assert_eq!(value("p=b'bytes'"), "bytes");
    }

    #[test]
    fn what_stands_for_nothing_is_known() {
        for v in [
            "",
            "null",
            "$VAR",
            "${VAR}",
            "%VAR%",
            "<your password>",
            "***",
            "{{ x }}",
            "[REDACTED]",
            "%s",
            ":pw",
        ] {
            assert!(stands_for_nothing(v.as_bytes()), "{v}");
        }
        for v in ["$2b$10$abc", "hunter2", "a", "x1", "@dm1n"] {
            assert!(!stands_for_nothing(v.as_bytes()), "{v}");
        }
    }

    #[test]
    fn code_is_not_a_value() {
        for v in [
            "os.environ",
            "self.password",
            "get_token()",
            "Token![=]",
            "Option<String>",
            "TokenKind::Ident",
            "getenv(\"X\")",
        ] {
            assert!(is_code(v.as_bytes()), "{v}");
        }
        for v in ["hunter2", "abc.def", "p4ss<word>", "1(2)"] {
            assert!(!is_code(v.as_bytes()), "{v}");
        }
    }

    #[test]
    fn prose_is_no_password() {
        for text in ["falsch", "incorrect", "неверный", "错误", "required.", ""] {
            assert!(!is_password(text.as_bytes()), "{text}");
        }
        for text in ["hunter2", "p@ssword", "12345678"] {
            assert!(is_password(text.as_bytes()), "{text}");
        }
    }
}
