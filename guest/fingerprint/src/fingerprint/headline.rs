//! The headline of an output: the one line that says what went wrong.
//!
//! It owns the choice among lines: errors before warnings, causes before consequences, messages before
//! frames and code excerpts. It does not mask anything. It holds slices of the text, never copies.

use super::hearing::{Said, listen};
use super::lines::{clean, undecorated, visible};

/// The chosen line, and the line below it, which finishes the message when the first only names the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Headline<'a> {
    /// The line that says what went wrong.
    pub line: &'a str,
    /// The visible line after it.
    pub next: Option<&'a str>,
    /// The innermost cause, where an error is followed by a list of them.
    pub cause: Option<&'a str>,
}

/// How well a line serves as the headline. The order is the order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A code excerpt, a stack frame, a rule of dashes.
    Excerpt,
    /// An ordinary line.
    Plain,
    /// `make: *** [all] Error 2`: only tells that something before it failed.
    Consequence,
    /// A warning, a hint or a progress line that mentions a failure.
    Quiet,
    /// `tool: what it has to say`, without a word of failure.
    Told,
    /// Tells of a failure, in an indented line.
    IndentedCue,
    /// Tells of a failure.
    Cue,
    /// Calls itself an error, in an indented line.
    IndentedError,
    /// Calls itself an error.
    Error,
    /// The exception that a traceback ends with.
    Raised,
    /// The innermost cause of a chain.
    Cause,
}

/// A candidate that waits for the line below it.
struct Candidate<'a> {
    rank: Rank,
    line: &'a str,
    next: Option<&'a str>,
}

/// Chooses the headline; `None` only for a text without a visible character.
pub(crate) fn choose(text: &str) -> Option<Headline<'_>> {
    let mut best: Option<Candidate<'_>> = None;
    let mut pending: Option<Candidate<'_>> = None;
    let mut in_traceback = false;
    let mut cause: Option<&str> = None;
    let mut cause_follows = false;
    for raw in visible(text) {
        let best_rank = best.as_ref().map_or(Rank::Excerpt, |b| b.rank);
        let pending_rank = pending.as_ref().map_or(Rank::Excerpt, |p| p.rank);
        let floor = best_rank.max(pending_rank);
        let line = clean(raw);
        let (indent, body) = undecorated(&line);
        if body.is_empty() {
            continue;
        }
        if std::mem::take(&mut cause_follows) {
            cause = Some(raw);
        }
        // A list of causes under one error: the line below tells one of them.
        cause_follows = indent == 0 && body == "Caused by:";
        let mut rank = if is_marker(body) {
            // A caret points into the line above it: that line is code, not a message.
            if let Some(p) = pending.as_mut().filter(|p| p.rank < Rank::Raised) {
                p.rank = Rank::Excerpt;
            }
            continue;
        } else if in_traceback {
            if indent > 0 {
                continue;
            }
            in_traceback = false;
            Rank::Raised
        } else {
            rank(indent, body, floor)
        };
        if body.starts_with("Traceback (most recent call last)") {
            in_traceback = true;
            rank = Rank::Excerpt;
        }
        if let Some(mut p) = pending.take() {
            p.next = Some(raw);
            keep(&mut best, p);
        }
        pending = Some(Candidate {
            rank,
            line: raw,
            next: None,
        });
    }
    if let Some(p) = pending {
        keep(&mut best, p);
    }
    best.map(|b| Headline {
        line: b.line,
        next: b.next,
        cause: cause.filter(|_| b.rank == Rank::Error),
    })
}

/// The first of the best rank stays; of raised exceptions and of causes the last one does.
fn keep<'a>(best: &mut Option<Candidate<'a>>, new: Candidate<'a>) {
    let better = match best {
        None => true,
        Some(old) if new.rank == Rank::Raised => old.rank <= new.rank && !is_test_report(old.line),
        Some(old) if new.rank == Rank::Cause => old.rank <= new.rank,
        Some(old) => old.rank < new.rank,
    };
    if better {
        *best = Some(new);
    }
}

