//! The navigation adapter: what one move in a grid or a continuous world says on the four channels of feedback.
//!
//! A collision, a forbidden zone, the edge of the world and an end without the goal fail outright; a move without
//! effect, going or turning to and fro, too little clearance and a goal that recedes are violated conditions; the way
//! that is left is progress; the way that was needed, as a share of the way that was gone, is efficiency. It is a pure
//! function and knows no world by its name: poses, distances and what the world reports are all it looks at.
//!
//! The action's text begins with the situation, `[locked door, carrying key] toggle`, and a failure names it, too: so what
//! fails in one place is the same failure in another, and an action that works there is found to be the right one.
//!
//! ```
//! use twiceshy_adapter::{Assess, Goal, Judge, Step};
//! use twiceshy_adapter_navigation::Navigation;
//!
//! let goal = Goal {
//!     task: "reach the green square".into(),
//!     domain: "navigation".into(),
//!     expectations: r#"{"goal": [5, 1]}"#.into(),
//! };
//! let step = Step {
//!     before: r#"{"position": [1, 1], "ahead": "wall"}"#.into(),
//!     action: r#"{"name": "forward"}"#.into(),
//!     observation: r#"{"position": [1, 1], "collision": "wall"}"#.into(),
//! };
//! let feedback = Judge::<Navigation>::new().assess(&goal, &[], &step).unwrap();
//! assert_eq!(feedback.action_text, "[wall] forward");
//! assert_eq!(feedback.hard_failure.unwrap().reason, "collision");
//! ```
#![deny(missing_docs)]

mod course;
mod danger;
pub mod payload;
mod point;
mod way;

use payload::{Action, Expectations, Observation};
use twiceshy_adapter::{Adapter, Error, Feedback, Manifest, Seen};

/// The adapter for moves in a world.
#[derive(Debug, Clone, Copy, Default)]
pub struct Navigation;

impl Adapter for Navigation {
    type Action = Action;
    type Observation = Observation;
    type Expectations = Expectations;

    fn describe() -> Manifest {
        Manifest {
            name: "navigation".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            domain: "navigation".into(),
            summary: "Judges a move by where it led, what it hit and how far the goal still is."
                .into(),
            action_schema: payload::ACTION_SCHEMA.into(),
            observation_schema: payload::OBSERVATION_SCHEMA.into(),
            expectations_schema: payload::EXPECTATIONS_SCHEMA.into(),
        }
    }

    fn assess(seen: &Seen<Self>) -> Result<Feedback, Error> {
        payload::check(seen)?;
        let hard_failure = danger::failure(seen);
        let mut violations = danger::violations(seen);
        // What a failed move did not do is said by the failure.
        if hard_failure.is_none() {
            violations.extend(course::violations(seen));
        }
        let failed = hard_failure.is_some() || !violations.is_empty();
        let progress_signal = way::progress(seen, failed);
        let efficiency_signal = match hard_failure {
            Some(_) => None,
            None => way::efficiency(seen),
        };
        Ok(Feedback {
            action_text: seen.action.text(seen.before.as_ref()),
            hard_failure,
            constraint_failure: violations,
            progress_signal,
            efficiency_signal,
        })
    }
}

twiceshy_adapter::export!(Navigation);
