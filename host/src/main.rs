//! The program `twiceshy`.
//!
//! Owns nothing but the way in and out: arguments become a command, a failure becomes a message and
//! an exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
