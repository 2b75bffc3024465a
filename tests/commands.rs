//! The commands as a person meets them: the first page, generated commands, wrong usage, and the page of all commands.

use std::{fs, process::Command};

use serde_json::{Value, json};

use crate::{
    run::pty::Pty,
    support::{Ran, Scratch, repository},
};

fn ok(ran: &Ran) -> String {
    assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
    ran.stdout()
}

#[test]
fn the_first_page_fits_one_screen_and_is_grouped_by_what_a_person_wants() {
    let page = ok(&Scratch::new().run(&["--help"]));
    let lines = page.lines().count();
    assert!((24..=48).contains(&lines), "{lines} lines:\n{page}");
    for line in page.lines() {
        assert!(line.chars().count() <= 100, "too wide: {line}");
    }
    let mut from = 0;
    for heading in ["Use it:", "Look at it:", "Take care of it:", "Extend it:"] {
        let at = page[from..].find(heading);
        from += at.unwrap_or_else(|| panic!("{heading} is not in:\n{page}"));
    }
}

#[test]
fn the_page_of_commands_is_the_table_of_commands() {
    let made = ok(&Scratch::new().run(&["man", "--markdown"]));
    let page = repository().join("docs/COMMANDS.md");
    let kept = fs::read_to_string(&page).unwrap_or_default();
    assert!(
        kept == made,
        "docs/COMMANDS.md is not what `twiceshy man --markdown > docs/COMMANDS.md` makes"
    );
}

/// One generated command of every interface, as somebody would type it, and a part of what it says.
#[test]
fn a_command_that_nobody_made_by_hand_works_for_every_interface() {
    let scratch = Scratch::new();
    let say = |line: &[&str]| ok(&scratch.run(line));
    let said = |line: &[&str], part: &str| {
        let text = say(line);
        assert!(text.contains(part), "{line:?}: {part} is not in:\n{text}");
    };
    said(&["runs", "start", "tidy up", "cli", "--id", "r1"], "r1");
    said(&["runs", "open"], "tidy up");
    said(&["working", "init", "--tool", "cargo"], "tokens");
    said(&["events", "fingerprint-of", "cat: x: No such file"], "fp_");
    let lesson = scratch
        .run(&["lessons", "propose", "WRONG: a → CORRECT: b", "--json"])
        .json();
    let id = lesson["id"].as_str().expect("an id");
    said(
        &["lessons", "set-status", id, "promoted", "it helps"],
        "it helps",
    );
    said(&["lessons", "activations"], "Nothing was found.");
    said(&["links", "contradictions"], "Nothing was found.");
    said(&["patterns", "get", id], "promoted");
    said(&["recall", "context", "tidy up", "cli"], "weights");
    said(
        &[
            "decisions",
            "record",
            "parser",
            "cache it",
            "held",
            "--rationale",
            "why",
        ],
        "held",
    );
    said(&["failures", "categorize", "SyntaxError: bad"], "syntax");
    said(
        &["coordination", "check-in", "eng-1", "--current-task", "t-1"],
        "t-1",
    );
    said(
        &["experience", "evolve", "sort it", "sort -k2", "success"],
        "sort -k2",
    );
    let markdown = "# Skill: Tidy\n\n## Steps\n1. Sweep\n";
    ok(&scratch.run_with(&["skills", "put", "tidy", "-"], markdown.as_bytes()));
    said(&["skills", "get", "tidy"], "1. Sweep");
    said(&["exchange", "export-lines", "lessons"], "WRONG: a");
    said(&["upkeep", "take-inventory"], "documents");
    said(
        &["runs", "finish", "--run", "r1", "--outcome", "success"],
        "success",
    );
    said(&["episodes", "lifecycle-of", "r1"], "active");
    // A person reads dates, a program the very answer of the memory.
    let shown = say(&["episodes", "get", "r1"]);
    assert!(
        shown
            .lines()
            .any(|line| line.starts_with("ended-at") && line.contains("-")),
        "{shown}"
    );
    let answer = scratch.run(&["episodes", "get", "r1", "--json"]);
    assert_eq!(
        answer.json(),
        scratch.call("episodes.get", &json!({ "episode": "r1" }))
    );
    scratch.assert_sound();
}

