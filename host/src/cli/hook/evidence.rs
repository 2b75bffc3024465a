//! What a call of a tool is as a step: whether it is evidence at all, its action, its output, and how it went.

use serde_json::json;
use twiceshy::wit::adapter::{Failure as Failed, Feedback, Step};

use super::{
    super::capture::Capture,
    payload::{Call, End, Outcome, Payload},
};

/// Whether a step says anything: not if somebody stopped it, and not if it is ours.
pub(super) fn is_evidence(outcome: &Outcome) -> bool {
    outcome.end != End::NoEvidence && !is_ours(&outcome.call)
}

/// A command of ours is remembered by itself, and a tool of ours speaks of memory.
fn is_ours(call: &Call) -> bool {
    if call.command().is_none() {
        return call.tool.contains("twiceshy");
    }
    let line = twiceshy_shell::parse(&call.line());
    let is_ours = |words: &[String]| words.first().is_some_and(|word| word.ends_with("twiceshy"));
    let is_wrapped = |wrappers: &[String]| wrappers.iter().any(|name| name == "twiceshy");
    line.commands
        .iter()
        .any(|one| is_ours(&one.words) || is_wrapped(&one.wrappers))
}

/// An outcome with no more of its output than `twiceshy run` keeps of a command's.
pub(super) fn shortened(outcome: &Outcome, most_bytes: usize) -> Outcome {
    let bounded = |text: &str| {
        let mut capture = Capture::new(most_bytes);
        capture.push(text.as_bytes());
        capture.text()
    };
    Outcome {
        output: bounded(&outcome.output),
        errors: bounded(&outcome.errors),
        ..outcome.clone()
    }
}

/// The step of a call. Those of tools have the form of commands, too, so that one adapter can read all earlier steps.
pub(super) fn step(outcome: &Outcome, payload: &Payload) -> Step {
    let mut action = json!({ "command": outcome.call.line() });
    if let Some(directory) = payload.directory.as_ref().and_then(|path| path.to_str()) {
        action["directory"] = directory.into();
    }
    let is_tool = outcome.call.command().is_none();
    let (stdout, stderr) = match is_tool && outcome.end == End::Failed {
        true => ("", &outcome.output),
        false => (outcome.output.as_str(), &outcome.errors),
    };
    let observation = json!({
        "exit": outcome.exit,
        "signal": outcome.signal.filter(|signal| *signal > 0),
        "stdout": stdout,
        "stderr": stderr,
        "duration-ms": outcome.duration_ms,
    });
    Step {
        before: String::new(),
        action: action.to_string(),
        observation: observation.to_string(),
    }
}

/// The feedback on a tool that runs no command: the host says whether it worked.
pub(super) fn tool_feedback(outcome: &Outcome) -> Feedback {
    Feedback {
        action_text: outcome.call.line(),
        hard_failure: (outcome.end == End::Failed).then(|| Failed {
            reason: "the tool failed".to_owned(),
            evidence: outcome.output.clone(),
        }),
        ..Feedback::default()
    }
}
