//! `twiceshy prune`: the only way to remove anything, and never by accident.

use serde_json::json;

use crate::{
    lessons::{with_gizmo, work},
    support::Scratch,
};

/// A day after every test.
const LATER: &str = "2999-01-01";

fn with_episodes() -> Scratch {
    let scratch = with_gizmo();
    work(&scratch, "make the report", &["--old", "--new"]);
    work(&scratch, "make the report", &["--new"]);
    scratch
}

#[test]
fn nothing_is_removed_unasked() {
    let scratch = with_episodes();
    let before = scratch.status();
    let ran = scratch.run(&["prune", "--before", LATER]);
    assert_eq!(ran.code(), 2);
    assert!(ran.stderr().contains("--yes"), "{}", ran.stderr());
    let ran = scratch.run(&["prune", "--before", LATER, "--dry-run"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert!(
        ran.stdout().contains("To be removed")
            && ran.stdout().contains("2 episodes with 3 steps, 1 events"),
        "{}",
        ran.stdout()
    );
    let ran = scratch.run(&["prune", "--before", "2000-01-01", "--yes", "--json"]);
    assert_eq!(ran.json()["pruned"]["episodes"], 0);
    assert_eq!(ran.json()["removed"], false);
    assert_eq!(scratch.status(), before);
}

#[test]
fn with_a_yes_what_is_older_is_removed_and_lessons_stay() {
    let scratch = with_episodes();
    let lessons = scratch.status()["lessons"].clone();
    let ran = scratch.run(&["prune", "--before", LATER, "--yes", "--json"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert_eq!(ran.json()["removed"], true);
    assert_eq!(ran.json()["pruned"]["episodes"], 2);
    let status = scratch.status();
    assert_eq!(
        (&status["episodes"], &status["events"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(status["lessons"], lessons);
    scratch.assert_sound();
    assert_eq!(
        scratch
            .run(&[
                "why",
                scratch.run(&["lessons", "--json"]).json()[0]["id"]
                    .as_str()
                    .expect("an id")
            ])
            .code(),
        0
    );
}

#[test]
fn a_wrong_date_is_refused() {
    let scratch = Scratch::new();
    for date in ["yesterday", "2026-02-30", "", "2026"] {
        let ran = scratch.run(&["prune", "--before", date, "--yes"]);
        assert_eq!(ran.code(), 2, "{date}");
        assert!(ran.stderr().contains("2026-01-31"), "{}", ran.stderr());
    }
    assert_eq!(scratch.run(&["prune", "--yes"]).code(), 2);
    let ran = scratch.run(&["prune", "--before", LATER, "--yes", "--dry-run"]);
    assert_eq!(ran.code(), 2, "either or");
}

#[cfg(unix)]
#[test]
fn at_a_terminal_it_asks() {
    use crate::run::pty::Pty;
    let scratch = with_episodes();
    for (answer, episodes) in [("\n", 2), ("n\n", 2), ("y\n", 0)] {
        let mut pty = Pty::start(scratch.command(&["prune", "--before", LATER]));
        pty.shows("[y/N]");
        pty.types(answer);
        assert_eq!(pty.ends(), i32::from(episodes != 0), "{answer:?}");
        assert_eq!(scratch.status()["episodes"], episodes, "{answer:?}");
    }
}

#[test]
fn decisions_and_failures_before_the_date_are_removed_too() {
    let project = Scratch::new();
    let record = [
        "decisions",
        "record",
        "--module",
        "m",
        "--hypothesis",
        "cache the parser",
        "--outcome",
        "rejected",
        "--rationale",
        "it grows without bound",
    ];
    assert_eq!(project.run(&record).code(), 0);
    let failure = [
        "failures",
        "record",
        "--module-name",
        "m",
        "--hypothesis",
        "cache the parser",
        "--failure-details",
        "TypeError: no cache",
    ];
    let ran = project.run(&failure);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let ran = project.run(&["prune", "--before", "2000-01-01", "--yes", "--json"]);
    assert_eq!(ran.json()["pruned"]["decisions"], 0);
    let ran = project.run(&["prune", "--before", "2100-01-01", "--yes", "--json"]);
    let pruned = &ran.json()["pruned"];
    assert_eq!(
        (&pruned["decisions"], &pruned["failures"]),
        (&1.into(), &1.into())
    );
    let check = [
        "decisions",
        "check",
        "--module",
        "m",
        "--hypothesis",
        "cache the parser",
        "--json",
    ];
    assert_eq!(project.run(&check).json()["rejected"], false);
    assert_eq!(project.run(&["doctor"]).code(), 0);
}
