//! The nouns and interfaces of `twiceshy:host`.

mod archive;
mod bytes;
mod clock;
mod embedder;
mod log;
mod model;
mod store;
mod types;

pub use archive::*;
pub use bytes::*;
pub use clock::*;
pub use embedder::*;
pub use log::*;
pub use model::*;
pub use store::*;
pub use types::*;
