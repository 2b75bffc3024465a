//! The run of a terminal: a command that fails and what is typed after it until it works belong together.

use std::{
    fs::{self, File},
    path::PathBuf,
    process::Command,
    time::{Duration, SystemTime},
};

use serde_json::{Value, json};

use super::pty::Pty;
use crate::support::Scratch;

/// A shell on a terminal in which these commands are typed one after the other, each through twiceshy.
fn typed(scratch: &Scratch, commands: &[&str]) -> Pty {
    let program = env!("CARGO_BIN_EXE_twiceshy");
    let script: String = commands
        .iter()
        .map(|command| format!("{program} run {command}\n"))
        .collect();
    shell(scratch, &script)
}

/// A shell that somebody types at: it has no script, but reads this first and then ends.
fn shell(scratch: &Scratch, script: &str) -> Pty {
    let model = scratch.command(&[]);
    let typed = tempfile::NamedTempFile::new().expect("a file");
    fs::write(typed.path(), format!("{script}\nexit\n")).expect("written");
    let mut shell = Command::new("sh");
    shell.arg("-i").current_dir(scratch.path());
    for (name, value) in model.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.env_remove("TWICESHY_ALONE").env("ENV", typed.path());
    let mut pty = Pty::start(shell);
    pty.ends();
    pty
}

/// The episodes, oldest first: steps, failures and outcome of each.
pub(super) fn episodes(scratch: &Scratch) -> Vec<(u64, u64, String)> {
    let Value::Array(episodes) = scratch.call("episodes.find", &json!({})) else {
        panic!("not a list")
    };
    let count = |value: &Value| value.as_u64().expect("a number");
    let summary = |episode: &Value| {
        let outcome = episode["outcome"].as_str().expect("a text").to_owned();
        (
            count(&episode["steps"]),
            count(&episode["failures"]),
            outcome,
        )
    };
    episodes.iter().rev().map(summary).collect()
}

pub(super) fn success(steps: u64, failures: u64) -> (u64, u64, String) {
    (steps, failures, "success".to_owned())
}

/// The files of the sessions.
pub(super) fn files(scratch: &Scratch) -> Vec<PathBuf> {
    let Ok(files) = fs::read_dir(scratch.memory().join("sessions")) else {
        return Vec::new();
    };
    files.flatten().map(|entry| entry.path()).collect()
}

/// Lets so much time pass for the sessions.
pub(super) fn pass(scratch: &Scratch, minutes: u64) {
    let then = SystemTime::now() - Duration::from_secs(minutes * 60);
    for path in files(scratch) {
        let file = File::options().write(true).open(path).expect("a file");
        file.set_modified(then).expect("a time");
    }
}

#[test]
fn what_is_typed_until_it_works_is_one_run() {
    let scratch = Scratch::new();
    typed(
        &scratch,
        &[
            "-- true",
            "-- ls --no-such-option",
            "-- ls /no/such/place",
            "-- echo looking",
            "-- ls .",
            "-- ls .",
        ],
    );
    assert_eq!(
        episodes(&scratch),
        [success(1, 0), success(4, 2), success(1, 0)]
    );
    assert_eq!(scratch.status()["runs"], 0);
}

#[test]
fn the_run_stays_open_until_all_that_failed_has_worked() {
    let scratch = Scratch::new();
    typed(
        &scratch,
        &[
            "-- ls /no/such",
            "-- cat /no/such",
            "-- ls .",
            "-- cat /dev/null",
        ],
    );
    assert_eq!(episodes(&scratch), [success(4, 2)]);
}

#[test]
fn a_mistyped_program_is_solved_by_the_right_one() {
    let scratch = Scratch::new();
    typed(&scratch, &["-- sl -d .", "-- true", "-- ls -d ."]);
    assert_eq!(episodes(&scratch), [success(3, 1)]);
}

