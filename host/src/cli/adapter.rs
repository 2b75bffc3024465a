//! `twiceshy adapter`: which adapters there are, and what becomes of them.
//!
//! Each of its commands has a file of its own.

pub(crate) mod check;
pub(crate) mod inspect;
pub(crate) mod install;
pub(crate) mod list;
mod named;
pub(crate) mod new;
pub(crate) mod release;
pub(crate) mod remove;
pub(crate) mod run;

use clap::Args;

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy adapter new orders --lang python
  twiceshy adapter list
  twiceshy adapter inspect cli
  twiceshy adapter check lamp.wasm --golden golden
  twiceshy adapter run lamp.wasm --steps steps.jsonl
  twiceshy adapter install lamp.wasm
  twiceshy adapter install --project lamp-0.1.0.tar.gz
  twiceshy adapter release lamp
  twiceshy adapter remove lamp

An adapter turns a step into feedback. It is a component in a sandbox: no files, no network, no clock. What it may
use is the smaller of what its adapter.toml asks for and what [adapters.NAME] in your own config.toml grants. One that
fails three times in a row is not called any more until it is released.";

#[derive(Debug, Args)]
pub(crate) struct Named {
    /// The adapter's name.
    pub(crate) name: String,
}
