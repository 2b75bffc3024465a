//! An adapter as an argument names it: by its file, or by its name.

use std::{fs, path::Path, sync::Arc};

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
    // That the file is not there is the caller's mistake; all else is the adapter's.
    fs::metadata(path)
        .map_err(|error| Failure::input(format!("{named}: {error}; name a component's file")))?;
    Ok(context.adapters().uncounted().open(path).map(Arc::new))
}
