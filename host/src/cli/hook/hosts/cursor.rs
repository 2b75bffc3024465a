//! Cursor.
//!
//! The exit code is within `tool_output`, which is JSON as text. Context is taken at `sessionStart` and `postToolUse` only: what is to be
//! said after `postToolUseFailure` waits for the next call. Payloads may begin with a byte order mark.

use serde_json::{Value, json};

use super::{
    super::payload::{Call, End, Happening, Outcome, Payload, plain, text, typed},
    Host, claude,
};

pub(super) const HOST: Host = Host {
    name: "cursor",
    title: "Cursor",
    speaks_at: &["sessionStart", "postToolUse"],
    answers_failures: true,
    most_chars: 8_000,
    read,
    answer: |_, _, said| json!({ "additional_context": said }).to_string(),
};

fn read(event: &str, payload: &Value) -> Payload {
    let happening = match event {
        "sessionStart" => Happening::Start,
        "beforeSubmitPrompt" => match typed(&plain(&payload["prompt"])) {
            Some(prompt) => Happening::Prompt(prompt),
            None => Happening::Nothing("no person typed this prompt"),
        },
        "postToolUse" => Happening::After(vec![outcome(payload)]),
        "postToolUseFailure" => Happening::After(vec![failure(payload)]),
        "stop" => Happening::Pause,
        "sessionEnd" => Happening::End,
        _ => Happening::Nothing("not listened to"),
    };
    let root = payload["workspace_roots"][0].as_str().map(str::to_owned);
    Payload {
        session: text(payload, &["conversation_id", "session_id"]).unwrap_or_default(),
        agent: None,
        directory: text(payload, &["cwd"]).or(root).map(Into::into),
        happening,
    }
}

fn call(payload: &Value) -> Call {
    claude::call(payload)
}

fn outcome(payload: &Value) -> Outcome {
    let told = &payload["tool_output"];
    let parsed = told
        .as_str()
        .and_then(|text| serde_json::from_str::<Value>(text).ok());
    let output = parsed.as_ref().unwrap_or(told);
    let streams = ["stdout", "output"]
        .iter()
        .find_map(|name| output[name].as_str());
    let text_of = streams.map_or_else(|| plain(output), str::to_owned);
    let mut outcome = Outcome::new(call(payload), End::Worked)
        .with_exit(output["exitCode"].as_i64())
        .with_output(text_of);
    outcome.errors = text(output, &["stderr"]).unwrap_or_default();
    outcome.duration_ms = payload["duration"].as_u64().unwrap_or_default();
    outcome.unless(false)
}

fn failure(payload: &Value) -> Outcome {
    let stopped = payload["is_interrupt"] == true || payload["failure_type"] == "permission_denied";
    let error = text(payload, &["error_message"]).unwrap_or_default();
    Outcome::new(call(payload), End::Failed)
        .with_output(error)
        .unless(stopped)
}
