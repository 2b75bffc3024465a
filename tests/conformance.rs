//! The conformance kit: `adapter check` and `adapter run`, as the author of an adapter meets them.

use std::fs;

use serde_json::{Value, json};
use twiceshy::{Adapter, AdapterLimits, conformance};

use crate::{
    hostile::handmade,
    support::{Ran, Scratch, repository},
};

/// A project with a component in it.
fn with(name: &str) -> Scratch {
    let scratch = Scratch::new();
    let file = scratch.path().join(format!("{name}.wasm"));
    fs::write(file, handmade::other(name)).expect("a component");
    scratch
}

fn check(scratch: &Scratch, arguments: &[&str]) -> Ran {
    scratch.run(&[&["adapter", "check"], arguments].concat())
}

#[test]
fn the_adapters_that_are_part_of_twiceshy_pass_with_their_golden_traces() {
    for guest in twiceshy_guests::ADAPTERS {
        let adapter = Adapter::from_bytes(guest.name, guest.bytes).expect("an adapter");
        let golden = repository()
            .join("guest/adapters")
            .join(guest.name)
            .join("golden");
        let report = conformance::check(&adapter).with_golden(&adapter, &golden, false);
        for check in &report.checks {
            println!("{:<12} {:<13} {}", guest.name, check.name, check.note);
        }
        assert!(report.passed(), "{}: {:#?}", guest.name, report.checks);
        assert_eq!(report.checks.len(), 8);
    }
}

/// The contract gives every adapter the same channels; that each uses all of them is seen by what they judged.
#[test]
fn every_adapter_that_is_part_of_twiceshy_speaks_through_all_four_channels() {
    for guest in twiceshy_guests::ADAPTERS {
        let golden = repository()
            .join("guest/adapters")
            .join(guest.name)
            .join("golden");
        let mut spoken = std::collections::BTreeSet::new();
        for file in fs::read_dir(&golden).expect("golden traces") {
            let text = fs::read_to_string(file.expect("a file").path()).expect("a trace");
            for line in text.lines() {
                let line: Value = serde_json::from_str(line).expect("JSON");
                let feedback = line["feedback"].as_object().expect("feedback");
                let speaks = |value: &Value| !value.is_null() && *value != serde_json::json!([]);
                let channels = feedback.iter().filter(|(_, value)| speaks(value));
                spoken.extend(channels.map(|(name, _)| name.clone()));
            }
        }
        for channel in [
            "hard-failure",
            "constraint-failure",
            "progress-signal",
            "efficiency-signal",
        ] {
            assert!(
                spoken.contains(channel),
                "{} never says {channel}",
                guest.name
            );
        }
    }
}

#[test]
fn a_check_says_what_was_looked_at_and_ends_with_0() {
    let scratch = with("good");
    let ran = check(&scratch, &["good.wasm"]);
    assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
    let lines: Vec<_> = ran.stdout().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 8, "{lines:#?}");
    assert!(
        lines[..7].iter().all(|line| line.contains(" ok ")),
        "{lines:#?}"
    );
    assert_eq!(lines[7], "good passes all 7 checks");
    let json = check(&scratch, &["good.wasm", "--json"]).json();
    assert_eq!(json["ok"], true);
    assert_eq!(json["checks"][0]["check"], "imports");
}

#[test]
fn each_check_finds_what_it_is_there_for() {
    for (name, failing, says) in [
        ("changing", "describe", "another manifest"),
        ("stateful", "deterministic", "keep nothing between calls"),
        ("fickle", "channels", "trap: it crashed"),
        ("brittle", "hostile steps", "trap: it crashed"),
        ("slow", "large steps", "timeout: it took more than"),
        ("boundless", "channels", "progress-signal"),
        ("escaping", "channels", "control characters"),
    ] {
        let scratch = with(name);
        let ran = check(&scratch, &[&format!("{name}.wasm"), "--json"]);
        assert_eq!(ran.code(), 1, "{name}: {}", ran.stdout());
        let report = ran.json();
        let checks = report["checks"].as_array().expect("checks");
        let found = checks
            .iter()
            .find(|check| check["check"] == failing)
            .expect("the check");
        assert_eq!(found["ok"], false, "{name}: {report:#}");
        assert!(
            found["problems"][0].as_str().unwrap().contains(says),
            "{name}: {found:#}"
        );
    }
}

#[test]
fn a_check_of_an_adapter_that_never_answers_comes_to_an_end() {
    let limits = AdapterLimits {
        time_ms: 50,
        ..AdapterLimits::default()
    };
    let adapter = Adapter::with_limits("endless", &handmade::other("endless"), limits).unwrap();
    let report = conformance::check(&adapter);
    let note = |name: &str| {
        let found = report.checks.iter().find(|check| check.name == name);
        let check = found.expect("the check");
        assert!(!check.passed, "{check:?}");
        check.note.clone()
    };
    assert_eq!(
        note("channels"),
        "3 steps made from its schemas: 0 judged, 0 refused, and no more after 3 that took too long"
    );
    assert_eq!(note("deterministic"), "0 answers compared");
    assert!(note("hostile steps").starts_with("3 steps"));
}

