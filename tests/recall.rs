//! `twiceshy recall`: the bundle for a task, as a person, a program and a prompt get it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Ran, Scratch};

fn ok(ran: &Ran) -> String {
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.stdout()
}

/// A project that knows something of every kind about a column.
pub(crate) fn with_memories() -> (Scratch, BTreeMap<&'static str, String>) {
    let scratch = Scratch::new();
    let mut ids = BTreeMap::new();
    for (name, rule, kind) in [
        (
            "rule",
            "Add a new column as nullable first, then backfill it",
            "rule",
        ),
        (
            "fact",
            "The orders table has 40 million rows, every column costs",
            "fact",
        ),
        (
            "avoid",
            "AVOID: dropping a column in the release that stops writing it",
            "anti-pattern",
        ),
        ("other", "A dough with much water needs a hot oven", "rule"),
    ] {
        let arguments = ["lessons", "add", "--rule", rule, "--kind", kind, "--json"];
        let lesson = scratch.run(&arguments).json();
        ids.insert(name, lesson["id"].as_str().expect("an id").to_owned());
    }
    let run = [
        "run",
        "--task",
        "add the currency column to orders",
        "--",
        "true",
    ];
    ok(&scratch.run(&run));
    (scratch, ids)
}

fn named(bundle: &Value, member: &str) -> Vec<String> {
    let items = bundle[member].as_array().expect("a list").iter();
    items
        .map(|item| item["id"].as_str().expect("an id").to_owned())
        .collect()
}

#[test]
fn a_task_gets_its_bundle_with_every_kind_of_memory() {
    let (scratch, ids) = with_memories();
    let task = "add a column to the orders table";
    let before = scratch.status();
    let bundle = scratch.run(&["recall", task, "--json"]).json();
    assert_eq!(bundle["work"], "implementation");
    assert_eq!(
        named(&bundle, "applicable-patterns"),
        [ids["rule"].as_str()]
    );
    assert_eq!(named(&bundle, "domain-knowledge"), [ids["fact"].as_str()]);
    assert_eq!(named(&bundle, "avoid-these"), [ids["avoid"].as_str()]);
    assert_eq!(named(&bundle, "similar-episodes").len(), 1);
    let text = ok(&scratch.run(&["recall", task]));
    for part in [
        "what to avoid",
        "patterns and lessons",
        "facts",
        "similar episodes",
        "fit 0.",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    for name in ["rule", "fact", "avoid"] {
        assert!(text.contains(&ids[name]), "{name} is not in:\n{text}");
    }
    assert!(!text.contains(&ids["other"]), "{text}");
    assert_eq!(scratch.status(), before);
}

#[test]
fn the_text_is_exactly_what_goes_into_a_prompt() {
    let (scratch, ids) = with_memories();
    let task = "add a column to the orders table";
    let bundle = scratch.run(&["recall", task, "--json"]).json();
    let text = ok(&scratch.run(&["recall", task, "--text"]));
    assert_eq!(bundle["text"], text);
    assert!(text.starts_with("<twiceshy-memory>\n") && text.ends_with("</twiceshy-memory>"));
    // What comes back from a prompt is no evidence: a step that prints it is stripped of it.
    scratch.run(&[
        "run",
        "--quiet",
        "--",
        "sh",
        "-c",
        &format!("echo '{text}' >&2; exit 3"),
    ]);
    let events = scratch.events();
    assert!(
        !events[0].to_string().contains(&ids["avoid"]),
        "{}",
        events[0]
    );
    let short = ok(&scratch.run(&["recall", task, "--text", "--tokens", "90"]));
    assert!(
        short.len() < text.len() && short.contains(&ids["avoid"]),
        "{short}"
    );
    assert_eq!(
        ok(&scratch.run(&["recall", "tune the piano", "--text"])),
        ""
    );
}

#[test]
fn what_is_known_of_a_task_can_be_said() {
    let (scratch, ids) = with_memories();
    let bundle = scratch
        .run(&[
            "recall",
            "orders",
            "--work",
            "review",
            "--action",
            "drop column",
            "--limit",
            "1",
            "--task-type",
            "migration",
            "--feature",
            "language=sql",
            "--json",
        ])
        .json();
    assert_eq!(bundle["work"], "review");
    assert_eq!(named(&bundle, "avoid-these"), [ids["avoid"].as_str()]);
    for (arguments, named) in [
        (vec!["recall", "x", "--work", "sleeping"], "debugging"),
        (vec!["recall", "x", "--feature", "language"], "NAME=VALUE"),
        (vec!["recall", ""], "request.task"),
        (vec!["recall", "x", "--limit", "0"], "request.limit"),
        (vec!["recall", "x", "--text", "--lessons"], "--lessons"),
    ] {
        let ran = scratch.run(&arguments);
        assert_eq!(ran.code(), 2, "{arguments:?}: {}", ran.stderr());
        assert!(
            ran.stderr().contains(named),
            "{arguments:?}: {}",
            ran.stderr()
        );
    }
    let lessons = scratch
        .run(&["recall", "add a column", "--lessons", "--json"])
        .json();
    assert_eq!(lessons[0]["parts"]["fingerprint-match"], 0.0);
}
