//! Learning, as pure functions: what a run teaches, what a rule says, and whether it helps.
//!
//! [`mining`] finds lessons in the steps of a run, [`general`] makes one of several, [`advice`] reads the text of a rule, [`insertion`] puts hints into an
//! agent's context and knows them again when they come back, [`ways`] finds what worked in other runs of a task, and
//! [`usefulness`] measures what a lesson is worth. Who keeps lessons, shows them and counts is the business of the
//! engine above.
#![deny(missing_docs)]

pub mod advice;
pub mod analogy;
pub mod form;
pub mod general;
pub mod insertion;
pub mod mining;
pub mod usefulness;
pub mod ways;
