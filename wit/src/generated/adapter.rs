//! The nouns and interfaces of `twiceshy:adapter`.

mod assess;
mod diagnostics;
mod types;

pub use assess::*;
pub use diagnostics::*;
pub use types::*;
