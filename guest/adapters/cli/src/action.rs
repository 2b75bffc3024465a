//! The command of an action: what was run, however it was given, and how it is shown.
//!
//! Owns the text of an action. A command is shown as it is: without the shells and timers around it and without the place
//! where it ran, so that `["bash", "-lc", "cd app && npm test"]` and `["npm", "test"]` are the same. Of a list that failed
//! only the part that failed is shown, with what feeds it.

use std::fmt;

use serde::{Deserialize, Deserializer, de};
use twiceshy_adapter::Failure;
use twiceshy_shell::{Connector, Line, failed_command, is_probe};

use crate::payload::Observation;

/// The line in bytes, as the contract has it.
const LINE_BYTES: usize = 4 << 10;

/// What stands for the rest of a line that is too long.
const CUT: &str = "…";

/// A command, given as words or as a line for a shell.
#[derive(Debug, Clone)]
pub struct Command {
    /// What is in it.
    pub line: Line,
}

impl Command {
    /// The command that a line is.
    pub fn of_line(line: &str) -> Self {
        Self {
            line: twiceshy_shell::parse(line),
        }
    }

    /// The command that the words of a program and its arguments are.
    pub fn of_words(words: &[String]) -> Self {
        Self::of_line(&twiceshy_shell::join(words))
    }
}

/// The same command in the same place, however it is wrapped.
impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        self.line.text == other.line.text && self.line.place == other.line.place
    }
}

impl<'de> Deserialize<'de> for Command {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Given;
        impl<'de> de::Visitor<'de> for Given {
            type Value = Command;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a list of words or a command line")
            }

            fn visit_str<E: de::Error>(self, line: &str) -> Result<Command, E> {
                Ok(Command::of_line(line))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut words: A) -> Result<Command, A::Error> {
                let mut all: Vec<String> = Vec::new();
                while let Some(word) = words.next_element()? {
                    all.push(word);
                }
                Ok(Command::of_words(&all))
            }
        }
        deserializer.deserialize_any(Given)
    }
}

/// The number of the command that failed; none if it is no single one.
pub(crate) fn failed(line: &Line, output: &str, exit: Option<i64>) -> Option<usize> {
    // The output of a line that exits 0 told of an error: somebody failed, named or not.
    let exit = exit
        .filter(|exit| *exit != 0)
        .and_then(|exit| i32::try_from(exit).ok());
    failed_command(line, output, exit)
}

/// One line for an action, at most 4 KiB: what failed, or all of it.
pub(crate) fn text(line: &Line, failure: Option<&Failure>, seen: &Observation) -> String {
    let text = match failure {
        Some(failure) => failed_text(line, failure, seen),
        None => line.text.clone(),
    };
    let one_line = twiceshy_shell::one_line(&text);
    match one_line.is_empty() {
        // Nothing that can be seen.
        true => shown(&twiceshy_shell::join(&[text])),
        false => shown(&one_line),
    }
}

/// Somebody made a failure of the answer: `[ -f a ] || exit 1`.
pub(crate) fn is_made_a_failure(line: &Line, probe: usize) -> bool {
    let mut rest = line.commands[probe..].iter().skip(1);
    rest.any(|one| matches!(one.program(), "exit" | "return" | "false"))
}

fn failed_text(line: &Line, failure: &Failure, seen: &Observation) -> String {
    let Some(index) = failed(line, &failure.evidence, seen.exit) else {
        return line.text.clone();
    };
    let command = &line.commands[index];
    if is_probe(command) && is_made_a_failure(line, index) {
        return line.text.clone();
    }
    // What was ended by its own timer is not the same with another one.
    let is_timed = seen.exit == Some(124) && command.wrappers.iter().any(|name| name == "timeout");
    if line.commands.len() == 1 && !is_timed {
        return line.text.clone();
    }
    let mut first = index;
    while first > 0 && line.commands[first - 1].connector == Some(Connector::Pipe) {
        first -= 1;
    }
    let mut text = String::new();
    for (at, command) in line.commands.iter().enumerate().take(index + 1).skip(first) {
        if at > first {
            text.push_str(" | ");
        }
        if is_timed && !command.prefix.is_empty() {
            text.push_str(&command.prefix);
            text.push(' ');
        }
        text.push_str(&command.text);
    }
    // Who read its errors is not shown.
    if command.connector == Some(Connector::Pipe)
        && let Some(rest) = text.strip_suffix("2>&1")
    {
        text.truncate(rest.trim_end().len());
    }
    text
}

