//! How nouns are kept: as documents in the host's store.
//!
//! A function that only reads takes a [`Reader`]. One that asks a model or an embedder, or that
//! commits, takes the [`Desk`]. What is written at once is put into a [`Batch`].

mod batch;
mod desk;
mod documents;
mod errors;
mod ports;
mod reader;
mod vectors;

pub(crate) use batch::Batch;
pub(crate) use desk::Desk;
pub(crate) use documents::*;
pub(crate) use errors::*;
pub use ports::Ports;
pub(crate) use reader::Reader;
pub(crate) use vectors::{EMBEDDED, MODEL, Made, Meaning, beginning, is_of_words};
