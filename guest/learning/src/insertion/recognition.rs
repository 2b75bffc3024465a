//! Recognition: where in a text the memory's own words stand.
//!
//! Owns the marks in all the ways in which a text may come back (quoted, escaped, cut off) and what a line of ours
//! looks like. One pass over the text; every place is looked at a bounded number of times.

use std::ops::Range;

use super::{NAME, NOTE, is_id};

/// Without this there is nothing of ours in a text.
pub(super) const SIGN: &str = "twiceshy";

/// How a lesson's id begins, and how many hexadecimal digits it has.
const LESSON: &str = "[les_";
const LESSON_DIGITS: usize = 16;

/// A printed hint in bytes: a rule of any script fits, and a search for its end stays short.
const HINT_BYTES: usize = 8 << 10;

/// What may stand before each line of a quoted block.
const QUOTING: &str = " \t>#*|/+;%";

/// The mark at one end of a block.
#[derive(Debug, Clone)]
struct Mark {
    range: Range<usize>,
    closes: bool,
}

/// How lines end where a block stands: as lines do, or escaped by so many backslashes.
#[derive(Debug, Clone, Copy)]
enum Lines {
    Plain,
    Escaped(usize),
}

/// A block that has begun.
struct Open {
    start: usize,
    depth: usize,
    lines: Lines,
    /// The end of the mark that came last.
    last: usize,
}

/// What was inserted, in order and without overlaps.
pub(super) fn inserted(text: &str) -> Vec<Range<usize>> {
    let mut found = Found {
        text,
        ranges: Vec::new(),
        open: None,
        next_lesson: 0,
    };
    for (place, _) in text.match_indices(SIGN) {
        if place < found.ranges.last().map_or(0, |range| range.end) {
            continue;
        }
        if text[place..].starts_with(NAME) {
            match mark(text, place) {
                Some(mark) => found.mark(mark),
                None => found.object(place),
            }
        } else if found.open.is_none() {
            found.line(place);
        }
    }
    found.cut_off(text.len());
    found.ranges
}

struct Found<'a> {
    text: &'a str,
    ranges: Vec<Range<usize>>,
    open: Option<Open>,
    /// Where the next lesson's id stands, as far as that is known: searched once for all lines.
    next_lesson: usize,
}

impl Found<'_> {
    fn mark(&mut self, mark: Mark) {
        match (&mut self.open, mark.closes) {
            (None, false) => self.begin(&mark),
            (None, true) => self.tail(&mark),
            (Some(open), false) => {
                let between = &self.text[open.last..mark.range.start];
                if own_lines(between, open.lines, false) == between.len() {
                    open.depth += 1;
                    open.last = mark.range.end;
                } else {
                    self.cut_off(mark.range.start);
                    self.begin(&mark);
                }
            }
            (Some(open), true) => {
                open.depth -= 1;
                open.last = mark.range.end;
                if open.depth == 0 {
                    let range = open.start..mark.range.end;
                    self.open = None;
                    self.take(range);
                }
            }
        }
    }

    fn begin(&mut self, mark: &Mark) {
        let rest = &self.text.as_bytes()[mark.range.end..];
        let escapes = rest.iter().take_while(|byte| **byte == b'\\').count();
        let lines = match rest.get(escapes) {
            Some(b'n' | b'r') if escapes > 0 => Lines::Escaped(escapes),
            _ => Lines::Plain,
        };
        self.open = Some(Open {
            start: mark.range.start,
            depth: 1,
            lines,
            last: mark.range.end,
        });
    }

    /// Ends a block that has no end of its own, before `limit`: with its last line that is ours.
    fn cut_off(&mut self, limit: usize) {
        if let Some(open) = self.open.take() {
            let rest = &self.text[open.last..limit];
            let at_end = limit == self.text.len();
            let end = open.last + own_lines(rest, open.lines, at_end);
            self.take(open.start..end);
        }
    }

    /// The end of a block whose beginning was cut off: the lines before it that are ours go with it.
    fn tail(&mut self, mark: &Mark) {
        let free_from = self.free_from();
        let mut start = mark.range.start;
        if let Some(line) = quoted_from(self.text, start, free_from) {
            start = line;
            while start > free_from {
                let before = &self.text[free_from..start - 1];
                let line = free_from + before.rfind('\n').map_or(0, |at| at + 1);
                if !is_own(self.text[line..start].trim_end(), false) {
                    break;
                }
                start = line;
            }
        }
        self.ranges.push(start..mark.range.end);
    }

    /// A JSON object of the memory on a line of its own.
    fn object(&mut self, place: usize) {
        let Some(before) = self.text[..place].strip_suffix("{\"") else {
            return;
        };
        let start = before.trim_end_matches([' ', '\t']).len();
        let opens = start == 0 || before[..start].ends_with('\n');
        if self.open.is_none()
            && opens
            && start >= self.free_from()
            && self.text[place + NAME.len()..].starts_with("\":")
        {
            self.ranges.push(start..line_end(self.text, place));
        }
    }

    /// A hint that a command printed: it begins with our name and ends with the lesson.
    fn line(&mut self, place: usize) {
        let text = self.text;
        let after = place + SIGN.len();
        if !text[after..].starts_with(':') {
            return;
        }
        let Some((start, lines)) = hint_start(text, place, self.free_from()) else {
            return;
        };
        let end = match lines {
            Lines::Plain => {
                let line = after
                    + text[after..]
                        .find('\n')
                        .map_or(text.len() - after, |at| at + 1);
                ends_with_lesson(text[after..line].trim_end()).then_some(line)
            }
            Lines::Escaped(escapes) => {
                if self.next_lesson < after {
                    let next = text[after..].find(LESSON);
                    self.next_lesson = next.map_or(text.len(), |at| after + at);
                }
                let end = self.next_lesson + LESSON.len() + LESSON_DIGITS + 1;
                text.get(after..end)
                    .filter(|line| line.len() <= HINT_BYTES)
                    .filter(|line| !line.contains('\n') && ends_with_lesson(line))
                    .and_then(|_| escaped_end(text, end, escapes))
            }
        };
        self.ranges.extend(end.map(|end| start..end));
    }

    /// Where the text begins that nothing was taken from yet.
    fn free_from(&self) -> usize {
        self.ranges.last().map_or(0, |range| range.end)
    }

    /// Takes a block, with its quoting if it has any.
    fn take(&mut self, range: Range<usize>) {
        let Range { mut start, mut end } = range;
        let line = quoted_from(self.text, start, self.free_from()).unwrap_or(start);
        let before = &self.text[line..start];
        let second = self.text[start..end].find('\n').map(|at| start + at + 1);
        let quoted = !before.is_empty()
            && second.is_some_and(|second| self.text[second..end].starts_with(before));
        if quoted {
            start = line;
            let rest = &self.text[end..];
            let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
            if rest[..line].trim().is_empty() {
                end += line;
            }
        }
        self.ranges.push(start..end);
    }
}

