//! Search: experience with similar tasks.
//!
//! Owns which entries are found, and that a search counts as an access; also when two tasks are the same. Entries are ordered by
//! words and meaning as everything that is found; every hit says whether its meaning is known.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_text::vector::Direction;

use twiceshy_wit::{
    host::{Condition, Order},
    memory::{Error, ExperienceHit, ExperienceQuery, ExperienceSettings},
};

use super::{
    entry::{KeptExperience, Use, WORDS, active, words_id},
    settings::MOST_FOUND,
    vectors::{has_others, no_vector},
};
use crate::{
    limits, refusal,
    similarity::{Ordered, by_words, fused, in_common, in_order},
    store::{Desk, Meaning, Read, Reader, equals, newest, query},
    text,
};

/// How many entries each way of looking brings for each that is asked for.
const POOL_FOR_EACH: u32 = 8;

/// The same, at least.
const LEAST_POOL: u32 = 64;

/// What may be demanded of entries.
pub(crate) struct Filter {
    conditions: Vec<Condition>,
}

impl Filter {
    /// Entries that are searched and are what the query demands.
    pub(crate) fn of(query: &ExperienceQuery) -> Self {
        let restrictions = [
            ("type", query.memory_type.map(|kind| kind.as_str())),
            ("tag", query.tag.as_deref()),
            ("domain", query.domain.as_deref()),
        ];
        let mut conditions = vec![active()];
        conditions.extend(
            restrictions
                .into_iter()
                .filter_map(|(name, value)| Some(equals(name, value?))),
        );
        Self { conditions }
    }

    /// Entries of a domain that are searched.
    pub(crate) fn of_domain(domain: &str) -> Self {
        Self {
            conditions: vec![active(), equals("domain", domain)],
        }
    }
}

/// An entry that was found, before its use is looked at.
pub(crate) struct Found {
    pub(crate) read: Read<KeptExperience>,
    pub(crate) score: f64,
    pub(crate) by_meaning: bool,
}

/// An entry that may be an answer.
struct Candidate {
    read: Read<KeptExperience>,
    /// The store's score for its words; none if it came another way.
    words: Option<f64>,
    cosine: Option<f64>,
}

/// Looks for like experiences, and counts them as found.
pub(crate) fn find_experiences(
    desk: &mut Desk,
    sought: &ExperienceQuery,
) -> Result<Vec<ExperienceHit>, Error> {
    find_similar(desk, sought, 0.0)
}

/// The same of those that have at least so much in common with what is sought, in words or in meaning.
pub(crate) fn find_similar(
    desk: &mut Desk,
    sought: &ExperienceQuery,
    least: f64,
) -> Result<Vec<ExperienceHit>, Error> {
    refusal::bytes("query.text", sought.text.len(), limits::TASK_BYTES)?;
    let settings = super::settings::experience_settings(desk)?;
    let limit = sought.limit.unwrap_or(settings.top_k).min(MOST_FOUND);
    let found = similar_or_recent(desk, sought, &settings, limit, least)?;
    let hits = hits(desk, found, &settings)?;
    let ids: Vec<_> = hits.iter().map(|hit| hit.entry.id.as_str()).collect();
    count_access(desk, &ids);
    Ok(hits)
}

fn similar_or_recent(
    desk: &Desk,
    sought: &ExperienceQuery,
    settings: &ExperienceSettings,
    limit: u32,
    least: f64,
) -> Result<Vec<Found>, Error> {
    let filter = Filter::of(sought);
    if !settings.enable_rag {
        let order = newest("created-at");
        let newest = query::<KeptExperience>(filter.conditions, order, limit);
        let found = desk.search::<KeptExperience>(&newest)?;
        let asked = Words::of(&sought.text);
        return Ok(found
            .into_iter()
            .map(|(read, _)| Found {
                score: asked.likeness(&read.noun.entry.input),
                read,
                by_meaning: false,
            })
            .collect());
    }
    let meaning = super::vectors::fitting(desk, desk.meaning_of(&sought.text))?;
    let pool = (POOL_FOR_EACH * limit).max(LEAST_POOL);
    let pool = looked_at(desk, &sought.text, &meaning, &filter, pool)?;
    let mut found = measured(&sought.text, &meaning, pool, least);
    desk.debug(&format!(
        "evolving_memory_search candidates={} limit={limit}",
        found.len()
    ));
    found.truncate(limit as usize);
    Ok(found)
}

