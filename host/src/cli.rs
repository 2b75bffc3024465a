//! The command line: one module for each command.

mod adapter;
mod arguments;
mod belonging;
mod call;
mod capture;
mod child;
mod consolidate;
mod context;
mod date;
mod decide;
mod demo;
mod doctor;
mod episodes;
mod events;
mod expect;
mod experience;
mod experiment;
mod export;
mod failure;
mod failures;
mod fingerprint;
mod handoff;
mod health;
mod import;
mod init;
mod input;
mod ledger;
mod lessons;
mod links;
mod patterns;
mod prune;
mod recall;
mod referee;
mod run;
mod show;
mod skills;
mod stats;
mod status;
mod task;
mod terminal_run;
mod why;
mod words;
mod working;

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
        Command::Stats(stats) => stats::stats(&Context::new(common)?, stats),
        Command::Episodes(episodes) => episodes::episodes(&Context::new(common)?, episodes),
        Command::Events(events) => events::events(&Context::new(common)?, events),
        Command::Fingerprint(fingerprint) => {
            fingerprint::fingerprint(&Context::new(common)?, fingerprint)
        }
        Command::Task(task) => task::task(&Context::new(common)?, task),
        Command::Lessons(lessons) => lessons::lessons(&Context::new(common)?, lessons),
        Command::Patterns(patterns) => patterns::patterns(&Context::new(common)?, patterns),
        Command::Links(links) => links::links(&Context::new(common)?, links),
        Command::Skills(skills) => skills::skills(&Context::new(common)?, skills),
        Command::Export(export) => export::export(&Context::new(common)?, export),
        Command::Import(import) => import::import(&Context::new(common)?, import),
        Command::Why(why) => why::why(&Context::new(common)?, why),
        Command::Recall(recall) => recall::recall(&Context::new(common)?, recall),
        Command::Health(health) => health::health(&Context::new(common)?, health),
        Command::Consolidate(consolidate) => {
            consolidate::consolidate(&Context::new(common)?, consolidate)
        }
        Command::Prune(prune) => prune::prune(&Context::new(common)?, prune),
        Command::Call(call) => call::call(&Context::new(common)?, call),
        Command::Adapter(adapter) => adapter::adapter(&Context::new(common)?, adapter),
        Command::Doctor(doctor) => doctor::doctor(common, doctor),
        Command::Demo(demo) => demo::demo(demo, common),
        Command::Experiment(experiment) => experiment::experiment(experiment, common),
        Command::Decide(decide) => decide::decide(&Context::new(common)?, decide),
        Command::Experience(experience) => {
            experience::experience(&Context::new(common)?, experience)
        }
        Command::Failures(failures) => failures::failures(&Context::new(common)?, failures),
        Command::Working(working) => working::working(&Context::new(common)?, working),
        Command::Ledger(ledger) => ledger::ledger(&Context::new(common)?, ledger),
        Command::Handoff(handoff) => handoff::handoff(&Context::new(common)?, handoff),
        Command::Completions { shell } => {
            let mut arguments = Arguments::command();
            clap_complete::generate(*shell, &mut arguments, "twiceshy", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
    }
}
