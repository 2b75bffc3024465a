//! Byte classes and small readings of byte runs.
//!
//! This module owns what a byte is (letter, digit, quote, …) and questions about a run of bytes that
//! need no context: where it ends, whether it looks random. It knows nothing of secrets. All
//! classes are ASCII, so a cut made at a class change never falls inside a UTF-8 character.

pub(super) const UPPER: u16 = 1;
pub(super) const LOWER: u16 = 2;
pub(super) const DIGIT: u16 = 4;
pub(super) const HEX: u16 = 8;
pub(super) const UNDER: u16 = 16;
pub(super) const DASH: u16 = 32;
pub(super) const DOT: u16 = 64;
/// `+`, `/` and `=`.
pub(super) const BASE64: u16 = 128;
pub(super) const QUOTE: u16 = 256;
pub(super) const SPACE: u16 = 512;
pub(super) const COLON: u16 = 1024;
pub(super) const PERCENT: u16 = 2048;

pub(super) const ALNUM: u16 = UPPER | LOWER | DIGIT;
pub(super) const WORD: u16 = ALNUM | UNDER;
pub(super) const URLSAFE: u16 = WORD | DASH;

const CLASSES: [u16; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let b = i as u8;
        table[i] = match b {
            b'A'..=b'F' => UPPER | HEX,
            b'G'..=b'Z' => UPPER,
            b'a'..=b'f' => LOWER | HEX,
            b'g'..=b'z' => LOWER,
            b'0'..=b'9' => DIGIT | HEX,
            b'_' => UNDER,
            b'-' => DASH,
            b'.' => DOT,
            b'+' | b'/' | b'=' => BASE64,
            b'"' | b'\'' | b'`' => QUOTE,
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => SPACE,
            b':' => COLON,
            b'%' => PERCENT,
            _ => 0,
        };
        i += 1;
    }
    table
};

/// Whether `b` belongs to any class of `mask`.
#[inline]
pub(super) fn is(b: u8, mask: u16) -> bool {
    CLASSES[b as usize] & mask != 0
}

/// The byte at `i`, or 0 past the end: 0 belongs to no class.
#[inline]
pub(super) fn at(t: &[u8], i: usize) -> u8 {
    t.get(i).copied().unwrap_or(0)
}

/// Whether the byte at `i` exists and belongs to `mask`.
#[inline]
pub(super) fn is_at(t: &[u8], i: usize, mask: u16) -> bool {
    is(at(t, i), mask)
}

/// The end of the run of `mask` bytes that begins at `i`.
#[inline]
pub(super) fn run(t: &[u8], mut i: usize, mask: u16) -> usize {
    while i < t.len() && is(t[i], mask) {
        i += 1;
    }
    i
}

/// The start of the run of `mask` bytes that ends at `i`, not before `floor`.
#[inline]
pub(super) fn run_back(t: &[u8], mut i: usize, floor: usize, mask: u16) -> usize {
    while i > floor && is(t[i - 1], mask) {
        i -= 1;
    }
    i
}

/// Skips spaces and tabs.
pub(super) fn skip_blanks(t: &[u8], mut i: usize) -> usize {
    while matches!(at(t, i), b' ' | b'\t') {
        i += 1;
    }
    i
}

/// The end of the line that `i` is in.
pub(super) fn line_end(t: &[u8], i: usize) -> usize {
    let rest = &t[i.min(t.len())..];
    let len = rest
        .iter()
        .position(|&b| b == b'\n' || b == b'\r')
        .unwrap_or(rest.len());
    i.min(t.len()) + len
}

/// Whether the text at `i` begins with `word` in any case.
pub(super) fn starts_ci(t: &[u8], i: usize, word: &[u8]) -> bool {
    t.get(i..i + word.len())
        .is_some_and(|s| s.eq_ignore_ascii_case(word))
}

/// Where `needle` first stands in `t`.
pub(super) fn position(t: &[u8], needle: &[u8]) -> Option<usize> {
    t.windows(needle.len()).position(|w| w == needle)
}

/// How many bytes of each kind a run holds.
#[derive(Default)]
pub(super) struct Mix {
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) digit: usize,
    pub(super) other: usize,
}

