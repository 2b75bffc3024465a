//! `twiceshy working`: a working memory over many processes.

use std::{fs, os::unix::fs::symlink};

use serde_json::{Value, json};

use crate::support::Scratch;

/// A project with an open task that has a working memory.
fn begun() -> Scratch {
    let scratch = Scratch::new();
    let started = scratch.run(&[
        "task",
        "start",
        "Add JWT authentication. p95 < 200ms.",
        "--id",
        "jwt",
    ]);
    assert_eq!(started.code(), 0, "{}", started.stderr());
    ok(
        &scratch,
        &[
            "working",
            "init",
            "--tool",
            "cargo",
            "--safety-bounds",
            "never push",
        ],
    );
    scratch
}

/// Runs a command that has to work, and gives its JSON.
fn ok(scratch: &Scratch, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    let ran = scratch.run(&arguments);
    assert_eq!(ran.code(), 0, "{arguments:?}: {}", ran.stderr());
    ran.json()
}

#[test]
fn a_working_memory_lives_over_processes_and_ends_with_its_task() {
    let scratch = begun();
    // The only open task is meant if nobody says.
    let loaded = ok(
        &scratch,
        &["working", "load-task", "--plan", "choose a library"],
    );
    assert!(loaded["tokens"].as_u64() > Some(0));
    ok(
        &scratch,
        &["working", "set", "target_file", "auth.py", "task-scope"],
    );
    ok(
        &scratch,
        &[
            "working",
            "push-state",
            "execution",
            "--current-subtask",
            "encode",
            "--progress",
            "0.4",
            "--failed",
            "install=no such package",
        ],
    );
    let ran = scratch.run_with(
        &[
            "working",
            "add-intermediate",
            "run_tests",
            "-",
            "--kind",
            "test_output",
        ],
        b"3 passed\n1 failed\n",
    );
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let found = ok(&scratch, &["working", "get", "target_file", "task-scope"]);
    assert_eq!(found["value"], "\"auth.py\"");
    let all = ok(&scratch, &["working", "view", "--run", "jwt"]);
    assert_eq!(all["budget"], 20_000);
    assert_eq!(all["state"]["failed"][0]["error"], "no such package");
    let goals = all["items"]
        .as_array()
        .expect("items")
        .iter()
        .find(|item| item["id"] == "task-goals");
    assert_eq!(
        goals.expect("goals")["text"],
        "[\"Add JWT authentication\"]"
    );
    let fetched = ok(
        &scratch,
        &["working", "fetch", "intermediate-values-run_tests"],
    );
    assert!(
        fetched.as_str().expect("text").contains("3 passed"),
        "{fetched}"
    );
    let rendered = ok(&scratch, &["working", "render", "--tokens", "400"]);
    let text = rendered["text"].as_str().expect("a text");
    assert!(
        text.starts_with("<twiceshy-memory>\n") && text.contains("current subtask: encode"),
        "{text}"
    );
    // Snapshots.
    let snapshot = ok(&scratch, &["working", "take-snapshot", "before"]);
    ok(
        &scratch,
        &["working", "set", "target_file", "null", "task-scope"],
    );
    assert_eq!(
        ok(&scratch, &["working", "get", "target_file", "task-scope"])["found"],
        false
    );
    ok(
        &scratch,
        &["working", "rollback", snapshot["id"].as_str().expect("id")],
    );
    assert_eq!(
        ok(&scratch, &["working", "get", "target_file", "task-scope"])["found"],
        true
    );
    assert_eq!(
        ok(&scratch, &["working", "snapshots"])
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    // The end of the task.
    ok(
        &scratch,
        &["working", "set", "llm_calls", "8", "--scope", "metadata"],
    );
    ok(&scratch, &["task", "finish", "jwt", "--outcome", "success"]);
    let ran = scratch.run(&["working", "view", "--run", "jwt"]);
    assert_eq!(ran.code(), 1);
    assert!(ran.stderr().contains("has ended"), "{}", ran.stderr());
    let left = ok(&scratch, &["working", "metadata", "--run", "jwt"]);
    assert_eq!(left["variables"][1]["value"], "8", "{left}");
    scratch.assert_sound();
}

#[test]
fn the_task_of_a_working_memory_brings_three_patterns_and_five_episodes() {
    let scratch = Scratch::new();
    for number in 1..=7 {
        let run =
            json!({"task": format!("Add JWT authentication to service {number}"), "domain": "cli"});
        let step = json!({
            "step": {"before": "", "action": "{}", "observation": "{}"},
            "feedback": {"action-text": "pip install pyjwt", "hard-failure": null},
        });
        scratch.call(
            "runs.submit",
            &json!({"run": run, "steps": [step], "ending": {}}),
        );
    }
    for subject in ["tokens", "keys", "claims", "headers"] {
        let pattern = json!({"name": subject, "kind": "strategy",
                             "summary": format!("JWT authentication wants short {subject}")});
        let added = scratch.call("patterns.add", &json!({ "pattern": pattern }));
        let promoted = json!({"lesson": added["lesson"]["id"], "status": "promoted", "reason": "for the test"});
        scratch.call("lessons.set-status", &promoted);
    }
    scratch.run(&["task", "start", "Add JWT authentication to the gateway"]);
    ok(&scratch, &["working", "init"]);
    ok(&scratch, &["working", "load-task"]);
    let retrieved = ok(&scratch, &["working", "retrieve"]);
    let retrieved = retrieved.as_array().expect("a list");
    let of = |kind: &str| {
        let of_kind = |item: &&Value| item["id"].as_str().is_some_and(|id| id.starts_with(kind));
        retrieved.iter().filter(of_kind).count()
    };
    assert_eq!((of("pattern-"), of("episode-")), (3, 5), "{retrieved:?}");
    // Both are in the working memory, as summaries.
    let shown = ok(&scratch, &["working", "view"]);
    for item in retrieved {
        let found = shown["items"].as_array().expect("a list").iter();
        let found = found.filter(|one| one["id"] == item["id"]);
        let references: Vec<_> = found.map(|one| &one["is-reference"]).collect();
        assert_eq!(references, [true], "{item}");
    }
}

#[test]
fn which_task_is_meant_is_asked_where_it_is_not_clear() {
    let scratch = Scratch::new();
    let none = scratch.run(&["working", "view"]);
    assert_eq!(none.code(), 2);
    assert!(
        none.stderr().contains("twiceshy task start"),
        "{}",
        none.stderr()
    );
    for id in ["one", "two"] {
        scratch.run(&["task", "start", "something", "--id", id]);
    }
    let several = scratch.run(&["working", "init"]);
    assert_eq!(several.code(), 2);
    assert!(several.stderr().contains("--run"), "{}", several.stderr());
    let wrong = scratch.run(&["working", "init", "--run", "one", "--system-context", "5"]);
    assert_eq!(wrong.code(), 2);
    assert!(
        wrong.stderr().contains("retrieved-context"),
        "{}",
        wrong.stderr()
    );
    let absent = scratch.run(&["working", "view", "--run", "one"]);
    assert_eq!(absent.code(), 1);
    assert!(
        absent.stderr().contains("twiceshy working init"),
        "{}",
        absent.stderr()
    );
}

#[test]
fn eight_processes_at_one_working_memory_lose_nothing() {
    let scratch = begun();
    let processes: Vec<_> = (0..8)
        .map(|process| {
            let requests: String = (0..25)
                .map(|number| {
                    let variable = json!({
                        "run": "jwt",
                        "variable": { "key": format!("p{process}_{number}"), "value": number, "scope": "task-scope" },
                    });
                    format!("working.set {variable}\n")
                })
                .collect();
            let mut command = scratch.command(&["call", "--lines"]);
            std::thread::spawn(move || {
                command.env("TWICESHY_LOG", "warn");
                crate::support::feed(command, requests.as_bytes())
            })
        })
        .collect();
    for process in processes {
        let ran = process.join().expect("it ran");
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
        assert!(!ran.stdout().contains("\"error\""), "{}", ran.stdout());
    }
    let all = ok(&scratch, &["working", "view"]);
    let variables = all["variables"].as_array().expect("variables");
    let set = variables
        .iter()
        .filter(|variable| variable["scope"] == "task-scope")
        .count();
    assert_eq!(set, 200);
    let cleared = ok(&scratch, &["working", "clear"]);
    assert_eq!(cleared["operations"], 201);
    scratch.assert_sound();
}

#[test]
fn a_page_is_written_whole_and_only_where_it_was_meant_to_be() {
    let scratch = begun();
    ok(
        &scratch,
        &[
            "working",
            "push-state",
            "planning",
            "--current-subtask",
            "a <b> `c`",
        ],
    );
    let printed = scratch.run(&["working", "continuity"]).stdout();
    for heading in [
        "## Relevant Memories (Auto-Retrieved)",
        "## Mistakes to Avoid (From Learnings)",
    ] {
        assert!(printed.lines().any(|line| line == heading), "{printed}");
    }
    assert!(
        printed.contains("- Current subtask: a \\<b\\> \\`c\\`"),
        "{printed}"
    );
    let page = scratch.path().join("CONTINUITY.md");
    ok(
        &scratch,
        &["working", "continuity", "--output", "CONTINUITY.md"],
    );
    let written = fs::read_to_string(&page).expect("a page");
    assert!(written.contains("# Continuity"), "{written}");
    // A link in its place is replaced, never followed.
    let outside = tempfile::tempdir().expect("a directory");
    let precious = outside.path().join("precious");
    fs::write(&precious, "precious").expect("a file");
    fs::remove_file(&page).expect("ours");
    symlink(&precious, &page).expect("a link");
    ok(
        &scratch,
        &["working", "continuity", "--output", "CONTINUITY.md"],
    );
    assert_eq!(
        fs::read_to_string(&precious).expect("still there"),
        "precious"
    );
    assert!(!page.symlink_metadata().expect("a page").is_symlink());
    // A directory that leads out of here is refused.
    symlink(outside.path(), scratch.path().join("out")).expect("a link");
    let ran = scratch.run(&["working", "continuity", "--output", "out/CONTINUITY.md"]);
    assert_eq!(ran.code(), 2);
    assert!(ran.stderr().contains("link"), "{}", ran.stderr());
    let left: Vec<_> = fs::read_dir(outside.path()).expect("readable").collect();
    assert_eq!(left.len(), 1);
    let here: Vec<_> = fs::read_dir(scratch.path())
        .expect("readable")
        .flatten()
        .collect();
    assert!(
        here.iter()
            .all(|entry| !entry.file_name().to_string_lossy().ends_with(".new"))
    );
}

#[test]
fn a_failed_command_of_the_task_brings_what_helps_into_working_memory() {
    let scratch = begun();
    let missing = scratch.run(&["run", "--run", "jwt", "--", "cat", "nowhere.txt"]);
    assert_eq!(missing.code(), 1);
    let added = scratch.run(&[
        "lessons",
        "add",
        "--rule",
        "WRONG: cat nowhere.txt → CORRECT: cat somewhere.txt",
        "--trigger-text",
        "cat: nowhere.txt: No such file or directory",
        "--domain",
        "cli",
    ]);
    assert_eq!(added.code(), 0, "{}", added.stderr());
    // A lesson may be withheld from a run in order to compare, so the task is one in which nothing is.
    scratch.call(
        "runs.start",
        &json!({ "id": "open", "task": "read it", "domain": "cli", "hold-out": 0.0 }),
    );
    ok(&scratch, &["working", "init", "--run", "open"]);
    scratch.run(&["run", "--run", "open", "--", "cat", "nowhere.txt"]);
    let all = ok(&scratch, &["working", "view", "--run", "open"]);
    let items = all["items"].as_array().expect("items");
    let recovery = items
        .iter()
        .find(|item| item["section"] == "retrieved-context");
    let text = recovery.expect("what helps")["text"]
        .as_str()
        .expect("text")
        .to_owned();
    assert!(text.contains("cat somewhere.txt"), "{text}");
}
