//! Expectations: each kind of `--expect`, met and unmet, as it ends up in the memory; and those that make no
//! sense, refused before the command runs.

use std::io::Read;

use crate::support::{Ran, Scratch};

/// Runs a shell script under an expectation.
fn run(scratch: &Scratch, expected: &[&str], script: &str) -> Ran {
    let mut arguments = vec!["run"];
    for expected in expected {
        arguments.extend(["--expect", expected]);
    }
    arguments.extend(["--", "sh", "-c", script]);
    scratch.run(&arguments)
}

/// Met: the run has no event.
fn assert_met(expected: &str, script: &str) {
    let scratch = Scratch::new();
    let ran = run(&scratch, &[expected], script);
    assert_eq!(ran.stderr(), "", "{expected}");
    assert_eq!(scratch.status()["episodes"], 1, "{expected}: remembered");
    let events = scratch.events();
    assert!(
        events.is_empty(),
        "{expected} is met by {script:?}: {events:?}"
    );
}

/// Unmet: the command ends as it does, and the event says which condition does not hold.
fn assert_unmet(expected: &str, script: &str, evidence: &str) {
    let scratch = Scratch::new();
    let ran = run(&scratch, &[expected], script);
    assert_eq!(
        (ran.code(), ran.stderr()),
        (0, String::new()),
        "{expected}: the command's own end"
    );
    let events = scratch.events();
    assert_eq!(events.len(), 1, "{expected} is not met by {script:?}");
    assert_eq!(events[0]["constraint-failure"], true, "{expected}");
    assert_eq!(events[0]["hard-failure"], false, "{expected}");
    let told = events[0]["evidence"].as_str().expect("text");
    assert!(
        told.contains(evidence),
        "{expected}: {evidence:?} is not in {told:?}"
    );
}

#[test]
fn an_exit_code_is_expected() {
    assert_met("exit=0", "true");
    assert_met("exit=0,3", "exit 3");
    assert_met("exit=255", "exit 255");
    assert_unmet("exit=3", "true", "exit");
    let scratch = Scratch::new();
    assert_eq!(run(&scratch, &["exit=0,3"], "exit 4").code(), 4);
    assert_eq!(
        scratch.events()[0]["hard-failure"],
        true,
        "another failure is one"
    );
}

#[test]
fn a_pattern_is_expected_or_must_be_missing() {
    assert_met("stdout=^b.d$", "echo abc; echo bad");
    assert_unmet("stdout=^b.d$", "echo abcd", "b.d");
    assert_met("stdout!=warn", "echo fine");
    assert_unmet("stdout!=warn", "echo a warning", "warn");
    assert_met("stderr!=warn", "echo a warning");
    assert_unmet("stderr=done", "echo done", "done");
    assert_met("stdout=a=b", "echo a=b");
}

#[test]
fn a_pattern_on_standard_error_is_looked_for_there() {
    let scratch = Scratch::new();
    let ran = run(
        &scratch,
        &["stderr=done", "stderr!=warn"],
        "echo all done >&2",
    );
    assert_eq!((ran.code(), ran.stderr()), (0, "all done\n".into()));
    assert!(scratch.events().is_empty());
    run(&scratch, &["stderr!=warn"], "echo a warning >&2");
    assert_eq!(scratch.events()[0]["constraint-failure"], true);
}

#[test]
fn what_is_expected_of_a_stream_is_looked_for_there_also_where_both_go_to_one_place() {
    let script = "echo warned >&2; echo '{\"a\": 1}'";
    for (expected, met) in [
        ("stderr=warned", true),
        ("stderr!=warned", false),
        ("stdout!=warned", true),
        ("json=a", true),
    ] {
        let scratch = Scratch::new();
        let (mut both, end) = std::io::pipe().expect("a pipe");
        let mut command = scratch.command(&["run", "--expect", expected, "--", "sh", "-c", script]);
        command
            .stdout(end.try_clone().expect("the same end"))
            .stderr(end);
        let mut child = command.spawn().expect("it starts");
        drop(command);
        let mut shown = String::new();
        both.read_to_string(&mut shown).expect("a text");
        assert!(child.wait().expect("it ends").success(), "{shown}");
        assert!(
            shown.contains("warned\n") && shown.contains("{\"a\": 1}\n"),
            "{shown}"
        );
        let events = if met { 0 } else { 1 };
        assert_eq!(scratch.status()["events"], events, "{expected}: {shown}");
    }
}

#[test]
fn json_and_its_members_are_expected() {
    assert_met("json", "echo '[1, 2]'");
    assert_unmet("json", "echo not json", "JSON");
    assert_met("json=a,b.c", "echo '{\"a\": 1, \"b\": {\"c\": null}}'");
    assert_unmet("json=a,b.c", "echo '{\"a\": 1, \"b\": {}}'", "b.c");
}

