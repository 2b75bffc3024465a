//! Searching episodes: which are relevant to a task, and how much.
//!
//! Owns the pool that is looked at, the relevance and the order. Every look is bounded, whatever the number of episodes:
//! by words of the episode and of its account, by vectors where an embedder is there, and, where few tasks take all
//! places, the newest of the tasks that fit best, because many episodes of one task are similar. **What fits much better
//! comes first, however old or unpopular it is**: relevance decides among episodes that fit about as well. It changes
//! nothing.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use twiceshy_documents::conditions::passes;
use twiceshy_wit::{
    host::{Condition, Order},
    memory::{
        Episode, EpisodeFilter, EpisodeHit, EpisodeQuery, Error, Facet, Outcome, Phase,
        RelevanceParts,
    },
};

use super::{
    KeptAccount, KeptLifecycle, TASK_ENDED, conditions,
    embeddings::{KeptEmbedding, facet_text},
    lifecycle::not_archived,
    of_task,
};
use crate::{
    episodes::tasks::{Task, task_id},
    instant,
    limits::{self, DAY_MS},
    refusal,
    similarity::{
        EPISODES_FIT_AS_WELL, HIGHLY_RELEVANT, Ordered, beside_neighbours, best_fitting_first,
        by_words, fused,
    },
    store::{Desk, Meaning, Reader, any_of, equals, newest, query},
    text,
};

/// Episodes of an answer if the caller does not say.
const ANSWERED: u32 = 5;

/// Episodes of an answer at most.
const MOST_ANSWERED: u32 = 100;

/// How many episodes each way of looking brings into the ranking at least.
const POOL: u32 = 32;

/// How many pools are looked through for episodes that may be found: those of deleted ones have accounts and vectors, too.
const PAGES: u32 = 8;

/// Tasks whose newest episodes are looked at.
const TASKS: u32 = 8;

/// Episodes of each of them at least.
const OF_EACH_TASK: u32 = 3;

/// What the words of an account count beside those of task and summary.
const OF_ACCOUNT: f64 = 0.5;

/// Words of a text by which the store is asked: the beginning of a task says what it is about.
const ASKED_WORDS: usize = 96;

/// What is recent if the caller does not say, in days.
const RECENT_DAYS: u32 = 30;

/// After how many days recency has fallen to 1/e.
const RECENCY_DAYS: f64 = 30.0;

/// The relevance of an episode.
pub(super) fn relevance(parts: &RelevanceParts) -> f64 {
    0.5 * parts.similarity
        + 0.2 * parts.recency
        + 0.15 * parts.success
        + 0.1 * parts.access
        + 0.05 * parts.same_domain
}

/// An episode that is looked at.
struct Candidate {
    episode: Episode,
    /// The store's score for its words; none if it came another way.
    words: Option<f64>,
    /// The words of its account, if that was found.
    said_beside: BTreeSet<String>,
    has_account: bool,
    cosine: Option<f64>,
}

impl Candidate {
    fn new(episode: Episode) -> Self {
        Self {
            episode,
            words: None,
            said_beside: BTreeSet::new(),
            has_account: false,
            cosine: None,
        }
    }

    /// Takes in what its account says, once.
    fn add_account(&mut self, account: &KeptAccount, score: f64) {
        if self.has_account {
            return;
        }
        self.has_account = true;
        *self.words.get_or_insert_default() += OF_ACCOUNT * score;
        self.said_beside = words(&account.said());
    }
}

/// Episodes that are looked at, each once.
type Pool = BTreeMap<String, Candidate>;

