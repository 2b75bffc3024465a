//! The scan: one walk over a text that offers each place to the rules that could apply there.
//!
//! This module owns the order of the walk and its economy: most bytes cost one table lookup, a word
//! costs a second one at its start, and only separators, dashes and a few others are looked at more
//! closely. It holds no rule of its own. Every rule looks a bounded distance around its place, or
//! covers what it has looked at, so the walk is linear.

use super::bytes::*;
use super::{
    Span, announced, blocks, calls, commands, fields, followed, hashes, headers, markup, phrases,
    placeholder_len, rows, shapes, tongues, urls,
};

/// What a byte may begin, as seen by the walk.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    Nothing,
    Word,
    Equals,
    Colon,
    Dash,
    Less,
    At,
    Backslash,
    Percent,
    Dollar,
    Star,
    Paren,
    Tilde,
    Wide,
    Sign,
    Slash,
}

static TURNS: [Turn; 256] = {
    let mut table = [Turn::Nothing; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = match i as u8 {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' => Turn::Word,
            b'=' => Turn::Equals,
            b':' => Turn::Colon,
            b'-' => Turn::Dash,
            b'<' => Turn::Less,
            b'@' => Turn::At,
            b'\\' => Turn::Backslash,
            b'%' => Turn::Percent,
            b'$' => Turn::Dollar,
            b'*' => Turn::Star,
            b'(' => Turn::Paren,
            b'~' => Turn::Tilde,
            b'/' => Turn::Slash,
            0xef => Turn::Wide,
            // è, dashes, the verbs of Chinese, and the particles of Japanese and Korean.
            0xc3 | 0xe2..=0xe4 | 0xe6 | 0xe7 | 0xeb | 0xec => Turn::Sign,
            _ => Turn::Nothing,
        };
        i += 1;
    }
    table
};

/// First bytes of words that rules other than the shapes know.
static STARTS: [bool; 256] = {
    let mut table = [false; 256];
    let firsts = b"bBtThHdDwWpPeMNO";
    let mut i = 0;
    while i < firsts.len() {
        table[firsts[i] as usize] = true;
        i += 1;
    }
    table
};

/// Words below this length are no machine's: most of a text is not looked at again.
const MADE: usize = 16;

struct Scan<'a> {
    text: &'a str,
    t: &'a [u8],
    /// Offsets at which a colour code stood, those behind the walk left out; a word ends there.
    cuts: &'a [usize],
    /// The end of what was last hidden: no rule looks behind it.
    floor: usize,
    spans: Vec<Span>,
}

/// The places to hide in `text`, in the order found.
pub(super) fn scan(text: &str, cuts: &[usize]) -> Vec<Span> {
    let mut scan = Scan {
        text,
        t: text.as_bytes(),
        cuts,
        floor: 0,
        spans: Vec::new(),
    };
    scan.walk();
    scan.spans
}