#[test]
fn a_number_of_lines_is_expected() {
    assert_met("lines=2", "echo a; echo b");
    assert_unmet("lines=2", "echo a", "2");
    assert_met("lines=2..", "seq 5");
    assert_unmet("lines=2..", "echo a", "2");
    assert_met("lines=..2", "echo a");
    assert_unmet("lines=..2", "seq 5", "2");
    assert_met("lines=1..3", "seq 3");
    assert_unmet("lines=1..3", "true", "1");
}

#[test]
fn a_number_of_columns_is_expected() {
    assert_met("columns=3", "echo 'a b c'; echo 'd e f'");
    assert_unmet("columns=3", "echo 'a b c'; echo 'd e'", "column");
}

#[test]
fn a_file_is_expected_to_be_made_or_changed() {
    assert_met("artifact=made.txt", "echo x > made.txt");
    assert_unmet("artifact=made.txt", "true", "made.txt");
    let scratch = Scratch::new();
    std::fs::write(scratch.path().join("old.txt"), "old").expect("writable");
    run(&scratch, &["artifact=old.txt"], "true");
    assert_eq!(
        scratch.events().len(),
        1,
        "a file that was there before and is untouched was not made"
    );
    run(&scratch, &["artifact=old.txt"], "echo more >> old.txt");
    assert_eq!(scratch.events().len(), 1, "one that was changed is");
}

#[test]
fn a_file_that_is_written_again_with_the_same_bytes_is_not_changed() {
    let scratch = Scratch::new();
    let file = scratch.path().join("report.csv");
    std::fs::write(&file, "a,b\n").expect("writable");
    let again = "cp report.csv copy && sleep 0.01 && cat copy > report.csv";
    run(&scratch, &["artifact=report.csv"], again);
    assert!(scratch.events().is_empty(), "it was written");
    run(&scratch, &["changed=report.csv"], again);
    let events = scratch.events();
    let told = events[0]["evidence"].as_str().expect("text");
    assert!(
        told.contains("artifact report.csv is changed") && told.contains("the same bytes"),
        "{told}"
    );
    // As many bytes, at the same time as before: only the bytes tell.
    let sly = "cp -p report.csv old && printf 'b,a\\n' > report.csv && touch -r old report.csv";
    run(&scratch, &["changed=report.csv"], sly);
    assert_eq!(scratch.events().len(), 1, "other bytes are a change");
    assert_met("changed=made.txt", "echo x > made.txt");
    assert_unmet("changed=made.txt", "true", "does not exist");
}

