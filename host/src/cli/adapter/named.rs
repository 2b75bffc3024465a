//! An adapter as an argument names it: by its file, or by its name.

use std::{ffi::OsStr, fs, path::Path, sync::Arc};

use twiceshy::{Adapter, PluginError};

use crate::cli::{context::Context, failure::Failure};

/// Loads the adapter, to try it: nothing is counted against it. What is wrong with the adapter itself is the inner result.
pub(crate) fn load(
    context: &Context,
    named: &str,
) -> Result<Result<Arc<Adapter>, PluginError>, Failure> {
    let path = Path::new(named);
    let is_file = named.contains(std::path::MAIN_SEPARATOR)
        || path
            .extension()
            .is_some_and(|extension| extension == "wasm");
    if !is_file {
        return Ok(context.adapters().uncounted().get(named));
    }
    let bytes = fs::read(path)
        .map_err(|error| Failure::input(format!("{named}: {error}; name a component's file")))?;
    let name = path.file_stem().and_then(OsStr::to_str).unwrap_or(named);
    Ok(Adapter::from_bytes(name, &bytes).map(Arc::new))
}
