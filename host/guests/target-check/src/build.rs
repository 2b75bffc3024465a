//! Looks for the target's standard library.

use std::{
    env,
    path::PathBuf,
    process::{Command, exit},
};

#[path = "lib.rs"]
mod library;

fn main() {
    // Modules that were built elsewhere need no target here.
    println!("cargo:rerun-if-env-changed=TWICESHY_GUESTS_DIR");
    if env::var_os("TWICESHY_GUESTS_DIR").is_some() {
        return;
    }
    let target = library::TARGET;
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let probe = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", target])
        .output();
    let installed = probe.is_ok_and(|probe| {
        let directory = PathBuf::from(String::from_utf8_lossy(&probe.stdout).trim());
        probe.status.success() && directory.is_dir()
    });
    if !installed {
        eprintln!(
            "error: the target {target} is not installed; run: rustup target add wasm32-unknown-unknown wasm32-wasip2"
        );
        exit(1);
    }
}
