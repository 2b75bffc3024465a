//! Secrets are nowhere in a memory: not in its files, not in its answers, not in its hints.
//!
//! Made-up keys of every common kind go in by every door: arguments, outputs and environment of a
//! command, the task, and each member of what `call` takes. Afterwards the bytes of all files are searched, and
//! all that can be asked for. What stands around a secret keeps its meaning.

mod kinds;

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Value, json};

use crate::support::{Scratch, compiled_into, feed};
use kinds::{Secret, secrets};

/// Every byte of every file of a memory.
fn bytes_of(directory: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in fs::read_dir(directory).expect("a memory") {
        all.extend(fs::read(entry.expect("an entry").path()).expect("a file"));
    }
    all
}

/// Every byte of every file below a directory, but for compiled components.
fn every_file(directory: &Path, bytes: &mut Vec<u8>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if !path.ends_with("cache") {
                every_file(&path, bytes);
            }
        } else {
            bytes.extend(fs::read(path).expect("a file"));
        }
    }
}

/// What of these secrets can be found in some bytes.
fn found_in(secrets: &[Secret], bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let escaped = |secret: &&Secret| secret.pieces().iter().any(|piece| text.contains(piece));
    secrets
        .iter()
        .filter(escaped)
        .map(|secret| format!("{}: {}", secret.kind, secret.text))
        .collect()
}

/// Fails the test if a secret is in the files of the memory, or in anything that it answers.
#[track_caller]
fn assert_nowhere(project: &Scratch, secrets: &[Secret]) {
    let none = Vec::<String>::new();
    assert_eq!(
        found_in(secrets, &bytes_of(&project.memory())),
        none,
        "in the files"
    );
    let events = project.run(&["events", "--json", "--limit", "1000"]);
    assert!(
        events
            .json()
            .as_array()
            .is_some_and(|events| !events.is_empty())
    );
    assert_eq!(found_in(secrets, &events.0.stdout), none, "in the events");
    let shown = project.run(&["events", "--limit", "1000"]);
    assert_eq!(
        found_in(secrets, &shown.0.stdout),
        none,
        "in the events as text"
    );
    let episodes = project.call("episodes.find", &json!({ "limit": 1000 }));
    let mut requests = String::from(
        "lessons.find {\"limit\": 1000}\nruns.recent-steps {\"domain\": \"cli\", \"limit\": 16}\n",
    );
    for episode in episodes.as_array().expect("a list") {
        requests += &format!(
            "episodes.trace {}\n",
            json!({ "episode": episode["id"], "first": 0 })
        );
    }
    let traces = feed(project.command(&["call", "--lines"]), requests.as_bytes());
    assert!(
        !traces.stdout().contains("{\"error\""),
        "{}",
        traces.stdout()
    );
    assert_eq!(
        found_in(secrets, &traces.0.stdout),
        none,
        "in the traces and lessons"
    );
    assert_eq!(
        found_in(secrets, episodes.to_string().as_bytes()),
        none,
        "in the episodes"
    );
}

#[test]
fn there_are_many_kinds_and_each_is_another() {
    let (one, other) = (secrets(1), secrets(2));
    let kinds: BTreeMap<_, _> = one.iter().map(|secret| (secret.kind, ())).collect();
    assert!(kinds.len() >= 60, "{}", kinds.len());
    for (left, right) in one.iter().zip(&other) {
        assert_ne!(left.hidden, right.hidden, "{}", left.kind);
        assert!(left.text.contains(&left.hidden), "{}", left.kind);
    }
    let unmasked: String = one
        .iter()
        .map(|secret| secret.text.clone() + "\n")
        .collect();
    assert_eq!(
        found_in(&one, unmasked.as_bytes()).len(),
        one.len(),
        "the search finds them"
    );
}

#[test]
fn a_command_leaves_no_secret_of_its_arguments_outputs_and_task() {
    let project = Scratch::new();
    let secrets = secrets(3);
    for secret in &secrets {
        let task = format!("call the service with {}", secret.text);
        let script = "echo \"using $1\"; echo \"error: the server refused $1 today\" >&2; exit 1";
        let ran = project.run(&[
            "run",
            "--task",
            &task,
            "--",
            "sh",
            "-c",
            script,
            "sh",
            &secret.text,
        ]);
        assert_eq!(ran.code(), 1);
        assert!(
            ran.stdout().contains(&secret.hidden),
            "the command's own output is untouched"
        );
    }
    let status = project.status();
    assert_eq!(status["events"], secrets.len());
    assert_nowhere(&project, &secrets);
}

