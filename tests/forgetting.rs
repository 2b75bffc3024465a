//! Gone is gone: after a purge no word of an episode is left in any file of the memory.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::support::{Scratch, compiled_into, feed};

/// Every word of the episode begins with this, and nothing else has it.
const MARK: &str = "zqvex";

fn word(field: &str) -> String {
    format!("{MARK}{field}")
}

/// The calls of a run with a word of its own in every field.
fn run(artifact: &Value) -> String {
    let words = |field: &str| json!([word(field)]);
    let run = json!({
        "id": "secret", "task": format!("move the {} away", word("task")), "domain": "cli",
        "session": word("session"), "agent": word("agent"), "hold-out": 0.0,
    });
    let description = json!({
        "tags": words("tag"), "tools-used": words("tool"), "strategies-applied": words("strategy"),
        "task-type": word("type"), "summary": word("summary"),
        "account": {
            "goals": words("aim"), "constraints": words("constraint"),
            "success-criteria": words("criterion"),
            "context": json!({ "branch": word("branch") }).to_string(),
            "phase": word("phase"), "files-involved": words("file"), "plan": words("plan"),
            "adaptations": [{ "change": word("change"), "reason": word("reason") }],
            "resource-usage": [], "primary-output": word("output").repeat(2_000),
            "side-effects": words("effect"), "quality-metrics": [],
            "insights": words("insight"), "patterns-discovered": [],
            "errors-encountered": [{
                "kind": word("kind"), "message": word("message"), "resolution": word("resolution")
            }],
            "performance-analysis": word("analysis"), "artifacts": [artifact],
            "git-commit": word("commit"),
        },
    });
    let observed = |action: &str, error: Option<&str>| {
        let failure = error.map(|error| json!({ "reason": "exit 1", "evidence": error }));
        json!({
            "run": "secret",
            "observed": {
                "step": {
                    "before": json!({ "at": word("before") }).to_string(),
                    "action": { "command": [action] },
                    "observation": { "saw": word("observation") },
                },
                "feedback": {
                    "action-text": action, "hard-failure": failure, "constraint-failure": []
                },
            }
        })
    };
    let failed = format!("mover: {} is {}", word("thing"), word("state"));
    let action = format!("mover {} --now", word("action"));
    [
        format!("runs.start {}", json!({ "run": run })),
        format!(
            "runs.describe {}",
            json!({ "run": "secret", "description": description })
        ),
        format!("runs.observe {}", observed(&action, Some(&failed))),
        format!("runs.observe {}", observed(&word("success"), None)),
        format!("runs.finish {}", json!({ "run": "secret", "ending": {} })),
        String::new(),
    ]
    .join("\n")
}

fn files(directory: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files(&path, all),
            false => all.push(path),
        }
    }
}

/// The files of a memory that have a word of the episode, as they are or unpacked.
fn sightings(memory: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    files(memory, &mut all);
    all.retain(|path| {
        let bytes = fs::read(path).expect("a file");
        let mut unpacked = Vec::new();
        // What is no archive is not unpacked.
        let _ = flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut unpacked);
        let has = |bytes: &[u8]| {
            let mut parts = bytes.windows(MARK.len());
            parts.any(|part| part.eq_ignore_ascii_case(MARK.as_bytes()))
        };
        has(&bytes) || has(&unpacked)
    });
    all
}

#[test]
fn after_a_purge_the_log_of_hooks_and_the_sessions_have_no_word_of_an_episode() {
    let project = Scratch::new();
    let home = tempfile::tempdir().expect("a home");
    compiled_into(home.path());
    let run = |arguments: &[&str], input: &str| {
        let mut command = project.command(arguments);
        command.env("TWICESHY_HOME", home.path());
        let ran = feed(command, input.as_bytes());
        assert_eq!(ran.code(), 0, "{arguments:?}: {}", ran.stderr());
        ran
    };
    let tell = |event: &str, mut members: Value| {
        members["session_id"] = "s".into();
        members["cwd"] = project.path().to_str().expect("a path").into();
        run(&["hook", "claude", event], &members.to_string());
    };
    let failed = json!({
        "tool_name": "Bash", "tool_input": { "command": format!("mover {}", word("box")) },
        "error": format!("Exit code 1\nmover: {} is stuck", word("box")),
    });
    tell("PostToolUseFailure", failed);
    tell("SessionEnd", json!({}));
    let log = home.path().join("log");
    assert!(!sightings(&log).is_empty(), "it names what failed");
    let episodes = run(&["episodes", "list", "--json"], "").json();
    let id = episodes[0]["id"].as_str().expect("an episode").to_owned();
    let deleted = json!({ "episode": id, "reason": "not any more" }).to_string();
    run(&["call", "episodes.soft-delete", &deleted], "");
    run(&["episodes", "purge", "--retention-days", "0", "--yes"], "");
    for directory in [project.memory(), log] {
        assert_eq!(sightings(&directory), Vec::<PathBuf>::new());
    }
}

