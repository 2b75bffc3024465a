//! `twiceshy experiment` and `twiceshy demo`, as a user runs them, and that an experiment repeats itself.

mod executors;

use std::{fs, process::Stdio, sync::atomic::AtomicBool, time::Duration};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::Value;
use twiceshy::{MapStore, Unavailable};
use twiceshy_adapter_cli::Cli;
use twiceshy_engine::{Engine, Ports};
use twiceshy_experiment::{Lab, Learner, Plan, Report, Site};

use crate::{acceptance::perform, support::Scratch, waiting::while_it_lives};

const SMALL: Plan = Plan {
    seeds: 2,
    first_seed: 7,
    runs: [4, 3, 1, 1],
    evaluator: true,
};

/// The same with the native engine and the native adapter.
fn perform_natively(plan: &Plan) -> Report {
    let memories = |site: &Site| {
        let engine: Box<dyn Learner> = Box::new(Engine::new(Ports {
            // Memories of a test may live as long as it does.
            store: Box::leak(Box::new(MapStore::new())),
            clock: Box::leak(Box::new(site.clock.clone())),
            archive: &Unavailable,
            embedder: &Unavailable,
            model: &Unavailable,
            log: &Unavailable,
        }));
        Ok(engine)
    };
    let lab = Lab {
        adapter: &Cli,
        memories: &memories,
        executor: None,
        watch: &|_| {},
        stop: &AtomicBool::new(false),
        threads: 1,
    };
    lab.perform(plan).expect("an experiment")
}

#[test]
fn the_same_seeds_give_the_same_bytes_in_the_component_and_natively() {
    let json = |report: Report| serde_json::to_string(&report).expect("JSON");
    let first = json(perform(&SMALL));
    assert!(first == json(perform(&SMALL)), "twice in the component");
    assert!(first == json(perform_natively(&SMALL)), "natively");
}

#[test]
fn a_small_experiment_reports_every_run_and_says_by_its_exit_code_whether_all_is_well() {
    let scratch = Scratch::new();
    let arguments = [
        "experiment",
        "--seeds",
        "2",
        "--runs",
        "3,2,1,1",
        "--html",
        "report.html",
    ];
    let ran = scratch.run(&[&arguments[..], &["--json"]].concat());
    let report = ran.json();
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 2 * 3 * (3 + 2 + 1 + 2));
    for name in [
        "passed",
        "score",
        "steps",
        "tool-errors",
        "lesson-activations",
        "fingerprints",
        "recurring-errors",
        "promoted",
        "suppressed",
        "retrieval-precision",
    ] {
        assert!(runs[0].get(name).is_some(), "{name} is measured");
    }
    let checks = report["checks"].as_array().expect("checks");
    assert_eq!(checks.len(), 10, "{checks:#?}");
    let ok = checks.iter().all(|check| check["ok"] == true);
    assert_eq!(
        (ran.code(), report["ok"].as_bool()),
        (i32::from(!ok), Some(ok))
    );

    let page = fs::read_to_string(scratch.path().join("report.html")).expect("the page");
    assert!(page.contains("<svg") && page.contains("Planted lessons"));
    for outside in [
        "http:", "https:", "src=", "<script", "@import", "url(", "<link",
    ] {
        assert!(!page.contains(outside), "the page refers to {outside}");
    }
    let told = scratch.run(&arguments).stdout();
    assert!(
        told.contains("A bootstrap, gridtool") && !told.contains('\x1b'),
        "{told}"
    );
    assert!(
        !scratch.memory().exists(),
        "the project's own memory is left alone"
    );
}

#[test]
fn wrong_options_are_refused_with_the_way_out() {
    let scratch = Scratch::new();
    for (arguments, told) in [
        (&["--phases", "AX"][..], "there is no phase 'X'"),
        (&["--runs", "1,2"], "neither one nor four"),
        (&["--runs", "0"], "leave it out with --phases"),
        (&["--seeds", "0"], "0 is not in 1..=10000"),
        (
            &["--html", "nowhere/page.html"],
            "there is no directory nowhere",
        ),
        (&["--keep", "."], "name a new or empty directory"),
    ] {
        let ran = scratch.run(&[&["experiment"][..], arguments].concat());
        assert_eq!(ran.code(), 2, "{arguments:?}");
        assert!(
            ran.stderr().contains(told),
            "{arguments:?}: {}",
            ran.stderr()
        );
    }
}

/// The processor time that a process has used.
fn worked(id: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("a process");
    let after = stat.rsplit(") ").next().expect("fields");
    let ticks: u64 = after
        .split(' ')
        .skip(11)
        .take(2)
        .map(|field| field.parse::<u64>().expect("a number"))
        .sum();
    Duration::from_millis(ticks * 10)
}

#[test]
fn an_interruption_keeps_what_was_asked_for_and_leaves_nothing_else_behind() {
    let scratch = Scratch::new();
    let mut child = scratch
        .command(&[
            "experiment",
            "--seeds",
            "10000",
            "--runs",
            "2,1,1,1",
            "--json",
            "--html",
            "page.html",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    // By what it did, and not by the clock: it has to have come to its first runs.
    let id = child.id();
    while_it_lives(&mut child, "some runs", || {
        worked(id) > Duration::from_secs(4)
    });
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).expect("a signal");
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["interrupted"], true);
    assert!(!report["runs"].as_array().expect("runs").is_empty());
    let names: Vec<_> = fs::read_dir(scratch.path())
        .expect("the directory")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name != ".git")
        .collect();
    assert_eq!(names, ["page.html"]);
}

#[test]
fn the_demo_tells_its_story_and_keeps_its_memories_where_it_is_told_to() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["demo", "--keep", "kept", "--html", "demo.html"]);
    let told = ran.stdout();
    for part in [
        "gridtool for the first time, with its documentation at hand",
        "gridtool again, without documentation, with what is remembered",
        "remembered: WRONG: gridtool",
        "somebody has handed in bad lessons",
        "shown, harmful: WRONG: ",
        "suppressed after ",
        "Checks",
    ] {
        assert!(told.contains(part), "{part}: {told}{}", ran.stderr());
    }
    assert!(
        !told.contains('\x1b'),
        "no colours where there is no terminal"
    );
    assert_eq!(ran.code(), 0, "all checks are met: {told}");
    assert!(scratch.path().join("demo.html").is_file());
    for memory in ["kept/memory-1", "kept/planted-1"] {
        let status = scratch
            .run(&["--memory", memory, "status", "--json"])
            .json();
        assert!(
            status["lessons"].as_u64().expect("a number") > 5,
            "{memory}: {status}"
        );
    }
    assert!(
        !scratch.memory().exists(),
        "the project's own memory is left alone"
    );
}
