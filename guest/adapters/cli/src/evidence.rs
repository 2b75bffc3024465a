//! The error text of a failed command: which stream it is in, and how much of it is kept.
//!
//! Owns the choice between standard error and standard output and the bound on the length; nothing
//! else is taken away, because fingerprints are made elsewhere from the verbatim text. Standard error
//! wins whenever it tells of an error. Where it has only progress and warnings, or only the epilogue
//! of a runner ("test failed", "exit status 1", "Error 2"), standard output is taken if it tells more,
//! as it does with compilers and test runners that report there. The judgement is by generic error
//! language, never by the name of a command.

use std::borrow::Cow;

/// The evidence in bytes: more than any message, less than a log.
const EVIDENCE_BYTES: usize = 64 << 10;

/// What stands for the part that is left out, in the memory's own spelling.
pub(crate) const LEFT_OUT: &str = "\n[…]\n";

/// How far from the ideal place a cut may move to reach the end of a line.
const LINE_SEARCH_BYTES: usize = 4 << 10;

/// The stream that says what went wrong, bounded; empty if both have only white space.
pub(crate) fn of_streams<'a>(stdout: &'a str, stderr: &'a str) -> Cow<'a, str> {
    let stream = match (stdout.trim().is_empty(), stderr.trim().is_empty()) {
        (true, true) => return Cow::Borrowed(""),
        (true, false) => stderr,
        (false, true) => stdout,
        (false, false) => {
            // Judged by what would be kept, so that the cost is bounded too.
            let (out, err) = (bounded(stdout), bounded(stderr));
            let said = Telling::of(&err);
            return if said < Telling::Error && Telling::of(&out) > said {
                out
            } else {
                err
            };
        }
    };
    bounded(stream)
}

/// The text has no word of anything that went wrong.
pub(crate) fn is_silent(text: &str) -> bool {
    Telling::of(&bounded(text)) == Telling::Nothing
}

/// Head and tail of a text within 64 KiB, cut at the ends of lines where there are any nearby.
pub(crate) fn bounded(text: &str) -> Cow<'_, str> {
    if text.len() <= EVIDENCE_BYTES {
        return Cow::Borrowed(text);
    }
    // The end of an output tells more often what went wrong than its beginning.
    let room = EVIDENCE_BYTES - LEFT_OUT.len();
    let head = text.floor_char_boundary(room / 3);
    let tail = text.ceil_char_boundary(text.len() - (room - room / 3));
    let near = text.floor_char_boundary(head - LINE_SEARCH_BYTES);
    let head = text[near..head].rfind('\n').map_or(head, |at| near + at);
    let near = text.ceil_char_boundary(tail + LINE_SEARCH_BYTES);
    let tail = text[tail..near].find('\n').map_or(tail, |at| tail + at + 1);
    Cow::Owned(format!("{}{LEFT_OUT}{}", &text[..head], &text[tail..]))
}

/// How much a text tells of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Telling {
    /// Progress, warnings, data.
    Nothing,
    /// That something failed, not what: a runner's epilogue.
    Epilogue,
    /// An error.
    Error,
}

impl Telling {
    /// The most that any line tells.
    fn of(text: &str) -> Self {
        // Progress bars end their lines with carriage returns.
        let lines = text.split(['\n', '\r']);
        lines.map(Self::of_line).max().unwrap_or(Self::Nothing)
    }

    fn of_line(line: &str) -> Self {
        let words: Vec<_> = line
            .split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '\'')
            .filter(|word| !word.is_empty())
            .collect();
        let mut failed = false;
        let mut about_a_run = false;
        for (index, word) in words.iter().enumerate() {
            let before = index.checked_sub(1).map_or("", |index| words[index]);
            let after = words.get(index + 1).copied().unwrap_or("");
            let lower = word.to_ascii_lowercase();
            if !failed && is_warning(&lower) {
                return Self::Nothing;
            }
            if tells_cause(&lower, after) {
                return Self::Error;
            }
            if is_failure(word, &lower) && !is_none(before) && after != "0" {
                failed = true;
                // `Error 1` at the end of a line tells an exit code, not what went wrong.
                let last = index + 2 == words.len();
                about_a_run |= last && after.parse::<u8>().is_ok();
            }
            about_a_run |= is_of_a_run(&lower);
        }
        match (failed, about_a_run) {
            (true, false) => Self::Error,
            (true, true) => Self::Epilogue,
            (false, _) => Self::Nothing,
        }
    }
}

/// What follows is not an error, whatever words are in it.
fn is_warning(word: &str) -> bool {
    word.ends_with("warn")
        || word.ends_with("warning")
        || word.ends_with("warnings")
        || matches!(
            word,
            "deprecated" | "notice" | "debug" | "info" | "note" | "hint"
        )
}

/// Says that something failed.
fn is_failure(word: &str, lower: &str) -> bool {
    // `KeyError` and `IOException` are errors; `thiserror`, the name of a package, is not.
    word.ends_with("Error")
        || word.ends_with("Exception")
        || matches!(
            lower,
            "error"
                | "errors"
                | "err"
                | "fail"
                | "fails"
                | "failed"
                | "failing"
                | "failure"
                | "failures"
                | "fatal"
                | "aborted"
                | "aborting"
                | "exception"
                | "killed"
        )
}

