//! The outcome of a command: whether it failed outright, and in which way.
//!
//! Owns the order in which the ways are reported: what never started has no exit, and what took too long
//! was usually also killed for it; the answer of a probe is no failure, unless a code was expected of it. The text of
//! the failure is chosen by [`evidence`](crate::evidence), or by [`diagnostic`](crate::diagnostic) where the exit code
//! tells of none; a failure without a word is told by its command. Expectations other than the exit code are no
//! business of this file. An observation without exit code and signal says nothing about
//! success: it is a failure only if its text says so.

use twiceshy_adapter::Failure;
use twiceshy_shell::{Line, is_answer};

use crate::{
    action, diagnostic, evidence,
    payload::{Action, Expectations, Observation},
};

/// The exit code by which `timeout` and its like say that they ended a command.
const TIMED_OUT: i64 = 124;

/// Why the command failed outright; none if it did not.
pub(crate) fn failure(
    action: &Action,
    observation: &Observation,
    expectations: &Expectations,
) -> Option<Failure> {
    if let Some(message) = &observation.start_error {
        return Some(Failure {
            reason: "could not start".into(),
            evidence: evidence::bounded(message).into_owned(),
        });
    }
    let line = &action.command.line;
    let reason = if observation.timed_out {
        // Without the time: it differs from run to run and stands in the observation.
        "timed out".to_owned()
    } else if let Some(signal) = observation.signal {
        match signal_name(signal.get()) {
            Some(name) => format!("signal {signal} ({name})"),
            None => format!("signal {signal}"),
        }
    } else {
        match observation.exit {
            Some(0) | None => return reported_error(action, observation, expectations),
            // Exit 0 where another code was expected is an unmet condition, not an error of the command.
            Some(exit) if expectations.allows(exit) => return None,
            // Somebody asked, and this is the answer.
            Some(exit) if expectations.exit.is_none() && answers(line, exit, observation) => {
                return None;
            }
            Some(TIMED_OUT) if evidence::is_silent(&observation.stderr) => "timed out".to_owned(),
            Some(exit) => match killed_by(exit) {
                Some(name) => format!("exit {exit} ({name})"),
                None => format!("exit {exit}"),
            },
        }
    };
    let evidence = evidence::of_streams(&observation.stdout, &observation.stderr);
    let evidence = match evidence.is_empty() {
        // Known by its command, which is all there is.
        true => format!(
            "{}: {reason} without a word",
            action::name(line, observation.exit)
        ),
        false => evidence.into_owned(),
    };
    Some(Failure { reason, evidence })
}

/// The exit code is what a probe such as `grep` or `test` says, not that something went wrong.
fn answers(line: &Line, exit: i64, observation: &Observation) -> bool {
    if !line.commands.iter().any(|one| is_answer(one, exit)) {
        return false;
    }
    let output = evidence::of_streams(&observation.stdout, &observation.stderr);
    let Some(failed) = action::failed(line, &output, Some(exit)) else {
        return false;
    };
    // What printed an error did not merely answer; who asks for a program or a process is told so on the same stream.
    let one = &line.commands[failed];
    let asks_for_something = matches!(
        one.program(),
        "which" | "type" | "command" | "hash" | "kill"
    );
    is_answer(one, exit)
        && !action::is_made_a_failure(line, failed)
        && (asks_for_something || evidence::is_silent(&observation.stderr))
}

/// A failure that only the text tells of.
fn reported_error(
    action: &Action,
    observation: &Observation,
    expectations: &Expectations,
) -> Option<Failure> {
    if expectations.error_text {
        return None;
    }
    let reason = match observation.exit {
        Some(_) => "exit 0 with an error",
        None => "an error",
    };
    diagnostic::error_text(&action.command.line, observation).map(|evidence| Failure {
        reason: reason.into(),
        evidence: evidence.into_owned(),
    })
}

/// The signal that ended what a shell or a container ran, by the exit code that they make of it. The codes of
/// signals that also mean something else, such as 129 and 130, stay numbers.
fn killed_by(exit: i64) -> Option<&'static str> {
    match exit {
        132 | 134 | 136 | 137 | 139 | 143 => signal_name(u32::try_from(exit - 128).ok()?),
        _ => None,
    }
}

/// The signals that have the same number on every POSIX system of today; others stay numbers.
fn signal_name(signal: u32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use twiceshy_adapter::read;

    use super::*;

    fn reason(members: &str, expected: &str) -> Option<String> {
        let text = format!(r#"{{"stdout": "", "duration-ms": 1, {members}}}"#);
        let text = match members.contains("stderr") {
            true => text,
            false => text.replacen('{', r#"{"stderr": "why", "#, 1),
        };
        let observation = read("observation", &text).expect("an observation");
        let expectations = read("expectations", expected).expect("expectations");
        let action = Action {
            command: action::Command::of_line("x"),
            directory: None,
        };
        failure(&action, &observation, &expectations).map(|failure| failure.reason)
    }

    #[test]
    fn every_way_to_fail_has_its_reason() {
        let ways = [
            (r#""exit": 0"#, None),
            (r#""exit": 2"#, Some("exit 2")),
            (r#""exit": -1073741819"#, Some("exit -1073741819")),
            (r#""exit": 137"#, Some("exit 137 (SIGKILL)")),
            (r#""exit": 129"#, Some("exit 129")),
            (r#""signal": 9"#, Some("signal 9 (SIGKILL)")),
            (r#""signal": 7"#, Some("signal 7")),
            (r#""signal": 9, "timed-out": true"#, Some("timed out")),
            (r#""exit": 0, "timed-out": true"#, Some("timed out")),
            (r#""exit": 124"#, Some("timed out")),
            (
                r#""exit": 124, "stderr": "x: exited with status 255; aborting""#,
                Some("exit 124"),
            ),
            (
                r#""start-error": "Permission denied""#,
                Some("could not start"),
            ),
            (
                r#""exit": 0, "stderr": "x: a.txt: No such file or directory""#,
                Some("exit 0 with an error"),
            ),
            (r#""exit": null, "stderr": "error: no""#, Some("an error")),
            (r#""exit": null, "signal": null"#, None),
        ];
        for (members, expected) in ways {
            assert_eq!(reason(members, "{}").as_deref(), expected, "{members}");
        }
    }

    #[test]
    fn an_expected_exit_code_is_no_failure_and_an_unexpected_zero_is_none_of_the_command() {
        assert_eq!(reason(r#""exit": 1"#, r#"{"exit": [0, 1]}"#), None);
        assert_eq!(reason(r#""exit": 0"#, r#"{"exit": [1]}"#), None);
        assert_eq!(
            reason(r#""exit": 2"#, r#"{"exit": [1]}"#).as_deref(),
            Some("exit 2")
        );
        assert_eq!(
            reason(r#""signal": 15"#, r#"{"exit": [15]}"#).as_deref(),
            Some("signal 15 (SIGTERM)")
        );
    }

    #[test]
    fn error_text_is_no_failure_where_it_or_the_exit_code_is_expected() {
        let told = r#""exit": 0, "stderr": "error: no""#;
        assert_eq!(reason(told, r#"{"error-text": true}"#), None);
        let told = r#""exit": 1, "stderr": "error: no""#;
        assert_eq!(reason(told, r#"{"exit": [0, 1]}"#), None);
    }
}