#[test]
fn a_shape_is_expected() {
    let scratch = Scratch::new();
    let schema = r#"{"type": "array", "items": {"required": ["id"]}}"#;
    std::fs::write(scratch.path().join("rows.json"), schema).expect("writable");
    run(&scratch, &["schema=rows.json"], r#"echo '[{"id": 1}]'"#);
    assert!(scratch.events().is_empty());
    run(&scratch, &["schema=rows.json"], r#"echo '[{"id": 1}, {}]'"#);
    let events = scratch.events();
    let told = events[0]["evidence"].as_str().expect("text");
    assert!(told.contains("$[1] lacks \"id\""), "{told}");
    for (name, text) in [("rows.json", r#"{"$ref": "x"}"#), ("broken.json", "{")] {
        std::fs::write(scratch.path().join(name), text).expect("writable");
        let ran = run(&scratch, &[&format!("schema={name}")], "echo ran > trace");
        assert_eq!(ran.code(), 2, "{}", ran.stderr());
        assert!(!scratch.path().join("trace").exists(), "{name}");
    }
}

#[test]
fn an_error_that_is_told_at_exit_0_is_a_failure_unless_it_is_expected() {
    let scratch = Scratch::new();
    let script = "cat nowhere-17.txt; echo done";
    assert_eq!(run(&scratch, &["error-text"], script).code(), 0);
    assert!(scratch.events().is_empty());
    assert_eq!(run(&scratch, &[], script).code(), 0);
    let events = scratch.events();
    assert_eq!(events[0]["reason"], "exit 0 with an error");
    let told = events[0]["fingerprint"].clone();
    run(&scratch, &[], "cat elsewhere-4.txt");
    assert_eq!(
        scratch.events()[0]["fingerprint"],
        told,
        "the same failure, whatever the exit code"
    );
}

#[test]
fn a_number_of_tries_is_expected() {
    let scratch = Scratch::new();
    let script = "[ -e ready ] || { echo 'not ready' >&2; exit 1; }";
    run(&scratch, &["steps=2"], script);
    run(&scratch, &["steps=2"], script);
    std::fs::write(scratch.path().join("ready"), "").expect("writable");
    run(&scratch, &["steps=2"], script);
    let events = scratch.events();
    let told = events[0]["evidence"].as_str().expect("text");
    assert!(told.contains("takes at most 2 steps: took 3"), "{told}");
}

#[test]
fn a_command_that_takes_too_long_is_ended_with_all_that_belongs_to_it() {
    let script =
        "trap '' TERM; sleep 300 & echo $! > sleeper; printf started; wait; wait; sleep 300";
    // On a busy machine half a second may pass before the command does anything.
    let (scratch, ran, seconds) = [0.5, 5.0, 50.0]
        .into_iter()
        .find_map(|seconds| {
            let scratch = Scratch::new();
            let time = seconds.to_string();
            let ran = scratch.run(&["run", "--timeout", &time, "--", "sh", "-c", script]);
            assert_eq!(ran.code(), 124, "{}", ran.stderr());
            (ran.stdout() == "started").then_some((scratch, ran, seconds))
        })
        .expect("it starts");
    assert!(
        ran.stderr()
            .contains(&format!("twiceshy: ended after {seconds} s, by --timeout")),
        "{}",
        ran.stderr()
    );
    assert_eq!(scratch.events()[0]["reason"], "timed out");
    let sleeper = std::fs::read_to_string(scratch.path().join("sleeper")).expect("a process");
    super::until("the sleeper ends", || !super::is_alive(sleeper.trim()));
}

#[test]
fn a_command_that_ends_in_time_is_left_alone() {
    let scratch = Scratch::new();
    let ran = scratch.run(&[
        "run",
        "--timeout",
        "600",
        "--",
        "sh",
        "-c",
        "echo out; exit 3",
    ]);
    assert_eq!(
        (ran.code(), ran.stdout(), ran.stderr()),
        (3, "out\n".into(), String::new())
    );
    for wrong in ["0", "-1", "soon", "nan", "inf"] {
        let ran = scratch.run(&["run", &format!("--timeout={wrong}"), "--", "true"]);
        assert_eq!(ran.code(), 2, "{wrong}");
        assert!(ran.stderr().contains("--timeout"), "{}", ran.stderr());
    }
}

#[test]
fn a_time_is_expected() {
    assert_met("within=100000", "true");
    assert_unmet("within=1", "sleep 0.05", "within 1 ms");
}

#[test]
fn several_expectations_must_all_hold() {
    let scratch = Scratch::new();
    run(&scratch, &["lines=1", "stdout=b", "json"], "echo a");
    let evidence = scratch.events()[0]["evidence"]
        .as_str()
        .expect("text")
        .to_owned();
    assert!(
        evidence.contains("JSON") && evidence.contains('b'),
        "{evidence}"
    );
    assert!(
        !evidence.contains("lines"),
        "what holds is not told: {evidence}"
    );
}

#[test]
fn an_expectation_that_makes_no_sense_is_refused_before_the_command_runs() {
    for wrong in [
        "exit=x",
        "exit=",
        "exit=256",
        "exit=-1",
        "stdout=",
        "stdout=(",
        "stderr!=[z-a]",
        "colour=red",
        "lines=few",
        "lines=3..2",
        "lines=",
        "columns=",
        "within=soon",
        "artifact=",
        "changed=",
        "schema=",
        "schema=nowhere.json",
        "steps=few",
        "error-text=no",
        "",
    ] {
        let scratch = Scratch::new();
        let ran = run(&scratch, &[wrong], "echo ran > trace; echo out");
        assert_eq!((ran.code(), ran.stdout()), (2, String::new()), "{wrong:?}");
        let stderr = ran.stderr();
        assert!(
            stderr.starts_with("twiceshy: --expect") && stderr.lines().count() == 1,
            "{stderr}"
        );
        let value = wrong.split('=').next_back().unwrap_or_default();
        assert!(stderr.contains(value), "{wrong:?} is not named: {stderr}");
        assert!(
            !scratch.path().join("trace").exists(),
            "{wrong:?}: the command ran"
        );
        assert!(
            !scratch.memory().exists(),
            "{wrong:?}: something was remembered"
        );
    }
}

#[test]
fn without_a_command_it_is_wrong_usage() {
    let scratch = Scratch::new();
    for arguments in [&["run"][..], &["run", "--"], &["run", "--expect", "exit=0"]] {
        let ran = scratch.run(arguments);
        assert_eq!(ran.code(), 2, "{arguments:?}");
        assert!(ran.stderr().contains("CMD"), "{}", ran.stderr());
    }
}
