//! Hints: nothing is said unless memory has something to say; what it says is one line on standard error,
//! after all that the command wrote, and steers no terminal.

use std::fs;

use serde_json::json;

use super::{assert_unseen, pty::Pty, through};
use crate::support::{Scratch, feed};

/// A failure that a lesson is known for.
const FAILING: [&str; 3] = [
    "sh",
    "-c",
    "echo out; echo 'gizmo: no such gadget' >&2; exit 7",
];

fn with_lesson(rule: &str) -> Scratch {
    let scratch = Scratch::new();
    let proposal = json!({"rule-text": rule, "trigger-texts": ["gizmo: no such gadget"]});
    scratch.call("lessons.propose", &proposal);
    // Nothing is withheld in order to compare.
    fs::write(scratch.memory().join("config.toml"), "hold-out = 0\n").expect("writable");
    scratch
}

fn run_with(scratch: &Scratch, options: &[&str]) -> crate::support::Ran {
    let arguments: Vec<_> = ["run"]
        .iter()
        .chain(options)
        .chain(&["--"])
        .chain(&FAILING)
        .copied()
        .collect();
    scratch.run(&arguments)
}

#[test]
fn nothing_is_said_when_memory_has_nothing_to_say() {
    let scratch = Scratch::new();
    for _ in 0..3 {
        assert_unseen(&scratch, &FAILING, b"");
        assert_unseen(&scratch, &["true"], b"");
    }
    assert_eq!(scratch.events().len(), 3);
}

#[test]
fn a_lesson_for_the_failure_is_shown_as_one_line_after_the_commands_own() {
    let scratch = with_lesson("WRONG: gizmo gadget → CORRECT: gizmo --new gadget");
    let ran = run_with(&scratch, &[]);
    assert_eq!((ran.stdout(), ran.code()), ("out\n".into(), 7));
    let stderr = ran.stderr();
    let lines: Vec<_> = stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{stderr}");
    assert_eq!(lines[0], "gizmo: no such gadget");
    assert!(
        lines[1].starts_with("twiceshy: WRONG: gizmo gadget → CORRECT: gizmo --new gadget"),
        "{stderr}"
    );
    assert!(
        !stderr.contains('\x1b'),
        "no colours where there is no terminal"
    );
    // A success needs no lesson.
    assert_eq!(scratch.run(&["run", "--", "true"]).stderr(), "");
}

#[test]
fn the_line_stands_by_itself_though_the_command_ended_none() {
    let scratch = with_lesson("WRONG: a → CORRECT: b");
    let ran = scratch.run(&[
        "run",
        "--",
        "sh",
        "-c",
        "printf 'gizmo: no such gadget' >&2; exit 7",
    ]);
    let stderr = ran.stderr();
    assert!(
        stderr.starts_with("gizmo: no such gadget\ntwiceshy: WRONG"),
        "{stderr:?}"
    );
}

#[test]
fn quiet_silences_and_settings_do_too() {
    let scratch = with_lesson("WRONG: a → CORRECT: b");
    assert_eq!(
        run_with(&scratch, &["--quiet"]).stderr(),
        "gizmo: no such gadget\n"
    );
    fs::write(scratch.memory().join("config.toml"), "hints = 0\n").expect("writable");
    assert_eq!(run_with(&scratch, &[]).stderr(), "gizmo: no such gadget\n");
}

#[test]
fn as_json_the_hint_is_one_json_object() {
    let scratch = with_lesson("WRONG: a → CORRECT: b");
    let ran = run_with(&scratch, &["--json"]);
    let stderr = ran.stderr();
    let last = stderr.lines().next_back().expect("a line");
    let hints: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(
        hints["twiceshy-memory"]["hints"][0]["lesson"]["rule-text"],
        "WRONG: a → CORRECT: b"
    );
}

