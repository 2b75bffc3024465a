//! `twiceshy consolidate`: six stages of care that anybody may interrupt, and take back.

use std::{
    fs::{self, OpenOptions},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use nix::fcntl::{Flock, FlockArg};
use serde_json::{Value, json};

use crate::{run::until, support::Scratch, waiting::killed_amid_writes};

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

fn days_ago(days: u64) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.expect("a clock").as_millis() as u64 - days * DAY_MS
}

/// An episode from elsewhere, some days old.
fn episode(id: &str, number: usize, days: u64) -> Value {
    let at = days_ago(days);
    json!({
        "id": id,
        "task": format!("release version {number}"),
        "domain": "cli",
        "task-type": "release",
        "tools-used": [],
        "strategies-applied": [],
        "tags": [],
        "started-at": at,
        "ended-at": at + 5_000,
        "outcome": "success",
        "trace": [
            { "after": 0, "action": format!("git tag v{number}.0"), "result": "pass" },
            { "after": 1_000, "action": "cargo build --release", "result": "pass" },
            { "after": 2_000, "action": format!("scp out/app-{number}.tar.gz host:/srv"), "result": "pass" },
        ],
    })
}

/// A project with releases of a month and a half ago, and of today.
fn with_releases(old: usize, new: usize) -> Scratch {
    let scratch = Scratch::new();
    let old = (0..old).map(|number| episode(&format!("old-{number}"), number, 45));
    let new = (0..new).map(|number| episode(&format!("new-{number}"), number, 0));
    let mut requests = String::new();
    for episode in old.chain(new) {
        let mut episode = episode;
        if episode["id"]
            .as_str()
            .is_some_and(|id| id.starts_with("new"))
        {
            episode["ended-at"] = json!(days_ago(0));
            episode["started-at"] = json!(days_ago(0) - 5_000);
        }
        let line = json!({ "method": "episodes.add", "args": { "episode": episode } });
        requests.push_str(&format!("{line}\n"));
    }
    let ran = scratch.run_with(&["call", "--lines"], requests.as_bytes());
    assert!(!ran.stdout().contains("\"error\""), "{}", ran.stdout());
    scratch
}

fn consolidate(scratch: &Scratch, more: &[&str]) -> Value {
    let arguments: Vec<_> = ["consolidate", "--json"]
        .iter()
        .chain(more)
        .copied()
        .collect();
    let ran = scratch.run(&arguments);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.json()
}

fn found(scratch: &Scratch) -> usize {
    let found = scratch.call("episodes.find", &json!({ "filter": { "limit": 1000 } }));
    found.as_array().expect("a list").len()
}

fn changes(answer: &Value) -> usize {
    answer["changes"].as_array().expect("a list").len()
}

#[test]
fn a_consolidation_is_tried_made_listed_and_taken_back() {
    let scratch = with_releases(3, 4);
    assert_eq!(found(&scratch), 7);
    let tried = consolidate(&scratch, &["--dry-run"]);
    assert!(changes(&tried) > 0, "{tried}");
    assert_eq!(found(&scratch), 7, "nothing was done");
    let listed = scratch.run(&["consolidate", "list", "--json"]).json();
    assert_eq!(listed, json!([]));
    let made = consolidate(&scratch, &[]);
    assert_eq!(made["over"], true);
    assert_eq!(changes(&made), changes(&tried), "{made} {tried}");
    assert_eq!(found(&scratch), 5, "two are out of the way");
    scratch.assert_sound();
    let id = made["id"].as_str().expect("an id");
    let listed = scratch.run(&["consolidate", "list"]);
    assert!(listed.stdout().contains(id), "{}", listed.stdout());
    let again = consolidate(&scratch, &[]);
    assert_eq!(changes(&again), 0, "{again}");
    let undone = scratch.run(&["consolidate", "undo", id, "--json"]);
    assert_eq!(undone.code(), 0, "{}", undone.stderr());
    assert_eq!(undone.json()["left"], 0, "{}", undone.stdout());
    assert_eq!(found(&scratch), 7, "all are found again");
    scratch.assert_sound();
}

