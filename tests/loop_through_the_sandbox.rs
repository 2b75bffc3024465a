//! The loop, end to end: a command fails, is remembered, and is answered when it fails that way again.

use std::fs;

use serde_json::json;

use crate::support::Scratch;

#[test]
fn the_same_failure_from_two_directories_is_one_fingerprint() {
    let scratch = Scratch::new();
    for (directory, file) in [
        ("one", "notes-17.txt"),
        ("two/deeper", "/srv/data/2024/report.csv"),
    ] {
        let directory = scratch.path().join(directory);
        fs::create_dir_all(&directory).unwrap();
        let output = scratch
            .command(&["run", "--", "cat", file])
            .current_dir(directory)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
    }
    let events = scratch.events();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0]["fingerprint"], events[1]["fingerprint"]);
    let tags = |event: &serde_json::Value| event["tags"].as_array().unwrap().clone();
    assert!(
        tags(&events[0]).contains(&json!("no_progress")),
        "{}",
        events[0]
    );
    assert!(
        !tags(&events[1]).contains(&json!("no_progress")),
        "{}",
        events[1]
    );
    assert_eq!(
        (&events[0]["occurrence"], &events[0]["runs"]),
        (&json!(2), &json!(2))
    );
    let told = scratch.run(&["events"]).stdout();
    assert!(
        told.contains("no_progress") && told.contains("2× in 2 runs"),
        "{told}"
    );
}

#[test]
fn different_failures_of_one_command_are_different() {
    let scratch = Scratch::new();
    scratch.run(&["run", "--", "cat", "missing.txt"]);
    scratch.run(&["run", "--", "cat", "."]);
    let events = scratch.events();
    assert_ne!(events[0]["fingerprint"], events[1]["fingerprint"]);
}

#[test]
fn a_lesson_for_a_fingerprint_comes_back_at_the_next_failure() {
    let scratch = Scratch::new();
    let first = scratch.run(&["run", "--", "cat", "a.txt"]);
    assert!(
        !first.stderr().contains("twiceshy"),
        "nothing is known yet: {}",
        first.stderr()
    );
    let fingerprint = scratch.events()[0]["fingerprint"].clone();
    let lesson = scratch.call(
        "lessons.propose",
        &json!({"rule-text": "WRONG: cat blindly → CORRECT: ls first", "trigger-fingerprints": [fingerprint]}),
    );
    let again = scratch.run(&["run", "--", "cat", "other/b.txt"]);
    assert_eq!(again.code(), 1);
    let told = again.stderr();
    let hint = told.lines().last().unwrap();
    assert!(
        hint.starts_with("twiceshy: WRONG: cat blindly → CORRECT: ls first"),
        "{told}"
    );
    assert!(hint.contains(lesson["id"].as_str().unwrap()), "{told}");
}

#[test]
fn a_suppressed_lesson_is_not_shown() {
    let scratch = Scratch::new();
    let proposal =
        json!({"rule-text": "ls first", "trigger-texts": ["cat: x: No such file or directory"]});
    let lesson = scratch.call("lessons.propose", &proposal);
    assert!(
        scratch
            .run(&["run", "--", "cat", "q"])
            .stderr()
            .contains("ls first")
    );
    let change = json!({"lesson": lesson["id"], "status": "suppressed", "reason": "no help"});
    scratch.call("lessons.set-status", &change);
    assert!(
        !scratch
            .run(&["run", "--", "cat", "q"])
            .stderr()
            .contains("ls first")
    );
}

#[test]
fn every_run_ends_as_an_episode_and_status_counts_them() {
    let scratch = Scratch::new();
    scratch.run(&["run", "--task", "look around", "--", "true"]);
    scratch.run(&["run", "--", "false"]);
    let status = scratch.status();
    let counts =
        ["events", "episodes", "lessons", "runs"].map(|name| status[name].as_u64().unwrap());
    assert_eq!(counts, [1, 2, 0, 0], "{status}");
    let found = scratch.call("episodes.find", &json!({"outcome": "success"}));
    assert_eq!(found[0]["task"], "look around");
    let trace = scratch.call(
        "episodes.trace",
        &json!({"episode": found[0]["id"], "first": 0}),
    );
    assert_eq!(trace[0]["feedback"]["action-text"], "true");
}

#[test]
fn an_artifact_that_is_missing_is_a_failure_although_the_command_succeeds() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["run", "--expect", "artifact=report.csv", "--", "true"]);
    assert_eq!(
        (ran.code(), ran.stderr().as_str()),
        (0, ""),
        "the command is left alone"
    );
    let event = &scratch.events()[0];
    assert_eq!(
        (&event["constraint-failure"], &event["hard-failure"]),
        (&json!(true), &json!(false))
    );
    scratch.run(&[
        "run",
        "--expect",
        "artifact=report.csv",
        "--",
        "touch",
        "report.csv",
    ]);
    assert_eq!(scratch.events().len(), 1, "this one was made");
}
