//! `twiceshy patterns`: from adding one to its validation, refinement and merge.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, Scratch};

fn ok(ran: &Ran) -> String {
    assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
    ran.stdout()
}

fn add(scratch: &Scratch, pattern: &Value) -> String {
    let ran = scratch.run_with(
        &["patterns", "add", "--from", "-", "--json"],
        pattern.to_string().as_bytes(),
    );
    ok(&ran);
    ran.json()["lesson"]["id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

/// An episode that ended so.
fn episode(scratch: &Scratch, at: usize, outcome: &str) -> String {
    let id = format!("run-{at}");
    scratch.call(
        "runs.start",
        &json!({"run": {"id": id, "task": "split it", "domain": "rust"}}),
    );
    scratch.call(
        "runs.finish",
        &json!({"run": id, "ending": {"outcome": outcome}}),
    );
    id
}

#[test]
fn a_pattern_is_added_applied_validated_doubted_and_refined() {
    let scratch = Scratch::new();
    assert_eq!(
        ok(&scratch.run(&["patterns", "find"])),
        "Nothing was found.\n"
    );
    let id = add(
        &scratch,
        &json!({
            "name": "Cut by file", "kind": "decomposition", "summary": "One subtask for each file.",
            "applicability": {"domains": ["rust"], "problem-types": ["refactoring", "moving"]},
            "content": {"procedure": {"steps": ["list the files", "change one", "test it"]}},
        }),
    );
    let asked = [
        "patterns",
        "find-applicable",
        "cut it",
        "--task-type",
        "refactoring",
        "--domain",
        "rust",
    ];
    assert_eq!(ok(&scratch.run(&asked)), "Nothing was found.\n");
    for at in 0..5 {
        let run = episode(&scratch, at, "success");
        for _ in 0..2 {
            ok(&scratch.run(&["patterns", "record-application", &id, &run, "success"]));
        }
    }
    let dry = ok(&scratch.run(&["patterns", "validate-all", "", "--dry-run"]));
    for part in ["candidate", "promoted"] {
        assert!(dry.contains(part), "{part} is not in: {dry}");
    }
    assert_eq!(
        ok(&scratch.run(&["patterns", "find", "--status", "promoted"])),
        "Nothing was found.\n"
    );
    let told = scratch.run(&["patterns", "validate", &id, "--json"]).json();
    assert_eq!(
        (&told["pattern"], &told["answer"]),
        (&json!(id), &json!("validated"))
    );
    assert_eq!(
        (&told["from-status"], &told["to-status"]),
        (&json!("candidate"), &json!("promoted"))
    );
    let found = scratch.run(&[&asked[..], &["--json"]].concat()).json();
    assert_eq!(found[0]["pattern"]["lesson"]["id"], json!(id));
    let confidence = found[0]["parts"]["confidence"].as_f64();
    assert!(
        confidence.is_some_and(|sure| (sure - 0.76).abs() < 0.005),
        "{found}"
    );
    for at in 5..8 {
        let run = episode(&scratch, at, "failure");
        ok(&scratch.run(&["patterns", "record-application", &id, &run, "failure"]));
    }
    let told = scratch
        .run(&["patterns", "validate-all", "", "--json"])
        .json();
    assert_eq!(
        (&told[0]["from-status"], &told[0]["to-status"]),
        (&json!("promoted"), &json!("under-review"))
    );
    let narrower = scratch.path().join("narrower.json");
    let applicability =
        json!({"applicability": {"domains": ["rust"], "problem-types": ["refactoring"]}});
    fs::write(&narrower, applicability.to_string()).expect("a file");
    let refined = scratch.run(&[
        "patterns",
        "refine",
        &id,
        "--update",
        "narrower.json",
        "--reason",
        "not for moving",
        "--json",
    ]);
    ok(&refined);
    assert_eq!(refined.json()["version"], 2);
    assert_eq!(refined.json()["evidence"]["applications"], 0);
    let shown = ok(&scratch.run(&["patterns", "get", &id]));
    for part in [
        "Cut by file",
        "promoted",
        "refined: not for moving",
        "list the files",
        "change one",
        "refactoring",
    ] {
        assert!(shown.contains(part), "{part} is not in:\n{shown}");
    }
    let history = scratch.run(&["patterns", "history", &id, "--json"]).json();
    assert_eq!(
        (&history[0]["version"], &history[0]["reason"]),
        (&json!(1), &json!("not for moving"))
    );
    scratch.assert_sound();
}

#[test]
fn patterns_that_are_alike_are_found_and_merged() {
    let scratch = Scratch::new();
    let pattern =
        |summary: &str| json!({"name": "Sorting", "kind": "strategy", "summary": summary});
    let one = add(&scratch, &pattern("Sort large tables by an index."));
    let two = add(&scratch, &pattern("By an index: sort large tables."));
    let other = add(&scratch, &pattern("Restart the server at night."));
    let found = ok(&scratch.run(&["patterns", "similar", &one, "--least", "0.9"]));
    assert!(found.contains(&two) && !found.contains(&other), "{found}");
    ok(&scratch.run(&[
        "patterns",
        "merge",
        "--pattern",
        &one,
        "--pattern",
        &two,
        "--reason",
        "the same",
    ]));
    let gone = scratch
        .run(&["patterns", "find", "--status", "deprecated", "--json"])
        .json();
    let gone = gone[0]["lesson"]["id"].as_str().expect("an id").to_owned();
    assert!(gone == one || gone == two);
    let shown = ok(&scratch.run(&["links", "of-memory", &gone]));
    assert!(shown.contains("superseded-by"), "{shown}");
    ok(&scratch.run(&["patterns", "deprecate", &other, "it restarts itself", ""]));
    assert_eq!(
        ok(&scratch.run(&["patterns", "prune", "--dry-run"])),
        "Nothing was found.\n"
    );
    let mut gate = scratch.run(&["patterns", "gate", "--json"]).json();
    gate["least-success-rate"] = json!(0.8);
    let set = scratch.run_with(
        &["patterns", "set-gate", "--from", "-", "--json"],
        gate.to_string().as_bytes(),
    );
    assert_eq!(set.json(), gate, "{}", set.stderr());
    let told = ok(&scratch.run(&["patterns", "gate"]));
    let rate = |line: &str| line.split_whitespace().eq(["least-success-rate", "0.8"]);
    assert!(told.lines().any(rate), "{told}");
    // One setting alone is no gate, and the others are not taken for 0.
    let half = scratch.run(&["patterns", "set-gate", "--confidence", "0.9"]);
    assert_eq!(half.code(), 2);
    assert!(
        half.stderr().contains("--significance"),
        "{}",
        half.stderr()
    );
    scratch.assert_sound();
}

#[test]
fn what_a_pattern_may_not_be_is_refused_with_the_reason() {
    let scratch = Scratch::new();
    for (input, named) in [
        (r#"{"name": "x", "kind": "strategy"}"#, "summary"),
        (
            r#"{"name": "x", "kind": "strategy", "summary": ""}"#,
            "summary",
        ),
        (r#"{"name": "x", "kind": "magic", "summary": "y"}"#, "magic"),
        (
            r#"{"name": "x", "kind": "strategy", "summary": "y", "colour": 1}"#,
            "colour",
        ),
    ] {
        let ran = scratch.run_with(&["patterns", "add", "--from", "-"], input.as_bytes());
        assert_eq!(ran.code(), 2, "{input}: {}", ran.stderr());
        assert!(ran.stderr().contains(named), "{named}: {}", ran.stderr());
    }
    assert_eq!(scratch.run(&["patterns", "get", "les_nobody"]).code(), 1);
    assert_eq!(
        scratch
            .run(&["patterns", "find-applicable", "--feature", "x"])
            .code(),
        2
    );
    let help = ok(&scratch.run(&["patterns", "--help"]));
    assert!(help.contains("Examples:"), "{help}");
}
