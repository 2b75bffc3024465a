//! The command line: one module for each command made by hand, one for all that are generated from the contract.

macro_rules! println {
    () => { $crate::cli::streams::out(format_args!(""), "\n") };
    ($($text:tt)*) => { $crate::cli::streams::out(format_args!($($text)*), "\n") };
}
macro_rules! print {
    ($($text:tt)*) => { $crate::cli::streams::out(format_args!($($text)*), "") };
}
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::cli::streams::told(format_args!($($text)*), "\n") };
}
macro_rules! eprint {
    ($($text:tt)*) => { $crate::cli::streams::told(format_args!($($text)*), "") };
}

mod adapter;
mod arguments;
mod backup;
mod belonging;
mod bench;
mod call;
mod capture;
mod care;
mod child;
mod common_file;
mod config;
mod consolidate;
mod context;
mod date;
mod decisions;
mod demo;
mod doctor;
mod episodes;
mod events;
mod expect;
mod experience;
mod experiment;
mod export;
mod failure;
mod fingerprint;
mod generated;
mod health;
mod hook;
mod http;
mod import;
mod init;
mod input;
mod interruption;
mod judge;
mod learn;
mod lessons;
mod line_of_work;
mod man;
mod mcp;
mod migrate;
mod pieces;
mod prune;
mod question;
mod recall;
mod referee;
mod reindex;
mod render;
mod run;
mod serve;
mod session;
mod session_run;
mod setup;
mod share;
mod show;
mod skills;
mod stats;
mod status;
mod streams;
mod table;
mod task;
mod told;
mod tree;
mod trust;
mod uninstall;
mod users_memory;
mod watch;
mod why;
mod words;
mod working;

use std::{env, process::ExitCode};

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction, signal};

/// Takes a file that may not grow further for an error like that of a full disk: by itself, the signal would end us instead of the
/// command that was run. A handler is nothing that a command inherits.
fn outlive_limits() {
    extern "C" fn nothing(_: nix::libc::c_int) {}
    let nothing = SigAction::new(
        SigHandler::Handler(nothing),
        SaFlags::SA_RESTART,
        SigSet::empty(),
    );
    // SAFETY: the handler does nothing.
    if let Ok(before) = unsafe { sigaction(Signal::SIGXFSZ, &nothing) }
        && matches!(before.handler(), SigHandler::SigIgn)
    {
        // What was ignored for us stays ignored for the command.
        let _ = unsafe { sigaction(Signal::SIGXFSZ, &before) };
    }
}

/// Runs the command that the arguments name.
pub(crate) fn main() -> ExitCode {
    outlive_limits();
    // Who calls a hook takes an exit code for a verdict.
    let is_hook = tree::is_of(&env::args_os().collect::<Vec<_>>(), "hook");
    let typed = match tree::parse(env::args_os().collect()) {
        Ok(typed) => typed,
        Err(_) if is_hook => return ExitCode::SUCCESS,
        Err(code) => return code,
    };
    // A report whose reader has gone, as with `| head`, is not worth a message. A command that is run has to
    // feel that by itself.
    if typed.path != ["run"] && !is_hook {
        // SAFETY: no handler is installed, only the default restored.
        let _ = unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) };
    }
    tree::run(&typed).unwrap_or_else(|failure| failure.report(typed.common.json))
}
