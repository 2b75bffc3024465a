//! The computer-use adapter: what one action on a screen says on the four channels of feedback.
//!
//! An error of the program that drives the screen and a guard that is hit fail outright. A dialog in the way, an action that meets
//! another element than it was meant for or one that can't be used, one without effect, and one that does not bring about
//! what it is there for are violated conditions, as are targets that are not met when the agent says that it is done. The
//! share of targets that are met is progress; the share of recent actions that had an effect is efficiency. It is a pure
//! function and knows no program by its name: elements by role and name, as an accessibility tree has them, a digest of
//! the document and the hash of a picture are all it looks at.
//!
//! ```
//! use twiceshy_adapter::{Assess, Goal, Judge, Step};
//! use twiceshy_adapter_computer_use::ComputerUse;
//!
//! let goal = Goal {
//!     task: "set the tempo to 128".into(),
//!     domain: "computer-use".into(),
//!     expectations: r#"{"targets": [{"role": "spinbutton", "name": "BPM", "property": "value", "is": "128"}]}"#.into(),
//! };
//! let step = Step {
//!     before: r#"{"elements": [{"role": "spinbutton", "name": "BPM", "value": "120"}]}"#.into(),
//!     action: r#"{"kind": "type", "target": {"role": "spinbutton", "name": "BPM"}, "text": "128"}"#.into(),
//!     observation: r#"{"elements": [{"role": "spinbutton", "name": "BPM", "value": "128"}]}"#.into(),
//! };
//! let feedback = Judge::<ComputerUse>::new().assess(&goal, &[], &step).unwrap();
//! assert_eq!(feedback.action_text, r#"type "128" into spinbutton "BPM""#);
//! assert_eq!(feedback.progress_signal, Some(1.0));
//! ```
#![deny(missing_docs)]

mod effect;
pub mod payload;
mod screen;
mod target;
mod wording;

use payload::{Action, Expectations, Observation};
use twiceshy_adapter::{Adapter, Error, Failure, Feedback, Manifest, Seen};

/// The adapter for actions on a screen.
#[derive(Debug, Clone, Copy, Default)]
pub struct ComputerUse;

impl Adapter for ComputerUse {
    type Action = Action;
    type Observation = Observation;
    type Expectations = Expectations;

    fn describe() -> Manifest {
        Manifest {
            name: "computer-use".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            domain: "computer-use".into(),
            summary: "Judges an action on a screen by what it changed and which targets are met."
                .into(),
            action_schema: payload::ACTION_SCHEMA.into(),
            observation_schema: payload::OBSERVATION_SCHEMA.into(),
            expectations_schema: payload::EXPECTATIONS_SCHEMA.into(),
        }
    }

    fn assess(seen: &Seen<Self>) -> Result<Feedback, Error> {
        payload::check(seen)?;
        let hard_failure = failure(seen);
        let mut violations = Vec::new();
        if hard_failure.is_none() {
            violations.extend(effect::violations(seen));
            violations.extend(target::unmet_at_the_end(seen));
        }
        violations.truncate(64);
        let failed = hard_failure.is_some() || !violations.is_empty();
        let efficiency_signal = match hard_failure {
            Some(_) => None,
            None => effect::efficiency(seen),
        };
        Ok(Feedback {
            action_text: wording::of(&seen.action, seen.before.as_ref()),
            progress_signal: target::progress(seen, failed),
            hard_failure,
            constraint_failure: violations,
            efficiency_signal,
        })
    }
}

/// Why the action failed outright: what the driver says, or a guard that was hit by it.
fn failure(seen: &Seen<ComputerUse>) -> Option<Failure> {
    if let Some(error) = &seen.observation.error {
        return Some(Failure {
            reason: "refused".into(),
            evidence: error.trim().to_owned(),
        });
    }
    let guard = target::guard_hit(seen)?;
    Some(Failure {
        reason: "guard".into(),
        evidence: format!("safety guard hit: {guard}"),
    })
}

twiceshy_adapter::export!(ComputerUse);