#[test]
fn what_is_no_adapter_fails_with_the_reason() {
    let scratch = Scratch::new();
    fs::write(scratch.path().join("odd.wasm"), b"\0asm\x01\0\0\0").unwrap();
    let ran = check(&scratch, &["odd.wasm"]);
    assert_eq!(ran.code(), 1, "{}", ran.stderr());
    assert!(
        ran.stdout().contains("incompatible: it is a core module"),
        "{}",
        ran.stdout()
    );
    let ran = check(&scratch, &["gone.wasm"]);
    assert_eq!(ran.code(), 2, "{}", ran.stdout());
    assert!(ran.stderr().contains("gone.wasm"), "{}", ran.stderr());
    let ran = check(&scratch, &["no-such-adapter"]);
    assert_eq!(ran.code(), 1, "{}{}", ran.stdout(), ran.stderr());
    assert!(ran.stdout().contains("no-such-adapter"), "{}", ran.stdout());
}

const STEPS: &str = r#"{"goal": {"task": "list", "expectations": {"lines": {"least": 1}}}, "step": {"action": {"command": ["ls"]}, "observation": {"exit": 0, "stdout": "a\n", "stderr": "", "duration-ms": 2}}}
{"step": {"action": {"command": ["ls", "b c"]}, "observation": {"exit": 2, "stdout": "", "stderr": "ls: cannot access 'b c': No such file or directory\n", "duration-ms": 2}}}

{"step": {"action": {"command": []}, "observation": {"exit": 0, "stdout": "", "stderr": "", "duration-ms": 2}}}
"#;

