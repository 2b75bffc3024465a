//! Private key blocks: PEM, OpenSSH, PGP, SSH2 and PuTTY keys, whole or cut off.
//!
//! This module owns the extent of a key block, from either of its markers. Certificates and public
//! keys have the same form and stay. A marker quoted in an error message stays too: only a marker
//! with key material beside it is a block.

use super::bytes::*;
use super::{Kind, Span};

const B64: u16 = ALNUM | BASE64;

/// The marker `-----BEGIN … PRIVATE KEY …-----` or its end, after the dashes that end at `i`.
struct Marker {
    begins: bool,
    /// Just after the closing dashes.
    end: usize,
    private: bool,
}

fn marker(t: &[u8], i: usize) -> Option<Marker> {
    let word = i + usize::from(at(t, i) == b' ');
    let begins = t[word..].starts_with(b"BEGIN ");
    if !begins && !t[word..].starts_with(b"END ") {
        return None;
    }
    let limit = t.len().min(word + 80);
    let dashes = position(&t[word..limit], b"----").map(|n| word + n);
    let label_end = dashes.unwrap_or_else(|| line_end(t, word).min(limit));
    let private = position(&t[word..label_end], b"PRIVATE KEY").is_some();
    Some(Marker {
        begins,
        end: run(t, label_end, DASH),
        private,
    })
}

/// The next marker's dashes at or after `i`: where they begin, and the marker.
fn next_marker(text: &str, mut i: usize) -> Option<(usize, Marker)> {
    while let Some(n) = text
        .as_bytes()
        .get(i..)
        .and_then(|_| text[i..].find("----"))
    {
        let start = i + n;
        let end = run(text.as_bytes(), start, DASH);
        if let Some(m) = marker(text.as_bytes(), end) {
            return Some((start, m));
        }
        i = end;
    }
    None
}

/// The key block with a marker whose dashes run from `dashes` to `i`.
///
/// `floor` is the end of what is already hidden, below which nothing is looked at again.
pub(super) fn block_at(text: &str, dashes: usize, i: usize, floor: usize) -> Option<Span> {
    let t = text.as_bytes();
    let m = marker(t, i)?;
    if !m.private {
        return None;
    }
    if !m.begins {
        let start = body_before(t, dashes, floor)?;
        return Some(Span {
            start,
            end: m.end,
            kind: Kind::PrivateKey,
        });
    }
    let (body_end, end) = match next_marker(text, m.end) {
        Some((start, next)) if next.begins => (start, start),
        Some((start, next)) => (start, next.end),
        None => (t.len(), t.len()),
    };
    is_body(&t[m.end..body_end]).then_some(Span {
        start: dashes,
        end,
        kind: Kind::PrivateKey,
    })
}

/// Whether the bytes after a marker are key material and not a sentence about keys.
fn is_body(body: &[u8]) -> bool {
    let head = &body[..body.len().min(400)];
    if position(head, b"Proc-Type").is_some() || position(head, b"DEK-Info").is_some() {
        return true;
    }
    let mut lines = head.split(|b| !is(*b, B64));
    if lines.any(|run| run.len() >= 32 || (run.len() >= 16 && varied(run))) {
        return true;
    }
    // A block cut off after a few bytes: nothing but base64 and line breaks.
    let escaped = head.starts_with(b"\\n") || head.starts_with(b"\\r");
    let rest = head.trim_ascii();
    let only = rest
        .iter()
        .all(|b| is(*b, B64) || matches!(b, b'\n' | b'\r' | b'\\'));
    let apart = escaped || head.first().is_some_and(|b| matches!(b, b'\n' | b'\r'));
    apart && only && !rest.is_empty()
}

/// Where the base64 lines that end at `i` begin, for a block whose first marker was cut off.
fn body_before(t: &[u8], i: usize, floor: usize) -> Option<usize> {
    let (mut start, mut j, mut seen) = (i, i, 0);
    while j > floor {
        j = line_break_before(t, j, floor);
        let line_start = run_back_base64(t, j, floor);
        let len = j - line_start;
        // A line is bounded by a break or the text's start; what precedes may be a log's prefix.
        if len == 0
            || (len < 16 && seen > 0)
            || (line_start > floor && is(t[line_start - 1], DASH | UNDER))
        {
            break;
        }
        seen += len;
        start = line_start;
        j = line_start;
        let before = line_start.checked_sub(1).map(|p| t[p]);
        if !matches!(before, Some(b'\n' | b'\r' | b' ' | b'\t' | b'n')) {
            break;
        }
    }
    (seen >= 16).then_some(start)
}

