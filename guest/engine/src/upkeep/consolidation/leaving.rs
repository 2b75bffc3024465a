//! Leaving a group: what becomes of consolidated episodes when one of them is deleted.
//!
//! Owns that nothing of a group says what the one that leaves said. If it stood for the others, each of them is found by
//! itself again; if another stands for it, the record and the vector of the group are made of those that are left.

use twiceshy_text::vector::mean;
use twiceshy_wit::{
    host::Order,
    memory::{Consolidated, Episode, Error, Outcome},
};

use super::{episodes::CombinedVector, similarity};
use crate::{
    episodes::{self, KeptConsolidated, lifecycle},
    store::{Batch, Desk, Kind, Reader, equals},
};

/// Episodes that are set free in one commit, and those of which the vector of a group is made anew.
const AT_ONCE: u32 = 200;

/// Takes an episode out of its group.
pub(crate) fn leave_group(desk: &mut Desk, id: &str) -> Result<(), Error> {
    set_members_free(desk, id)?;
    let known = lifecycle::lifecycle(desk, id)?.noun;
    let Some(into) = known.consolidated_into else {
        return Ok(());
    };
    let vector = vector_without(desk, &into, id)?;
    desk.commit(|batch| {
        let went = set_free(batch, id, &into)?;
        if let (Some(went), Some(read)) = (went, batch.load::<KeptConsolidated>(&into)?) {
            match without(read.noun.0, &went) {
                Some(record) => {
                    batch.put(&KeptConsolidated(record));
                    match &vector {
                        Some(vector) => batch.put_owned(vector),
                        None => remove_vector(batch, &into),
                    }
                }
                None => {
                    batch.remove(Kind::Consolidated, &into);
                    remove_vector(batch, &into);
                }
            }
        }
        Ok(())
    })
}

/// Lets those that an episode stands for be found by themselves.
fn set_members_free(desk: &mut Desk, id: &str) -> Result<(), Error> {
    loop {
        let members = members(desk, id)?;
        desk.commit(|batch| {
            for member in &members {
                set_free(batch, member, id)?;
            }
            // The others are still found through the record.
            if members.len() < AT_ONCE as usize && batch.load::<KeptConsolidated>(id)?.is_some() {
                batch.remove(Kind::Consolidated, id);
                remove_vector(batch, id);
            }
            Ok(())
        })?;
        if members.len() < AT_ONCE as usize {
            return Ok(());
        }
    }
}

/// Some of the episodes that one stands for.
fn members(reader: &Reader, id: &str) -> Result<Vec<String>, Error> {
    let of_it = equals("consolidated-into", id);
    reader.ids(Kind::Lifecycle, of_it, Order::ById, AT_ONCE)
}

/// Lets an episode be found by itself, and gives it if another stood for it.
fn set_free(batch: &mut Batch, id: &str, into: &str) -> Result<Option<Episode>, Error> {
    let mut lifecycle = lifecycle::lifecycle(batch, id)?.noun;
    if lifecycle.consolidated_into.as_deref() != Some(into) {
        return Ok(None);
    }
    lifecycle.consolidated_into = None;
    let episode = episodes::load_episode(batch, id)?.noun;
    lifecycle::put(batch, &episode, &lifecycle);
    Ok(Some(episode))
}

/// What is common to a group without one of its episodes; none if one alone is left. What the others have in common is what
/// all of them had.
fn without(mut record: Consolidated, went: &Episode) -> Option<Consolidated> {
    let left = record.instances.saturating_sub(1);
    if left < 2 {
        return None;
    }
    let mean =
        |mean: f64, value: f64| (mean * f64::from(record.instances) - value) / f64::from(left);
    let duration = went.ended_at.saturating_sub(went.started_at);
    record.average_duration = mean(record.average_duration, duration as f64).max(0.0);
    let succeeded = u8::from(went.outcome == Outcome::Success);
    record.success_rate = mean(record.success_rate, f64::from(succeeded)).clamp(0.0, 1.0);
    record.instances = left;
    record.variations.retain(|one| one.episode != went.id);
    Some(record)
}

/// The vector of a group without one of its episodes; none without an embedder.
fn vector_without(desk: &Desk, stands: &str, id: &str) -> Result<Option<CombinedVector>, Error> {
    let mut ids = vec![stands.to_owned()];
    ids.extend(
        members(desk, stands)?
            .into_iter()
            .filter(|member| member != id),
    );
    let left = desk.load_all::<Episode>(&ids)?;
    let shapes = similarity::shapes(desk, left.into_iter().map(|read| read.noun).collect());
    let vectors = shapes.iter().map(|shape| (shape.task.vector.as_slice(), 1));
    let vector = mean(vectors);
    let stands = shapes.first().filter(|_| !vector.is_empty());
    Ok(stands.map(|stands| CombinedVector::of(stands, vector)))
}

fn remove_vector(batch: &mut Batch, id: &str) {
    // The record of the group, whose version is checked, owns it.
    batch.remove_owned(Kind::Embedding, &CombinedVector::id_of(id));
}
