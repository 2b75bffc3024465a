//! Evolving: how a draft becomes an entry, merges near-duplicates and prunes others.
//!
//! Owns which near-duplicates are merged into the new entry and the pruning that makes room for it, both as changes of
//! the commit that brings the entry. Nothing is lost: what is merged or pruned is archived with its link.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Error, Evolution, ExperienceSettings, FeedbackType, NewExperience};

use super::{
    draft::Draft,
    entry::{Held, KeptExperience, Use, active, kind},
    merging,
    relevance::Choice,
    search::Filter,
};
use crate::store::{Batch, Desk, Kind, Meaning, Reader, digest};

/// How many other entries one commit may change: merged, and pruned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room(usize);

impl Room {
    /// In a commit of its own.
    pub(crate) const WIDE: Self = Self(200);
    /// In the commit that ends a run, which is full of other things.
    pub(crate) const NARROW: Self = Self(20);
}

pub(crate) fn take_experience(desk: &mut Desk, new: &NewExperience) -> Result<Evolution, Error> {
    let draft = super::draft::draft(desk, new)?;
    let meaning = super::vectors::fitting(desk, desk.meaning_of(&draft.input))?;
    let now = desk.now();
    let settings = super::settings::experience_settings(desk)?;
    let (has_vector, none) = (!meaning.is_empty(), Meaning::default());
    let evolution = desk.with_vectors("experience was", has_vector, |desk, with_vector| {
        let meaning = if with_vector { &meaning } else { &none };
        desk.commit(|batch| {
            let id = free_experience_id(batch, &draft, now, batch.attempt())?;
            batch.add(&draft.episode(&id, now));
            grow(batch, &id, &draft, meaning, &settings, Room::WIDE, now)
        })
    })?;
    tell_evolution(desk, &evolution, &settings);
    Ok(evolution)
}

/// An id that no run, episode or experience has.
fn free_experience_id(
    reader: &Reader,
    draft: &Draft,
    now: u64,
    attempt: u32,
) -> Result<String, Error> {
    for number in attempt.. {
        let time = now.to_string();
        let parts = [
            draft.input.as_str(),
            &draft.output,
            &draft.domain,
            &time,
            &number.to_string(),
        ];
        let id = format!("exp_{}", digest(&parts));
        if !reader.has(&[Kind::Run, Kind::Episode, Kind::Experience], &id)? {
            return Ok(id);
        }
    }
    Err(Error::Busy(
        "No id is free for this experience. Try again.".to_owned(),
    ))
}

/// Puts what a draft becomes: its entry, with near-duplicates merged into it, and with room made for it.
pub(crate) fn grow(
    batch: &mut Batch,
    id: &str,
    draft: &Draft,
    meaning: &Meaning,
    settings: &ExperienceSettings,
    room: Room,
    now: u64,
) -> Result<Evolution, Error> {
    let kept = KeptExperience {
        entry: draft.entry(id, now),
        vector: meaning.vector.clone(),
        vector_model: meaning.model.clone(),
        is_view: draft.is_view,
        deleted: false,
        used: false,
        own: None,
    };
    let mut new = Held::new(kept, Use::none(id, now));
    let same = near_duplicates(batch, draft, meaning, settings, room)?;
    let (mut absorbed, others): (Vec<_>, Vec<_>) =
        same.into_iter().partition(|other| replaces(&new, other));
    for other in &mut absorbed {
        absorb(&mut new, other);
    }
    for other in &others {
        merging::avoid_mistake(&mut new.kept, &other.kept.entry);
    }
    let merged: Vec<_> = absorbed.iter().map(|held| held.id().to_owned()).collect();
    let searched = batch.count(Kind::Experience, &[active()])? as usize + 1 - merged.len();
    let stay = merged.iter().cloned().chain([id.to_owned()]).collect();
    let pruned = surplus(batch, searched, &stay, settings, room, now)?;
    for held in [&new].into_iter().chain(&absorbed).chain(&pruned) {
        held.put(batch);
    }
    Ok(Evolution {
        entry: new.kept.shown(&new.used, settings.relevance_decay, now),
        merged,
        pruned: pruned.iter().map(|held| held.id().to_owned()).collect(),
    })
}

/// The entries that are archived when so many are searched and that is too many, all but some.
pub(super) fn surplus(
    reader: &Reader,
    searched: usize,
    stay: &BTreeSet<String>,
    settings: &ExperienceSettings,
    room: Room,
    now: u64,
) -> Result<Vec<Held>, Error> {
    if searched <= settings.max_size as usize {
        return Ok(Vec::new());
    }
    // Some more than have to go, so that the next few come to a memory that has room.
    let beyond = searched - settings.max_size as usize + slack(settings, room);
    let mut going = super::expendable::expendable(reader, beyond, choice(settings, now), |used| {
        !stay.contains(&used.id)
    })?;
    going.truncate(room.0);
    let mut pruned = super::entry::held_by_id(reader, going.iter().map(|used| used.id.as_str()))?;
    for other in &mut pruned {
        other.archive(None);
    }
    Ok(pruned)
}

