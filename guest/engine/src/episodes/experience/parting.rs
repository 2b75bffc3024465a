//! Parting: how an entry leaves those that it was merged with, so that none of them says what it said.
//!
//! Owns that one that others leave is made anew of what it was by [itself](super::own) and of those that stay, and that one
//! that goes sets free those that it took in.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{
    host::Order,
    memory::{Episode, Error, ExperienceEntry},
};

use super::{
    cards,
    entry::{CARD, Held, KeptExperience, failed, held_by_id, kind},
    merging, vectors,
};
use crate::store::{Batch, Desk, Meaning, Reader, equals, query};

/// Entries that are looked at in one go.
const PAGE: u32 = 200;

/// Entries that change in one commit, with what they are used.
const AT_ONCE: usize = 200;

/// Parts the entry of a deleted episode from all others: it is what it was by itself, those that it took in are searched by
/// themselves, and those that took it in say nothing of it. In commits that each leave the memory whole.
pub(crate) fn part(desk: &mut Desk, id: &str) -> Result<(), Error> {
    let Some(going) = held_by_id(desk, [id].into_iter())?.pop() else {
        return Ok(());
    };
    let going = going.kept.entry;
    let taken_in = taken_in(desk, &going)?;
    for some in taken_in.chunks(AT_ONCE) {
        desk.commit(|batch| {
            for mut held in held_by_id(batch, some.iter().map(Held::id))? {
                if held.kept.entry.merged_into.as_deref() == Some(id) {
                    set_free(batch, &mut held)?;
                    held.put(batch);
                }
            }
            Ok(())
        })?;
    }
    if failed(&going) {
        for other in avoiding(desk, &going)? {
            desk.commit(|batch| remake_all(batch, Some(other.clone()), &going).map(drop))?;
        }
    }
    desk.commit(|batch| {
        let Some(mut held) = held_by_id(batch, [id].into_iter())?.pop() else {
            return Ok(());
        };
        leave(batch, &held)?;
        by_itself(batch, &mut held)?;
        held.put(batch);
        Ok(())
    })
}

/// Makes an entry what it was by itself.
fn by_itself(reader: &Reader, held: &mut Held) -> Result<(), Error> {
    if held.kept.entry.merged_into.is_some() {
        set_free(reader, held)?;
    }
    let merged_from = std::mem::take(&mut held.kept.entry.merged_from);
    if let Some(own) = held.kept.own.take() {
        held.kept.is_view = own.put_back(&mut held.kept.entry);
        return Ok(());
    }
    for other in held_by_id(reader, merged_from.iter().map(String::as_str))? {
        take_out(reader, &mut held.kept, &other.kept.entry, &[])?;
    }
    Ok(())
}

/// Makes those that an entry was merged into, one into the next, what they are without it. Returns their ids.
pub(super) fn leave(batch: &mut Batch, leaving: &Held) -> Result<BTreeSet<String>, Error> {
    let entry = &leaving.kept.entry;
    remake_all(batch, entry.merged_into.clone(), entry)
}

/// Makes an entry, and those that it was merged into, what they are without another. Returns their ids.
fn remake_all(
    batch: &mut Batch,
    mut next: Option<String>,
    without: &ExperienceEntry,
) -> Result<BTreeSet<String>, Error> {
    // The store does not know yet what is made anew.
    let mut fresh: BTreeMap<String, Held> = BTreeMap::new();
    while let Some(id) = next.take().filter(|id| !fresh.contains_key(id)) {
        let Some(mut held) = held_by_id(batch, [id.as_str()].into_iter())?.pop() else {
            break;
        };
        let before = held.kept.entry.clone();
        remake(batch, &mut held, without, &fresh)?;
        if held.kept.entry == before {
            // Who took in one that did not change does not change, either.
            break;
        }
        held.put(batch);
        next.clone_from(&held.kept.entry.merged_into);
        fresh.insert(id, held);
    }
    Ok(fresh.into_keys().collect())
}

/// Makes an entry anew of what it was by itself and of those that it took in, all but one.
fn remake(
    reader: &Reader,
    held: &mut Held,
    without: &ExperienceEntry,
    fresh: &BTreeMap<String, Held>,
) -> Result<(), Error> {
    let taken_in = taken_in(reader, &held.kept.entry)?;
    let stay: Vec<_> = taken_in
        .iter()
        .filter(|other| other.id() != without.id && !other.kept.deleted)
        .map(|other| fresh.get(other.id()).unwrap_or(other))
        .collect();
    let Some(own) = held.kept.own.take() else {
        return take_out(reader, &mut held.kept, without, &stay);
    };
    let avoids = own.avoids.clone();
    held.kept.is_view = own.put_back(&mut held.kept.entry);
    held.kept.entry.merged_from.clear();
    for other in &stay {
        merging::take_in(&mut held.kept, &other.kept.entry);
    }
    let beside = avoids.iter().map(String::as_str);
    for other in held_by_id(reader, beside.filter(|id| *id != without.id))? {
        if !other.kept.deleted {
            merging::avoid_mistake(&mut held.kept, &other.kept.entry);
        }
    }
    Ok(())
}

