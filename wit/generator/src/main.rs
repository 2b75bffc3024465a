//! `cargo run -p twiceshy-wit-generator`: writes the Rust of the contracts to where it is committed.

use std::fs;

use anyhow::{Context, Result};
use twiceshy_wit_generator::{DIRECTORIES, contract, files, root};

fn main() -> Result<()> {
    let root = root();
    let files = files(&contract(&root)?)?;
    // What no longer belongs to the contract must not stay behind.
    for directory in DIRECTORIES {
        match fs::remove_dir_all(root.join(directory)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).context(directory);
            }
            _ => {}
        }
    }
    for (path, code) in files {
        let path = root.join(path);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(&path, code).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
