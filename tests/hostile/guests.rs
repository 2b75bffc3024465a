//! The hostile guests as bytes: those made by hand, and those in Rust, built once for all tests.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use wit_component::ComponentEncoder;

use super::handmade;
use crate::support::build_guests;

/// A component, and how it must end.
#[derive(Clone)]
pub struct Guest {
    pub name: String,
    pub bytes: Vec<u8>,
    /// The kind of error that the host has to report.
    pub kind: &'static str,
    /// What the error has to say.
    pub says: &'static str,
}

/// How those in Rust must end.
const IN_RUST: [(&str, &str, &str); 17] = [
    (
        "panics-in-assess",
        "trap",
        "a step that nobody thought of: 42",
    ),
    ("panics-in-describe", "trap", "no manifest at hand"),
    ("exits", "trap", "exited"),
    ("aborts", "trap", "unreachable"),
    ("reads-a-file", "refused", "wasi:filesystem"),
    ("writes-a-file", "refused", "wasi:filesystem"),
    ("opens-a-socket", "refused", "wasi:sockets"),
    ("resolves-a-name", "refused", "wasi:sockets"),
    ("reads-the-clock", "refused", "wasi:clocks"),
    ("takes-the-time", "refused", "wasi:clocks"),
    ("sleeps", "refused", "wasi:clocks"),
    ("reads-standard-input", "refused", "input"),
    ("starts-a-thread", "trap", "Not supported"),
    ("floods-standard-error", "timeout", "ms"),
    ("complains-at-length", "trap", "at last"),
    ("recurses", "trap", "bounds"),
    ("allocates", "memory", "more than"),
];

/// So many of them, the first, are built without WASI, too: a panic is heard there as well.
const WITHOUT_WASI: usize = 2;

/// All that must be stopped.
pub fn hostile() -> Vec<Guest> {
    let mut guests = handmade::hostile();
    guests.extend(IN_RUST.map(|(name, kind, says)| Guest {
        name: name.to_owned(),
        bytes: in_rust(name),
        kind,
        says,
    }));
    guests.extend(
        IN_RUST[..WITHOUT_WASI]
            .iter()
            .map(|(name, kind, says)| Guest {
                name: format!("{name}-without-wasi"),
                bytes: without_wasi(name),
                kind,
                says,
            }),
    );
    guests
}

/// A guest in Rust, built for WASI.
pub fn in_rust(name: &str) -> Vec<u8> {
    built("wasm32-wasip2", name)
}

/// A guest in Rust, built for no system at all.
fn without_wasi(name: &str) -> Vec<u8> {
    ComponentEncoder::default()
        .module(&built("wasm32-unknown-unknown", name))
        .and_then(|mut encoder| encoder.encode())
        .expect("a component")
}

fn built(target: &str, name: &str) -> Vec<u8> {
    let file = format!("{target}/guest/examples/{}.wasm", name.replace('-', "_"));
    fs::read(examples().join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The directory in which those in Rust are built, once for all tests.
fn examples() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let all = ["--package", "twiceshy-hostile", "--examples"];
        let mut some = vec!["--package", "twiceshy-hostile"];
        let examples = IN_RUST[..WITHOUT_WASI]
            .iter()
            .map(|(name, ..)| name.replace('-', "_"));
        let examples: Vec<_> = examples.collect();
        some.extend(examples.iter().flat_map(|name| ["--example", name]));
        build_guests("wasm32-unknown-unknown", &some);
        build_guests("wasm32-wasip2", &all)
    })
}
