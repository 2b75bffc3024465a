//! `twiceshy adapter list`: one line an adapter.

use std::process::ExitCode;

use serde::Serialize;
use twiceshy::AdapterEntry;

use super::super::{context::Context, failure::Failure, show};

pub(crate) fn list(context: &Context) -> Result<ExitCode, Failure> {
    let entries = context.adapters().list();
    context.print(&entries, || entries.iter().flat_map(lines).collect())
}

/// An adapter in a line, and in another one what is wrong with it.
pub(crate) fn lines(entry: &AdapterEntry) -> Vec<String> {
    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "?".to_owned());
    let line = format!(
        "{:<20} {:<10} {:<16} {:<8} {}",
        entry.name,
        known(&entry.version),
        known(&entry.domain),
        word(&entry.place),
        word(&entry.state)
    );
    let note = entry
        .note
        .as_ref()
        .map(|note| format!("    {}", show::line(note)));
    [Some(line), note].into_iter().flatten().collect()
}

/// A case by its name.
pub(super) fn word(case: &impl Serialize) -> String {
    let value = serde_json::to_value(case).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
