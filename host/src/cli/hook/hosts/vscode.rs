//! Visual Studio Code, its own agent.
//!
//! Claude Code's names with `sessionId` and `hookEventName`; there is no event for a tool that failed, and no exit code: the text of a
//! command's result decides. Prompts take no context, so the briefing waits for a call.

use serde_json::Value;

use super::{
    super::payload::{End, Outcome, Payload, plain},
    Host, claude, hook_specific,
};

pub(super) const HOST: Host = Host {
    name: "vscode",
    title: "Visual Studio Code",
    speaks_at: &["SessionStart", "PreToolUse", "PostToolUse"],
    answers_failures: true,
    most_chars: 8_000,
    read,
    answer: hook_specific,
};

fn read(event: &str, payload: &Value) -> Payload {
    claude::session(payload, claude::common(event, payload, &outcome))
}

fn outcome(payload: &Value) -> Outcome {
    let call = claude::call(payload);
    let told = plain(&payload["tool_response"]);
    let end = match call.command() {
        Some(_) => End::Unknown,
        None => End::Worked,
    };
    Outcome::new(call, end)
        .with_exit(exit_code(&told))
        .with_output(told)
        .unless(false)
}

/// The exit code if a line of the result says so: `Command exited with code 1`, `exit code: 1`.
fn exit_code(told: &str) -> Option<i64> {
    let last = told.trim_end().rsplit('\n').next()?.to_ascii_lowercase();
    let (_, rest) = last
        .split_once("exited with code ")
        .or_else(|| last.split_once("exit code: "))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
