//! The target that the guests are compiled for.
//!
//! A crate of its own without any dependency, so that its build script runs before anything large is
//! compiled: a missing target is reported within seconds.
#![deny(missing_docs)]

/// The target of the guests.
pub const TARGET: &str = "wasm32-unknown-unknown";
