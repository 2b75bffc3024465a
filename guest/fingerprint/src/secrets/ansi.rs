//! Colour codes in a text: taking them out for the scan and putting offsets back afterwards.
//!
//! This module owns the plain reading of a coloured text. A terminal colours a key name or half of
//! a value at will, so rules that look at neighbouring bytes would miss both. Only control
//! sequences that carry no text of their own are taken out; hyperlinks stay, since a URL in one is
//! as readable as any other.

use twiceshy_text::control::parameters;

use super::{Span, bytes::at};

/// A text without its colour codes, and where each code stood.
pub(super) struct Plain {
    pub(super) text: String,
    cuts: Vec<usize>,
    /// Bytes taken out up to and including the cut of the same index.
    removed: Vec<usize>,
}

/// The longest parameter list of a sequence; terminals write far shorter ones.
const MAX_PARAMETERS: usize = 32;

/// The text without colour codes, or `None` when it has none.
pub(super) fn strip(text: &str) -> Option<Plain> {
    // The written-out forms (`\x1b[`, `\u001b[`, `\033[`) all end the same way before the bracket.
    if !text.contains('\x1b') && !text.contains("1b[") && !text.contains("33[") {
        return None;
    }
    let t = text.as_bytes();
    let mut plain = Plain {
        text: String::with_capacity(t.len()),
        cuts: Vec::new(),
        removed: Vec::new(),
    };
    let (mut from, mut i, mut removed) = (0, 0, 0);
    while i < t.len() {
        let len = match t[i] {
            0x1b => sequence(t, i, 1),
            b'\\' => written(t, i),
            _ => None,
        };
        let Some(len) = len else {
            let ahead = t[i + 1..].iter().position(|b| matches!(b, 0x1b | b'\\'));
            i = ahead.map_or(t.len(), |n| i + 1 + n);
            continue;
        };
        plain.text.push_str(&text[from..i]);
        removed += len;
        if plain.cuts.last() == Some(&plain.text.len()) {
            plain.removed.pop();
        } else {
            plain.cuts.push(plain.text.len());
        }
        plain.removed.push(removed);
        i += len;
        from = i;
    }
    if plain.cuts.is_empty() {
        return None;
    }
    plain.text.push_str(&text[from..]);
    Some(plain)
}

/// The length of the control sequence at `i` whose introducer is `intro` bytes long.
fn sequence(t: &[u8], i: usize, intro: usize) -> Option<usize> {
    if at(t, i + intro) != b'[' {
        return None;
    }
    let first = i + intro + 1;
    let rest = &t[first..t.len().min(first + MAX_PARAMETERS)];
    let (length, complete) = parameters(rest);
    // A text between quotes or brackets is no colour, although a terminal would swallow it.
    let (last, numbers) = rest[..length].split_last()?;
    let is_number = |b: &u8| matches!(b, b'0'..=b'9' | b';' | b':' | b'?');
    (complete && last.is_ascii_alphabetic() && numbers.iter().all(is_number))
        .then_some(intro + 1 + length)
}

fn written(t: &[u8], i: usize) -> Option<usize> {
    const INTROS: [&[u8]; 4] = [b"\\x1b", b"\\u001b", b"\\033", b"\\x1B"];
    let intro = INTROS.iter().find(|w| t[i..].starts_with(w))?;
    sequence(t, i, intro.len())
}

impl Plain {
    /// Offsets of the plain text at which a code stood: each is a word boundary.
    pub(super) fn cuts(&self) -> &[usize] {
        &self.cuts
    }

    fn original(&self, i: usize) -> usize {
        match self.cuts.partition_point(|&c| c <= i) {
            0 => i,
            n => i + self.removed[n - 1],
        }
    }

    /// Spans of the plain text as spans of the coloured one; a code inside a secret goes with it.
    pub(super) fn restore(&self, mut spans: Vec<Span>) -> Vec<Span> {
        spans.retain(|s| s.start < s.end);
        for span in &mut spans {
            span.start = self.original(span.start);
            // Only ASCII codes are taken out, so the byte after the last one is a boundary again.
            span.end = self.original(span.end - 1) + 1;
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    #[test]
    fn codes_are_taken_out_and_offsets_restored() {
        let text = "\x1b[1mpass\x1b[0m\x1b[2mword\x1b[0m=é\x1b[31mab\x1b[0m!";
        let plain = strip(text).expect("coloured");
        assert_eq!(plain.text, "password=éab!");
        let start = plain.text.find('é').expect("there");
        let spans = plain.restore(vec![Span {
            start,
            end: start + 4,
            kind: Kind::Password,
        }]);
        assert_eq!(&text[spans[0].start..spans[0].end], "é\x1b[31mab");
    }

    #[test]
    fn written_out_codes_count_too() {
        assert_eq!(strip("a\\u001b[31mb").expect("coloured").text, "ab");
        assert_eq!(strip("a\\x1b[0mb").expect("coloured").text, "ab");
        assert!(strip("array1b[0]").is_none());
        assert!(strip("plain").is_none());
    }
}
