//! Text: everything of twiceshy that needs nothing but characters.
//!
//! The lowest of the crates, for guests and host: [`terms`] are what texts are found by, [`likeness`] says whether two of
//! them put forward the same hypothesis, [`lexicon`] which words say nothing, [`script`] what a character is. [`vector`]
//! compares by meaning, [`number`] has functions of numbers, [`instant`] reads and writes dates, [`schema`] checks JSON Schemas, [`control`] and [`html`] show
//! text from outside without harm, and [`digest()`] turns texts into ids. There is one of each: who needs such a thing
//! finds it here. Pure functions: the same text gives the same bytes on every machine.
//!
//! A constant stands with what it limits, here and in the crates above.
#![deny(missing_docs)]

pub mod control;
mod cut;
mod digest;
pub mod html;
pub mod instant;
pub mod lexicon;
pub mod likeness;
pub mod number;
pub mod schema;
pub mod script;
mod stem;
pub mod terms;
pub mod vector;

pub use digest::digest;
