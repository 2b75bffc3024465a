//! Stage 1: merges similar episodes, moves old ones to cold storage, and sums up old activations.
//!
//! Owns which episodes are merged: mature ones of the same type of task, domain and outcome, within a few days, similar in
//! task and structure. One of them stands for all; the others are kept, marked and not searched. Moving steps to cold
//! storage is the business of the episodes themselves; summing up, of [showings].

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twiceshy_text::vector::mean;
use twiceshy_wit::{
    host::Attribute,
    memory::{Consolidated, Episode, Error, Facet, Outcome, Variation},
};

use super::{
    KeptConsolidation, Piece,
    journal::Journal,
    place, showings,
    similarity::{Shape, shared},
};
use crate::{
    episodes::{self, KeptConsolidated, aging, is_found, lifecycle},
    form,
    limits::DAY_MS,
    payload,
    store::{
        Batch, Desk, Kind, MODEL, Noun, Reader, ascending, at_least, at_most, newest, number,
        query, text,
    },
};

/// From how many days on an episode is mature.
pub(super) const MATURE_DAYS: u64 = 30;

/// Episodes that are looked at in one piece. Those that are compared with them are read for each.
const PAGE: u32 = 1_000;

/// Earlier episodes with which they are compared.
const POOL: u32 = 2_000;

/// Variations that a record names, as the contract has it.
const VARIATIONS: usize = 256;

/// A lesson is common to a group from so many episodes on.
const SHARED_BY: u32 = 2;

/// Episodes whose steps go to cold storage in one piece.
const COOLED: u32 = 50;

/// Where the stage stands when groups are made and cold storage is next.
const COLD: &str = "cold";

/// Actions of a difference that are named, and its size in bytes.
const NAMED: usize = 4;
const DIFFERENCE_BYTES: usize = 400;

/// The vector that stands for all episodes of a group: their mean. Found as a vector of the representative's task.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct CombinedVector {
    episode: String,
    facet: Facet,
    domain: String,
    task_type: String,
    outcome: Outcome,
    ended_at: u64,
    vector: Vec<f32>,
    /// What made the vectors.
    #[serde(default)]
    model: String,
}

impl CombinedVector {
    /// The vector of a group, by the one that stands for it.
    pub(super) fn of(stands: &Shape, vector: Vec<f32>) -> Self {
        let episode = &stands.episode;
        Self {
            episode: episode.id.clone(),
            facet: Facet::Task,
            domain: episode.domain.clone(),
            task_type: episode.task_type.clone(),
            outcome: episode.outcome,
            ended_at: episode.ended_at,
            vector,
            model: stands.model.clone(),
        }
    }

    /// The id of the vector of a group.
    pub(super) fn id_of(stands: &str) -> String {
        format!("{stands}.combined")
    }
}

impl Noun for CombinedVector {
    const KIND: Kind = Kind::Embedding;

    fn id(&self) -> String {
        Self::id_of(&self.episode)
    }

    fn attributes(&self) -> Vec<Attribute> {
        let mut attributes = vec![
            text("episode", &self.episode),
            text("facet", self.facet.as_str()),
            text("domain", &self.domain),
            text("outcome", self.outcome.as_str()),
            number("ended-at", self.ended_at as f64),
            text(MODEL, &self.model),
        ];
        let kind = Some(&self.task_type).filter(|kind| !kind.is_empty());
        attributes.extend(kind.map(|kind| text("task-type", kind)));
        attributes
    }

    fn vector(&self) -> Vec<f32> {
        self.vector.clone()
    }
}

/// Episodes that are one: the first, which stands for all, and those that join it.
struct Group<'s> {
    first: &'s Shape,
    joined: Vec<&'s Shape>,
}

pub(super) fn consolidate_episodes(
    desk: &mut Desk,
    plan: &KeptConsolidation,
    journal: &Journal,
) -> Result<Piece, Error> {
    if let Some(place) = plan.position.strip_prefix(showings::POSITION) {
        return showings::sum_up_some(desk, plan, place, journal);
    }
    match plan.position.strip_prefix(COLD) {
        Some(moved) => cool_some(desk, moved.parse().unwrap_or(0), journal),
        None => group_some(desk, plan, journal),
    }
}

