//! Transcripts of Claude Code: one file of JSON Lines for each session, sub-agents inside it or beside it.

use std::{collections::BTreeMap, io, path::Path};

use serde_json::Value;

use super::{
    formats::Yield,
    records,
    session::{Calls, End, Place, Session},
};

/// What the tool says instead of an output when nothing was tried.
const NOT_RUN: [&str; 4] = [
    "<tool_use_error>",
    "The user doesn't want to proceed",
    "[Request interrupted",
    "Permission to use",
];

/// Whether a record is of such a transcript.
pub(crate) fn recognizes(record: &Value) -> bool {
    record["sessionId"].is_string()
        && record["message"]["parts"].is_null()
        && matches!(record["type"].as_str(), Some("user" | "assistant"))
        && record["message"]["role"].is_string()
}

/// Reads a transcript.
pub(crate) fn read(path: &Path) -> io::Result<Yield> {
    let mut tracks: BTreeMap<Option<String>, (Session, Calls)> = BTreeMap::new();
    let damaged = records::lines(path, |record| {
        let agent = record["agentId"].as_str().map(str::to_owned);
        let is_aside = record["isSidechain"] == true;
        let agent = agent.or_else(|| is_aside.then(|| "sidechain".to_owned()));
        let (session, calls) = tracks.entry(agent.clone()).or_default();
        session.agent = agent;
        if let Some(id) = record["sessionId"].as_str() {
            id.clone_into(&mut session.id);
        }
        if session.place == Place::Unknown
            && let Some(directory) = record["cwd"].as_str()
        {
            session.place = Place::Directory(directory.into());
        }
        take(&record, calls);
    })?;
    let sessions = tracks.into_values().map(|(session, calls)| Session {
        steps: calls.into_steps(),
        ..session
    });
    Ok(Yield {
        sessions: sessions.collect(),
        damaged,
    })
}

fn take(record: &Value, calls: &mut Calls) {
    let content = &record["message"]["content"];
    let at = records::time(&record["timestamp"]);
    let parts = content.as_array().map(Vec::as_slice).unwrap_or_default();
    match record["type"].as_str() {
        Some("assistant") => {
            for part in parts.iter().filter(|part| part["type"] == "tool_use") {
                let input = &part["input"];
                if part["name"] == "Bash" && input["run_in_background"] != true {
                    let [key, line] = [&part["id"], &input["command"]]
                        .map(|value| value.as_str().unwrap_or_default());
                    calls.begin(key, line, record["cwd"].as_str(), at);
                }
            }
        }
        Some("user") => {
            let results = parts.iter().filter(|part| part["type"] == "tool_result");
            let mut is_answer = false;
            for part in results {
                is_answer = true;
                end(part, &record["toolUseResult"], at, calls);
            }
            if !is_answer && record["isMeta"] != true {
                calls.ask(&records::text(content));
            }
        }
        _ => {}
    }
}

fn end(part: &Value, result: &Value, at: u64, calls: &mut Calls) {
    let key = part["tool_use_id"].as_str().unwrap_or_default();
    let text = records::text(&part["content"]);
    if result["interrupted"] == true || result["backgroundTaskId"].is_string() {
        return;
    }
    if part["is_error"] != true {
        return calls.end(key, at, &text, End::Exit(0));
    }
    if let Some(rest) = text.strip_prefix("Exit code ")
        && let Some(exit) = records::leading_number(rest)
    {
        let output = rest.split_once('\n').map_or("", |(_, output)| output);
        return calls.end(key, at, output, End::Exit(exit));
    }
    if NOT_RUN.iter().any(|start| text.starts_with(start)) {
        return;
    }
    if text.starts_with("Command timed out") {
        let output = text.split_once('\n').map_or("", |(_, output)| output);
        return calls.end(key, at, output, End::TimedOut);
    }
    calls.end(key, at, &text, End::Unknown);
}
