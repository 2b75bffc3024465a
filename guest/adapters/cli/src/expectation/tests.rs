//! What conditions say of commands, case by case.

use twiceshy_adapter::read;

use super::*;

fn judged(expected: &str, members: &str) -> Verdict {
    let observation = format!(r#"{{"stderr": "", "duration-ms": 20, "exit": 0, {members}}}"#);
    let seen = Seen {
        task: "",
        expectations: read("expectations", expected).expect("expectations"),
        before: None,
        action: read("action", r#"{"command": ["x"], "directory": "/srv"}"#).expect("an action"),
        observation: read("observation", &observation).expect("an observation"),
        recent: &[],
    };
    Conditions::of(&seen.expectations)
        .expect("conditions")
        .judge(&seen)
}

fn told(expected: &str, members: &str) -> Vec<String> {
    let verdict = judged(expected, members);
    let told = verdict.violations.into_iter();
    told.map(|violation| format!("{}: {}", violation.condition, violation.evidence))
        .collect()
}

#[test]
fn every_condition_that_does_not_hold_says_what_was_found_instead() {
    let cases = [
        (
            r#"{"exit": [1, 2]}"#,
            r#""stdout": """#,
            "exit is 1 or 2: exit 0",
        ),
        (
            r#"{"stdout-matches": ["\\d+ passed"]}"#,
            r#""stdout": "a\n2 failed\n\n""#,
            r#"stdout matches \d+ passed: stdout ends with "2 failed""#,
        ),
        (
            r#"{"stderr-matches": ["a\\nb"]}"#,
            r#""stdout": """#,
            "stderr matches a\\nb: stderr is empty",
        ),
        (
            r#"{"stderr-matches": ["done"]}"#,
            r#""stdout": "done""#,
            "stderr matches done: stderr is empty",
        ),
        (
            r#"{"stdout-lacks": ["WARN"]}"#,
            r#""stdout": "ok\n WARN x\n""#,
            r#"stdout lacks WARN: found in "WARN x""#,
        ),
        (
            r#"{"stdout-json": true}"#,
            r#""stdout": " \n""#,
            "stdout is JSON: stdout is empty",
        ),
        (
            r#"{"stdout-json": true}"#,
            r#""stdout": "{} {}""#,
            r#"stdout is JSON: trailing characters at line 1 column 4: "{} {}""#,
        ),
        (
            r#"{"json-members": ["b.d"]}"#,
            r#""stdout": "{\"b\": {\"c\": 1}}""#,
            "stdout has the JSON member b.d: found an object with \"b\"",
        ),
        (
            r#"{"json-members": ["2.a"]}"#,
            r#""stdout": "[{\"a\": 1}]""#,
            "stdout has the JSON member 2.a: found an array of 1",
        ),
        (
            r#"{"lines": {"least": 3}}"#,
            r#""stdout": "a\n\nb\n""#,
            "stdout has at least 3 lines: counted 2",
        ),
        (
            r#"{"lines": {"most": 1}}"#,
            r#""stdout": "a\nb""#,
            "stdout has at most 1 line: counted 2",
        ),
        (
            r#"{"columns": 2}"#,
            r#""stdout": "a,b\n1,2,3\n""#,
            r#"every line of stdout has 2 columns: counted 3 in line 2: "1,2,3""#,
        ),
        (
            r#"{"artifacts": ["a"]}"#,
            r#""stdout": "", "artifacts": [{"path": "a", "exists": false}]"#,
            "artifact a exists: it does not exist",
        ),
        (
            r#"{"artifacts": ["a"]}"#,
            r#""stdout": "", "artifacts": []"#,
            "artifact a exists: it is not among the artifacts that were seen",
        ),
        (
            r#"{"artifacts": ["a"]}"#,
            r#""stdout": "", "artifacts": [{"path": "a", "exists": true, "changed": false}]"#,
            "artifact a is changed: it is as before",
        ),
        (
            r#"{"changed": ["a"]}"#,
            r#""stdout": "", "artifacts": [{"path": "a", "exists": true, "changed": true, "same-bytes": true}]"#,
            "artifact a is changed: it was written again with the same bytes",
        ),
        (
            r#"{"changed": ["a"]}"#,
            r#""stdout": "", "artifacts": [{"path": "a", "exists": false}]"#,
            "artifact a exists: it does not exist",
        ),
        (
            r#"{"json-schema": {"items": {"type": "integer"}}}"#,
            r#""stdout": "[1, \"x\"]""#,
            "stdout fits its JSON schema: $[1] should be integer, not string",
        ),
        (
            r#"{"json-schema": {"type": "array"}}"#,
            r#""stdout": "oops""#,
            r#"stdout is JSON: expected value at line 1 column 1: "oops""#,
        ),
        (
            r#"{"within-ms": 10}"#,
            r#""stdout": """#,
            "finishes within 10 ms: took 20 ms",
        ),
        (
            r#"{"within-steps": 1}"#,
            r#""stdout": "", "steps": 3"#,
            "takes at most 1 step: took 3",
        ),
        (
            r#"{"within-cost": 0.5}"#,
            r#""stdout": "", "cost": 0.75"#,
            "costs at most 0.5: cost 0.75",
        ),
    ];
    for (expected, members, words) in cases {
        assert_eq!(told(expected, members), [words]);
    }
}

#[test]
fn conditions_that_hold_are_counted() {
    let expected = r#"{"exit": [0], "stdout-matches": ["^\\{"], "stdout-lacks": ["error"], "stderr-lacks": ["."],
        "stdout-json": true, "json-members": ["a", "b.c", "d.0.e", "f.g", "n"],
        "lines": {"least": 1, "most": 1}, "columns": 1, "artifacts": ["./out//x", "/srv/out/x"], "changed": ["out/x"],
        "json-schema": {"required": ["a"]}, "within-ms": 20, "within-steps": 1, "within-cost": 2}"#;
    let stdout = r#""stdout": "{\"a\":1,\"b\":{\"c\":[]},\"d\":[{\"e\":0}],\"f.g\":2,\"n\":null}""#;
    let members = format!(
        r#"{stdout}, "cost": 2, "artifacts": [{{"path": "out/x", "exists": true, "changed": null, "same-bytes": false}}]"#
    );
    let verdict = judged(
        &expected.replace("\"columns\": 1,", "\"columns\": 5,"),
        &members,
    );
    assert!(verdict.violations.is_empty(), "{:?}", verdict.violations);
    assert_eq!((verdict.met, verdict.unmet), (20, 0));
}

#[test]
fn what_a_shortened_output_cannot_tell_is_open() {
    let expected = r#"{"stdout-matches": ["middle"], "stdout-lacks": ["middle"], "stdout-json": true,
        "json-members": ["a"], "lines": {"least": 2, "most": 4}, "columns": 1}"#;
    let verdict = judged(
        expected,
        r#""stdout": "{\"a\": \n[…]\n1 }\nx y", "shortened": true"#,
    );
    assert_eq!((verdict.met, verdict.unmet, verdict.given), (0, 0, true));
}

