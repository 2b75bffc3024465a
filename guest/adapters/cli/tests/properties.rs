//! What holds for every input: no panic, signals within the contract, one answer to one question.

use proptest::prelude::*;
use serde_json::{Value, json};
use twiceshy_adapter::{Assess, Feedback, Goal, PastStep, Step};
use twiceshy_adapter_cli::Cli;

fn goal(expectations: String) -> Goal {
    Goal {
        task: "t".into(),
        domain: "cli".into(),
        expectations,
    }
}

/// Words that commands print, so that expectations are sometimes met.
fn output() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("error: ".to_owned()),
        Just("a,b\n1,2\n".to_owned()),
        Just("{\"a\": {\"b\": [1]}}".to_owned()),
        Just("5 passed\r\n".to_owned()),
        Just("3 passed, 2 failed\n".to_owned()),
        Just("[3/7] files\n".to_owned()),
        Just("x: y: No such file or directory\n".to_owned()),
        Just("[…]\n".to_owned()),
        Just("\"".to_owned()),
        "\\PC{0,8}",
        any::<String>(),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn observation() -> impl Strategy<Value = Value> {
    let artifact = (
        prop_oneof!["[ab]", "\\./[ab]"],
        any::<bool>(),
        any::<[Option<bool>; 2]>(),
    )
        .prop_map(|(path, exists, [changed, same])| {
            json!({"path": path, "exists": exists, "changed": changed, "same-bytes": same})
        });
    (
        prop_oneof![
            Just(json!(null)),
            Just(json!(0)),
            any::<i64>().prop_map(|exit| json!(exit))
        ],
        prop_oneof![3 => Just(json!(null)), 1 => (1..70u32).prop_map(|signal| json!(signal))],
        output(),
        output(),
        prop_oneof![0..3u64, 0..5_000u64, any::<u64>()],
        any::<[bool; 2]>(),
        prop_oneof![4 => Just(json!(null)), 1 => "\\PC*".prop_map(|text| json!(text))],
        proptest::option::of(proptest::collection::vec(artifact, 0..3)),
        (any::<Option<u64>>(), proptest::option::of(0.0..1e300f64)),
    )
        .prop_map(
            |(exit, signal, stdout, stderr, duration, flags, start_error, artifacts, spent)| {
                json!({
                    "steps": spent.0, "cost": spent.1,
                    "exit": exit, "signal": signal, "stdout": stdout, "stderr": stderr,
                    "duration-ms": duration, "timed-out": flags[0], "shortened": flags[1],
                    "start-error": start_error, "artifacts": artifacts,
                })
            },
        )
}

fn expectations() -> impl Strategy<Value = Value> {
    let patterns = || {
        let pattern = prop_oneof![
            Just("passed".to_owned()),
            Just("^\\d+".to_owned()),
            "[a-z.]{0,4}"
        ];
        proptest::collection::vec(pattern, 0..3)
    };
    (
        proptest::option::of(proptest::collection::vec(-1..3i64, 1..3)),
        [patterns(), patterns(), patterns(), patterns()],
        any::<bool>(),
        proptest::collection::vec("[a-c](\\.[a-c0])?", 0..3),
        proptest::option::of((any::<Option<u64>>(), any::<Option<u64>>())),
        proptest::option::of(1..4u32),
        proptest::collection::vec("[ab]", 0..3),
        prop_oneof![Just(json!(null)), any::<u64>().prop_map(|within| json!(within))],
        (any::<Option<u64>>(), proptest::option::of(0.0..10f64), any::<bool>()),
    )
        .prop_map(|(exit, patterns, is_json, members, lines, columns, artifacts, within, further)| {
            json!({
                "within-steps": further.0, "within-cost": further.1, "error-text": further.2,
                "changed": artifacts, "json-schema": {"type": ["object", "array"], "required": members},
                "exit": exit, "stdout-matches": patterns[0], "stdout-lacks": patterns[1],
                "stderr-matches": patterns[2], "stderr-lacks": patterns[3], "stdout-json": is_json,
                "json-members": members, "columns": columns, "artifacts": artifacts, "within-ms": within,
                "lines": lines.map(|(least, most)| json!({"least": least, "most": most})),
            })
        })
}

fn step() -> impl Strategy<Value = Step> {
    let word = prop_oneof!["-[a-c]", "[a-c]{1,2}\\.txt", "[ab]", any::<String>()];
    let words = proptest::collection::vec(word, 1..4).prop_map(|words| json!(words));
    let line = prop_oneof!["[a-c&|;()'\" \n]{1,12}", any::<String>()];
    let line = line.prop_filter("it names a program", |line| !line.trim().is_empty());
    let command = prop_oneof![words, line.prop_map(|line| json!(line))];
    (command, observation()).prop_map(|(command, observation)| Step {
        before: String::new(),
        action: json!({"command": command}).to_string(),
        observation: observation.to_string(),
    })
}

