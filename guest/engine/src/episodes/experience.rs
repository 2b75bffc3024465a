//! Experience: episodes seen as task, answer and feedback, searched by similar tasks and kept few and good.
//!
//! Owns the answers of the interface. What an entry is made of is
//! in [draft], [entry] and [cards], how it is found in [search], and how it is merged with others in [evolve].

pub(crate) mod cards;
pub(crate) mod draft;
pub(crate) mod edits;
pub(crate) mod entry;
pub(crate) mod evolve;
mod expendable;
pub(crate) mod feedback;
pub(crate) mod memory_type;
mod merging;
mod own;
pub(crate) mod parting;
mod relevance;
pub(crate) mod remem;
pub(crate) mod restoring;
pub(crate) mod search;
pub(crate) mod settings;
pub(crate) mod similarity;
pub(crate) mod synthesis;
pub(crate) mod vectors;

use std::collections::BTreeMap;

use twiceshy_wit::memory::*;

use crate::{
    episodes::TASK_ENDED,
    limits, refusal,
    similarity::LEAST_BRIEFED,
    store::{Desk, Kind, Reader, equals, from_on, newest, query},
};
use entry::{CARD, FEEDBACK, active, archived};
pub(crate) use entry::{KeptExperience, Use};
pub(crate) use settings::KeptSettings;

pub(crate) fn recent_window(reader: &Reader) -> Result<Vec<ExperienceEntry>, Error> {
    let settings = settings::experience_settings(reader)?;
    newest_entries(reader, None, settings.window_size)
}

pub(crate) fn entries(
    reader: &Reader,
    memory_type: Option<MemoryType>,
    limit: u32,
) -> Result<Vec<ExperienceEntry>, Error> {
    newest_entries(reader, memory_type, limits::listed(Some(limit)))
}

pub(crate) fn stats(reader: &Reader) -> Result<ExperienceStats, Error> {
    let count = |condition| reader.count(Kind::Experience, &[active(), condition]);
    let types = [
        MemoryType::Factual,
        MemoryType::Procedural,
        MemoryType::Episodic,
    ];
    let mut distribution = BTreeMap::new();
    for kind in types {
        let of_type = count(equals("type", kind.as_str()))?;
        distribution.insert(kind.as_str().to_owned(), of_type);
    }
    let total = reader.count(Kind::Experience, &[active()])?;
    let accesses: u64 = relevance::active_uses(reader)?
        .iter()
        .map(|used| u64::from(used.access_count))
        .sum();
    Ok(ExperienceStats {
        total_entries: total,
        archived_entries: archived_entries(reader)?,
        max_size: settings::experience_settings(reader)?.max_size,
        type_distribution: similarity::distribution(distribution),
        total_accesses: u32::try_from(accesses).unwrap_or(u32::MAX),
        avg_accesses_per_entry: match total {
            0 => 0.0,
            total => accesses as f64 / f64::from(total),
        },
        entries_with_strategy_card: count(equals("has", CARD))?,
        entries_with_structured_feedback: count(equals("has", FEEDBACK))?,
    })
}

/// Entries that are not searched: those that are kept, and the episodes that are no entry any more.
fn archived_entries(reader: &Reader) -> Result<u32, Error> {
    let with_a_task = reader.count(Kind::Episode, &[from_on(TASK_ENDED, "")])?;
    let entries = reader.count(Kind::Experience, &[from_on("state", "")])?;
    let kept = reader.count(Kind::Experience, &[archived()])?;
    Ok(kept + with_a_task.saturating_sub(entries))
}

pub(crate) fn configure(
    desk: &mut Desk,
    settings: &ExperienceSettings,
) -> Result<ExperienceSettings, Error> {
    let settings = settings::set_experience(desk, settings)?;
    // A size that is smaller than before holds from now on.
    evolve::prune_experiences(desk)?;
    Ok(settings)
}

fn newest_entries(
    reader: &Reader,
    memory_type: Option<MemoryType>,
    limit: u32,
) -> Result<Vec<ExperienceEntry>, Error> {
    let mut conditions = vec![active()];
    conditions.extend(memory_type.map(|kind| equals("type", kind.as_str())));
    let page = query::<KeptExperience>(conditions, newest("created-at"), limit);
    let found = reader.search::<KeptExperience>(&page)?;
    entry::shown_entries(
        reader,
        found.into_iter().map(|(read, _)| read.noun).collect(),
    )
}

pub(crate) fn experience_entry(reader: &Reader, id: &str) -> Result<ExperienceEntry, Error> {
    let Some(read) = reader.load::<KeptExperience>(id)? else {
        return Err(refusal::unknown("experience", id, "experience.entries"));
    };
    let mut shown = entry::shown_entries(reader, vec![read.noun])?;
    Ok(shown.remove(0))
}

/// What similar tasks taught, as text for a new run; empty if there is nothing to show.
pub(crate) fn experience_briefing(
    desk: &mut Desk,
    task: &str,
    tokens: u32,
) -> Result<String, Error> {
    let settings = settings::experience_settings(desk)?;
    if task.trim().is_empty() || !settings.enabled {
        return Ok(String::new());
    }
    let sought = ExperienceQuery {
        text: task.to_owned(),
        memory_type: None,
        tag: None,
        domain: None,
        limit: None,
    };
    let hits = search::find_similar(desk, &sought, LEAST_BRIEFED)?;
    let mut entries: Vec<_> = hits.into_iter().map(|hit| hit.entry).collect();
    while !entries.is_empty() {
        let synthesis = synthesis::synthesized(&entries);
        if synthesis.tokens <= tokens {
            return Ok(synthesis.text);
        }
        entries.pop();
    }
    Ok(String::new())
}
