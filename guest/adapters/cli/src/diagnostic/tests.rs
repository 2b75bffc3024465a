//! What counts as a diagnostic and what does not, line by line.

use super::*;

#[test]
fn a_line_that_tells_of_an_error_is_known_by_its_form() {
    for line in [
        "error: pathspec 'x' did not match any file(s) known to git",
        "\u{1b}[31merror\u{1b}[0m\u{1b}[1m[E0425]\u{1b}[0m: cannot find value `x` in this scope",
        "src/a.c:3:5: error: expected ';' before 'return'",
        "a.c:1:10: fatal error: foo.h: No such file or directory",
        "src/a.ts:1:7: error TS2322: Type 'string' is not assignable",
        "fatal: not a git repository (or any of the parent directories): .git",
        "Main.java:3: error: ';' expected",
        "Traceback (most recent call last):",
        "KeyError: 'x'",
        "java.lang.IllegalStateException: closed",
        "Exception in thread \"main\" java.lang.Error",
        "thread 'main' panicked at src/main.rs:2:5:",
        "cat: notes.txt: No such file or directory",
        "bash: line 1: frobnicate: command not found",
        "sh: 1: frobnicate: not found",
        "cp: cannot stat 'a b': No such file or directory",
        "python3: can't open file '/tmp/x.py': [Errno 2] No such file or directory",
        "make: *** [Makefile:2: all] Error 1",
        "npm ERR! code ENOENT",
        "npm error code E404",
        "npm error Missing script: \"build\"",
        "error Command failed with exit code 1.",
        "E: Unable to locate package frobnicate",
        "Parse error near line 1: no such table: t",
        "jq: error (at <stdin>:0): Cannot index number with \"a\"",
        "ERROR: Could not find a version that satisfies the requirement x",
        "ERROR:root:could not load the table",
        "2026-01-01 10:00:00,123 - app - ERROR - lost the connection",
        "[2026-01-01T10:00:00Z ERROR app] lost the connection",
        "Can't locate Foo/Bar.pm in @INC at x.pl line 1.",
        "script.sh: line 3: syntax error near unexpected token `fi'",
        "a.c:(.text+0x5): undefined reference to `foo'",
    ] {
        assert!(is_diagnostic(line), "{line}");
    }
}

#[test]
fn a_line_that_merely_mentions_errors_tells_of_none() {
    for line in [
        "0 errors, 2 warnings",
        "an error Handler is installed",
        "no error Code is used twice",
        "checks error codes of all modules",
        "Found 0 errors. Watching for file changes.",
        "Error handling: all three ways are covered",
        "We log every error: see the handbook",
        "warning: unused variable: `error`",
        "a.c:3:5: warning: format '%d' expects an error: x [-Wformat]",
        "x.py:1: DeprecationWarning: invalid escape sequence: not found",
        "npm WARN deprecated foo@1: Error: no longer supported",
        "note: the error: is explained elsewhere",
        "hint: error: could be avoided",
        "+ grep error: build.log",
        "Switched to branch 'fix-error'",
        "   Compiling thiserror v1.0.2",
        "    error: an excerpt of something",
        "make: [Makefile:2: all] Error 1 (ignored)",
        "error: connection reset, retrying in 2 s",
        "info: failed to use the cache: not found",
        "Note: Main.java uses unchecked or unsafe operations.",
        "2026-01-01 10:00:00 INFO error handler installed",
        "Cloning into 'error'...",
        "  % Total    % Received % Xferd  Average Speed",
        "lib/errors.rs: 12 lines",
        "tests/error: ok",
        "ERROR",
    ] {
        assert!(!is_diagnostic(line), "{line}");
    }
}

fn is_told(command: &[&str], stdout: &str, stderr: &str) -> bool {
    let words: Vec<_> = command.iter().map(|word| (*word).to_owned()).collect();
    let line = twiceshy_shell::parse(&twiceshy_shell::join(&words));
    let seen = serde_json::json!({"exit": 0, "stdout": stdout, "stderr": stderr, "duration-ms": 1});
    let seen = twiceshy_adapter::read("observation", &seen.to_string()).expect("one");
    error_text(&line, &seen).is_some()
}

#[test]
fn standard_output_is_data_unless_the_command_leads_errors_into_it() {
    let error = "a.c:3:5: error: expected ';'\n";
    assert!(is_told(&["find", ".", "-exec", "x"], "", error));
    assert!(!is_told(&["cat", "build.log"], error, ""));
    assert!(!is_told(&["sh", "-c", "cat build.log | tail"], error, ""));
    assert!(is_told(&["sh", "-c", "cc a.c 2>&1 | tail"], error, ""));
    assert!(!is_told(
        &["sh", "-c", "set -o pipefail; cc a.c 2>&1 | tail"],
        error,
        ""
    ));
    assert!(!is_told(&["sh", "-c", "cc a.c 2>&1 && ls"], error, ""));
    assert!(!is_told(&["sh", "-c", "x 2>&1 | grep -i error"], error, ""));
    assert!(is_told(
        &["sh", "-c", "t 2>&1 | tail"],
        "1 failed, 2 passed\n",
        ""
    ));
    assert!(!is_told(&["sh", "-c", "t 2>&1 | tail"], "3 passed\n", ""));
}

#[test]
fn a_failure_that_the_command_foresees_is_none() {
    let error = "rm: cannot remove 'a': No such file or directory\n";
    assert!(is_told(&["sh", "-c", "rm a; ls"], "", error));
    assert!(!is_told(&["sh", "-c", "rm a || true; ls"], "", error));
}

#[test]
fn an_answer_that_tells_of_an_error_is_one() {
    for (answer, failed) in [
        (
            r#"{"error": {"code": 404, "message": "no such thing"}}"#,
            true,
        ),
        (
            r#"{"errors": [{"message": "bad query"}], "data": null}"#,
            true,
        ),
        (r#"{"ok": false, "message": "no"}"#, true),
        (r#"{"error": null, "data": 1}"#, false),
        (r#"{"errors": [], "data": 1}"#, false),
        (r#"{"errors": 3}"#, false),
        (r#"{"ok": false}"#, false),
        (r#"[{"error": "x"}]"#, false),
        (r#"{"level": "error"}"#, false),
    ] {
        assert_eq!(is_told(&["ask"], answer, ""), failed, "{answer}");
    }
    assert!(!is_told(&["jq", ".error"], r#"{"error": "x"}"#, ""));
}
