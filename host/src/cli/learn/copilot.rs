//! Sessions of Copilot CLI: a file of events, one JSON record on each line.

use std::{collections::BTreeMap, io, path::Path};

use serde_json::Value;

use super::{
    formats::{self, Yield},
    records,
    session::{Calls, End, Place, Session},
};

/// The tools that run a command.
const SHELLS: [&str; 3] = ["bash", "powershell", "shell"];

/// Whether a record is of such a session.
pub(crate) fn recognizes(record: &Value) -> bool {
    let kind = record["type"].as_str().unwrap_or_default();
    let parts = ["session.", "user.message", "assistant.", "tool.execution_"];
    record["data"].is_object() && parts.iter().any(|start| kind.starts_with(start))
}

/// Reads a session.
pub(crate) fn read(path: &Path) -> io::Result<Yield> {
    let (mut id, mut place) = (String::new(), Place::Unknown);
    let mut tracks: BTreeMap<Option<String>, Calls> = BTreeMap::new();
    let damaged = records::lines(path, |record| {
        let data = &record["data"];
        let at = records::time(&record["timestamp"]);
        match record["type"].as_str().unwrap_or_default() {
            "session.start" | "session.resume" => {
                if let Some(found) = data["sessionId"].as_str() {
                    found.clone_into(&mut id);
                }
                let directory = data["context"]["cwd"].as_str();
                if let Some(directory) = directory.filter(|_| place == Place::Unknown) {
                    place = Place::Directory(directory.into());
                }
            }
            "user.message" => {
                let text = records::text(&data["content"]);
                tracks.entry(None).or_default().ask(&text);
            }
            "tool.execution_start" if SHELLS.iter().any(|name| data["toolName"] == *name) => {
                let agent = data["parentToolCallId"].as_str().map(str::to_owned);
                let [key, line] = [&data["toolCallId"], &data["arguments"]["command"]]
                    .map(|value| value.as_str().unwrap_or_default());
                tracks.entry(agent).or_default().begin(key, line, None, at);
            }
            "tool.execution_complete" => {
                let key = data["toolCallId"].as_str().unwrap_or_default();
                if let Some((output, end)) = outcome(data) {
                    for calls in tracks.values_mut() {
                        calls.end(key, at, output, end);
                    }
                }
            }
            _ => {}
        }
    })?;
    if id.is_empty() {
        // The file is `events.jsonl` in the session's directory, or has the session's name.
        let parent = path.parent().map(formats::stem).unwrap_or_default();
        let name = formats::stem(path);
        id = if name == "events" { parent } else { name };
    }
    let sessions = tracks.into_iter().map(|(agent, calls)| Session {
        id: id.clone(),
        agent,
        place: place.clone(),
        steps: calls.into_steps(),
    });
    Ok(Yield {
        sessions: sessions.collect(),
        damaged,
    })
}

/// The output of a command and how it ended: the exit code stands in angle brackets at the end of the text.
fn outcome(data: &Value) -> Option<(&str, End)> {
    let content = match &data["result"] {
        Value::String(text) => text.as_str(),
        result => result["content"].as_str().unwrap_or_default(),
    };
    let text = content.trim_end();
    let mark = text.rfind("exit code ").filter(|_| text.ends_with('>'));
    if let Some(mark) = mark
        && let Some(exit) = records::leading_number(&text[mark + "exit code ".len()..])
        && let Some(begin) = text[..mark].rfind('<')
    {
        return Some((text[..begin].trim_end_matches('\n'), End::Exit(exit)));
    }
    // Without the mark it has not ended, or was not run.
    None
}