#[test]
fn what_a_generated_command_takes_is_given_in_order_by_flags_from_a_file_or_from_standard_input() {
    let scratch = Scratch::new();
    let decision = json!({ "module": "m", "hypothesis": "h", "outcome": "held", "rationale": "r" });
    fs::write(scratch.path().join("decision.json"), decision.to_string()).expect("a file");
    for line in [
        &["decisions", "record", "m", "h", "held", "--rationale", "r"][..],
        &[
            "decisions",
            "record",
            "--outcome",
            "held",
            "--rationale",
            "r",
            "m",
            "h",
        ],
        &[
            "decisions",
            "record",
            "--module=m",
            "--hypothesis=h",
            "--outcome=held",
            "--rationale=r",
        ],
        &["decisions", "record", "--from", "decision.json"],
        &[
            "decisions",
            "record",
            "--from",
            "decision.json",
            "--hypothesis",
            "h",
        ],
    ] {
        let kept = scratch.run(&[line, &["--json"]].concat()).json();
        assert_eq!(
            (&kept["module"], &kept["hypothesis"], &kept["rationale"]),
            (&json!("m"), &json!("h"), &json!("r")),
            "{line:?}"
        );
    }
    let piped = scratch.run_with(
        &["decisions", "record", "--from", "-", "--json"],
        json!({ "decision": decision }).to_string().as_bytes(),
    );
    assert_eq!(piped.json()["module"], "m", "{}", piped.stderr());
    // Dates are dates, and what is left out of a list of records is left out.
    let listed = scratch.run(&[
        "decisions",
        "get-records",
        "--since",
        "2020-01-01",
        "--json",
    ]);
    assert_eq!(listed.json().as_array().map(Vec::len), Some(6));
    let features = [
        "--feature",
        "language=rust",
        "--features",
        r#"{"name":"tests","value":"1"}"#,
    ];
    let asked = [&["patterns", "find-applicable", "split it"][..], &features].concat();
    assert_eq!(ok(&scratch.run(&asked)), "Nothing was found.\n");
}

#[test]
fn wrong_usage_is_refused_before_anything_is_done_and_as_json_if_that_is_asked_for() {
    let scratch = Scratch::new();
    for (line, named) in [
        (&["lessonz"][..], "lessons"),
        (&["lessons", "git"], "get"),
        (&["lessons", "get"], "--lesson"),
        (&["lessons", "get", "les_1", "les_2"], "les_2"),
        (
            &["lessons", "set-status", "les_1", "best", "why"],
            "promoted",
        ),
        (&["decisions", "get-records", "--since", "soon"], "soon"),
        (&["decisions", "get-records", "--limit", "many"], "many"),
        (&["decisions", "get-records", "--limt", "5"], "--limit"),
        (
            &["decisions", "record", "--from", "no-such-file"],
            "no-such-file",
        ),
        (
            &["patterns", "find-applicable", "--feature", "x"],
            "NAME=VALUE",
        ),
        (&["runs", "submit", "--steps", "{"], "--steps"),
        (&["run", "--tsk", "x", "--", "true"], "--task"),
        (&["episodes", "purge"], "--dry-run"),
    ] {
        let ran = scratch.run(line);
        assert_eq!(ran.code(), 2, "{line:?}: {}{}", ran.stdout(), ran.stderr());
        assert!(ran.stderr().contains(named), "{line:?}: {}", ran.stderr());
        let json = scratch.run(&[&["--json"], line].concat());
        assert_eq!((json.code(), json.stdout().as_str()), (2, ""), "{line:?}");
        let told: Value = serde_json::from_str(&json.stderr())
            .unwrap_or_else(|error| panic!("{line:?}: {error}: {}", json.stderr()));
        let message = told["error"]["message"].as_str().expect("a message");
        assert!(
            message.contains(named) && !message.contains('\n'),
            "{line:?}: {message}"
        );
    }
    let told = scratch.run(&["status", "--jsn", "--json"]);
    let told: Value = serde_json::from_str(&told.stderr()).expect("JSON");
    assert_eq!(told["error"]["kind"], "usage");
    assert!(!scratch.memory().exists(), "nothing was done");
}