/// Runs beside it: of the same task, with the same failure and its way out, and of other tasks, so that pages are written again and
/// texts are entered into the index.
fn others(ids: std::ops::Range<u32>) -> String {
    let others = ids.map(|number| {
        let id = format!("other-{number}");
        let task = match number % 3 {
            0 => "move the big box away".to_owned(),
            _ => format!("task {number}"),
        };
        let new = json!({ "id": id, "task": task, "domain": "cli", "hold-out": 0.0 });
        let finish = json!({ "run": id, "ending": {} });
        let observe = json!({ "run": id, "observed": {
            "step": { "before": "", "action": "{}", "observation": "{}" },
            "feedback": { "action-text": "mover box", "constraint-failure": [] },
        } });
        let start = json!({ "run": new });
        format!("runs.start {start}\nruns.observe {observe}\nruns.finish {finish}\n")
    });
    others.collect()
}

/// What only this run teaches: a lesson, a pattern and the skill that is made of it, which has a file.
fn teach(project: &Scratch) {
    let lesson = json!({ "lesson": {
        "rule-text": format!("WRONG: {} → CORRECT: {}", word("wrong"), word("right")),
        "trigger-fingerprints": [], "trigger-texts": [word("trigger")], "tags": [word("tag")],
        "task": word("task"), "run": "secret", "steps": [0],
    } });
    project.call("lessons.propose", &lesson);
    let pattern = json!({ "pattern": {
        "name": word("pattern"), "kind": "sequence", "summary": word("summary"), "source-episodes": ["secret"],
        "content": { "procedure": {
            "steps": [word("first"), word("second")], "branching-logic": [], "termination-conditions": [],
        } },
    } });
    let pattern = project.call("patterns.add", &pattern);
    let pattern = pattern["lesson"]["id"].as_str().expect("an id").to_owned();
    let made = project.run(&["skills", "make-of-pattern", &pattern, &word("skill")]);
    assert_eq!(made.code(), 0, "{}", made.stderr());
}

#[test]
fn after_a_purge_no_word_of_an_episode_is_left_in_any_file() {
    for way in ["by call", "by its id", "before one that is not there"] {
        let project = Scratch::new();
        let content: Vec<u8> = word("content").into_bytes();
        let artifact = json!({
            "name": word("artifact"), "media-type": "text/plain", "content": content
        });
        let artifact = project.call("episodes.keep-artifact", &artifact);
        project.run_with(&["call", "--lines"], others(0..10).as_bytes());
        let ran = project.run_with(&["call", "--lines"], run(&artifact).as_bytes());
        assert!(!ran.stdout().contains("{\"error\""), "{}", ran.stdout());
        let ran = project.run_with(&["call", "--lines"], others(10..60).as_bytes());
        assert!(!ran.stdout().contains("{\"error\""), "{}", ran.stdout());
        teach(&project);
        assert_eq!(project.run(&["consolidate"]).code(), 0);
        assert!(!sightings(&project.memory()).is_empty());
        let deleted = json!({ "episode": "secret", "reason": "not any more" });
        project.call("episodes.soft-delete", &deleted);
        let found = json!({ "query": { "text": word("task") } });
        for (search, arguments) in [
            ("episodes.search", found.clone()),
            ("experience.search", found),
            ("experience.entries", json!({ "limit": 1000 })),
            ("lessons.find", json!({ "filter": {} })),
            ("patterns.find", json!({ "limit": 1000 })),
            ("skills.all", json!({})),
        ] {
            let answer = project.call(search, &arguments).to_string();
            assert!(!answer.contains(MARK), "{search}: {answer}");
        }
        // It is kept for what it taught, and that is said.
        let bulk = ["episodes", "purge", "--retention-days", "0", "--yes"];
        let kept = project.run(&bulk);
        assert!(kept.stdout().contains("secret: les_"), "{}", kept.stdout());
        assert!(!sightings(&project.memory()).is_empty());
        let alone = project.run(&["episodes", "purge", "secret", "--yes"]);
        assert_eq!(alone.code(), 1, "{}", alone.stdout());
        assert!(
            alone.stderr().contains("`--with-lessons`"),
            "{}",
            alone.stderr()
        );
        match way {
            "by call" => {
                let purge = json!({ "episode": "secret", "with-lessons": true });
                project.call("episodes.purge-one", &purge);
            }
            "by its id" => {
                let purge = ["episodes", "purge", "secret", "--with-lessons", "--yes"];
                assert_eq!(project.run(&purge).code(), 0);
            }
            _ => {
                let purge = [
                    "episodes",
                    "purge",
                    "secret",
                    "nobody",
                    "--with-lessons",
                    "--yes",
                ];
                assert_ne!(project.run(&purge).code(), 0);
            }
        }
        let left = sightings(&project.memory());
        assert!(left.is_empty(), "{way}: {left:?}");
        project.assert_sound();
    }
}
