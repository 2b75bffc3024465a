//! Restoring: entries that were pruned or merged, and how one of them is searched again.
//!
//! Owns the list of what is not searched, and the way back. An entry that only said what its episode says is no document
//! any more; whoever knows how runs end makes it again, and hands that in.

use twiceshy_wit::memory::{Episode, Error, Evolution, ExperienceEntry};

use super::{
    entry::{Held, KeptExperience, Use, active, held_by_id, shown_entries},
    evolve::{self, Room},
    parting,
};
use crate::{
    episodes::{TASK_ENDED, lifecycle},
    limits, refusal,
    store::{Desk, Kind, Meaning, Reader, from_on, newest, query},
};

/// Episodes that are looked at together.
const PAGE: u32 = 200;

/// Entries that are not searched, newest first. Every entry is an episode, so all of them are found there; passed over are
/// at most as many as are searched, and deleted ones.
pub(crate) fn archived_entries(
    reader: &Reader,
    limit: u32,
    remade: impl Fn(&str) -> Result<Option<ExperienceEntry>, Error>,
) -> Result<Vec<ExperienceEntry>, Error> {
    let limit = limits::listed(Some(limit)) as usize;
    let mut page = query::<Episode>(vec![from_on(TASK_ENDED, "")], newest("ended-at"), PAGE);
    let mut archived = Vec::new();
    loop {
        let found = reader.search::<Episode>(&page)?;
        let ids = found.iter().map(|(read, _)| read.noun.id.as_str());
        let mut entries = reader.load_by_id::<KeptExperience>(ids)?;
        for (read, _) in &found {
            if archived.len() == limit {
                return Ok(archived);
            }
            let id = &read.noun.id;
            match entries.remove(id).map(|read| read.noun) {
                Some(kept) if kept.entry.archived && !kept.deleted => {
                    archived.extend(shown_entries(reader, vec![kept])?);
                }
                Some(_) => {}
                None => archived.extend(remade(id)?),
            }
        }
        if found.len() < PAGE as usize {
            return Ok(archived);
        }
        page.offset += PAGE;
    }
}

/// Brings an entry back. One that is no document is made again.
pub(crate) fn restore_entry(
    desk: &mut Desk,
    id: &str,
    remade: impl Fn(&Reader, &str) -> Result<Option<ExperienceEntry>, Error>,
) -> Result<Evolution, Error> {
    let (now, none) = (desk.now(), Meaning::default());
    let settings = super::settings::experience_settings(desk)?;
    let unknown = || refusal::unknown("experience", id, "experience.archived");
    let episode = desk.load::<Episode>(id)?.ok_or_else(unknown)?.noun;
    let meaning = super::vectors::fitting(desk, desk.meaning_of(&episode.task))?;
    let has_vector = !meaning.is_empty();
    let evolution = desk.with_vectors("experience was", has_vector, |desk, with_vector| {
        let meaning = if with_vector { &meaning } else { &none };
        desk.commit(|batch| {
            let found = held_by_id(batch, [id].into_iter())?.pop();
            if lifecycle::lifecycle(batch, id)?.noun.deleted_at.is_some() {
                return Err(Error::Conflict(format!(
                    "The episode of `{id}` is deleted. `episodes.undelete` brings it back."
                )));
            }
            let mut held = match found {
                Some(held) => held,
                None => view(remade(batch, id)?.ok_or_else(unknown)?),
            };
            let mut pruned = Vec::new();
            if held.kept.entry.archived {
                let mut stay = parting::leave(batch, &held)?;
                stay.insert(id.to_owned());
                held.restore(now);
                held.kept.vector.clone_from(&meaning.vector);
                held.kept.vector_model.clone_from(&meaning.model);
                let searched = batch.count(Kind::Experience, &[active()])? as usize + 1;
                pruned = evolve::surplus(batch, searched, &stay, &settings, Room::WIDE, now)?;
                for held in [&held].into_iter().chain(&pruned) {
                    held.put(batch);
                }
            }
            Ok(Evolution {
                entry: held.kept.shown(&held.used, settings.relevance_decay, now),
                merged: Vec::new(),
                pruned: pruned.iter().map(|held| held.id().to_owned()).collect(),
            })
        })
    })?;
    evolve::tell_pruned(desk, &evolution.pruned, &settings);
    Ok(evolution)
}

/// An entry that says what its episode says.
fn view(entry: ExperienceEntry) -> Held {
    let used = Use::none(&entry.id, entry.created_at);
    let kept = KeptExperience {
        entry,
        vector: Vec::new(),
        vector_model: String::new(),
        is_view: true,
        deleted: false,
        used: false,
        own: None,
    };
    Held::new(kept, used)
}
