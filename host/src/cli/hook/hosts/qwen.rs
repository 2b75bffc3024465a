//! Qwen Code.
//!
//! Claude Code's events with Gemini CLI's texts. A prompt event comes with every call of the model: those without `submitted_prompt`
//! go on with an earlier one. `PostToolBatch` shows again what hooks
//! added to outputs, and is not listened to.

use serde_json::Value;

use super::{
    super::payload::{End, Happening, Outcome, Payload, plain, text},
    Host, claude,
    gemini::Report,
    hook_specific,
};

pub(super) const HOST: Host = Host {
    name: "qwen",
    title: "Qwen Code",
    speaks_at: &[
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
    ],
    answers_failures: true,
    most_chars: 8_000,
    read,
    answer: hook_specific,
};

fn read(event: &str, payload: &Value) -> Payload {
    let happening = match event {
        "PostToolUseFailure" => Happening::After(vec![failure(payload)]),
        _ => claude::common(event, payload, &outcome),
    };
    claude::session(payload, happening)
}

fn outcome(payload: &Value) -> Outcome {
    let told = plain(&payload["tool_response"]["llmContent"]);
    reported(payload, End::Worked, &told)
}

fn failure(payload: &Value) -> Outcome {
    let error = text(payload, &["error"]).unwrap_or_default();
    reported(payload, End::Failed, &error).unless(payload["is_interrupt"] == true)
}

fn reported(payload: &Value, end: End, told: &str) -> Outcome {
    let call = claude::call(payload);
    let outcome = Outcome::new(call, end);
    let mut outcome = match outcome.call.command() {
        None => outcome.with_output(told),
        Some(_) => {
            let report = Report::of(told);
            let mut outcome = outcome.with_exit(report.exit).with_output(report.output);
            outcome.signal = report.signal;
            outcome
        }
    };
    outcome.duration_ms = payload["duration_ms"].as_u64().unwrap_or_default();
    outcome.unless(false)
}