/// Makes groups of one page of mature episodes.
fn group_some(
    desk: &mut Desk,
    plan: &KeptConsolidation,
    journal: &Journal,
) -> Result<Piece, Error> {
    let from = match plan.episodes_from {
        0 => 0,
        from => from + 1,
    };
    let until = at_most("ended-at", plan.mature_until() as f64);
    // Counted once: counting again for each page would look at all of them as often as there are pages.
    let ((first, offset), total) = match place(&plan.position) {
        Some(place) => (place, plan.total),
        None => {
            let all = [at_least("ended-at", from as f64), until.clone()];
            ((from, 0), desk.count(Kind::Episode, &all)?)
        }
    };
    let conditions = vec![at_least("ended-at", first as f64), until];
    let mut page = query::<Episode>(conditions, ascending("ended-at"), PAGE);
    page.offset = offset;
    let page: Vec<_> = desk
        .search::<Episode>(&page)?
        .into_iter()
        .map(|(read, _)| read.noun)
        .collect();
    let to_cold = Piece {
        next: Some(COLD.to_owned()),
        done: total,
        total,
    };
    let Some(last) = page.last().map(|episode| episode.ended_at) else {
        return Ok(to_cold);
    };
    let here = page.iter().filter(|episode| episode.ended_at == last);
    let here = here.count() as u32 + if last == first { offset } else { 0 };
    let seen = page.len() as u32;
    group(desk, page, plan, journal)?;
    if seen < PAGE {
        return Ok(to_cold);
    }
    Ok(Piece {
        next: Some(format!("{last} {here}")),
        done: plan.done + seen,
        total,
    })
}

/// Makes groups of some episodes, with those that ended shortly before them.
fn group(
    desk: &mut Desk,
    page: Vec<Episode>,
    plan: &KeptConsolidation,
    journal: &Journal,
) -> Result<(), Error> {
    let settings = &plan.settings;
    let window = u64::from(settings.window_days) * DAY_MS;
    let begin = page.first().map_or(0, |episode| episode.ended_at);
    let before = vec![
        is_found(),
        at_least("ended-at", begin.saturating_sub(window) as f64),
        at_most("ended-at", begin as f64),
    ];
    let mut earlier = desk.find::<Episode>(before.clone(), newest("ended-at"), POOL)?;
    if earlier.len() >= POOL as usize {
        let missed = desk.count(Kind::Episode, &before)?.saturating_sub(POOL);
        if missed > 0 {
            journal.pass_over(missed);
            desk.warn(&format!(
                "episodes: some are not compared with {missed} that ended within {} days before them; the newest {POOL} \
                 are. Consolidate with fewer window-days.",
                settings.window_days
            ));
        }
    }
    earlier.reverse();
    let ids: BTreeSet<_> = page.iter().map(|episode| episode.id.clone()).collect();
    earlier.retain(|episode| !ids.contains(&episode.id));
    let mut aside = BTreeMap::new();
    for ids in ids.iter().collect::<Vec<_>>().chunks(1_000) {
        aside.extend(lifecycle::lifecycles(
            desk,
            ids.iter().map(|id| id.as_str()),
        )?);
    }
    let is_found = |id: &str| aside.get(id).is_none_or(|lifecycle| lifecycle.is_found());
    let new: Vec<_> = page
        .iter()
        .filter(|episode| is_found(&episode.id))
        .cloned()
        .collect();
    let kinds: BTreeSet<_> = new.iter().map(kind_of).collect();
    earlier.retain(|episode| kinds.contains(&kind_of(episode)));
    let count = earlier.len();
    earlier.extend(new.iter().cloned());
    let standing = standing(desk, &earlier)?;
    let shapes = super::similarity::shapes(desk, earlier);
    let mut groups: Vec<Group> = Vec::new();
    for (at, shape) in shapes.iter().enumerate() {
        let mut best: Option<(usize, f64)> = None;
        // An earlier one was compared when it was new, and one that stands for others joins none.
        if at >= count && !standing.contains(&shape.episode.id) {
            for (place, group) in groups.iter().enumerate() {
                let first = &group.first.episode;
                let near = shape.episode.ended_at.abs_diff(first.ended_at) <= window;
                if !near || kind_of(first) != kind_of(&shape.episode) {
                    continue;
                }
                let least = settings.episode_similarity;
                let likeness = shape.likeness(group.first, least, desk)?;
                if likeness >= least && best.is_none_or(|(_, best)| likeness > best) {
                    best = Some((place, likeness));
                }
            }
        }
        match best {
            Some((place, _)) => groups[place].joined.push(shape),
            None => groups.push(Group {
                first: shape,
                joined: Vec::new(),
            }),
        }
    }
    for group in groups.iter().filter(|group| !group.joined.is_empty()) {
        journal.because(&format!(
            "similar by {} or more within {} days, with the same type of task, domain and outcome",
            settings.episode_similarity, settings.window_days
        ));
        write_group(desk, group)?;
    }
    Ok(())
}

