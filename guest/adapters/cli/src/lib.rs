//! The CLI adapter: what one executed command says on the four channels of feedback.
//!
//! A command that could not start, was killed, took too long or exited with a code that nobody
//! expected failed outright; an expectation that does not hold is a violated condition; the share of
//! expectations that hold is progress; the time against what is known of it is efficiency. It is a
//! pure function and knows no command by its name: the exit code, the streams and generic error
//! language are all it looks at. It makes no fingerprints, no tags and masks no secrets: the memory
//! does.
//!
//! ```
//! use twiceshy_adapter_cli::Cli;
//! use twiceshy_wit::adapter::{Assess, Goal, Step};
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

mod columns;
mod evidence;
mod expectation;
mod outcome;
mod pattern;
pub mod payload;
mod quote;
mod signals;

// Natively there is nothing to export, and the linker would refuse the names of the contract.
#[cfg(target_family = "wasm")]
mod component;

use payload::{Action, Expectations, Observation};
use twiceshy_wit::adapter::{Assess, Error, Feedback, Goal, Manifest, PastStep, Step};

/// The one domain whose steps this adapter judges.
pub const DOMAIN: &str = "cli";

/// The adapter for executed commands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cli;

impl Assess for Cli {
    fn describe(&self) -> Manifest {
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

    fn assess(&self, goal: &Goal, recent: &[PastStep], step: &Step) -> Result<Feedback, Error> {
        if goal.domain != DOMAIN {
            return Err(Error::Unsupported(format!(
                "this adapter judges steps of the domain {DOMAIN}, not of {:?}",
                goal.domain
            )));
        }
        let action = Action::read(&step.action)?;
        let observation = Observation::read(&step.observation)?;
        if !step.before.trim().is_empty() {
            Observation::read_before(&step.before)?;
        }
        let expectations = Expectations::read(&goal.expectations)?;
        let conditions = expectation::Conditions::of(&expectations)?;

        let hard_failure = outcome::failure(&observation, &expectations);
        let verdict = conditions.judge(&action, &observation);
        let progress_signal = signals::progress(&action, hard_failure.as_ref(), &verdict, recent);
        let efficiency_signal = match hard_failure {
            // To fail quickly is no merit, and to fail slowly is said by the failure itself.
            Some(_) => None,
            None => signals::efficiency(&action, &observation, &expectations, recent),
        };
        Ok(Feedback {
            action_text: quote::command_line(&action.command),
            hard_failure,
            constraint_failure: verdict.violations,
            progress_signal,
            efficiency_signal,
        })
    }
}