#[test]
fn it_is_quiet_where_nobody_looks_and_refuses_what_makes_no_sense() {
    let scratch = with_releases(2, 0);
    let ran = scratch.run(&["consolidate", "--quiet"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert_eq!((ran.stdout(), ran.stderr()), (String::new(), String::new()));
    let ran = scratch.run(&["consolidate", "--confidence", "2"]);
    assert_eq!(ran.code(), 2);
    assert!(ran.stderr().contains("confidence"), "{}", ran.stderr());
    let ran = scratch.run(&["consolidate", "--stage", "dreams"]);
    assert_eq!(ran.code(), 2);
    let ran = scratch.run(&["consolidate", "undo", "con_0"]);
    assert_eq!(ran.code(), 1);
    assert!(ran.stderr().contains("con_0"), "{}", ran.stderr());
}

#[test]
fn a_second_one_at_the_same_time_says_so() {
    let scratch = with_releases(2, 0);
    consolidate(&scratch, &[]);
    let lock = scratch.memory().join("consolidation.lock");
    let lock = OpenOptions::new()
        .write(true)
        .open(lock)
        .expect("the lock's file");
    let held = Flock::lock(lock, FlockArg::LockExclusiveNonblock).expect("the lock");
    let ran = scratch.run(&["consolidate"]);
    assert_eq!(ran.code(), 3);
    assert!(ran.stderr().contains("another process"), "{}", ran.stderr());
    drop(held);
    consolidate(&scratch, &[]);
}

#[test]
fn a_consolidation_that_is_killed_goes_on_and_loses_nothing() {
    let scratch = with_releases(40, 12);
    let mut killed = 0;
    for writes in [1, 2, 1, 3, 1, 2, 1, 2] {
        let mut command = scratch.command(&["consolidate", "--quiet"]);
        killed += u32::from(killed_amid_writes(&mut command, &scratch.memory(), writes));
    }
    assert!(killed > 0, "each came to its end");
    let last = consolidate(&scratch, &[]);
    assert_eq!(last["over"], true);
    assert_eq!(found(&scratch), 13, "one stands for forty");
    assert_eq!(scratch.call("upkeep.verify", &json!({})), json!([]));
    scratch.assert_sound();
    let listed = scratch.call("upkeep.consolidations", &json!({ "limit": 100 }));
    let listed = listed.as_array().expect("a list");
    assert!(listed.iter().all(|one| one["next"].is_null()), "{listed:?}");
    let told: usize = listed.iter().map(changes).sum();
    assert!(told >= 40, "each change was told once: {told}");
    for one in listed {
        let id = one["id"].as_str().expect("an id");
        let undone = scratch.run(&["consolidate", "undo", id, "--json"]);
        assert_eq!(undone.json()["left"], 0, "{}", undone.stdout());
    }
    assert_eq!(found(&scratch), 52, "and everything comes back");
    scratch.assert_sound();
}

#[test]
fn lessons_that_differ_in_a_name_become_one_that_fills_its_hole_from_the_next_failure() {
    let scratch = Scratch::new();
    let session = |id: &str, name: &str| {
        let step = |action: String, exit: u32, error: String| {
            let words: Vec<_> = action.split(' ').collect();
            let step = json!({
                "before": "",
                "action": json!({ "command": words }).to_string(),
                "observation": json!({ "exit": exit, "stdout": "", "stderr": error, "duration-ms": 5 }).to_string(),
            });
            json!({ "run": id, "adapter": "cli", "step": step })
        };
        let error = format!("error: pathspec '{name}' did not match any file(s) known to git");
        let run = json!({ "id": id, "task": "", "domain": "cli", "hold-out": 0.0 });
        let calls = [
            format!("runs.start {}", json!({ "run": run })),
            format!(
                "adapters.observe {}",
                step(format!("git checkout {name}"), 1, error)
            ),
            format!(
                "adapters.observe {}",
                step(format!("git checkout -b {name}"), 0, String::new())
            ),
            format!("runs.finish {}", json!({ "run": id, "ending": {} })),
        ];
        let ran = scratch.run_with(&["call", "--lines"], (calls.join("\n") + "\n").as_bytes());
        assert!(!ran.stdout().contains("\"error\":"), "{}", ran.stdout());
        ran.stdout()
    };
    session("one", "topic");
    session("two", "draft");
    let made = consolidate(&scratch, &[]);
    let living = json!({ "filter": { "status": "candidate" } });
    let lessons = scratch.call("lessons.find", &living);
    assert_eq!(lessons.as_array().map(Vec::len), Some(1), "{lessons:#}");
    let rule = "WRONG: git checkout <name> → CORRECT: git checkout -b <name>";
    assert_eq!(lessons[0]["rule-text"], rule, "{lessons:#}");
    let said = session("three", "parser");
    assert!(
        said.contains("WRONG: git checkout parser → CORRECT: git checkout -b parser"),
        "{said}"
    );
    let id = made["id"].as_str().expect("an id");
    let explained = scratch.run(&["consolidate", "list"]);
    assert!(explained.stdout().contains(id), "{}", explained.stdout());
    scratch.assert_sound();
}

/// The agent of a host has nothing more to do.
fn pause(scratch: &Scratch) {
    let event = json!({ "session_id": "s", "cwd": scratch.path(), "hook_event_name": "Stop" });
    let ran = scratch.run_with(&["hook", "claude", "Stop"], event.to_string().as_bytes());
    assert_eq!((ran.code(), ran.stdout()), (0, String::new()));
}

fn listed(scratch: &Scratch) -> usize {
    let listed = scratch.call("upkeep.consolidations", &json!({ "limit": 100 }));
    listed.as_array().expect("a list").len()
}

#[test]
fn a_memory_is_consolidated_by_itself_once_a_day_when_an_agent_pauses() {
    let scratch = with_releases(3, 0);
    let lock = scratch.memory().join("consolidation.lock");
    pause(&scratch);
    assert!(lock.is_file(), "the first pause notes the time");
    let two_days_ago = || {
        let file = OpenOptions::new().write(true).open(&lock).expect("a lock");
        let then = SystemTime::now() - Duration::from_millis(2 * DAY_MS);
        file.set_modified(then).expect("a time");
    };
    two_days_ago();
    let configuration = scratch.memory().join("config.toml");
    std::fs::write(&configuration, "consolidate-hours = 0\n").expect("written");
    pause(&scratch);
    std::fs::remove_file(&configuration).expect("removed");
    let is_touched = || {
        let time = lock.metadata().and_then(|lock| lock.modified());
        time.expect("a time") > SystemTime::now() - Duration::from_millis(DAY_MS)
    };
    assert!(!is_touched(), "whoever does not want it is left alone");
    pause(&scratch);
    // It goes on in the background, at its own pace.
    until("it is consolidated", || {
        is_touched() && listed(&scratch) > 0 && found(&scratch) == 1
    });
    assert_eq!(listed(&scratch), 1);
    pause(&scratch);
    assert_eq!(listed(&scratch), 1, "once is enough for a day");
}

#[test]
fn after_three_episode_files_of_last_winter_the_fourth_task_is_told_what_helped() {
    let scratch = Scratch::new();
    let files = scratch.path().join("memory/episodic/2026-01-06");
    fs::create_dir_all(&files).expect("a directory");
    for (number, (verb, thing)) in [("POST", "todos"), ("GET", "users"), ("PUT", "orders")]
        .into_iter()
        .enumerate()
    {
        let route = format!("src/routes/{thing}.ts");
        let episode = json!({
            "id": format!("ep-2026-01-0{number}"),
            "timestamp": format!("2026-01-06T1{number}:30:00Z"),
            "duration_seconds": 342,
            "context": { "goal": format!("Implement {verb} /api/{thing} endpoint") },
            "action_log": [
                { "t": 5, "action": "write_file", "target": route },
                { "t": 120, "action": "run_test", "result": "fail", "error": "missing return type" },
                { "t": 140, "action": "edit_file", "target": route },
                { "t": 180, "action": "run_test", "result": "pass" },
            ],
            "outcome": "success",
            "errors_encountered": [{
                "type": "TypeScript compilation",
                "message": "Missing return type annotation",
                "resolution": "Added explicit `: void` to route handler",
            }],
        });
        let file = files.join(format!("task-{number}.json"));
        fs::write(file, episode.to_string()).expect("written");
    }
    assert_eq!(scratch.run(&["import", "memory"]).code(), 0);
    let hours = ["consolidate", "--hours", "87600"];
    assert_eq!(scratch.run(&hours).code(), 0);
    let fourth = "Implement DELETE /api/carts endpoint";
    // By the lesson where it belongs, by the experience elsewhere.
    for domain in ["general", "cli"] {
        let told = scratch.run(&["task", "start", "--domain", domain, fourth]);
        assert!(told.stdout().contains(": void"), "{}", told.stdout());
    }
}
