//! Hostile adapters in Rust, built for WASI as their authors would.
//!
//! Owns what they have in common: an adapter that takes any step and answers with the outcome of its deed, so that a
//! deed that succeeds shows what it got. Each of them is an example of this crate.
#![deny(missing_docs)]

use serde::Deserialize;
use twiceshy_adapter::{Feedback, Manifest};

/// A payload that is not looked at.
#[derive(Debug, Default, Deserialize)]
pub struct Anything {}

/// What a guest says of itself.
pub fn manifest(name: &str) -> Manifest {
    let schema = r#"{"type": "object"}"#;
    Manifest {
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        domain: "cli".to_owned(),
        summary: "Means no good.".to_owned(),
        action_schema: schema.to_owned(),
        observation_schema: schema.to_owned(),
        expectations_schema: schema.to_owned(),
    }
}

/// What a guest says of a step after its deed.
pub fn feedback(outcome: String) -> Feedback {
    Feedback {
        action_text: outcome,
        hard_failure: None,
        constraint_failure: Vec::new(),
        progress_signal: None,
        efficiency_signal: None,
    }
}

/// An adapter that does something at every step, and perhaps something else when it is asked what it is.
#[macro_export]
macro_rules! guest {
    ($name:literal, $deed:expr) => {
        $crate::guest!($name, $deed, $crate::manifest($name));
    };
    ($name:literal, $deed:expr, $manifest:expr) => {
        /// The guest.
        pub struct Guest;

        impl twiceshy_adapter::Adapter for Guest {
            type Action = $crate::Anything;
            type Observation = $crate::Anything;
            type Expectations = $crate::Anything;

            fn describe() -> twiceshy_adapter::Manifest {
                $manifest
            }

            fn assess(
                _: &twiceshy_adapter::Seen<Self>,
            ) -> Result<twiceshy_adapter::Feedback, twiceshy_adapter::Error> {
                let deed: fn() -> String = $deed;
                Ok($crate::feedback(deed()))
            }
        }

        twiceshy_adapter::export!(Guest);
    };
}
