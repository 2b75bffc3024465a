//! Claude Code.
//!
//! A command that fails fires `PostToolUseFailure` and never `PostToolUse`; its exit code is the first line of `error`. An edit
//! that is refused fires only `PostToolBatch`. `Stop` must stay unanswered: context there makes the agent go on.

use serde_json::Value;

use super::{
    super::payload::{Call, End, Happening, Outcome, Payload, member, plain, text, typed},
    Host, hook_specific,
};

pub(super) const HOST: Host = Host {
    name: "claude",
    title: "Claude Code",
    speaks_at: &[
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
    ],
    answers_failures: true,
    most_chars: 10_000,
    read,
    answer: hook_specific,
};

fn read(event: &str, payload: &Value) -> Payload {
    let happening = match event {
        "PostToolUseFailure" => Happening::After(vec![failure(payload)]),
        "PostToolBatch" => batch(payload),
        _ => common(event, payload, &outcome),
    };
    session(payload, happening)
}

/// Where an event belongs, in the members that most hosts use.
pub(super) fn session(payload: &Value, happening: Happening) -> Payload {
    Payload {
        session: text(payload, &["session_id", "sessionId"]).unwrap_or_default(),
        agent: text(payload, &["agent_id"]),
        directory: text(payload, &["cwd"]).map(Into::into),
        happening,
    }
}

/// The events that most hosts have under the same names.
pub(super) fn common(
    event: &str,
    payload: &Value,
    outcome: &dyn Fn(&Value) -> Outcome,
) -> Happening {
    match event {
        "SessionStart" if payload["source"] == "compact" => Happening::Compacted,
        "SessionStart" => Happening::Start,
        "UserPromptSubmit" => prompt(payload),
        "PreToolUse" => Happening::Before(call(payload)),
        "PostToolUse" => Happening::After(vec![outcome(payload)]),
        "Stop" | "StopFailure" => Happening::Pause,
        // A helper of the host itself has no type, and never began.
        "SubagentStop" if payload["agent_type"] == "" => Happening::Nothing("an internal agent"),
        "SubagentStop" if payload["agent_id"].is_string() => Happening::End,
        "SessionEnd" => Happening::End,
        _ => Happening::Nothing("not listened to"),
    }
}

/// What a person typed.
pub(super) fn prompt(payload: &Value) -> Happening {
    let by_person = matches!(payload["source"].as_str(), None | Some("user" | "sdk"));
    if payload["agent_id"].is_string() || !by_person {
        return Happening::Nothing("no person typed this prompt");
    }
    match typed(&plain(&payload["prompt"])) {
        Some(prompt) => Happening::Prompt(prompt),
        None => Happening::Nothing("no person typed this prompt"),
    }
}

pub(super) fn call(payload: &Value) -> Call {
    Call {
        id: text(payload, &["tool_use_id", "tool_call_id"]),
        tool: text(payload, &["tool_name"]).unwrap_or_default(),
        input: member(payload, &["tool_input"]).clone(),
    }
}

fn outcome(payload: &Value) -> Outcome {
    let response = &payload["tool_response"];
    // What goes on in the background has not worked yet.
    let is_running = response["isAsync"] == true || response["backgroundTaskId"].is_string();
    let output = match &response["stdout"] {
        Value::String(stdout) => stdout.clone(),
        _ => plain(response),
    };
    let end = match response["isError"] == true {
        true => End::Failed,
        false => End::Worked,
    };
    let outcome = Outcome::new(call(payload), end).with_output(output);
    let exit = outcome.call.command().and(Some(0));
    let mut outcome = outcome
        .with_exit(exit)
        .unless(is_running || response["interrupted"] == true);
    outcome.errors = text(response, &["stderr"]).unwrap_or_default();
    outcome.duration_ms = payload["duration_ms"].as_u64().unwrap_or_default();
    outcome
}

fn failure(payload: &Value) -> Outcome {
    let error = text(payload, &["error"]).unwrap_or_default();
    let (exit, output) = exit_code(&error);
    let mut outcome = Outcome::new(call(payload), End::Failed)
        .with_exit(exit)
        .with_output(output)
        .unless(payload["is_interrupt"] == true);
    outcome.duration_ms = payload["duration_ms"].as_u64().unwrap_or_default();
    outcome
}

/// The exit code in the first line of an error, and the rest.
fn exit_code(error: &str) -> (Option<i64>, &str) {
    let (first, rest) = error.split_once('\n').unwrap_or((error, ""));
    let exit = first
        .strip_prefix("Exit code ")
        .and_then(|code| code.trim().parse().ok());
    match exit {
        Some(exit) => (Some(exit), rest),
        None => (None, error),
    }
}

/// The calls of a batch that failed before they were made: no other event tells of them.
fn batch(payload: &Value) -> Happening {
    let calls = payload["tool_calls"].as_array().into_iter().flatten();
    let failed = calls.filter_map(|one| {
        let response = plain(&one["tool_response"]);
        let error = response.trim().strip_prefix("<tool_use_error>")?;
        let error = error.strip_suffix("</tool_use_error>").unwrap_or(error);
        Some(
            Outcome::new(call(one), End::Failed)
                .with_output(error)
                .unless(false),
        )
    });
    match failed.collect::<Vec<_>>() {
        failed if failed.is_empty() => Happening::Nothing("every call had an event of its own"),
        failed => Happening::After(failed),
    }
}
