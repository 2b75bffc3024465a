//! Diagnostics: lines in which a program itself says that something went wrong, where its exit code does not.
//!
//! Owns their shapes and where they count. A line counts by its form, `error: …`, `file:3:5: error: …`,
//! `name: …: No such file or directory`, the head of a traceback, never because a word is in it: logs, listings
//! and searches are full of such words. On standard error any such line counts. Standard output is data; there
//! it counts only if the command itself led standard error into it and lost an exit code on the way, as in
//! `make 2>&1 | tail`, if the whole of it is one JSON object that tells of an error, or, if nobody knows the
//! exit code, at its end; [complaints](crate::complaint) count then, too. What the command asks for or makes up its mind about (`grep error`, `|| true`) does not
//! count.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use twiceshy_shell::{Command, Connector, Line, is_looking_around};
use twiceshy_text::control::without_sequences;

use crate::{
    complaint::{is_complaint, is_unasked_usage, speaks_as_program},
    evidence,
    payload::Observation,
    tally::{Tally, What},
};

/// The lines at the end of an output that decide if there is no exit code.
const LAST_LINES: usize = 5;

/// The stream that tells of an error, bounded; none if no stream does.
pub(crate) fn error_text<'a>(line: &Line, seen: &'a Observation) -> Option<Cow<'a, str>> {
    if has_a_second_way(line) {
        return None;
    }
    let text = evidence::bounded(&seen.stderr);
    let complains = |told: &str| seen.exit.is_none() && is_complaint(line, told);
    if lines(&text).any(|told| is_diagnostic(told) || complains(told)) {
        return Some(text);
    }
    let text = evidence::bounded(&seen.stdout);
    let tells = if seen.exit.is_none() {
        ends_with_error(line, &text) || is_answer_of_failure(&text)
    } else if merges_and_loses(line) {
        lines(&text).any(is_diagnostic) || has_failed_tests(&text)
    } else {
        is_answer_of_failure(&text)
    };
    (tells && !asks_for_errors(line)).then_some(text)
}

/// The line itself says what to do if something fails: `rm a || true`.
fn has_a_second_way(line: &Line) -> bool {
    let commands = &line.commands;
    let opaque = |command: &Command| command.is_opaque && command.text.contains("||");
    commands
        .iter()
        .any(|one| one.connector == Some(Connector::Or) || opaque(one))
}

/// The last lines tell of an error, or the first one is a usage that nobody asked for. Without an exit code they decide: who
/// prints an error and continues has more to say after it. What shows the words of others counts only if it speaks of
/// itself, as in `cat: a.txt: No such file`.
fn ends_with_error(line: &Line, text: &str) -> bool {
    let all: Vec<_> = lines(text).filter(|told| !told.trim().is_empty()).collect();
    let shows = line.commands.iter().all(is_looking_around);
    let tells = |told: &&str| match shows {
        true => speaks_as_itself(line, told),
        false => is_diagnostic(told) || is_complaint(line, told),
    };
    let begins = all
        .first()
        .is_some_and(|told| is_unasked_usage(line, told.trim()));
    all.iter().rev().take(LAST_LINES).any(tells) || (!shows && (begins || has_failed_tests(text)))
}

/// A program that shows the words of others complains under its own name, or its shell does.
fn speaks_as_itself(line: &Line, told: &str) -> bool {
    let name = told.split(':').next().unwrap_or(told);
    let shell = matches!(
        name,
        "bash" | "sh" | "zsh" | "-bash" | "/bin/sh" | "/bin/bash"
    );
    let own = shell || line.commands.iter().any(|one| one.program() == name);
    own && is_diagnostic(told) || speaks_as_program(line, told)
}

/// The lines of a text. Progress that overwrites itself has carriage returns between its states.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .flat_map(|line| line.split('\r'))
        .filter(|line| !line.is_empty())
}

/// A line that leads standard error into standard output, and whose exit code is not that of all its commands.
fn merges_and_loses(line: &Line) -> bool {
    let merges = |one: &Command| {
        one.redirections.iter().any(|one| {
            one.operator.starts_with("&>") || (one.operator == "2>&" && one.target == "1")
        }) || (one.is_opaque && one.text.contains("2>&1"))
    };
    let loses = |one: &Command| {
        matches!(
            one.connector,
            Some(Connector::Pipe | Connector::Then | Connector::Line)
        ) || (one.is_opaque && one.text.contains(['|', ';', '\n']))
    };
    let merged = line.commands.iter().any(merges) || line.text.contains("|&");
    merged && line.commands.iter().any(loses) && !line.has_pipefail
}

/// What is looked for is no failure when it is found.
fn asks_for_errors(line: &Line) -> bool {
    let asks = |text: &String| {
        let lower = text.to_ascii_lowercase();
        ["error", "fail", "fatal", "exception", "traceback"]
            .iter()
            .any(|word| lower.contains(word))
    };
    line.commands.iter().any(|one| match one.is_opaque {
        true => asks(&one.text),
        false => one.words.iter().skip(1).any(asks),
    })
}

