//! A working memory as lines for a person.

use twiceshy::wit::memory::{Snapshot, WorkingItem, WorkingMemory, WorkingMetadata, WorkingSize};

use crate::cli::show;

pub(super) fn size(size: &WorkingSize) -> Vec<String> {
    let mut lines = vec![format!("{} of {} tokens", size.tokens, size.budget)];
    lines.extend(
        size.pruned
            .iter()
            .map(|id| format!("moved out  {}", show::line(id))),
    );
    lines
}

pub(super) fn items(items: &[WorkingItem]) -> Vec<String> {
    if items.is_empty() {
        return vec!["Nothing was found.".to_owned()];
    }
    items.iter().map(item).collect()
}

fn item(item: &WorkingItem) -> String {
    format!(
        "{:<4}  {:>5}  {}{}  {}",
        item.temperature.as_str(),
        item.tokens,
        show::line(&item.id),
        if item.is_reference { " (in short)" } else { "" },
        show::cut(&item.text, 80)
    )
}

pub(super) fn whole(memory: &WorkingMemory) -> Vec<String> {
    let mut lines = vec![format!(
        "{}  begun {}  {} of {} tokens",
        memory.run,
        show::time(memory.started_at),
        memory.tokens,
        memory.budget
    )];
    for section in &memory.sections {
        lines.push(String::new());
        lines.push(format!(
            "{}  {} of {} tokens",
            section.section.as_str(),
            section.tokens,
            section.budget
        ));
        let of_section = memory
            .items
            .iter()
            .filter(|item| item.section == section.section);
        lines.extend(of_section.map(|one| format!("  {}", item(one))));
    }
    if !memory.warnings.is_empty() {
        lines.push(String::new());
        lines.extend(memory.warnings.iter().map(|warning| show::line(warning)));
    }
    lines
}

pub(super) fn snapshot(snapshot: &Snapshot) -> String {
    format!(
        "{}  {}  {} tokens  {}",
        snapshot.id,
        show::time(snapshot.at),
        snapshot.tokens,
        show::cut(&snapshot.label, 80)
    )
}

pub(super) fn snapshots(snapshots: &[Snapshot]) -> Vec<String> {
    if snapshots.is_empty() {
        return vec!["No snapshots.".to_owned()];
    }
    snapshots.iter().map(snapshot).collect()
}

pub(super) fn metadata(metadata: &WorkingMetadata) -> Vec<String> {
    let mut lines = vec![format!(
        "{}  {} operations, {} tokens at most, from {} to {}",
        metadata.run,
        metadata.operations,
        metadata.peak_tokens,
        show::time(metadata.started_at),
        show::time(metadata.cleared_at)
    )];
    lines.extend(metadata.variables.iter().map(|variable| {
        format!(
            "{} = {}",
            show::line(&variable.key),
            show::cut(&variable.value, 100)
        )
    }));
    lines
}
