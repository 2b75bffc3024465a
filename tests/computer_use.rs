//! The agent of `examples/computer-use` in a real browser: that it learns, and that what it learns holds elsewhere.

use std::{fs, process::Command};

use serde_json::{Value, json};

use crate::support::{Scratch, repository, shared_home};

/// Runs a command to its end and fails the test with what it says if it does not succeed.
fn succeed(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        said(&output.stdout),
        said(&output.stderr)
    );
    said(&output.stdout)
}

/// The errors of the phases whose name begins so, without memory and with it, as means a run.
fn errors(report: &Value, phase: &str) -> (f64, f64) {
    let phases = report["summary"]["phases"].as_array().expect("phases");
    let of_phase = |one: &&Value| {
        one["phase"]
            .as_str()
            .is_some_and(|name| name.starts_with(phase))
    };
    let found: Vec<_> = phases.iter().filter(of_phase).collect();
    assert!(!found.is_empty(), "{phase}");
    let mean = |arm: &str| {
        let errors = found
            .iter()
            .map(|one| one[arm]["errors"].as_f64().expect("a number"));
        errors.sum::<f64>() / found.len() as f64
    };
    (mean("without"), mean("with"))
}

#[test]
fn an_agent_in_a_browser_fails_less_from_round_to_round_and_on_pages_it_has_never_seen() {
    let scratch = Scratch::new();
    let example = repository().join("examples/computer-use");
    succeed(&mut Command::new(example.join("install.sh")));
    let report = scratch.path().join("report.json");
    let table = succeed(
        Command::new("node")
            .arg(example.join("agent/experiment.mjs"))
            .args(["--seeds", "1", "--rounds", "3", "--json"])
            .arg(&report)
            .args(["--twiceshy", env!("CARGO_BIN_EXE_twiceshy")])
            .env("TWICESHY_HOME", shared_home()),
    );
    let report: Value = serde_json::from_slice(&fs::read(report).expect("a report")).expect("JSON");
    let (_, first) = errors(&report, "round 1");
    let (without, last) = errors(&report, "round 3");
    assert!(
        last < first / 2.0,
        "errors fall from round to round:\n{table}"
    );
    assert!(
        last < without / 2.0,
        "they are below the baseline:\n{table}"
    );
    let (without, with) = errors(&report, "new");
    assert!(with < without * 0.7, "also on new pages:\n{table}");
}

#[test]
fn a_guard_that_is_hit_on_a_screen_is_harm_to_the_memory() {
    let scratch = Scratch::new();
    let run = scratch.call(
        "runs.start",
        &json!({"run": {"task": "save the song", "domain": "computer-use", "tags": []}}),
    );
    let screen = |file: &str| {
        let save = json!({"role": "button", "name": "Save over master"});
        let readout = json!({"role": "status", "name": "Master file", "text": file});
        json!({"elements": [save, readout]}).to_string()
    };
    let guard =
        json!({"role": "status", "name": "Master file", "property": "text", "is": "overwritten"});
    let click = json!({"kind": "click", "target": {"role": "button", "name": "Save over master"}});
    scratch.call(
        "adapters.observe",
        &json!({
            "adapter": "computer-use",
            "run": run["id"],
            "expectations": json!({"guards": [guard]}).to_string(),
            "step": {"before": screen("untouched"), "action": click.to_string(), "observation": screen("overwritten")},
        }),
    );
    let tags = &scratch.events()[0]["tags"];
    let tags = tags.as_array().expect("tags");
    // What guards against harm is never withheld from a run.
    assert!(tags.contains(&json!("unsafe_action")), "{tags:?}");
}