#[test]
fn what_a_lesson_says_does_not_steer_the_terminal() {
    let hostile = "WRONG: \u{1b}[31mred\u{1b}[0m\u{7}\r\nbell \u{9b}2J\u{202e}turned → CORRECT: \u{8}\u{1b}]0;title\u{7}plain";
    let scratch = with_lesson(hostile);
    let ran = run_with(&scratch, &[]);
    let stderr = ran.stderr();
    assert_eq!(stderr.lines().count(), 2, "{stderr:?}");
    assert!(stderr.contains("plain"), "{stderr:?}");
    let steering = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!stderr.contains(steering), "{stderr:?}");
    // On a terminal only our own two codes, for bold, are there.
    let mut pty = Pty::start(through(&scratch, &FAILING));
    assert_eq!(pty.ends(), 7);
    let text = pty
        .text()
        .replace("\x1b[1m", "")
        .replace("\x1b[0m", "")
        .replace("\r\n", "\n");
    assert!(text.contains("plain"), "{text:?}");
    assert!(!text.contains(steering), "{text:?}");
}

#[test]
fn a_hint_on_a_terminal_comes_after_the_commands_own_and_begins_a_line() {
    let scratch = with_lesson("WRONG: a → CORRECT: b");
    let mut pty = Pty::start(through(&scratch, &FAILING));
    assert_eq!(pty.ends(), 7);
    let text = pty.text();
    assert!(
        text.starts_with("out\r\ngizmo: no such gadget\r\n\x1b[1mtwiceshy:\x1b[0m WRONG: a"),
        "{text:?}"
    );
    assert!(text.ends_with("]\r\n"), "{text:?}");
}

#[test]
fn the_first_start_is_silent_and_says_on_a_terminal_that_it_compiles() {
    let scratch = Scratch::new();
    let home = scratch.path().join("home");
    let mut command = through(&scratch, &FAILING);
    command.env("TWICESHY_HOME", &home);
    let ran = feed(command, b"");
    assert_eq!((ran.stdout(), ran.code()), ("out\n".into(), 7));
    assert_eq!(ran.stderr(), "gizmo: no such gadget\n");
    let compiled = || fs::read_dir(home.join("cache")).map_or(0, Iterator::count);
    assert_eq!(compiled(), 2, "both components are kept");
    fs::remove_dir_all(&home).expect("ours");
    let on_terminal = || {
        let mut command = through(&scratch, &["true"]);
        command.env("TWICESHY_HOME", &home);
        let mut pty = Pty::start(command);
        assert_eq!(pty.ends(), 0);
        pty.text()
    };
    let text = on_terminal();
    assert_eq!(
        text.matches("compiling the component").count(),
        2,
        "{text:?}"
    );
    assert!(
        text.split_terminator("\r\n")
            .all(|line| line.starts_with("twiceshy: compiling")),
        "{text:?}"
    );
    assert_eq!(on_terminal(), "", "once");
}

#[test]
fn what_a_hint_says_is_never_taken_for_evidence() {
    let scratch = with_lesson("WRONG: gizmo gadget → CORRECT: gizmo --new gadget");
    let program = env!("CARGO_BIN_EXE_twiceshy");
    let mut nested = vec!["run", "--", program, "run", "--"];
    nested.extend(FAILING);
    let ran = scratch.run(&nested);
    assert_eq!(ran.code(), 7);
    assert!(
        ran.stderr().contains("gizmo --new gadget"),
        "{}",
        ran.stderr()
    );
    let events = scratch.events();
    assert_eq!(events.len(), 2, "the inner command's and the outer one's");
    for event in &events {
        let evidence = event["evidence"].as_str().expect("a text");
        assert!(evidence.contains("no such gadget"), "{event}");
        assert!(!evidence.contains("--new"), "{event}");
    }
    assert_eq!(events[0]["fingerprint"], events[1]["fingerprint"]);
}

#[test]
fn a_warning_that_only_repeats_what_was_seen_is_not_printed() {
    let scratch = Scratch::new();
    for _ in 0..3 {
        assert_unseen(&scratch, &FAILING, b"");
    }
    // It is there, for a briefing.
    let lessons = scratch.run(&["lessons", "--json"]).json();
    assert_eq!(lessons[0]["kind"], "anti-pattern");
    // Whoever vouches for a warning wants it to be seen.
    let scratch = Scratch::new();
    let proposal = json!({"rule-text": "never ask gizmo for gadgets", "kind": "anti-pattern",
                          "trigger-texts": ["gizmo: no such gadget"], "source": "person"});
    scratch.call("lessons.propose", &proposal);
    let ran = run_with(&scratch, &[]);
    assert!(ran.stderr().contains("never ask gizmo"), "{}", ran.stderr());
}
