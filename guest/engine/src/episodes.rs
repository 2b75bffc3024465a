//! Episodes: runs that have ended, and what becomes of them.
//!
//! Owns by what an episode is found. It is written once, by the end of a run or from elsewhere, and its content never
//! changes: what happens to it later is kept beside it, see [lifecycle].

mod account;
mod aging;
mod artifacts;
mod cold;
mod embeddings;
mod head;
mod intake;
mod lifecycle;
mod search;
mod shelf;
mod similar;
mod summary;

use std::collections::BTreeSet;

use twiceshy_wit::{
    host::{Attribute, Change, Condition, Order, Precondition},
    memory::*,
};

use crate::{
    documents::{Kind, Noun, Read, at_least, at_most, equals, newest, number, query, remove, text},
    lessons::KeptLesson,
    limits, links,
    ports::Engine,
    runs::OpenRun,
    tasks::task_id,
    text::telling,
};
pub(crate) use account::{KeptAccount, describe};
pub(crate) use embeddings::Embeddings;
pub(crate) use head::Head;
pub(crate) use lifecycle::{KeptConsolidated, KeptLifecycle, in_phase, is_found, shelved, written};
pub(crate) use summary::made as summary;

/// Steps of one answer, as the contract has it.
const TRACED: u32 = 200;

/// Lessons and episodes that refer to one, as the contract has it.
const REFERENCES: u32 = 256;

impl Noun for Episode {
    const KIND: Kind = Kind::Episode;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        attributes(self, &KeptLifecycle::default())
    }

    fn terms(&self) -> String {
        let mut words = telling(&self.task);
        words.extend(telling(&self.summary));
        words.into_iter().collect::<Vec<_>>().join(" ")
    }
}

/// By what an episode is found, with what happened to it.
fn attributes(episode: &Episode, lifecycle: &KeptLifecycle) -> Vec<Attribute> {
    let mut attributes = restrictions(episode);
    if let Some(task) = task_id(&episode.domain, &episode.task) {
        attributes.push(text("task-ended", &task_ended(&task, episode.ended_at)));
        attributes.push(text("task-id", &task));
    }
    attributes.extend(lifecycle.attributes_of(episode));
    attributes
}

