//! Writes the memory component to a file, for a runtime of another language:
//! `cargo run -p twiceshy-guests --example component -- memory.wasm`.

use std::{env, fs, process::ExitCode};

fn main() -> ExitCode {
    let Some(path) = env::args_os().nth(1) else {
        eprintln!("usage: component FILE");
        return ExitCode::from(2);
    };
    match fs::write(&path, twiceshy_guests::MEMORY.bytes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}
