//! `.evolve_memory.json`, version 1.0.0: how decisions are exchanged.
//!
//! Owns the format. Live data are documents in the store; a file is read and written whole.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twiceshy_wit::memory::{Error, Exported, Imported, NewDecision};

use super::{KeptDecision, kept};
use crate::{
    decisions::records::{AT, Record, behind},
    instant, limits,
    store::{Desk, Kind, Reader, ascending, query},
};

/// The version that is read and written.
const VERSION: &str = "1.0.0";

/// Records of one piece of an export.
const PIECE: u32 = 1_000;

/// Records that are taken in with one commit: with their wordings they fit into it.
const BATCH: usize = 300;

const BEGINNING: &str = "{\n  \"version\": \"1.0.0\",\n  \"records\": [";

/// A record as the file has it: these members, in this order.
#[derive(Serialize, Deserialize)]
struct FileRecord {
    module: String,
    hypothesis: String,
    #[serde(default)]
    description: Option<String>,
    outcome: String,
    #[serde(default)]
    rationale: Option<String>,
    #[serde(default)]
    rejection_reason: Option<String>,
    timestamp: String,
}

#[derive(Deserialize)]
struct File {
    records: Vec<FileRecord>,
}

pub(super) fn export_decisions(reader: &Reader, after: Option<&str>) -> Result<Exported, Error> {
    let conditions = after.map(behind).into_iter().collect();
    let query = query::<KeptDecision>(conditions, ascending(AT), PIECE);
    let found = reader.search::<KeptDecision>(&query)?;
    let mut text = after.map_or_else(|| BEGINNING.to_owned(), |_| String::new());
    let mut separator = if after.is_none() { "" } else { "," };
    for (read, _) in &found {
        let record = serde_json::to_string_pretty(&written(&read.noun))
            .map_err(|error| Error::Other(format!("a record can't be written: {error}")))?;
        text.push_str(separator);
        text.push_str("\n    ");
        text.push_str(&record.replace('\n', "\n    "));
        separator = ",";
    }
    let last = found.last().filter(|_| found.len() == PIECE as usize);
    let next = last.map(|(read, _)| read.noun.place());
    if next.is_none() {
        let is_empty = found.is_empty() && after.is_none();
        text.push_str(if is_empty { "]\n}\n" } else { "\n  ]\n}\n" });
    }
    Ok(Exported {
        text,
        records: u32::try_from(found.len()).unwrap_or(u32::MAX),
        next,
    })
}

pub(super) fn import_decisions(
    desk: &mut Desk,
    text: &str,
    check_only: bool,
) -> Result<Imported, Error> {
    let decisions = decisions(text)?;
    let mut imported = Imported {
        records: u32::try_from(decisions.len()).unwrap_or(u32::MAX),
        added: 0,
        known: 0,
    };
    for some in decisions.chunks(BATCH) {
        let keys: Vec<_> = some
            .iter()
            .map(|kept| Kind::Decision.key(&kept.decision.id))
            .collect();
        let added = desk.commit(|batch| {
            let stored = batch.read(&keys)?;
            let known: BTreeSet<_> = stored.into_iter().map(|stored| stored.key.id).collect();
            let new: Vec<_> = some
                .iter()
                .filter(|kept| !known.contains(&kept.decision.id))
                .collect();
            if !check_only && !new.is_empty() {
                super::put_new(batch, &new)?;
            }
            Ok(new.len())
        })?;
        imported.added += added as u32;
        imported.known += (some.len() - added) as u32;
    }
    Ok(imported)
}

/// The decisions of a file, all of them checked and numbered.
fn decisions(text: &str) -> Result<Vec<KeptDecision>, Error> {
    let invalid = |message: String| Error::InvalidArgument(message);
    if text.len() > limits::FILE_BYTES {
        return Err(invalid(format!(
            "the file has {} MiB, and at most {} are allowed at once; split it into several files",
            text.len() >> 20,
            limits::FILE_BYTES >> 20
        )));
    }
    // The version is looked at first: another one may have another shape.
    let value: serde_json::Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| {
            invalid(format!(
                "the file is not JSON: {error}; nothing was imported"
            ))
        })?;
    match value.get("version").and_then(serde_json::Value::as_str) {
        Some(VERSION) => {}
        Some(other) => {
            return Err(invalid(format!(
                "the file has version {other:?}, but only \"{VERSION}\" is supported; nothing was imported"
            )));
        }
        None => {
            return Err(invalid(format!(
                "the file has no \"version\"; it must have \"version\": \"{VERSION}\" and \"records\""
            )));
        }
    }
    let file: File = serde_json::from_value(value).map_err(|error| {
        invalid(format!(
            "the file's \"records\": {error}; nothing was imported"
        ))
    })?;
    let mut copies: BTreeMap<String, u32> = BTreeMap::new();
    let mut decisions = Vec::with_capacity(file.records.len());
    for (number, record) in file.records.into_iter().enumerate() {
        let refused = |error: Error| {
            invalid(format!(
                "records[{number}]: {}; nothing was imported",
                error.message()
            ))
        };
        let at = instant::read(&record.timestamp).ok_or_else(|| {
            refused(invalid(format!(
                "timestamp is {:?}; it must be a time such as 2024-01-15T10:30:00Z",
                record.timestamp
            )))
        })?;
        let new = NewDecision {
            module: record.module,
            hypothesis: record.hypothesis,
            description: record.description,
            outcome: record.outcome,
            rationale: record.rationale,
            rejection_reason: record.rejection_reason,
        };
        // What is written the way we write it need not be kept as it was.
        let own = instant::written(at) == record.timestamp;
        let mut kept = kept(&new, at, (!own).then_some(record.timestamp)).map_err(refused)?;
        kept.number(0);
        let copy = copies.entry(kept.decision.id.clone()).or_default();
        if *copy > 0 {
            kept.number(*copy);
        }
        *copy += 1;
        decisions.push(kept);
    }
    Ok(decisions)
}

/// A decision as a record of the file.
fn written(kept: &KeptDecision) -> FileRecord {
    let decision = &kept.decision;
    FileRecord {
        module: decision.module.clone(),
        hypothesis: decision.hypothesis.clone(),
        description: Some(decision.description.clone()),
        outcome: decision.outcome.clone(),
        rationale: decision.rationale.clone(),
        rejection_reason: decision.rejection_reason.clone(),
        timestamp: kept
            .written
            .clone()
            .unwrap_or_else(|| instant::written(decision.timestamp)),
    }
}
