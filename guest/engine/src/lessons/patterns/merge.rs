//! Merging several patterns into one.
//!
//! Owns what is joined: evidence, origins and usage are added, applicability is widened to all of them, and those that
//! are merged away name the one that supersedes them.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Error, LessonStatus, Pattern};

use super::{
    applicability, assembled, evidence,
    proposal::invalid,
    revision::{deprecate, superseding, version},
};
use crate::{
    lessons::{Entry, check_reason, links},
    limits,
    store::Desk,
};

/// Patterns that are merged at once.
const MERGED: usize = 32;

/// Applications that are joined at most, the newest of each: all that is written fits into one commit.
const JOINED: usize = 640;

pub(crate) fn merged(desk: &mut Desk, patterns: &[String], reason: &str) -> Result<Pattern, Error> {
    check_reason(reason)?;
    let ids: BTreeSet<_> = patterns.iter().collect();
    if ids.len() < 2 || ids.len() > MERGED || ids.len() != patterns.len() {
        return Err(invalid(&format!(
            "`patterns` has {} different ids in {} entries; give 2 to {MERGED} ids, each once",
            ids.len(),
            patterns.len()
        )));
    }
    let now = desk.now();
    desk.commit(|batch| {
        let entries = ids.iter().map(|id| super::pattern_entry(batch, id));
        let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by(surest_first);
        let mut others = entries.split_off(1);
        let mut kept = entries.remove(0);
        for entry in others.iter().chain([&kept]) {
            let lesson = &entry.kept.lesson;
            let living = [
                LessonStatus::Candidate,
                LessonStatus::Promoted,
                LessonStatus::UnderReview,
            ];
            if !living.contains(&lesson.status) {
                return Err(Error::Conflict(format!(
                    "Pattern `{}` is {}. Only patterns in use or under review can be merged.",
                    lesson.id,
                    lesson.status.as_str()
                )));
            }
        }
        let id = kept.kept.lesson.id.clone();
        let links = links::links_of(batch, &id)?;
        let before = assembled(&kept, &links);
        batch.put_owned(&version(&before, reason, now));
        let round = kept.pattern().0.round;
        let mut counted = super::evidence::applications(batch, &id, round, now)?;
        let mut known: BTreeSet<_> = counted.iter().map(|one| one.episode.clone()).collect();
        let room = JOINED / others.len();
        for other in &mut others {
            let other_id = other.kept.lesson.id.clone();
            let other_round = other.pattern().0.round;
            let more = super::evidence::applications(batch, &other_id, other_round, now)?;
            for mut application in more.into_iter().take(room) {
                // An episode in which both were applied counts once.
                if known.insert(application.episode.clone()) {
                    application.pattern.clone_from(&id);
                    application.round = round;
                    batch.put_owned(&application);
                    counted.push(application);
                }
            }
            join(&mut kept, other);
            let told = format!("merged into {id}: {reason}");
            deprecate(other, &told, now)?;
            let link = superseding(&other_id, &id, reason, now);
            batch.put_owned(&link);
            other.put(batch);
        }
        counted.sort_by(|left, right| {
            right
                .at
                .cmp(&left.at)
                .then(left.episode.cmp(&right.episode))
        });
        let (head, body) = kept.pattern();
        evidence::count(&mut body.evidence, &counted, body.claimed_confidence);
        head.weigh(&body.evidence);
        head.version += 1;
        kept.kept.lesson.updated_at = now;
        kept.put(batch);
        let links = links::links_of(batch, &id)?;
        Ok(assembled(&kept, &links))
    })
}

/// The surest first; of two that are as sure, the one that was applied more, then the older.
fn surest_first(left: &Entry, right: &Entry) -> std::cmp::Ordering {
    let told = |entry: &Entry| {
        let head = entry.head.as_ref();
        head.map_or((0.0, 0), |head| (head.confidence, head.applications))
    };
    let (left_told, right_told) = (told(left), told(right));
    let (left, right) = (&left.kept.lesson, &right.kept.lesson);
    right_told
        .0
        .total_cmp(&left_told.0)
        .then(right_told.1.cmp(&left_told.1))
        .then(left.created_at.cmp(&right.created_at))
        .then(left.id.cmp(&right.id))
}

/// Adds what one pattern has to another.
fn join(kept: &mut Entry, other: &mut Entry) {
    let usage = other.pattern().0.usage;
    let other_head = other.pattern().0.clone();
    let other_claim = other.pattern().1.claimed_confidence;
    let (head, body) = kept.pattern();
    head.joined_usage = head.joined_usage.saturating_add(usage);
    head.last_used = head.last_used.max(other_head.last_used);
    head.applicability = applicability::widened(&head.applicability, &other_head.applicability);
    body.claimed_confidence = body.claimed_confidence.max(other_claim);
    let (lesson, other) = (&mut kept.kept.lesson, &other.kept.lesson);
    for origin in &other.origins {
        let known = lesson
            .origins
            .iter()
            .any(|known| known.run == origin.run && known.source == origin.source);
        if !known && lesson.origins.len() < limits::ORIGINS_PER_LESSON {
            lesson.origins.push(origin.clone());
        }
    }
    for (own, more) in [
        (
            &mut lesson.trigger_fingerprints,
            &other.trigger_fingerprints,
        ),
        (&mut lesson.tags, &other.tags),
    ] {
        own.extend(more.iter().cloned());
        own.sort();
        own.dedup();
        own.truncate(limits::TRIGGERS);
    }
    lesson.trust = lesson.trust.max(other.trust);
}