/// Which of some episodes stand for others already.
fn standing(reader: &Reader, episodes: &[Episode]) -> Result<BTreeSet<String>, Error> {
    let keys: Vec<_> = episodes
        .iter()
        .map(|episode| Kind::Consolidated.key(&episode.id))
        .collect();
    let mut standing = BTreeSet::new();
    for keys in keys.chunks(1_000) {
        standing.extend(reader.read(keys)?.into_iter().map(|stored| stored.key.id));
    }
    Ok(standing)
}

/// Writes a group: the record of the one that stands for all, and a mark at each of the others.
fn write_group(desk: &mut Desk, group: &Group) -> Result<(), Error> {
    let stands = group.first;
    desk.commit(|batch| {
        let id = &stands.episode.id;
        let record = batch.load::<KeptConsolidated>(id)?;
        let mut joining = Vec::new();
        for shape in &group.joined {
            let episode = episodes::load_episode(batch, &shape.episode.id)?;
            let mut lifecycle = lifecycle::lifecycle(batch, &shape.episode.id)?.noun;
            // Somebody may have set it aside in the meantime.
            if lifecycle.is_found() {
                lifecycle.consolidated_into = Some(id.clone());
                lifecycle::put(batch, &episode.noun, &lifecycle);
                joining.push(*shape);
            }
        }
        if joining.is_empty() {
            return Ok(());
        }
        let before = record.map(|read| read.noun.0);
        let known = before.as_ref().map_or(1, |record| record.instances);
        let made = write_record(batch, stands, before, &joining)?;
        batch.put(&KeptConsolidated(made));
        put_combined_vector(batch, stands, known, &joining)?;
        Ok(())
    })
}

/// Puts the vector of a group, if there are vectors: the mean of all of them.
fn put_combined_vector(
    batch: &mut Batch,
    stands: &Shape,
    known: u32,
    joining: &[&Shape],
) -> Result<(), Error> {
    let mut combined = CombinedVector::of(stands, Vec::new());
    let before = batch.load::<CombinedVector>(&combined.id())?;
    let before = before.filter(|read| read.noun.model == stands.model);
    let before = before.map_or(stands.task.vector.clone(), |read| read.noun.vector);
    let known = std::iter::once((before.as_slice(), known));
    let more = joining
        .iter()
        .map(|shape| (shape.task.vector.as_slice(), 1));
    combined.vector = mean(known.chain(more));
    if !combined.vector.is_empty() {
        // The record of the group, whose version is checked, owns it.
        batch.put_owned(&combined);
    }
    Ok(())
}

