//! `twiceshy coordination`: ledgers and handoffs of agents in several processes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Scratch, feed};

fn ok(scratch: &Scratch, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    let ran = scratch.run(&arguments);
    assert_eq!(ran.code(), 0, "{arguments:?}: {}", ran.stderr());
    ran.json()
}

/// Lines for eight processes at once, each of them answered without an error.
fn at_once(scratch: &Scratch, requests: impl Fn(usize) -> String) -> Vec<Vec<Value>> {
    let processes: Vec<_> = (0..8)
        .map(|process| {
            let (command, input) = (scratch.command(&["call", "--lines"]), requests(process));
            std::thread::spawn(move || feed(command, input.as_bytes()))
        })
        .collect();
    processes
        .into_iter()
        .map(|process| {
            let ran = process.join().expect("it ran");
            assert_eq!(ran.code(), 0, "{}", ran.stderr());
            let lines = ran.stdout();
            let answers = lines.lines().map(|line| {
                let mut answer: Value = serde_json::from_str(line).expect("JSON");
                assert!(answer["error"].is_null(), "{line}");
                answer["ok"].take()
            });
            answers.collect()
        })
        .collect()
}

#[test]
fn an_agent_writes_its_ledger_and_hands_over() {
    let scratch = Scratch::new();
    ok(
        &scratch,
        &[
            "coordination",
            "check-in",
            "eng-001",
            "--current-task",
            "task-042",
            "--current-goal",
            "CRUD",
            "--files-modified",
            "a.ts",
            "--uncommitted-changes",
            "--last-git-commit",
            "abc123",
            "--tech-stack",
            "express",
            "--patterns-learned",
            "sem-001",
        ],
    );
    ok(
        &scratch,
        &["coordination", "check-in", "eng-001", "--completed"],
    );
    let ledger = ok(&scratch, &["coordination", "ledger-of", "eng-001"]);
    assert_eq!(
        (&ledger["tasks-completed"], &ledger["checkpoints"]),
        (&json!(1), &json!(2))
    );
    let listed = scratch.run(&["coordination", "ledgers"]).stdout();
    for line in ["agent-id         eng-001", "tasks-completed  1"] {
        assert!(listed.lines().any(|said| said == line), "{line}: {listed}");
    }
    let sent = ok(
        &scratch,
        &[
            "coordination",
            "hand-over",
            "eng-001",
            "qa-001",
            "--what-was-done",
            "Implemented POST",
            "--artifact",
            "a.ts",
            "--git-state",
            "commit abc123",
            "--needs-testing",
            "contract tests",
            "--relevant-pattern",
            "sem-001",
        ],
    );
    assert_eq!(sent["id"], "handoff-001");
    let inbox = [
        "coordination",
        "handoffs",
        "--to-agent",
        "qa-001",
        "--waiting",
    ];
    let waits = scratch.run(&inbox).stdout();
    assert!(waits.contains("handoff-001"), "{waits}");
    let other = scratch.run(&["coordination", "take-up", "handoff-001", "eng-001"]);
    assert_eq!(other.code(), 1);
    assert!(other.stderr().contains("qa-001"), "{}", other.stderr());
    ok(
        &scratch,
        &["coordination", "take-up", "handoff-001", "qa-001"],
    );
    assert_eq!(scratch.run(&inbox).stdout(), "Nothing was found.\n");
    let shown = scratch
        .run(&["coordination", "handoff-of", "handoff-001"])
        .stdout();
    let tested = shown
        .lines()
        .any(|line| line.contains("needs-testing") && line.contains("contract tests"));
    assert!(tested && shown.contains("taken-up-at"), "{shown}");
    let sent = ok(
        &scratch,
        &["coordination", "handoffs", "--from-agent", "eng-001"],
    );
    assert_eq!(sent.as_array().map(Vec::len), Some(1));
    assert_eq!(
        scratch.run(&["coordination", "ledger-of", "nobody"]).code(),
        1
    );
}

#[test]
fn eight_processes_lose_no_count_and_share_no_number() {
    let scratch = Scratch::new();
    let check_in = json!({ "agent-id": "eng-001", "completed": true, "state": { "uncommitted-changes": false },
        "context": { "current-goal": "count" } });
    let handoff = json!({ "from-agent": "eng-001", "to-agent": "qa-001", "context": { "what-was-done": "it",
        "git-state": "clean" } });
    let answers = at_once(&scratch, |_| {
        format!("coordination.check-in {check_in}\ncoordination.hand-over {handoff}\n").repeat(10)
    });
    let ledger = ok(&scratch, &["coordination", "ledger-of", "eng-001"]);
    assert_eq!(
        (&ledger["checkpoints"], &ledger["tasks-completed"]),
        (&json!(80), &json!(80))
    );
    let ids: BTreeSet<_> = answers
        .iter()
        .flatten()
        .filter_map(|answer| answer["id"].as_str())
        .collect();
    let all: BTreeSet<_> = (1..=80)
        .map(|number| format!("handoff-{number:03}"))
        .collect();
    assert_eq!(ids, all.iter().map(String::as_str).collect());
    // Each is taken up by one of those who try.
    let taken = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let ran = scratch.run(&["coordination", "take-up", "handoff-007", "qa-001"]);
                taken.fetch_add(
                    usize::from(ran.code() == 0),
                    std::sync::atomic::Ordering::SeqCst,
                );
            });
        }
    });
    assert_eq!(taken.into_inner(), 1);
    scratch.assert_sound();
}
