//! A command as a model: what it is given, and that nothing of it stays behind, whatever it does.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use super::{AMPLE, HANG, SHORT, ask, command, refused, run_with, script};
use crate::support::{Scratch, feed};

#[test]
fn a_command_gets_prompt_and_schema_and_answers() {
    let scratch = Scratch::new();
    let seen = scratch.path().join("seen");
    let text = format!(
        "cat > {}; echo '```json'; echo '[1]'; echo '```'",
        seen.display()
    );
    assert_eq!(ask(&script(&text)).expect("an answer"), "[1]");
    let seen: serde_json::Value =
        serde_json::from_slice(&fs::read(seen).expect("input")).expect("one JSON object");
    assert_eq!(seen["prompt"], "one number, please");
    assert_eq!(seen["schema"], super::SCHEMA);
}

#[test]
fn a_command_that_is_not_there_is_named() {
    let scratch = Scratch::new();
    let plain = scratch.path().join("plain");
    fs::write(&plain, "echo '[1]'").expect("a file");
    let plain = plain.to_str().expect("a path");
    for name in ["twiceshy-no-such-program", plain, "/"] {
        let (kind, message) = refused(&command(&[name], AMPLE));
        assert_eq!(kind, "other", "{message}");
        assert!(
            message.contains(name) && message.contains("[model] command"),
            "{message}"
        );
        let error = command(&[name], AMPLE)
            .reachable()
            .expect_err("no such program");
        assert_eq!(error.kind(), "other", "{error}");
    }
    assert!(command(&["sh"], AMPLE).reachable().is_ok());
}

#[test]
fn a_command_that_fails_is_quoted_in_short() {
    let (kind, message) = refused(&script("echo '[1]'; yes oops | head -c 100000 >&2; exit 3"));
    assert_eq!(kind, "other");
    assert!(
        message.contains("exit status: 3") && message.contains("oops"),
        "{message}"
    );
    assert!(message.chars().count() < 600, "{message}");
    let (kind, message) = refused(&script("kill -9 $$"));
    assert_eq!(kind, "other");
    assert!(message.contains("signal: 9"), "{message}");
}

#[test]
fn garbage_of_a_command_is_refused() {
    for text in ["printf '\\377\\376'", "true", "printf '  \\n'"] {
        assert_eq!(refused(&script(text)).0, "other", "{text}");
    }
}

/// Waits until nobody holds a marker's file open in name: the process that was told to write its id is gone.
fn gone(marker: &std::path::Path) {
    let id = fs::read_to_string(marker).expect("an id");
    let deadline = Instant::now() + HANG;
    while crate::run::is_alive(id.trim()) {
        assert!(Instant::now() < deadline, "{id} is still there");
        thread::sleep(Duration::from_millis(5));
    }
}

/// How a script ends that never answers and first writes its id: it gets more time if it did not come to that.
fn ended(text: &str, marker: &std::path::Path) -> (&'static str, String) {
    let mut time = SHORT;
    loop {
        let error = ask(&command(&["sh", "-c", text], time)).expect_err("no answer");
        if fs::read_to_string(marker).is_ok_and(|id| id.ends_with('\n')) {
            return (error.kind(), error.message().to_owned());
        }
        time *= 2;
    }
}

#[test]
fn a_command_that_never_ends_is_ended_with_all_it_started() {
    let scratch = Scratch::new();
    let (own, other) = (scratch.path().join("own"), scratch.path().join("other"));
    let text = format!(
        "echo $$ > {}; sleep 1000 & echo $! > {}; wait",
        own.display(),
        other.display()
    );
    let (kind, message) = ended(&text, &other);
    assert_eq!(kind, "busy");
    assert!(message.contains("timeout-ms"), "{message}");
    gone(&own);
    gone(&other);
}

#[test]
fn a_command_that_writes_for_ever_is_ended() {
    let scratch = Scratch::new();
    let own = scratch.path().join("own");
    let text = format!("echo $$ > {}; exec yes", own.display());
    let (kind, message) = refused(&script(&text));
    assert_eq!(kind, "other");
    assert!(message.contains("most-bytes"), "{message}");
    gone(&own);
    // Noise on standard error is not an answer, and not too much of one.
    let own = scratch.path().join("noisy");
    let text = format!("echo $$ > {}; exec yes >&2", own.display());
    assert_eq!(ended(&text, &own).0, "busy");
    gone(&own);
}

#[test]
fn what_a_command_leaves_behind_is_not_waited_for() {
    let scratch = Scratch::new();
    let other = scratch.path().join("other");
    // It holds all streams open.
    let text = format!("sleep 1000 & echo $! > {}; echo '[1]'", other.display());
    // Whoever waited for it would wait longer than this model may take, and say so.
    assert_eq!(ask(&script(&text)).expect("an answer"), "[1]");
    gone(&other);
}

#[test]
fn no_zombie_is_left() {
    assert!(ask(&script("echo '[1]'")).is_ok());
    assert!(ask(&command(&["sleep", "1000"], SHORT)).is_err());
    let own = std::process::id().to_string();
    let deadline = Instant::now() + HANG;
    // Other tests of this process may have children that are just about to be collected.
    loop {
        let zombies = fs::read_dir("/proc")
            .expect("processes")
            .flatten()
            .filter(|entry| {
                let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
                let mut after = stat.rsplit(") ").next().unwrap_or_default().split(' ');
                after.next() == Some("Z") && after.next() == Some(&own)
            });
        if zombies.count() == 0 {
            return;
        }
        assert!(Instant::now() < deadline, "a zombie stays");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_a_command_prints_of_its_environment_stays_secret() {
    let scratch = Scratch::new();
    let settings = "[model]\ncommand = ['sh', '-c', 'echo \"using $GADGET_TOKEN\" >&2; exit 1']\n";
    let mut command = scratch.command(&["doctor", "--model"]);
    command
        .env("TWICESHY_HOME", super::home(&scratch, settings))
        .env("GADGET_TOKEN", "correct-horse-battery");
    let ran = feed(command, b"");
    assert_eq!(ran.code(), 1);
    assert!(ran.stdout().contains("using"), "{}", ran.stdout());
    assert!(!ran.stdout().contains("correct-horse"), "{}", ran.stdout());
}

#[test]
fn the_program_survives_a_model_that_does_not_listen() {
    let scratch = Scratch::new();
    for script in ["exec <&-; echo '{\"ok\": true}'", "echo '{\"ok\": true}'"] {
        let settings = format!("[model]\ncommand = ['sh', '-c', '''{script}''']\n");
        let ran = run_with(&scratch, &settings, &["doctor", "--model"]);
        assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
    }
}
