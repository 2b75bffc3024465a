//! Compiles guests within another build, and encodes them as components.
//!
//! Owns the nested build: its target directory, its environment and its errors. The bytes depend on the sources alone: no
//! path of the machine gets into them.
#![deny(missing_docs)]

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use twiceshy_target_check::TARGET;
use wit_component::ComponentEncoder;

/// The packages whose components are part of the program.
pub const PROGRAM: [&str; 4] = [
    "twiceshy-memory",
    "twiceshy-adapter-cli",
    "twiceshy-adapter-navigation",
    "twiceshy-adapter-computer-use",
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

/// One directory for all profiles and for clippy, beside the outer build's own and with its own lock.
pub fn target_directory(root: &Path, out: &Path) -> PathBuf {
    let outer = out
        .ancestors()
        .find(|directory| directory.join("CACHEDIR.TAG").is_file());
    outer
        .map_or_else(|| root.join("target"), Path::to_path_buf)
        .join("guest")
}

/// Compiles packages to core modules, with these features, and says where they are.
///
/// # Errors
/// If they do not compile; what the compiler says is in the error.
pub fn compile(
    root: &Path,
    target_directory: &Path,
    packages: &[&str],
    features: &[&str],
) -> Result<PathBuf> {
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
    for package in packages {
        build.args(["--package", package]);
    }
    for feature in features {
        build.args(["--features", feature]);
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

/// The core module of a package among compiled ones, encoded as a component.
///
/// # Errors
/// If there is no such module, or it does not fit its world.
pub fn component(modules: &Path, package: &str) -> Result<Vec<u8>> {
    let file = modules.join(format!("{}.wasm", package.replace('-', "_")));
    let module = fs::read(&file).with_context(|| format!("the guest {}", file.display()))?;
    ComponentEncoder::default()
        .validate(true)
        .module(&module)
        .and_then(|mut encoder| encoder.encode())
        .with_context(|| format!("{package} does not fit its world in wit/"))
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