/// A line of at most 4 KiB.
fn shown(line: &str) -> String {
    if line.len() <= LINE_BYTES {
        return line.to_owned();
    }
    let end = line.floor_char_boundary(LINE_BYTES - CUT.len());
    format!("{}{CUT}", &line[..end])
}

/// The failed command by its program and what it was to do: `git push`. Without the version and the ending of a program,
/// which would make a number or a path of its name.
pub(crate) fn name(line: &Line, exit: Option<i64>) -> String {
    let last = line.commands.len() - 1;
    let command = &line.commands[failed(line, "", exit).unwrap_or(last)];
    let program = command.program();
    let stem = program.split('.').find(|part| !part.is_empty());
    let stem = stem
        .unwrap_or(program)
        .trim_end_matches(|c: char| c.is_ascii_digit());
    let program = if stem.is_empty() { program } else { stem };
    match (program, command.verb()) {
        ("", _) => "the command".to_owned(),
        (program, Some(verb)) => format!("{program} {verb}"),
        (program, None) => program.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_within_four_kib() {
        for word in [
            "x".repeat(5_000),
            "ж ".repeat(3_000),
            "\u{1}".repeat(4_000),
            "'\"".repeat(1_400),
        ] {
            let words = ["echo".to_owned(), word, "more".to_owned()];
            let line = Command::of_words(&words).line;
            let cut = shown(&twiceshy_shell::one_line(&line.text));
            assert!(
                cut.len() <= LINE_BYTES && cut.ends_with(CUT),
                "{}",
                cut.len()
            );
        }
        let whole = format!("echo {}", "x".repeat(LINE_BYTES - 5));
        assert_eq!(shown(&whole), whole);
    }

    fn shown_of(command: &str, exit: i64, stderr: &str) -> String {
        let line = twiceshy_shell::parse(command);
        let seen =
            serde_json::json!({"exit": exit, "stdout": "", "stderr": stderr, "duration-ms": 1});
        let seen = twiceshy_adapter::read("observation", &seen.to_string()).expect("one");
        let failure = (exit != 0).then(|| Failure {
            reason: String::new(),
            evidence: stderr.to_owned(),
        });
        text(&line, failure.as_ref(), &seen)
    }

    #[test]
    fn what_failed_is_shown_so_that_it_can_be_pasted() {
        for (command, exit, stderr, text) in [
            ("cd app && npm ci && npm test", 0, "", "npm ci && npm test"),
            ("cd app && npm ci && npm test", 1, "1 failing", "npm test"),
            (
                "cd app && npm ci && npm test",
                1,
                "npm ERR! code E404",
                "npm test",
            ),
            ("cd app && npm ci && tsc", 1, "npm ERR! code E404", "npm ci"),
            (
                "cd /no && npm test",
                1,
                "bash: line 1: cd: /no: No such file or directory",
                "cd /no",
            ),
            (
                "cat a | jq .x | sort",
                5,
                "jq: error: Cannot index",
                "cat a | jq .x",
            ),
            ("npm test 2>&1 | tail -5", 1, "", "npm test"),
            ("npm test && echo ok", 1, "", "npm test"),
            ("X=1 sudo make install", 2, "", "X=1 sudo make install"),
            ("timeout 5 ./serve", 1, "", "./serve"),
            ("timeout 5 ./serve", 124, "", "timeout 5 ./serve"),
            ("bash -c 'timeout 5 ./serve'", 124, "", "timeout 5 ./serve"),
            ("a\nb # c\nd", 0, "", "a; b; d"),
            (
                "python3 - <<'E'\nprint(1)\nE",
                1,
                "x",
                "python3 - <<< \"print(1)\"",
            ),
            ("echo no; exit 1", 1, "", "echo no; exit 1"),
            ("[ -e a ] || exit 1", 1, "", "[ -e a ] || exit 1"),
            ("\0\u{1}", 0, "", "$'\\000\\001'"),
            ("echo 'open", 2, "bash: unexpected EOF", "echo 'open"),
        ] {
            assert_eq!(shown_of(command, exit, stderr), text, "{command}");
        }
    }
}
