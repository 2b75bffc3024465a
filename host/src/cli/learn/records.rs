//! Records of transcripts: JSON Lines and whole JSON files, read within bounds, and the shapes that their texts have.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use serde_json::Value;
use twiceshy_text::instant;

/// A line in bytes: a transcript's longest lines are outputs and pictures.
const LINE_BYTES: u64 = 64 << 20;

/// A whole JSON file in bytes.
const FILE_BYTES: u64 = 256 << 20;

/// Hands each record of a file of JSON Lines to `each`; returns how many lines are damaged. A last line without its end is
/// still being written, which is no damage.
pub(crate) fn lines(path: &Path, mut each: impl FnMut(Value)) -> io::Result<u32> {
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path)?);
    let (mut line, mut damaged) = (Vec::new(), 0);
    loop {
        line.clear();
        if reader
            .by_ref()
            .take(LINE_BYTES)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(damaged);
        }
        let is_whole = line.ends_with(b"\n");
        if !is_whole && line.len() as u64 == LINE_BYTES {
            damaged += 1;
            skip_line(&mut reader)?;
            continue;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(&line) {
            Ok(record) => each(record),
            Err(_) => damaged += u32::from(is_whole),
        }
    }
}

fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let piece = reader.fill_buf()?;
        let length = piece.len();
        match piece.iter().position(|byte| *byte == b'\n') {
            Some(end) => {
                reader.consume(end + 1);
                return Ok(());
            }
            None if length == 0 => return Ok(()),
            None => reader.consume(length),
        }
    }
}

/// The value of a whole JSON file.
pub(crate) fn whole(path: &Path) -> io::Result<Value> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(FILE_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FILE_BYTES {
        let reason = format!("it has more than {} MiB", FILE_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    serde_json::from_slice(&bytes).map_err(io::Error::from)
}

/// The text of a content: a text, a list of parts with texts, or one part.
pub(crate) fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<_> = parts
                .iter()
                .map(text)
                .filter(|text| !text.is_empty())
                .collect();
            texts.join("\n")
        }
        Value::Object(part) => part
            .get("text")
            .or_else(|| part.get("content"))
            .map(text)
            .unwrap_or_default(),
        _ => String::new(),
    }
}

/// A time in milliseconds since the Unix epoch: from ISO 8601, or from a number of seconds or milliseconds; 0 for
/// anything else.
pub(crate) fn time(value: &Value) -> u64 {
    /// Numbers up to here are seconds: as milliseconds they would be in 1973.
    const SECONDS: f64 = 1e11;
    match value {
        Value::String(text) => instant::read(text).unwrap_or(0),
        Value::Number(number) => match number.as_f64() {
            Some(seconds) if (0.0..SECONDS).contains(&seconds) => (seconds * 1_000.0) as u64,
            Some(milliseconds) if milliseconds >= SECONDS => milliseconds as u64,
            _ => 0,
        },
        _ => 0,
    }
}

/// The number that a text begins with.
pub(crate) fn leading_number(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    text[..text.len() - digits.len() + end].parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_damaged_line_is_counted_and_the_others_are_read() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.jsonl");
        std::fs::write(&path, "{\"a\":1}\n{damaged\n\n{\"a\":2}\n{\"a\":").expect("writable");
        let mut found = Vec::new();
        let damaged = lines(&path, |record| found.push(record["a"].clone())).expect("readable");
        assert_eq!((found, damaged), (vec![json!(1), json!(2)], 1));
    }

    #[test]
    fn times_of_all_forms_are_read() {
        for (value, milliseconds) in [
            (json!("2026-11-17T04:02:32.307Z"), 1_794_888_152_307),
            (json!(1_794_888_152.307), 1_794_888_152_307),
            (json!(1_794_888_152_307_u64), 1_794_888_152_307),
            (json!("soon"), 0),
            (json!(null), 0),
            (json!(-5), 0),
        ] {
            assert_eq!(time(&value), milliseconds, "{value}");
        }
    }

    #[test]
    fn a_number_is_read_up_to_its_end() {
        assert_eq!(leading_number(" 12>"), Some(12));
        assert_eq!(leading_number("-1\n"), Some(-1));
        assert_eq!(leading_number("x"), None);
    }
}