pub(crate) fn search_episodes(desk: &Desk, query: &EpisodeQuery) -> Result<Vec<EpisodeHit>, Error> {
    let sought = Sought::new(query, desk.now())?;
    if sought.words.is_empty() {
        return by_attributes(desk, &sought);
    }
    let mut pool = Pool::new();
    look_at_words(desk, &sought, &mut pool)?;
    look_at_accounts(desk, &sought, &mut pool)?;
    if sought.is_crowded(&pool) {
        look_at_tasks(desk, &sought, &mut pool)?;
    }
    let meaning = desk.meaning_beside_words(&sought.text);
    look_at_vectors(desk, &sought, &meaning, &mut pool)?;
    let lifecycles = super::lifecycle::lifecycles(desk, pool.keys().map(String::as_str))?;
    let fresh = KeptLifecycle::default();
    let mut hits: Vec<_> = sought
        .measured(pool, &meaning)
        .into_iter()
        .filter_map(|(candidate, similarity)| {
            let lifecycle = lifecycles.get(&candidate.episode.id).unwrap_or(&fresh);
            let hit = sought.hit(candidate, similarity, lifecycle);
            let fits = hit.phase != Phase::Aged || hit.parts.similarity >= HIGHLY_RELEVANT;
            (lifecycle.is_found() && hit.parts.similarity > 0.0 && fits).then_some(hit)
        })
        .collect();
    best_fitting_first(
        &mut hits,
        EPISODES_FIT_AS_WELL,
        |hit| hit.parts.similarity,
        more_relevant,
    );
    hits.truncate(sought.limit as usize);
    Ok(hits)
}

/// The order of episodes that fit about as well.
fn more_relevant(left: &EpisodeHit, right: &EpisodeHit) -> Ordering {
    let better = right.score.total_cmp(&left.score);
    let newer = right.episode.ended_at.cmp(&left.episode.ended_at);
    better
        .then(newer)
        .then_with(|| left.episode.id.cmp(&right.episode.id))
}

/// Episodes by their attributes alone, newest first.
fn by_attributes(reader: &Reader, sought: &Sought) -> Result<Vec<EpisodeHit>, Error> {
    let order = newest("ended-at");
    let query = query::<Episode>(sought.conditions.clone(), order, sought.limit);
    let found = reader.search::<Episode>(&query)?;
    let ids = found.iter().map(|(read, _)| read.noun.id.as_str());
    let lifecycles = super::lifecycle::lifecycles(reader, ids)?;
    let fresh = KeptLifecycle::default();
    Ok(found
        .into_iter()
        .map(|(read, _)| {
            let lifecycle = lifecycles.get(&read.noun.id).unwrap_or(&fresh);
            sought.hit(Candidate::new(read.noun), 0.0, lifecycle)
        })
        .collect())
}

fn add_found(
    reader: &Reader,
    conditions: Vec<Condition>,
    order: Order,
    limit: u32,
    pool: &mut Pool,
) -> Result<(), Error> {
    for (read, _) in reader.search::<Episode>(&query::<Episode>(conditions, order, limit))? {
        add(pool, read.noun);
    }
    Ok(())
}

fn look_at_words(reader: &Reader, sought: &Sought, pool: &mut Pool) -> Result<(), Error> {
    let order = Order::ByText(sought.terms());
    let by_words = query::<Episode>(sought.conditions.clone(), order, sought.pool());
    for (read, score) in reader.search::<Episode>(&by_words)? {
        add(pool, read.noun).words = Some(score);
    }
    Ok(())
}

/// Adds the episodes whose accounts have words of the text. What an account says counts beside what the task and the summary
/// say.
fn look_at_accounts(reader: &Reader, sought: &Sought, pool: &mut Pool) -> Result<(), Error> {
    let mut most = PAGES;
    if sought.is_restricted {
        add_accounts(reader, sought, sought.conditions.clone(), PAGES, pool)?;
        // An account that an earlier version wrote, or that was written without its episode, has no attributes.
        most = 1;
    }
    add_accounts(reader, sought, Vec::new(), most, pool)
}

