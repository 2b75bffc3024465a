//! An agent in an environment that others wrote: MiniGrid, with the memory and without.
//!
//! A small part of the experiment of `examples/navigation`, through the program and the adapter in its sandbox.

use std::{path::PathBuf, process::Command, sync::OnceLock};

use serde_json::Value;

use crate::support::{Scratch, repository, shared_home};

/// A Python with MiniGrid in it, installed once by the example's own script.
fn python() -> PathBuf {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    let place = PLACE.get_or_init(|| {
        let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("minigrid");
        let install = repository().join("examples/navigation/install");
        let status = Command::new(install).arg(&place).status();
        assert!(
            status.expect("the script starts").success(),
            "MiniGrid is installed"
        );
        place
    });
    place.join("bin/python")
}

/// Does the experiment in some environments and gives its report.
fn experiment(project: &Scratch, environments: &[&str]) -> Value {
    let report = project.path().join("report.json");
    let mut command = Command::new(python());
    command
        .arg(repository().join("examples/navigation"))
        .args(["--twiceshy", env!("CARGO_BIN_EXE_twiceshy")])
        .args([
            "--seeds",
            "2",
            "--learning",
            "5",
            "--held-out",
            "2",
            "--json",
        ])
        .arg(&report)
        .args(environments.iter().flat_map(|name| ["--only", *name]))
        .current_dir(project.path())
        .env("TWICESHY_HOME", shared_home())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().expect("Python starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let report = std::fs::read_to_string(report).expect("a report");
    serde_json::from_str(&report).expect("JSON")
}

/// Errors a run, over the runs that are meant.
fn errors(report: &Value, arm: &str, is_meant: impl Fn(&Value) -> bool) -> f64 {
    let runs = report["runs"].as_array().expect("runs");
    let meant: Vec<_> = runs
        .iter()
        .filter(|run| run["arm"] == arm && is_meant(run))
        .filter_map(|run| run["run"]["errors"].as_f64())
        .collect();
    assert!(!meant.is_empty());
    meant.iter().sum::<f64>() / meant.len() as f64
}

#[test]
fn an_agent_in_minigrid_errs_less_from_run_to_run_and_less_than_without_a_memory() {
    let project = Scratch::new();
    let environments = ["SimpleCrossing", "DoorKey-6x6", "LavaGap"];
    let report = experiment(&project, &environments);
    for environment in environments {
        let of_it = |run: &Value| {
            let name = run["environment"].as_str().unwrap_or_default();
            name.starts_with(environment)
        };
        let first = errors(&report, "with", |run| of_it(run) && run["number"] == 1);
        let held_out = |run: &Value| of_it(run) && run["held_out"] == true;
        let learned = errors(&report, "with", held_out);
        let without = errors(&report, "without", held_out);
        assert!(
            first >= 1.0,
            "{environment}: nothing is known at first, {first}"
        );
        // A lesson may be withheld from a run, to measure it.
        assert!(
            learned <= first / 2.0,
            "{environment}: {learned} after {first}"
        );
        assert!(
            learned <= without / 2.0,
            "{environment}: {learned}, without {without}"
        );
    }
}
