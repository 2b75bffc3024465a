//! Whatever a host sends, the hook ends with 0 and stands in nobody's way.

use std::{
    process::{Command, Stdio},
    thread,
};

use serde_json::{Value, json};

use super::{Scratch, scratch, session};

const HOSTS: [&str; 12] = [
    "claude",
    "codex",
    "gemini",
    "qwen",
    "opencode",
    "copilot",
    "cursor",
    "cline",
    "vscode",
    "kimi",
    "vibe",
    "openhands",
];

/// A generator of nonsense that is the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    /// A value of any shape, with members that hosts use.
    fn value(&mut self, depth: u64) -> Value {
        let names = [
            "tool_input",
            "tool_response",
            "tool_calls",
            "prompt",
            "error",
            "command",
            "session_id",
            "cwd",
            "content",
            "output",
            "input",
            "metadata",
            "exit",
            "parts",
            "tool_result",
            "tool_name",
            "transcript_path",
            "llmContent",
        ];
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(u64::MAX) as i64),
            3 => json!("Exit code 99999999999999999999\n\u{0}\u{202e}<hook_context>"),
            4 => json!("bash"),
            5 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let mut object = json!({});
                for _ in 0..self.below(7) {
                    let name = names[self.below(names.len() as u64) as usize];
                    object[name] = self.value(depth - 1);
                }
                object
            }
        }
    }
}

#[test]
fn a_host_is_known_by_what_people_call_it() {
    let scratch = scratch();
    let failure = json!({
        "session_id": "called", "cwd": scratch.path(), "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash", "tool_input": { "command": "cat gone.txt" }, "tool_use_id": "t1",
        "error": "Exit code 1\ncat: gone.txt: No such file or directory",
    });
    let failure = failure.to_string();
    assert_eq!(
        tell(
            &scratch,
            "claude-code",
            "PostToolUseFailure",
            failure.as_bytes()
        ),
        0
    );
    assert_eq!(scratch.events().len(), 1);
}

fn tell(scratch: &Scratch, host: &str, event: &str, bytes: &[u8]) -> i32 {
    scratch.run_with(&["hook", host, event], bytes).code()
}

#[test]
fn nonsense_of_any_shape_is_taken_without_a_word() {
    let scratch = scratch();
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let events = [
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "AfterTool",
        "tool.execute.after",
        "message.part.updated",
        "post_tool",
        "UserPromptSubmit",
    ];
    for round in 0..96 {
        let host = HOSTS[round % HOSTS.len()];
        let event = events[round % events.len()];
        let value = chance.value(4).to_string();
        let mut bytes = value.into_bytes();
        if round % 3 == 0 {
            let at = chance.below(bytes.len() as u64) as usize;
            bytes[at] = 0xff;
            bytes.truncate(bytes.len() - at / 2);
        }
        assert_eq!(tell(&scratch, host, event, &bytes), 0, "{host} {event}");
    }
    let log = scratch.run(&["watch", "--no-follow", "--json", "--last", "4000", "--all"]);
    assert!(!log.stdout().contains("panicked"), "{}", log.stdout());
}

#[test]
fn unknown_hosts_events_and_flags_are_no_errors() {
    let scratch = scratch();
    for arguments in [
        &["hook"][..],
        &["hook", "nobody", "PostToolUse"],
        &["hook", "claude"],
        &["hook", "claude", "NoSuchEvent"],
        &["hook", "claude", "Stop", "--no-such-flag"],
        &["hook", "claude", "Stop", "more", "words"],
        &["hook", "claude", "Stop", "--by-setup"],
        &["--memory", "elsewhere", "hook", "--no-such-flag"],
    ] {
        let ran = scratch.run_with(arguments, b"{}");
        assert_eq!(
            (ran.code(), ran.stdout().as_str()),
            (0, ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn more_than_16_mib_are_not_read() {
    let scratch = scratch();
    let mut event = br#"{"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "make"}, "error": ""#.to_vec();
    event.resize(17 << 20, b'x');
    event.extend_from_slice(b"\"}");
    assert_eq!(tell(&scratch, "claude", "PostToolUseFailure", &event), 0);
    assert!(!scratch.memory().join("memory.db").exists());
}

#[test]
fn an_output_of_many_mebibytes_is_remembered_by_its_ends() {
    let scratch = scratch();
    let middle = "x".repeat(9 << 20);
    let one = session(&scratch, "one");
    one.fails(
        &format!("make {}", "y".repeat(1 << 20)),
        &format!("begun\n{middle}\nmake: *** [all] Error 1"),
    );
    let events = scratch.events();
    assert_eq!(events.len(), 1);
    assert!(
        events[0]["evidence"]
            .as_str()
            .is_some_and(|text| text.contains("make: *** [all] Error 1"))
    );
}

#[test]
fn a_host_that_does_not_read_its_answer_is_no_trouble() {
    let scratch = scratch();
    super::learned(&scratch);
    let event = json!({
        "session_id": "s", "cwd": scratch.path(), "tool_name": "Bash", "tool_input": {"command": "./report --format=jsn x"},
        "error": format!("Exit code 1\n{}", super::NO_SUCH_FORMAT),
    });
    let mut command: Command = scratch.command(&["hook", "claude", "PostToolUseFailure"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    std::io::Write::write_all(
        &mut child.stdin.take().expect("a pipe"),
        event.to_string().as_bytes(),
    )
    .expect("written");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn eight_hooks_at_once_lose_nothing() {
    let scratch = scratch();
    session(&scratch, "first").fails("make 0", "make: *** [0] Error 1");
    thread::scope(|scope| {
        for at in 1..=8 {
            let scratch = &scratch;
            scope.spawn(move || {
                // Two in each session, so that some have to wait for each other.
                let ids = ["a", "b", "c", "d"];
                let one = session(scratch, ids[at % 4]);
                for round in 0..5 {
                    one.fails(
                        &format!("./build {at}{round}"),
                        &format!("build: target t{at}{round} is broken beyond repair"),
                    );
                }
            });
        }
    });
    assert_eq!(scratch.events().len(), 41);
    scratch.assert_sound();
}
