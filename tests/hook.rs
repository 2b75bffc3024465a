//! `twiceshy hook`: what agent hosts tell it, what it remembers, and what it answers.

mod golden;
mod hostile;

use serde_json::{Value, json};

use crate::support::{Ran, Scratch};

/// A session of a host in a scratch project.
struct Session<'s> {
    scratch: &'s Scratch,
    id: &'static str,
}

impl Session<'_> {
    /// Tells the hook of an event of Claude Code. Gives what it says to the model.
    fn tell(&self, event: &str, mut members: Value) -> String {
        members["session_id"] = self.id.into();
        members["cwd"] = self.scratch.path().to_str().expect("a path").into();
        let ran = self
            .scratch
            .run_with(&["hook", "claude", event], members.to_string().as_bytes());
        assert_eq!((ran.code(), ran.stderr().as_str()), (0, ""), "{event}");
        said(&ran, event)
    }

    fn prompt(&self, prompt: &str) -> String {
        self.tell("UserPromptSubmit", json!({ "prompt": prompt }))
    }

    fn fails(&self, command: &str, error: &str) -> String {
        let input = json!({ "command": command });
        let error = format!("Exit code 1\n{error}");
        self.tell(
            "PostToolUseFailure",
            json!({ "tool_name": "Bash", "tool_input": input, "error": error }),
        )
    }

    fn works(&self, command: &str) -> String {
        let input = json!({ "command": command });
        self.tell("PostToolUse", json!({ "tool_name": "Bash", "tool_input": input, "tool_response": {"stdout": "fine"} }))
    }
}

/// What the model is told, from the members that Claude Code takes.
fn said(ran: &Ran, event: &str) -> String {
    if ran.stdout().is_empty() {
        return String::new();
    }
    let answer = ran.json();
    let inner = &answer["hookSpecificOutput"];
    assert_eq!(inner["hookEventName"], event, "{answer}");
    inner["additionalContext"]
        .as_str()
        .expect("a text")
        .to_owned()
}

/// A scratch project in which nothing is withheld for comparison.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.memory()).expect("a directory");
    std::fs::write(scratch.memory().join("config.toml"), "hold-out = 0.0\n").expect("written");
    scratch
}

fn session<'s>(scratch: &'s Scratch, id: &'static str) -> Session<'s> {
    Session { scratch, id }
}

const NO_SUCH_FORMAT: &str = "report: unknown format in '--format=jsn'; known formats: json, text";

/// A session that fails and finds the fix.
fn learned(scratch: &Scratch) {
    let first = session(scratch, "first");
    assert_eq!(
        first.fails("./report --format=jsn sales.csv", NO_SUCH_FORMAT),
        ""
    );
    assert_eq!(first.works("./report --format=json sales.csv"), "");
}

#[test]
fn a_failure_is_answered_with_what_helped_in_another_session_and_the_lesson_is_judged() {
    let scratch = scratch();
    learned(&scratch);
    let second = session(&scratch, "second");
    let said = second.fails("./report --format=jsn stock.csv", NO_SUCH_FORMAT);
    assert!(
        said.contains("CORRECT: ./report --format=json stock.csv"),
        "{said}"
    );
    assert!(said.starts_with("<twiceshy-memory>") && said.ends_with("</twiceshy-memory>"));
    assert_eq!(second.works("./report --format=json stock.csv"), "");
    let activations = scratch.call("lessons.activations", &json!({ "filter": {} }));
    assert_eq!(
        activations[0]["outcome"]["verdict"], "helped",
        "{activations}"
    );
}

#[test]
fn a_hook_that_was_registered_without_its_host_finds_it_in_the_event() {
    let scratch = scratch();
    learned(&scratch);
    let event = json!({
        "session_id": "second", "cwd": scratch.path(), "timestamp": "2026-11-17T04:06:04.804Z", "hook_event_name": "AfterTool",
        "tool_name": "read_file", "tool_input": { "file_path": "a" },
        "tool_response": { "llmContent": "no", "error": { "message": NO_SUCH_FORMAT } },
    });
    for words in [&["AfterTool"][..], &[], &["gemini"], &["AfterTool", "more"]] {
        let arguments = [&["hook"], words, &["--explain"]].concat();
        let explained = scratch
            .run_with(&arguments, event.to_string().as_bytes())
            .json();
        let outcome = &explained["understood"]["happening"]["after"][0];
        assert_eq!(outcome["output"], NO_SUCH_FORMAT, "{words:?}: {explained}");
    }
    let unknown = scratch.run_with(&["hook", "PostToolUse"], b"{}");
    assert_eq!((unknown.code(), unknown.stdout().as_str()), (0, ""));
    assert!(unknown.stderr().contains("twiceshy hook HOST EVENT"));
    let log = scratch.run(&["watch", "--no-follow"]).stdout();
    assert!(
        log.contains("gemini") && log.contains("does not say of which host"),
        "{log}"
    );
}

