//! The Rust that is generated from the `.wit` files.

pub mod adapter;
pub mod host;
pub mod memory;
#[rustfmt::skip]
pub mod description;
pub(crate) mod dispatch;