pub(super) fn mix(v: &[u8]) -> Mix {
    let mut m = Mix::default();
    for &b in v {
        match b {
            b'A'..=b'Z' => m.upper += 1,
            b'a'..=b'z' => m.lower += 1,
            b'0'..=b'9' => m.digit += 1,
            _ => m.other += 1,
        }
    }
    m
}

/// Whether a key's body is a real one: `xxxx…` and `your-key-here` of a manual are not.
pub(super) fn varied(v: &[u8]) -> bool {
    let m = mix(v);
    (m.digit > 0 || (m.upper > 0 && m.lower > 0)) && v.iter().any(|b| *b != v[0])
}

/// Whether a value reads as a machine-made token rather than as a word, a number or a piece of code.
pub(super) fn opaque(v: &[u8], min: usize) -> bool {
    if v.len() < min
        || v.iter()
            .any(|&b| is(b, SPACE | QUOTE) || matches!(b, b'(' | b')'))
    {
        return false;
    }
    if v.starts_with(b"0x") || position(v, b"::").is_some() {
        return false;
    }
    let m = mix(v);
    let letters = m.upper + m.lower;
    if m.digit > 0 && letters > 0 {
        // A date, a version or a measure has few letters; a name such as `utf8` few digits and no length.
        return letters >= 2 && !looks_dated(v);
    }
    // Base64 without a digit: the case changes far more often than in camelCase.
    let turns = v
        .windows(2)
        .filter(|w| is(w[0], UPPER) != is(w[1], UPPER))
        .count();
    v.len() >= 16 && m.upper * 4 > v.len() && m.lower >= 4 && turns * 3 > v.len()
}

/// `2024-05-01T10:00:00Z`, with or without fractions and zone.
fn looks_dated(v: &[u8]) -> bool {
    v.len() >= 10
        && v[..4].iter().all(u8::is_ascii_digit)
        && v[4] == b'-'
        && v[5..7].iter().all(u8::is_ascii_digit)
        && v[7] == b'-'
}

/// Decodes base64 of either alphabet, padded or not; `None` when it is not base64.
pub(super) fn decode_base64(v: &[u8]) -> Option<Vec<u8>> {
    let body = v.iter().rposition(|&b| b != b'=').map_or(0, |p| p + 1);
    if body < 2 || body % 4 == 1 || v.len() - body > 2 {
        return None;
    }
    let (mut out, mut bits, mut held) = (Vec::with_capacity(body), 0u32, 0);
    for &b in &v[..body] {
        let six = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    Some(out)
}

/// Whether `v` is the base64 of `user:password`, as HTTP Basic and Docker write it.
pub(super) fn is_basic_pair(v: &[u8]) -> bool {
    v.len() >= 8
        && v.len() <= 4096
        && decode_base64(v).is_some_and(|d| {
            d.contains(&b':') && d.iter().all(|&b| b >= 0x20 && b != 0x7f) && d.len() >= 3
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_dates_and_pointers_are_not_opaque() {
        for v in [
            "identifier",
            "getUserNameFromConfig",
            "2024-05-01T10:00:00Z",
            "0x7ffe12ab34cd",
            "12345678",
        ] {
            assert!(!opaque(v.as_bytes(), 6), "{v}");
        }
        for v in [
            "abc123def456",
            "aGVsbG8gd29ybGQhISEK",
            "qXkZpWvBnMaQsEdRfTgY",
        ] {
            assert!(opaque(v.as_bytes(), 6), "{v}");
        }
    }

    #[test]
    fn a_basic_pair_is_known_by_its_decoded_colon() {
        assert!(is_basic_pair(b"dXNlcjpwYXNz"));
        assert!(is_basic_pair(b"dTpwYXNzdw=="));
        assert!(!is_basic_pair(b"authentication"));
        assert!(!is_basic_pair(b"realmabc"));
    }

    #[test]
    fn runs_end_at_the_class_change() {
        assert_eq!(run(b"abc-d", 0, ALNUM), 3);
        assert_eq!(run_back(b"a bcd", 5, 0, ALNUM), 2);
        assert_eq!(line_end(b"ab\r\ncd", 0), 2);
    }
}
