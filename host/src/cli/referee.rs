//! A referee: a command that scores a run, independent of whoever worked on it.
//!
//! Owns running it and reading its score. What it prints is for the score alone: none of it enters the
//! memory. A referee that does not work says nothing about the run, which is then scored without it.

use std::{ffi::OsStr, os::unix::process::ExitStatusExt, time::Duration};

use serde_json::Value;
use twiceshy::{
    Finished, Subprocess, SubprocessError,
    wit::memory::{Ending, Outcome, Referee},
};

use super::failure::Failure;

/// What is read of a referee's output.
const MOST_BYTES: usize = 16 << 20;

/// A shell's own exit codes for a command that it can't start.
const NOT_STARTED: [i32; 2] = [126, 127];

/// The arguments that name a referee.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A shell command that scores the result: exit 0 passes with 1, any other fails with 0, unless its last line
    /// is `score: N` or `{"score": N}` with N from 0 to 1.
    #[arg(long, value_name = "CMD")]
    referee: Option<String>,
    /// How long the referee may take, in seconds.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 300,
        value_parser = clap::value_parser!(u64).range(1..=86_400)
    )]
    referee_seconds: u64,
}

impl Arguments {
    /// Whether there is a referee.
    pub(crate) fn given(&self) -> bool {
        self.referee.is_some()
    }

    /// The end of a run as the referee sees it, in this directory; none without a referee.
    ///
    /// # Errors
    /// If the referee could not do its work.
    pub(crate) fn ending(&self) -> Result<Option<Ending>, Failure> {
        let Some(command) = &self.referee else {
            return Ok(None);
        };
        let trouble = |why: &str| {
            Failure::other(format!(
                "the referee `{command}` {why}; the run is scored without it"
            ))
        };
        let finished = Subprocess {
            command: ["sh", "-c", command].map(OsStr::new).to_vec(),
            input: b"",
            time: Duration::from_secs(self.referee_seconds),
            most_bytes: MOST_BYTES,
        }
        .run()
        .map_err(|error| match error {
            SubprocessError::Late => trouble(&format!(
                "did not end within {} seconds (--referee-seconds)",
                self.referee_seconds
            )),
            SubprocessError::TooMuch => trouble("printed too much"),
            SubprocessError::Start(error) => trouble(&format!("can't be started ({error})")),
            _ => trouble("failed"),
        })?;
        judge(&finished).map(Some).map_err(|why| trouble(&why))
    }
}

/// An ending with a deterministic score.
pub(crate) fn scored(passed: bool, score: f64) -> Ending {
    Ending {
        outcome: Some(if passed {
            Outcome::Success
        } else {
            Outcome::Failure
        }),
        score: Some(score),
        referee: Some(Referee::Deterministic),
    }
}

fn judge(finished: &Finished) -> Result<Ending, String> {
    let code = match (finished.status.code(), finished.status.signal()) {
        (Some(code), _) if NOT_STARTED.contains(&code) => {
            return Err(format!("can't be started (exit {code})"));
        }
        (Some(code), _) => code,
        (None, signal) => return Err(format!("was killed by signal {}", signal.unwrap_or(0))),
    };
    let passed = code == 0;
    let output = String::from_utf8_lossy(&finished.output);
    let last = output
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty());
    let score = match last.and_then(said) {
        None => f64::from(u8::from(passed)),
        Some(Some(score)) if (0.0..=1.0).contains(&score) => score,
        Some(_) => return Err("gave a score that is not a number from 0 to 1".to_owned()),
    };
    Ok(scored(passed, score))
}

/// The score that a line states; none if it states none, nothing within if it is no number.
fn said(line: &str) -> Option<Option<f64>> {
    let lower = line.to_ascii_lowercase();
    if let Some(number) = lower.strip_prefix("score:") {
        return Some(number.trim().parse().ok());
    }
    let value: Value = serde_json::from_str(line).ok()?;
    Some(value.get("score")?.as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(command: &str) -> Result<Ending, String> {
        let arguments = Arguments {
            referee: Some(command.to_owned()),
            referee_seconds: 1,
        };
        match arguments.ending() {
            Ok(ending) => Ok(ending.expect("a referee is given")),
            Err(failure) => Err(failure.message().to_owned()),
        }
    }

    #[test]
    fn the_exit_code_passes_or_fails() {
        for (command, passed, score) in [
            ("true", Outcome::Success, 1.0),
            ("exit 3", Outcome::Failure, 0.0),
            ("echo no score here", Outcome::Success, 1.0),
            ("echo 7", Outcome::Success, 1.0),
        ] {
            let ending = ending(command).expect(command);
            assert_eq!(ending.outcome, Some(passed), "{command}");
            assert_eq!(ending.score, Some(score), "{command}");
            assert_eq!(ending.referee, Some(Referee::Deterministic));
        }
    }

    #[test]
    fn a_score_in_the_last_line_counts() {
        for (command, passed, score) in [
            ("echo log; echo score: 0.7", Outcome::Success, 0.7),
            ("echo 'Score: 0.25'; echo; exit 1", Outcome::Failure, 0.25),
            (
                r#"echo '{"score": 0.5, "why": "half"}'"#,
                Outcome::Success,
                0.5,
            ),
            ("echo score: 0.1; echo done", Outcome::Success, 1.0),
        ] {
            let ending = ending(command).expect(command);
            assert_eq!((ending.outcome, ending.score), (Some(passed), Some(score)));
        }
    }

    #[test]
    fn a_referee_that_does_not_work_condemns_nobody() {
        for command in [
            "echo score: 7",
            "echo score: nan",
            "echo score: many",
            r#"echo '{"score": "high"}'"#,
            "twiceshy-no-such-program",
            "kill -9 $$",
            "sleep 100",
        ] {
            let why = ending(command).expect_err(command);
            assert!(why.contains(command), "{why}");
        }
    }
}
