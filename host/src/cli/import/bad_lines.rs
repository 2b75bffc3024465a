//! Lines that the memory refuses: they are told and left out, and the rest is taken.

use twiceshy::{
    Memory,
    wit::memory::{Error, Exchange, ImportRequest, LineKind},
};

use super::parts;
use crate::cli::failure::Failure;

/// The text with empty lines in place of those that the memory refuses, which are told.
pub(super) fn without_bad_lines(
    memory: &Memory,
    kind: LineKind,
    text: &str,
    refused: &mut Vec<String>,
) -> Result<String, Failure> {
    let check = |first: usize, text: &str| {
        let request = ImportRequest {
            text: format!("{}{text}", "\n".repeat(first)),
            check_only: Some(true),
        };
        match memory.import_lines(kind, &request) {
            Ok(_) => Ok(None),
            Err(Error::InvalidArgument(why)) => Ok(Some(why)),
            Err(error) => Err(Failure::from(error)),
        }
    };
    let mut good = String::with_capacity(text.len());
    for (first, part) in parts(text) {
        if check(first, part)?.is_none() {
            good.push_str(part);
            continue;
        }
        // One of them is bad; each is looked at by itself.
        for (number, line) in part.split_inclusive('\n').enumerate() {
            match check(first + number, line)? {
                None => good.push_str(line),
                Some(why) => {
                    refused.push(why);
                    good.push('\n');
                }
            }
        }
    }
    Ok(good)
}