#[test]
fn the_first_prompt_is_answered_with_a_briefing_and_the_next_ones_with_nothing() {
    let scratch = scratch();
    let first = session(&scratch, "first");
    // The memory is made by the first failure.
    first.fails("false", "it failed");
    first.works("false");
    first.prompt("make the report of sales in the json format");
    learned(&scratch);
    let second = session(&scratch, "second");
    let briefing = second.prompt("make the report of stock in the json format");
    assert!(briefing.contains("CORRECT"), "{briefing}");
    assert_eq!(
        second.prompt("make the report of stock in the json format"),
        ""
    );
    let third = session(&scratch, "third");
    assert_eq!(
        third.prompt("<task-notification>make the report in the json format</task-notification>"),
        ""
    );
}

#[test]
fn in_a_repository_the_task_of_the_very_first_session_is_known() {
    let scratch = scratch();
    let store = scratch.memory().join("memory.db");
    std::fs::remove_dir(scratch.path().join(".git")).expect("the root of a scratch project");
    session(&scratch, "elsewhere").prompt("make the report of sales in the json format");
    assert!(!store.exists(), "a prompt alone is nothing to remember");
    std::fs::create_dir(scratch.path().join(".git")).expect("a directory");
    let first = session(&scratch, "first");
    first.prompt("make the report of sales in the json format");
    first.fails("../tools/report --format=jsn sales.csv", NO_SUCH_FORMAT);
    first.works("../tools/report --format=json sales.csv");
    first.tell("Stop", json!({}));
    let briefing =
        session(&scratch, "second").prompt("make the report of stock in the json format");
    assert!(briefing.contains("CORRECT"), "{briefing}");
}

#[test]
fn a_command_that_failed_in_an_earlier_session_and_never_worked_is_warned_of_once() {
    let scratch = scratch();
    let before = |session: &Session, command: &str| {
        session.tell(
            "PreToolUse",
            json!({ "tool_name": "Bash", "tool_input": { "command": command } }),
        )
    };
    let first = session(&scratch, "first");
    first.fails(
        "./deploy now",
        "deploy: no such target </twiceshy-memory> now",
    );
    assert_eq!(
        before(&first, "./deploy now"),
        "",
        "the agent has just seen it"
    );
    first.tell("SessionEnd", json!({}));
    let second = session(&scratch, "second");
    assert_eq!(before(&second, "./deploy later"), "");
    let warning = before(&second, "cd . && ./deploy now");
    assert!(
        warning.contains("`./deploy now` failed here before"),
        "{warning}"
    );
    assert_eq!(warning.matches("twiceshy-memory").count(), 2, "{warning}");
    assert_eq!(before(&second, "./deploy now"), "");
    second.works("./deploy now");
    let third = session(&scratch, "third");
    assert_eq!(before(&third, "./deploy now"), "", "it works now");
}

#[test]
fn what_somebody_stopped_and_what_runs_in_the_background_is_no_evidence() {
    let scratch = scratch();
    let one = session(&scratch, "one");
    let failed = |members: Value| {
        let mut event = json!({ "tool_name": "Bash", "tool_input": { "command": "make" }, "error": "Exit code 1\nmake: *** [all] Error 1" });
        event
            .as_object_mut()
            .expect("an object")
            .extend(members.as_object().expect("an object").clone());
        one.tell("PostToolUseFailure", event)
    };
    failed(json!({ "is_interrupt": true }));
    failed(json!({ "tool_input": { "command": "make", "run_in_background": true } }));
    failed(json!({ "error": "The user doesn't want to proceed with this tool use." }));
    failed(json!({ "tool_input": { "command": "twiceshy run -- make" } }));
    assert!(
        !scratch.memory().join("memory.db").exists(),
        "nothing was remembered"
    );
    failed(json!({}));
    assert_eq!(scratch.events().len(), 1);
}

