//! Every payload that was recorded of real hosts: what is understood, and what is answered, byte for byte.
//!
//! The recordings are not part of the repository: they are looked for in `../shared/fixtures/hosts` beside it, or where
//! `TWICESHY_FIXTURES` says. What they must give is in `golden/`; `TWICESHY_GOLDEN=write` writes it anew. The same must come of each
//! if nobody says which host wrote it.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{Scratch, learned, scratch, session};
use crate::{skipped::skipped, support::repository};

/// An event as a host wrote it.
struct Recorded {
    name: String,
    event: String,
    payload: Value,
}

fn fixtures() -> Option<PathBuf> {
    let beside = || {
        repository()
            .parent()
            .map(|parent| parent.join("shared/fixtures"))
    };
    let place = env::var_os("TWICESHY_FIXTURES")
        .map(PathBuf::from)
        .or_else(beside)?;
    let place = place.join("hosts");
    let found = place.is_dir();
    if !found {
        skipped(&format!(
            "the recorded payloads are not at {}",
            place.display()
        ));
    }
    found.then_some(place)
}

/// The payloads of a host that are files of their own: `EVENT[.variant].json`.
fn files(place: &Path, host: &str) -> Vec<Recorded> {
    let Ok(directory) = fs::read_dir(place.join("payloads").join(host)) else {
        return Vec::new();
    };
    let mut found: Vec<_> = directory
        .filter_map(|file| {
            let path = file.ok()?.path();
            let name = path.file_name()?.to_str()?.to_owned();
            let payload = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
            let event = match name.strip_prefix("event.") {
                Some(inner) => inner.trim_end_matches(".json").to_owned(),
                None => name.trim_end_matches(".json").to_owned(),
            };
            let known = [
                "tool.execute.after",
                "tool.execute.before",
                "chat.message",
                "message.part.updated",
                "session.created",
                "session.idle",
                "session.compacted",
                "session.error",
            ];
            let dotted = known.iter().find(|known| event.starts_with(*known));
            let event = dotted.map_or_else(
                || event.split('.').next().unwrap_or_default().to_owned(),
                |one| (*one).to_owned(),
            );
            (!name.starts_with('_')).then_some(Recorded {
                name,
                event,
                payload,
            })
        })
        .collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// The payloads of a recording, `{argv, stdin}` or `{hook, args}` on each line.
fn lines(place: &Path, file: &str) -> Vec<Recorded> {
    let text = fs::read_to_string(place.join(file)).unwrap_or_default();
    let rollout = place.join("codex-0.166.0-rollout.jsonl");
    let lines = text.lines().enumerate().filter_map(|(at, line)| {
        let line: Value = serde_json::from_str(line).ok()?;
        let (event, mut payload) = match line["hook"].as_str() {
            Some("event") => (
                line["args"]["type"].as_str()?.to_owned(),
                json!({ "input": line["args"] }),
            ),
            Some(hook) => (hook.to_owned(), line["args"].clone()),
            None => (line["argv"][1].as_str()?.to_owned(), line["stdin"].clone()),
        };
        if file.starts_with("codex") && payload.is_object() {
            payload["transcript_path"] = rollout.to_str()?.into();
        }
        let name = format!("{file}:{}", at + 1);
        Some(Recorded {
            name,
            event,
            payload,
        })
    });
    lines.collect()
}

/// What differs from one run of this test to the next: ids of runs and times.
fn settled(mut text: String) -> String {
    for (mark, is_part) in [
        (
            "run_",
            (|c: char| c.is_ascii_hexdigit()) as fn(char) -> bool,
        ),
        ("failed here before (", |c| c != ')'),
    ] {
        let mut from = 0;
        while let Some(at) = text[from..].find(mark) {
            let start = from + at + mark.len();
            let end = text[start..].find(|c| !is_part(c));
            let end = end.map_or(text.len(), |end| start + end);
            // `run_commands` is the name of a tool.
            if end - start >= 16 {
                text.replace_range(start..end, "…");
            }
            from = start;
        }
    }
    text
}

/// A memory with a lesson for the failure in most recordings, and with a command that never worked.
fn prepared() -> Scratch {
    let scratch = scratch();
    learned(&scratch);
    let first = session(&scratch, "prepared");
    for (rule, trigger) in [
        (
            "WRONG: cat a guessed name → CORRECT: ls, then cat",
            "cat: a.txt: No such file or directory",
        ),
        (
            "WRONG: read a guessed path → CORRECT: list the directory first",
            "File not found: /srv/a.txt",
        ),
    ] {
        scratch.call(
            "lessons.propose",
            &json!({ "rule-text": rule, "trigger-texts": [trigger] }),
        );
    }
    first.fails("ls | grep zzz; false", "");
    first.tell("SessionEnd", json!({}));
    scratch
}

fn check(host: &str, recorded: Vec<Recorded>) {
    let prepared = prepared();
    let mut golden = String::new();
    for Recorded {
        name,
        event,
        payload,
    } in recorded
    {
        // Each is told to a memory of its own, so that none depends on another.
        let told = |words: &[&str]| {
            let copy = tempfile::tempdir().expect("a directory");
            copy_tree(&prepared.memory(), copy.path());
            let memory = copy.path().to_str().expect("a path");
            let arguments = [&["--memory", memory, "hook"], words, &["--explain"]].concat();
            let ran = prepared.run_with(&arguments, payload.to_string().as_bytes());
            assert_eq!(ran.code(), 0, "{name}");
            ran.json()
        };
        let mut line = told(&[host, &event]);
        // OpenCode has no hooks but our plugin, which names its host; what Codex calls `notify` is no event of a hook, and comes
        // as an argument.
        let is_notice = event == "notify" || event.starts_with('{') || payload.is_null();
        if host != "opencode" && !is_notice {
            let by_its_marks = settled(told(&[&event]).to_string());
            assert_eq!(by_its_marks, settled(line.to_string()), "{name}");
        }
        line["payload"] = name.into();
        line["event"] = event.into();
        assert_eq!(line["trouble"], Value::Null, "{line}");
        golden.push_str(&settled(line.to_string()));
        golden.push('\n');
    }
    let path = repository().join(format!("tests/hook/golden/{host}.jsonl"));
    if env::var_os("TWICESHY_GOLDEN").is_some() {
        fs::write(&path, &golden).expect("written");
        return;
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    for (at, (now, known)) in golden.lines().zip(known.lines()).enumerate() {
        assert_eq!(now, known, "{host}, line {}", at + 1);
    }
    assert_eq!(golden.lines().count(), known.lines().count(), "{host}");
}

fn copy_tree(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("readable") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&target).expect("made");
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).expect("copied");
        }
    }
}

