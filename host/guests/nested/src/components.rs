//! `cargo run -p twiceshy-nested-build -- DIRECTORY`: writes the components for hosts in other languages.
//!
//! The memory with its store in one component, typed (`twiceshy.wasm`) and with the flat entry alone (`twiceshy-rpc.wasm`);
//! the store by itself (`store.wasm`), the memory by itself (`memory.wasm`) and the bundled adapters. `--only NAME…` writes some of them.

use std::{env, fs, path::Path};

use anyhow::{Context, Result, bail};
use twiceshy_nested_build::{PROGRAM, compile, component, target_directory};

/// Name, package, what is compiled together with it, and features. The program's own guests are compiled as its build
/// does, so that they are not compiled a second time.
const COMPONENTS: [(&str, &str, &[&str], &[&str]); 7] = [
    ("twiceshy-rpc", "twiceshy-boxed", &["twiceshy-boxed"], &[]),
    (
        "twiceshy",
        "twiceshy-boxed",
        &["twiceshy-boxed"],
        &["twiceshy-boxed/typed"],
    ),
    (
        "store",
        "twiceshy-store-component",
        &["twiceshy-store-component"],
        &[],
    ),
    ("memory", "twiceshy-memory", &PROGRAM, &[]),
    ("cli", "twiceshy-adapter-cli", &PROGRAM, &[]),
    ("navigation", "twiceshy-adapter-navigation", &PROGRAM, &[]),
    (
        "computer-use",
        "twiceshy-adapter-computer-use",
        &PROGRAM,
        &[],
    ),
];

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (directory, only) = match arguments.as_slice() {
        [directory] => (directory, None),
        [directory, flag, names @ ..] if flag == "--only" => (directory, Some(names)),
        _ => bail!("usage: components DIRECTORY [--only NAME...]"),
    };
    let is_known = |name: &&String| COMPONENTS.iter().any(|(known, ..)| known == *name);
    if let Some(unknown) = only.and_then(|names| names.iter().find(|name| !is_known(name))) {
        let names = COMPONENTS.map(|(name, ..)| name).join(", ");
        bail!("there is no component `{unknown}`; there are {names}");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../..")
        .canonicalize()
        .context("the workspace of twiceshy")?;
    let target = target_directory(&root, &env::current_exe()?);
    fs::create_dir_all(directory)?;
    for (name, package, together, features) in COMPONENTS {
        if only.is_some_and(|names| !names.iter().any(|one| one == name)) {
            continue;
        }
        let modules = compile(&root, &target, together, features)?;
        let component = component(&modules, package)?;
        let file = Path::new(directory).join(format!("{name}.wasm"));
        fs::write(&file, &component).with_context(|| file.display().to_string())?;
        println!("{}: {} bytes", file.display(), component.len());
    }
    Ok(())
}
