//! Tasks over several commands, and referees that score them.
#![cfg(unix)]

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, Scratch, feed};

/// Opens a task and gives its id.
fn start(scratch: &Scratch, task: &str) -> String {
    let ran = scratch.run(&["task", "start", task]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.stdout().lines().next().expect("an id").to_owned()
}

/// Runs a script as a step of a task.
fn step(scratch: &Scratch, task: &str, script: &str) -> Ran {
    let mut command = scratch.command(&["run", "--", "sh", "-c", script]);
    command.env("TWICESHY_RUN", task);
    feed(command, b"")
}

fn finish(scratch: &Scratch, arguments: &[&str]) -> Value {
    let arguments: Vec<_> = ["task", "finish", "--json"]
        .iter()
        .chain(arguments)
        .copied()
        .collect();
    let ran = scratch.run(&arguments);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.json()["episode"].clone()
}

fn episodes(scratch: &Scratch) -> Vec<Value> {
    match scratch.call("episodes.find", &json!({})) {
        Value::Array(episodes) => episodes,
        other => panic!("not a list: {other}"),
    }
}

#[test]
fn a_task_goes_over_several_commands() {
    let scratch = Scratch::new();
    let task = start(&scratch, "find the gadget");
    assert_eq!(
        step(&scratch, &task, "echo 'gizmo: no such gadget' >&2; exit 3").code(),
        3
    );
    assert_eq!(
        scratch.run(&["run", "--run", &task, "--", "true"]).code(),
        0
    );
    let listed = scratch.run(&["task", "list", "--json"]).json();
    assert_eq!(
        (&listed[0]["id"], &listed[0]["steps"]),
        (&json!(task), &json!(2))
    );
    assert!(
        scratch
            .run(&["task", "list"])
            .stdout()
            .contains("find the gadget")
    );
    let episode = finish(&scratch, &[&task]);
    assert_eq!(
        (&episode["steps"], &episode["failures"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(episode["outcome"], "success");
    assert_eq!(scratch.run(&["task", "list"]).stdout(), "No open tasks.\n");
    assert_eq!(episodes(&scratch).len(), 1);
}

#[test]
fn a_step_of_a_task_that_has_ended_is_not_lost() {
    let scratch = Scratch::new();
    let task = start(&scratch, "x");
    finish(&scratch, &[&task]);
    for run in [task.as_str(), "run_nobody"] {
        let ran = step(&scratch, run, "exit 3");
        assert_eq!(ran.code(), 3);
        let stderr = ran.stderr();
        assert!(
            stderr.contains("a run of its own") && stderr.contains(run),
            "{stderr}"
        );
        // Whoever reads it types commands and calls no functions.
        assert!(!stderr.contains("`runs.start`"), "{stderr}");
    }
    assert_eq!(episodes(&scratch).len(), 3);
    let ran = scratch.run(&["task", "finish", &task]);
    assert_eq!(ran.code(), 1);
    assert!(ran.stderr().contains("has ended"), "{}", ran.stderr());
    // No task is named by an empty variable.
    assert_eq!(step(&scratch, "", "true").stderr(), "");
}

#[test]
fn a_task_is_briefed_with_what_is_known() {
    let scratch = Scratch::new();
    scratch.call(
        "lessons.propose",
        &json!({"rule-text": "WRONG: gizmo gadget → CORRECT: gizmo --new gadget",
                "trigger-texts": ["gizmo: no such gadget"], "domain": "cli",
                "task": "find the gadget", "source": "person"}),
    );
    let mut command = scratch.command(&["task", "start", "find the gadget", "--json"]);
    command.env("TWICESHY_HOME", crate::support::shared_home());
    fs::write(scratch.memory().join("config.toml"), "hold-out = 0\n").expect("settings");
    let started = feed(command, b"").json();
    assert_eq!(started["run"]["task"], "find the gadget");
    assert_eq!(
        started["briefing"]["hints"][0]["lesson"]["rule-text"],
        "WRONG: gizmo gadget → CORRECT: gizmo --new gadget"
    );
    let text = scratch
        .run(&["task", "start", "find the gadget again"])
        .stdout();
    assert!(
        text.lines().next().expect("an id").starts_with("run_"),
        "{text}"
    );
    assert!(text.contains("gizmo --new gadget"), "{text}");
}

#[test]
fn a_task_begins_with_one_bundle_of_what_to_avoid_patterns_skills_and_similar_episodes() {
    let (scratch, ids) = crate::recall::with_memories();
    fs::write(scratch.memory().join("config.toml"), "hold-out = 0\n").expect("settings");
    let skills = scratch.memory().join("skills");
    fs::create_dir_all(&skills).expect("a directory");
    let skill = "# Skill: Add Column\n\n## Steps\n1. Add the new column to the table\n2. Backfill the column\n";
    fs::write(skills.join("add-column.md"), skill).expect("a skill");
    let task = "add a new column to the orders table instead of dropping one in this release";
    let started = scratch.run(&["task", "start", task, "--json"]).json();
    let bundle = &started["bundle"];
    let has = |member: &str, text: &str| {
        let items = bundle[member].to_string();
        assert!(items.contains(text), "{member}: {started:#}");
    };
    has("avoid-these", &ids["avoid"]);
    has("applicable-patterns", &ids["rule"]);
    has("domain-knowledge", &ids["fact"]);
    has("similar-episodes", "currency column");
    has("applicable-skills", "add-column");
    assert!(!bundle.to_string().contains(&ids["other"]), "{bundle:#}");
    let told = scratch.run(&["task", "start", task]).stdout();
    assert!(told.starts_with("run_"), "{told}");
    for part in [
        "what to avoid",
        "dropping a column",
        "similar episodes",
        "skills",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn what_is_withheld_from_a_task_is_not_in_its_bundle() {
    let (scratch, ids) = crate::recall::with_memories();
    fs::write(scratch.memory().join("config.toml"), "hold-out = 0.5\n").expect("settings");
    let mut withheld = 0;
    for _ in 0..12 {
        let task = "add a new column to the orders table";
        let started = scratch.run(&["task", "start", task, "--json"]).json();
        let run = json!({ "filter": { "run": started["run"]["id"] } });
        let activations = scratch.call("lessons.activations", &run);
        for activation in activations.as_array().expect("a list") {
            if activation["withheld"] == true {
                withheld += 1;
                let id = activation["lesson"].as_str().expect("an id");
                assert!(!started["bundle"].to_string().contains(id), "{started:#}");
            }
        }
    }
    assert!(withheld > 0, "nothing was withheld: {ids:?}");
}

#[test]
fn a_referee_scores_a_task() {
    let scratch = Scratch::new();
    for (arguments, outcome, score) in [
        (vec!["--referee", "test -e good"], "success", 1.0),
        (vec!["--referee", "test -e bad"], "failure", 0.0),
        (
            vec!["--referee", "echo score: 0.25; exit 1"],
            "failure",
            0.25,
        ),
        (
            vec!["--referee", "test -e bad", "--outcome", "partial"],
            "partial",
            0.0,
        ),
        (
            vec!["--score", "0.5", "--outcome", "abandoned"],
            "abandoned",
            0.5,
        ),
    ] {
        fs::write(scratch.path().join("good"), "").expect("a file");
        let task = start(&scratch, "make it good");
        step(&scratch, &task, "true");
        let episode = finish(&scratch, &[&[task.as_str()], arguments.as_slice()].concat());
        assert_eq!(episode["outcome"], outcome, "{arguments:?}");
        assert_eq!(episode["score"], score, "{arguments:?}");
        assert_eq!(episode["referee"], "deterministic", "{arguments:?}");
    }
}

#[test]
fn a_referee_that_fails_is_told_and_the_task_ends_without_it() {
    let scratch = Scratch::new();
    for referee in ["twiceshy-no-such-program", "echo score: 7", "sleep 100"] {
        let task = start(&scratch, "x");
        step(&scratch, &task, "true");
        let ran = scratch.run(&[
            "task",
            "finish",
            &task,
            "--referee",
            referee,
            "--referee-seconds",
            "1",
        ]);
        assert_eq!(ran.code(), 0);
        assert!(ran.stderr().contains(referee), "{}", ran.stderr());
        assert!(
            ran.stdout().contains("success after 1 steps"),
            "{}",
            ran.stdout()
        );
    }
    assert!(
        episodes(&scratch)
            .iter()
            .all(|episode| episode["referee"] != "deterministic")
    );
}

#[test]
fn a_referee_and_expectations_score_a_command() {
    let scratch = Scratch::new();
    let referee = "echo the referee was here; test -s made";
    let run = |arguments: &[&str], script: &str| {
        let arguments: Vec<_> = ["run"]
            .iter()
            .chain(arguments)
            .chain(&["--", "sh", "-c", script])
            .copied()
            .collect();
        scratch.run(&arguments)
    };
    let ran = run(&["--referee", referee], "echo 1 > made");
    assert_eq!(
        (ran.code(), ran.stdout(), ran.stderr()),
        (0, String::new(), String::new())
    );
    let ran = run(&["--referee", referee], "rm made; true");
    assert_eq!(ran.code(), 0, "the command ends as it does");
    run(&["--expect", "stdout=yes"], "echo yes");
    run(&["--expect", "stdout=yes"], "echo no");
    run(&[], "true");
    let ended: Vec<_> = episodes(&scratch)
        .iter()
        .rev()
        .map(|episode| {
            let text = |member: &str| episode[member].as_str().expect("a text").to_owned();
            (text("outcome"), text("referee"), episode["score"].as_f64())
        })
        .collect();
    let expect =
        |outcome: &str, score: f64| (outcome.to_owned(), "deterministic".to_owned(), Some(score));
    assert_eq!(
        ended[..4],
        [
            expect("success", 1.0),
            expect("failure", 0.0),
            expect("success", 1.0),
            expect("failure", 0.0)
        ]
    );
    assert_eq!(ended[4].1, "signals");
    // What a referee prints is no evidence of the command.
    let memory = fs::read(scratch.memory().join("memory.db")).expect("the memory");
    let wal = fs::read(scratch.memory().join("memory.db-wal")).unwrap_or_default();
    let said = b"the referee was here";
    assert!(
        !memory
            .windows(said.len())
            .chain(wal.windows(said.len()))
            .any(|bytes| bytes == said)
    );
}

#[test]
fn wrong_usage_is_refused_before_anything_runs() {
    let scratch = Scratch::new();
    let task = start(&scratch, "x");
    for arguments in [
        vec![
            "run",
            "--run",
            &task,
            "--referee",
            "true",
            "--",
            "touch",
            "mark",
        ],
        vec!["run", "--model", "--", "touch", "mark"],
        vec!["task", "finish", &task, "--outcome", "splendid"],
        vec!["task", "finish", &task, "--score", "2"],
        vec!["task", "finish", &task, "--score", "1", "--referee", "true"],
        vec!["task", "finish"],
        vec!["task", "start", "x", "--domain", "NO SUCH"],
    ] {
        let ran = scratch.run(&arguments);
        assert_eq!(ran.code(), 2, "{arguments:?}: {}", ran.stderr());
    }
    assert!(!scratch.path().join("mark").exists());
    let status = scratch.status();
    assert_eq!(status["runs"], 1, "the task is still open");
}

#[test]
fn whoever_interrupts_a_referee_ends_it() {
    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };
    let scratch = Scratch::new();
    let mut command = scratch.command(&[
        "run",
        "--referee",
        "echo $$ > referee; exec sleep 1000",
        "--",
        "true",
    ]);
    let mut child = command.spawn().expect("it starts");
    let referee = scratch.path().join("referee");
    crate::run::until("the referee runs", || {
        fs::read_to_string(&referee).is_ok_and(|id| id.ends_with('\n'))
    });
    let id = i32::try_from(child.id()).expect("a process id");
    kill(Pid::from_raw(id), Signal::SIGINT).expect("it is running");
    assert!(!child.wait().expect("it ends").success());
    let id = fs::read_to_string(&referee).expect("an id");
    crate::run::until("the referee ends", || !crate::run::is_alive(id.trim()));
}