/// Entries that have words of a task or are near it in meaning: so many by each.
fn looked_at(
    reader: &Reader,
    task: &str,
    meaning: &Meaning,
    filter: &Filter,
    pool: u32,
) -> Result<Vec<Candidate>, Error> {
    let mut candidates: BTreeMap<String, Candidate> = BTreeMap::new();
    let mut add = |read: Read<KeptExperience>, words: Option<f64>, cosine: Option<f64>| {
        let id = read.noun.entry.id.clone();
        let candidate = candidates.entry(id).or_insert(Candidate {
            read,
            words,
            cosine,
        });
        candidate.words = candidate.words.or(words);
    };
    if !meaning.is_empty() {
        let order = Order::ByNearest(meaning.vector.clone());
        let comparable = [filter.conditions.clone(), vec![meaning.is_comparable()]].concat();
        let nearest = query::<KeptExperience>(comparable, order, pool);
        for (read, cosine) in reader.search::<KeptExperience>(&nearest)? {
            add(read, None, Some(cosine));
        }
    }
    let terms = text::asked(task);
    if !terms.is_empty() {
        let order = Order::ByText(terms.join(" "));
        let by_words = query::<KeptExperience>(filter.conditions.clone(), order, pool);
        let direction = Direction::new(&meaning.vector);
        for (read, score) in reader.search::<KeptExperience>(&by_words)? {
            let kept = &read.noun;
            let is_comparable = !meaning.is_empty()
                && kept.vector_model == meaning.model
                && kept.vector.len() == meaning.vector.len();
            let cosine = is_comparable.then(|| direction.cosine(&kept.vector));
            add(read, Some(score), cosine);
        }
    }
    Ok(candidates.into_values().collect())
}

/// How similar entries are to a task, most similar first: those that have at least so much in common with it.
fn measured(task: &str, meaning: &Meaning, pool: Vec<Candidate>, least: f64) -> Vec<Found> {
    let asked = Words::of(task);
    let shares: Vec<_> = pool
        .iter()
        .map(|candidate| asked.share(&candidate.read.noun.entry.input))
        .collect();
    let scores: Vec<_> = pool.iter().map(|candidate| candidate.words).collect();
    let cosines: Vec<_> = pool.iter().map(|candidate| candidate.cosine).collect();
    let words = by_words(&scores, true, |at| shares[at]);
    let similarities = fused(&words, &cosines, meaning.scale, meaning.is_of_words());
    let ordered = Ordered::new(task);
    let in_order = |similarity: f64, candidate: &Candidate| {
        ordered.similarity(similarity, &candidate.read.noun.entry.input)
    };
    let in_common = |candidate: &Candidate, share: f64| {
        let near = candidate
            .cosine
            .map_or(0.0, |cosine| meaning.scale.nearness(cosine));
        in_order(share.max(near), candidate)
    };
    let mut found: Vec<_> = pool
        .into_iter()
        .zip(shares)
        .zip(similarities)
        .filter(|((candidate, share), _)| in_common(candidate, *share) >= least)
        .map(|((candidate, _), similarity)| Found {
            score: in_order(similarity, &candidate).clamp(0.0, 1.0),
            by_meaning: candidate.cosine.is_some(),
            read: candidate.read,
        })
        .collect();
    most_similar_first(&mut found);
    found
}

/// Entries whose tasks are the same or nearly so, most similar first. Those without a vector are compared by words: the
/// same task again has the best score of all.
pub(crate) fn nearly_the_same(
    reader: &Reader,
    task: &str,
    meaning: &Meaning,
    filter: &Filter,
    limit: u32,
) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    let mut conditions = filter.conditions.clone();
    if !meaning.is_empty() {
        let order = Order::ByNearest(meaning.vector.clone());
        let comparable = [conditions.clone(), vec![meaning.is_comparable()]].concat();
        let nearest = query::<KeptExperience>(comparable, order, limit);
        found.extend(reader.search::<KeptExperience>(&nearest)?.into_iter().map(
            |(read, cosine)| Found {
                score: in_order(meaning.scale.nearness(cosine), task, &read.noun.entry.input),
                read,
                by_meaning: true,
            },
        ));
        // Vectors of another embedder say nothing: such entries are compared by words.
        if !has_others(reader, &meaning.model)? {
            conditions.push(no_vector());
        }
    }
    let is_compared = |read: &Read<KeptExperience>| {
        let kept = &read.noun;
        !meaning.is_empty() && !kept.vector.is_empty() && kept.vector_model == meaning.model
    };
    let asked = Words::of(task);
    if !asked.words.is_empty() {
        let order = Order::ByText(text::asked(task).join(" "));
        let by_words = query::<KeptExperience>(conditions, order, limit);
        found.extend(
            reader
                .search::<KeptExperience>(&by_words)?
                .into_iter()
                .filter(|(read, _)| !is_compared(read))
                .map(|(read, _)| Found {
                    score: asked.likeness(&read.noun.entry.input),
                    read,
                    by_meaning: false,
                }),
        );
    }
    most_similar_first(&mut found);
    Ok(found)
}

