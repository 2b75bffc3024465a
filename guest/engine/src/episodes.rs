//! Episodes: runs that have ended, and what becomes of them.
//!
//! Owns by what an episode is found. It is written once, by the end of a run or from elsewhere, and its content never
//! changes: what happens to it later is kept beside it, see [lifecycle].

pub(crate) mod experience;
pub(crate) mod tasks;

pub(crate) mod account;
pub(crate) mod aging;
pub(crate) mod artifacts;
pub(crate) mod attempts;
pub(crate) mod cold;
pub(crate) mod embeddings;
pub(crate) mod head;
pub(crate) mod lifecycle;
mod references;
pub(crate) mod reward;
pub(crate) mod search;
pub(crate) mod shelf;
pub(crate) mod similar;
mod summary;

use twiceshy_wit::{
    host::{Attribute, Condition},
    memory::*,
};

use crate::{
    episodes::tasks::task_id,
    limits, refusal,
    store::{
        Batch, Desk, Kind, Noun, Read, Reader, at_least, at_most, begins_with, equals, newest,
        number, query, text,
    },
    text::indexed,
};
pub(crate) use account::{KeptAccount, describe};
pub(crate) use embeddings::{Embeddings, embed_anew};
pub(crate) use head::Head;
pub(crate) use lifecycle::{KeptConsolidated, KeptLifecycle, in_phase, is_found};
pub(crate) use references::references_to;
pub(crate) use summary::made as summary;

/// Steps of one answer, as the contract has it.
const TRACED: u32 = 200;

impl Noun for Episode {
    const KIND: Kind = Kind::Episode;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        attributes(self, &KeptLifecycle::default())
    }

    fn terms(&self) -> String {
        let mut words = indexed(&self.task);
        words.extend(indexed(summary::beside_task(self)));
        words.join(" ")
    }
}

/// By what an episode is found, with what happened to it.
pub(crate) fn attributes(episode: &Episode, lifecycle: &KeptLifecycle) -> Vec<Attribute> {
    let mut attributes = restrictions(episode);
    if let Some(task) = task_id(&episode.domain, &episode.task) {
        attributes.push(text(TASK_ENDED, &task_ended(&task, episode.ended_at)));
    }
    attributes.extend(lifecycle.attributes_of(episode));
    attributes
}

/// The part of an episode's attributes that is about its content.
pub(crate) fn restrictions(episode: &Episode) -> Vec<Attribute> {
    let mut attributes = vec![
        text("domain", &episode.domain),
        text("outcome", episode.outcome.as_str()),
        number("ended-at", episode.ended_at as f64),
    ];
    let single = [
        ("session", &episode.session),
        ("agent", &episode.agent),
        ("task-type", &episode.task_type),
    ];
    let given = single.into_iter().filter(|(_, value)| !value.is_empty());
    attributes.extend(given.map(|(name, value)| text(name, value)));
    let lists = [
        ("tag", &episode.tags),
        ("tool", &episode.tools_used),
        ("strategy", &episode.strategies_applied),
        ("fingerprint", &episode.fingerprints),
    ];
    for (name, values) in lists {
        attributes.extend(values.iter().map(|value| text(name, value)));
    }
    attributes
}

/// Removes what is kept of an episode itself. Its steps, events and activations go before.
pub(crate) fn remove(batch: &mut Batch, episode: &str) {
    for facet in embeddings::FACETS {
        batch.remove_owned(Kind::Embedding, &embeddings::embedding_id(episode, facet));
    }
    for kind in [
        Kind::Account,
        Kind::Consolidated,
        Kind::Lifecycle,
        Kind::Reward,
        Kind::Experience,
        Kind::ExperienceUse,
        Kind::WorkingMetadata,
        Kind::Episode,
    ] {
        batch.remove_owned(kind, episode);
    }
}

/// The attribute by which the episodes of a task are found, in the order of their ends.
pub(crate) const TASK_ENDED: &str = "task-ended";

/// Conditions that an episode is of a task.
pub(crate) fn of_task(task: &str) -> Vec<Condition> {
    begins_with(TASK_ENDED, &format!("{task} "), "")
}