#[test]
fn recorded_steps_are_judged_and_shown_by_their_lines() {
    let scratch = Scratch::new();
    fs::write(scratch.path().join("steps.jsonl"), STEPS).unwrap();
    let ran = scratch.run(&["adapter", "run", "cli", "--steps", "steps.jsonl"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let shown = ran.stdout();
    for part in [
        "   1  ls\n",
        "   2  ls \"b c\"\n      hard-failure        exit 2: ls: cannot access 'b c': No such file or directory",
        "constraint-failure",
        "   4  refused (invalid-input): action",
    ] {
        assert!(shown.contains(part), "`{part}` in {shown}");
    }
}

#[test]
fn a_line_that_is_no_step_is_named_by_its_number_and_the_rest_is_judged() {
    let scratch = Scratch::new();
    let lines = format!("nonsense\n{STEPS}[1]\n{{\"steps\": 1}}\n");
    let ran = scratch.run_with(&["adapter", "run", "cli", "--steps", "-"], lines.as_bytes());
    assert_eq!(ran.code(), 2, "{}", ran.stdout());
    for part in [
        "line 1: not a JSON object",
        "   2  ls\n",
        "line 6: ",
        "line 7: ",
    ] {
        assert!(ran.stdout().contains(part), "`{part}` in {}", ran.stdout());
    }
    let json = scratch.run_with(
        &["adapter", "run", "cli", "--steps", "-", "--json"],
        lines.as_bytes(),
    );
    let first: Value = serde_json::from_str(json.stdout().lines().next().unwrap()).unwrap();
    assert_eq!(first["line"], 1);
    assert_eq!(first["failed"]["kind"], "invalid-argument");
}

#[test]
fn an_adapter_that_fails_at_a_step_is_told_and_asked_again_at_the_next() {
    let scratch = with("fickle");
    let lines = "{\"step\": {\"action\": {}, \"observation\": {}}}\n".repeat(5);
    let ran = scratch.run_with(
        &["adapter", "run", "./fickle.wasm", "--steps", "-"],
        lines.as_bytes(),
    );
    assert_eq!(ran.code(), 1, "{}", ran.stdout());
    let shown = ran.stdout();
    assert!(
        shown.contains("line 3: adapter `fickle`: trap: "),
        "{shown}"
    );
    assert!(shown.contains("   5  do it"), "{shown}");
}

#[test]
fn what_run_prints_as_json_is_a_golden_trace() {
    let scratch = Scratch::new();
    let golden = scratch.path().join("golden");
    fs::create_dir(&golden).unwrap();
    let ran = scratch.run_with(
        &["adapter", "run", "cli", "--steps", "-", "--json"],
        STEPS.as_bytes(),
    );
    fs::write(golden.join("first.jsonl"), ran.stdout()).unwrap();
    let checked = check(&scratch, &["cli", "--golden", "golden"]);
    assert_eq!(checked.code(), 0, "{}", checked.stdout());
    assert!(
        checked.stdout().contains("golden         ok      3 steps"),
        "{}",
        checked.stdout()
    );
}

#[test]
fn a_difference_is_shown_by_file_and_line_and_update_writes_what_is_so_now() {
    let scratch = Scratch::new();
    let golden = scratch.path().join("golden");
    fs::create_dir(&golden).unwrap();
    let kept = r#"{"goal":  {"task": "list"}, "step": {"action": {"command": ["ls"]}, "observation": {"exit": 0, "stdout": "a\n", "stderr": "", "duration-ms": 2}}, "feedback": {"action-text": "ls"}}"#;
    let file = golden.join("ls.jsonl");
    let run = |arguments: &[&str]| {
        check(
            &scratch,
            &[&["cli", "--golden", "golden"], arguments].concat(),
        )
    };
    fs::write(&file, format!("{kept}\n{STEPS}")).unwrap();
    let ran = run(&[]);
    assert_eq!(ran.code(), 1);
    let shown = ran.stdout();
    assert!(
        shown.contains("ls.jsonl:2: it has no `feedback`; --update"),
        "{shown}"
    );
    assert!(shown.contains("ls.jsonl:5: "), "{shown}");

    let updated = run(&["--update"]);
    assert_eq!(updated.code(), 0, "{}", updated.stdout());
    assert!(
        updated.stdout().contains("rewritten"),
        "{}",
        updated.stdout()
    );
    assert_eq!(run(&[]).code(), 0, "{}", run(&[]).stdout());
    let written = fs::read_to_string(&file).unwrap();
    assert!(
        written.contains(r#""error": {"invalid-input""#),
        "{written}"
    );

    fs::write(&file, written.replace("exit 2", "exit 3")).unwrap();
    let ran = run(&[]);
    assert_eq!(ran.code(), 1);
    for part in [
        "ls.jsonl:3: `ls \"b c\"` is not judged as expected",
        "- feedback.hard-failure.reason: \"exit 3\"",
        "+ feedback.hard-failure.reason: \"exit 2\"",
    ] {
        assert!(ran.stdout().contains(part), "`{part}` in {}", ran.stdout());
    }
}

#[test]
fn a_trace_may_be_one_goal_with_its_steps_in_a_json_file() {
    let scratch = Scratch::new();
    let golden = scratch.path().join("golden");
    fs::create_dir(&golden).unwrap();
    let step = json!({"action": {"command": ["ls", "x"]},
        "observation": {"exit": 2, "stdout": "", "stderr": "ls: x: no such file", "duration-ms": 1}});
    let trace = json!({"goal": {"task": "list"}, "steps": [{"step": step}, {"step": step}]});
    let file = golden.join("twice.json");
    fs::write(&file, format!("{trace:#}")).unwrap();
    let ran = check(&scratch, &["cli", "--golden", "golden"]);
    assert!(
        ran.stdout().contains("twice.json:1, step 2: "),
        "{}",
        ran.stdout()
    );
    assert_eq!(
        check(&scratch, &["cli", "--golden", "golden", "--update"]).code(),
        0
    );
    assert_eq!(check(&scratch, &["cli", "--golden", "golden"]).code(), 0);
    let written: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(
        written["steps"][1]["feedback"]["hard-failure"]["reason"],
        "exit 2"
    );
}

#[test]
fn golden_traces_that_are_not_there_or_not_readable_fail_the_check() {
    let scratch = Scratch::new();
    let golden = scratch.path().join("golden");
    let run = || check(&scratch, &["cli", "--golden", "golden"]);
    assert!(
        run().stdout().contains("name a directory with traces"),
        "{}",
        run().stdout()
    );
    fs::create_dir(&golden).unwrap();
    assert!(
        run().stdout().contains("has no *.jsonl and no *.json"),
        "{}",
        run().stdout()
    );
    fs::write(
        golden.join("a.jsonl"),
        "{}\n{\"step\": {\"action\": {}}, \"feedbak\": {}}\n{",
    )
    .unwrap();
    assert!(
        run().stdout().contains("a.jsonl:3: not a JSON object"),
        "{}",
        run().stdout()
    );
    fs::write(
        golden.join("a.jsonl"),
        "{}\n{\"step\": {\"action\": {}}, \"feedbak\": {}}\n",
    )
    .unwrap();
    assert!(
        run()
            .stdout()
            .contains("a.jsonl:2: unknown field `feedbak`"),
        "{}",
        run().stdout()
    );
    assert_eq!(run().code(), 1);
}

#[test]
fn the_steps_of_an_episode_can_be_judged_again() {
    let scratch = Scratch::new();
    scratch.run(&["run", "--", "ls", "/no/such/place"]);
    let episode = scratch.run(&["episodes", "list", "--json"]).json();
    let id = episode[0]["id"].as_str().expect("an episode").to_owned();
    let ran = scratch.run(&["adapter", "run", "cli", "--episode", &id]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert!(
        ran.stdout().contains("   1  ls /no/such/place"),
        "{}",
        ran.stdout()
    );
    let gone = scratch.run(&["adapter", "run", "cli", "--episode", "run_0"]);
    assert_eq!(gone.code(), 1, "{}", gone.stdout());
}

#[test]
fn the_help_has_examples_and_says_what_is_checked() {
    let scratch = Scratch::new();
    for (command, part) in [("check", "hostile steps"), ("run", "golden trace")] {
        let help = scratch.run(&["adapter", command, "--help"]).stdout();
        assert!(help.contains("Examples:") && help.contains(part), "{help}");
    }
}
