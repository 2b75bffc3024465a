//! What is kept of an output stream: its head and its tail, however much goes through.

use std::collections::VecDeque;

/// A bounded record of a stream.
#[derive(Debug)]
pub(crate) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    half: usize,
    shortened: bool,
}

/// A piece at a cut that is longer than this is not looked for the end of a line.
const LONGEST_LINE: usize = 4 << 10;

/// Within a line, a secret without the words that name it (`password = …`) can't be told from others, so
/// so many words behind a cut go with it.
const WORDS_WITH_A_SECRET: usize = 4;

impl Capture {
    /// Keeps about `bytes`, half from the beginning and half from the end.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            head: Vec::new(),
            tail: VecDeque::new(),
            half: bytes.div_ceil(2),
            shortened: false,
        }
    }

    /// Takes in what went through.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let room = self.half - self.head.len();
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        let rest = match rest.len().checked_sub(self.half) {
            Some(surplus) if surplus > 0 => {
                self.shortened = true;
                self.tail.clear();
                &rest[surplus..]
            }
            _ => rest,
        };
        let surplus = (self.tail.len() + rest.len()).saturating_sub(self.half);
        self.shortened |= surplus > 0;
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    /// Whether something was left out in the middle.
    pub(crate) fn shortened(&self) -> bool {
        self.shortened
    }

    /// Whether the last line has no end.
    pub(crate) fn ends_mid_line(&self) -> bool {
        let last = self.tail.back().or(self.head.last());
        last.is_some_and(|byte| *byte != b'\n')
    }

    /// The text, with what is not UTF-8 replaced. Where something was left out, the pieces end and begin with
    /// whole lines or words, so that no half of a secret escapes the mask.
    pub(crate) fn text(mut self) -> String {
        let tail = self.tail.make_contiguous();
        if !self.shortened {
            self.head.extend_from_slice(tail);
            return unix_lines(&String::from_utf8_lossy(&self.head));
        }
        let head = &self.head[..last_boundary(&self.head)];
        let tail = &tail[first_boundary(tail)..];
        let text = format!(
            "{}\n[…]\n{}",
            String::from_utf8_lossy(head),
            String::from_utf8_lossy(tail)
        );
        unix_lines(&text)
    }
}

fn last_boundary(piece: &[u8]) -> usize {
    let from = piece.len().saturating_sub(LONGEST_LINE);
    let end = &piece[from..];
    let line = end.iter().rposition(|byte| *byte == b'\n');
    from + line
        .or_else(|| end.iter().rposition(u8::is_ascii_whitespace))
        .unwrap_or(0)
}

fn first_boundary(piece: &[u8]) -> usize {
    let begin = &piece[..piece.len().min(LONGEST_LINE)];
    let line = begin.iter().position(|byte| *byte == b'\n');
    match line {
        Some(line) => line + 1 + indented_line(&begin[line + 1..]),
        None => nth_blank(begin, WORDS_WITH_A_SECRET).map_or(begin.len(), |place| place + 1),
    }
}

/// The length of the line that a piece begins with, if it is indented: what it is the value of may have been cut off.
fn indented_line(piece: &[u8]) -> usize {
    if !piece.starts_with(b" ") && !piece.starts_with(b"\t") {
        return 0;
    }
    let end = piece.iter().position(|byte| *byte == b'\n');
    end.map_or(piece.len(), |end| end + 1)
}

fn nth_blank(text: &[u8], number: usize) -> Option<usize> {
    let blanks = text
        .iter()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii_whitespace());
    blanks.map(|(place, _)| place).nth(number)
}

/// A terminal turns every `\n` into `\r\n`.
fn unix_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_stream_is_kept_whole() {
        let mut capture = Capture::new(100);
        capture.push(b"one\r\n");
        capture.push(b"two \xff\n");
        assert!(!capture.shortened());
        assert_eq!(capture.text(), "one\ntwo \u{fffd}\n");
    }

    #[test]
    fn a_long_stream_keeps_head_and_tail_in_whole_lines() {
        for chunk in [1, 7, 1_000, 100_000] {
            let mut capture = Capture::new(60);
            let stream: String = (0..1_000)
                .map(|number| format!("line {number}\n"))
                .collect();
            stream
                .as_bytes()
                .chunks(chunk)
                .for_each(|chunk| capture.push(chunk));
            assert!(capture.shortened());
            assert_eq!(
                capture.text(),
                "line 0\nline 1\nline 2\nline 3\n[…]\nline 997\nline 998\nline 999\n",
                "in chunks of {chunk}"
            );
        }
    }

    #[test]
    fn a_line_without_an_end_is_seen() {
        let mut capture = Capture::new(8);
        assert!(!capture.ends_mid_line());
        for (bytes, mid_line) in [
            ("ab", true),
            ("c\n", false),
            ("long enough", true),
            ("\n", false),
        ] {
            capture.push(bytes.as_bytes());
            assert_eq!(capture.ends_mid_line(), mid_line, "{bytes:?}");
        }
    }

    #[test]
    fn a_word_that_is_cut_is_left_out() {
        let mut capture = Capture::new(20);
        capture.push(b"begin secret-that-is-cut-in-two-pieces 1 2 3 4 5");
        assert_eq!(capture.text(), "begin\n[…]\n5");
    }
}
