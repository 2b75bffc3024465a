//! Writes the Rust, the TypeScript and the Python of the contracts from the `.wit` files.
//!
//! What it writes is committed, so that a reader who follows a call finds code, and so that building
//! the product needs no parser of WIT. `cargo run -p twiceshy-wit-generator` writes it again; a test holds what is
//! committed against what would be written.
#![deny(missing_docs)]

mod calls;
mod description;
pub mod names;
mod python;
mod python_docs;
mod rust;
mod typescript;

use std::{
    collections::BTreeMap,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use wit_parser::{InterfaceId, Resolve, WorldItem};

/// The packages, each after those that it uses.
const PACKAGES: [&str; 3] = ["adapter", "host", "memory"];

/// Where everything is written by the generator, and nothing by hand.
pub const DIRECTORIES: [&str; 4] = [
    "wit/src/generated",
    "host/src/entries",
    "packages/npm/src/contract",
    python::PLACE,
];

/// The contracts.
pub struct Contract {
    /// All packages, as the parser has them.
    pub resolve: Resolve,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .map_or_else(PathBuf::new, Path::to_path_buf)
}

/// Reads the contracts of a repository.
///
/// # Errors
/// If a file can't be read or does not parse.
pub fn contract(root: &Path) -> Result<Contract> {
    let mut resolve = Resolve::default();
    for package in PACKAGES {
        resolve
            .push_dir(root.join("wit").join(package))
            .with_context(|| format!("the contract in wit/{package} does not parse"))?;
    }
    Ok(Contract { resolve })
}

/// Every file that is written, by its path in the repository.
///
/// # Errors
/// If the contract has something that is not mapped to Rust, or there is no rustfmt.
pub fn files(contract: &Contract) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for (path, code) in contract.rust_files()? {
        files.insert(path, formatted(&code)?);
    }
    for (path, code) in contract.call_files()? {
        files.insert(path, formatted(&code)?);
    }
    // A table of one line an item, which rustfmt would make five of.
    files.extend(contract.description_files()?);
    files.extend(contract.typescript_files()?);
    files.extend(contract.python_files()?);
    Ok(files)
}

impl Contract {
    /// The interfaces of a package, in the order of their names.
    pub(crate) fn interfaces(&self, package: &str) -> Result<Vec<(&str, InterfaceId)>> {
        let package = self
            .resolve
            .packages
            .iter()
            .find(|(_, one)| one.name.name == package)
            .with_context(|| format!("no package {package}"))?;
        let mut interfaces: Vec<_> = package
            .1
            .interfaces
            .iter()
            .map(|(name, id)| (name.as_str(), *id))
            .collect();
        interfaces.sort();
        Ok(interfaces)
    }

    /// The interfaces that the memory exports, `rpc` left out, in the order of the world.
    pub(crate) fn exports(&self) -> Result<Vec<(&str, InterfaceId)>> {
        let (_, world) = self
            .resolve
            .worlds
            .iter()
            .find(|(_, world)| world.name == "memory")
            .context("no world memory")?;
        let mut interfaces = Vec::new();
        for item in world.exports.values() {
            let WorldItem::Interface { id, .. } = item else {
                bail!("the memory exports something that is not an interface");
            };
            let name = self.resolve.interfaces[*id].name.as_deref();
            let name = name.context("an interface without a name")?;
            if name != "rpc" {
                interfaces.push((name, *id));
            }
        }
        Ok(interfaces)
    }
}

/// Code as `cargo fmt` leaves it.
fn formatted(code: &str) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("rustfmt can't be started; `rustup component add rustfmt` installs it")?;
    rustfmt
        .stdin
        .take()
        .context("no standard input")?
        .write_all(code.as_bytes())?;
    let output = rustfmt.wait_with_output()?;
    ensure!(
        output.status.success(),
        "rustfmt refuses what was generated:\n{code}"
    );
    Ok(String::from_utf8(output.stdout)?)
}

pub(crate) fn upper_camel(name: &str) -> String {
    name.split('-')
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect()
}

pub(crate) fn snake(name: &str) -> String {
    name.replace('-', "_")
}
