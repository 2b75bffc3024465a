//! Compiles the guests and encodes them as components.
//!
//! Owns the nested build: its target directory, its environment and its errors. The bytes depend on
//! the sources alone: no path of the machine gets into them.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use twiceshy_target_check::TARGET;
use wit_component::{ComponentEncoder, DecodedWasm};
use wit_parser::WorldItem;

/// Name, package, and what the documentation says of it.
const GUESTS: [(&str, &str, &str); 4] = [
    ("memory", "twiceshy-memory", "The memory component."),
    ("cli", "twiceshy-adapter-cli", "The adapter for commands."),
    (
        "navigation",
        "twiceshy-adapter-navigation",
        "The adapter for moving through a world.",
    ),
    (
        "computer-use",
        "twiceshy-adapter-computer-use",
        "The adapter for clicking and typing.",
    ),
];

/// Variables of the outer build that would change the inner one.
const FOREIGN: [&str; 9] = [
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTFLAGS",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_TARGET_DIR",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC",
    "LLVM_PROFILE_FILE",
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
        None => compile(&root, &target_directory(&root, &out))?,
    };
    let mut constants = String::new();
    for (name, package, docs) in GUESTS {
        let file = modules.join(format!("{}.wasm", package.replace('-', "_")));
        let module = fs::read(&file).with_context(|| format!("the guest {}", file.display()))?;
        let component = ComponentEncoder::default()
            .validate(true)
            .module(&module)
            .and_then(|mut encoder| encoder.encode())
            .with_context(|| format!("{package} does not fit its world in wit/"))?;
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

/// One directory for all profiles and for clippy, beside the outer build's own and with its own lock.
fn target_directory(root: &Path, out: &Path) -> PathBuf {
    let outer = out
        .ancestors()
        .find(|directory| directory.join("CACHEDIR.TAG").is_file());
    outer
        .map_or_else(|| root.join("target"), Path::to_path_buf)
        .join("guest")
}

/// Compiles the guests to core modules and says where they are.
fn compile(root: &Path, target_directory: &Path) -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").context("CARGO is not set")?;
    let nested = |subcommand: &str| {
        let mut command = Command::new(&cargo);
        command
            .current_dir(root)
            .args([subcommand, "--locked", "--target", TARGET]);
        for variable in FOREIGN {
            command.env_remove(variable);
        }
        command
    };
    // Sources must be there before their paths can be taken out of the bytes.
    let fetched = nested("fetch").status()?;
    ensure!(
        fetched.success(),
        "the guests' dependencies could not be fetched"
    );

    let mut build = nested("build");
    build
        .args(["--profile", "guest", "--target-dir"])
        .arg(target_directory);
    for (_, package, _) in GUESTS {
        build.args(["--package", package]);
    }
    build.env(
        "CARGO_ENCODED_RUSTFLAGS",
        without_paths(root, target_directory)?,
    );
    let built = build.output()?;
    if !built.status.success() {
        bail!(
            "the guests do not compile:\n{}",
            String::from_utf8_lossy(&built.stderr)
        );
    }
    Ok(target_directory.join(TARGET).join("guest"))
}

/// Flags that replace the paths of this machine in panic messages.
fn without_paths(root: &Path, target_directory: &Path) -> Result<OsString> {
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")))
        .context("neither CARGO_HOME nor HOME is set")?;
    let mut flags = OsString::new();
    let mut remap = |from: &Path, to: &str| {
        if !flags.is_empty() {
            flags.push("\x1f");
        }
        flags.push("--remap-path-prefix=");
        flags.push(from);
        flags.push("=");
        flags.push(to);
    };
    remap(root, "/twiceshy");
    remap(target_directory, "/target");
    remap(&home, "/cargo");
    if let Ok(registries) = fs::read_dir(home.join("registry/src")) {
        for registry in registries {
            // The name of a registry's directory depends on its address.
            remap(&registry?.path(), "/registry");
        }
    }
    Ok(flags)
}
