//! Gemini CLI.
//!
//! The exit code is a line of the text that the model gets. When a tool reports an error, context is lost, and only an answer in its
//! place gets through: the error again, with the hint behind it. `PreCompress` fires before every turn.

use serde_json::{Value, json};

use super::{
    super::payload::{Call, End, Happening, Outcome, Payload, plain, text, typed},
    Host, claude, hook_specific,
};

pub(super) const HOST: Host = Host {
    name: "gemini",
    title: "Gemini CLI",
    speaks_at: &["SessionStart", "BeforeAgent", "AfterTool"],
    answers_failures: true,
    most_chars: 8_000,
    read,
    answer,
};

fn read(event: &str, payload: &Value) -> Payload {
    let happening = match event {
        "SessionStart" => Happening::Start,
        "BeforeAgent" => match typed(&plain(&payload["prompt"])) {
            Some(prompt) => Happening::Prompt(prompt),
            None => Happening::Nothing("no person typed this prompt"),
        },
        "BeforeTool" => Happening::Before(call(payload)),
        "AfterTool" => Happening::After(vec![outcome(payload)]),
        "AfterAgent" => Happening::Pause,
        "SessionEnd" => Happening::End,
        _ => Happening::Nothing("not listened to"),
    };
    claude::session(payload, happening)
}

/// There is no id of a call.
fn call(payload: &Value) -> Call {
    claude::call(payload)
}

fn outcome(payload: &Value) -> Outcome {
    let response = &payload["tool_response"];
    let call = call(payload);
    if let Some(message) = text(&response["error"], &["message"]) {
        return Outcome::new(call, End::Failed)
            .with_output(message)
            .unless(false);
    }
    let told = plain(&response["llmContent"]);
    if call.command().is_none() {
        return Outcome::new(call, End::Worked).with_output(told);
    }
    let report = Report::of(&told);
    let exit = report.exit.or(report.signal.is_none().then_some(0));
    let mut outcome = Outcome::new(call, End::Failed)
        .with_exit(exit)
        .with_output(report.output);
    outcome.signal = report.signal;
    outcome.unless(false)
}

fn answer(event: &str, payload: &Value, said: &str) -> String {
    let error = &payload["tool_response"]["error"];
    if event != "AfterTool" || error.is_null() {
        return hook_specific(event, payload, said);
    }
    let told = plain(&payload["tool_response"]["llmContent"]);
    json!({ "decision": "deny", "reason": format!("{told}\n\n{said}") }).to_string()
}

/// The text in which Gemini CLI and Qwen Code tell how a command went.
pub(super) struct Report<'t> {
    pub(super) output: &'t str,
    pub(super) exit: Option<i64>,
    pub(super) signal: Option<i64>,
}

impl<'t> Report<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let (mut exit, mut signal) = (None, None);
        let mut rest = text.trim_end();
        // The last lines are the host's; what a command prints is before them.
        while let Some((before, last)) = rest.rsplit_once('\n') {
            if let Some(code) = last.strip_prefix("Exit Code: ") {
                exit = code.trim().parse().ok();
            } else if let Some(number) = last.strip_prefix("Signal: ") {
                signal = number.trim().parse().ok();
            } else if !is_label(last) {
                break;
            }
            rest = before;
        }
        let output = match rest.split_once("Output: ") {
            Some((before, output)) if before.is_empty() || before.ends_with('\n') => output,
            _ => rest,
        };
        Self {
            output: match output.trim() {
                "(empty)" | "(none)" => "",
                _ => output,
            },
            exit,
            signal,
        }
    }
}

fn is_label(line: &str) -> bool {
    [
        "Process Group PGID: ",
        "Background PIDs: ",
        "Error: (none)",
        "</untrusted_context>",
    ]
    .iter()
    .any(|label| line.starts_with(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_of_a_command_is_taken_apart() {
        let text = "<untrusted_context>\nOutput: a\nExit Code: 9 is no code\nb\nExit Code: 2\nProcess Group PGID: 7\n</untrusted_context>";
        let report = Report::of(text);
        assert_eq!(report.output, "a\nExit Code: 9 is no code\nb");
        assert_eq!((report.exit, report.signal), (Some(2), None));
        let killed = Report::of("Output: (empty)\nSignal: 9\nProcess Group PGID: 7");
        assert_eq!((killed.output, killed.signal), ("", Some(9)));
        assert_eq!(Report::of("").output, "");
    }
}
