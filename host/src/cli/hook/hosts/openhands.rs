//! OpenHands.
//!
//! Only the prompt takes context; what fails is learned from, and not answered.

use serde_json::{Value, json};

use super::{
    super::payload::{Call, End, Happening, Outcome, Payload, member, plain, text, typed},
    Host, claude,
};

pub(super) const HOST: Host = Host {
    name: "openhands",
    title: "OpenHands",
    speaks_at: &["UserPromptSubmit"],
    answers_failures: false,
    most_chars: 8_000,
    read,
    answer: |_, _, said| json!({ "additionalContext": said }).to_string(),
};

fn read(event: &str, payload: &Value) -> Payload {
    let happening = match event {
        "UserPromptSubmit" => match typed(&plain(&payload["message"])) {
            Some(prompt) => Happening::Prompt(prompt),
            None => Happening::Nothing("no person typed this prompt"),
        },
        "PreToolUse" => Happening::Before(call(payload)),
        "PostToolUse" => Happening::After(vec![outcome(payload)]),
        _ => claude::common(event, payload, &outcome),
    };
    Payload {
        directory: text(payload, &["working_dir"]).map(Into::into),
        ..claude::session(payload, happening)
    }
}

/// What an action is of is beside its arguments.
fn call(payload: &Value) -> Call {
    let call = claude::call(payload);
    let mut input = member(&call.input, &["data"]).clone();
    if input.is_null() {
        input = call.input;
    }
    if let Some(members) = input.as_object_mut() {
        members.remove("kind");
    }
    Call { input, ..call }
}

fn outcome(payload: &Value) -> Outcome {
    let response = &payload["tool_response"];
    let end = match response["is_error"] == true {
        true => End::Failed,
        false => End::Worked,
    };
    Outcome::new(call(payload), end)
        .with_exit(response["exit_code"].as_i64())
        .with_output(plain(&response["content"]))
        .unless(false)
}
