//! The components of twiceshy as bytes.
//!
//! The build script compiles the guests, encodes them as components without any WASI import and
//! embeds them here, so that a plain `cargo build` of the host is all there is to it.
#![deny(missing_docs)]

/// A component that is part of the program.
#[derive(Debug, Clone, Copy)]
pub struct Guest {
    /// Its name, such as `memory`.
    pub name: &'static str,
    /// The component.
    pub bytes: &'static [u8],
    /// The SHA-256 of `bytes` in hexadecimal digits.
    pub sha256: &'static str,
    /// The interfaces with functions that it imports.
    pub imports: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/guests.rs"));

/// The adapters among them.
pub static ADAPTERS: [&Guest; 3] = [&CLI, &NAVIGATION, &COMPUTER_USE];