#[test]
fn a_mistyped_flag_of_run_is_refused_and_the_flags_of_the_command_are_its_own() {
    let scratch = Scratch::new();
    for line in [
        &["run", "--tsk", "x", "--", "touch", "made"][..],
        &["run", "--tsk", "x", "touch", "made"],
        &["run", "--tsk", "touch", "made"],
        &["run", "--task", "x", "--quit", "--", "touch", "made"],
    ] {
        let ran = scratch.run(line);
        assert_eq!(ran.code(), 2, "{line:?}: {}", ran.stderr());
        assert!(!scratch.path().join("made").exists(), "{line:?}");
        assert!(!scratch.memory().exists(), "{line:?}");
    }
    for line in [
        &["run", "echo", "--tsk", "--json", "--help"][..],
        &["run", "--", "echo", "--tsk", "--json", "--help"],
        &["run", "--task", "x", "echo", "--tsk", "--json", "--help"],
    ] {
        assert_eq!(ok(&scratch.run(line)), "--tsk --json --help\n", "{line:?}");
    }
    // A command's own `--json` asks nothing of twiceshy.
    let ran = scratch.run(&["run", "--tsk", "x", "--", "echo", "--json"]);
    assert!(!ran.stderr().starts_with('{'), "{}", ran.stderr());
}

#[test]
fn errors_name_commands_and_not_functions_of_the_contract() {
    let scratch = Scratch::new();
    ok(&scratch.run(&["task", "start", "tidy up", "--id", "r1"]));
    let ran = scratch.run(&["working", "view"]);
    assert_eq!(ran.code(), 1);
    assert!(
        ran.stderr().contains("twiceshy working init"),
        "{}",
        ran.stderr()
    );
    fs::write(scratch.path().join("bad.json"), r#"{"rule-text": 1}"#).expect("a file");
    let ran = scratch.run(&["lessons", "propose", "--from", "bad.json"]);
    assert_eq!(ran.code(), 2);
    let told = ran.stderr();
    assert!(
        told.contains("bad.json") && !told.contains("lessons.propose"),
        "{told}"
    );
    let ran = scratch.run(&["call", "working.view", r#"{"run": "r1"}"#]);
    assert!(ran.stderr().contains("working.init"), "{}", ran.stderr());
}

#[test]
fn the_manual_and_the_completions_know_every_command() {
    let scratch = Scratch::new();
    let manual = ok(&scratch.run(&["man"]));
    assert!(
        manual.starts_with(".ie") || manual.contains(".TH"),
        "{manual}"
    );
    assert!(ok(&scratch.run(&["man", "episodes", "search"])).contains("relevant to a task"));
    assert_eq!(scratch.run(&["man", "episodes", "nothing"]).code(), 2);
    for shell in ["bash", "zsh", "fish"] {
        let script = ok(&scratch.run(&["completions", shell]));
        for word in [
            "consolidate",
            "similar-failures",
            "take-snapshot",
            "only-successful",
        ] {
            assert!(
                script.contains(word),
                "{word} is not in the completions of {shell}"
            );
        }
    }
    assert_eq!(
        ok(&scratch.run(&["help", "lessons", "get"])),
        ok(&scratch.run(&["lessons", "get", "--help"]))
    );
}

#[test]
fn the_first_start_at_a_terminal_leaves_the_screen_in_order() {
    let scratch = Scratch::new();
    let home = tempfile::tempdir().expect("a directory");
    let start = |script: &str| {
        let mut command: Command = scratch.command(&["run", "--", "sh", "-c", script]);
        command.env("TWICESHY_HOME", home.path());
        let mut pty = Pty::start(command);
        assert_eq!(pty.ends(), 0, "{}", pty.text());
        pty.text()
    };
    // The command has the terminal while the components are compiled.
    let screen = start("echo one; sleep 0.3; printf 'two\\nthree'");
    assert!(screen.starts_with("one\r\ntwo\r\nthree"), "{screen:?}");
    assert!(
        !screen.replace("\r\n", "").contains(['\r', '\n']),
        "every line begins at the left: {screen:?}"
    );
    for line in screen
        .split("\r\n")
        .filter(|line| line.contains("twiceshy"))
    {
        assert!(
            line.starts_with("twiceshy: "),
            "a line of its own: {line:?}"
        );
    }
    assert!(
        screen.contains("compiling the component"),
        "who waits knows why: {screen:?}"
    );
    assert_eq!(start("echo again"), "again\r\n");
}