fn most_similar_first(found: &mut [Found]) {
    found.sort_by(|left, right| {
        let (one, other) = (&left.read.noun.entry, &right.read.noun.entry);
        right
            .score
            .total_cmp(&left.score)
            .then(other.created_at.cmp(&one.created_at))
            .then_with(|| one.id.cmp(&other.id))
    });
}

/// The words of a task by which others that are nearly the same are found without ranking: if they are so few that one
/// word more or less makes it another task. Both share 2n of 2n + 1 words then.
pub(crate) fn few_words(task: &str, nearly: f64) -> Option<String> {
    let words = text::telling(task);
    let one_more = 2.0 * words.len() as f64 / (2.0 * words.len() as f64 + 1.0);
    (!words.is_empty() && one_more < nearly).then(|| words_id(&words))
}

/// Entries whose tasks have the same words, most similar first.
pub(crate) fn same_words(
    reader: &Reader,
    task: &str,
    words: &str,
    filter: Filter,
    limit: u32,
) -> Result<Vec<Found>, Error> {
    let mut conditions = filter.conditions;
    conditions.push(equals(WORDS, words));
    let same = query::<KeptExperience>(conditions, newest("created-at"), limit);
    let asked = Words::of(task);
    let found = reader.search::<KeptExperience>(&same)?.into_iter();
    let mut found: Vec<_> = found
        .map(|(read, _)| Found {
            score: asked.likeness(&read.noun.entry.input),
            read,
            by_meaning: false,
        })
        .collect();
    most_similar_first(&mut found);
    Ok(found)
}

/// What was found, as it is answered.
pub(crate) fn hits(
    reader: &Reader,
    found: Vec<Found>,
    settings: &ExperienceSettings,
) -> Result<Vec<ExperienceHit>, Error> {
    let now = reader.now();
    let ids = found.iter().map(|found| found.read.noun.entry.id.as_str());
    let uses = reader.load_by_id::<Use>(ids)?;
    let hits = found.into_iter().map(|found| {
        let kept = found.read.noun;
        let none = Use::none(&kept.entry.id, kept.entry.created_at);
        let used = uses.get(&kept.entry.id).map_or(&none, |read| &read.noun);
        ExperienceHit {
            entry: kept.shown(used, settings.relevance_decay, now),
            score: found.score,
            by_meaning: found.by_meaning,
        }
    });
    Ok(hits.collect())
}

/// Counts entries as found. The answer is there already: trouble with counting is no reason to keep it back.
pub(crate) fn count_access(desk: &mut Desk, ids: &[&str]) {
    let now = desk.now();
    let counted = desk.commit_lightly(|batch| {
        let mut uses = batch.load_by_id::<Use>(ids)?;
        let first_found: Vec<_> = ids.iter().filter(|id| !uses.contains_key(**id)).collect();
        let entries = batch.load_all::<KeptExperience>(first_found)?.into_iter();
        for mut kept in entries.map(|read| read.noun).filter(|kept| !kept.deleted) {
            let entry = &kept.entry;
            let used = Use {
                archived: entry.archived,
                ..Use::none(&entry.id, entry.created_at)
            };
            uses.insert(
                entry.id.clone(),
                Read {
                    noun: used,
                    version: 0,
                },
            );
            kept.used = true;
            batch.put(&kept);
        }
        for mut used in uses.into_values().map(|read| read.noun) {
            used.access_count = used.access_count.saturating_add(1);
            used.last_accessed_at = used.last_accessed_at.max(Some(now));
            batch.put(&used);
        }
        Ok(())
    });
    if let Err(error) = counted {
        desk.warn(&format!("an access was not counted: {}", error.message()));
    }
}

/// A task as its words, which others are compared with.
pub(crate) struct Words<'t> {
    task: &'t str,
    words: BTreeSet<String>,
}

impl<'t> Words<'t> {
    pub(crate) fn of(task: &'t str) -> Self {
        Self {
            task,
            words: text::telling(task),
        }
    }

    /// How much it has in common with another task, from 0 to 1, whichever way that goes.
    fn share(&self, other: &str) -> f64 {
        match self.is_same(other) {
            true => 1.0,
            false => in_common(&self.words, &text::telling(other)),
        }
    }

    /// How far another task is the same, from 0 to 1.
    pub(crate) fn likeness(&self, other: &str) -> f64 {
        if self.is_same(other) {
            return 1.0;
        }
        let similarity = text::similarity(&self.words, &text::telling(other));
        in_order(similarity, self.task, other)
    }

    fn is_same(&self, other: &str) -> bool {
        self.task.split_whitespace().eq(other.split_whitespace())
    }
}
