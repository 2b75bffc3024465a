//! Rollouts of Codex: one file of JSON Lines for each session, of any version so far.

use std::{io, path::Path};

use serde_json::Value;

use super::{
    formats::Yield,
    records,
    session::{Calls, End, Place, Session},
};

/// The tools that run a command.
const SHELLS: [&str; 6] = [
    "shell",
    "exec_command",
    "shell_command",
    "local_shell",
    "container.exec",
    "unified_exec",
];

/// What the tool says instead of an output when nothing was tried.
const NOT_RUN: [&str; 4] = [
    "exec command rejected",
    "aborted by user",
    "failed to parse function arguments",
    "unsupported call",
];

/// Whether a record is of a rollout.
pub(crate) fn recognizes(record: &Value) -> bool {
    let kind = record["type"].as_str().unwrap_or_default();
    let is_wrapped = record["payload"].is_object()
        && matches!(
            kind,
            "session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted"
        );
    is_wrapped || (kind == "function_call" && record["call_id"].is_string())
}

/// Reads a rollout.
pub(crate) fn read(path: &Path) -> io::Result<Yield> {
    let mut session = Session::default();
    let mut calls = Calls::default();
    let mut directory = None;
    let damaged = records::lines(path, |record| {
        // The first versions had no envelope.
        let payload = match &record["payload"] {
            Value::Object(_) => &record["payload"],
            _ => &record,
        };
        let at = records::time(&record["timestamp"]);
        if let Some(found) = payload["cwd"].as_str()
            && matches!(
                record["type"].as_str(),
                Some("session_meta" | "turn_context")
            )
        {
            directory = Some(found.to_owned());
            if session.place == Place::Unknown {
                session.place = Place::Directory(found.into());
            }
        }
        let is_head = record["type"] == "session_meta" || payload["instructions"].is_string();
        if session.id.is_empty() && is_head {
            session.id = payload["id"].as_str().unwrap_or_default().to_owned();
        }
        take(payload, directory.as_deref(), at, &mut calls);
    })?;
    if session.id.is_empty() {
        session.id = super::formats::stem(path);
    }
    session.steps = calls.into_steps();
    Ok(Yield {
        sessions: vec![session],
        damaged,
    })
}

fn take(payload: &Value, directory: Option<&str>, at: u64, calls: &mut Calls) {
    let key = payload["call_id"].as_str().unwrap_or_default();
    match payload["type"].as_str().unwrap_or_default() {
        "user_message" => calls.ask(payload["message"].as_str().unwrap_or_default()),
        "message" if payload["role"] == "user" => calls.ask(&records::text(&payload["content"])),
        "function_call" if SHELLS.iter().any(|name| payload["name"] == *name) => {
            let text = payload["arguments"].as_str().unwrap_or_default();
            let arguments: Value = serde_json::from_str(text).unwrap_or_default();
            let line = command_line(&arguments["command"])
                .or_else(|| command_line(&arguments["cmd"]))
                .unwrap_or_default();
            calls.begin(key, &line, directory, at);
        }
        "local_shell_call" => {
            let line = command_line(&payload["action"]["command"]).unwrap_or_default();
            calls.begin(key, &line, directory, at);
        }
        "function_call_output" | "local_shell_call_output" => {
            let (output, end) = outcome(&payload["output"]);
            if let Some(end) = end {
                calls.end(key, at, &output, end);
            }
        }
        "exec_command_begin" => {
            let line = command_line(&payload["command"]).unwrap_or_default();
            calls.begin(key, &line, payload["cwd"].as_str(), at);
        }
        "exec_command_end" => execution(payload, key, directory, at, calls),
        "item_completed" if payload["item"]["type"] == "CommandExecution" => {
            let item = &payload["item"];
            let key = item["id"].as_str().unwrap_or_default();
            execution(item, key, directory, at, calls);
        }
        _ => {}
    }
}

/// Takes in a command with all that is known of it.
fn execution(item: &Value, key: &str, directory: Option<&str>, at: u64, calls: &mut Calls) {
    let line = command_line(&item["command"]).unwrap_or_default();
    calls.begin(key, &line, directory, at);
    if let Some(exit) = item["exit_code"].as_i64() {
        let output = match item["aggregated_output"].as_str() {
            Some(output) => output.to_owned(),
            None => records::text(&item["stdout"]) + &records::text(&item["stderr"]),
        };
        calls.end(key, at, &output, End::Exit(exit));
    }
}

/// A command as one line: what a shell was given, or the words of a program.
fn command_line(command: &Value) -> Option<String> {
    if let Some(line) = command.as_str() {
        return Some(line.to_owned());
    }
    let words = command.as_array()?.iter().map(Value::as_str);
    let words: Vec<_> = words.collect::<Option<_>>()?;
    match words.as_slice() {
        [shell, flag, line]
            if flag.starts_with('-')
                && flag.ends_with('c')
                && (shell.ends_with("sh") || shell.ends_with("sh.exe")) =>
        {
            Some((*line).to_owned())
        }
        words => {
            let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
            Some(twiceshy_shell::join(&words))
        }
    }
}

/// What a tool answered: the output and how the command ended; no end if it was not run or has not ended.
fn outcome(answer: &Value) -> (String, Option<End>) {
    let text = match answer {
        Value::Object(answer) => answer.get("content").map(records::text).unwrap_or_default(),
        answer => records::text(answer),
    };
    // The first versions answered with JSON in a text.
    if let Ok(Value::Object(inner)) = serde_json::from_str::<Value>(&text)
        && let Some(exit) = inner
            .get("metadata")
            .and_then(|data| data["exit_code"].as_i64())
    {
        let output = inner.get("output").map(records::text).unwrap_or_default();
        return (output, Some(End::Exit(exit)));
    }
    if NOT_RUN.iter().any(|words| text.contains(words)) {
        return (text, None);
    }
    let (head, output) = text.split_once("Output:\n").unwrap_or(("", &text));
    let exit = ["Exit code: ", "Process exited with code "]
        .iter()
        .find_map(|label| head.split_once(label))
        .and_then(|(_, rest)| records::leading_number(rest));
    let is_running = head.contains("Process running with session ID");
    match exit {
        Some(exit) => (output.to_owned(), Some(End::Exit(exit))),
        None if is_running => (String::new(), None),
        None => (output.to_owned(), Some(End::Unknown)),
    }
}
