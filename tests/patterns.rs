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
        &["patterns", "add", "-", "--json"],
        pattern.to_string().as_bytes(),
    );
    ok(&ran);
    ran.json()[0]["lesson"]["id"]
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
    assert_eq!(ok(&scratch.run(&["patterns"])), "No patterns.\n");
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
        "applicable",
        "cut it",
        "--task-type",
        "refactoring",
        "--domain",
        "rust",
    ];
    assert_eq!(ok(&scratch.run(&asked)), "No patterns apply.\n");
    for at in 0..5 {
        let run = episode(&scratch, at, "success");
        for _ in 0..2 {
            ok(&scratch.run(&["patterns", "apply", &id, &run, "success"]));
        }
    }
    let dry = ok(&scratch.run(&["patterns", "validate", "--all", "--dry-run"]));
    assert!(dry.contains("candidate → promoted"), "{dry}");
    assert!(
        ok(&scratch.run(&["patterns", "list", "--status", "promoted"])).contains("No patterns")
    );
    let told = ok(&scratch.run(&["patterns", "validate", &id]));
    for part in [
        &id,
        "validated",
        "candidate → promoted",
        "5 of 5",
        "p 0.0312",
        "confidence 0.760",
    ] {
        assert!(told.contains(part), "{part} is not in: {told}");
    }
    let found = ok(&scratch.run(&asked));
    assert!(
        found.contains(&id) && found.contains("0.4 × confidence 0.76"),
        "{found}"
    );
    for at in 5..8 {
        let run = episode(&scratch, at, "failure");
        ok(&scratch.run(&["patterns", "apply", &id, &run, "failure"]));
    }
    let told = ok(&scratch.run(&["patterns", "validate", "--all"]));
    assert!(told.contains("promoted → under-review"), "{told}");
    let narrower = scratch.path().join("narrower.json");
    let applicability =
        json!({"applicability": {"domains": ["rust"], "problem-types": ["refactoring"]}});
    fs::write(&narrower, applicability.to_string()).expect("a file");
    let refined = scratch.run(&[
        "patterns",
        "refine",
        &id,
        "narrower.json",
        "--reason",
        "not for moving",
        "--json",
    ]);
    ok(&refined);
    assert_eq!(refined.json()["version"], 2);
    assert_eq!(refined.json()["evidence"]["applications"], 0);
    let shown = ok(&scratch.run(&["patterns", "show", &id]));
    for part in [
        "Cut by file",
        "promoted: refined: not for moving",
        "list the files; change one",
        "refactoring",
    ] {
        assert!(shown.contains(part), "{part} is not in:\n{shown}");
    }
    let history = ok(&scratch.run(&["patterns", "history", &id]));
    assert!(
        history.contains("version 1") && history.contains("not for moving"),
        "{history}"
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
    ok(&scratch.run(&["patterns", "merge", &one, &two, "--reason", "the same"]));
    let gone = scratch
        .run(&["patterns", "list", "--status", "deprecated", "--json"])
        .json();
    let gone = gone[0]["lesson"]["id"].as_str().expect("an id").to_owned();
    assert!(gone == one || gone == two);
    let shown = ok(&scratch.run(&["links", "of", &gone]));
    assert!(shown.contains("superseded-by"), "{shown}");
    ok(&scratch.run(&[
        "patterns",
        "deprecate",
        &other,
        "--reason",
        "it restarts itself",
    ]));
    assert_eq!(
        ok(&scratch.run(&["patterns", "prune", "--dry-run"])),
        "Nothing to do.\n"
    );
    let gate = ok(&scratch.run(&["patterns", "gate", "--success-rate", "0.8"]));
    assert!(gate.contains("at least 0.8"), "{gate}");
    assert!(ok(&scratch.run(&["patterns", "gate"])).contains("at least 0.8"));
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
        let ran = scratch.run_with(&["patterns", "add", "-"], input.as_bytes());
        assert_eq!(ran.code(), 2, "{input}: {}", ran.stderr());
        assert!(ran.stderr().contains(named), "{named}: {}", ran.stderr());
    }
    assert_eq!(scratch.run(&["patterns", "show", "les_nobody"]).code(), 1);
    assert_eq!(
        scratch
            .run(&["patterns", "applicable", "--feature", "x"])
            .code(),
        2
    );
    let help = ok(&scratch.run(&["patterns", "--help"]));
    assert!(help.contains("Examples:"), "{help}");
}
