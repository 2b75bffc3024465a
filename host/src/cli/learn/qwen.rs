//! Chats of Qwen Code: JSON Lines with the contents of the model's interface.

use std::{io, path::Path};

use serde_json::Value;

use super::{
    formats::Yield,
    gemini, records,
    session::{Calls, Place, Session},
};

/// The tool that runs a command.
const SHELL: &str = "run_shell_command";

/// Whether a record is of a chat.
pub(crate) fn recognizes(record: &Value) -> bool {
    record["sessionId"].is_string() && record["message"]["parts"].is_array()
}

/// Reads a chat.
pub(crate) fn read(path: &Path) -> io::Result<Yield> {
    let mut session = Session::default();
    let mut calls = Calls::default();
    let damaged = records::lines(path, |record| {
        if let Some(id) = record["sessionId"].as_str() {
            id.clone_into(&mut session.id);
        }
        if session.place == Place::Unknown
            && let Some(directory) = record["cwd"].as_str()
        {
            session.place = Place::Directory(directory.into());
        }
        take(&record, &mut calls);
    })?;
    session.steps = calls.into_steps();
    Ok(Yield {
        sessions: vec![session],
        damaged,
    })
}

fn take(record: &Value, calls: &mut Calls) {
    let at = records::time(&record["timestamp"]);
    let content = &record["message"]["parts"];
    let parts = content.as_array().map(Vec::as_slice).unwrap_or_default();
    match record["type"].as_str() {
        Some("user") if record["subtype"].is_null() => calls.ask(&records::text(content)),
        Some("assistant") => {
            for call in parts.iter().map(|part| &part["functionCall"]) {
                let arguments = &call["args"];
                if call["name"] == SHELL && arguments["is_background"] != true {
                    let [key, line] = [&call["id"], &arguments["command"]]
                        .map(|value| value.as_str().unwrap_or_default());
                    calls.begin(key, line, record["cwd"].as_str(), at);
                }
            }
        }
        Some("tool_result") => {
            let result = &record["toolCallResult"];
            if matches!(result["status"].as_str(), Some("cancelled" | "canceled")) {
                return;
            }
            let is_success = result["status"] == "success";
            for part in parts {
                let key = part["functionResponse"]["id"].as_str();
                let key = key.or(result["callId"].as_str()).unwrap_or_default();
                if let Some((output, end)) = gemini::outcome(&gemini::response(part), is_success) {
                    calls.end(key, at, &output, end);
                }
            }
        }
        _ => {}
    }
}
