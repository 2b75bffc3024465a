//! `twiceshy learn`: lessons from the sessions that hosts already keep.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};

use crate::{
    support::{Scratch, repository},
    waiting::while_it_lives,
};

fn fixture(name: &str) -> String {
    let path = repository().join("tests/fixtures/learn").join(name);
    path.display().to_string()
}

/// Learns from a place; gives the report.
fn learn(scratch: &Scratch, from: &str, more: &[&str]) -> Value {
    let ran = scratch.run(&[&["learn", "--json", "--from", from], more].concat());
    assert_eq!(ran.code(), 0, "{from}: {}", ran.stderr());
    ran.json()
}

/// The rules of all lessons.
fn rules(scratch: &Scratch) -> Vec<String> {
    let lessons = scratch.call("lessons.find", &json!({ "filter": {} }));
    let lessons = lessons.as_array().expect("a list");
    let rule = |lesson: &Value| lesson["rule-text"].as_str().expect("a rule").to_owned();
    lessons.iter().map(rule).collect()
}

fn taught(scratch: &Scratch, name: &str, from: &str) {
    let report = learn(scratch, from, &[]);
    let counts = ["sessions", "steps", "failures", "lessons"].map(|what| report[what].clone());
    assert_eq!(counts, [1, 2, 1, 1].map(Value::from), "{name}: {report}");
    let rules = rules(scratch);
    assert!(rules[0].contains("python3"), "{name}: {rules:?}");
    let episodes = scratch.run(&["episodes", "list", "--json"]).json();
    assert_eq!(
        episodes[0]["task"]
            .as_str()
            .map(|task| task.contains("build the site")),
        Some(true),
        "{name}: {episodes}"
    );
}

#[test]
fn the_same_session_in_every_format_teaches_the_same_lesson() {
    for name in [
        "claude.jsonl",
        "codex.jsonl",
        "codex-first-version.jsonl",
        "gemini.jsonl",
        "gemini-first-version.json",
        "qwen.jsonl",
        "copilot/events.jsonl",
        "opencode",
        "mini-swe-agent.traj.json",
        "mini-swe-agent-first-version.traj.json",
        "swe-agent.traj",
        "asciinema.cast",
    ] {
        taught(&Scratch::new(), name, &fixture(name));
    }
}

#[test]
fn a_database_of_opencode_teaches_the_same_lesson() {
    let scratch = Scratch::new();
    let path = scratch.path().join("opencode.db");
    let storage = PathBuf::from(fixture("opencode/storage"));
    let text = |path: &str| fs::read_to_string(storage.join(path)).expect("a fixture");
    let database = rusqlite::Connection::open(&path).expect("a database");
    database
        .execute_batch(
            "CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INTEGER);
             CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
             CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
             INSERT INTO session VALUES ('ses_1', 'prj_1', NULL, '/home/ana/site', 'build', 1);",
        )
        .expect("tables");
    for message in ["msg_1", "msg_2"] {
        let data = text(&format!("message/ses_1/{message}.json"));
        database
            .execute(
                "INSERT INTO message VALUES (?1, 'ses_1', 1, ?2)",
                [message, &data],
            )
            .expect("a message");
    }
    for (message, part) in [("msg_1", "prt_1"), ("msg_2", "prt_2"), ("msg_2", "prt_3")] {
        let data = text(&format!("part/{message}/{part}.json"));
        database
            .execute(
                "INSERT INTO part VALUES (?1, ?2, 'ses_1', 1, ?3)",
                [part, message, &data],
            )
            .expect("a part");
    }
    drop(database);
    taught(&scratch, "opencode.db", &path.display().to_string());
}

#[test]
fn what_was_read_before_adds_nothing_and_what_was_added_is_learned() {
    let scratch = Scratch::new();
    let path = scratch.path().join("session.jsonl");
    let whole = fs::read_to_string(fixture("claude.jsonl")).expect("a fixture");
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    let from = path.display().to_string();
    fs::write(&path, lines[..4].concat()).expect("writable");
    let report = learn(&scratch, &from, &[]);
    assert_eq!([&report["steps"], &report["known"]], [1, 0]);
    let report = learn(&scratch, &from, &[]);
    assert_eq!(
        [&report["steps"], &report["known"], &report["sessions"]],
        [0, 1, 0]
    );
    fs::write(&path, &whole).expect("writable");
    let report = learn(&scratch, &from, &[]);
    assert_eq!([&report["steps"], &report["sessions"]], [1, 1]);
    // A host that copies a session into another file, under another name, has not worked twice.
    let copy = scratch.path().join("copy.jsonl");
    fs::write(&copy, whole.replace("0c1d2e3f", "ffffffff")).expect("writable");
    let report = learn(&scratch, &copy.display().to_string(), &[]);
    assert_eq!(report["steps"], 0, "{report}");
    assert_eq!(scratch.status()["episodes"], 2);
}

