//! Context.
