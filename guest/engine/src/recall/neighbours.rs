//! Neighbours: what links say about lessons that are recalled together.
//!
//! Owns which lessons come along with others, and that none is shown with a more reliable one that contradicts it,
//! or with the one that supersedes it.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::memory::{Error, Hint, Link, Relation};

use super::{is_no_news, score::Sought};
use crate::{
    insertion,
    lessons::{KeptLesson, is_claim, is_recalled, links},
    store::{Read, Reader},
};

/// What is left of an answer.
pub(super) struct Room {
    pub(super) places: usize,
    pub(super) tokens: u32,
}

/// Lessons none of which opposes another.
pub(super) fn unopposed(hints: Vec<Hint>, links: &[Link]) -> Vec<Hint> {
    without_contradictions(without_superseded(hints, links), links)
}

/// Of two that contradict each other, the more reliable stays; if both are as reliable, the newer. What is only claimed
/// gives way to what was seen here until it has helped.
fn without_contradictions(mut hints: Vec<Hint>, links: &[Link]) -> Vec<Hint> {
    let by_id: BTreeMap<_, _> = hints
        .iter()
        .map(|hint| (hint.lesson.id.as_str(), &hint.lesson))
        .collect();
    let mut losers = BTreeSet::new();
    for link in links {
        let (Relation::Contradicts, Some(left), Some(right)) = (
            link.relation,
            by_id.get(link.source.as_str()),
            by_id.get(link.target.as_str()),
        ) else {
            continue;
        };
        let order = is_claim(right)
            .cmp(&is_claim(left))
            .then(left.reliability.total_cmp(&right.reliability))
            .then(left.updated_at.cmp(&right.updated_at))
            .then(right.id.cmp(&left.id));
        losers.insert(if order.is_lt() { &left.id } else { &right.id }.clone());
    }
    hints.retain(|hint| !losers.contains(&hint.lesson.id));
    hints
}

/// Takes out lessons whose successor is there as well.
fn without_superseded(mut hints: Vec<Hint>, links: &[Link]) -> Vec<Hint> {
    let there: BTreeSet<_> = hints.iter().map(|hint| hint.lesson.id.clone()).collect();
    let gone = superseded(&there, links);
    hints.retain(|hint| !gone.contains(&hint.lesson.id));
    hints
}

/// What is superseded by one of some lessons.
fn superseded(by: &BTreeSet<String>, links: &[Link]) -> BTreeSet<String> {
    let told = links
        .iter()
        .flat_map(|link| [&link.source, &link.target].map(|memory| links::seen_from(link, memory)));
    told.flatten()
        .filter(|link| link.relation == Relation::SupersededBy && by.contains(&link.target))
        .map(|link| link.source)
        .collect()
}

/// Adds lessons that complement or elaborate those that are given, as far as there is room. What was looked at
/// already was left out for a reason.
pub(super) fn add_neighbours(
    reader: &Reader,
    sought: &Sought,
    given: &mut Vec<Hint>,
    looked: &BTreeSet<String>,
    links: &[Link],
    mut room: Room,
) -> Result<(), Error> {
    let mut ids: Vec<String> = Vec::new();
    for hint in given.iter() {
        let id = &hint.lesson.id;
        for link in links
            .iter()
            .filter(|link| link.source == *id || link.target == *id)
        {
            let together = matches!(link.relation, Relation::Complements | Relation::Elaborates);
            let other = links::other(link, id);
            if together && !looked.contains(other) && !ids.iter().any(|known| known == other) {
                ids.push(other.to_owned());
            }
        }
    }
    ids.truncate(super::MOST_HINTS as usize);
    if ids.is_empty() {
        return Ok(());
    }
    let own = links::guiding_links(reader, ids.iter().map(String::as_str))?;
    let mut there: BTreeSet<_> = given.iter().map(|hint| hint.lesson.id.clone()).collect();
    for Read { noun: kept, .. } in reader.load_all::<KeptLesson>(&ids)? {
        let lesson = &kept.lesson;
        let contradicted = own.iter().any(|link| {
            link.relation == Relation::Contradicts
                && (link.source == lesson.id || link.target == lesson.id)
                && there.contains(links::other(link, &lesson.id))
        });
        let size = insertion::tokens(&lesson.rule_text);
        let fits = is_recalled(lesson.status)
            && sought.is_reached_by(lesson)
            && (sought.before || !is_no_news(lesson))
            && !contradicted
            && !superseded(&there, &own).contains(&lesson.id)
            && size <= room.tokens;
        if fits && room.places > 0 {
            room.places -= 1;
            room.tokens -= size;
            there.insert(lesson.id.clone());
            given.push(sought.hint(kept));
        }
    }
    Ok(())
}
