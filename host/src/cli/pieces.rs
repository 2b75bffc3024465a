//! One file that the memory writes piece by piece. A file that is there is replaced only by a whole one.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde_json::json;
use twiceshy::wit::memory::ExportRequest;

use super::{context::Context, export::progress, failure::Failure, show};

/// A piece of the file: its text, its records, and where the next piece begins.
pub(crate) type Piece = (String, u32, Option<String>);

/// Writes a file of records to a place, or to standard output for `-`, and says how many there are.
pub(crate) fn write(
    context: &Context,
    place: &Path,
    records: &str,
    piece: impl Fn(&ExportRequest) -> Result<Piece, Failure>,
    unwritable: impl Fn(io::Error) -> Failure,
) -> Result<ExitCode, Failure> {
    if place.as_os_str() == "-" {
        write_pieces(&mut io::stdout().lock(), &piece, &unwritable)?;
        return Ok(ExitCode::SUCCESS);
    }
    let part = PathBuf::from(format!("{}.part", place.display()));
    let _ = fs::remove_file(&part);
    let written = File::create_new(&part)
        .map_err(&unwritable)
        .and_then(|mut file| write_pieces(&mut file, &piece, &unwritable));
    let number = written.inspect_err(|_| drop(fs::remove_file(&part)))?;
    fs::rename(&part, place).map_err(&unwritable)?;
    context.print(&json!({ "records": number, "file": place }), || {
        let name = show::line(&place.display().to_string());
        vec![format!("Wrote {number} {records} to {name}.")]
    })
}

/// Writes all pieces; returns the number of records.
fn write_pieces(
    output: &mut dyn Write,
    piece: &impl Fn(&ExportRequest) -> Result<Piece, Failure>,
    unwritable: &impl Fn(io::Error) -> Failure,
) -> Result<u64, Failure> {
    let bar = progress("exporting", 0);
    let (mut number, mut after) = (0, None);
    loop {
        let (text, records, next) = piece(&ExportRequest { after })?;
        output.write_all(text.as_bytes()).map_err(unwritable)?;
        number += u64::from(records);
        bar.set_position(number);
        after = next;
        if after.is_none() {
            break;
        }
    }
    output.flush().map_err(unwritable)?;
    bar.finish_and_clear();
    Ok(number)
}
