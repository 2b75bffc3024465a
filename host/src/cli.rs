//! The command line: one module for each command.

mod arguments;
mod call;
mod capture;
mod child;
mod context;
mod decide;
mod doctor;
mod events;
mod expect;
mod failure;
mod failures;
mod fingerprint;
mod init;
mod run;
mod show;
mod status;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use nix::sys::signal::{SigHandler, Signal, signal};

use arguments::{Arguments, Command, Common};
use context::Context;
use failure::Failure;

/// Runs the command that the arguments name.
pub(crate) fn main() -> ExitCode {
    let Arguments { command, common } = Arguments::parse();
    // A report whose reader has gone, as with `| head`, is not worth a message. A command that is run has to
    // feel that by itself.
    if !matches!(command, Command::Run(_)) {
        // SAFETY: no handler is installed, only the default restored.
        let _ = unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) };
    }
    dispatch(&command, &common).unwrap_or_else(|failure| failure.report(common.json))
}

fn dispatch(command: &Command, common: &Common) -> Result<ExitCode, Failure> {
    match command {
        // A command runs whatever is wrong with its memory.
        Command::Run(run) => Ok(run::run(run, common)),
        Command::Init => init::init(&Context::new(common)?),
        Command::Status => status::status(&Context::new(common)?),
        Command::Events(events) => events::events(&Context::new(common)?, events),
        Command::Fingerprint(fingerprint) => {
            fingerprint::fingerprint(&Context::new(common)?, fingerprint)
        }
        Command::Call(call) => call::call(&Context::new(common)?, call),
        Command::Decide(decide) => decide::decide(&Context::new(common)?, decide),
        Command::Failures(failures) => failures::failures(&Context::new(common)?, failures),
        Command::Doctor => doctor::doctor(common),
        Command::Completions { shell } => {
            let mut arguments = Arguments::command();
            clap_complete::generate(*shell, &mut arguments, "twiceshy", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
    }
}
