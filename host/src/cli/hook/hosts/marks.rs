//! Marks: what an event has in it that says which host wrote it, for a hook that was registered without naming its host.
//!
//! Most hosts took over names and members of Claude Code, and each has some of its own beside them: Claude Code is what is left. The
//! environment says nothing, because hosts set each other's variables.

use serde_json::Value;

/// The names of events that one host alone has.
const GEMINI: [&str; 8] = [
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "BeforeTool",
    "AfterTool",
    "PreCompress",
];
const VIBE: [&str; 3] = ["pre_tool", "post_tool", "post_agent"];

/// The name of the host that wrote an event.
pub(super) fn writer(event: &str, payload: &Value) -> Option<&'static str> {
    let has = |member: &str| !payload[member].is_null();
    let transcript = payload["transcript_path"].as_str().unwrap_or_default();
    let file = transcript.rsplit('/').next().unwrap_or_default();
    let is_stamped = payload["timestamp"].is_string();
    let marks = [
        // Members of theirs alone.
        ("cursor", has("cursor_version") || has("conversation_id")),
        ("cline", has("clineVersion")),
        ("openhands", has("event_type") && has("working_dir")),
        ("kimi", has("client_type")),
        ("vibe", VIBE.contains(&event)),
        ("opencode", event.contains('.')),
        ("vscode", has("sessionId") && has("hookEventName")),
        ("copilot", has("sessionId")),
        // Members of Claude Code, and something beside them.
        (
            "codex",
            has("turn_id") && !has("prompt_id") || file.starts_with("rollout-"),
        ),
        (
            "qwen",
            is_stamped && (has("permission_mode") || has("prompt_id")),
        ),
        (
            "gemini",
            GEMINI.contains(&event) || is_stamped && transcript.contains("/.gemini/"),
        ),
        ("copilot", is_stamped && has("session_id")),
        ("claude", has("session_id")),
    ];
    let found = marks.into_iter().find(|(_, is_there)| *is_there);
    found.map(|(name, _)| name)
}

/// What the event itself says it is called.
pub(super) fn event(payload: &Value) -> Option<&str> {
    ["hook_event_name", "hookEventName", "event_type"]
        .iter()
        .find_map(|member| payload[member].as_str())
}
