//! `decide export` and `decide import`: `.evolve_memory.json` as a file or a stream.
//!
//! Owns files, parts and progress. The format is the memory's business.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
    process::ExitCode,
};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use twiceshy::{
    Memory,
    wit::memory::{Decisions, ExportRequest, ImportRequest},
};

use super::{
    super::{context::Context, failure::Failure, show},
    say,
};

/// Records of one part of a large file. A part fits into one call with room to spare.
const PART_BYTES: usize = 4 << 20;

pub(super) fn export(context: &Context, memory: &Memory, file: &str) -> Result<ExitCode, Failure> {
    // A file that is there is replaced only by a whole one.
    let part = format!("{file}.part");
    let mut output: Box<dyn Write> = match file {
        "-" => Box::new(io::stdout().lock()),
        _ => Box::new(File::create(&part).map_err(|error| unwritable(file, &error))?),
    };
    let records = match write(memory, file, &mut output) {
        Ok(records) => records,
        Err(failure) => {
            if file != "-" {
                let _ = std::fs::remove_file(&part);
            }
            return Err(failure);
        }
    };
    drop(output);
    if file == "-" {
        return Ok(ExitCode::SUCCESS);
    }
    std::fs::rename(&part, file).map_err(|error| unwritable(file, &error))?;
    say(
        context,
        &json!({ "records": records, "file": file }),
        || format!("Wrote {records} decisions to {}.", show::line(file)),
    )
}

/// Writes all decisions, piece by piece; gives their number.
fn write(memory: &Memory, file: &str, output: &mut dyn Write) -> Result<u64, Failure> {
    let bar = progress("exporting", 0);
    let (mut records, mut after) = (0, None);
    loop {
        let piece = memory.export_file(&ExportRequest { after })?;
        output
            .write_all(piece.text.as_bytes())
            .map_err(|error| unwritable(file, &error))?;
        records += u64::from(piece.records);
        bar.set_position(records);
        after = piece.next;
        if after.is_none() {
            break;
        }
    }
    output.flush().map_err(|error| unwritable(file, &error))?;
    bar.finish_and_clear();
    Ok(records)
}

fn unwritable(file: &str, error: &io::Error) -> Failure {
    Failure::other(format!(
        "STORAGE_ERROR: {file} can't be written: {error}; choose another place or `-`"
    ))
}

pub(super) fn import(context: &Context, memory: &Memory, file: &str) -> Result<ExitCode, Failure> {
    let text = read(file)?;
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
    say(context, &report, || {
        format!("{records} decisions in the file: {added} added, {known} known before.")
    })
}

fn read(file: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let result = match file {
        "-" => io::stdin().lock().read_to_end(&mut bytes),
        _ => File::open(Path::new(file)).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    result
        .map_err(|error| Failure::input(format!("STORAGE_ERROR: {file} can't be read: {error}")))?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::input(format!("{file} is not UTF-8 text; nothing was taken in")))
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

fn progress(what: &'static str, length: u64) -> ProgressBar {
    let template = match length {
        0 => "{msg} {pos}",
        _ => "{msg} {bar:40} {percent} % {eta}",
    };
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length)
        .with_style(style)
        .with_message(what)
}
