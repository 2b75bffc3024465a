//! What a command is given to read: a file, or standard input.

use std::{fs, io::Read, path::Path};

use twiceshy::limits;

use super::failure::Failure;

/// The text of a file; of standard input for `-`. Refuses what does not fit into a request.
pub(crate) fn read(file: &Path) -> Result<String, Failure> {
    let most = limits::REQUEST_BYTES as u64;
    let mut bytes = Vec::new();
    let name = file.display();
    let unreadable = |error: std::io::Error| Failure::input(format!("{name}: {error}"));
    if file.as_os_str() == "-" {
        let input = std::io::stdin().lock();
        input
            .take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
    } else {
        let input = fs::File::open(file).map_err(unreadable)?;
        input
            .take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
    }
    if bytes.len() as u64 > most {
        return Err(Failure::input(format!(
            "{name} has more than {} MiB; hand in less at once",
            most >> 20
        )));
    }
    String::from_utf8(bytes).map_err(|_| Failure::input(format!("{name} is not valid UTF-8")))
}
