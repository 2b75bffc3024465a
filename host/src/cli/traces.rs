//! Traces: where words of a memory are besides its documents, and how they go when something is removed for good.
//!
//! They are in free parts of the store's file, in what a session still has to be told, and in the log of hooks.

use twiceshy::{Home, ProjectStore, wit::host::Error};

use super::{hook::log::Log, session_run};

/// Leaves no word in any file of what the memory no longer has.
///
/// # Errors
/// If the store's file can't be written anew.
pub(crate) fn erase(store: &ProjectStore) -> Result<(), Error> {
    session_run::forget_words(store.project());
    Log::of(&Home::find()).forget_words(store.project().directory());
    store.rewrite()
}
