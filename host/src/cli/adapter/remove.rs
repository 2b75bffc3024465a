//! `twiceshy adapter remove`: takes an installed adapter away.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use twiceshy::Place;

use super::{
    super::{context::Context, failure::Failure},
    list::word,
};

#[derive(Debug, Args)]
pub(crate) struct Remove {
    /// The adapter's name.
    name: String,
    /// Only the one of the project.
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// Only the one of the user, although the project has one of the same name.
    #[arg(long)]
    user: bool,
}

pub(crate) fn remove(context: &Context, remove: &Remove) -> Result<ExitCode, Failure> {
    let place = match (remove.project, remove.user) {
        (true, _) => Some(Place::Project),
        (_, true) => Some(Place::User),
        _ => None,
    };
    let place = context.adapters().remove(&remove.name, place)?;
    context.print(&json!({ "removed": remove.name, "place": place }), || {
        vec![format!(
            "{} is removed from the {}'s adapters",
            remove.name,
            word(&place)
        )]
    })
}
