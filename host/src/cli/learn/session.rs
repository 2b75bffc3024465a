//! A recorded session, as every format yields it: what was asked for, what was run, and what came of it.

use std::{collections::HashMap, path::PathBuf, sync::Arc};

/// A task in bytes: what the memory keeps of one.
const TASK_BYTES: usize = 4 << 10;

/// What an agent or a person did in one sitting.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Its name, as the host has it.
    pub(crate) id: String,
    /// The sub-agent whose steps these are.
    pub(crate) agent: Option<String>,
    pub(crate) place: Place,
    pub(crate) steps: Vec<Step>,
}

/// Where a session worked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// Nobody wrote it down.
    #[default]
    Unknown,
    Directory(PathBuf),
    /// The SHA-256 of the directory's path, in hexadecimal digits.
    Hash(String),
}

/// A command that was run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    /// Names this step among all of its format, for good.
    pub(crate) key: String,
    /// What was asked for last, in words.
    pub(crate) task: Arc<str>,
    /// When it ended, in milliseconds since the Unix epoch; 0 if nobody wrote it down.
    pub(crate) at: u64,
    pub(crate) duration_ms: u64,
    /// The command line.
    pub(crate) line: String,
    pub(crate) directory: Option<String>,
    pub(crate) output: String,
    pub(crate) end: End,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Exit(i64),
    TimedOut,
    /// Only the output can tell.
    Unknown,
}

/// The calls of a session while it is read: each begins, and may end later. What never ends is no step.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    calls: Vec<Call>,
    places: HashMap<String, usize>,
    task: Arc<str>,
}

#[derive(Debug)]
struct Call {
    step: Step,
    begun_at: u64,
    has_ended: bool,
}

impl Calls {
    /// Takes in what a person asked for. Words that no person typed are ignored.
    pub(crate) fn ask(&mut self, text: &str) {
        if let Some(task) = typed(text) {
            self.task = task.into();
        }
    }

    /// Takes in that a command began.
    pub(crate) fn begin(&mut self, key: &str, line: &str, directory: Option<&str>, at: u64) {
        if key.is_empty() || line.trim().is_empty() || self.places.contains_key(key) {
            return;
        }
        self.places.insert(key.to_owned(), self.calls.len());
        self.calls.push(Call {
            step: Step {
                key: key.to_owned(),
                task: self.task.clone(),
                at,
                duration_ms: 0,
                line: line.to_owned(),
                directory: directory.map(str::to_owned),
                output: String::new(),
                end: End::Unknown,
            },
            begun_at: at,
            has_ended: false,
        });
    }

    /// Takes in how a command ended. Of several accounts, one with an exit code counts more, then the first one.
    pub(crate) fn end(&mut self, key: &str, at: u64, output: &str, end: End) {
        let Some(call) = self.places.get(key).map(|place| &mut self.calls[*place]) else {
            return;
        };
        if call.has_ended && (call.step.end != End::Unknown || end == End::Unknown) {
            return;
        }
        call.has_ended = true;
        let step = &mut call.step;
        step.at = at.max(step.at);
        step.duration_ms = match call.begun_at {
            0 => 0,
            begun_at => step.at - begun_at,
        };
        output.clone_into(&mut step.output);
        step.end = end;
    }

    /// The commands that ended, in the order in which they began.
    pub(crate) fn into_steps(self) -> Vec<Step> {
        let ended = self.calls.into_iter().filter(|call| call.has_ended);
        ended.map(|call| call.step).collect()
    }
}

/// What a person typed; none for what a host inserts in a person's name.
fn typed(text: &str) -> Option<String> {
    let mut rest = text.trim();
    // Context that hooks and hosts put in front of the person's words.
    while let Some((name, inside)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        let end = format!("</{}>", name.split_whitespace().next().unwrap_or_default());
        rest = inside.split_once(&end)?.1.trim_start();
    }
    let is_inserted = [
        "Caveat: ",
        "[Request interrupted",
        "This session is being continued",
    ]
    .iter()
    .any(|start| rest.starts_with(start));
    if rest.is_empty() || is_inserted {
        return None;
    }
    Some(rest[..rest.floor_char_boundary(TASK_BYTES)].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_person_typed_is_a_task() {
        assert_eq!(typed(" fix it ").as_deref(), Some("fix it"));
        assert_eq!(
            typed("<hook_context>a</hook_context>\n\nfix it").as_deref(),
            Some("fix it")
        );
        for inserted in [
            "",
            "<task-notification>done</task-notification>",
            "<environment_context>\n <cwd>/x</cwd>",
            "Caveat: The messages below were generated by the user",
            "[Request interrupted by user]",
        ] {
            assert_eq!(typed(inserted), None, "{inserted}");
        }
    }

    #[test]
    fn a_call_that_never_ended_is_no_step_and_an_exit_code_counts_more_than_none() {
        let mut calls = Calls::default();
        calls.ask("build");
        calls.begin("a", "make", None, 1_000);
        calls.begin("b", "make test", None, 2_000);
        calls.end("b", 2_500, "text", End::Unknown);
        calls.end("b", 2_600, "whole text", End::Exit(2));
        calls.end("b", 2_700, "later", End::Exit(0));
        calls.end("c", 2_700, "nobody began it", End::Exit(0));
        let steps = calls.into_steps();
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].output, "whole text");
        assert_eq!(steps[0].end, End::Exit(2));
        assert_eq!((steps[0].at, steps[0].duration_ms), (2_600, 600));
        assert_eq!(&*steps[0].task, "build");
    }
}
