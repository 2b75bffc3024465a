//! `twiceshy episodes`: runs that have ended, found again, grown old and brought back.

use std::{fs, path::Path, process::Stdio};

use serde_json::{Value, json};

use crate::{support::Scratch, waiting::killed_amid_writes};

const DAY: u64 = 24 * 60 * 60 * 1_000;

fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::try_from(since.expect("a clock").as_millis()).expect("in range")
}

/// An episode from elsewhere, so many days ago.
fn episode(id: &str, days_ago: u64) -> Value {
    json!({
        "id": id,
        "task": "convert the yearly report",
        "domain": "cli",
        "session": "s1",
        "agent": "writer",
        "task-type": "conversion",
        "tags": ["report"],
        "outcome": "success",
        "ended-at": now() - days_ago * DAY,
        "trace": [
            { "after": 0, "action": "convert", "target": "report.md --to pdf", "result": "fail",
              "error": "convert: no decode delegate for this format" },
            { "after": 900, "action": "convert", "target": "report.md --via pandoc --to pdf", "result": "pass" }
        ],
        "account": { "goals": ["a PDF"], "insights": ["pandoc knows Markdown"], "context": { "branch": "main" } }
    })
}

fn add(scratch: &Scratch, episode: &Value) -> Value {
    let ran = scratch.run_with(
        &["episodes", "add", "--from", "-", "--json"],
        episode.to_string().as_bytes(),
    );
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.json()
}

/// Everything that the program says to these arguments, which must succeed.
fn said(scratch: &Scratch, arguments: &[&str]) -> String {
    let ran = scratch.run(arguments);
    assert_eq!(ran.code(), 0, "{arguments:?}: {}", ran.stderr());
    ran.stdout()
}

/// The contents in the archive.
fn contents(scratch: &Scratch) -> usize {
    let count = |path: &Path| fs::read_dir(path).map_or(0, Iterator::count);
    let shelves = fs::read_dir(scratch.memory().join("archive"));
    let shelves = shelves.into_iter().flatten().flatten();
    shelves
        .filter(|shelf| shelf.file_name() != "unfinished")
        .map(|shelf| count(&shelf.path()))
        .sum()
}

#[test]
fn an_episode_from_a_file_is_listed_shown_and_found_by_its_task_and_its_failure() {
    let scratch = Scratch::new();
    let added = add(&scratch, &episode("ep-1", 2));
    assert_eq!(
        (&added["steps"], &added["failures"]),
        (&json!(2), &json!(1))
    );
    for filter in [
        ["--session", "s1"],
        ["--agent", "writer"],
        ["--task-type", "conversion"],
        ["--tag", "report"],
        ["--outcome", "success"],
        ["--phase", "active"],
        ["--since", "2020-01-01"],
    ] {
        let listed = said(&scratch, &["episodes", "list", filter[0], filter[1]]);
        assert!(listed.contains("ep-1"), "{filter:?}: {listed}");
    }
    let none = said(&scratch, &["episodes", "list", "--session", "s2"]);
    assert_eq!(none, "Nothing was found.\n");
    let shown = said(&scratch, &["episodes", "show", "ep-1"]);
    assert!(
        shown.contains("pandoc knows Markdown") && shown.contains("1 accesses"),
        "{shown}"
    );
    let found = said(&scratch, &["episodes", "search", "convert a report"]);
    assert!(
        found.contains("ep-1") && found.contains("relevance 0."),
        "{found}"
    );
    let error = b"convert: no decode delegate for this format";
    let ran = scratch.run_with(&["episodes", "similar-failures", "-", "--json"], error);
    let similar = &ran.json()[0];
    assert_eq!(
        (&similar["similarity"], &similar["step"]),
        (&json!(1.0), &json!(0))
    );
    assert_eq!(
        similar["resolution"],
        "convert report.md --via pandoc --to pdf"
    );
    let trace = said(&scratch, &["episodes", "trace", "ep-1"]);
    assert_eq!(trace.lines().count(), 2, "{trace}");
    scratch.assert_sound();
}