#[test]
fn a_host_leaves_no_secret_of_its_commands_prompts_and_outputs() {
    let project = Scratch::new();
    let home = project.path().join("home");
    compiled_into(&home);
    let secrets = secrets(6);
    let tell = |event: &str, session: &str, mut members: Value| {
        members["session_id"] = session.into();
        members["cwd"] = project.path().to_str().expect("a path").into();
        let mut command = project.command(&["hook", "claude", event]);
        command.env("TWICESHY_HOME", &home);
        assert_eq!(feed(command, members.to_string().as_bytes()).code(), 0);
    };
    for (number, secret) in secrets.iter().enumerate() {
        let session = format!("session-{number}");
        let prompt = json!({ "prompt": format!("call the service with {}", secret.text) });
        tell("UserPromptSubmit", &session, prompt);
        // What stands where another program has its verb.
        let command = format!("./service {}", secret.text);
        let call = json!({ "tool_name": "Bash", "tool_input": { "command": command } });
        tell("PreToolUse", &session, call.clone());
        let mut failed = call;
        failed["error"] = format!("Exit code 1\nrefused: {}", secret.text).into();
        tell("PostToolUseFailure", &session, failed);
        tell("SessionEnd", &session, json!({ "reason": "other" }));
    }
    let mut bytes = Vec::new();
    for directory in [project.memory(), home.clone()] {
        every_file(&directory, &mut bytes);
    }
    assert_eq!(found_in(&secrets, &bytes), Vec::<String>::new());
    let log = fs::read_to_string(home.join("log/hook.jsonl")).expect("the log of hooks");
    assert!(log.lines().count() >= 4 * secrets.len(), "{log}");
}

#[test]
fn an_environment_that_is_printed_leaves_no_secret() {
    let project = Scratch::new();
    let secrets = secrets(4);
    let mut command = project.command(&["run", "--", "sh", "-c", "env; env >&2; exit 3"]);
    let mut set = Vec::new();
    for (number, secret) in secrets.into_iter().enumerate() {
        // Only what is a value: a whole header or block is not put into a variable.
        if secret.text == secret.hidden {
            command.env(format!("SERVICE_{number}"), &secret.hidden);
            set.push(secret);
        } else if let Some((name, value)) = secret.text.split_once('=')
            && value == secret.hidden
            && name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        {
            command.env(name, value);
            set.push(secret);
        }
    }
    assert!(set.len() >= 40, "{}", set.len());
    let output = command.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        found_in(&set, &output.stdout).len(),
        set.len(),
        "the command printed them"
    );
    assert_nowhere(&project, &set);
}

#[test]
fn no_member_of_a_call_lets_a_secret_in_or_out() {
    let project = Scratch::new();
    let secrets = secrets(5);
    let mut requests = String::new();
    for (number, Secret { text, .. }) in secrets.iter().enumerate() {
        let payload = json!({ "command": ["use", text], "note": text, "deep": [{ "er": text }] });
        let observed = json!({
            "step": { "before": payload.to_string(), "action": payload, "observation": { "stdout": text, "stderr": text } },
            "feedback": {
                "action-text": format!("use {text}"),
                "hard-failure": { "reason": format!("refused {text}"), "evidence": format!("error: bad {text}") },
                "constraint-failure": [{ "condition": format!("accepted {text}"), "evidence": text }],
            },
        });
        let plain = json!({
            "step": { "before": text, "action": text, "observation": text },
            "feedback": { "action-text": text, "progress-signal": -1.0 },
        });
        let run = json!({ "id": format!("run-{number}"), "task": format!("use {text}"), "domain": "cli" });
        let lesson = json!({
            "rule-text": format!("WRONG: {text} → CORRECT: ask for another"),
            "trigger-texts": [format!("error: bad {text}")],
            "tags": [text], "task": text, "scope-hint": "task", "domain": "cli",
        });
        let failure =
            json!({ "evidence": format!("error: bad {text}"), "domain": "cli", "task": text });
        for (method, arguments) in [
            ("runs.start", run),
            (
                "runs.observe",
                json!({ "run": format!("run-{number}"), "observed": observed }),
            ),
            (
                "runs.observe",
                json!({ "run": format!("run-{number}"), "observed": plain }),
            ),
            (
                "runs.finish",
                json!({ "run": format!("run-{number}"), "ending": {} }),
            ),
            (
                "runs.submit",
                json!({ "run": { "task": text, "domain": "cli" }, "steps": [observed, plain], "ending": {} }),
            ),
            ("lessons.propose", lesson),
            ("recall.on-error", failure),
            (
                "events.fingerprint-of",
                json!({ "text": format!("error: bad {text}") }),
            ),
        ] {
            requests += &json!({ "method": method, "args": arguments, "id": method }).to_string();
            requests.push('\n');
        }
    }
    let ran = feed(project.command(&["call", "--lines"]), requests.as_bytes());
    let answers = ran.stdout();
    let errors: Vec<_> = answers
        .lines()
        .filter(|line| line.starts_with("{\"error\""))
        .collect();
    // A tag that is no word may be refused; then nothing of it is kept or said.
    assert!(
        errors.iter().all(|line| line.contains("lessons.propose")),
        "{errors:?}"
    );
    assert_eq!(
        found_in(&secrets, answers.as_bytes()),
        Vec::<String>::new(),
        "in the answers"
    );
    assert_eq!(
        found_in(&secrets, &ran.0.stderr),
        Vec::<String>::new(),
        "in the messages"
    );
    assert_nowhere(&project, &secrets);
}

