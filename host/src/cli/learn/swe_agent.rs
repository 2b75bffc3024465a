//! Trajectories of SWE-agent: actions and what was observed after each, without exit codes.

use std::{io, path::Path};

use serde_json::Value;

use super::{
    formats::{self, Yield},
    records,
    session::{Calls, End, Session},
};

/// Whether a file is such a trajectory.
pub(crate) fn recognizes(file: &Value) -> bool {
    let steps = file["trajectory"].as_array();
    steps.is_some_and(|steps| {
        let is_step = |step: &Value| step["action"].is_string() && !step["observation"].is_null();
        steps.first().is_some_and(is_step)
    })
}

/// Reads a trajectory.
pub(crate) fn read(path: &Path) -> io::Result<Yield> {
    let file = records::whole(path)?;
    let id = formats::named_by_beginning(path, std::slice::from_ref(&file["trajectory"][0]));
    let mut calls = Calls::default();
    calls.ask(&task(&file));
    let steps = file["trajectory"].as_array().into_iter().flatten();
    for (place, step) in steps.enumerate() {
        let key = format!("{id}#{place}");
        let state: Value = match &step["state"] {
            Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
            state => state.clone(),
        };
        let line = step["action"].as_str().unwrap_or_default().trim();
        let output = records::text(&step["observation"]);
        calls.begin(&key, line, state["working_dir"].as_str(), 0);
        calls.end(&key, 0, &output, End::Unknown);
    }
    let session = Session {
        id,
        steps: calls.into_steps(),
        ..Session::default()
    };
    Ok(Yield {
        sessions: vec![session],
        damaged: 0,
    })
}

/// The issue that was to be solved, from the first message that is no demonstration.
fn task(file: &Value) -> String {
    let history = file["history"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let asked = history.iter().find(|message| {
        message["role"] == "user" && message["is_demo"] != true && {
            let text = records::text(&message["content"]);
            !text.contains("--- DEMONSTRATION ---")
        }
    });
    let text = asked
        .map(|message| records::text(&message["content"]))
        .unwrap_or_default();
    let issue = text
        .split_once("ISSUE:\n")
        .or_else(|| text.split_once("<pr_description>"))
        .map_or(text.as_str(), |(_, issue)| issue);
    let end = ["INSTRUCTIONS:", "</pr_description>"]
        .iter()
        .find_map(|mark| issue.find(mark));
    issue[..end.unwrap_or(issue.len())].trim().to_owned()
}
