//! `twiceshy adapter`: which adapters there are, and what becomes of them.
//!
//! Owns the subcommands' names and their dispatch; each has a file of its own.

mod check;
mod inspect;
mod install;
mod list;
mod named;
mod new;
mod release;
mod remove;
mod run;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{context::Context, failure::Failure};

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

#[derive(Debug, Subcommand)]
pub(crate) enum Adapter {
    /// Make a project for an adapter of your own: it builds, and passes its check.
    #[command(after_long_help = new::EXAMPLES)]
    New(new::New),
    /// List the adapters of the project, of the user, and those that are part of twiceshy.
    List,
    /// Show everything about an adapter: what it says of itself, what it gets, and how it came here.
    Inspect(Named),
    /// Install an adapter from a file, with a receipt that is checked whenever it is loaded.
    Install(install::Install),
    /// Check any component against the contract: a conformance kit, and golden traces of yours.
    #[command(after_long_help = check::EXAMPLES)]
    Check(check::Arguments),
    /// Let an adapter judge recorded steps, and show its feedback.
    #[command(after_long_help = run::EXAMPLES)]
    Run(run::Arguments),
    /// Remove an installed adapter.
    Remove(remove::Remove),
    /// Call an adapter again that has failed too often in a row.
    Release(Named),
}

#[derive(Debug, Args)]
pub(crate) struct Named {
    /// The adapter's name.
    pub(crate) name: String,
}

pub(crate) fn adapter(context: &Context, command: &Adapter) -> Result<ExitCode, Failure> {
    match command {
        Adapter::New(new) => new::new(context, new),
        Adapter::List => list::list(context),
        Adapter::Inspect(named) => inspect::inspect(context, named),
        Adapter::Install(install) => install::install(context, install),
        Adapter::Check(arguments) => check::check(context, arguments),
        Adapter::Run(arguments) => run::run(context, arguments),
        Adapter::Remove(remove) => remove::remove(context, remove),
        Adapter::Release(named) => release::release(context, named),
    }
}
