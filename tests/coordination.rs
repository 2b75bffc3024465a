//! `twiceshy ledger` and `twiceshy handoff`: agents in several processes.

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
            "ledger",
            "check-in",
            "eng-001",
            "--task",
            "task-042",
            "--goal",
            "CRUD",
            "--file",
            "a.ts",
            "--uncommitted",
            "--commit",
            "abc123",
            "--tech",
            "express",
            "--pattern",
            "sem-001",
        ],
    );
    ok(&scratch, &["ledger", "check-in", "eng-001", "--completed"]);
    let ledger = ok(&scratch, &["ledger", "show", "eng-001"]);
    assert_eq!(
        (&ledger["tasks-completed"], &ledger["checkpoints"]),
        (&json!(1), &json!(2))
    );
    assert!(
        scratch
            .run(&["ledger", "list"])
            .stdout()
            .contains("eng-001  1 tasks completed")
    );
    let sent = ok(
        &scratch,
        &[
            "handoff",
            "send",
            "eng-001",
            "qa-001",
            "--done",
            "Implemented POST",
            "--artifact",
            "a.ts",
            "--git",
            "commit abc123",
            "--test",
            "contract tests",
            "--pattern",
            "sem-001",
        ],
    );
    assert_eq!(sent["id"], "handoff-001");
    let inbox = scratch.run(&["handoff", "inbox", "qa-001"]).stdout();
    assert!(
        inbox.contains("handoff-001") && inbox.contains("waits"),
        "{inbox}"
    );
    let other = scratch.run(&["handoff", "take", "handoff-001", "eng-001"]);
    assert_eq!(other.code(), 1);
    assert!(other.stderr().contains("qa-001"), "{}", other.stderr());
    ok(&scratch, &["handoff", "take", "handoff-001", "qa-001"]);
    assert_eq!(
        scratch.run(&["handoff", "inbox", "qa-001"]).stdout(),
        "No handoffs.\n"
    );
    let shown = scratch.run(&["handoff", "show", "handoff-001"]).stdout();
    assert!(
        shown.contains("to be tested: contract tests") && shown.contains("taken up"),
        "{shown}"
    );
    assert_eq!(
        ok(&scratch, &["handoff", "list", "--from", "eng-001"])
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    assert_eq!(scratch.run(&["ledger", "show", "nobody"]).code(), 1);
}

#[test]
fn eight_processes_lose_no_count_and_share_no_number() {
    let scratch = Scratch::new();
    let check_in = json!({ "agent-id": "eng-001", "completed": true, "state": { "uncommitted-changes": false },
        "context": { "current-goal": "count" } });
    let handoff = json!({ "from-agent": "eng-001", "to-agent": "qa-001", "context": { "what-was-done": "it",
        "git-state": "clean" } });
    let answers = at_once(&scratch, |_| {
        format!("coordination.check-in {check_in}\ncoordination.hand-off {handoff}\n").repeat(10)
    });
    let ledger = ok(&scratch, &["ledger", "show", "eng-001"]);
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
                let ran = scratch.run(&["handoff", "take", "handoff-007", "qa-001"]);
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