#[test]
fn no_secret_of_a_session_is_stored() {
    let scratch = Scratch::new();
    let secret = format!("ghp_{}", "Ab1Cd2Ef3G".repeat(4).split_at(36).0);
    let path = scratch.path().join("session.jsonl");
    let whole = fs::read_to_string(fixture("claude.jsonl")).expect("a fixture");
    let whole = whole
        .replace("build the site", &format!("build the site with {secret}"))
        .replace("--out site", &format!("--token {secret}"))
        .replace("command not found", &format!("command not found {secret}"));
    fs::write(&path, whole).expect("writable");
    let report = learn(&scratch, &path.display().to_string(), &[]);
    assert_eq!(report["steps"], 2, "{report}");
    assert!(!report.to_string().contains(&secret));
    for entry in fs::read_dir(scratch.memory()).expect("a memory").flatten() {
        let bytes = fs::read(entry.path()).unwrap_or_default();
        let has = bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes());
        assert!(!has, "{}", entry.path().display());
    }
}

#[test]
fn what_is_damaged_is_told_and_the_rest_is_read() {
    let scratch = Scratch::new();
    let directory = scratch.path().join("transcripts");
    fs::create_dir(&directory).expect("a directory");
    let whole = fs::read_to_string(fixture("claude.jsonl")).expect("a fixture");
    let mut lines: Vec<_> = whole.lines().collect();
    lines.insert(3, "{\"type\": damaged");
    lines.insert(5, "\u{0}\u{1}not json");
    fs::write(directory.join("a.jsonl"), lines.join("\n") + "\n").expect("writable");
    fs::write(directory.join("b.json"), "{\"sessionId\": 7").expect("writable");
    fs::write(directory.join("c.jsonl"), [0xff, 0xfe, 0, 1]).expect("writable");
    let report = learn(&scratch, &directory.display().to_string(), &[]);
    assert_eq!(
        [&report["steps"], &report["damaged"], &report["lessons"]],
        [2, 2, 1],
        "{report}"
    );
    assert_eq!([&report["files"], &report["others"]], [1, 2], "{report}");

    let history = scratch.path().join("history.txt");
    fs::write(&history, "ls\ngit push\n").expect("writable");
    let report = learn(&scratch, &history.display().to_string(), &[]);
    let trouble = report["troubles"][0].as_str().expect("a reason");
    assert!(
        trouble.contains("neither outputs nor exit codes"),
        "{trouble}"
    );

    let deep = scratch.path().join("deep/1/2/3/4/5/6/7/8/9");
    fs::create_dir_all(&deep).expect("directories");
    let report = learn(&scratch, "deep", &[]);
    let trouble = report["troubles"][0].as_str().expect("a reason");
    assert!(
        trouble.contains("8/9: more than 8 directories"),
        "{trouble}"
    );

    let ran = scratch.run(&["learn", "--from", "nowhere"]);
    assert_eq!(ran.code(), 2);
    assert!(
        ran.stderr().contains("name a host (claude, codex,"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn a_dry_run_reports_and_writes_nothing() {
    let scratch = Scratch::new();
    let report = learn(&scratch, &fixture("claude.jsonl"), &["--dry-run"]);
    assert_eq!([&report["steps"], &report["lessons"]], [2, 1], "{report}");
    assert!(!scratch.memory().exists());
}

/// A directory of a host with sessions of this project and of another one.
fn host(scratch: &Scratch, sessions: usize) -> PathBuf {
    let home = scratch.path().join("claude-home");
    let here = scratch.path().canonicalize().expect("a directory");
    let whole = fs::read_to_string(fixture("claude.jsonl")).expect("a fixture");
    for number in 0..sessions {
        let project = home.join("projects/-somewhere");
        fs::create_dir_all(&project).expect("a directory");
        let place = if number % 2 == 0 {
            here.display().to_string()
        } else {
            "/home/ana/other".to_owned()
        };
        let text = whole
            .replace("0c1d2e3f", &format!("{number:08x}"))
            .replace("toolu_", &format!("toolu_{number}_"))
            .replace("/home/ana/site", &place)
            .replace("build.py", &format!("build{number}.py"));
        fs::write(project.join(format!("{number}.jsonl")), text).expect("writable");
    }
    home
}

#[test]
fn of_a_host_the_sessions_of_this_project_are_read_unless_all_are_wanted() {
    let scratch = Scratch::new();
    let home = host(&scratch, 4);
    let learn = |more: &[&str]| {
        let mut command = scratch.command(&[&["learn", "--json"], more].concat());
        command
            .env("CLAUDE_CONFIG_DIR", &home)
            .env("HOME", scratch.path());
        let output = command.output().expect("the program starts");
        serde_json::from_slice::<Value>(&output.stdout).expect("a report")
    };
    let report = learn(&["--from", "claude"]);
    assert_eq!(
        [&report["sessions"], &report["elsewhere"]],
        [2, 2],
        "{report}"
    );
    // Every host on this machine.
    let report = learn(&["--everywhere"]);
    assert_eq!([&report["sessions"], &report["known"]], [2, 2], "{report}");
    assert_eq!(report["repeats"], report["failures"], "{report}");
    assert!(
        report["best"][0]["rule"]
            .as_str()
            .is_some_and(|rule| rule.contains("python3")),
        "{report}"
    );
    assert!(
        report["missing-hosts"]
            .as_array()
            .is_some_and(|hosts| hosts.contains(&json!("Codex")))
    );
}

#[test]
fn whoever_interrupts_it_loses_nothing_and_it_continues_where_it_stopped() {
    let scratch = Scratch::new();
    let sessions = 1_000;
    let home = host(&scratch, sessions);
    let learn = || {
        let mut command = scratch.command(&["learn", "--json", "--from", "claude", "--everywhere"]);
        command
            .env("CLAUDE_CONFIG_DIR", &home)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    };
    let mut child = learn();
    // Once it has written something it is in the midst of it.
    let file = scratch.memory().join("memory.db");
    while_it_lives(&mut child, "it writes", || file.exists());
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).expect("it runs");
    let first = child.wait_with_output().expect("it ends");
    let report: Value = serde_json::from_slice(&first.stdout).expect("a report");
    assert_eq!(first.status.code(), Some(130), "{report}");
    assert_eq!(report["interrupted"], true);
    let done = report["sessions"].as_u64().expect("a number");
    assert!(done < sessions as u64, "{report}");
    let second = learn().wait_with_output().expect("it ends");
    assert_eq!(
        second.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&second.stderr)
    );
    assert_eq!(scratch.status()["episodes"], sessions);
    scratch.assert_sound();
}

#[test]
fn two_who_learn_at_once_take_in_each_session_once() {
    let scratch = Scratch::new();
    let home = host(&scratch, 60);
    let children: Vec<_> = (0..2)
        .map(|_| {
            let mut command =
                scratch.command(&["learn", "--json", "--from", "claude", "--everywhere"]);
            command
                .env("CLAUDE_CONFIG_DIR", &home)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            command.spawn().expect("the program starts")
        })
        .collect();
    let mut steps = 0;
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        steps += report["steps"].as_u64().expect("a number");
    }
    assert_eq!(steps, 120);
    assert_eq!(scratch.status()["episodes"], 60);
}

#[test]
fn what_was_learned_helps_at_the_next_failure() {
    let scratch = Scratch::new();
    learn(&scratch, &fixture("claude.jsonl"), &[]);
    let fails = "echo 'bash: line 1: python: command not found' >&2; exit 127";
    let bin = scratch.path().join("bin");
    fs::create_dir(&bin).expect("a directory");
    executable(&bin.join("python"), &format!("#!/bin/sh\n{fails}\n"));
    let mut command = scratch.command(&["run", "--", "python", "deploy.py", "--out", "site"]);
    let path = format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let output = command.env("PATH", path).output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("python3 deploy.py --out site"), "{told}");
}

fn executable(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, text).expect("writable");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("ours");
}

#[test]
fn a_pipe_is_refused_and_not_waited_for() {
    let scratch = Scratch::new();
    let pipe = scratch.path().join("pipe.jsonl");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("it runs").success());
    for name in [pipe.to_str().expect("a path"), "/dev/null"] {
        let ran = scratch.run(&["learn", "--from", name]);
        assert_eq!(ran.code(), 2, "{}", ran.stdout());
        assert!(
            ran.stderr().contains("neither a file nor a directory"),
            "{}",
            ran.stderr()
        );
    }
}
