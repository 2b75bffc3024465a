//! `twiceshy stats`: how much there is of everything, and how the last days went.

use std::{fs, path::Path, process::ExitCode};

use clap::Args;
use serde::Serialize;
use twiceshy::{
    PostgresArchive, Usage,
    wit::memory::{DayMetrics, Inventory, Metrics, Tally, Upkeep},
};

use super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy stats
  twiceshy stats --days 30
  twiceshy stats --json
  twiceshy stats --storage

Days are days of UTC. A retry is a failure that came again in the same run; preference is lessons that helped less
those that harmed, of those that had something to do.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// How many of the last days, today included.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=400))]
    days: u32,
    /// Say what takes how much of the store, kind by kind, however large it is. Reads all of it.
    #[arg(long)]
    storage: bool,
}

/// What the memory takes on disk, in bytes.
#[derive(Debug, Serialize)]
struct Storage {
    store: u64,
    archive: u64,
    total: u64,
    /// What takes how much of the store, the largest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Part>,
    /// What else is in the directory of the memory, by its name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beside: Vec<Part>,
}

/// Documents of a kind, or something that they are found by.
#[derive(Debug, Serialize)]
struct Part {
    name: String,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<u64>,
}

/// Of a store of up to this size the parts are always told; of a larger one reading all of it takes seconds.
const SMALL: u64 = 256 << 20;

#[derive(Debug, Serialize)]
struct Report<'r> {
    memory: String,
    inventory: &'r Inventory,
    storage: Storage,
    metrics: &'r Metrics,
}

pub(crate) fn stats(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let inventory = memory.take_inventory()?;
    let metrics = memory.metrics_of_days(Some(arguments.days))?;
    let (mut store, mut parts) = (0, Vec::new());
    if let Some(file) = context.store().file()? {
        store = file.size_bytes()?;
        if arguments.storage || store <= SMALL {
            parts = file.usage()?.into_iter().map(part).collect();
        }
    }
    let archive = match context.store().served()? {
        None => bytes_below(&context.project.directory().join("archive")),
        Some(server) => {
            store = server.size_bytes()?;
            parts = server.usage()?.into_iter().map(part).collect();
            PostgresArchive::new(server.clone()).size_bytes()?
        }
    };
    let report = Report {
        memory: context.project.place(),
        inventory: &inventory,
        storage: Storage {
            store,
            archive,
            total: store + archive,
            parts,
            beside: beside(context),
        },
        metrics: &metrics,
    };
    context.print(&report, || {
        let mut lines = lines(&report);
        if arguments.storage {
            lines.extend(table(&report.storage));
        }
        lines
    })
}

/// What is in the directory of the memory beside its store and its archive: the largest first.
fn beside(context: &Context) -> Vec<Part> {
    let directory = context.project.directory();
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut parts: Vec<_> = entries
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().ok()?;
            let bytes = match (kind.is_dir(), kind.is_file()) {
                (true, _) => bytes_below(&entry.path()),
                (_, true) => entry.metadata().ok()?.len(),
                _ => return None,
            };
            let is_told = name == "archive" || name.starts_with("memory.db");
            (!is_told && bytes > 0).then_some(Part {
                name,
                bytes,
                documents: None,
            })
        })
        .collect();
    parts.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    parts
}

/// All that takes room, one line each.
fn table(storage: &Storage) -> Vec<String> {
    let row = |part: &Part, place: &str| {
        let documents = part.documents.map(|count| count.to_string());
        format!(
            "{:<28} {:>10} {:>12}{place}",
            show::cut(&part.name, 28),
            documents.unwrap_or_default(),
            size(part.bytes)
        )
    };
    let mut lines = vec![
        String::new(),
        format!("{:<28} {:>10} {:>12}", "what", "documents", "room"),
    ];
    lines.extend(storage.parts.iter().map(|part| row(part, "")));
    lines.extend(
        storage
            .beside
            .iter()
            .map(|part| row(part, "  beside the store")),
    );
    lines
}

fn part(usage: Usage) -> Part {
    Part {
        name: usage.name,
        bytes: usage.bytes,
        documents: usage.documents,
    }
}

/// The size of all files below a directory. Links are not followed; what can't be read counts nothing.
pub(crate) fn bytes_below(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => bytes_below(&entry.path()),
            Ok(kind) if kind.is_file() => entry.metadata().map_or(0, |data| data.len()),
            _ => 0,
        })
        .sum()
}

fn lines(report: &Report) -> Vec<String> {
    let inventory = report.inventory;
    let storage = &report.storage;
    let largest = storage
        .parts
        .iter()
        .filter(|part| part.bytes * 100 >= storage.store);
    let largest: Vec<_> = largest
        .map(|part| format!("{} {}", size(part.bytes), part.name))
        .collect();
    let mut lines = vec![
        format!("memory     {}", report.memory),
        format!(
            "storage    {} in all: {} in the store, {} in the archive",
            size(storage.total),
            size(storage.store),
            size(storage.archive)
        ),
        format!("documents  {}", tallies(&inventory.documents)),
        format!("episodes   {}", tallies(&inventory.episodes)),
        format!("lessons    {}", tallies(&inventory.lessons)),
        format!("knowledge  {}", tallies(&inventory.kinds)),
        String::new(),
        format!(
            "{:<10} {:>8} {:>8} {:>7} {:>7} {:>7} {:>6} {:>9} {:>7} {:>6} {:>6} {:>6}",
            "day",
            "episodes",
            "success",
            "steps",
            "failed",
            "retries",
            "agents",
            "seconds",
            "lessons",
            "score",
            "effic.",
            "pref."
        ),
    ];
    if !largest.is_empty() {
        lines.insert(2, format!("of it      {}", largest.join(", ")));
    }
    lines.extend(report.metrics.days.iter().map(|day| row(&day.day, day)));
    lines.push(row("all", &report.metrics.total));
    lines
}

/// What there is, by name; a dash if there is nothing.
fn tallies(tallies: &[Tally]) -> String {
    let some: Vec<_> = tallies
        .iter()
        .filter(|tally| tally.count > 0)
        .map(|tally| format!("{} {}", tally.count, tally.name))
        .collect();
    match some.as_slice() {
        [] => "—".to_owned(),
        some => some.join(", "),
    }
}

fn row(name: &str, day: &DayMetrics) -> String {
    let number =
        |number: Option<f64>| number.map_or("—".to_owned(), |number| format!("{number:.2}"));
    format!(
        "{name:<10} {:>8} {:>8} {:>7} {:>7} {:>7} {:>6} {:>9.1} {:>7} {:>6} {:>6} {:>6}",
        day.episodes,
        day.successes,
        day.steps,
        day.failures,
        day.retries,
        day.agents,
        day.duration_seconds,
        day.new_lessons,
        number(day.score),
        number(day.efficiency),
        number(day.preference)
    )
}

/// A number of bytes as a person reads it.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} bytes"),
        1_024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1_024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}