macro_rules! goldens {
    ($($test:ident $host:literal $($file:literal)*;)*) => {$(
        #[test]
        fn $test() {
            let Some(place) = fixtures() else {
                return;
            };
            let files = files(&place, $host).into_iter();
            let recorded: Vec<_> = files$(.chain(lines(&place, $file)))*.collect();
            assert!(!recorded.is_empty(), "nothing was recorded of {}", $host);
            check($host, recorded);
        }
    )*};
}

goldens! {
    what_claude_code_told_is_understood_and_answered "claude" "claude-code-2.1.325.jsonl" "claude-code-2.1.325-subagents-compact.jsonl";
    what_codex_told_is_understood_and_answered "codex" "codex-0.166.0.jsonl";
    what_gemini_cli_told_is_understood_and_answered "gemini" "gemini-cli-0.61.0.jsonl";
    what_qwen_code_told_is_understood_and_answered "qwen";
    what_opencode_told_is_understood_and_answered "opencode" "opencode-1.18.33.jsonl";
    what_copilot_cli_told_is_understood_and_answered "copilot" "copilot-cli-1.0.102.jsonl";
    what_cline_told_is_understood_and_answered "cline";
    what_kimi_code_told_is_understood_and_answered "kimi";
    what_mistral_vibe_told_is_understood_and_answered "vibe";
    what_openhands_told_is_understood_and_answered "openhands";
}
