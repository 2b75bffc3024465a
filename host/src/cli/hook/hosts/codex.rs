//! Codex.
//!
//! `PostToolUse` has the bare output of a command and no exit code: that is at the end of the transcript by then. An answer with any
//! member that it does not know is dropped as a whole. Hooks run only after the user has reviewed them.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
};

use serde_json::Value;

use super::{
    super::payload::{End, Happening, Outcome, Payload, plain, text},
    Host, claude, hook_specific,
};

/// How much of the end of a transcript is looked at: an output of a command is in it, too.
const TAIL_BYTES: u64 = 256 << 10;

pub(super) const HOST: Host = Host {
    name: "codex",
    title: "Codex",
    speaks_at: &[
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
    ],
    answers_failures: true,
    // About 2,500 tokens; beyond, the middle is put into a file.
    most_chars: 8_000,
    read,
    answer: hook_specific,
};

fn read(event: &str, payload: &Value) -> Payload {
    let happening = match event {
        "Interrupt" => Happening::Nothing("an interrupt"),
        _ => claude::common(event, payload, &outcome),
    };
    claude::session(payload, happening)
}

fn outcome(payload: &Value) -> Outcome {
    let response = &payload["tool_response"];
    let call = claude::call(payload);
    if call.command().is_none() {
        let end = match response["isError"] == true {
            true => End::Failed,
            false => End::Worked,
        };
        return Outcome::new(call, end)
            .with_output(plain(response))
            .unless(false);
    }
    let exit = exit_code(payload);
    Outcome::new(call, End::Unknown)
        .with_exit(exit)
        .with_output(plain(response))
        .unless(false)
}

/// The exit code of the call, from the end of the transcript.
fn exit_code(payload: &Value) -> Option<i64> {
    let id = text(payload, &["tool_use_id"])?;
    let mut file = File::open(text(payload, &["transcript_path"])?).ok()?;
    let length = file.metadata().ok().filter(|data| data.is_file())?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))
        .ok()?;
    let mut tail = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut tail).ok()?;
    let tail = String::from_utf8_lossy(&tail);
    let lines = tail.lines().rev().filter(|line| line.contains(&id));
    lines.into_iter().find_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        let item = &line["payload"]["item"];
        (item["id"] == id.as_str()).then(|| item["exit_code"].as_i64())?
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use serde_json::json;

    use super::*;

    #[test]
    fn the_exit_code_is_read_from_the_end_of_the_transcript() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("rollout.jsonl");
        let item = |id: &str, exit: i64| json!({"payload": {"type": "item_completed", "item": {"id": id, "exit_code": exit}}});
        let mut file = fs::File::create(&path).expect("a file");
        // A line that is cut off in front is passed over.
        writeln!(file, "{}", "x".repeat(300 << 10)).expect("written");
        writeln!(file, "{}\n{}\nhalf a li", item("a", 1), item("b", 0)).expect("written");
        let read = |id: &str| exit_code(&json!({"tool_use_id": id, "transcript_path": path}));
        assert_eq!((read("a"), read("b"), read("c")), (Some(1), Some(0), None));
        let nowhere = json!({"tool_use_id": "a", "transcript_path": "/nowhere"});
        assert_eq!(exit_code(&nowhere), None);
    }
}
