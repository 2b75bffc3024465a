//! GitHub Copilot CLI.
//!
//! Events by their camel-case names carry no name of their own; the exit code is at the end of the text, and a command that fails
//! is a success of its tool. Pascal-case names bring payloads in Claude Code's style, which are read as well.

use serde_json::{Value, json};

use super::{
    super::payload::{Call, End, Happening, Outcome, Payload, member, plain, text, typed},
    Host,
};

pub(super) const HOST: Host = Host {
    name: "copilot",
    title: "GitHub Copilot CLI",
    speaks_at: &[
        "sessionStart",
        "userPromptSubmitted",
        "preToolUse",
        "postToolUse",
        "postToolUseFailure",
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
    ],
    answers_failures: true,
    most_chars: 8_000,
    read,
    answer: |_, _, said| json!({ "additionalContext": said }).to_string(),
};

fn read(event: &str, payload: &Value) -> Payload {
    let happening = match event {
        "sessionStart" | "SessionStart" => Happening::Start,
        "userPromptSubmitted" | "UserPromptSubmit" => match typed(&plain(&payload["prompt"])) {
            Some(prompt) => Happening::Prompt(prompt),
            None => Happening::Nothing("no person typed this prompt"),
        },
        "preToolUse" | "PreToolUse" => Happening::Before(call(payload)),
        "postToolUse" | "PostToolUse" => Happening::After(vec![outcome(payload)]),
        "postToolUseFailure" | "PostToolUseFailure" => Happening::After(vec![failure(payload)]),
        "agentStop" | "Stop" => Happening::Pause,
        "sessionEnd" | "SessionEnd" => Happening::End,
        _ => Happening::Nothing("not listened to"),
    };
    Payload {
        session: text(payload, &["sessionId", "session_id"]).unwrap_or_default(),
        agent: None,
        directory: text(payload, &["cwd"]).map(Into::into),
        happening,
    }
}

/// There is no id of a call.
fn call(payload: &Value) -> Call {
    let input = member(payload, &["toolArgs", "tool_input"]);
    // Older versions gave the arguments as text.
    let parsed = input
        .as_str()
        .and_then(|text| serde_json::from_str(text).ok());
    Call {
        id: None,
        tool: text(payload, &["toolName", "tool_name"]).unwrap_or_default(),
        input: parsed.unwrap_or_else(|| input.clone()),
    }
}

fn outcome(payload: &Value) -> Outcome {
    let result = member(payload, &["toolResult", "tool_result"]);
    let kind = text(result, &["resultType", "result_type"]).unwrap_or_default();
    let told = text(result, &["textResultForLlm", "text_result_for_llm"]).unwrap_or_default();
    let end = match kind.as_str() {
        "failure" | "timeout" => End::Failed,
        _ => End::Worked,
    };
    let stopped = matches!(kind.as_str(), "rejected" | "denied");
    let outcome = Outcome::new(call(payload), end);
    let outcome = match outcome.call.command() {
        None => outcome.with_output(told),
        Some(_) => {
            let (output, exit) = exit_code(&told);
            outcome.with_exit(exit).with_output(output)
        }
    };
    outcome.unless(stopped)
}

fn failure(payload: &Value) -> Outcome {
    let error = plain(&payload["error"]);
    let error = match error.is_empty() {
        true => text(&payload["error"], &["message"]).unwrap_or_default(),
        false => error,
    };
    Outcome::new(call(payload), End::Failed)
        .with_output(error)
        .unless(false)
}

/// The output without its last line, `<shellId: 1 completed with exit code 2>`, and the code in it. A line that tells of
/// something that still runs has none.
fn exit_code(told: &str) -> (&str, Option<i64>) {
    let last = told.trim_end().rsplit('\n').next().unwrap_or_default();
    if !last.starts_with("<shellId:") {
        return (told, None);
    }
    let code = last
        .rsplit("exit code ")
        .next()
        .map(|rest| rest.trim_end_matches('>'));
    let end = told.trim_end().len() - last.len();
    (&told[..end], code.and_then(|code| code.parse().ok()))
}