/// Adds the episodes of the accounts that meet conditions and fit best. Those of episodes that nobody may find are passed
/// over, up to a number of pages.
fn add_accounts(
    reader: &Reader,
    sought: &Sought,
    conditions: Vec<Condition>,
    most: u32,
    pool: &mut Pool,
) -> Result<(), Error> {
    let order = Order::ByText(sought.terms());
    let mut page = query::<KeptAccount>(conditions, order, sought.pool());
    let mut left = sought.pool() as usize;
    for _ in 0..most {
        let mut accounts = reader.search::<KeptAccount>(&page)?;
        let is_last = accounts.len() < page.limit as usize;
        let ids = accounts.iter().map(|(read, _)| read.noun.episode.as_str());
        let aside = set_aside(reader, ids)?;
        accounts.retain(|(read, _)| !aside.contains(&read.noun.episode));
        let ids = accounts.iter().map(|(read, _)| &read.noun.episode);
        let missing = ids.filter(|id| !pool.contains_key(*id));
        for read in reader.load_all::<Episode>(missing)? {
            if sought.allows(&read.noun) {
                add(pool, read.noun);
            }
        }
        for (read, score) in accounts {
            if let Some(candidate) = pool.get_mut(&read.noun.episode).filter(|_| left > 0) {
                left -= 1;
                candidate.add_account(&read.noun, score);
            }
        }
        if is_last || left == 0 {
            break;
        }
        page.offset += page.limit;
    }
    Ok(())
}

/// Those of some episodes that were deleted, or for which others stand.
fn set_aside<'e>(
    reader: &Reader,
    episodes: impl Iterator<Item = &'e str>,
) -> Result<BTreeSet<String>, Error> {
    let lifecycles = super::lifecycle::lifecycles(reader, episodes)?.into_iter();
    let aside = lifecycles.filter(|(_, lifecycle)| !lifecycle.is_found());
    Ok(aside.map(|(id, _)| id).collect())
}

/// Adds the newest episodes of the tasks with similar words, and their newest successes.
fn look_at_tasks(reader: &Reader, sought: &Sought, pool: &mut Pool) -> Result<(), Error> {
    let domain = sought.domain.iter().map(|domain| equals("domain", domain));
    let tasks = query::<Task>(domain.collect(), Order::ByText(sought.terms()), TASKS);
    for (task, _) in reader.search::<Task>(&tasks)? {
        let mut conditions = sought.conditions.clone();
        conditions.extend(of_task(&task.noun.id));
        let order = newest(TASK_ENDED);
        let some = OF_EACH_TASK.max(sought.limit);
        add_found(reader, conditions.clone(), order.clone(), some, pool)?;
        if sought.outcome.is_none() {
            conditions.push(equals("outcome", Outcome::Success.as_str()));
            add_found(reader, conditions, order, OF_EACH_TASK, pool)?;
        }
    }
    Ok(())
}

/// Adds the episodes that are nearest in meaning, and says of all how near they are.
fn look_at_vectors(
    desk: &Desk,
    sought: &Sought,
    meaning: &Meaning,
    pool: &mut Pool,
) -> Result<(), Error> {
    if meaning.is_empty() {
        return Ok(());
    }
    let vector = &meaning.vector;
    let own = [
        equals("facet", sought.facet.as_str()),
        meaning.is_comparable(),
    ];
    let mut conditions = sought.conditions.clone();
    conditions.extend(own.clone());
    let Some(nearest) = find_nearest(desk, conditions, vector, sought.pool())? else {
        return Ok(());
    };
    let far = pool.keys().filter(|id| !nearest.contains_key(*id));
    let far: Vec<_> = far.map(String::as_str).collect();
    let mut cosines = BTreeMap::new();
    if !far.is_empty() {
        let conditions = [vec![any_of("episode", far.iter().copied())], own.to_vec()].concat();
        let others = find_nearest(desk, conditions, vector, 2 * far.len() as u32)?;
        cosines.extend(others.into_iter().flatten());
    }
    let missing = nearest.keys().filter(|id| !pool.contains_key(*id));
    for read in desk.load_all::<Episode>(missing)? {
        add(pool, read.noun);
    }
    cosines.extend(nearest);
    for (id, cosine) in cosines {
        if let Some(candidate) = pool.get_mut(&id) {
            candidate.cosine = Some(cosine);
        }
    }
    Ok(())
}

