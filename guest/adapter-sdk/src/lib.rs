//! What the author of a domain adapter depends on.
//!
//! An adapter turns one step of an agent into feedback on four channels: it failed outright, a condition
//! does not hold, it came closer to the goal, it was worth its cost. It is a pure function: no files, no
//! network, no clock, no memory of its own. The author writes three payloads as types, and the
//! function; reading, refusing what does not fit, and the component are done here.
//!
//! ```
//! use serde::Deserialize;
//! use twiceshy_adapter::{Adapter, Assess, Error, Failure, Feedback, Goal, Judge, Manifest, Seen, Step};
//!
//! /// A lamp that can be switched on and off.
//! struct Lamp;
//!
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Switch { to: bool }
//!
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Light { on: bool }
//!
//! #[derive(Default, Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Nothing {}
//!
//! impl Adapter for Lamp {
//!     type Action = Switch;
//!     type Observation = Light;
//!     type Expectations = Nothing;
//!
//!     fn describe() -> Manifest {
//!         Manifest {
//!             name: "lamp".into(),
//!             version: "0.1.0".into(),
//!             domain: "lamp".into(),
//!             summary: "Judges whether a lamp does what its switch says.".into(),
//!             action_schema: r#"{"type": "object", "required": ["to"]}"#.into(),
//!             observation_schema: r#"{"type": "object", "required": ["on"]}"#.into(),
//!             expectations_schema: r#"{"type": "object"}"#.into(),
//!         }
//!     }
//!
//!     fn assess(seen: &Seen<Self>) -> Result<Feedback, Error> {
//!         let broken = seen.action.to != seen.observation.on;
//!         Ok(Feedback {
//!             action_text: format!("switch {}", if seen.action.to { "on" } else { "off" }),
//!             hard_failure: broken.then(|| Failure {
//!                 reason: "no effect".into(),
//!                 evidence: "the lamp does not follow its switch".into(),
//!             }),
//!             constraint_failure: Vec::new(),
//!             progress_signal: None,
//!             efficiency_signal: None,
//!         })
//!     }
//! }
//!
//! // In a component: makes it one. Anywhere else: nothing.
//! twiceshy_adapter::export!(Lamp);
//!
//! let goal = Goal { task: String::new(), domain: "lamp".into(), expectations: String::new() };
//! let step = Step { before: String::new(), action: r#"{"to": true}"#.into(), observation: r#"{"on": false}"#.into() };
//! let feedback = Judge::<Lamp>::new().assess(&goal, &[], &step).unwrap();
//! assert_eq!(feedback.hard_failure.unwrap().reason, "no effect");
//! ```
#![deny(missing_docs)]

mod adapter;
mod bounds;
mod contract;
#[cfg(target_family = "wasm")]
#[doc(hidden)]
pub mod last_words;
mod payload;

pub use adapter::{Adapter, Judge, Past, Seen};
#[cfg(target_family = "wasm")]
#[doc(hidden)]
pub use contract::bindings;
pub use contract::{Assess, Error, Failure, Feedback, Goal, Manifest, PastStep, Step, Violation};
pub use payload::{PAYLOAD_BYTES, read, refused};