/// Skips line breaks, written or real, and indentation before `j`.
fn line_break_before(t: &[u8], mut j: usize, floor: usize) -> usize {
    loop {
        if j > floor && is(t[j - 1], SPACE) {
            j -= 1;
        } else if j >= floor + 2 && t[j - 2] == b'\\' && matches!(t[j - 1], b'n' | b'r') {
            j -= 2;
            while j > floor && t[j - 1] == b'\\' {
                j -= 1;
            }
        } else {
            return j;
        }
    }
}

/// The start of the base64 run before `j`; a written `\n` before it is no part of it.
fn run_back_base64(t: &[u8], j: usize, floor: usize) -> usize {
    let start = run_back(t, j, floor, B64);
    if start > floor && t[start - 1] == b'\\' && start < j && matches!(t[start], b'n' | b'r') {
        return start + 1;
    }
    start
}

/// The key lines of a PuTTY file whose `Private-Lines:` begins at `i`.
pub(super) fn putty_at(t: &[u8], i: usize) -> Option<Span> {
    if !starts_ci(t, i, b"Private-Lines:") {
        return None;
    }
    let count = run(t, skip_blanks(t, i + 14), DIGIT);
    let mut j = count;
    let (mut start, mut end) = (0, 0);
    loop {
        let broken = if t[j..].starts_with(b"\\r\\n") {
            j + 4
        } else if t[j..].starts_with(b"\\n") {
            j + 2
        } else {
            run(t, j, SPACE)
        };
        let line = run(t, broken, B64);
        let named = matches!(at(t, line), b'-' | b':');
        if broken == j || line - broken < 4 || named {
            break;
        }
        if start == 0 {
            start = broken;
        }
        (end, j) = (line, line);
    }
    (end > start).then_some(Span {
        start,
        end,
        kind: Kind::PrivateKey,
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask;
    use std::borrow::Cow;

    const BEGIN: &str = concat!("-----BEGIN RSA ", "PRIVATE KEY-----");
    const END: &str = concat!("-----END RSA ", "PRIVATE KEY-----");

    fn body(lines: usize, with: &str) -> String {
        let line = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH";
        vec![line; lines].join(with)
    }

    #[test]
    fn a_whole_block_goes_with_its_markers() {
        for with in ["\n", "\r\n", "\\n", "\\r\\n", "\n    "] {
            let text = format!("before {BEGIN}{with}{}{with}{END} after", body(4, with));
            assert_eq!(mask(&text), "before <secret:private-key> after", "{with:?}");
        }
    }

    #[test]
    fn a_block_without_its_end_goes_to_the_end_of_the_text() {
        let text = format!("x\n{BEGIN}\n{}", body(3, "\n"));
        assert_eq!(mask(&text), "x\n<secret:private-key>");
        assert_eq!(mask(&format!("{BEGIN}\nMIIEv")), "<secret:private-key>");
    }

    #[test]
    fn a_block_without_its_beginning_goes_from_its_first_line() {
        for with in ["\n", "\r\n", "\\n"] {
            let text = format!("log line{with}{}{with}{END}{with}next", body(3, with));
            assert_eq!(
                mask(&text),
                format!("log line{with}<secret:private-key>{with}next")
            );
        }
    }

    #[test]
    fn markers_in_prose_and_public_blocks_stay() {
        let prose = format!("expected {BEGIN} and then {END}, found garbage");
        assert!(matches!(mask(&prose), Cow::Borrowed(_)));
        let start = format!("no start line: Expecting: {BEGIN}");
        assert!(matches!(mask(&start), Cow::Borrowed(_)));
        let cert = format!(
            "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----",
            body(3, "\n")
        );
        assert!(matches!(mask(&cert), Cow::Borrowed(_)));
    }

    #[test]
    fn the_lines_of_a_putty_key_go() {
        let text = format!(
            "Private-Lines: 2\r\n{}\r\nPrivate-MAC: {}",
            body(2, "\r\n"),
            "0a".repeat(20)
        );
        assert_eq!(
            mask(&text),
            "Private-Lines: 2\r\n<secret:private-key>\r\nPrivate-MAC: <secret:private-key>"
        );
    }
}