/// How many entries go with those that have to, when a memory is full: a fiftieth, within the room of the commit.
fn slack(settings: &ExperienceSettings, room: Room) -> usize {
    (settings.max_size as usize / 50).min(room.0 - 1)
}

/// Whether a new entry may stand for another of the same task: it went the same way, or well where nobody said how the
/// other went. A success is never displaced by a failure or by an answer that nobody judged.
fn replaces(new: &Held, other: &Held) -> bool {
    let judged =
        |held: &Held| kind(&held.kept.entry).filter(|kind| *kind != FeedbackType::InProgress);
    let (new, other) = (judged(new), judged(other));
    new == other || (new == Some(FeedbackType::Success) && other.is_none())
}

/// Entries of the same domain that are the same task, most similar first.
fn near_duplicates(
    reader: &Reader,
    draft: &Draft,
    meaning: &Meaning,
    settings: &ExperienceSettings,
    room: Room,
) -> Result<Vec<Held>, Error> {
    if !settings.enable_smart_prune {
        return Ok(Vec::new());
    }
    let filter = Filter::of_domain(&draft.domain);
    let limit = u32::try_from(room.0).unwrap_or(u32::MAX);
    let mut found = match super::search::few_words(&draft.input, settings.prune_threshold) {
        Some(words) if meaning.is_empty() => {
            super::search::same_words(reader, &draft.input, &words, filter, limit)?
        }
        _ => {
            let input = &draft.input;
            super::search::nearly_the_same(reader, input, meaning, &filter, limit)?
        }
    };
    found.retain(|found| found.score >= settings.prune_threshold);
    found.truncate(room.0);
    super::entry::held(reader, found.into_iter().map(|found| found.read).collect())
}

/// Prunes until what is searched fits, in commits that each leave the memory whole.
pub(crate) fn prune_experiences(desk: &mut Desk) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    loop {
        let settings = super::settings::experience_settings(desk)?;
        let now = desk.now();
        let pruned = desk.commit(|batch| {
            let searched = batch.count(Kind::Experience, &[active()])?;
            let beyond = searched.saturating_sub(settings.max_size) as usize;
            let mut going =
                super::expendable::expendable(batch, beyond, choice(&settings, now), |_| true)?;
            going.truncate(Room::WIDE.0);
            let mut held =
                super::entry::held_by_id(batch, going.iter().map(|used| used.id.as_str()))?;
            for other in &mut held {
                other.archive(None);
            }
            let ids: Vec<_> = held.iter().map(|held| held.id().to_owned()).collect();
            held.iter().for_each(|held| held.put(batch));
            Ok(ids)
        })?;
        let some = pruned.len();
        tell_pruned(desk, &pruned, &settings);
        all.extend(pruned);
        if some < Room::WIDE.0 {
            return Ok(all);
        }
    }
}

/// Logs what became of an experience.
pub(crate) fn tell_evolution(
    reader: &Reader,
    evolution: &Evolution,
    settings: &ExperienceSettings,
) {
    let entry = &evolution.entry;
    if !evolution.merged.is_empty() {
        reader.debug(&format!(
            "evolving_memory_smart_merged id={} merged={}",
            entry.id,
            evolution.merged.join(",")
        ));
    }
    reader.debug(&format!(
        "evolving_memory_entry_added id={} memory_type={} has_strategy_card={}",
        entry.id,
        entry.memory_type.as_str(),
        !entry.strategy_card.is_empty()
    ));
    tell_pruned(reader, &evolution.pruned, settings);
}

pub(super) fn tell_pruned(reader: &Reader, pruned: &[String], settings: &ExperienceSettings) {
    if pruned.is_empty() {
        return;
    }
    let name = match settings.enable_smart_prune {
        true => "evolving_memory_relevance_pruned",
        false => "evolving_memory_fifo_pruned",
    };
    reader.debug(&format!(
        "{name} count={} ids={}",
        pruned.len(),
        pruned.join(",")
    ));
}

fn choice(settings: &ExperienceSettings, now: u64) -> Choice {
    match settings.enable_smart_prune {
        true => Choice::Relevance {
            decay: settings.relevance_decay,
            least: settings.min_relevance,
            now,
        },
        false => Choice::Oldest,
    }
}

/// Merges an entry into another, which keeps its own task, answer and vector, and archives it.
pub(crate) fn absorb(into: &mut Held, other: &mut Held) {
    let id = into.id().to_owned();
    merging::take_in(&mut into.kept, &other.kept.entry);
    let (used, old) = (&mut into.used, &other.used);
    used.access_count = used.access_count.saturating_add(old.access_count);
    used.last_accessed_at = used.last_accessed_at.max(old.last_accessed_at);
    other.archive(Some(&id));
}