/// The part of an episode's attributes that is about its content.
fn restrictions(episode: &Episode) -> Vec<Attribute> {
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

/// The changes that remove what is kept of an episode itself. Its steps, events and activations go before.
pub(crate) fn removal(episode: &str) -> Vec<Change> {
    let gone = |kind: Kind, id: &str| remove(kind, id, Precondition::Anything);
    let embeddings = embeddings::FACETS.map(|facet| embeddings::embedding_id(episode, facet));
    embeddings
        .iter()
        .map(|id| gone(Kind::Embedding, id))
        .chain([
            gone(Kind::Account, episode),
            gone(Kind::Consolidated, episode),
            gone(Kind::Lifecycle, episode),
            gone(Kind::Reward, episode),
            gone(Kind::Experience, episode),
            gone(Kind::ExperienceUse, episode),
            gone(Kind::WorkingMetadata, episode),
            gone(Kind::Episode, episode),
        ])
        .collect()
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
            "since is later than until, so that nothing can be between them; exchange them"
                .to_owned(),
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

impl Episodes for Engine<'_> {
    fn find(&self, filter: &EpisodeFilter) -> Result<Vec<Episode>, Error> {
        let conditions = conditions(filter, self.now())?;
        let query = query::<Episode>(conditions, newest("ended-at"), limits::listed(filter.limit));
        Ok(self
            .search::<Episode>(&query)?
            .into_iter()
            .map(|(read, _)| read.noun)
            .collect())
    }

    fn add(&self, episode: &NewEpisode) -> Result<Episode, Error> {
        self.add_episode(episode, &[])
    }

    fn retrieve(&self, episode: &str) -> Result<FullEpisode, Error> {
        let now = self.now();
        self.change(|_| {
            let read = self.episode(episode)?;
            let mut lifecycle = self.lifecycle(episode)?;
            let count = &mut lifecycle.noun.access_count;
            *count = count.saturating_add(1);
            lifecycle.noun.last_accessed = Some(now);
            let references = self.references_to(episode)?;
            let full = FullEpisode {
                account: self.account_of(episode)?,
                lifecycle: lifecycle.noun.shown(&read.noun, references, now),
                consolidated: self
                    .load::<KeptConsolidated>(episode)?
                    .map(|read| read.noun.0),
                episode: read.noun,
            };
            Ok((vec![written(&lifecycle)], full))
        })
    }

    fn search(&self, query: &EpisodeQuery) -> Result<Vec<EpisodeHit>, Error> {
        self.search_episodes(query)
    }

    fn similar_failures(&self, failure: &FailureSignature) -> Result<Vec<SimilarFailure>, Error> {
        self.failures_like(failure)
    }

    fn lifecycle_of(&self, episode: &str) -> Result<Lifecycle, Error> {
        let read = self.episode(episode)?;
        let lifecycle = self.lifecycle(episode)?.noun;
        Ok(lifecycle.shown(&read.noun, self.references_to(episode)?, self.now()))
    }

    fn age(&self, limit: u32, dry_run: bool) -> Result<Aging, Error> {
        self.age_episodes(limit, dry_run)
    }

    fn restore(&self, episode: &str) -> Result<Lifecycle, Error> {
        self.restore_episode(episode)
    }

    fn delete(&self, episode: &str, reason: &str) -> Result<Lifecycle, Error> {
        self.set_aside(episode, reason)
    }

    fn undelete(&self, episode: &str) -> Result<Lifecycle, Error> {
        self.bring_back(episode)
    }

    fn purge(&self, retention_days: Option<u32>, dry_run: bool) -> Result<Vec<String>, Error> {
        self.purge_episodes(retention_days, dry_run)
    }

    fn keep_artifact(
        &self,
        name: &str,
        media_type: &str,
        content: &[u8],
    ) -> Result<Artifact, Error> {
        self.kept_artifact(name, media_type, content)
    }

    fn artifact_content(&self, hash: &str) -> Result<Vec<u8>, Error> {
        self.content(hash)
    }

    fn learn(&self, episode: &NewEpisode, insights: &[String]) -> Result<LearningSummary, Error> {
        self.learn_episode(episode, insights)
    }
    fn get(&self, episode: &str) -> Result<Episode, Error> {
        Ok(self.episode(episode)?.noun)
    }

    fn trace(&self, episode: &str, first: u32) -> Result<Vec<TraceStep>, Error> {
        if self.load::<Episode>(episode)?.is_none() && self.load::<OpenRun>(episode)?.is_none() {
            return Err(Error::NotFound(format!(
                "there is no episode or open run `{episode}`; episodes.find lists episodes"
            )));
        }
        self.steps_from(episode, first, TRACED)
    }
}

impl Engine<'_> {
    /// An episode that is there.
    pub(crate) fn episode(&self, id: &str) -> Result<Read<Episode>, Error> {
        self.load::<Episode>(id)?.ok_or_else(|| {
            Error::NotFound(format!(
                "there is no episode `{id}`; episodes.find lists them"
            ))
        })
    }

    /// What refers to an episode: lessons that were learned in it, links, and episodes that it stands for.
    pub(crate) fn references_to(&self, episode: &str) -> Result<Vec<String>, Error> {
        let learned = query::<KeptLesson>(
            vec![equals("origin", episode)],
            newest("updated-at"),
            REFERENCES,
        );
        let learned = self.search::<KeptLesson>(&learned)?;
        let links = self.links_of(episode)?;
        let stands_for = query::<KeptLifecycle>(
            vec![equals("consolidated-into", episode)],
            Order::ById,
            REFERENCES,
        );
        let stands_for = self.search::<KeptLifecycle>(&stands_for)?;
        let references: BTreeSet<_> = learned
            .into_iter()
            .map(|(read, _)| read.noun.lesson.id)
            .chain(
                links
                    .iter()
                    .map(|link| links::other(link, episode).to_owned()),
            )
            .chain(stands_for.into_iter().map(|(read, _)| read.noun.episode))
            .collect();
        Ok(references.into_iter().take(REFERENCES as usize).collect())
    }
}