/// A task and a time such that the episodes of a task stand in the order of their ends, whatever there are beside.
fn task_ended(task: &str, ended_at: u64) -> String {
    format!("{task} {ended_at:016}")
}

/// The conditions that a filter asks for.
fn conditions(filter: &EpisodeFilter, now: u64) -> Result<Vec<Condition>, Error> {
    let equal = [
        ("domain", filter.domain.as_deref()),
        ("outcome", filter.outcome.map(|outcome| outcome.as_str())),
        ("fingerprint", filter.fingerprint.as_deref()),
        ("task-type", filter.task_type.as_deref()),
        ("session", filter.session.as_deref()),
        ("agent", filter.agent.as_deref()),
        ("tag", filter.tag.as_deref()),
        ("tool", filter.tool.as_deref()),
        ("strategy", filter.strategy.as_deref()),
    ];
    let mut conditions: Vec<_> = equal
        .into_iter()
        .filter_map(|(name, value)| Some(equals(name, value?)))
        .collect();
    if let (Some(since), Some(until)) = (filter.since, filter.until)
        && since > until
    {
        return Err(Error::InvalidArgument(
            "`since` is later than `until`; swap them".to_owned(),
        ));
    }
    conditions.extend(filter.since.map(|since| at_least("ended-at", since as f64)));
    conditions.extend(filter.until.map(|until| at_most("ended-at", until as f64)));
    match filter.phase {
        Some(phase) => conditions.extend(lifecycle::in_phase(phase, now)),
        None => conditions.push(is_found()),
    }
    Ok(conditions)
}

pub(crate) fn find(reader: &Reader, filter: &EpisodeFilter) -> Result<Vec<Episode>, Error> {
    let conditions = conditions(filter, reader.now())?;
    let query = query::<Episode>(conditions, newest("ended-at"), limits::listed(filter.limit));
    Ok(reader
        .search::<Episode>(&query)?
        .into_iter()
        .map(|(read, _)| read.noun)
        .collect())
}

pub(crate) fn retrieve(desk: &mut Desk, episode: &str) -> Result<FullEpisode, Error> {
    let now = desk.now();
    desk.commit(|batch| {
        let read = load_episode(batch, episode)?;
        let mut lifecycle = lifecycle::lifecycle(batch, episode)?;
        let count = &mut lifecycle.noun.access_count;
        *count = count.saturating_add(1);
        lifecycle.noun.last_accessed = Some(now);
        let references = references_to(batch, episode)?;
        let full = FullEpisode {
            account: cold::account_of(batch, episode)?,
            lifecycle: lifecycle.noun.shown(&read.noun, references, now),
            consolidated: batch
                .load::<KeptConsolidated>(episode)?
                .map(|read| read.noun.0),
            episode: read.noun,
        };
        batch.put(&lifecycle.noun);
        Ok(full)
    })
}

pub(crate) fn lifecycle_of(reader: &Reader, episode: &str) -> Result<Lifecycle, Error> {
    let read = load_episode(reader, episode)?;
    let lifecycle = lifecycle::lifecycle(reader, episode)?.noun;
    Ok(lifecycle.shown(&read.noun, references_to(reader, episode)?, reader.now()))
}

pub(crate) fn get(reader: &Reader, episode: &str) -> Result<Episode, Error> {
    Ok(load_episode(reader, episode)?.noun)
}

pub(crate) fn trace(reader: &Reader, episode: &str, first: u32) -> Result<Vec<TraceStep>, Error> {
    if !reader.has(&[Kind::Episode, Kind::Run], episode)? {
        return Err(Error::NotFound(format!(
            "There is no episode or open run `{episode}`. `episodes.find` lists all episodes."
        )));
    }
    cold::steps_from(reader, episode, first, TRACED)
}

/// An episode that is there.
pub(crate) fn load_episode(reader: &Reader, id: &str) -> Result<Read<Episode>, Error> {
    reader
        .load::<Episode>(id)?
        .ok_or_else(|| refusal::unknown("episode", id, "episodes.find"))
}