/// Earlier steps with the feedback that the adapter itself gave on them.
fn recent() -> impl Strategy<Value = Vec<PastStep>> {
    proptest::collection::vec(step(), 0..6).prop_map(|steps| {
        let assessed = steps.into_iter().map(|step| {
            let feedback = Cli
                .assess(&goal(String::new()), &[], &step)
                .expect("feedback");
            PastStep { step, feedback }
        });
        assessed.collect()
    })
}

fn check(feedback: &Feedback) {
    assert!(!feedback.action_text.is_empty() && feedback.action_text.len() <= 4 << 10);
    assert!(!feedback.action_text.contains(['\n', '\r', '\u{1b}']));
    assert!(feedback.constraint_failure.len() <= 64);
    let progress = feedback.progress_signal.unwrap_or(0.5);
    assert!((-1.0..=1.0).contains(&progress), "{progress}");
    let efficiency = feedback.efficiency_signal.unwrap_or(0.5);
    assert!((0.0..=1.0).contains(&efficiency), "{efficiency}");
    if feedback.hard_failure.is_none() && feedback.constraint_failure.is_empty() {
        assert!(progress != 0.0, "a step that succeeded counts as failed");
    }
    if let Some(failure) = &feedback.hard_failure {
        assert!(failure.evidence.len() <= 64 << 10 && !failure.reason.is_empty());
    }
}

proptest! {
    // A failure is told with its input; a file of failures would be one more thing to keep.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_payload_makes_it_panic(texts in proptest::collection::vec(any::<String>(), 4)) {
        let step = Step { before: texts[0].clone(), action: texts[1].clone(), observation: texts[2].clone() };
        let _ = Cli.assess(&goal(texts[3].clone()), &[], &step);
    }

    #[test]
    fn no_output_makes_it_panic(stdout in any::<String>(), stderr in output(), script in any::<String>()) {
        let step = Step {
            before: String::new(),
            action: json!({"command": ["sh", "-c", format!("{script} 2>&1 | tail")]}).to_string(),
            observation: json!({"exit": 0, "stdout": stdout, "stderr": stderr, "duration-ms": 1}).to_string(),
        };
        check(&Cli.assess(&goal(String::new()), &[], &step).expect("feedback"));
    }

    #[test]
    fn no_pattern_makes_it_panic(pattern in any::<String>(), step in step()) {
        let expected = json!({"stdout-matches": [pattern], "stderr-lacks": [pattern]});
        let _ = Cli.assess(&goal(expected.to_string()), &[], &step);
    }

    #[test]
    fn feedback_is_within_the_contract_and_always_the_same(
        expected in expectations(), recent in recent(), step in step(),
    ) {
        let goal = goal(expected.to_string());
        let first = Cli.assess(&goal, &recent, &step).expect("feedback");
        check(&first);
        prop_assert_eq!(&Cli.assess(&goal, &recent, &step).expect("feedback"), &first);
    }

    #[test]
    fn the_same_step_again_is_comparable_with_itself(step in step()) {
        let goal = goal(String::new());
        let first = Cli.assess(&goal, &[], &step).expect("feedback");
        let recent = [PastStep { step: step.clone(), feedback: first.clone() }];
        let again = Cli.assess(&goal, &recent, &step).expect("feedback");
        check(&again);
        match first.hard_failure {
            Some(_) => prop_assert_eq!(again.progress_signal, Some(0.0)),
            None => prop_assert_eq!(again.efficiency_signal, Some(1.0)),
        }
    }
}

#[test]
fn a_huge_output_is_judged() {
    let line = "some words, a number 12345 and \\u001b[31mcolour\\u001b[0m \\\"quoted\\\"\\n";
    let stdout = line.repeat((4 << 20) / line.len() / 2);
    let step = Step {
        before: String::new(),
        action: r#"{"command": ["x"]}"#.into(),
        observation: format!(
            r#"{{"exit": 1, "stdout": "{stdout}", "stderr": "{stdout}", "duration-ms": 1}}"#
        ),
    };
    let expected = json!({
        "stdout-matches": vec!["(\\w+ )*nowhere"; 20], "stdout-lacks": vec!["zzz"; 20],
        "stdout-json": true, "columns": 9, "lines": {"least": 1},
    });
    let feedback = Cli
        .assess(&goal(expected.to_string()), &[], &step)
        .expect("feedback");
    check(&feedback);
}
