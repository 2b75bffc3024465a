//! Recordings of asciinema in which the shell marks its commands (OSC 133, or OSC 633 of VS Code).
//!
//! Without those marks nobody can tell commands from outputs, and no exit code is written down: such a recording yields
//! nothing. Most shells have an integration that writes them.

use std::{io, path::Path};

use serde_json::Value;

use super::{
    formats::{self, Yield},
    records,
    session::{Calls, End, Session},
};

/// Whether a record is the head of a recording.
pub(crate) fn recognizes(record: &Value) -> bool {
    matches!(record["version"].as_u64(), Some(2 | 3))
        && (record["width"].is_number() || record["term"].is_object())
}

/// Reads a recording.
pub(crate) fn read(path: &Path) -> io::Result<Yield> {
    let (mut begun_at, mut is_relative, mut clock) = (0_u64, false, 0.0_f64);
    let mut id = String::new();
    let mut screen = Screen::default();
    let mut title = None;
    let damaged = records::lines(path, |record| {
        if record.is_object() {
            begun_at = records::time(&record["timestamp"]);
            is_relative = record["version"] == 3;
            title = record["title"].as_str().map(str::to_owned);
            id = formats::named_by_beginning(path, std::slice::from_ref(&record));
            return;
        }
        let seconds = record[0].as_f64().unwrap_or_default().max(0.0);
        clock = if is_relative {
            clock + seconds
        } else {
            seconds
        };
        if record[1] == "o" {
            screen.now = begun_at.saturating_add((clock * 1_000.0) as u64);
            screen.write(record[2].as_str().unwrap_or_default());
        }
    })?;
    let mut calls = Calls::default();
    calls.ask(&title.unwrap_or_default());
    for (place, command) in screen.commands.into_iter().enumerate() {
        let key = format!("{id}#{place}");
        calls.begin(&key, &command.line, None, command.begun_at);
        calls.end(
            &key,
            command.ended_at,
            &command.output,
            End::Exit(command.exit),
        );
    }
    let session = Session {
        id,
        steps: calls.into_steps(),
        ..Session::default()
    };
    Ok(Yield {
        sessions: vec![session],
        damaged,
    })
}

struct Command {
    line: String,
    output: String,
    exit: i64,
    begun_at: u64,
    ended_at: u64,
}

/// What is being written.
#[derive(Default, PartialEq)]
enum Area {
    #[default]
    Prompt,
    /// What is typed.
    Line,
    Output,
}

/// A terminal as far as marks and plain text go.
#[derive(Default)]
struct Screen {
    now: u64,
    area: Area,
    /// The beginning of an escape sequence whose end has not come yet.
    pending: String,
    text: String,
    /// Something moved the cursor: what was typed can't be told from its echo.
    is_unclear: bool,
    /// The command line, as the shell itself says it.
    said: Option<String>,
    line: Option<String>,
    begun_at: u64,
    commands: Vec<Command>,
}

/// A sequence without an end in so many bytes is damaged.
const LONGEST_SEQUENCE: usize = 64 << 10;

impl Screen {
    fn write(&mut self, data: &str) {
        let data = std::mem::take(&mut self.pending) + data;
        let mut rest = data.as_str();
        while let Some(at) = rest.find('\x1b') {
            self.put(&rest[..at]);
            let sequence = &rest[at..];
            let Some(length) = sequence_length(sequence) else {
                if sequence.len() < LONGEST_SEQUENCE {
                    sequence.clone_into(&mut self.pending);
                }
                return;
            };
            self.obey(&sequence[..length]);
            rest = &sequence[length..];
        }
        self.put(rest);
    }

