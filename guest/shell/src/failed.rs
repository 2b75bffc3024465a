//! Which command of a line failed.
//!
//! Owns how an output names the program that it comes from: `git: …`, `bash: line 1: foo: command not found`,
//! `npm ERR! …`. Where it names none, the connectors decide: what a line is for is what failed.

use crate::{Command, Connector, Line, base_name, success::subject};

/// The last part of an output that is searched for a name, in bytes.
const READ_BYTES: usize = 16 << 10;

/// The command that failed, by its number from 0. None if the output names no command, and the line exits 0 or has none
/// that can fail by itself, as `echo no; exit 1`.
///
/// ```
/// use twiceshy_shell::{failed_command, parse};
/// let line = parse("cat notes.txt | sort && make");
/// assert_eq!(failed_command(&line, "cat: notes.txt: No such file or directory", Some(1)), Some(0));
/// assert_eq!(failed_command(&line, "", Some(2)), Some(2));
/// assert_eq!(failed_command(&line, "all is well", Some(0)), None);
/// ```
pub fn failed_command(line: &Line, output: &str, exit_code: Option<i32>) -> Option<usize> {
    let named = match line.commands.len() {
        1 => None,
        _ => named(line, output),
    };
    match (named, exit_code) {
        (Some(command), _) => Some(command),
        (None, Some(0)) => None,
        (None, _) => subject(line),
    }
}

/// The command that the last line which names any is from; of one pipeline, the first that is named.
fn named(line: &Line, output: &str) -> Option<usize> {
    let start = output.ceil_char_boundary(output.len().saturating_sub(READ_BYTES));
    let mut found: Option<usize> = None;
    for text in output[start..].lines() {
        let Some(command) = named_by(line, text).filter(|_| !is_soft(text)) else {
            continue;
        };
        found = match found {
            // The first of a pipeline is the cause, whoever speaks first.
            Some(known) if is_same_pipeline(line, known, command) => Some(known.min(command)),
            _ => Some(command),
        };
    }
    found
}

fn is_same_pipeline(line: &Line, one: usize, other: usize) -> bool {
    let (first, last) = (one.min(other), one.max(other));
    line.commands[first..last]
        .iter()
        .all(|command| command.connector == Some(Connector::Pipe))
}

/// The line is no complaint.
fn is_soft(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.contains("warn") || lower.contains("deprecated")
}

/// The command that one line of the output names as the one that it is from.
fn named_by(line: &Line, text: &str) -> Option<usize> {
    let text = text.trim_end();
    if text.starts_with(char::is_whitespace) {
        return None;
    }
    let (head, rest) = match text.split_once(": ") {
        Some((head, rest)) if head.len() <= 200 => (head, rest),
        _ => {
            // `npm ERR! code 1`, `npm error Missing script`
            let (first, rest) = text.split_once(' ')?;
            let told = rest.starts_with("ERR!") || rest.starts_with("error ");
            return told.then(|| best(line, text, |command| command.program() == first))?;
        }
    };
    let name = head.trim_start_matches('-');
    // `make[1]`, `sudo(123)`
    let name = name.split(['[', '(']).next().unwrap_or(name);
    let name = base_name(name);
    if name == "fatal" {
        return best(line, text, |command| command.program() == "git");
    }
    let own = || best(line, text, |command| command.program() == name);
    let script = || {
        best(line, text, |command| {
            let mut arguments = command.words.iter().skip(1);
            name.contains('.') && arguments.any(|word| base_name(word) == name)
        })
    };
    let wrapped = || within_wrapper(line, text, name, rest);
    wrapped().or_else(own).or_else(script)
}

/// What a shell or another wrapper says of the command that it was to run.
fn within_wrapper(line: &Line, text: &str, name: &str, rest: &str) -> Option<usize> {
    let is_shell = matches!(
        name,
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "eval"
    );
    let is_wrapper = matches!(
        name,
        "sudo"
            | "env"
            | "timeout"
            | "nice"
            | "nohup"
            | "time"
            | "exec"
            | "stdbuf"
            | "xargs"
            | "doas"
    );
    if !is_shell && !is_wrapper {
        return None;
    }
    let parts = rest
        .split(": ")
        .map(|part| part.trim_matches(|c: char| c.is_whitespace() || "'\"`‘’:".contains(c)));
    for part in parts {
        // `zsh: command not found: foo`, `timeout: failed to run command ‘foo’`
        let words = part.rsplit(' ').next().unwrap_or(part);
        for candidate in [part, words.trim_matches(|c: char| "'\"`‘’".contains(c))] {
            let found = best(line, text, |command| {
                let program = command.words.first().map_or("", String::as_str);
                let streams = || {
                    command
                        .redirections
                        .iter()
                        .any(|one| one.target == candidate)
                };
                program == candidate || command.program() == candidate || (is_shell && streams())
            });
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Of the commands that fit, the one whose words the text has most of, and else the last.
fn best(line: &Line, text: &str, fits: impl Fn(&Command) -> bool) -> Option<usize> {
    let known = |command: &Command| {
        let words = command.words.iter().skip(1);
        words.filter(|word| has_word(text, word)).count()
    };
    let mut fitting = (0..line.commands.len()).filter(|at| fits(&line.commands[*at]));
    let first = fitting.next()?;
    let mut found = (first, None);
    for at in fitting {
        let before = found.1.unwrap_or_else(|| known(&line.commands[first]));
        let now = known(&line.commands[at]);
        found = match now >= before {
            true => (at, Some(now)),
            false => (found.0, Some(before)),
        };
    }
    Some(found.0)
}

/// The text has the word by itself; a short one in quotes.
fn has_word(text: &str, word: &str) -> bool {
    let is_quote = |c: char| "'\"`‘’“”".contains(c);
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            let stands = |c: Option<char>| match word.len() {
                1 | 2 => c.is_some_and(is_quote),
                _ => c.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '-'),
            };
            stands(before) && stands(after)
        })
}