/// Takes the words of one entry out of another, which an earlier version made of both without noting what it was by itself.
/// What those that stay say, too, stays.
fn take_out(
    reader: &Reader,
    kept: &mut KeptExperience,
    without: &ExperienceEntry,
    stay: &[&Held],
) -> Result<(), Error> {
    let entry = &mut kept.entry;
    let card = |mistakes: &[String]| cards::card(&entry.input, &entry.output, mistakes);
    let bare = card(&[]);
    if entry.strategy_card == card(std::slice::from_ref(&without.output)) {
        entry.strategy_card = bare.clone();
    }
    entry.merged_from.retain(|id| *id != without.id);
    let episode = reader.load::<Episode>(&entry.id)?;
    let own_tags = episode.map_or_else(Vec::new, |read| read.noun.tags);
    let own = cards::summary(kind(entry), &entry.input, &entry.output);
    let others: Vec<_> = stay.iter().map(|other| &other.kept.entry).collect();
    let said = others.iter().flat_map(|other| other.summary.split("\n\n"));
    let said: BTreeSet<_> = said.chain([own.as_str()]).collect();
    let gone: BTreeSet<_> = without.summary.split("\n\n").collect();
    let is_left = |one: &&str| !gone.contains(one) || said.contains(one);
    let left: Vec<_> = entry.summary.split("\n\n").filter(is_left).collect();
    entry.summary = left.join("\n\n");
    entry.tags.retain(|tag| {
        let mut tags = others.iter().flat_map(|other| &other.tags).chain(&own_tags);
        !without.tags.contains(tag) || tags.any(|other| other == tag)
    });
    entry.metadata.retain(|one| !without.metadata.contains(one));
    if entry.raw_trace == without.raw_trace {
        entry.raw_trace.clear();
    }
    if entry.structured_feedback == without.structured_feedback {
        entry.structured_feedback = None;
    }
    if entry.strategy_card == without.strategy_card {
        entry.strategy_card = bare;
    }
    Ok(())
}

/// The entries that one took in itself.
fn taken_in(reader: &Reader, entry: &ExperienceEntry) -> Result<Vec<Held>, Error> {
    let mut all = held_by_id(reader, entry.merged_from.iter().map(String::as_str))?;
    all.retain(|other| other.kept.entry.merged_into.as_deref() == Some(entry.id.as_str()));
    Ok(all)
}

/// Lets an entry be searched by itself again.
fn set_free(reader: &Reader, held: &mut Held) -> Result<(), Error> {
    held.set_free();
    let kept = &mut held.kept;
    let meaning = Meaning {
        vector: std::mem::take(&mut kept.vector),
        model: std::mem::take(&mut kept.vector_model),
        ..Meaning::default()
    };
    let meaning = vectors::fitting(reader, meaning)?;
    (kept.vector, kept.vector_model) = (meaning.vector, meaning.model);
    Ok(())
}

/// The entries of the same domain whose card names what failed in one beside them.
fn avoiding(reader: &Reader, failed: &ExperienceEntry) -> Result<Vec<String>, Error> {
    let conditions = vec![equals("domain", &failed.domain), equals("has", CARD)];
    let mut page = query::<KeptExperience>(conditions, Order::ById, PAGE);
    let mut avoiding = Vec::new();
    loop {
        let found = reader.search::<KeptExperience>(&page)?;
        let some = found.len() as u32;
        for (read, _) in found {
            let KeptExperience { entry, own, .. } = &read.noun;
            let is_noted = own
                .as_ref()
                .is_some_and(|own| own.avoids.contains(&failed.id));
            let warned = || {
                let mistake = std::slice::from_ref(&failed.output);
                cards::card(&entry.input, &entry.output, mistake)
            };
            let is_other = entry.id != failed.id;
            if is_other && (is_noted || own.is_none() && entry.strategy_card == warned()) {
                avoiding.push(read.noun.entry.id);
            }
        }
        if some < PAGE {
            return Ok(avoiding);
        }
        page.offset += PAGE;
    }
}
