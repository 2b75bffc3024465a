//! Where a memory lives and what may go wrong with its files.
//!
//! A memory is a directory with a SQLite file in it. These tests put it in odd places, take away the
//! right or the room to write, hold its lock, damage it, or give it to another version, and see that what can
//! still be done is done, that the error says what to do, and that nothing is lost.

mod damage;
mod places;
mod room;

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::support::{Ran, Scratch};

/// The arguments that take in a run of one failed step.
fn submission(number: usize) -> Value {
    let evidence = format!("the kettle boiled over after {number} minutes");
    let hard_failure = json!({ "reason": "exit 1", "evidence": evidence });
    json!({
        "run": { "task": "make tea", "domain": "cli" },
        "steps": [{
            "step": { "action": { "command": ["boil"] }, "observation": { "exit": 1 } },
            "feedback": { "action-text": "boil", "hard-failure": hard_failure },
        }],
        "ending": {},
    })
}

/// Takes in a run in the memory of a directory.
fn submit_to(project: &Scratch, memory: &str) -> Ran {
    let arguments = submission(7).to_string();
    project.run(&["--memory", memory, "call", "runs.submit", &arguments])
}

/// Takes in so many runs in the project's own memory.
fn fill(project: &Scratch, runs: usize) {
    let requests: String = (0..runs)
        .map(|number| format!("runs.submit {}\n", submission(number)))
        .collect();
    let ran = project.run_with(&["call", "--lines"], requests.as_bytes());
    assert_eq!(
        ran.stdout().matches("{\"ok\":").count(),
        runs,
        "{}",
        ran.stdout()
    );
}

/// Executes Python with the path of the store as its argument, to the end.
fn python(project: &Scratch, code: &str) {
    let store = project.memory().join("memory.db");
    let ran = Command::new("python3")
        .arg("-c")
        .arg(code)
        .arg(store)
        .stdin(Stdio::null())
        .output();
    let output = ran.expect("python3 is there");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Every file below a directory with its bytes.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(
                path.display().to_string(),
                fs::read(&path).expect("readable"),
            );
        }
    }
    found
}

/// Fails the test unless the program ended with this code and said all of this on standard error.
#[track_caller]
fn assert_refused(ran: &Ran, code: i32, said: &[&str]) {
    let message = ran.stderr();
    // Whichever test comes first compiles, and says so.
    let compiling = |line: &&str| !line.starts_with("twiceshy: compiling the component");
    let lines = message.lines().filter(compiling).count();
    assert_eq!(ran.code(), code, "{message}");
    assert_eq!(lines, 1, "one line: {message}");
    for part in said {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
}

/// Fails the test unless a command still runs, and one line says why it was not remembered.
#[track_caller]
fn assert_run_only_warns(project: &Scratch, said: &str) {
    let ran = project.run(&["run", "--", "sh", "-c", "echo out; exit 5"]);
    assert_eq!((ran.code(), ran.stdout().as_str()), (5, "out\n"));
    assert_refused(&ran, 5, &["twiceshy: not remembered: ", said]);
}