    fn put(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '\u{8}' if self.area == Area::Line => drop(self.text.pop()),
                '\r' | '\u{7}' | '\u{8}' => {}
                c => self.text.push(c),
            }
        }
    }

    fn obey(&mut self, sequence: &str) {
        let Some(command) = sequence.strip_prefix("\x1b]") else {
            // Colours change nothing; all else may move the cursor.
            let is_plain = sequence.ends_with(['m', 'h', 'l']) || sequence == "\x1b[K";
            self.is_unclear |= self.area == Area::Line && !is_plain;
            return;
        };
        let command = command.trim_end_matches(['\u{7}', '\\', '\x1b']);
        let Some(mark) = command
            .strip_prefix("133;")
            .or_else(|| command.strip_prefix("633;"))
        else {
            return;
        };
        let (mark, arguments) = mark.split_once(';').unwrap_or((mark, ""));
        match mark {
            "A" => self.enter(Area::Prompt),
            "B" => {
                self.enter(Area::Line);
                self.is_unclear = false;
                self.said = None;
            }
            "E" => self.said = Some(unescaped(arguments.split(';').next().unwrap_or_default())),
            "C" => {
                let typed = std::mem::take(&mut self.text).trim().to_owned();
                self.line = self
                    .said
                    .take()
                    .or_else(|| (!self.is_unclear).then_some(typed));
                self.begun_at = self.now;
                self.enter(Area::Output);
            }
            "D" => {
                let exit = records::leading_number(arguments);
                let output = std::mem::take(&mut self.text);
                if let (Area::Output, Some(line), Some(exit)) = (&self.area, self.line.take(), exit)
                {
                    self.commands.push(Command {
                        line,
                        output,
                        exit,
                        begun_at: self.begun_at,
                        ended_at: self.now,
                    });
                }
                self.enter(Area::Prompt);
            }
            _ => {}
        }
    }

    fn enter(&mut self, area: Area) {
        self.area = area;
        self.text.clear();
    }
}

/// The length of the escape sequence that a text begins with; none if its end is missing.
fn sequence_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.get(1)? {
        b']' | b'P' | b'_' | b'^' => {
            let bell = text.find('\u{7}').map(|at| at + 1);
            let end = text[2..].find("\x1b\\").map(|at| at + 4);
            match (bell, end) {
                (Some(bell), Some(end)) => Some(bell.min(end)),
                (bell, end) => bell.or(end),
            }
        }
        b'[' => {
            let end = bytes[2..]
                .iter()
                .position(|byte| (0x40..=0x7e).contains(byte))?;
            Some(end + 3)
        }
        b'(' | b')' | b'#' => bytes.get(2).map(|_| 3),
        _ => Some(1 + text[1..].chars().next()?.len_utf8()),
    }
}

/// A command line with `\xAB` for a byte and `\\` for a backslash, as VS Code's marks have it.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let hex = rest.strip_prefix('x').and_then(|hex| hex.get(..2));
        if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            plain.push(byte.into());
            rest = &rest[3..];
        } else if let Some(c) = rest.chars().next() {
            plain.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(pieces: &[&str]) -> Vec<(String, String, i64)> {
        let mut screen = Screen::default();
        pieces.iter().for_each(|piece| screen.write(piece));
        let all = screen.commands.into_iter();
        all.map(|one| (one.line, one.output, one.exit)).collect()
    }

    #[test]
    fn a_marked_command_is_told_from_its_prompt_and_its_output() {
        let found = commands(&[
            "\x1b]133;A\x07$ \x1b]133;B\x07gti\u{8}\u{8}it push\r\n\x1b]13",
            "3;C\x07\x1b[31mrejected\x1b[0m\r\n\x1b]133;D;1\x1b\\\x1b]133;A\x07$ ",
        ]);
        assert_eq!(found, [("git push".to_owned(), "rejected\n".to_owned(), 1)]);
    }

    #[test]
    fn the_shell_s_own_words_count_more_than_the_echo() {
        let found = commands(&[
            "\x1b]633;A\x07$ \x1b]633;B\x07ec\x1b[2Dho\x1b]633;E;echo a\\x3b b;nonce\x07\x1b]633;C\x07a; b\r\n\x1b]633;D;0\x07",
        ]);
        assert_eq!(found, [("echo a; b".to_owned(), "a; b\n".to_owned(), 0)]);
    }

    #[test]
    fn what_can_not_be_told_for_sure_is_left_out() {
        // The cursor moved, there is no exit code, there are no marks.
        assert!(commands(&["\x1b]133;B\x07ls\x1b[2D\x1b]133;C\x07a\x1b]133;D;0\x07"]).is_empty());
        assert!(commands(&["\x1b]133;B\x07ls\x1b]133;C\x07a\x1b]133;D\x07"]).is_empty());
        assert!(commands(&["$ ls\r\na b\r\n$ "]).is_empty());
    }
}