fn has_failed_tests(text: &str) -> bool {
    Tally::of(text, "").is_some_and(|tally| tally.what == What::Tests && !tally.is_complete())
}

/// One JSON object that tells of an error, as services answer.
fn is_answer_of_failure(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Answer {
        error: Option<Value>,
        errors: Option<Value>,
        message: Option<Value>,
        ok: Option<Value>,
        success: Option<Value>,
    }
    if !text.trim_start().starts_with('{') {
        return false;
    }
    let Ok(answer) = serde_json::from_str::<Answer>(text) else {
        return false;
    };
    let says = |value: &Value| match value {
        Value::String(text) => !text.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => false,
    };
    let denied = |value: &Option<Value>| *value == Some(Value::Bool(false));
    let refused =
        denied(&answer.ok) || denied(&answer.success) || answer.error == Some(Value::Bool(true));
    answer.error.as_ref().is_some_and(says)
        || matches!(&answer.errors, Some(Value::Array(errors)) if errors.first().is_some_and(says))
        || (refused && answer.message.as_ref().is_some_and(says))
}

/// The line says that something went wrong.
fn is_diagnostic(line: &str) -> bool {
    let line = without_sequences(line);
    let line = line.trim_end();
    // What is indented belongs to something else: an excerpt, a frame, an advice.
    if line.is_empty() || line.starts_with(char::is_whitespace) {
        return false;
    }
    let tells =
        label(line).unwrap_or_else(|| ends_with_cause(line) || is_cry(line) || is_record(line));
    tells && !is_excused(line)
}

/// Words at the beginning of a line that are said only when something broke.
fn is_cry(line: &str) -> bool {
    const CRIES: [&str; 12] = [
        "Traceback (most recent call last)",
        "Exception in thread ",
        "Unhandled ",
        "Uncaught ",
        "Segmentation fault",
        "Aborted (core dumped)",
        "panic: ",
        "Can't locate ",
        "Undefined subroutine ",
        "syntax error at ",
        "Died at ",
        "FATAL ",
    ];
    // Most lines are decided by their first byte.
    let first = line.as_bytes()[0];
    CRIES
        .iter()
        .any(|cry| cry.as_bytes()[0] == first && line.starts_with(cry))
        || (line.starts_with("thread '") && line.contains("panicked at"))
        || (line.contains('*') && is_stop(line))
        || is_cry_of_a_tool(line)
}

/// `make: *** [Makefile:2: all] Error 1`.
fn is_stop(line: &str) -> bool {
    line.contains(": *** ") && (line.contains(" Error ") || line.ends_with("Stop."))
}

/// `tool ERR! code 1`, `tool error Missing script`, `error Command failed`.
fn is_cry_of_a_tool(line: &str) -> bool {
    let mut words = line.split(' ');
    let mut word = words.next().unwrap_or("");
    let is_article = matches!(word, "an" | "the" | "this" | "any" | "no" | "every" | "one");
    if !is_article && word != "error" && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        word = words.next().unwrap_or("");
    }
    let next = words.next().unwrap_or("");
    word == "ERR!"
        || (word == "error"
            && (next == "code" || next.starts_with(|c: char| c.is_ascii_uppercase() || c == '`')))
}

/// Whether a label at the beginning tells of an error, after names and places at most: `error: …`,
/// `a.c:3:5: error: …`, `tool: cannot …`; none if there is no label that decides it.
fn label(line: &str) -> Option<bool> {
    let mut rest = line;
    for _ in 0..5 {
        let (label, after) = split_label(rest)?;
        if is_soft(label) {
            return Some(false);
        }
        let spaced = after.starts_with(' ');
        if is_error(label) && (spaced || after.is_empty()) {
            return Some(true);
        }
        if !is_name(label) {
            return None;
        }
        rest = after.strip_prefix(' ').unwrap_or(after);
        if spaced && tells_cause(rest) {
            return Some(true);
        }
    }
    None
}

/// What stands before the first colon that is not in parentheses, and what stands after it.
fn split_label(text: &str) -> Option<(&str, &str)> {
    let (label, after) = text.split_once(':')?;
    match label.contains('(') && !label.contains(')') {
        true => {
            let end = text.find("):")? + 1;
            Some((&text[..end], &text[end + 1..]))
        }
        false => Some((label, after)),
    }
}

/// What follows is not an error, whatever words are in it.
fn is_soft(label: &str) -> bool {
    let word = label.rsplit(' ').next().unwrap_or(label);
    let bare = word.split('[').next().unwrap_or(word);
    bare.ends_with("Warning")
        || [
            "warning",
            "warn",
            "note",
            "hint",
            "help",
            "info",
            "debug",
            "trace",
            "notice",
            "usage",
            "deprecated",
            "deprecation",
            "advice",
            "tip",
        ]
        .iter()
        .any(|soft| bare.eq_ignore_ascii_case(soft))
}

