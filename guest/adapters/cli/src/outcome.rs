//! The outcome of a command: whether it failed outright, and in which way.
//!
//! Owns the order in which the ways are told: what never started has no exit, and what took too long
//! was usually also killed for it. The text of the failure is chosen by [`evidence`](crate::evidence);
//! expectations other than the exit code are no business of this file. An observation without exit
//! code and signal says nothing about success, so it is no failure either.

use twiceshy_wit::adapter::Failure;

use crate::{
    evidence,
    payload::{Expectations, Observation},
};

/// Why the command failed outright; none if it did not.
pub(crate) fn failure(observation: &Observation, expectations: &Expectations) -> Option<Failure> {
    if let Some(message) = &observation.start_error {
        return Some(Failure {
            reason: "could not start".into(),
            evidence: evidence::bounded(message).into_owned(),
        });
    }
    let reason = if observation.timed_out {
        // Without the time: it differs from run to run and stands in the observation.
        "timed out".to_owned()
    } else if let Some(signal) = observation.signal {
        match signal_name(signal.get()) {
            Some(name) => format!("signal {signal} ({name})"),
            None => format!("signal {signal}"),
        }
    } else {
        // Exit 0 where another code was expected is an unmet condition, not an error of the command.
        let exit = observation.exit.filter(|exit| *exit != 0)?;
        if expectations.allows(exit) {
            return None;
        }
        format!("exit {exit}")
    };
    Some(Failure {
        reason,
        evidence: evidence::of_streams(&observation.stdout, &observation.stderr).into_owned(),
    })
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
    use super::*;

    fn reason(members: &str, expected: &str) -> Option<String> {
        let text = format!(r#"{{"stdout": "", "stderr": "why", "duration-ms": 1, {members}}}"#);
        let observation = Observation::read(&text).expect("an observation");
        let expectations = Expectations::read(expected).expect("expectations");
        failure(&observation, &expectations).map(|failure| failure.reason)
    }

    #[test]
    fn every_way_to_fail_has_its_reason() {
        let ways = [
            (r#""exit": 0"#, None),
            (r#""exit": 2"#, Some("exit 2")),
            (r#""exit": -1073741819"#, Some("exit -1073741819")),
            (r#""signal": 9"#, Some("signal 9 (SIGKILL)")),
            (r#""signal": 7"#, Some("signal 7")),
            (r#""signal": 9, "timed-out": true"#, Some("timed out")),
            (r#""exit": 0, "timed-out": true"#, Some("timed out")),
            (
                r#""start-error": "Permission denied""#,
                Some("could not start"),
            ),
            (r#""exit": null, "signal": null"#, None),
        ];
        for (members, expected) in ways {
            assert_eq!(reason(members, "").as_deref(), expected, "{members}");
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
}
