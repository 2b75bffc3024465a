//! Stage 4: narrows declining patterns, merges similar ones, makes one lesson of those that differ in names alone, and
//! deprecates obsolete patterns.
//!
//! Owns what the failures of a pattern have in common and its successes don't, and which patterns say the same. How a
//! pattern is refined, merged or taken out of use is the business of the patterns.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{
    host::{Condition, Order},
    memory::{
        Episode, Error, FeatureTest, LessonKind, LessonStatus, Pattern, PatternUpdate, Requirement,
    },
};

use super::{KeptConsolidation, Piece, generality, journal::Journal};
use crate::{
    advice,
    lessons::{
        entry, is_recalled,
        patterns::{self, Head, clearing, merge, revision},
        recalled,
    },
    store::{Desk, Reader, equals, query},
};

/// Patterns of one piece.
const PAGE: usize = 50;

/// Heads of patterns that are read in one go.
const READ: u32 = 1_000;

/// A condition is what failures have in common from so many on.
const LEAST_FAILURES: usize = 2;

/// Patterns that are merged at once.
const MERGED: usize = 32;

/// Conditions that are added at once.
const MOST_CONDITIONS: usize = 4;

/// The parts of the stage, in their order.
const NARROW: &str = "narrow ";
const MERGE: &str = "merge ";
const JOIN: &str = "join ";
const PRUNE: &str = "prune";

pub(super) fn refine_patterns(
    desk: &mut Desk,
    plan: &KeptConsolidation,
    journal: &Journal,
) -> Result<Piece, Error> {
    let position = plan.position.as_str();
    if position == PRUNE {
        journal.because("uncertain, unused or contradicted");
        clearing::cleared(desk, false)?;
        // What this night promoted becomes a skill in this night, or the next one would find something to do.
        super::extraction::make_skills(desk, journal)?;
        return Ok(Piece::last(plan.total));
    }
    if let Some(after) = position.strip_prefix(JOIN) {
        let offset = after.parse().unwrap_or_default();
        let joined = generality::join_lessons(desk, offset, plan.refinement_from, journal)?;
        let next = joined.next.map(|offset| format!("{JOIN}{offset}"));
        return Ok(Piece {
            next: Some(next.unwrap_or_else(|| PRUNE.to_owned())),
            done: plan.done + joined.lessons,
            total: plan.total.max(plan.done + joined.lessons) + 1,
        });
    }
    let (part, after) = match position.strip_prefix(MERGE) {
        Some(after) => (MERGE, after),
        None => (NARROW, position.strip_prefix(NARROW).unwrap_or_default()),
    };
    let mut patterns = match part {
        NARROW => declining(desk)?,
        _ => new_ones(desk, plan.refinement_from)?,
    };
    patterns.retain(|id| id.as_str() > after);
    let total = plan.done + patterns.len() as u32;
    let more = patterns.len() > PAGE;
    patterns.truncate(PAGE);
    for id in &patterns {
        match part {
            NARROW => narrow(desk, id, journal)?,
            _ => merge_like(desk, id, plan.settings.pattern_similarity, journal)?,
        }
    }
    let last = patterns.last().cloned();
    let next = match (more, part) {
        (true, part) => format!("{part}{}", last.unwrap_or_default()),
        (false, NARROW) => MERGE.to_owned(),
        (false, _) => JOIN.to_owned(),
    };
    Ok(Piece {
        next: Some(next),
        done: plan.done + patterns.len() as u32,
        total: total + 1,
    })
}

/// Patterns under review, by id.
fn declining(reader: &Reader) -> Result<Vec<String>, Error> {
    let review = equals("status", LessonStatus::UnderReview.as_str());
    patterns_with(reader, review)
}

/// Patterns that are recalled and were changed since a time, by id: what was like another before was merged then.
fn new_ones(reader: &Reader, since: u64) -> Result<Vec<String>, Error> {
    let ids = patterns_with(reader, recalled())?;
    let mut entries = Vec::with_capacity(ids.len());
    for some in ids.chunks(READ as usize) {
        entries.extend(entry::entries(reader, some)?);
    }
    let new = entries.into_iter().filter(|entry| {
        let lesson = &entry.kept.lesson;
        // What a person wrote as Markdown is theirs to merge.
        lesson.updated_at >= since && lesson.kind != LessonKind::Skill
    });
    let mut new: Vec<_> = new.map(|entry| entry.kept.lesson.id).collect();
    new.sort();
    Ok(new)
}

fn patterns_with(reader: &Reader, status: Condition) -> Result<Vec<String>, Error> {
    let mut page = query::<Head>(vec![status], Order::ById, READ);
    let mut ids = Vec::new();
    loop {
        let heads = reader.search::<Head>(&page)?;
        let some = heads.len() as u32;
        ids.extend(heads.into_iter().map(|(read, _)| read.noun.id));
        if some < READ {
            return Ok(ids);
        }
        page.offset += READ;
    }
}

