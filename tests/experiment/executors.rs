//! Executors that are programs: one that works, and all the ways in which one can fail.

use std::fs;

use serde_json::Value;

use crate::support::{Ran, Scratch, example};

/// The program with one short run in each arm, worked on by a command.
fn experiment(scratch: &Scratch, executor: &str, more: &[&str]) -> Ran {
    let fixed = [
        "experiment",
        "--json",
        "--seeds",
        "1",
        "--phases",
        "A",
        "--executor",
        executor,
    ];
    scratch.run(&[&fixed[..], more].concat())
}

#[test]
fn a_program_works_on_the_tasks_and_learns_by_the_memory_alone() {
    let scratch = Scratch::new();
    let ran = experiment(
        &scratch,
        &example("executor").display().to_string(),
        &["--runs", "3"],
    );
    let report = ran.json();
    let errors = |arm: &str| -> Vec<u64> {
        let runs = report["runs"].as_array().expect("runs").iter();
        runs.filter(|run| run["arm"] == arm)
            .inspect(|run| assert_eq!(run["passed"], true, "{run}"))
            .map(|run| run["tool-errors"].as_u64().expect("a number"))
            .collect()
    };
    assert_eq!(errors("no-memory"), [1, 1, 1]);
    let with = errors("memory");
    assert_eq!(with[0], 1);
    // Now and then a lesson is withheld in order to compare.
    assert!(with.contains(&0), "{with:?}");
}

#[test]
fn an_executor_that_gives_no_answer_fails_its_step_with_a_clear_word() {
    let scratch = Scratch::new();
    let too_much = "head -c 3000000 /dev/zero | tr '\\0' x";
    for (executor, told) in [
        ("no-such-program-anywhere", "it has ended without an answer"),
        ("true", "it has ended without an answer"),
        ("kill -9 $$", "it has ended without an answer"),
        ("exec sleep 60", "no answer within 1 s"),
        ("yes nonsense", "\"nonsense\\n\" is no answer; give"),
        ("yes '{\"action\": []}'", "is no answer; give"),
        ("yes '{\"done\": false}'", "is no answer; give"),
        (too_much, "its answer is longer than 1 MiB"),
        ("printf '\\377\\n'; cat", "its answer is not UTF-8"),
    ] {
        // Only who never answers is waited for in vain.
        let seconds = if executor.contains("sleep") {
            "1"
        } else {
            "120"
        };
        let ran = experiment(
            &scratch,
            executor,
            &["--runs", "1", "--executor-timeout", seconds],
        );
        assert_eq!(ran.code(), 1, "{executor}: {}", ran.stderr());
        assert!(ran.stderr().contains(told), "{executor}: {}", ran.stderr());
        for run in ran.json()["runs"].as_array().expect("runs") {
            assert_eq!(run["passed"], false);
            let troubles = run["executor-troubles"].as_u64().expect("a number");
            assert!((1..=3).contains(&troubles), "{executor}: {run}");
            assert_eq!(run["steps"].as_u64(), Some(troubles), "{executor}: {run}");
        }
    }
}

#[test]
fn an_answer_that_is_none_can_be_made_good() {
    let scratch = Scratch::new();
    let executor = "read line; echo what?; while read line; do echo '{\"action\": [\"ls\", \"-l\"]}'; \
                    read line; echo '{\"done\": true}'; done";
    let run = experiment(&scratch, executor, &["--runs", "1"]).json()["runs"][0].clone();
    let number = |name: &str| run[name].as_u64();
    assert_eq!(
        (
            number("executor-troubles"),
            number("steps"),
            number("tool-errors")
        ),
        (Some(1), Some(2), Some(1)),
        "{run}"
    );
}

#[test]
fn what_an_executor_is_told_is_one_object_a_line() {
    let scratch = Scratch::new();
    let log = scratch.path().join("log.jsonl");
    let executor = format!(
        "IFS= read -r line; printf '%s\\n' \"$line\" >> {0}; echo '{{\"action\": [\"gridtool\", \"sort\"]}}'; \
         IFS= read -r line; printf '%s\\n' \"$line\" >> {0}; echo '{{\"done\": true}}'",
        log.display()
    );
    experiment(&scratch, &executor, &["--runs", "1"]);
    let log = fs::read_to_string(log).expect("the log");
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 6, "two requests in each arm");
    assert!(lines[0]["docs"].as_str().expect("docs").contains("KEEP"));
    assert!(lines[0]["files"]["sales.csv"].is_string() && lines[0]["last"].is_null());
    assert_eq!(lines[1]["last"]["exit"], 2);
    assert_eq!(
        lines[1]["last"]["stderr"],
        "gridtool: unknown verb 'sort'\n"
    );
    assert_eq!(lines[1]["step"], 1);
}

#[test]
fn what_an_executor_started_ends_with_it() {
    let scratch = Scratch::new();
    let file = scratch.path().join("pid");
    let executor = format!(
        "sleep 300 & echo $! > {}; echo '{{\"done\": true}}'; wait",
        file.display()
    );
    experiment(&scratch, &executor, &["--runs", "1"]);
    let id = fs::read_to_string(file).expect("a process id");
    let status = fs::read_to_string(format!("/proc/{}/status", id.trim())).unwrap_or_default();
    assert!(
        status.is_empty() || status.contains("State:\tZ"),
        "it still runs: {status}"
    );
}
