//! `twiceshy decisions export` and `import`: `.evolve_memory.json` as a file or a stream.
//!
//! Owns files, parts and progress. The format is the memory's business.

use std::{io, path::Path, process::ExitCode};

use clap::Args;
use serde_json::{Value, json};
use twiceshy::wit::memory::{Decisions, ImportRequest};

use crate::cli::{context::Context, export::progress, failure::Failure, input, pieces};

/// Records of one part of a large file. A part fits into one call with room to spare.
const PART_BYTES: usize = 4 << 20;

#[derive(Debug, Args)]
pub(crate) struct File {
    /// The file; `-` is standard input or output.
    file: String,
}

pub(crate) fn export(context: &Context, arguments: &File) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let file = arguments.file.as_str();
    pieces::write(
        context,
        Path::new(file),
        "decisions",
        |request| {
            let piece = memory.export_file(request)?;
            Ok((piece.text, piece.records, piece.next))
        },
        |error| unwritable(file, &error),
    )
}

fn unwritable(file: &str, error: &io::Error) -> Failure {
    Failure::other(format!(
        "STORAGE_ERROR: {file} can't be written: {error}; choose another place or `-`"
    ))
}

pub(crate) fn import(context: &Context, arguments: &File) -> Result<ExitCode, Failure> {
    let memory = &context.memory()?;
    let file = arguments.file.as_str();
    let text = input::whole(Path::new(file))?;
    let parts = parts(&text)?;
    let requests = |check_only: bool| {
        parts.iter().map(move |text| ImportRequest {
            text: text.clone(),
            check_only: Some(check_only),
        })
    };
    // The whole file is checked before anything is recorded.
    let bar = progress("checking", 2 * parts.len() as u64);
    let mut total = (0, 0, 0);
    if parts.len() > 1 {
        for request in requests(true) {
            memory.import_file(&request)?;
            bar.inc(1);
        }
    }
    bar.set_message("importing");
    for request in requests(false) {
        let done = memory.import_file(&request)?;
        total = (
            total.0 + done.records,
            total.1 + done.added,
            total.2 + done.known,
        );
        bar.inc(1);
    }
    bar.finish_and_clear();
    let (records, added, known) = total;
    let report = json!({ "records": records, "added": added, "known": known });
    context.print(&report, || {
        let known = format!("{added} added, {known} known before");
        vec![format!("{records} decisions in the file: {known}.")]
    })
}

/// A large file as several small ones. Records that are the same stay together, so that they are counted.
fn parts(text: &str) -> Result<Vec<String>, Failure> {
    if text.len() <= PART_BYTES {
        return Ok(vec![text.to_owned()]);
    }
    let mut file: Value = serde_json::from_str(text).map_err(|error| {
        Failure::input(format!(
            "the file is not JSON: {error}; nothing was taken in"
        ))
    })?;
    let Some(Value::Array(records)) = file.get_mut("records").map(Value::take) else {
        return Ok(vec![text.to_owned()]);
    };
    let mut records: Vec<String> = records.iter().map(Value::to_string).collect();
    records.sort();
    let version = file.get("version").cloned().unwrap_or_default();
    let whole = |records: &[String]| {
        format!(
            "{{\"version\":{version},\"records\":[{}]}}",
            records.join(",")
        )
    };
    let (mut parts, mut start, mut bytes) = (Vec::new(), 0, 0);
    for at in 0..records.len() {
        let differs = at > start && records[at] != records[at - 1];
        if differs && bytes > PART_BYTES {
            parts.push(whole(&records[start..at]));
            (start, bytes) = (at, 0);
        }
        bytes += records[at].len();
    }
    parts.push(whole(&records[start..]));
    Ok(parts)
}