/// `E   assert 1 == 2`: the way a test report sets off what was raised.
pub(crate) fn is_test_report(line: &str) -> bool {
    line.strip_prefix("E  ").is_some_and(|rest| {
        rest.trim_ascii_start()
            .starts_with(|c: char| c.is_alphanumeric() || "'\"<(".contains(c))
    })
}

/// Whether the line only points: `    ^~~~`, `~~^~~`, `^--- here`.
fn is_marker(body: &str) -> bool {
    let end = body
        .bytes()
        .take_while(|b| matches!(b, b'^' | b'~' | b'-' | b'|' | b' '))
        .count();
    matches!(body.as_bytes()[0], b'^' | b'~') && body[..end].contains('^')
}

/// The rank of one cleaned line. Below `floor` the exact rank does not matter, which is what makes a long log cheap.
fn rank(indent: usize, body: &str, floor: Rank) -> Rank {
    if indent == 0 {
        if body.starts_with("Caused by: ") {
            return Rank::Cause;
        }
        if is_test_report(body) {
            return Rank::Raised;
        }
    }
    if floor >= Rank::Error || is_excerpt(indent, body) {
        return Rank::Excerpt;
    }
    let said = listen(body, floor >= Rank::Quiet);
    // The first of a rank stays, so a mere cue behind a cue needs no closer look.
    if floor >= Rank::Cue && !said.error {
        return Rank::Excerpt;
    }
    match said {
        Said {
            error: true,
            quiet: false,
            ..
        } if is_consequence(body) => Rank::Consequence,
        Said {
            error: true,
            quiet: false,
            ..
        } if indent > 1 => Rank::IndentedError,
        Said {
            error: true,
            quiet: false,
            ..
        } => Rank::Error,
        Said { summary: true, .. } => Rank::Consequence,
        Said {
            hard: true,
            quiet: true,
            ..
        }
        | Said {
            error: true,
            quiet: true,
            ..
        } => Rank::Quiet,
        Said { quiet: true, .. } => Rank::Excerpt,
        Said { cue: true, .. } if is_consequence(body) => Rank::Consequence,
        Said { cue: true, .. } if indent > 1 => Rank::IndentedCue,
        Said { cue: true, .. } => Rank::Cue,
        // `> app@1.0.0 build`, `> node build.js`: a runner repeats what it runs.
        _ if indent > 1 || body.starts_with("> ") => Rank::Excerpt,
        _ if is_told(body) => Rank::Told,
        _ => Rank::Plain,
    }
}

/// Frames, quoted source, diff and trace lines: they hold words of the program, not of the error.
fn is_excerpt(indent: usize, body: &str) -> bool {
    let bytes = body.as_bytes();
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    if bytes[digits..].starts_with(b" | ")
        || &bytes[digits..] == b" |"
        || bytes.starts_with(b"| ")
        || body == "|"
    {
        return true;
    }
    let starts = |words: &[&str]| words.iter().any(|w| body.starts_with(w));
    if indent > 0 && starts(&["at ", "from ", "File \"", "... ", "--> ", "= ", "#"]) {
        return true;
    }
    starts(&[
        "+ ",
        "$ ",
        "> +",
        "--> ",
        "::: ",
        "goroutine ",
        "#0 ",
        "#1 ",
        "raise ",
        "throw ",
        "except ",
        "catch ",
        "LINE ",
        "HINT:",
        "DETAIL:",
    ]) || !bytes.iter().any(|b| b.is_ascii_alphabetic() || *b >= 0x80)
}

/// Whether a line is progress, advice, code or a frame: its words do not speak of the failure.
pub(crate) fn is_noise(raw: &str) -> bool {
    let line = clean(raw);
    let (indent, body) = undecorated(&line);
    body.is_empty() || is_marker(body) || is_excerpt(indent, body) || listen(body, true).quiet
}

/// `expr: non-integer argument`: the form in which a tool speaks, its own name first.
fn is_told(body: &str) -> bool {
    let Some((tool, said)) = body.split_once(": ") else {
        return false;
    };
    tool.len() <= 40
        && tool.starts_with(|c: char| c.is_ascii_lowercase() || c == '/' || c == '.')
        && !tool.contains(' ')
        && said.contains(' ')
}