/// Keeps a pattern away from where it fails, if its failures have something in common that its successes don't.
fn narrow(desk: &mut Desk, id: &str, journal: &Journal) -> Result<(), Error> {
    let pattern = patterns::get(desk, id)?;
    let failed = features_of(desk, &pattern.evidence.counter_episodes)?;
    let worked = features_of(desk, &pattern.evidence.supporting_episodes)?;
    let mut applicability = pattern.applicability;
    let conditions = telling(&failed, &worked);
    let known = &applicability.anti_conditions;
    let new: Vec<_> = conditions
        .into_iter()
        .filter(|condition| !known.contains(condition))
        .take(MOST_CONDITIONS)
        .collect();
    if new.is_empty() {
        return Ok(());
    }
    let words: Vec<_> = new
        .iter()
        .map(|condition| format!("{} is {}", condition.feature, condition.value))
        .collect();
    let reason = format!("it fails when {}, and only then", words.join(" or "));
    applicability.anti_conditions.extend(new);
    journal.because(&reason);
    let update = PatternUpdate {
        applicability: Some(applicability),
        reason,
        ..PatternUpdate::default()
    };
    revision::refined(desk, id, &update)?;
    Ok(())
}

/// What is known of some episodes as features, each by its name and value.
fn features_of(
    reader: &Reader,
    episodes: &[String],
) -> Result<Vec<BTreeSet<(String, String)>>, Error> {
    let episodes = reader.load_all::<Episode>(episodes)?;
    Ok(episodes.iter().map(|read| features(&read.noun)).collect())
}

/// Merges patterns that say the same: the surest one stays.
fn merge_like(desk: &mut Desk, id: &str, least: f64, journal: &Journal) -> Result<(), Error> {
    let pattern = patterns::get(desk, id)?;
    // An earlier pattern of this piece may have taken its place.
    if !may_merge(&pattern) {
        return Ok(());
    }
    let mut same = vec![id.to_owned()];
    for similar in patterns::similar(desk, id, least)? {
        let other = &similar.pattern;
        let is_pattern = desk.load::<Head>(&other.lesson.id)?.is_some();
        if is_pattern && may_merge(other) && fit(&pattern, other) && same.len() < MERGED {
            same.push(other.lesson.id.clone());
        }
    }
    if same.len() > 1 {
        let reason = format!("similar by {least} or more");
        journal.because(&reason);
        merge::merged(desk, &same, &reason)?;
    }
    Ok(())
}

fn may_merge(pattern: &Pattern) -> bool {
    is_recalled(pattern.lesson.status) && pattern.superseded_by.is_none()
}

/// Whether two like patterns may stand for each other: of one kind, for the same failures, and without contradiction.
fn fit(one: &Pattern, other: &Pattern) -> bool {
    let (left, right) = (&one.lesson, &other.lesson);
    left.kind == right.kind
        && left.trigger_fingerprints == right.trigger_fingerprints
        && !one.contradicts.contains(&right.id)
        && !advice::conflict(&left.rule_text, &right.rule_text)
}

/// The features of an episode that a pattern may be kept away from.
fn features(episode: &Episode) -> BTreeSet<(String, String)> {
    let single = [
        ("task-type", &episode.task_type),
        ("domain", &episode.domain),
        ("agent", &episode.agent),
    ];
    let lists = [("tool", &episode.tools_used), ("tag", &episode.tags)];
    let single = single.into_iter().filter(|(_, value)| !value.is_empty());
    let single = single.map(|(name, value)| (name.to_owned(), value.clone()));
    let lists = lists.into_iter().flat_map(|(name, values)| {
        let named = values.iter();
        named.map(move |value| (name.to_owned(), value.clone()))
    });
    single.chain(lists).collect()
}

/// Conditions that hold for several failures and for no success, those of the most failures first.
fn telling(
    failed: &[BTreeSet<(String, String)>],
    worked: &[BTreeSet<(String, String)>],
) -> Vec<Requirement> {
    let mut counts: BTreeMap<&(String, String), usize> = BTreeMap::new();
    for feature in failed.iter().flatten() {
        *counts.entry(feature).or_default() += 1;
    }
    let elsewhere: BTreeSet<_> = worked.iter().flatten().collect();
    let mut telling: Vec<_> = counts
        .into_iter()
        .filter(|(feature, count)| *count >= LEAST_FAILURES && !elsewhere.contains(feature))
        .collect();
    telling.sort_by(|(left, few), (right, many)| many.cmp(few).then(left.cmp(right)));
    telling
        .into_iter()
        .map(|((feature, value), _)| Requirement {
            feature: feature.clone(),
            test: FeatureTest::Equals,
            value: value.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(names: &[(&str, &str)]) -> BTreeSet<(String, String)> {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        names.iter().map(own).collect()
    }

    #[test]
    fn what_only_failures_have_in_common_is_telling() {
        let failed = [
            features(&[("tool", "yarn"), ("tag", "ci"), ("tag", "night")]),
            features(&[("tool", "yarn"), ("tag", "ci")]),
            features(&[("tool", "yarn"), ("tag", "odd")]),
        ];
        let worked = [features(&[("tool", "npm"), ("tag", "ci")])];
        let found = telling(&failed, &worked);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((&*found[0].feature, &*found[0].value), ("tool", "yarn"));
        assert!(telling(&failed[..1], &worked).is_empty(), "one is no rule");
    }
}
