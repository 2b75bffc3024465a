//! The walk over links: what can be reached from a memory, nearest first.
//!
//! Owns the order, the bounds, and what a memory is in one line. It changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::memory::{
    Episode, Error, Lesson, LessonKind, Link, LinkedMemory, Neighbourhood, Relation, Walk,
};

use super::{MOST_LINKS, seen_from};
use crate::{
    episodes::shelf,
    lessons::{KeptLesson, is_recalled},
    limits,
    store::{Kind, Noun, Read, Reader, equals, newest, query},
};

/// Links away if the caller does not say.
const DEPTH: u32 = 2;

/// Links away at most.
const MOST_DEPTH: u32 = 8;

/// Memories of one answer if the caller does not say.
const REACHED: u32 = 50;

/// Memories of one answer at most.
const MOST_REACHED: u32 = 1_000;

/// Memories whose links are read at once.
const AT_ONCE: usize = 64;

/// A summary in characters.
const SUMMARY_CHARS: usize = 200;

/// A memory by its id, in one line.
pub(super) fn memory(reader: &Reader, id: &str) -> Result<LinkedMemory, Error> {
    let found = if id.is_empty() || id.len() > limits::ID_BYTES || id.contains('\0') {
        BTreeMap::new()
    } else {
        load_memories(reader, &[id.to_owned()])?
    };
    found.into_values().next().ok_or_else(|| {
        Error::NotFound(format!(
            "There is no lesson, skill or episode `{id}`. `lessons.find` and `episodes.find` list all of them."
        ))
    })
}

/// Memories by their ids; what is missing is left out.
fn load_memories(reader: &Reader, ids: &[String]) -> Result<BTreeMap<String, LinkedMemory>, Error> {
    let mut found = BTreeMap::new();
    for ids in ids.chunks(MOST_LINKS as usize / 2) {
        let lessons = ids.iter().map(|id| Kind::Lesson.key(id));
        let episodes = ids.iter().map(|id| Kind::Episode.key(id));
        for stored in reader.read(&lessons.chain(episodes).collect::<Vec<_>>())? {
            let memory = if stored.key.kind == Kind::Lesson.as_str() {
                of_lesson(&Read::<KeptLesson>::parse(&stored)?.noun.lesson)
            } else {
                of_episode(&Read::<Episode>::parse(&stored)?.noun)
            };
            found.entry(stored.key.id).or_insert(memory);
        }
    }
    Ok(found)
}

/// What can be reached from a memory, level by level. Within a level: in the order of the memories that lead there,
/// then the newest link first.
pub(crate) fn walked(reader: &Reader, walk: &Walk) -> Result<Neighbourhood, Error> {
    let depth = walk.depth.unwrap_or(DEPTH).min(MOST_DEPTH);
    let limit = walk.limit.unwrap_or(REACHED).clamp(1, MOST_REACHED) as usize;
    let mut memories = vec![memory(reader, &walk.memory)?];
    let mut known = BTreeSet::from([walk.memory.clone()]);
    let mut links: BTreeMap<String, Link> = BTreeMap::new();
    let mut level = vec![walk.memory.clone()];
    let mut more = false;
    for distance in 1..=depth {
        let told = links_of_level(reader, &level, &walk.relations)?;
        let mut next = Vec::new();
        for (_, link) in &told {
            if known.insert(link.target.clone()) {
                next.push(link.target.clone());
            }
        }
        let found = load_memories(reader, &next)?;
        let deleted = shelf::deleted_among(reader, next.iter().map(String::as_str))?;
        next.retain(|id| found.contains_key(id) && !deleted.contains(id));
        let room = limit - memories.len();
        for id in next.split_off(next.len().min(room)) {
            more = true;
            known.remove(&id);
        }
        for id in &next {
            memories.push(LinkedMemory {
                distance,
                ..found[id].clone()
            });
        }
        let reached: BTreeSet<_> = memories.iter().map(|one| one.id.as_str()).collect();
        for (said, link) in told {
            if reached.contains(link.target.as_str()) {
                links.insert(said.id(), said);
            }
        }
        level = next;
        if level.is_empty() {
            break;
        }
    }
    let mut links: Vec<_> = links.into_values().collect();
    links.sort_by(|left, right| right.at.cmp(&left.at).then(left.id().cmp(&right.id())));
    Ok(Neighbourhood {
        memories,
        links,
        more,
    })
}

/// The links of some memories over some relations: as they were stated, and with one of the memories as the source.
fn links_of_level(
    reader: &Reader,
    level: &[String],
    relations: &[Relation],
) -> Result<Vec<(Link, Link)>, Error> {
    let mut told = Vec::new();
    for memories in level.chunks(AT_ONCE) {
        let links = super::links_of_all(reader, memories.iter().map(String::as_str))?;
        for memory in memories {
            for link in &links {
                let Some(seen) = seen_from(link, memory) else {
                    continue;
                };
                if relations.is_empty() || relations.contains(&seen.relation) {
                    let target = super::other(&seen, memory).to_owned();
                    let towards = Link {
                        source: memory.clone(),
                        target,
                        ..seen
                    };
                    told.push((link.clone(), towards));
                }
            }
        }
    }
    Ok(told)
}

/// Contradictions both sides of which are recalled, newest first.
pub(super) fn unresolved(reader: &Reader, limit: usize) -> Result<Vec<Link>, Error> {
    let conditions = vec![equals("relation", Relation::Contradicts.as_str())];
    let mut page = query::<Link>(conditions, newest("at"), MOST_LINKS);
    let mut unresolved = Vec::new();
    loop {
        let found = reader.search::<Link>(&page)?;
        let full = found.len() == MOST_LINKS as usize;
        let links: Vec<_> = found.into_iter().map(|(read, _)| read.noun).collect();
        let ends: BTreeSet<_> = links
            .iter()
            .flat_map(|link| [link.source.as_str(), link.target.as_str()])
            .collect();
        let ends: Vec<_> = ends.into_iter().collect();
        let mut recalled = BTreeSet::new();
        for ids in ends.chunks(MOST_LINKS as usize) {
            let lessons = reader.load_all::<KeptLesson>(ids)?.into_iter();
            let lessons = lessons.map(|read| read.noun.lesson);
            let lessons = lessons.filter(|lesson| is_recalled(lesson.status));
            recalled.extend(lessons.map(|lesson| lesson.id));
        }
        unresolved.extend(
            links
                .into_iter()
                .filter(|link| recalled.contains(&link.source) && recalled.contains(&link.target)),
        );
        if unresolved.len() >= limit || !full {
            unresolved.truncate(limit);
            return Ok(unresolved);
        }
        page.offset += MOST_LINKS;
    }
}

fn of_lesson(lesson: &Lesson) -> LinkedMemory {
    let kind = match lesson.kind {
        LessonKind::Skill => "skill",
        _ => "lesson",
    };
    linked(&lesson.id, kind, &lesson.rule_text)
}

fn of_episode(episode: &Episode) -> LinkedMemory {
    let told = match episode.task.trim() {
        "" => episode.summary.as_str(),
        task => task,
    };
    linked(&episode.id, "episode", told)
}

fn linked(id: &str, kind: &str, text: &str) -> LinkedMemory {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut summary: String = line.chars().take(SUMMARY_CHARS).collect();
    if summary.len() < line.len() {
        summary.push('…');
    }
    LinkedMemory {
        id: id.to_owned(),
        kind: kind.to_owned(),
        summary,
        distance: 0,
    }
}