#[test]
fn two_shells_and_two_tasks_do_not_mix() {
    let scratch = Scratch::new();
    typed(&scratch, &["-- ls /no/such"]);
    typed(
        &scratch,
        &[
            "-- ls .",
            "--task a -- ls /no/such",
            "--task b -- ls /no/such",
            "--task b -- ls .",
        ],
    );
    // The first shell's run ended with its shell, and the task `a` when `b` began.
    let failure = || (1, 1, "failure".to_owned());
    assert_eq!(
        episodes(&scratch),
        [failure(), success(1, 0), failure(), success(2, 1)]
    );
    assert_eq!(scratch.status()["runs"], 0);
}

#[test]
fn a_run_ends_with_its_shell() {
    let scratch = Scratch::new();
    typed(&scratch, &["-- ls /no/such"]);
    // Its shell has ended, and with it the run.
    scratch.run(&["run", "--", "true"]);
    assert_eq!(scratch.status()["runs"], 0);
    assert!(episodes(&scratch).contains(&(1, 1, "failure".to_owned())));
    assert_eq!(files(&scratch).len(), 1);
    pass(&scratch, 8 * 24 * 60);
    scratch.run(&["run", "--", "true"]);
    assert_eq!(
        files(&scratch).len(),
        0,
        "a shell that is gone is forgotten"
    );
}

#[test]
fn who_wants_no_hints_has_every_command_as_a_run_of_its_own() {
    let scratch = Scratch::new();
    // Nothing could be shown.
    typed(&scratch, &["--quiet -- ls /no/such", "--quiet -- ls ."]);
    assert_eq!(episodes(&scratch).len(), 2);
    assert!(files(&scratch).is_empty());
}

#[test]
fn no_word_of_a_command_is_in_the_file() {
    let scratch = Scratch::new();
    typed(&scratch, &["--task secretly -- ls /no/such/hunter2"]);
    let [file] = files(&scratch).try_into().expect("one file");
    let text = fs::read_to_string(file).expect("a file");
    for word in ["hunter2", "ls", "secretly"] {
        assert!(!text.contains(&format!("\"{word}")), "{text}");
    }
    assert!(
        !text.contains("hunter2") && !text.contains("secretly"),
        "{text}"
    );
}

#[test]
fn many_commands_of_one_shell_at_once_lose_nothing() {
    let scratch = Scratch::new();
    let program = env!("CARGO_BIN_EXE_twiceshy");
    let script = format!(
        "for i in 1 2 3 4 5 6 7 8; do {program} run -- ls /no/such/$i & done; wait; {program} run -- ls ."
    );
    shell(&scratch, &script);
    let status = scratch.status();
    assert_eq!(status["events"], 8);
    assert_eq!(
        status["runs"],
        0,
        "none is left open: {:?}",
        episodes(&scratch)
    );
    let steps: u64 = episodes(&scratch).iter().map(|(steps, _, _)| steps).sum();
    assert_eq!(steps, 9);
    scratch.assert_sound();
}

#[test]
fn a_damaged_file_or_a_run_that_somebody_else_ended_begins_anew() {
    let scratch = Scratch::new();
    let program = env!("CARGO_BIN_EXE_twiceshy");
    let script = format!(
        "{program} run -- ls /no/such
         for file in .twiceshy/sessions/*; do echo '{{' > $file; done
         {program} run -- ls /no/such
         {program} task finish $(sed 's/.*\"run\":\"//; s/\".*//' .twiceshy/sessions/*)
         {program} run -- ls /no/such
         {program} run -- ls ."
    );
    shell(&scratch, &script);
    let ended = episodes(&scratch);
    assert_eq!(ended, [(1, 1, "failure".to_owned()), success(2, 1)]);
    // What the damaged file named stays open, and can be seen.
    assert_eq!(
        scratch
            .run(&["task", "list", "--json"])
            .json()
            .as_array()
            .map(Vec::len),
        Some(1)
    );
}