/// Phrases of lines that only pass on that something failed.
const CONSEQUENCES: [&str; 20] = [
    "aborting due to",
    "aborted due to",
    "could not compile",
    "exit status",
    "exit code",
    "exited with",
    "exited (",
    "command failed",
    "compilation aborted",
    "compilation terminated",
    "test failed",
    "tests failed",
    "test result",
    "build failed",
    "errors occurred",
    "non-zero",
    "returned non",
    "complete log",
    "not recoverable",
    "previous errors",
];

fn is_consequence(body: &str) -> bool {
    let mut head = body[..body.floor_char_boundary(body.len().min(200))].to_ascii_lowercase();
    if head.contains("*** [") {
        return true;
    }
    head.truncate(head.trim_end().len());
    CONSEQUENCES.iter().any(|phrase| head.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> &str {
        choose(text).expect("a headline").line
    }

    #[test]
    fn a_traceback_is_known_by_its_last_exception() {
        let text = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    raise KeyError('error: x')\nKeyError: 'x'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 4\nValueError: bad\n";
        assert_eq!(line(text), "ValueError: bad");
    }

    #[test]
    fn a_compiler_is_known_by_its_first_error_and_not_by_its_summary() {
        let text = "   Compiling a v0.1.0\nwarning: unused\nerror[E0308]: mismatched types\n --> src/main.rs:1:2\n  |\n1 | let error: u8\n  |    ^ expected\n\nerror: aborting due to 1 previous error\nerror: could not compile `a`\n";
        assert_eq!(line(text), "error[E0308]: mismatched types");
        assert_eq!(
            line("error: could not compile `a`\n"),
            "error: could not compile `a`"
        );
    }

    #[test]
    fn the_consequence_is_chosen_only_when_there_is_nothing_else() {
        assert_eq!(
            line("cat: x: No such file or directory\nmake: *** [all] Error 1"),
            "cat: x: No such file or directory"
        );
        assert_eq!(
            line("hello\nmake: *** [all] Error 1"),
            "make: *** [all] Error 1"
        );
    }

    #[test]
    fn a_chain_of_causes_is_known_by_the_innermost() {
        let text = "Exception in thread \"main\" java.lang.RuntimeException: a\n\tat A.main(A.java:1)\nCaused by: java.lang.IllegalStateException: b\n\tat A.f(A.java:1)\nCaused by: java.io.IOException: c\n\t... 1 more\n";
        assert_eq!(line(text), "Caused by: java.io.IOException: c");
    }

    #[test]
    fn the_line_under_a_caret_is_code() {
        let text = "/x/a.js:1\nthrow new Error(\"error: x\")\n      ^\n\nTypeError: a is not a function\n    at f (/x/a.js:1:2)\n";
        assert_eq!(line(text), "TypeError: a is not a function");
    }

    #[test]
    fn what_a_runner_repeats_before_it_runs_it_is_no_message() {
        let text = "\n> app@1.0.0 check\n> node check.js\n\n3 problems in 2 files\n";
        assert_eq!(line(text), "3 problems in 2 files");
        // One that speaks of a failure does, and where nothing else is there, so does the first.
        assert_eq!(
            line("> Task :compile FAILED\nsee above"),
            "> Task :compile FAILED"
        );
        assert_eq!(line("> app@1.0.0 check\n> false\n"), "> app@1.0.0 check");
    }

    #[test]
    fn counts_of_errors_are_summaries() {
        assert_eq!(
            line("ok: 12 passed, 0 failed\nthing not found\n1 error generated."),
            "thing not found"
        );
    }

    #[test]
    fn a_text_without_any_failure_word_is_known_by_its_first_ordinary_line() {
        assert_eq!(
            line("\n-----\n   Compiling a\nthe lamp is green\nsee above"),
            "the lamp is green"
        );
        assert!(choose(" \n\t\r\n").is_none());
    }
}
