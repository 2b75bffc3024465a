//! What steers a terminal: escape sequences and control characters, and texts without them.
//!
//! Owns where a sequence ends, for code that reads the output of a tool or shows a text from outside. Crates such as
//! `strip-ansi-escapes` give a stripped copy alone; secrets are masked in place and need to know what stood where.

use std::borrow::Cow;

/// The escape character.
pub const ESCAPE: char = '\u{1b}';

/// The bytes of the sequence whose escape character stands before `rest`.
pub fn sequence(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    match bytes.first() {
        Some(b'[') => 1 + parameters(&bytes[1..]).0,
        // A title or a link: it ends with BEL or ESC \. One that never ends hides nothing.
        // It holds no other escape, so looking for its end costs no more than its length.
        Some(b']' | b'P' | b'_' | b'^') => match rest.find(['\u{7}', ESCAPE]) {
            Some(end) if bytes[end] == 7 => end + 1,
            Some(end) if rest[end..].starts_with("\u{1b}\\") => end + 2,
            _ => 1,
        },
        Some(b'(' | b')' | b'#' | b'%') => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        Some(byte) if byte.is_ascii() => 1,
        _ => 0,
    }
}

/// The bytes of a control sequence behind its introducer, and whether it is complete: parameters, and a final byte.
pub fn parameters(bytes: &[u8]) -> (usize, bool) {
    let end = bytes.iter().position(|byte| !matches!(byte, b' '..=b'?'));
    match end {
        Some(end) if matches!(bytes[end], b'@'..=b'~') => (end + 1, true),
        Some(end) => (end, false),
        None => (bytes.len(), false),
    }
}

/// A text without escape sequences.
pub fn without_sequences(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPE) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(ESCAPE) {
        kept.push_str(before);
        rest = &behind[sequence(behind)..];
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// A text from outside on one line, in which nothing can steer the terminal it is shown on.
pub fn line(text: &str) -> String {
    let shown = |character: char| match character {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
        // Also the marks that turn the direction of writing, and letters that nobody sees but a model.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => None,
        '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' => None,
        character => (!character.is_control()).then_some(character),
    };
    text.chars().filter_map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_titles_and_links_are_taken_out_whole() {
        for (text, plain) in [
            ("\u{1b}[1;31merror\u{1b}[0m: x", "error: x"),
            ("\u{1b}]8;;http://a\u{1b}\\here\u{1b}]8;;\u{7}!", "here!"),
            ("a\u{1b}]0;never ends", "a0;never ends"),
            ("a\u{1b}(éb\u{1b}", "ab"),
            ("a\u{1b}[31", "a"),
            ("a\u{1b}[3é", "aé"),
        ] {
            assert_eq!(without_sequences(text), plain);
        }
    }

    #[test]
    fn a_shown_text_can_not_steer_the_terminal() {
        assert_eq!(line("a\x1b[31mb\r\nc\u{202e}d\x07"), "a[31mb  cd");
        assert_eq!(line("a\u{200f}b\u{2028}c\u{61c}d\u{9b}2J"), "ab cd2J");
    }

    #[test]
    fn letters_that_nobody_sees_are_not_shown() {
        assert_eq!(line("run it\u{e0072}\u{e006d}\u{200e}."), "run it.");
        // What joins letters of a script or of a picture stays.
        assert_eq!(line("\u{644}\u{200c}\u{627}"), "\u{644}\u{200c}\u{627}");
    }
}