/// The episodes whose vectors are nearest; none if they can't be compared. Those that nobody may find are passed over, up to
/// a number of pages.
fn find_nearest(
    reader: &Reader,
    conditions: Vec<Condition>,
    vector: &[f32],
    limit: u32,
) -> Result<Option<BTreeMap<String, f64>>, Error> {
    let order = Order::ByNearest(vector.to_vec());
    let mut page = query::<KeptEmbedding>(conditions, order, limit);
    let mut nearest = BTreeMap::new();
    for _ in 0..PAGES {
        let found = match reader.search::<KeptEmbedding>(&page) {
            Ok(found) => found,
            // Vectors of another embedder say nothing; words do.
            Err(Error::InvalidArgument(reason)) => {
                reader.warn(&format!("searched by words only: {reason}"));
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let is_last = found.len() < limit as usize;
        let ids = found.iter().map(|(read, _)| read.noun.episode.as_str());
        let aside = set_aside(reader, ids)?;
        // The best first: one that stands for others has a vector of all of them, too.
        for (read, cosine) in found {
            if nearest.len() < limit as usize && !aside.contains(&read.noun.episode) {
                nearest.entry(read.noun.episode).or_insert(cosine);
            }
        }
        if is_last || nearest.len() >= limit as usize || aside.is_empty() {
            break;
        }
        page.offset += limit;
    }
    Ok(Some(nearest))
}

fn add(pool: &mut Pool, episode: Episode) -> &mut Candidate {
    let id = episode.id.clone();
    pool.entry(id).or_insert_with(|| Candidate::new(episode))
}

/// What is sought.
struct Sought {
    text: String,
    words: BTreeSet<String>,
    ordered: Ordered,
    conditions: Vec<Condition>,
    /// Whether somebody asked for some episodes only.
    is_restricted: bool,
    domain: Option<String>,
    preferred_domain: Option<String>,
    outcome: Option<Outcome>,
    facet: Facet,
    limit: u32,
    now: u64,
}

impl Sought {
    fn new(query: &EpisodeQuery, now: u64) -> Result<Self, Error> {
        refusal::bytes("text", query.text.len(), limits::TASK_BYTES)?;
        let outcome = match (query.only_successful, query.outcome) {
            (Some(true), None | Some(Outcome::Success)) => Some(Outcome::Success),
            (Some(true), Some(_)) => {
                return Err(Error::InvalidArgument(
                    "`only-successful` excludes every `outcome` but success; leave one of them out"
                        .to_owned(),
                ));
            }
            (_, outcome) => outcome,
        };
        let days = u64::from(query.recent_days.unwrap_or(RECENT_DAYS));
        let recent = match query.prefer_recent {
            Some(true) => Some(now.saturating_sub(days * DAY_MS)),
            _ => None,
        };
        let filter = EpisodeFilter {
            domain: query.domain.clone(),
            outcome,
            fingerprint: query.fingerprint.clone(),
            task_type: query.task_type.clone(),
            session: query.session.clone(),
            agent: query.agent.clone(),
            tag: query.tag.clone(),
            tool: query.tool.clone(),
            strategy: None,
            since: query.since.max(recent),
            until: query.until,
            phase: None,
            limit: None,
        };
        let mut conditions = conditions(&filter, now)?;
        // Beside those that ask for nothing but what may be found.
        let is_restricted = conditions.len() > 1;
        if query.archived != Some(true) {
            conditions.push(not_archived(now));
        }
        Ok(Self {
            text: query.text.clone(),
            words: words(&query.text),
            ordered: Ordered::new(&query.text),
            conditions,
            is_restricted,
            domain: query.domain.clone(),
            preferred_domain: query.preferred_domain.clone().or(query.domain.clone()),
            outcome,
            facet: query.facet.unwrap_or(Facet::Task),
            limit: query.limit.unwrap_or(ANSWERED).min(MOST_ANSWERED),
            now,
        })
    }

    /// The words by which the store is asked: the first ones of a long text.
    fn terms(&self) -> String {
        let mut terms = text::asked(&self.text);
        terms.truncate(ASKED_WORDS);
        terms.join(" ")
    }

    fn pool(&self) -> u32 {
        POOL.max(2 * self.limit)
    }

    /// Whether an episode meets the conditions of the question.
    fn allows(&self, episode: &Episode) -> bool {
        let attributes = super::attributes(episode, &KeptLifecycle::default());
        let passes = |condition: &Condition| {
            let own = (attributes.iter()).filter(|one| one.name == condition.attribute);
            passes(&condition.test, own.map(|one| &one.value))
        };
        self.conditions.iter().all(passes)
    }

    /// Whether few tasks take the places of those whose words fit, so that others are not among them.
    fn is_crowded(&self, pool: &Pool) -> bool {
        let task =
            |candidate: &'_ Candidate| task_id(&candidate.episode.domain, &candidate.episode.task);
        let tasks: BTreeSet<_> = pool.values().filter_map(task).collect();
        pool.len() >= self.pool() as usize && 2 * tasks.len() < pool.len()
    }

    /// How similar each candidate is, from 0 to 1.
    fn measured(&self, pool: Pool, meaning: &Meaning) -> Vec<(Candidate, f64)> {
        let pool: Vec<_> = pool.into_values().collect();
        let scores: Vec<_> = pool.iter().map(|candidate| candidate.words).collect();
        let is_full = scores.iter().flatten().count() >= self.pool() as usize;
        let share = |at: usize| {
            let mut said = words(&facet_text(self.facet, &pool[at].episode, None));
            said.extend(pool[at].said_beside.iter().cloned());
            text::coverage(&self.words, &said)
        };
        let by_words = by_words(&scores, is_full, share);
        let mut similarities = match meaning.is_empty() {
            true => by_words,
            false => {
                let cosines: Vec<_> = pool.iter().map(|candidate| candidate.cosine).collect();
                fused(&by_words, &cosines, meaning.scale, meaning.is_of_words())
            }
        };
        let sessions = pool.iter().map(|one| one.episode.session.as_str());
        beside_neighbours(&mut similarities, &sessions.collect::<Vec<_>>());
        pool.into_iter()
            .zip(similarities)
            .map(|(candidate, similarity)| (candidate, similarity.clamp(0.0, 1.0)))
            .collect()
    }

    fn hit(&self, candidate: Candidate, similarity: f64, lifecycle: &KeptLifecycle) -> EpisodeHit {
        let Candidate {
            episode, cosine, ..
        } = candidate;
        let holds = |it: bool| f64::from(u8::from(it));
        let parts = RelevanceParts {
            similarity: self.ordered.similarity(similarity, &episode.task),
            recency: instant::recency(episode.ended_at, self.now, RECENCY_DAYS),
            success: holds(episode.outcome == Outcome::Success),
            access: (twiceshy_text::number::ln_1p(f64::from(lifecycle.access_count)) / 10.0)
                .min(1.0),
            same_domain: holds(self.preferred_domain.as_ref() == Some(&episode.domain)),
        };
        EpisodeHit {
            score: relevance(&parts),
            phase: lifecycle.phase(&episode, self.now),
            by_meaning: cosine.is_some(),
            parts,
            episode,
        }
    }
}

/// The words by which texts are compared: those that tell something, or all if none does.
fn words(of: &str) -> BTreeSet<String> {
    let telling = text::telling(of);
    match telling.is_empty() {
        true => text::term_set(of),
        false => telling,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevance_has_the_weights_of_the_document() {
        let parts = RelevanceParts {
            similarity: 0.8,
            recency: (-1.0f64).exp(),
            success: 1.0,
            access: 20f64.ln_1p() / 10.0,
            same_domain: 1.0,
        };
        // 0.5·0.8 + 0.2·e^-1 + 0.15 + 0.1·ln(21)/10 + 0.05
        let expected = 0.4 + 0.073_575_888 + 0.15 + 0.030_445_224 + 0.05;
        assert!((relevance(&parts) - expected).abs() < 1e-8);
    }
}
