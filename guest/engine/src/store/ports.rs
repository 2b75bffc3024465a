//! The ports through which the engine reaches the world.

use twiceshy_wit::host::{Archive, Clock, Embedder, Log, Model, Store};

/// What the engine needs from its host.
#[derive(Clone, Copy)]
pub struct Ports<'a> {
    /// Where documents live.
    pub store: &'a dyn Store,
    /// Large and cold contents; may answer `unavailable`.
    pub archive: &'a dyn Archive,
    /// Vectors for texts; may answer `unavailable`.
    pub embedder: &'a dyn Embedder,
    /// A language model; may answer `unavailable`.
    pub model: &'a dyn Model,
    /// The time.
    pub clock: &'a dyn Clock,
    /// Messages for the operator of the memory.
    pub log: &'a dyn Log,
}
