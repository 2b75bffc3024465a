//! `twiceshy fingerprint`: what an error text is, without what is volatile in it.

use std::{
    io::{self, BufRead, BufWriter, Read, Write},
    process::ExitCode,
};

use serde::Deserialize;
use twiceshy::{Memory, limits, wit::memory::Events};

use super::{arguments, call::Lines, context::Context, failure::Failure};

/// One line of the input.
#[derive(Deserialize)]
struct Line {
    text: String,
}

pub(crate) fn fingerprint(
    context: &Context,
    arguments: &arguments::Fingerprint,
) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let mut output = BufWriter::new(io::stdout().lock());
    if arguments.jsonl {
        let code = lines(&memory, io::stdin().lock(), &mut output)?;
        output.flush()?;
        return Ok(code);
    }
    let mut input = Vec::new();
    io::stdin()
        .lock()
        .take(limits::REQUEST_BYTES as u64 + 1)
        .read_to_end(&mut input)?;
    if input.len() > limits::REQUEST_BYTES {
        return Err(Failure::input(format!(
            "standard input has more than {} MiB; cut it, or send texts one by one with --jsonl",
            limits::REQUEST_BYTES >> 20
        )));
    }
    writeln!(
        output,
        "{}",
        answer(&memory, &String::from_utf8_lossy(&input))?
    )?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Answers every line in its order; a line that is no request is answered with its error.
fn lines(
    memory: &Memory,
    input: impl BufRead,
    output: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::SUCCESS;
    for (number, line) in (1_u64..).zip(Lines::new(input)) {
        let line = line?;
        let text = line.and_then(|line| {
            let wrong = |why: &dyn std::fmt::Display| {
                Failure::input(format!(
                    "line {number} is not an object with a `text`: {why}"
                ))
            };
            // A list would be taken as the members of the object in their order.
            if line.trim_ascii_start().starts_with(b"[") {
                return Err(wrong(&"it is a list"));
            }
            let parsed = serde_json::from_slice::<Line>(&line);
            parsed.map(|line| line.text).map_err(|error| wrong(&error))
        });
        match text.and_then(|text| answer(memory, &text)) {
            Ok(answer) => writeln!(output, "{answer}")?,
            Err(failure) => {
                writeln!(output, "{}", serde_json::json!({ "error": failure.json() }))?;
                code = ExitCode::from(2);
            }
        }
    }
    Ok(code)
}

fn answer(memory: &Memory, text: &str) -> Result<String, Failure> {
    let fingerprint = memory.fingerprint_of(text);
    if fingerprint.id.is_empty() {
        return Err(Failure::other(
            "the text has no fingerprint: it is too large for the component",
        ));
    }
    serde_json::to_string(&fingerprint).map_err(|error| Failure::other(error.to_string()))
}
