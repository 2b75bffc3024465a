//! `twiceshy stats`: how much there is of everything, and how the last days went.

use std::{fs, process::Stdio};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::Value;

use crate::{support::Scratch, waiting::while_it_lives};

fn count(tallies: &Value, name: &str) -> u64 {
    let tallies = tallies.as_array().expect("a list");
    let tally = tallies.iter().find(|tally| tally["name"] == name);
    tally.map_or(0, |tally| tally["count"].as_u64().expect("a number"))
}

#[test]
fn an_empty_memory_has_stats_and_is_not_made_by_them() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["stats"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert!(ran.stdout().contains("0 bytes in all"), "{}", ran.stdout());
    assert!(!scratch.memory().exists());
}

#[test]
fn stats_say_how_much_there_is_what_it_takes_and_how_days_went() {
    let scratch = Scratch::new();
    scratch.run(&["run", "--task", "make tea", "--", "true"]);
    scratch.run(&[
        "run",
        "--quiet",
        "--",
        "sh",
        "-c",
        "echo 'kettle: dry' >&2; exit 1",
    ]);
    scratch.run(&["lessons", "add", "--rule", "Fill the kettle first"]);
    let archive = scratch.memory().join("archive").join("ab");
    fs::create_dir_all(&archive).expect("a directory");
    fs::write(archive.join("content"), [0; 5_000]).expect("a file");
    let report = scratch.run(&["stats", "--json"]).json();
    let inventory = &report["inventory"];
    assert_eq!(count(&inventory["documents"], "episode"), 2);
    assert_eq!(count(&inventory["documents"], "event"), 1);
    assert_eq!(count(&inventory["episodes"], "active"), 2);
    assert_eq!(count(&inventory["lessons"], "candidate"), 1);
    assert_eq!(count(&inventory["kinds"], "rule"), 1);
    let storage = &report["storage"];
    assert_eq!(storage["archive"], 5_000);
    assert!(storage["store"].as_u64().expect("a number") > 4_096);
    let days = report["metrics"]["days"].as_array().expect("a list");
    assert_eq!(days.len(), 7);
    // The day may have turned while the test ran.
    let total = &report["metrics"]["total"];
    assert_eq!(
        (&total["episodes"], &total["failures"]),
        (&2.into(), &1.into())
    );
    assert_eq!(total["new-lessons"], 1);
    let text = scratch.run(&["stats", "--days", "2"]).stdout();
    for part in [
        "2 episode",
        "2 active",
        "1 candidate",
        "1 rule",
        "retries",
        "4.9 KiB in the archive",
        "KiB full-text index",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    assert_eq!(text.lines().count(), 12, "{text}");
    // Kind by kind, with what is beside the store.
    let parts = storage["parts"].as_array().expect("a list");
    let episodes = parts.iter().find(|part| part["name"] == "episode");
    let episodes = episodes.expect("what episodes take");
    assert_eq!(episodes["documents"], 2);
    assert!(episodes["bytes"].as_u64() > Some(0));
    fs::write(scratch.memory().join("config.toml"), "hints = 1\n").expect("a file");
    let text = scratch.run(&["stats", "--storage"]).stdout();
    for row in [
        "what documents room",
        "free pages",
        "fingerprint 1",
        "config.toml 10 bytes beside the store",
    ] {
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let found = text.lines().any(|line| words(line).starts_with(row));
        assert!(found, "{row} is not in:\n{text}");
    }
    for wrong in ["0", "401", "x"] {
        assert_eq!(
            scratch.run(&["stats", "--days", wrong]).code(),
            2,
            "{wrong}"
        );
    }
}

#[test]
fn a_bench_measures_every_row_also_by_new_processes_and_leaves_nothing() {
    let scratch = Scratch::new();
    let place = scratch.path().join("place");
    fs::create_dir(&place).expect("a directory");
    let ran = scratch.run(&[
        "bench",
        "--sizes",
        "100",
        "--turns",
        "2",
        "--dir",
        place.to_str().expect("text"),
        "--json",
    ]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let report = ran.json();
    let rows = report["rows"].as_array().expect("rows");
    let mut names = Vec::new();
    for row in rows {
        names.push(row["name"].as_str().expect("a name"));
        assert!(
            row["value"].as_f64().is_some_and(|value| value > 0.0),
            "{row}"
        );
    }
    assert_eq!(
        names,
        [
            "taking in",
            "durable write",
            "room on disk",
            "search",
            "recall on error",
            "recall for a task",
            "search by a new process",
            "a step through an adapter",
            "memory of the process",
            "consolidation",
        ]
    );
    let left = fs::read_dir(&place).expect("a directory").count();
    assert_eq!(left, 0, "what was made is removed");
}

#[test]
fn a_bench_that_is_interrupted_removes_what_it_made_and_says_so() {
    let scratch = Scratch::new();
    let place = scratch.path().join("place");
    fs::create_dir(&place).expect("a directory");
    let directory = place.to_str().expect("text");
    let made = || fs::read_dir(&place).expect("a directory").next().is_some();
    let mut command = scratch.command(&["bench", "--sizes", "1000000", "--dir", directory]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("it starts");
    while_it_lives(&mut child, "it makes a memory", &made);
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).expect("it runs");
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(
        said.contains("Interrupted") && said.contains("removed"),
        "{said}"
    );
    assert!(!made(), "what was made is removed");
}
