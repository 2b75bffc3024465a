//! The contracts of twiceshy as Rust types.
//!
//! The `.wit` files beside this crate are the one source: a record, variant or enum of
//! `twiceshy:adapter`, `twiceshy:host` or `twiceshy:memory` is one Rust type here, with the contract's
//! own documentation, and the same type on every side: in the engine, in the guests' bindings, in the
//! host and in JSON. No layer converts between copies of it.
//!
//! In JSON, members and cases keep the names of the contract (`rule-text`), a variant is an object
//! with its case as the only member, options and lists may be left out, and a `json` member may be
//! given as the value itself instead of as text.
//!
//! ```
//! use twiceshy_wit::memory::LessonCandidate;
//! let lesson: LessonCandidate =
//!     serde_json::from_str(r#"{"rule-text": "WRONG: sort by -n → CORRECT: sort by +n"}"#)?;
//! assert!(lesson.trigger_fingerprints.is_empty());
//! # Ok::<(), serde_json::Error>(())
//! ```
#![deny(missing_docs)]

mod function;
pub mod rpc;

pub use function::{Function, Parameter};

/// The nouns of `twiceshy:adapter`.
pub mod adapter {
    include!(concat!(env!("OUT_DIR"), "/adapter.rs"));
}

/// The nouns of `twiceshy:host`.
pub mod host {
    include!(concat!(env!("OUT_DIR"), "/host.rs"));
}

/// The nouns of `twiceshy:memory`.
pub mod memory {
    include!(concat!(env!("OUT_DIR"), "/memory.rs"));
}

/// Every function that the memory component exports, `rpc` left out, in the order of the contract.
pub static FUNCTIONS: &[Function] = include!(concat!(env!("OUT_DIR"), "/functions.rs"));

/// What tests ask of the contracts.
pub mod audit {
    include!(concat!(env!("OUT_DIR"), "/audit.rs"));
}

include!(concat!(env!("OUT_DIR"), "/serve_exports.rs"));
include!(concat!(env!("OUT_DIR"), "/serve_memory.rs"));
