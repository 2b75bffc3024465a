//! Mistral Vibe.
//!
//! A command that fails has the status `success` and a `returncode`; it keeps the streams apart.

use serde_json::{Value, json};

use super::{
    super::payload::{End, Happening, Outcome, Payload, text},
    Host, claude,
};

pub(super) const HOST: Host = Host {
    name: "vibe",
    title: "Mistral Vibe",
    speaks_at: &["post_tool"],
    answers_failures: true,
    most_chars: 8_000,
    read,
    answer: |_, _, said| {
        json!({ "hook_specific_output": { "additional_context": said } }).to_string()
    },
};

fn read(event: &str, payload: &Value) -> Payload {
    let happening = match event {
        "pre_tool" => Happening::Before(claude::call(payload)),
        "post_tool" => Happening::After(vec![outcome(payload)]),
        "post_agent" => Happening::Pause,
        _ => Happening::Nothing("not listened to"),
    };
    claude::session(payload, happening)
}

fn outcome(payload: &Value) -> Outcome {
    let output = &payload["tool_output"];
    let error = text(payload, &["tool_error"]);
    let end = match error.is_some() || payload["tool_status"] == "error" {
        true => End::Failed,
        false => End::Worked,
    };
    let told = text(output, &["stdout"]).or_else(|| match output.is_null() {
        true => text(payload, &["tool_output_text"]),
        false => None,
    });
    let mut outcome = Outcome::new(claude::call(payload), end)
        .with_exit(output["returncode"].as_i64())
        .with_output(error.or(told).unwrap_or_default());
    outcome.errors = text(output, &["stderr"]).unwrap_or_default();
    outcome.duration_ms = payload["duration_ms"].as_u64().unwrap_or_default();
    outcome.unless(payload["tool_status"] == "cancelled")
}