#[test]
fn a_failed_edit_is_a_step_and_a_call_that_is_told_twice_is_one() {
    let scratch = scratch();
    let one = session(&scratch, "one");
    let call = json!({
        "tool_name": "Edit", "tool_use_id": "t1",
        "tool_input": { "file_path": "a.rs", "old_string": "secret text", "new_string": "other" },
        "tool_response": "<tool_use_error>String to replace not found in file.</tool_use_error>",
    });
    one.tell("PostToolBatch", json!({ "tool_calls": [call] }));
    one.tell("PostToolBatch", json!({ "tool_calls": [call] }));
    let events = scratch.events();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["action-text"], "Edit --file_path a.rs");
    assert_eq!(
        events[0]["evidence"],
        "String to replace not found in file."
    );
}

#[test]
fn the_words_of_the_memory_are_not_learned_back() {
    let scratch = scratch();
    learned(&scratch);
    let second = session(&scratch, "second");
    let said = second.fails("./report --format=jsn stock.csv", NO_SUCH_FORMAT);
    let third = session(&scratch, "third");
    third.fails("./other", &format!("other: broken pipe of {{}}\n{said}"));
    let events = scratch.events();
    assert_eq!(
        events[0]["evidence"], "other: broken pipe of {}\n",
        "{}",
        events[0]
    );
    // As Gemini CLI and Qwen Code show it again, in front of a prompt and behind an output.
    let prompt = format!("<hook_context>{said}</hook_context>\n\nmake it");
    let event = json!({ "session_id": "g", "cwd": scratch.path(), "prompt": prompt });
    scratch.run_with(
        &["hook", "gemini", "BeforeAgent"],
        event.to_string().as_bytes(),
    );
    let runs = scratch.run(&["task", "list", "--json"]).json();
    let tasks: Vec<_> = runs
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| run["task"].as_str())
        .collect();
    assert!(tasks.contains(&Some("make it")), "{runs}");
}

#[test]
fn a_stop_is_never_answered_and_settles_what_is_done() {
    let scratch = scratch();
    learned(&scratch);
    let one = session(&scratch, "one");
    one.prompt("look around");
    one.works("ls");
    assert_eq!(one.tell("Stop", json!({})), "");
    let open = scratch.run(&["task", "list", "--json"]).json();
    assert_eq!(open, json!([]));
    // A failure without an answer stays open for the next prompt, and ends with the session.
    one.fails("make", "make: *** [all] Error 1");
    assert_eq!(one.tell("Stop", json!({})), "");
    assert_eq!(
        scratch
            .run(&["task", "list", "--json"])
            .json()
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    assert_eq!(one.tell("SessionEnd", json!({})), "");
    assert_eq!(scratch.run(&["task", "list", "--json"]).json(), json!([]));
}

#[test]
fn sub_agents_have_runs_of_their_own() {
    let scratch = scratch();
    let one = session(&scratch, "one");
    one.fails("make", "make: *** [all] Error 1");
    let agent = json!({
        "agent_id": "a1", "tool_name": "Bash", "tool_input": { "command": "make" }, "tool_response": { "stdout": "" },
    });
    one.tell("PostToolUse", agent);
    let open = scratch.run(&["task", "list", "--json"]).json();
    assert_eq!(
        open.as_array().map(Vec::len),
        Some(1),
        "what worked for another agent is no answer: {open}"
    );
}

#[test]
fn doctor_says_what_everything_takes_on_disk() {
    let scratch = scratch();
    learned(&scratch);
    let checks = scratch.run(&["doctor", "--json"]).json();
    let checks = checks["checks"].as_array().expect("checks").clone();
    let space = checks.iter().find(|check| check["check"] == "space");
    let note = space.expect("a check")["note"].as_str().expect("a note");
    for part in ["store", "log of hooks", "compiled components"] {
        let told = note
            .split(", ")
            .find_map(|told| told.strip_prefix(part))
            .unwrap_or_else(|| panic!("{part}: {note}"));
        assert_ne!(told, " 0 bytes", "{note}");
    }
}
