//! Records a session of the native memory, for other runtimes to replay:
//! `cargo run -p twiceshy-agreement --example session -- session.jsonl`.

mod recording;

use std::{env, fs, process::ExitCode};

fn main() -> ExitCode {
    let Some(path) = env::args_os().nth(1) else {
        eprintln!("usage: session FILE");
        return ExitCode::from(2);
    };
    match fs::write(&path, recording::recorded()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}