/// What is common to the episodes that one stands for, with some more of them.
fn write_record(
    reader: &Reader,
    stands: &Shape,
    before: Option<Consolidated>,
    joining: &[&Shape],
) -> Result<Consolidated, Error> {
    let duration = |episode: &Episode| episode.ended_at.saturating_sub(episode.started_at);
    let one = |shape: &Shape| f64::from(u8::from(shape.succeeded()));
    let mut record = match before {
        Some(before) => before,
        None => Consolidated {
            representative: stands.episode.id.clone(),
            instances: 1,
            common_structure: stands.structure(reader)?,
            variations: Vec::new(),
            average_duration: duration(&stands.episode) as f64,
            success_rate: one(stands),
            common_patterns: Vec::new(),
        },
    };
    for shape in joining {
        let known = f64::from(record.instances);
        let mean = |mean: f64, value: f64| (mean * known + value) / (known + 1.0);
        record.average_duration = mean(record.average_duration, duration(&shape.episode) as f64);
        record.success_rate = mean(record.success_rate, one(shape));
        record.instances += 1;
        record.common_structure = shared(&record.common_structure, &shape.structure(reader)?);
        if record.variations.len() < VARIATIONS {
            record.variations.push(Variation {
                episode: shape.episode.id.clone(),
                difference: difference(reader, stands, shape)?,
            });
        }
    }
    record.common_patterns = common_lessons(reader, &stands.episode, &record.variations)?;
    Ok(record)
}

/// The lessons that several episodes of a group share, in the order of their ids.
fn common_lessons(
    reader: &Reader,
    stands: &Episode,
    variations: &[Variation],
) -> Result<Vec<String>, Error> {
    let episodes = variations.iter().map(|variation| &variation.episode);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut count = |episode: &Episode| {
        for lesson in &episode.lessons {
            *counts.entry(lesson.clone()).or_default() += 1;
        }
    };
    count(stands);
    for read in reader.load_all::<Episode>(episodes)? {
        count(&read.noun);
    }
    counts.retain(|_, count| *count >= SHARED_BY);
    Ok(counts.into_keys().collect())
}

/// In what an episode differs from the one that stands for it, in words.
fn difference(reader: &Reader, stands: &Shape, other: &Shape) -> Result<String, Error> {
    let (left, right) = (stands.structure(reader)?, other.structure(reader)?);
    let pairs = form::common(&left, &right);
    let named = |actions: &[String], in_common: BTreeSet<usize>| {
        let differing = actions.iter().enumerate();
        let differing = differing.filter(|(at, _)| !in_common.contains(at));
        let named: Vec<_> = differing.map(|(_, action)| action.as_str()).collect();
        let more = named.len().saturating_sub(NAMED);
        let mut text = named[..named.len() - more].join("; ");
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        text
    };
    let without = named(&left, pairs.iter().map(|(at, _)| *at).collect());
    let besides = named(&right, pairs.iter().map(|(_, at)| *at).collect());
    let mut parts = Vec::new();
    if stands.episode.task != other.episode.task {
        parts.push(format!("task: {}", other.episode.task));
    }
    if !without.is_empty() {
        parts.push(format!("without: {without}"));
    }
    if !besides.is_empty() {
        parts.push(format!("besides: {besides}"));
    }
    if parts.is_empty() {
        return Ok("none".to_owned());
    }
    Ok(payload::kept_text(&parts.join("\n"), DIFFERENCE_BYTES))
}

/// Moves the steps of some old episodes to cold storage.
fn cool_some(desk: &mut Desk, moved: u32, journal: &Journal) -> Result<Piece, Error> {
    journal.because("old enough for cold storage, or represented by another episode");
    let aging = aging::age_episodes(desk, COOLED, false)?;
    let done = moved + aging.traces + aging.accounts;
    Ok(Piece {
        next: Some(match aging.more {
            true => format!("{COLD}{done}"),
            false => showings::POSITION.to_owned(),
        }),
        done,
        total: done + 1,
    })
}

/// Episodes are compared only with those of the same kind of task, domain and outcome.
fn kind_of(episode: &Episode) -> (&str, &str, Outcome) {
    (&episode.domain, &episode.task_type, episode.outcome)
}
