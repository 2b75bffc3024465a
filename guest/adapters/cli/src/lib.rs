//! The CLI adapter: what one executed command says on the four channels of feedback.
//!
//! A command that could not start, was killed, took too long, exited with a code that nobody expected
//! or reported an error although it exited 0 failed; an expectation that does not hold is a
//! violated condition; the share of expectations that hold, and the tests passed or items done that the
//! output tells of, are progress; time, steps and cost against what is known of them are efficiency. The
//! command is what is left without shells, timers and places around it, and of a list that failed the part
//! that failed; see `action`. It is a pure function: the exit code, the streams and generic error language are
//! all it looks at, and only `twiceshy-shell` knows programs by name, such as those that answer with their
//! exit code. It makes no fingerprints, no tags and masks no secrets: the memory does.
//!
//! ```
//! use twiceshy_adapter::{Assess, Goal, Step};
//! use twiceshy_adapter_cli::Cli;
//!
//! let goal = Goal { task: "list".into(), domain: "cli".into(), expectations: String::new() };
//! let step = Step {
//!     before: String::new(),
//!     action: r#"{"command": ["ls", "my file"]}"#.into(),
//!     observation: r#"{"exit": 2, "stdout": "", "stderr": "ls: my file: No such file", "duration-ms": 3}"#.into(),
//! };
//! let feedback = Cli.assess(&goal, &[], &step).unwrap();
//! assert_eq!(feedback.action_text, "ls \"my file\"");
//! assert_eq!(feedback.hard_failure.unwrap().reason, "exit 2");
//! ```
#![deny(missing_docs)]

pub mod action;
mod columns;
mod complaint;
mod diagnostic;
mod efficiency;
mod evidence;
mod expectation;
mod outcome;
mod past;
mod pattern;
pub mod payload;
mod progress;
mod shape;
mod tally;

use payload::{Action, Expectations, Observation};
use twiceshy_adapter::{
    Adapter, Assess, Error, Feedback, Goal, Judge, Manifest, PastStep, Seen, Step,
};

/// The one domain whose steps this adapter judges.
pub const DOMAIN: &str = "cli";

/// The adapter for executed commands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cli;

impl Adapter for Cli {
    type Action = Action;
    type Observation = Observation;
    type Expectations = Expectations;

    fn describe() -> Manifest {
        Manifest {
            name: "cli".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            domain: DOMAIN.into(),
            summary:
                "Judges an executed command by its exit, its output and what was expected of it."
                    .into(),
            action_schema: payload::ACTION_SCHEMA.into(),
            observation_schema: payload::OBSERVATION_SCHEMA.into(),
            expectations_schema: payload::EXPECTATIONS_SCHEMA.into(),
        }
    }

    fn assess(seen: &Seen<Self>) -> Result<Feedback, Error> {
        payload::check(seen)?;
        let conditions = expectation::Conditions::of(&seen.expectations)?;
        let hard_failure = outcome::failure(&seen.action, &seen.observation, &seen.expectations);
        let verdict = conditions.judge(seen);
        let progress_signal = progress::signal(seen, hard_failure.as_ref(), &verdict);
        let efficiency_signal = match hard_failure {
            // To fail quickly is no merit, and to fail slowly is said by the failure itself.
            Some(_) => None,
            None => efficiency::signal(seen),
        };
        let action_text = action::text(
            &seen.action.command.line,
            hard_failure.as_ref(),
            &seen.observation,
        );
        Ok(Feedback {
            action_text,
            hard_failure,
            constraint_failure: verdict.violations,
            progress_signal,
            efficiency_signal,
        })
    }
}

/// For those who hold the adapter natively.
impl Assess for Cli {
    fn describe(&self) -> Manifest {
        <Self as Adapter>::describe()
    }

    fn assess(&self, goal: &Goal, recent: &[PastStep], step: &Step) -> Result<Feedback, Error> {
        Judge::<Self>::new().assess(goal, recent, step)
    }
}

twiceshy_adapter::export!(Cli);
