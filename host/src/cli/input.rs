//! What a command is given to read: a file, or standard input.

use std::{fs, io::Read, path::Path};

use twiceshy::limits;

use super::failure::Failure;

/// The most bytes of a file that is taken in piece by piece. It is held in memory, and a device never ends.
const WHOLE_BYTES: u64 = 2 << 30;

/// The bytes of a file; of standard input for `-`. Refuses what does not fit into a request.
pub(crate) fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    up_to(file, limits::REQUEST_BYTES as u64)
}

/// The text of a file that is taken in piece by piece, of 2 GiB at most; of standard input for `-`.
pub(crate) fn whole(file: &Path) -> Result<String, Failure> {
    String::from_utf8(up_to(file, WHOLE_BYTES)?).map_err(|_| {
        Failure::input(format!(
            "{} is not valid UTF-8; nothing was taken in",
            file.display()
        ))
    })
}

fn up_to(file: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let name = file.display();
    let read = match file.as_os_str() == "-" {
        true => std::io::stdin()
            .lock()
            .take(most + 1)
            .read_to_end(&mut bytes),
        false => fs::File::open(file).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|error| Failure::input(format!("{name}: {error}")))?;
    if bytes.len() as u64 > most {
        return Err(Failure::input(format!(
            "{name} has more than {} MiB; hand in less at once",
            most >> 20
        )));
    }
    Ok(bytes)
}

/// The text of a file; of standard input for `-`.
pub(crate) fn read(file: &Path) -> Result<String, Failure> {
    String::from_utf8(bytes(file)?)
        .map_err(|_| Failure::input(format!("{} is not valid UTF-8", file.display())))
}

/// The text of a file as far as it is text: output of programs may hold anything.
pub(crate) fn lossy(file: &Path) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&bytes(file)?).into_owned())
}