/// `error`, `Parse error near line 1`, `error[E0425]`, `error TS2322`, `java.io.IOException`.
fn is_error(label: &str) -> bool {
    if !label.contains(' ') && (label.ends_with("Error") || label.ends_with("Exception")) {
        return true;
    }
    if label == "E" {
        return true;
    }
    let mut rest = label.split(' ');
    let mut first = rest.next().unwrap_or("");
    if [
        "parse", "syntax", "runtime", "fatal", "internal", "compile", "type", "uncaught",
    ]
    .iter()
    .any(|kind| first.eq_ignore_ascii_case(kind))
    {
        match rest.clone().next() {
            Some(next) if next.eq_ignore_ascii_case("error") => {
                first = next;
                rest.next();
            }
            _ => {}
        }
    }
    let bare = first.split('[').next().unwrap_or(first);
    let named = ["error", "fatal", "critical", "panic", "failure", "abort"]
        .iter()
        .any(|name| bare.eq_ignore_ascii_case(name));
    // `Error handling: done` is a heading; a code or a place may follow.
    named
        && match rest.next() {
            None => true,
            Some("near" | "at" | "in" | "on") => true,
            Some(next) => {
                next.starts_with('(')
                    || (next.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
                        && next.ends_with(|c: char| c.is_ascii_digit()))
            }
        }
}

/// A program, a file or a place: `bash`, `line 3`, `src/a.c`, `3`.
fn is_name(label: &str) -> bool {
    !label.is_empty() && label.len() <= 200 && label.split(' ').count() <= 2
}

/// Begins with what went wrong, as after the name of a program.
fn tells_cause(text: &str) -> bool {
    const CAUSES: [&str; 20] = [
        "cannot ",
        "can't ",
        "could not ",
        "couldn't ",
        "unable to ",
        "failed to ",
        "failed: ",
        "no such ",
        "unknown ",
        "unrecognized ",
        "unrecognised ",
        "invalid ",
        "illegal ",
        "bad ",
        "missing ",
        "undefined reference ",
        "syntax error",
        "unexpected ",
        "malformed ",
        "not a ",
    ];
    let starts = |cause: &&str| {
        text.get(..cause.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(cause))
    };
    CAUSES.iter().any(starts)
}

/// `name: …: No such file or directory`: what the operating system says.
fn ends_with_cause(line: &str) -> bool {
    const CAUSES: [&str; 26] = [
        "no such file or directory",
        "permission denied",
        "command not found",
        "not found",
        "is a directory",
        "not a directory",
        "file exists",
        "directory not empty",
        "no space left on device",
        "connection refused",
        "connection reset by peer",
        "connection timed out",
        "operation not permitted",
        "operation timed out",
        "broken pipe",
        "no such process",
        "resource busy",
        "read-only file system",
        "argument list too long",
        "exec format error",
        "invalid argument",
        "input/output error",
        "cannot allocate memory",
        "too many open files",
        "name or service not known",
        "network is unreachable",
    ];
    let line = line.strip_suffix('.').unwrap_or(line);
    let Some((before, tail)) = line.rsplit_once(':') else {
        return false;
    };
    let Some(tail) = tail.strip_prefix(' ') else {
        return false;
    };
    CAUSES.iter().any(|cause| tail.eq_ignore_ascii_case(cause))
        && is_name(before.split(": ").next().unwrap_or(before))
}

/// A record of a log whose level is that of an error.
fn is_record(line: &str) -> bool {
    if !line.starts_with(|c: char| c.is_ascii_digit() || "[<|EFCSlt".contains(c)) {
        return false;
    }
    let is_level = |word: &str| {
        let word = word.trim_matches(|c: char| "[]<>|:".contains(c));
        let word = word.split(':').next().unwrap_or(word);
        matches!(
            word,
            "ERROR" | "FATAL" | "CRITICAL" | "SEVERE" | "level=error" | "level=fatal"
        )
    };
    let mut words = line.split(' ').filter(|word| !word.is_empty());
    // After a time there may be a process, a thread and a name before the level.
    let dated =
        line.starts_with(|c: char| c.is_ascii_digit() || c == '[') || line.starts_with("time=");
    match dated {
        true => words.take(7).any(is_level),
        false => words
            .next()
            .is_some_and(|word| is_level(word) && word.len() < line.len()),
    }
}

/// The program continues, or says that there is none.
fn is_excused(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    [
        "ignor",
        "retry",
        "fall back",
        "falling back",
        "fallback",
        "skipp",
        "continuing",
        "recover",
        "non-fatal",
        "nonfatal",
        "not an error",
        "no error",
        "without error",
        "(warning)",
    ]
    .iter()
    .any(|excuse| lower.contains(excuse))
}

#[cfg(test)]
mod tests;