/// The mark whose name stands at `place`, if there is one around it.
fn mark(text: &str, place: usize) -> Option<Mark> {
    let before = &text[..place];
    let (before, closes) = match before.strip_suffix('/') {
        Some(before) => (before.trim_end_matches('\\'), true),
        None => (before, false),
    };
    let start = ["<", "&lt;", "u003c", "u003C"]
        .into_iter()
        .find_map(|mark| {
            let rest = before.strip_suffix(mark)?;
            match mark.starts_with('u') {
                true => rest
                    .ends_with('\\')
                    .then(|| rest.trim_end_matches('\\').len()),
                false => Some(rest.len()),
            }
        })?;
    let after = &text[place + NAME.len()..];
    let bare = after.trim_start_matches('\\');
    let escapes = after.len() - bare.len();
    let length = [">", "&gt;", "u003e", "u003E"]
        .into_iter()
        .find(|mark| bare.starts_with(mark) && (escapes > 0) == mark.starts_with('u'))?
        .len();
    Some(Mark {
        range: start..place + NAME.len() + escapes + length,
        closes,
    })
}

/// How much of `text`, which follows a mark, is lines of ours.
fn own_lines(text: &str, lines: Lines, at_end: bool) -> usize {
    let mut own = 0;
    let mut from = 0;
    loop {
        let (content, next) = line_of(text, from, lines);
        let line = &text[from..content];
        let is_last = at_end && next.is_none() && content == text.len();
        let blank = unquoted(line).trim().is_empty();
        if !blank && !is_own(line, is_last) {
            // The line end belongs to what follows only if nothing of ours came before it.
            return own;
        }
        match next {
            Some(next) => {
                from = next;
                if !blank || own == 0 && content == 0 {
                    own = next;
                }
            }
            None => return if blank && at_end { own } else { content },
        }
    }
}

/// The end of the line that begins at `from`, and the beginning of the next one.
fn line_of(text: &str, from: usize, lines: Lines) -> (usize, Option<usize>) {
    let bytes = text.as_bytes();
    match lines {
        Lines::Plain => match text[from..].find('\n') {
            Some(at) => (from + at, Some(from + at + 1)),
            None => (text.len(), None),
        },
        Lines::Escaped(escapes) => {
            let mut at = from;
            while at < bytes.len() {
                match bytes[at] {
                    b'\\' => {
                        let run = bytes[at..].iter().take_while(|b| **b == b'\\').count();
                        let end = at + run;
                        if run == escapes && bytes.get(end) == Some(&b'n') {
                            return (at, Some(end + 1));
                        }
                        if run == escapes && bytes.get(end) == Some(&b'r') {
                            let newline = end + 1 + escapes;
                            let follows = text[end + 1..].starts_with(&text[at..end])
                                && bytes.get(newline) == Some(&b'n');
                            return (at, Some(if follows { newline + 1 } else { end + 1 }));
                        }
                        // Whatever is escaped is part of the line, a quotation mark above all.
                        at = end + text[end..].chars().next().map_or(0, char::len_utf8);
                    }
                    // The text that held the block ends here.
                    b'"' | b'\n' => return (at, None),
                    _ => at += 1,
                }
            }
            (text.len(), None)
        }
    }
}

