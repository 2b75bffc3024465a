//! Kimi Code.
//!
//! Only the prompt takes context, as plain text; what fails is learned from, and not answered.

use serde_json::Value;

use super::{
    super::payload::{End, Happening, Outcome, Payload, plain, text},
    Host, claude,
};

pub(super) const HOST: Host = Host {
    name: "kimi",
    title: "Kimi Code",
    speaks_at: &["UserPromptSubmit"],
    answers_failures: false,
    most_chars: 8_000,
    read,
    answer: |_, _, said| said.to_owned(),
};

fn read(event: &str, payload: &Value) -> Payload {
    let happening = match event {
        "PostToolUseFailure" => Happening::After(vec![failure(payload)]),
        // It does not mark the calls of a sub-agent, so that its end ends nothing.
        "SubagentStop" => Happening::Nothing("not listened to"),
        _ => claude::common(event, payload, &outcome),
    };
    claude::session(payload, happening)
}

fn outcome(payload: &Value) -> Outcome {
    let outcome = Outcome::new(claude::call(payload), End::Worked);
    let exit = outcome.call.command().and(Some(0));
    outcome
        .with_exit(exit)
        .with_output(plain(&payload["tool_output"]))
}

fn failure(payload: &Value) -> Outcome {
    let error = text(&payload["error"], &["message"]).unwrap_or_default();
    let mark = "\nCommand failed with exit code: ";
    let (output, exit) = match error.rsplit_once(mark) {
        Some((output, code)) => (output, code.trim_end_matches('.').parse().ok()),
        None => (error.as_str(), None),
    };
    Outcome::new(claude::call(payload), End::Failed)
        .with_exit(exit)
        .with_output(output)
        .unless(false)
}
