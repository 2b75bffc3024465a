//! One line of output as a person sees it on the screen: without escape codes, overwritten text and decoration.
//!
//! It owns cutting the text into lines and cleaning one of them. It does not judge what a line says.

use std::borrow::Cow;

use twiceshy_text::control;

/// A longer line is read in pieces of this many bytes, so that no line costs more memory than this.
pub(crate) const LONGEST: usize = 2048;

/// The visible lines of `text`, each at most [`LONGEST`] bytes, none of them blank. Nothing is copied.
pub(crate) fn visible(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    // The end of the line that `at` is in; it is looked for once a line, however many pieces the line has.
    let mut end = 0;
    let mut known = false;
    std::iter::from_fn(move || {
        while at < text.len() {
            if !known {
                if text.as_bytes()[at] == b'\n' {
                    at += 1;
                    continue;
                }
                end = text[at..].find('\n').map_or(text.len(), |n| at + n);
                known = true;
            }
            if end - at > LONGEST {
                let cut = text.floor_char_boundary(at + LONGEST);
                let piece = overwritten(&text[at..cut]);
                at = cut;
                if !piece.is_empty() {
                    return Some(piece);
                }
                continue;
            }
            let line = overwritten(&text[at..end]);
            at = end + 1;
            known = false;
            if !line.is_empty() {
                return Some(line);
            }
        }
        None
    })
}

/// What is left on the screen of a line that returns to its beginning: the text after the last return.
fn overwritten(line: &str) -> &str {
    let line = line.trim_ascii_end();
    match line.rfind('\r') {
        Some(at) => &line[at + 1..],
        None => line,
    }
}

/// The line without terminal escapes, control characters and marks that have no width.
pub(crate) fn clean(line: &str) -> Cow<'_, str> {
    // Folding over all bytes without leaving early is what lets the compiler use vectors.
    let dirty = line.bytes().fold(false, |dirty, b| {
        dirty | (b < b' ') | (b == 0x7f) | (b == 0xc2) | (b == 0xe2) | (b == 0xef)
    });
    if !dirty {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            control::ESCAPE => {
                let text = rest.as_str();
                rest = text[control::sequence(text)..].chars();
            }
            '\u{9b}' => {
                let text = rest.as_str();
                rest = text[control::parameters(text.as_bytes()).0..].chars();
            }
            '\u{8}' => {
                out.pop();
            }
            '\t' => out.push('\t'),
            '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => out.push(' '),
            '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}' => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// How deep the line is indented, and the line without its indentation and the frame drawn around it.
pub(crate) fn undecorated(line: &str) -> (usize, &str) {
    let is_frame = |c: char| matches!(c, '│' | '┃' | '║' | '╷' | '╵' | '╭' | '╰' | '─' | '━' | '═');
    let mut indent = 0;
    let mut frames = 0;
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        match c {
            ' ' => indent += 1,
            '\t' => indent += 4,
            c if is_frame(c) => frames = 1,
            _ => break,
        }
        rest = &rest[c.len_utf8()..];
    }
    (indent - frames.min(indent), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_codes_titles_and_links_leave_no_trace() {
        assert_eq!(clean("\u{1b}[1;31merror\u{1b}[0m: x"), "error: x");
        assert_eq!(
            clean("\u{1b}]8;;http://a\u{1b}\\here\u{1b}]8;;\u{7}!"),
            "here!"
        );
        assert_eq!(clean("a\u{1b}]0;never ends"), "a0;never ends");
        assert_eq!(clean("ab\u{8}c\u{feff}"), "ac");
    }

    #[test]
    fn a_progress_bar_shows_only_its_last_state() {
        let lines: Vec<_> = visible("10%\r20%\r100% done\r\nnext\n\n").collect();
        assert_eq!(lines, ["100% done", "next"]);
    }

    #[test]
    fn a_long_line_comes_in_pieces_cut_between_characters() {
        let text = "й".repeat(5000);
        let lines: Vec<_> = visible(&text).collect();
        assert!(lines.len() > 4 && lines.iter().all(|l| l.len() <= LONGEST));
        assert_eq!(lines.concat(), text);
    }

    #[test]
    fn the_frame_around_a_message_is_not_part_of_it() {
        assert_eq!(undecorated("│ Error: x"), (0, "Error: x"));
        assert_eq!(undecorated("    at f"), (4, "at f"));
    }
}
