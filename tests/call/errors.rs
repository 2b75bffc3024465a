//! What is wrong with a call is said, with the member and what is expected of it.

use serde_json::json;

use crate::support::{Ran, Scratch};

/// Fails the test unless the call was refused as bad input with all of these words.
#[track_caller]
fn assert_bad(ran: &Ran, said: &[&str]) {
    let message = ran.stderr();
    assert_eq!((ran.code(), ran.stdout().as_str()), (2, ""), "{message}");
    for part in said {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
}

#[test]
fn bad_input_is_refused_with_the_member_and_what_is_expected() {
    let project = Scratch::new();
    let cases: [(&str, &str, &[&str]); 24] = [
        (
            "nowhere.find",
            "{}",
            &["no function `nowhere.find`", "runs", "upkeep"],
        ),
        (
            "lessons.burn",
            "{}",
            &["no function `lessons.burn`", "lessons.propose"],
        ),
        ("lessons", "{}", &["no function `lessons`", "lessons.find"]),
        ("", "{}", &["no function ``"]),
        (
            "lessons.get.more",
            "{}",
            &["no function `lessons.get.more`"],
        ),
        (
            "lessons.get",
            "",
            &["`lesson` is missing", "\"lesson\": string"],
        ),
        (
            "lessons.get",
            "{}",
            &["`lesson` is missing", "\"lesson\": string"],
        ),
        (
            "lessons.get",
            r#"{"lesson": 5}"#,
            &["lesson", "expected a string"],
        ),
        (
            "lessons.get",
            r#"{"lesson": "a", "extra": 1}"#,
            &["no argument `extra`"],
        ),
        (
            "lessons.propose",
            r#"{"rule-text": "x", "colour": 1}"#,
            &["lesson.colour", "rule-text"],
        ),
        ("lessons.propose", r#"{"tags": ["a"]}"#, &["rule-text"]),
        (
            "lessons.propose",
            r#"{"rule-text": "x", "tags": "a"}"#,
            &["lesson.tags", "a sequence"],
        ),
        (
            "lessons.propose",
            r#"{"rule-text": "x", "tags": [1]}"#,
            &["lesson.tags[0]", "a string"],
        ),
        (
            "lessons.propose",
            r#"{"rule-text": "x", "kind": "song"}"#,
            &["lesson.kind", "`rule`"],
        ),
        (
            "lessons.propose",
            r#"{"rule-text": ""}"#,
            &["`rule-text` is empty", "CORRECT"],
        ),
        (
            "lessons.set-status",
            r#"{"lesson": "x"}"#,
            &["`status` is missing", "\"promoted\""],
        ),
        (
            "runs.start",
            r#"{"task": "x"}"#,
            &["run", "missing field `domain`"],
        ),
        (
            "runs.start",
            r#"{"task": "x", "domain": "No Such"}"#,
            &["domain", "lowercase"],
        ),
        (
            "runs.recent-steps",
            r#"{"domain": "cli", "limit": -1}"#,
            &["limit", "u32"],
        ),
        (
            "runs.recent-steps",
            r#"{"domain": "cli", "limit": 1e400}"#,
            &["out of range"],
        ),
        (
            "runs.recent-steps",
            r#"{"domain": "cli", "limit": 1.5}"#,
            &["limit", "u32"],
        ),
        (
            "runs.recent-steps",
            r#"{"domain": "cli", "limit": 4294967296}"#,
            &["limit", "u32"],
        ),
        (
            "lessons.find",
            r#"{"limit": 1"#,
            &["not valid JSON", "line 1 column"],
        ),
        (
            "lessons.find",
            r#"{"domain": "\ud800"}"#,
            &["not valid JSON"],
        ),
    ];
    for (function, arguments, said) in cases {
        assert_bad(&project.run(&["call", function, arguments]), said);
    }
    for arguments in ["[]", "5", "\"text\"", "null", "true"] {
        let ran = project.run(&["call", "lessons.find", arguments]);
        assert_bad(
            &ran,
            &["must be a JSON object such as", "\"limit\"?: integer"],
        );
    }
    assert!(!project.memory().exists(), "nothing was written");
}

#[test]
fn hostile_input_is_refused_and_takes_nothing_with_it() {
    let project = Scratch::new();
    for deep in [
        "[".repeat(100_000),
        "{\"filter\":".repeat(100_000),
        "{\"a\":[".repeat(50_000),
    ] {
        let ran = project.run_with(&["call", "lessons.find", "-"], deep.as_bytes());
        assert_bad(&ran, &["not valid JSON", "recursion limit"]);
    }
    let ran = project.run_with(
        &["call", "lessons.find", "-"],
        b"{\"domain\": \"\xff\xfe\"}",
    );
    assert_bad(&ran, &["not valid UTF-8"]);
    let ran = project.run_with(&["call", "lessons.find", "-"], &vec![b' '; (32 << 20) + 1]);
    assert_bad(&ran, &["more than 32 MiB", "send less"]);
    let escape = project.run(&["call", "lessons.\x1b[31mfind"]);
    assert_bad(&escape, &["no function"]);
    assert!(
        !escape.stderr().contains('\x1b'),
        "a message does not steer the terminal"
    );
    let lesson = json!({ "rule-text": "nul \u{0} stays a character", "task": "\u{0}" });
    let known = project.call("lessons.propose", &lesson);
    assert_eq!(known["rule-text"], "nul \u{0} stays a character");
    assert_eq!(
        project.call("lessons.get", &json!({ "lesson": known["id"] })),
        known
    );
    project.assert_sound();
}

#[test]
fn exit_codes_tell_bad_input_from_what_is_not_there() {
    let project = Scratch::new();
    for (function, arguments) in [
        ("lessons.get", r#"{"lesson": "les_0"}"#),
        ("events.get", r#"{"event-id": "x.0"}"#),
        ("episodes.get", r#"{"episode": "run_0"}"#),
        ("runs.finish", r#"{"run": "run_0", "ending": {}}"#),
    ] {
        let ran = project.run(&["call", function, arguments]);
        assert_eq!(ran.code(), 1, "{function}: {}", ran.stderr());
        assert!(
            ran.stderr().contains("There is no "),
            "{function}: {}",
            ran.stderr()
        );
    }
    let run = json!({ "id": "twice", "task": "", "domain": "cli" });
    project.call("runs.start", &run);
    let again = project.run(&["call", "runs.start", &run.to_string()]);
    assert_eq!(again.code(), 1, "{}", again.stderr());
    for usage in [
        &["call"][..],
        &["call", "--list", "--lines"],
        &["call", "--lines", "lessons.find"],
        &["events", "--limit", "few"],
        &["status", "--colour"],
        &["dance"],
    ] {
        assert_eq!(project.run(usage).code(), 2, "{usage:?}");
    }
}

#[test]
fn with_json_an_error_is_json_on_standard_error() {
    let project = Scratch::new();
    for (arguments, kind) in [
        (["--json", "call", "no.such", "{}"], "invalid-argument"),
        (
            ["call", "lessons.get", r#"{"lesson": "les_0"}"#, "--json"],
            "not-found",
        ),
        (
            [
                "--json",
                "call",
                "lessons.distil",
                r#"{"episode": "run_0"}"#,
            ],
            "not-found",
        ),
    ] {
        let ran = project.run(&arguments);
        // Whichever test comes first compiles, and says so before.
        let message = ran.stderr();
        let last = message.lines().last().unwrap_or_default();
        let error: serde_json::Value = serde_json::from_str(last).expect("JSON");
        assert_eq!(error["error"]["kind"], kind, "{error}");
        assert!(
            error["error"]["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        assert_eq!(ran.stdout(), "");
    }
}

#[test]
fn a_function_of_adapters_that_does_not_exist_is_told_with_those_that_do() {
    let ran = Scratch::new().run(&["call", "adapters.judge", "{}"]);
    assert_eq!(ran.code(), 2);
    assert!(
        ran.stderr().contains("adapters.observe"),
        "{}",
        ran.stderr()
    );
}
