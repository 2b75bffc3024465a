//! The contracts of twiceshy as Rust types.
//!
//! The `.wit` files beside this crate are the one source: a record, variant or enum of
//! `twiceshy:adapter`, `twiceshy:host` or `twiceshy:memory` is one Rust type here, with the contract's
//! own documentation, and the same type on every side: in the engine, in the guests' bindings, in the
//! host and in JSON. No layer converts between copies of it. What is made from the `.wit` files is in
//! `src/generated`; `cargo run -p twiceshy-wit-generator` writes it again.
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
//!
//! The same contract is there as data, for code that makes commands, forms or schemas of it:
//!
//! ```
//! use twiceshy_wit::Function;
//! let function = Function::named("lessons.propose").expect("a function");
//! assert!(!function.docs.is_empty());
//! assert_eq!(function.schema()["arguments"]["properties"]["rule-text"]["type"], "string");
//! ```
#![deny(missing_docs)]

pub mod description;
mod generated;
pub mod rpc;
mod schema;
mod shape;

pub use description::{Case, Enum, Field, Function, Interface, Parameter, Record, Type, Variant};
pub use generated::{
    adapter,
    description::{self as nouns, FUNCTIONS, INTERFACES},
    host, memory,
};