/// Says what went wrong; some words only together with the next one.
fn tells_cause(word: &str, after: &str) -> bool {
    match word {
        "not" => matches!(
            after.to_ascii_lowercase().as_str(),
            "found"
                | "permitted"
                | "recognized"
                | "recognised"
                | "supported"
                | "exist"
                | "defined"
                | "allowed"
                | "implemented"
                | "a"
                | "be"
                | "open"
                | "read"
                | "write"
                | "connect"
        ),
        "no" => after.eq_ignore_ascii_case("such"),
        "permission" | "access" => after.eq_ignore_ascii_case("denied"),
        "connection" => matches!(
            after.to_ascii_lowercase().as_str(),
            "refused" | "reset" | "timed"
        ),
        "segmentation" => after.eq_ignore_ascii_case("fault"),
        "core" => after.eq_ignore_ascii_case("dumped"),
        "traceback" | "panicked" | "panic" | "cannot" | "can't" | "couldn't" | "unable"
        | "undefined" | "undeclared" | "unknown" | "unrecognized" | "unrecognised"
        | "unexpected" | "unresolved" | "unsupported" | "invalid" | "illegal" | "malformed"
        | "mismatch" | "mismatched" | "missing" | "denied" | "assertion" | "assertionerror"
        | "usage" => true,
        _ => false,
    }
}

/// Says that there were none of what follows.
fn is_none(word: &str) -> bool {
    matches!(word, "0" | "no" | "No" | "zero" | "without" | "Without")
}

/// Is of a run of something rather than of what went wrong in it.
fn is_of_a_run(word: &str) -> bool {
    word.ends_with("test")
        || word.ends_with("tests")
        || matches!(
            word,
            "exit"
                | "exited"
                | "status"
                | "nonzero"
                | "command"
                | "commands"
                | "build"
                | "job"
                | "jobs"
                | "task"
                | "tasks"
                | "target"
                | "targets"
                | "step"
                | "process"
                | "script"
                | "recipe"
                | "suite"
                | "suites"
                | "check"
                | "checks"
                | "compilation"
                | "previous"
                | "above"
                | "rerun"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_error_is_the_evidence_when_it_tells_of_an_error() {
        let choices = [
            ("partial data: not found\n", "sort: write failed: disk full"),
            (
                "<html>404 Not Found</html>",
                "curl: (22) The requested URL returned error: 404",
            ),
            (
                "some data",
                "Traceback (most recent call last):\nKeyError: 'x'",
            ),
            ("progress", "plain words that nobody knows"),
            ("ok", "FAILED (failures=1)\nAssertionError: 1 != 2"),
        ];
        for (stdout, stderr) in choices {
            assert_eq!(of_streams(stdout, stderr), stderr);
        }
    }

    #[test]
    fn standard_output_is_the_evidence_when_standard_error_is_noise_or_an_epilogue() {
        let choices = [
            (
                "FAILED test_a.py::test_x - assert 1 == 2",
                "DeprecationWarning: pkg_resources is deprecated, not found in 3.12",
            ),
            (
                "src/a.ts(1,7): error TS2322: Type 'string' is not assignable",
                "npm warn config unknown option",
            ),
            (
                "thread 'x' panicked at src/lib.rs:3:5",
                "   Compiling thiserror v1.0.2\nerror: test failed, to rerun pass `--lib`",
            ),
            (
                "--- FAIL: TestAdd (0.00s)\n  got 3, want 4",
                "exit status 1",
            ),
            (
                "a.c:1: error: expected ';'",
                "make: *** [Makefile:3: all] Error 1",
            ),
            ("1 error found in a.py", "10% done\r50% done\r100% done\n"),
            (
                "E: unresolved import",
                "error Command failed with exit code 1.",
            ),
            ("lint failed: a.js has unused x", "0 errors, no failures"),
        ];
        for (stdout, stderr) in choices {
            assert_eq!(of_streams(stdout, stderr), stdout, "{stderr}");
        }
    }

    #[test]
    fn a_stream_of_white_space_is_no_evidence() {
        assert_eq!(of_streams("it broke", " \n\t"), "it broke");
        assert_eq!(of_streams(" \n", "it broke\n"), "it broke\n");
        assert_eq!(of_streams(" \n", "\r\n"), "");
    }

    #[test]
    fn short_evidence_is_verbatim() {
        let text = "  \u{1b}[31merror\u{1b}[0m: x \u{fffd}\r\n\n";
        assert_eq!(of_streams("", text), text);
    }

    #[test]
    fn long_evidence_keeps_whole_lines_of_head_and_tail() {
        let text: String = (0..20_000)
            .map(|number| format!("line {number} of many\n"))
            .collect();
        let kept = bounded(&text);
        assert!(kept.len() <= EVIDENCE_BYTES && kept.len() > EVIDENCE_BYTES / 2);
        assert!(kept.starts_with("line 0 of many\n") && kept.ends_with("line 19999 of many\n"));
        let whole =
            |line: &str| line == "[…]" || (line.starts_with("line ") && line.ends_with(" of many"));
        assert!(kept.lines().all(whole));
    }

    #[test]
    fn one_endless_line_is_cut_between_characters() {
        for text in [
            "ж".repeat(100_000),
            "日".repeat(50_000),
            "x".repeat(EVIDENCE_BYTES + 1),
        ] {
            let kept = bounded(&text);
            assert!(kept.len() <= EVIDENCE_BYTES && kept.contains("[…]"));
        }
        let fits = "x".repeat(EVIDENCE_BYTES);
        assert_eq!(bounded(&fits), fits);
    }
}
