//! The memory can be switched off: commands run, nothing is remembered and nothing is told.

use std::fs;

use serde_json::{Value, json};

use super::{assert_unseen, through};
use crate::support::{Ran, Scratch, feed};

/// A failure that a lesson is known for.
const FAILING: [&str; 3] = ["sh", "-c", "echo 'gizmo: no such gadget' >&2; exit 7"];

/// A project that knows what to do about the failure.
fn with_lesson() -> Scratch {
    let scratch = Scratch::new();
    let proposal = json!({
        "rule-text": "WRONG: gizmo gadget → CORRECT: gizmo --new gadget",
        "trigger-texts": ["gizmo: no such gadget"],
    });
    scratch.call("lessons.propose", &proposal);
    settings(&scratch, "");
    scratch
}

/// Writes the project's settings; nothing is withheld in order to compare.
fn settings(scratch: &Scratch, more: &str) {
    let text = format!("{more}hold-out = 0\n");
    fs::write(scratch.memory().join("config.toml"), text).expect("writable");
}

/// How much is remembered, without how many bytes that takes.
fn remembered(scratch: &Scratch) -> Value {
    let mut status = scratch.status();
    status["bytes"].take();
    status
}

fn off(scratch: &Scratch, arguments: &[&str]) -> Ran {
    let mut command = scratch.command(arguments);
    command.env("TWICESHY_OFF", "1");
    feed(command, b"")
}

#[test]
fn a_memory_that_is_switched_off_remembers_nothing_and_tells_nothing() {
    let scratch = with_lesson();
    let before = remembered(&scratch);
    settings(&scratch, "enabled = false\n");
    // The same bytes and the same exit code as without twiceshy, and no hint.
    assert_unseen(&scratch, &FAILING, b"");
    assert_unseen(&scratch, &["cat"], b"some input");
    let recalled = scratch.run(&["recall", "make a gizmo", "--text"]);
    assert_eq!((recalled.stdout().as_str(), recalled.code()), ("", 0));
    let started = scratch.run(&["task", "start", "make a gizmo"]);
    assert_eq!((started.stdout().as_str(), started.code()), ("", 0));
    let started = scratch.run(&["task", "start", "make a gizmo", "--json"]);
    assert_eq!(started.json(), Value::Null);
    // It says so where somebody asks.
    let told = "switched off by `enabled = false` in config.toml";
    assert!(scratch.run(&["status"]).stdout().contains(told));
    assert!(scratch.run(&["doctor"]).stdout().contains(told));
    assert_eq!(scratch.status()["enabled"], false);
    // On again, everything is as it was.
    settings(&scratch, "");
    assert_eq!(remembered(&scratch), before);
    let ran = feed(through(&scratch, &FAILING), b"");
    assert!(
        ran.stderr().contains("gizmo --new gadget"),
        "{}",
        ran.stderr()
    );
    assert_eq!(scratch.status()["events"], 1);
}

#[test]
fn a_variable_switches_the_memory_off_for_one_shell() {
    let scratch = Scratch::new();
    let ran = off(&scratch, &["run", "--", FAILING[0], FAILING[1], FAILING[2]]);
    assert_eq!(
        (ran.stderr().as_str(), ran.code()),
        ("gizmo: no such gadget\n", 7)
    );
    let missing = off(&scratch, &["run", "--", "no-such-program-anywhere"]);
    assert_eq!(missing.code(), 127);
    assert!(missing.stderr().contains("no-such-program-anywhere"));
    assert!(!scratch.memory().exists(), "it leaves no trace");
    let told = "switched off by the variable TWICESHY_OFF";
    assert!(off(&scratch, &["status"]).stdout().contains(told));
    // `0` and nothing switch nothing off.
    for value in ["0", ""] {
        let mut command = through(&scratch, &FAILING);
        command.env("TWICESHY_OFF", value);
        feed(command, b"");
    }
    assert_eq!(scratch.events().len(), 2);
}
