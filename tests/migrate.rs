//! `twiceshy migrate`: a memory that lived moves to another place, whole, and the program says clearly what it can't do.

use serde_json::{Value, json};

use crate::{
    skipped::skipped,
    support::{Ran, Scratch},
    waiting::killed_amid_writes,
};

/// A project that lived, with commands that were run and more than one lesson.
fn lived() -> Scratch {
    let scratch = Scratch::lived();
    for command in ["cat nothing-here", "true"] {
        scratch.run(&["run", "--", "sh", "-c", command]);
    }
    for number in 0..2 {
        let lesson = format!("WRONG: tool-{number} --a → CORRECT: tool-{number} --b");
        let ran = scratch.run(&["lessons", "propose", &lesson]);
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
    }
    scratch
}

fn exported(scratch: &Scratch, memory: &str) -> String {
    let ran = scratch.run(&["--memory", memory, "export", "-", "--format", "jsonl"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.stdout()
}

fn report(ran: &Ran) -> Value {
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.json()
}

fn assert_moved(scratch: &Scratch, from: &str, to: &str) {
    let ran = scratch.run(&["--memory", from, "--json", "migrate", "--to", to]);
    let report = report(&ran);
    assert_eq!(report["archive"]["count"], 1, "{report}");
    assert!(report["documents"].as_u64() > Some(5), "{report}");
    let collections = report["collections"].as_array().expect("collections");
    let is_checked = |one: &Value| one["sha256"].as_str().is_some_and(|hash| hash.len() == 64);
    assert!(collections.iter().all(is_checked), "{report}");
    assert_eq!(exported(scratch, from), exported(scratch, to));
    let ran = scratch.run(&["--memory", to, "doctor"]);
    assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
}

#[test]
fn a_memory_that_moved_to_another_directory_exports_the_same_bytes() {
    let scratch = lived();
    let from = scratch.memory().display().to_string();
    let to = scratch.path().join("new/.twiceshy").display().to_string();
    assert_moved(&scratch, &from, &to);
    assert!(
        scratch
            .path()
            .join("new/.twiceshy/skills/debugging.md")
            .exists()
    );
    // A second time there is something in the way, and nothing is written.
    let before = exported(&scratch, &to);
    let ran = scratch.run(&["migrate", "--to", &to]);
    assert_eq!(ran.code(), 2, "{}", ran.stderr());
    assert!(ran.stderr().contains("is not empty"), "{}", ran.stderr());
    assert_eq!(exported(&scratch, &to), before);
}

#[test]
fn a_memory_moves_to_postgres_and_back_with_the_same_bytes() {
    let Ok(server) = std::env::var("TWICESHY_POSTGRES") else {
        skipped("TWICESHY_POSTGRES names no server; see tests/postgres/with");
        return;
    };
    let scratch = lived();
    let from = scratch.memory().display().to_string();
    let joint = if server.contains('?') { '&' } else { '?' };
    let database = format!("{server}{joint}memory=moved-{}", std::process::id());
    assert_moved(&scratch, &from, &database);
    let back = scratch.path().join("back/.twiceshy").display().to_string();
    assert_moved(&scratch, &database, &back);
    assert_eq!(exported(&scratch, &from), exported(&scratch, &back));
    let ran = scratch.run(&["migrate", "--to", &database]);
    assert_eq!(ran.code(), 2, "{}", ran.stderr());
    let password = server.split(['@', ':']).nth(2).expect("a password");
    assert!(!ran.stderr().contains(password), "{}", ran.stderr());
}

#[test]
fn a_move_that_is_killed_goes_on_when_it_is_started_again() {
    let scratch = lived();
    let many: String = (0..1_000)
        .map(|number| format!("lessons.propose {{\"rule-text\": \"oil gear {number}\"}}\n"))
        .collect();
    let ran = scratch.run_with(&["call", "--lines"], many.as_bytes());
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let to = scratch.path().join("new/.twiceshy");
    let place = to.display().to_string();
    let mut kills = 0;
    for writes in [1, 2, 3, 5, 8] {
        let mut command = scratch.command(&["migrate", "--to", &place]);
        if !killed_amid_writes(&mut command, &to, writes) {
            break;
        }
        kills += 1;
    }
    let ran = scratch.run(&["migrate", "--to", &place]);
    // The last one that was started may have come to its end before it was killed.
    let is_done = ran.code() == 0 || ran.stderr().contains("is not empty");
    assert!(is_done && kills > 0, "{kills} kills: {}", ran.stderr());
    let from = scratch.memory().display().to_string();
    assert_eq!(exported(&scratch, &from), exported(&scratch, &place));
}

#[test]
fn what_can_not_be_moved_is_refused_with_the_way_out() {
    let scratch = lived();
    let refused = |arguments: &[&str], words: &str| {
        let ran = scratch.run(arguments);
        assert_ne!(ran.code(), 0, "{arguments:?}");
        assert!(ran.stderr().contains(words), "{}", ran.stderr());
        ran
    };
    let itself = scratch.memory().display().to_string();
    refused(&["migrate", "--to", &itself], "names the memory itself");
    refused(
        &["migrate", "--to", "https://memory.example"],
        "is a service",
    );
    let ran = refused(
        &["migrate", "--to", "mysql://anna:hunter2@db.example/team"],
        "is not the address of a memory",
    );
    assert!(!ran.stderr().contains("hunter2"), "{}", ran.stderr());
    // The directory of a project is not for a memory alone; nothing of it is hidden from git.
    let project = scratch.path().join("project");
    std::fs::create_dir(&project).expect("a directory");
    std::fs::write(project.join("main.c"), "").expect("a file");
    let place = project.display().to_string();
    refused(
        &["migrate", "--to", &place],
        "name a directory for the memory alone",
    );
    scratch.run(&["--memory", &place, "run", "--", "false"]);
    assert!(!project.join(".gitignore").exists());
    let file = project.join("main.c").display().to_string();
    refused(
        &["migrate", "--to", &file],
        "not a directory; choose another place with --to PLACE",
    );
    let nothing = scratch.path().join("nothing").display().to_string();
    let to = scratch.path().join("to").display().to_string();
    refused(
        &["--memory", &nothing, "migrate", "--to", &to],
        "nothing to move",
    );
    // A newer schema.
    let newer = scratch.path().join("newer/.twiceshy");
    let place = newer.display().to_string();
    scratch.run(&["--memory", &place, "init"]);
    let ran = scratch.run(&[
        "--memory",
        &place,
        "lessons",
        "propose",
        "WRONG: a → CORRECT: b",
    ]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let connection = rusqlite::Connection::open(newer.join("memory.db")).expect("a database");
    connection
        .pragma_update(None, "user_version", 999)
        .expect("a version");
    drop(connection);
    let ran = refused(&["--json", "migrate", "--to", &place], "upgrade twiceshy");
    let error: Value = serde_json::from_str(&ran.stderr()).expect("JSON");
    assert_ne!(error["error"]["kind"], json!(null), "{error}");
}