#[test]
fn what_is_learned_from_an_episode_is_told() {
    let scratch = Scratch::new();
    fs::write(
        scratch.path().join("ep.json"),
        episode("ep-1", 1).to_string(),
    )
    .expect("a file");
    let rule = "WRONG: convert <path> --to pdf → CORRECT: convert <path> --via pandoc --to pdf";
    let told = said(
        &scratch,
        &[
            "episodes",
            "learn",
            "--episode",
            "ep.json",
            "--insight",
            rule,
        ],
    );
    assert!(told.contains("new lesson"), "{told}");
    let ran = scratch.run(&["episodes", "add", "--from", "ep.json"]);
    assert_eq!(ran.code(), 1, "its id is taken: {}", ran.stderr());
    fs::write(scratch.path().join("bad.json"), r#"{"task": 1}"#).expect("a file");
    let ran = scratch.run(&["episodes", "add", "--from", "bad.json"]);
    assert_eq!(ran.code(), 2);
    assert!(ran.stderr().contains("bad.json"), "{}", ran.stderr());
}

#[test]
fn old_episodes_go_to_the_archive_and_are_read_from_there() {
    let scratch = Scratch::new();
    add(&scratch, &episode("young", 10));
    add(&scratch, &episode("aged", 200));
    add(&scratch, &episode("archived", 400));
    let before = said(&scratch, &["episodes", "trace", "archived", "--json"]);
    let would = said(&scratch, &["episodes", "age", "--dry-run"]);
    assert!(
        would.contains("the steps of 2 episodes and 1 accounts"),
        "{would}"
    );
    assert_eq!(contents(&scratch), 0);
    let did = said(&scratch, &["episodes", "age"]);
    assert!(
        did.contains("the steps of 2 episodes and 1 accounts"),
        "{did}"
    );
    assert_eq!(contents(&scratch), 3);
    let again = said(&scratch, &["episodes", "age", "--json"]);
    assert!(again.contains(r#""traces":0"#), "{again}");
    assert_eq!(
        said(&scratch, &["episodes", "trace", "archived", "--json"]),
        before
    );
    let shown = said(&scratch, &["episodes", "show", "archived"]);
    assert!(
        shown.contains("in cold storage: steps and account"),
        "{shown}"
    );
    assert!(
        shown.contains("a PDF"),
        "its account is read from there: {shown}"
    );
    let search = ["episodes", "search", "convert the yearly report", "--json"];
    let found = said(&scratch, &search);
    assert!(
        found.contains(r#""aged""#) && !found.contains(r#""archived""#),
        "{found}"
    );
    let asked = said(&scratch, &[&search[..], &["--archived"]].concat());
    assert!(asked.contains(r#""archived""#), "{asked}");
    scratch.assert_sound();
    let back = said(&scratch, &["episodes", "restore", "archived"]);
    assert!(!back.contains("cold storage"), "{back}");
    fs::remove_dir_all(scratch.memory().join("archive")).expect("the archive");
    assert_eq!(
        said(&scratch, &["episodes", "trace", "archived", "--json"]),
        before
    );
    let ran = scratch.run(&["episodes", "trace", "aged"]);
    assert_ne!(ran.code(), 0);
    assert!(ran.stderr().contains("archive"), "{}", ran.stderr());
    assert_ne!(
        scratch.run(&["doctor"]).code(),
        0,
        "what is missing is found"
    );
}

#[test]
fn aging_that_is_killed_goes_on_where_it_stopped() {
    let scratch = Scratch::new();
    for number in 0..60 {
        add(&scratch, &episode(&format!("ep-{number}"), 400));
    }
    let mut killed = 0;
    for writes in [1, 3, 2, 5] {
        let mut command = scratch.command(&["episodes", "age"]);
        killed += u32::from(killed_amid_writes(&mut command, &scratch.memory(), writes));
        scratch.assert_sound();
    }
    assert!(killed > 0, "each came to its end");
    let mut ageing: Vec<_> = (0..2)
        .map(|_| {
            scratch
                .command(&["episodes", "age"])
                .stdout(Stdio::null())
                .spawn()
                .expect("starts")
        })
        .collect();
    for child in &mut ageing {
        assert!(child.wait().expect("ends").success(), "two at once");
    }
    assert_eq!(contents(&scratch), 120);
    for number in [0, 29, 59] {
        let trace = said(&scratch, &["episodes", "trace", &format!("ep-{number}")]);
        assert_eq!(trace.lines().count(), 2);
    }
    scratch.assert_sound();
}

#[test]
fn an_episode_is_set_aside_brought_back_and_removed_for_good_only_if_asked_to() {
    let scratch = Scratch::new();
    let mut plain = episode("plain", 1);
    plain["trace"] = json!([{ "after": 0, "action": "ls", "result": "pass" }]);
    add(&scratch, &plain);
    add(&scratch, &episode("taught", 1));
    for id in ["plain", "taught"] {
        said(&scratch, &["episodes", "soft-delete", id, "a test"]);
    }
    assert_eq!(
        said(&scratch, &["episodes", "list"]),
        "Nothing was found.\n"
    );
    said(&scratch, &["episodes", "undelete", "plain"]);
    assert!(said(&scratch, &["episodes", "list"]).contains("plain"));
    said(&scratch, &["episodes", "soft-delete", "plain", "a test"]);
    assert_eq!(
        scratch.run(&["episodes", "purge"]).code(),
        2,
        "--dry-run or --yes"
    );
    let early = said(&scratch, &["episodes", "purge", "--yes"]);
    assert!(early.contains("0 episodes"), "{early}");
    let would = said(
        &scratch,
        &["episodes", "purge", "--retention-days", "0", "--dry-run"],
    );
    assert!(
        would.contains("1 episodes") && would.contains("plain"),
        "{would}"
    );
    said(
        &scratch,
        &["episodes", "purge", "--retention-days", "0", "--yes"],
    );
    assert_ne!(scratch.run(&["episodes", "show", "plain"]).code(), 0);
    let kept = said(&scratch, &["episodes", "show", "taught"]);
    assert!(kept.contains("referred to by les_"), "{kept}");
    scratch.assert_sound();
}

#[test]
fn a_run_knows_its_session_its_agent_and_its_kind() {
    let scratch = Scratch::new();
    let ran = scratch
        .command(&["run", "--task-type", "look", "--tag", "first", "--", "true"])
        .env("TWICESHY_SESSION", "s7")
        .env("TWICESHY_AGENT", "")
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(ran.status.success());
    let listed = scratch.run(&[
        "episodes",
        "list",
        "--session",
        "s7",
        "--tag",
        "first",
        "--json",
    ]);
    let listed = listed.json();
    assert_eq!(
        (&listed[0]["task-type"], &listed[0]["agent"]),
        (&json!("look"), &json!(""))
    );
    let started = scratch.run(&[
        "task",
        "start",
        "a task",
        "--agent",
        "coder",
        "--session",
        "s8",
    ]);
    let id = started.stdout().lines().next().expect("an id").to_owned();
    said(&scratch, &["task", "finish", &id]);
    assert!(said(&scratch, &["episodes", "list", "--agent", "coder"]).contains(&id));
}

#[test]
fn a_file_is_kept_by_its_hash_and_written_out_again() {
    let scratch = Scratch::new();
    fs::write(scratch.path().join("a.bin"), [0, 159, 1]).expect("a file");
    let hash = said(&scratch, &["episodes", "keep", "a.bin"])
        .trim()
        .to_owned();
    assert!(hash.starts_with("sha256:"), "{hash}");
    assert!(scratch.memory().join(".gitignore").exists());
    assert_eq!(
        scratch.run(&["episodes", "artifact", &hash]).0.stdout,
        [0, 159, 1]
    );
    said(
        &scratch,
        &["episodes", "artifact", &hash, "--output", "b.bin"],
    );
    assert_eq!(
        fs::read(scratch.path().join("b.bin")).expect("a file"),
        [0, 159, 1]
    );
    let ran = scratch.run(&["episodes", "artifact", &hash, "--output", "b.bin"]);
    assert_eq!(ran.code(), 2, "a file that is there is not overwritten");
    let ran = scratch.run_with(
        &["episodes", "keep", "-", "--name", "notes"],
        b"token=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB",
    );
    let hash = ran.stdout().trim().to_owned();
    let content = said(&scratch, &["episodes", "artifact", &hash]);
    assert!(!content.contains("ghp_0123"), "{content}");
}