#[test]
fn what_a_shortened_output_can_tell_is_told() {
    let expected = r#"{"stdout-matches": ["head"], "stdout-lacks": ["tail"], "stdout-json": true,
        "lines": {"least": 3, "most": 2}, "columns": 2}"#;
    let verdict = judged(
        expected,
        r#""stdout": "head\na\nb\nc\nd\n[…]\ntail", "shortened": true"#,
    );
    let told: Vec<_> = verdict
        .violations
        .iter()
        .map(|violation| violation.condition.as_str())
        .collect();
    assert_eq!(verdict.met, 2);
    assert_eq!(
        told,
        [
            "stdout lacks tail",
            "stdout is JSON",
            "stdout has at most 2 lines",
            "every line of stdout has 2 columns"
        ]
    );
}

#[test]
fn what_nobody_looked_at_is_open() {
    for expected in [
        r#"{"artifacts": ["a"]}"#,
        r#"{"changed": ["a"]}"#,
        r#"{"within-cost": 1}"#,
    ] {
        let unseen = judged(expected, r#""stdout": """#);
        assert_eq!((unseen.met, unseen.unmet), (0, 0), "{expected}");
    }
    let uncompared = judged(
        r#"{"changed": ["a"]}"#,
        r#""stdout": "", "artifacts": [{"path": "a", "exists": true}]"#,
    );
    assert_eq!((uncompared.met, uncompared.unmet), (0, 0));
    let never_started = judged(
        r#"{"stdout-matches": ["a"]}"#,
        r#""stdout": "", "start-error": "no""#,
    );
    assert_eq!(
        (never_started.met, never_started.unmet, never_started.given),
        (0, 0, true)
    );
}

#[test]
fn members_of_what_is_no_json_are_one_violation_and_count_each() {
    for (expected, unmet) in [
        (r#"{"json-members": ["a", "b"]}"#, 2),
        (r#"{"stdout-json": true, "json-members": ["a", "b"]}"#, 3),
    ] {
        let verdict = judged(expected, r#""stdout": "oops""#);
        assert_eq!((verdict.violations.len(), verdict.unmet), (1, unmet));
    }
}

#[test]
fn json_that_is_deep_or_odd_is_json() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for text in [deep.as_str(), "1e999"] {
        let verdict = judged(
            r#"{"stdout-json": true, "json-members": ["a"]}"#,
            &format!(r#""stdout": "{text}""#),
        );
        assert_eq!((verdict.met, verdict.unmet), (1, 0));
    }
}

#[test]
fn more_conditions_than_the_contract_has_violations_are_refused() {
    let expected = Expectations {
        artifacts: vec!["a".into(); MOST],
        ..Expectations::default()
    };
    assert!(Conditions::of(&expected).is_ok());
    let expected = Expectations {
        within_ms: Some(1),
        ..expected
    };
    assert!(matches!(
        Conditions::of(&expected),
        Err(Error::InvalidInput(_))
    ));
}

#[test]
fn evidence_is_short_whatever_was_printed() {
    let long = "x".repeat(100_000);
    let expected =
        r#"{"stdout-matches": ["y"], "stdout-lacks": ["x"], "stdout-json": true, "columns": 2}"#;
    let told = told(expected, &format!(r#""stdout": "{long}""#));
    assert_eq!(told.len(), 4);
    assert!(told.iter().all(|line| line.len() < 300), "{told:?}");
}
