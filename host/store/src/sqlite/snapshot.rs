//! A copy of the store at one moment, while others read and write.

use std::path::Path;

use twiceshy_wit::host::Error;

use super::SqliteStore;

impl SqliteStore {
    /// Writes everything that was committed so far into a new file, as it is at one moment. Nobody waits for it, and the new
    /// file needs no log beside it. It is not on the disk before somebody syncs it.
    ///
    /// SQLite's other way, its backup interface, begins anew whenever another process writes; this one reads a single
    /// moment of the log.
    ///
    /// # Errors
    /// If the file is there already, can't be written, or if the store can't be read.
    pub fn snapshot(&self, file: &Path) -> Result<(), Error> {
        let Some(name) = file.to_str() else {
            return Err(Error::InvalidArgument(format!(
                "{}: the name of the file is not valid UTF-8; choose another place",
                file.display()
            )));
        };
        self.with(|connection| {
            connection.execute("VACUUM INTO ?1", [name])?;
            Ok(())
        })
    }
}
