//! A model behind a command: the question as one JSON object on standard input, the answer on standard output.
//!
//! Owns the form of the question and what each way to fail means. Running a command within bounds is the
//! business of `subprocess`.

use std::{env, ffi::OsStr, fs, os::unix::fs::PermissionsExt, path::Path};

use serde_json::json;
use twiceshy_wit::host::Error;

use super::{Question, late, too_much};
use crate::{
    foreign,
    subprocess::{Subprocess, SubprocessError},
};

pub(super) fn ask(command: &[String], question: &Question<'_>) -> Result<String, Error> {
    let who = format!("the model's command `{}`", command[0]);
    let input = json!({ "prompt": question.prompt, "schema": question.schema }).to_string();
    let finished = Subprocess {
        command: command.iter().map(OsStr::new).collect(),
        input: input.as_bytes(),
        time: question.time,
        most_bytes: question.most_bytes,
    }
    .run()
    .map_err(|error| match error {
        SubprocessError::Start(error) => Error::Other(format!(
            "{who} can't be started ({error}); install it, or fix [model] command"
        )),
        SubprocessError::Late => late(&who, question.time),
        SubprocessError::TooMuch => too_much(&who, question.most_bytes),
    })?;
    if !finished.status.success() {
        let said = match foreign::quoted(&finished.last_words, None) {
            said if said.is_empty() => String::new(),
            said => format!(": {said}"),
        };
        return Err(Error::Other(format!(
            "{who} failed ({}){said}; run it by hand to see why",
            finished.status
        )));
    }
    String::from_utf8(finished.output)
        .map_err(|_| Error::Other(format!("{who} did not answer in UTF-8; it must write JSON")))
}

/// Whether there is such a program.
pub(super) fn reachable(command: &[String]) -> Result<(), Error> {
    let name = &command[0];
    let runnable = |path: &Path| {
        fs::metadata(path)
            .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    };
    let found = if name.contains('/') {
        runnable(Path::new(name))
    } else {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path).any(|directory| runnable(&directory.join(name)))
    };
    if found {
        return Ok(());
    }
    Err(Error::Other(format!(
        "there is no executable program `{name}`; install it, or fix [model] command"
    )))
}
