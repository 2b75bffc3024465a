//! What a failure is known by, and what of a text must never be kept.
//!
//! [`fingerprint`] turns the output of any tool into a template and an id, [`tags`] says what kind of failure it tells
//! of, and [`secrets`] masks what is nobody's business before anything is stored or shown. Pure functions over text.
#![deny(missing_docs)]

pub mod fingerprint;
pub mod secrets;
pub mod tags;