/// Whether a line is the note or a hint of a block. The last line of a text may be cut off anywhere.
fn is_own(line: &str, is_last: bool) -> bool {
    let line = unquoted(line).trim_end();
    let closing = format!("</{NAME}>");
    if line == NOTE || is_last && (NOTE.starts_with(line) || closing.starts_with(line)) {
        return true;
    }
    let Some(hint) = line.strip_prefix("- ") else {
        return is_last && line == "-";
    };
    let id = hint.find(|c| !is_id(c)).unwrap_or(hint.len());
    let rest = &hint[id..];
    match rest.strip_prefix(" (") {
        Some(said) => {
            let kind = said.find(|c: char| !c.is_ascii_lowercase() && c != '-');
            match kind {
                Some(kind) => {
                    let rest = &said[kind..];
                    kind > 0 && (rest.starts_with(", ") || is_last && rest == ",")
                }
                None => is_last,
            }
        }
        // Cut off within its id or right behind it.
        None => is_last && " (".starts_with(rest),
    }
}

/// A line without what quotes it.
fn unquoted(line: &str) -> &str {
    let mut line = line;
    loop {
        let bare = line.trim_start_matches(|c| QUOTING.contains(c));
        match bare.strip_prefix("-- ") {
            Some(rest) => line = rest,
            None => return bare,
        }
    }
}

/// Where the line of `place` begins, if nothing but quoting stands before it there.
fn quoted_from(text: &str, place: usize, free_from: usize) -> Option<usize> {
    let before = &text[free_from..place];
    let quoting = |c: char| QUOTING.contains(c) || c == '-';
    let start = free_from + before.trim_end_matches(quoting).len();
    let begins = text[..start].is_empty() || text[..start].ends_with('\n');
    (begins && unquoted(&text[start..place]).is_empty()).then_some(start)
}

/// The beginning of the line after the one at `place`.
fn line_end(text: &str, place: usize) -> usize {
    text[place..]
        .find('\n')
        .map_or(text.len(), |at| place + at + 1)
}

/// Where the line of a printed hint begins, and how lines end there; none if it stands within a line.
fn hint_start(text: &str, place: usize, free_from: usize) -> Option<(usize, Lines)> {
    let before = &text[..place];
    // On a terminal the name is bold.
    let before = before.strip_suffix("\x1b[1m").unwrap_or(before);
    let bare = before.trim_end_matches(|c| QUOTING.contains(c));
    if bare.is_empty() || bare.ends_with('\n') || bare.len() == free_from {
        return Some((bare.len().max(free_from), Lines::Plain));
    }
    // The first line of an escaped text, or one after an escaped end of line.
    if bare.ends_with('"') && bare.len() == before.len() {
        let escapes = bare.len() - 1 - bare[..bare.len() - 1].trim_end_matches('\\').len();
        return Some((bare.len(), Lines::Escaped(escapes * 2 + 1)));
    }
    let letters = bare.strip_suffix('n')?;
    let escapes = letters.len() - letters.trim_end_matches('\\').len();
    (escapes > 0 && bare.len() == before.len()).then_some((bare.len(), Lines::Escaped(escapes)))
}

/// Whether a line names a lesson last.
fn ends_with_lesson(line: &str) -> bool {
    let named = line.strip_suffix(']').and_then(|line| {
        let digits = line.len().checked_sub(LESSON_DIGITS)?;
        let (before, digits) = line.split_at_checked(digits)?;
        Some(before.ends_with(LESSON) && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
    });
    named == Some(true)
}

/// Where an escaped line ends that has its last word at `end`, its line end included; none if more stands on it.
fn escaped_end(text: &str, end: usize, escapes: usize) -> Option<usize> {
    let rest = &text[end..];
    if rest.is_empty() || rest.starts_with(['"', '\n', '\r']) {
        return Some(end);
    }
    // Only the line end itself is looked at: what follows may be long.
    let head = &rest[..rest.floor_char_boundary(2 * escapes + 2)];
    match line_of(head, 0, Lines::Escaped(escapes)) {
        (0, Some(next)) => Some(end + next),
        // The quotation mark that ends the text around is escaped itself.
        _ => {
            let bare = rest.trim_start_matches('\\');
            (bare.len() < rest.len() && bare.starts_with('"')).then_some(end)
        }
    }
}
