//! Compiles the guests of the program and encodes them as components.

use std::{env, fs, path::PathBuf};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use twiceshy_nested_build::{PROGRAM, compile, component, target_directory};
use wit_component::DecodedWasm;
use wit_parser::WorldItem;

/// Name, package, and what the documentation says of it.
const GUESTS: [(&str, &str, &str); PROGRAM.len()] = [
    ("memory", PROGRAM[0], "The memory component."),
    ("cli", PROGRAM[1], "The adapter for commands."),
    (
        "navigation",
        PROGRAM[2],
        "The adapter for moving through a world.",
    ),
    (
        "computer-use",
        PROGRAM[3],
        "The adapter for clicking and typing.",
    ),
];

fn main() -> Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = here
        .join("../..")
        .canonicalize()
        .context("the workspace of twiceshy")?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for input in ["guest", "wit", "Cargo.toml", "Cargo.lock"] {
        println!("cargo:rerun-if-changed={}", root.join(input).display());
    }
    println!("cargo:rerun-if-env-changed=TWICESHY_GUESTS_DIR");

    let modules = match env::var_os("TWICESHY_GUESTS_DIR") {
        Some(directory) => PathBuf::from(directory),
        None => compile(&root, &target_directory(&root, &out), &PROGRAM, &[])?,
    };
    let mut constants = String::new();
    for (name, package, docs) in GUESTS {
        let component = component(&modules, package)?;
        let sha256: String = Sha256::digest(&component)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let path = out.join(format!("{name}.wasm"));
        fs::write(&path, &component)?;
        constants.push_str(&format!(
            "/// {docs}\npub static {}: Guest = Guest {{ name: {name:?}, bytes: include_bytes!({path:?}), sha256: {sha256:?}, imports: &{:?} }};\n",
            name.to_uppercase().replace('-', "_"),
            imports(&component)?,
        ));
    }
    fs::write(out.join("guests.rs"), constants)?;
    Ok(())
}

/// The interfaces with functions that a component imports.
fn imports(component: &[u8]) -> Result<Vec<String>> {
    let DecodedWasm::Component(resolve, world) = wit_component::decode(component)? else {
        bail!("a package of contracts, not a component");
    };
    let has_functions = |item: &WorldItem| match item {
        WorldItem::Interface { id, .. } => !resolve.interfaces[*id].functions.is_empty(),
        _ => true,
    };
    let imports = resolve.worlds[world]
        .imports
        .iter()
        .filter(|(_, item)| has_functions(item));
    Ok(imports
        .map(|(key, _)| resolve.name_world_key(key))
        .collect())
}
