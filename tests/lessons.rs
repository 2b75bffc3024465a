//! `twiceshy lessons`, `why` and `recall`: what was learned, what it rests on, and a person's say in it.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, Scratch};

/// A project with a tool that has a syntax of its own, in which nothing is withheld.
pub fn with_gizmo() -> Scratch {
    let scratch = Scratch::new();
    let tool = "#!/bin/sh\ncase \"$1\" in --new) echo done;; *) echo \"gizmo: unknown option '$1'\" >&2; exit 2;; esac\n";
    let path = scratch.path().join("gizmo");
    fs::write(&path, tool).expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
    }
    fs::create_dir_all(scratch.memory()).expect("a directory");
    fs::write(scratch.memory().join("config.toml"), "hold-out = 0\n").expect("settings");
    scratch
}

/// Works on a task with these options of the tool, one after the other. Gives what finishing it says.
pub fn work(scratch: &Scratch, task: &str, options: &[&str]) -> Value {
    let started = scratch.run(&["task", "start", task, "--json"]);
    assert_eq!(started.code(), 0, "{}", started.stderr());
    let run = started.json()["run"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    for option in options {
        scratch.run(&[
            "run", "--run", &run, "--", "./gizmo", option, "report", "weekly",
        ]);
    }
    let finished = scratch.run(&["task", "finish", &run, "--json"]);
    assert_eq!(finished.code(), 0, "{}", finished.stderr());
    finished.json()
}

fn add(scratch: &Scratch, rule: &str, more: &[&str]) -> String {
    let arguments: Vec<_> = ["lessons", "add", "--json", "--rule", rule]
        .iter()
        .chain(more)
        .copied()
        .collect();
    let ran = scratch.run(&arguments);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.json()["id"].as_str().expect("an id").to_owned()
}

fn ok(ran: &Ran) -> String {
    assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
    ran.stdout()
}

const RULE: &str = "WRONG: gizmo --old report → CORRECT: gizmo --new report";

#[test]
fn what_was_wrong_and_what_was_right_is_learned_and_explained() {
    let scratch = with_gizmo();
    let learned = work(&scratch, "make the report", &["--old", "--new"]);
    let lesson = &learned["lessons"][0];
    let rule = lesson["rule-text"].as_str().expect("a rule").to_owned();
    assert!(
        rule.contains("WRONG") && rule.contains("--old") && rule.contains("--new"),
        "{rule}"
    );
    let id = lesson["id"].as_str().expect("an id");
    assert!(ok(&scratch.run(&["lessons"])).contains(id));
    // It comes back with the next task, before anything went wrong.
    let again = work(&scratch, "make the report", &["--new"]);
    assert_eq!(again["episode"]["lessons"], json!([id]));
    let why = ok(&scratch.run(&["why", id]));
    for part in [
        rule.as_str(),
        "by trace",
        "step 0   failed  ./gizmo --old report weekly",
        "unknown option '--old'",
        "step 1   worked  ./gizmo --new report weekly",
        "\"make the report\" success after 2 steps, 1 of them failed",
        "shown, before step 0",
        "helped",
    ] {
        assert!(why.contains(part), "{part} is not in:\n{why}");
    }
    let explained = scratch.run(&["why", id, "--json"]).json();
    assert_eq!(explained["steps"][0]["index"], 0);
    assert_eq!(explained["activations"][0]["outcome"]["verdict"], "helped");
    assert_eq!(explained["episodes"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_person_teaches_shows_edits_and_moves_a_lesson() {
    let scratch = Scratch::new();
    assert_eq!(ok(&scratch.run(&["lessons"])), "No lessons.\n");
    let id = add(
        &scratch,
        RULE,
        &[
            "--trigger-text",
            "gizmo: unknown option '--old'",
            "--tag",
            "unknown_symbol",
            "--scope",
            "domain",
            "--domain",
            "cli",
            "--kind",
            "recovery",
        ],
    );
    let shown = ok(&scratch.run(&["lessons", "show", &id]));
    for part in [
        RULE,
        "candidate",
        "recovery",
        "domain",
        "vouched",
        "fp_",
        "unknown_symbol",
        "by person",
    ] {
        assert!(shown.contains(part), "{part} is not in:\n{shown}");
    }
    for status in [
        "promoted",
        "under-review",
        "promoted",
        "suppressed",
        "promoted",
    ] {
        let ran = scratch.run(&[
            "lessons",
            "set-status",
            &id,
            status,
            "because I say so",
            "--json",
        ]);
        assert_eq!(ran.json()["status"], status, "{}", ran.stderr());
        assert_eq!(ran.json()["status-reason"], "because I say so");
    }
    let edited = scratch
        .run(&[
            "lessons",
            "revise",
            &id,
            "--rule-text",
            "WRONG: a → CORRECT: b",
            "--reason",
            "shorter",
            "--json",
        ])
        .json();
    assert_ne!(edited["id"], json!(id));
    assert_eq!(edited["status"], "candidate");
    let old = scratch.run(&["lessons", "show", &id, "--json"]).json();
    assert_eq!(old["status"], "deprecated");
    let archived = scratch
        .run(&["lessons", "set-status", &id, "archived", "old", "--json"])
        .json();
    assert_eq!(archived["status"], "archived");
    let promoted = ok(&scratch.run(&["lessons", "list", "--status", "archived"]));
    assert!(promoted.contains(&id), "{promoted}");
    assert_eq!(
        ok(&scratch.run(&["lessons", "--status", "promoted"])),
        "No lessons.\n"
    );
    let refused = scratch.run(&["lessons", "set-status", &id, "promoted", "again"]);
    assert_eq!(refused.code(), 1, "an archived lesson stays archived");
}

#[test]
fn lessons_are_related_and_taken_apart() {
    let scratch = Scratch::new();
    let one = add(&scratch, "WRONG: a → CORRECT: b", &["--domain", "cli"]);
    let two = add(
        &scratch,
        "prefer the long options of gizmo",
        &["--domain", "cli"],
    );
    ok(&scratch.run(&[
        "links",
        "relate",
        &one,
        "example-of",
        &two,
        "--reason",
        "a case of it",
    ]));
    let links = ok(&scratch.run(&["links", "of-memory", &one]));
    for part in ["example-of", &two, "a case of it"] {
        assert!(links.contains(part), "{part}: {links}");
    }
    let links = ok(&scratch.run(&["links", "of-memory", &two]));
    assert!(links.contains(&one), "{links}");
    assert!(ok(&scratch.run(&["why", &one])).contains("example-of"));
    ok(&scratch.run(&["links", "unrelate", &one, "example_of", &two]));
    assert_eq!(
        ok(&scratch.run(&["links", "of-memory", &one])),
        "Nothing was found.\n"
    );
}

#[test]
fn an_agent_hands_in_lessons_as_strict_json() {
    let scratch = with_gizmo();
    let episode = work(&scratch, "make the report", &["--old", "--older"])["episode"].clone();
    let id = episode["id"].as_str().expect("an id");
    let fingerprint = &episode["fingerprints"][0];
    let good = json!([{ "trigger_fingerprints": [fingerprint], "rule_text": RULE, "scope_hint": "domain" }]);
    let ran = scratch.run(&["lessons", "hand-in", id, &good.to_string(), "--json"]);
    assert_eq!(ran.json()[0]["rule-text"], RULE, "{}", ran.stderr());
    let ran = scratch.run_with(
        &["lessons", "hand-in", id, "-"],
        good.to_string().as_bytes(),
    );
    assert!(ok(&ran).contains(RULE));
    for (input, named) in [
        ("not JSON", "candidates"),
        (r#"[{"rule_text": "x"}]"#, "trigger_fingerprint"),
        ("\u{0}", "candidates"),
    ] {
        let ran = scratch.run_with(&["lessons", "hand-in", id, "-"], input.as_bytes());
        assert_eq!(ran.code(), 2, "{input}: {}", ran.stderr());
        assert!(ran.stderr().contains(named), "{}", ran.stderr());
    }
    assert_eq!(
        scratch
            .run(&["lessons", "hand-in", id, "no-such-file"])
            .code(),
        2
    );
    assert_eq!(
        scratch
            .run_with(&["lessons", "hand-in", id, "-"], b"\xff")
            .code(),
        2
    );
    // Mining again finds the same, and without a model there is nobody to ask.
    let count = || {
        scratch
            .run(&["lessons", "--json"])
            .json()
            .as_array()
            .map(Vec::len)
    };
    let before = count();
    ok(&scratch.run(&["lessons", "mine", id]));
    assert_eq!(count(), before);
    let ran = scratch.run(&["lessons", "distil", id]);
    assert_eq!(ran.code(), 1);
    assert!(ran.stderr().contains("model"), "{}", ran.stderr());
}

#[test]
fn recall_shows_the_parts_of_every_score_and_changes_nothing() {
    let scratch = Scratch::new();
    assert_eq!(
        ok(&scratch.run(&["recall", "make the report"])),
        "Nothing is known.\n"
    );
    let error = "gizmo: unknown option '--old'";
    let id = add(
        &scratch,
        RULE,
        &[
            "--trigger-text",
            error,
            "--domain",
            "cli",
            "--task",
            "make the report",
        ],
    );
    let before = scratch.status();
    let text = ok(&scratch.run(&["recall", "", "--on-error", error]));
    for part in [
        RULE,
        &id,
        "fingerprint 1.00",
        "tags ",
        "text ",
        "reliability 0.",
        "recency 1.00",
        "strict",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let piped = scratch.run_with(
        &["recall", "", "--on-error", "-", "--json"],
        error.as_bytes(),
    );
    assert_eq!(piped.json()[0]["parts"]["fingerprint-match"], 1.0);
    assert_eq!(
        ok(&scratch.run(&[
            "recall",
            "",
            "--on-error",
            "-x is no such thing as ever was"
        ])),
        "Nothing is known.\n"
    );
    let text = ok(&scratch.run(&["recall", "make the report"]));
    assert!(text.contains(RULE), "{text}");
    assert_eq!(scratch.status(), before);
}

#[test]
fn wrong_usage_is_refused_with_what_would_be_right() {
    let scratch = Scratch::new();
    let id = add(&scratch, RULE, &[]);
    for (arguments, code, named) in [
        (vec!["lessons", "show", "les_nobody"], 1, "les_nobody"),
        (vec!["why", "les_nobody"], 1, "les_nobody"),
        (vec!["lessons", "list", "--status", "best"], 2, "promoted"),
        (vec!["links", "relate", &id, "loves", &id], 2, "contradicts"),
        (
            vec!["links", "relate", &id, "contradicts", "les_nobody"],
            1,
            "les_nobody",
        ),
        (
            vec!["lessons", "set-status", &id, "suppressed"],
            2,
            "--reason",
        ),
        (vec!["lessons", "add"], 2, "--rule"),
        (vec!["lessons", "add", "--rule", ""], 2, "rule"),
        (vec!["lessons", "mine", "run_nobody"], 1, "run_nobody"),
        (
            vec![
                "lessons",
                "revise",
                "les_nobody",
                "--rule-text",
                "x",
                "--reason",
                "y",
            ],
            1,
            "les_nobody",
        ),
    ] {
        let ran = scratch.run(&arguments);
        assert_eq!(ran.code(), code, "{arguments:?}: {}", ran.stderr());
        assert!(
            ran.stderr().contains(named),
            "{arguments:?}: {}",
            ran.stderr()
        );
    }
    let ran = scratch.run(&["why", "les_nobody", "--json"]);
    let error: Value = serde_json::from_str(&ran.stderr()).expect("JSON");
    assert_eq!(error["error"]["kind"], "not-found");
}

#[test]
fn what_a_lesson_says_does_not_steer_a_terminal() {
    let scratch = Scratch::new();
    let id = add(
        &scratch,
        "WRONG: \u{1b}[31mred\u{7} → CORRECT: \u{202e}plain",
        &["--task", "\u{1b}]0;t\u{7}"],
    );
    for arguments in [
        vec!["lessons"],
        vec!["lessons", "show", &id],
        vec!["why", &id],
        vec!["recall", "plain red"],
        vec!["health"],
    ] {
        let text = ok(&scratch.run(&arguments));
        let steering = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(steering), "{arguments:?}: {text:?}");
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let scratch = Scratch::new();
    for command in [
        vec!["task"],
        vec!["task", "start"],
        vec!["task", "finish"],
        vec!["task", "list"],
        vec!["lessons"],
        vec!["lessons", "add"],
        vec!["lessons", "hand-in"],
        vec!["links", "relate"],
        vec!["why"],
        vec!["recall"],
        vec!["health"],
        vec!["prune"],
        vec!["doctor"],
    ] {
        let arguments: Vec<_> = command.iter().chain(&["--help"]).copied().collect();
        let help = ok(&scratch.run(&arguments));
        assert!(help.contains("Example"), "{command:?}");
        assert!(help.contains("--json"), "{command:?}");
    }
}
