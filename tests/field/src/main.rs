//! The program `field`: measures the engine and the adapter as Rust, which is quick to build and to run.

use std::process::ExitCode;

use twiceshy_field::setting::Native;

fn main() -> ExitCode {
    twiceshy_field::main(&Native)
}
