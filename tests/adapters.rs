//! The plugin host: adapters are found, installed, verified, bounded, counted and released, as a user meets it.
//!
//! The adapters here are small components made for the purpose, in the text format: what counts is what the host does.

mod archives;
mod contracts;
mod discovery;
mod fixture;
mod grants;
mod installing;
mod limits;
mod strikes;
mod trying;