#[test]
fn a_lesson_with_a_secret_is_hinted_at_without_it() {
    let project = Scratch::new();
    let secrets = secrets(6);
    for (number, secret) in secrets.iter().enumerate() {
        // Two lessons that differ only in their secrets are one; the number keeps them apart.
        let lesson = json!({
            "rule-text": format!("WRONG: guess → CORRECT: log in with {}, gate {number}", secret.text),
            "trigger-texts": ["error: the gate is shut"],
        });
        let lesson = project.call("lessons.propose", &lesson);
        let arguments =
            json!({ "lesson": lesson["id"], "status": "promoted", "reason": secret.text });
        project.call("lessons.set-status", &arguments);
        let ran = project.run(&[
            "run",
            "--",
            "sh",
            "-c",
            "echo 'error: the gate is shut' >&2; exit 1",
        ]);
        assert!(ran.stderr().contains("log in with"), "{}", ran.stderr());
        assert_eq!(found_in(&secrets, &ran.0.stderr), Vec::<String>::new());
    }
    assert_nowhere(&project, &secrets);
}

#[test]
fn a_secret_at_the_cut_of_a_long_output_leaves_no_half() {
    let project = Scratch::new();
    project.run(&["init"]);
    fs::write(project.memory().join("config.toml"), "capture-kib = 1\n").expect("settings");
    let secrets = secrets(7);
    for (number, secret) in secrets.iter().enumerate() {
        // Head and tail hold 512 bytes each; the secret lies across the end of the one, then of the other.
        let before = "x ".repeat((512 - secret.text.len().min(500) * (number % 7 + 1) / 8) / 2);
        let after = before.replace('x', "y");
        let output = format!(
            "{before}{0} {1}{0} {after}",
            secret.text,
            "middle ".repeat(300)
        );
        let file = project.path().join(format!("output-{number}"));
        fs::write(&file, output).expect("a file");
        let script = format!("cat '{}' >&2; exit 1", file.display());
        let ran = project.run(&["run", "--", "sh", "-c", &script]);
        assert_eq!(ran.code(), 1);
    }
    assert_nowhere(&project, &secrets);
}

#[test]
fn a_secret_in_a_text_that_is_shortened_to_be_kept_leaves_no_half() {
    let project = Scratch::new();
    let secrets = secrets(8);
    let mut requests = String::new();
    for (number, secret) in secrets.iter().enumerate() {
        // Texts are kept with 2 KiB from both ends, payloads with 8 KiB, an action with 1 KiB.
        for half in [512, 1_024, 2_048, 8_192] {
            let shift = secret.text.len() * (number % 7 + 1) / 8;
            let side = "word ".repeat((half - shift.min(half)) / 5);
            let text = format!(
                "{side}{0} {1} {0} {side}",
                secret.text,
                "middle ".repeat(4_000)
            );
            let feedback = json!({ "action-text": text, "hard-failure": { "reason": text, "evidence": text } });
            let step =
                json!({ "action": { "command": [text] }, "observation": { "stderr": text } });
            let steps = json!([{ "step": step, "feedback": feedback }]);
            let run = json!({ "task": "cut", "domain": "cli" });
            let arguments = json!({ "run": run, "steps": steps, "ending": {} });
            requests += &format!("runs.submit {arguments}\n");
        }
    }
    let ran = feed(project.command(&["call", "--lines"]), requests.as_bytes());
    assert!(!ran.stdout().contains("{\"error\""), "{}", ran.stdout());
    assert_nowhere(&project, &secrets);
}

#[test]
fn a_failure_is_the_same_whichever_secret_stands_in_it() {
    let project = Scratch::new();
    let fingerprints = |seed| -> Vec<(String, String)> {
        let line = |secret: &Secret| {
            let text = format!(
                "error: login with {} was refused by the server",
                secret.text
            );
            json!({ "text": text }).to_string() + "\n"
        };
        let input: String = secrets(seed).iter().map(line).collect();
        let ran = project.run_with(&["fingerprint", "--jsonl"], input.as_bytes());
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
        let parse = |line: &str| {
            let mut answer: Value = serde_json::from_str(line).expect("JSON");
            (
                answer["id"].take().to_string(),
                answer["template"].take().to_string(),
            )
        };
        ran.stdout().lines().map(parse).collect()
    };
    let (one, other) = (fingerprints(9), fingerprints(10));
    for ((left, right), secret) in one.iter().zip(&other).zip(secrets(9)) {
        assert_eq!(left, right, "{}", secret.kind);
        assert!(left.1.contains("login with"), "{}: {}", secret.kind, left.1);
    }
    let another = project
        .run_with(&["fingerprint"], b"error: the disk is full")
        .json();
    let another = another["id"].to_string();
    assert!(one.iter().all(|(id, _)| *id != another));
}