impl Scan<'_> {
    fn walk(&mut self) {
        let t = self.t;
        let mut i = 0;
        while i < t.len() {
            i = match TURNS[t[i] as usize] {
                Turn::Nothing => i + 1,
                Turn::Word => self.word(i),
                Turn::Equals => self.hide(fields::field_at(t, i, self.floor), i + 1),
                Turn::Colon => self.colon(i),
                Turn::Dash => self.dash(i),
                Turn::Less => self.less(i),
                Turn::At => {
                    let span = urls::driver_password(t, i, self.floor)
                        .or_else(|| urls::sqlplus_password(t, i, self.floor));
                    self.hide(span, i + 1)
                }
                // The letter of an escape is no part of the word after it.
                Turn::Backslash => {
                    i + 1 + usize::from(matches!(at(t, i + 1), b'n' | b'r' | b't' | b'\\'))
                }
                Turn::Percent => self.percent(i),
                Turn::Dollar => self.hide(hashes::hash_at(t, i, self.floor), i + 1),
                Turn::Star => {
                    let may = is_at(t, i + 1, HEX);
                    self.hide(may.then(|| hashes::mysql_at(t, i)).flatten(), i + 1)
                }
                Turn::Paren => self.hide(calls::argument_at(t, i, self.floor), i + 1),
                Turn::Tilde => self.hide(shapes::tilde_at(t, i, self.floor), i + 1),
                Turn::Slash => {
                    let option =
                        matches!(at(t, i + 1) | 0x20, b'p' | b'r') && i > 0 && is(t[i - 1], SPACE);
                    self.hide(option.then(|| fields::option_at(t, i)).flatten(), i + 1)
                }
                Turn::Sign => self.hide(tongues::value_after_sign(t, i), i + 1),
                Turn::Wide => {
                    let sign =
                        t[i..].starts_with("：".as_bytes()) || t[i..].starts_with("＝".as_bytes());
                    let span = sign
                        .then(|| fields::wide_field_at(t, i, self.floor))
                        .flatten();
                    self.hide(span, i + 1)
                }
            };
        }
    }

    /// Notes a place to hide and goes on behind it; goes on at `otherwise` when there is none.
    fn hide(&mut self, span: Option<Span>, otherwise: usize) -> usize {
        match span {
            Some(span) if span.end > span.start => {
                self.floor = self.floor.max(span.end);
                let next = span.end.max(otherwise);
                self.spans.push(span);
                next
            }
            _ => otherwise,
        }
    }

    #[inline]
    fn word(&mut self, i: usize) -> usize {
        let t = self.t;
        let (a, b) = (t[i], at(t, i + 1));
        if shapes::may_begin(a, b)
            && let Some(span) = shapes::key_at(t, i, self.floor)
        {
            if span.end - span.start == 20 && t[i + 2..].starts_with(b"IA")
                || t[i..].starts_with(b"ACCA")
            {
                self.spans.extend(shapes::aws_secret_after(t, span.end));
            }
            return self.hide(Some(span), i + 1);
        }
        if a | 0x20 == b'v' && starts_ci(t, i, b"values") && !is_at(t, i + 6, WORD) {
            self.spans.extend(rows::values_at(t, i));
        }
        if a == b's' && t[i..].starts_with(b"secret") {
            self.spans.extend(commands::stored_at(t, i));
        }
        if STARTS[a as usize]
            && let Some(span) = self.known_word(i, a)
        {
            return self.hide(Some(span), i + 1);
        }
        if phrases::may_begin(a, b)
            && let Some(span) = phrases::phrase_at(t, i)
        {
            // The word itself stays, and what stands between may hold a secret of its own.
            self.spans.push(span);
        }
        let end = run(t, i + 1, WORD);
        if followed::may_end(&t[i..end], at(t, end))
            && let Some(span) = followed::value_at(t, i, end, self.floor)
        {
            self.spans.push(span);
        }
        if end - i == 40 && t[i..end].ends_with(b"_mmk") {
            let kind = super::Kind::ApiKey;
            return self.hide(
                Some(Span {
                    start: i,
                    end,
                    kind,
                }),
                end,
            );
        }
        while let Some((&cut, rest)) = self.cuts.split_first()
            && cut <= i
        {
            self.cuts = rest;
        }
        let end = self.cuts.first().map_or(end, |&c| c.min(end));
        if end - i >= MADE
            && let Some(span) = announced::word_at(t, i, self.floor)
                .or_else(|| announced::glued_at(t, i, self.floor))
                .or_else(|| announced::prefixed_at(t, i, end))
        {
            return self.hide(Some(span), end);
        }
        end
    }

    fn known_word(&self, i: usize, first: u8) -> Option<Span> {
        let t = self.t;
        match first | 0x20 {
            b'b' | b't' => {
                let before = t[self.floor.max(i.saturating_sub(16)).min(i)..i].trim_ascii_end();
                headers::scheme_at(t, i, before)
            }
            b'h' | b'd' | b'w' => urls::webhook_at(t, i),
            b'p' => blocks::putty_at(t, i),
            b'e' => shapes::jwt_at(t, i),
            _ => shapes::discord_at(t, i),
        }
    }

    fn colon(&mut self, i: usize) -> usize {
        let (t, floor) = (self.t, self.floor);
        let before = if i > floor { t[i - 1] } else { 0 };
        let after = at(t, i + 1);
        if after == b':' {
            return i + 2;
        }
        if after == b'/' && at(t, i + 2) == b'/' {
            let named = is(before, ALNUM);
            return self.hide(if named { urls::userinfo(t, i) } else { None }, i + 3);
        }
        if is(before, DIGIT)
            && is(after, URLSAFE)
            && let Some(span) = urls::telegram_token(t, i, floor)
        {
            return self.hide(Some(span), i + 1);
        }
        if is(after, DIGIT)
            && let Some(span) = hashes::windows_at(t, i)
        {
            return self.hide(Some(span), i + 1);
        }
        if (is(after, DIGIT) || after == b'*')
            && let Some(span) = urls::pgpass(t, i, floor)
        {
            return self.hide(Some(span), i + 1);
        }
        if before == b'n' && t[floor..i].ends_with(b"thin") {
            return self.hide(urls::oracle_password(t, i), i + 1);
        }
        self.hide(fields::field_at(t, i, floor), i + 1)
    }

    fn dash(&mut self, i: usize) -> usize {
        let t = self.t;
        let end = run(t, i, DASH);
        if end - i >= 4 {
            let dashes = i.max(end.saturating_sub(5));
            return self.hide(blocks::block_at(self.text, dashes, end, self.floor), end);
        }
        if at(t, i + 1) == b'u'
            && let Some(span) = shapes::mailchimp_at(t, i, self.floor)
        {
            return self.hide(Some(span), end);
        }
        let bounded =
            i == 0 || is(t[i - 1], SPACE | QUOTE) || matches!(t[i - 1], b'[' | b'(' | b',');
        let span = if bounded { fields::flag_at(t, i) } else { None };
        self.hide(span, end)
    }

    fn less(&mut self, i: usize) -> usize {
        let element = b"<secret>";
        if self.t[i..].starts_with(element)
            && markup::closes(self.t, i + element.len(), b"</secret>")
        {
            // An element of this name, as Jenkins keeps its credentials, is no placeholder.
            let span = markup::element_at(self.t, i);
            return self.hide(span, i + element.len());
        }
        if let Some(len) = placeholder_len(&self.t[i..]) {
            self.floor = self.floor.max(i + len);
            return i + len;
        }
        if self.t[i..].starts_with(b"<<<") {
            let span = commands::here_string_at(self.t, i);
            return self.hide(span, i + 3);
        }
        let span = markup::element_at(self.t, i);
        self.hide(span, i + 1)
    }

    /// An encoded byte of a URL: a separator, or a boundary before the word after it.
    fn percent(&mut self, i: usize) -> usize {
        let t = self.t;
        if !is_at(t, i + 1, HEX) || !is_at(t, i + 2, HEX) {
            return i + 1;
        }
        let separator = at(t, i + 1) == b'3' && matches!(at(t, i + 2) | 0x20, b'd' | b'a');
        let span = if separator {
            fields::field_at(t, i, self.floor)
        } else {
            None
        };
        self.hide(span, i + 3)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, mask};
    use super::*;

    #[test]
    fn an_aws_secret_near_its_id_is_hidden_without_a_name() {
        let id = format!("{}{}", concat!("AK", "IA"), "0123456789ABCDEF");
        let secret = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8z/+aB3dE5gH7j";
        let text = format!("id {id}\n{secret}\nend");
        let masked = mask(&text);
        assert_eq!(masked, "id <secret:api-key>\n<secret:api-key>\nend");
    }

    #[test]
    fn a_placeholder_is_stepped_over() {
        for kind in Kind::ALL {
            let text = format!("a {} b", kind.placeholder());
            assert!(scan(&text, &[]).is_empty());
        }
    }
}
