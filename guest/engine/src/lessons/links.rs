//! Links: typed relations between two memories, which are lessons, skills or episodes.
//!
//! Owns how relations are kept and read from either side, and which new lessons contradict others. What can be reached
//! through them is the business of [walk]; their effect on what is shown is that of recall.

pub(crate) mod walk;

use twiceshy_wit::{
    host::Attribute,
    memory::{Error, Lesson, Link, Relation},
};

use crate::{
    advice::{self, Stance},
    episodes::shelf,
    lessons::KeptLesson,
    limits, payload,
    store::{Desk, Kind, Noun, Reader, any_of, digest, newest, number, query, text},
};

/// Lessons with a common trigger that a new one is compared with.
const COMPARED: u32 = 64;

/// Links of one answer, as the contract has it.
const MOST_LINKS: u32 = 1_000;

impl Noun for Link {
    const KIND: Kind = Kind::Link;

    fn id(&self) -> String {
        let (first, relation, second) = canonical(self);
        format!("link_{}", digest(&[first, relation.as_str(), second]))
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![
            text("lesson", &self.source),
            text("lesson", &self.target),
            text("relation", self.relation.as_str()),
            number("at", self.at as f64),
        ]
    }
}

/// The one form of a link, whichever side states it.
fn canonical(link: &Link) -> (&str, Relation, &str) {
    let (source, target) = (link.source.as_str(), link.target.as_str());
    match link.relation {
        Relation::SupersededBy => (target, Relation::Supersedes, source),
        Relation::Generalizes => (target, Relation::Specializes, source),
        relation if inverse(relation) == Some(relation) && target < source => {
            (target, relation, source)
        }
        relation => (source, relation, target),
    }
}

/// The relation that holds the other way round; none where there is no word for it.
fn inverse(relation: Relation) -> Option<Relation> {
    match relation {
        Relation::Contradicts | Relation::RelatedTo | Relation::Complements => Some(relation),
        Relation::Supersedes => Some(Relation::SupersededBy),
        Relation::SupersededBy => Some(Relation::Supersedes),
        Relation::Specializes => Some(Relation::Generalizes),
        Relation::Generalizes => Some(Relation::Specializes),
        Relation::DerivedFrom | Relation::Elaborates | Relation::ExampleOf => None,
    }
}

/// A link as seen from a memory: the memory is its source, if there is a word for that. None if the link is about
/// others.
pub(crate) fn seen_from(link: &Link, memory: &str) -> Option<Link> {
    if link.source == memory {
        return Some(link.clone());
    }
    (link.target == memory).then(|| match inverse(link.relation) {
        None => link.clone(),
        Some(relation) => Link {
            source: link.target.clone(),
            relation,
            target: link.source.clone(),
            ..link.clone()
        },
    })
}

pub(crate) fn of_memory(reader: &Reader, id: &str) -> Result<Vec<Link>, Error> {
    walk::memory(reader, id)?;
    found_links(reader, id)
}

/// The links of a memory, as seen from it, without those to deleted episodes.
pub(crate) fn found_links(reader: &Reader, memory: &str) -> Result<Vec<Link>, Error> {
    let mut links = links_of(reader, memory)?;
    let others = links.iter().map(|link| other(link, memory));
    let deleted = shelf::deleted_among(reader, others)?;
    links.retain(|link| !deleted.contains(other(link, memory)));
    Ok(links)
}

pub(crate) fn contradictions(reader: &Reader, limit: u32) -> Result<Vec<Link>, Error> {
    walk::unresolved(reader, limits::listed(Some(limit)) as usize)
}

pub(crate) fn put_link(desk: &mut Desk, link: &Link) -> Result<Link, Error> {
    if link.source == link.target {
        return Err(Error::InvalidArgument(
            "`source` and `target` are the same memory; name two different ones".to_owned(),
        ));
    }
    let link = Link {
        reason: payload::kept_text(&link.reason, limits::ACTION_BYTES),
        at: desk.now(),
        ..link.clone()
    };
    desk.commit(|batch| {
        for memory in [&link.source, &link.target] {
            walk::memory(batch, memory)?;
        }
        batch.put_owned(&link);
        Ok(link.clone())
    })
}

pub(crate) fn remove_link(desk: &mut Desk, link: &Link) -> Result<(), Error> {
    let id = link.id();
    if desk.load::<Link>(&id)?.is_none() {
        return Err(Error::NotFound(format!(
            "Memory `{}` has no link {} to `{}`. `links.of-memory` lists its links.",
            link.source,
            link.relation.as_str(),
            link.target
        )));
    }
    desk.commit(|batch| {
        batch.remove_owned(Kind::Link, &id);
        Ok(())
    })
}

/// The links of a memory, as seen from it, newest first.
pub(crate) fn links_of(reader: &Reader, memory: &str) -> Result<Vec<Link>, Error> {
    let links = links_of_all(reader, std::iter::once(memory))?;
    Ok(links
        .iter()
        .filter_map(|link| seen_from(link, memory))
        .collect())
}

/// The links of some memories as they were stated, newest first.
pub(crate) fn links_of_all<'m>(
    reader: &Reader,
    memories: impl Iterator<Item = &'m str>,
) -> Result<Vec<Link>, Error> {
    let query = query::<Link>(vec![any_of("lesson", memories)], newest("at"), MOST_LINKS);
    let found = reader.search::<Link>(&query)?;
    Ok(found.into_iter().map(|(read, _)| read.noun).collect())
}

/// The contradictions of some lessons.
pub(crate) fn contradictions_of<'l>(
    reader: &Reader,
    lessons: impl Iterator<Item = &'l str>,
) -> Result<Vec<Link>, Error> {
    links_by(reader, &[Relation::Contradicts], lessons)
}

/// The links of some lessons that say which of them belong together and which do not.
pub(crate) fn guiding_links<'l>(
    reader: &Reader,
    lessons: impl Iterator<Item = &'l str>,
) -> Result<Vec<Link>, Error> {
    let guiding = [
        Relation::Contradicts,
        Relation::Supersedes,
        Relation::SupersededBy,
        Relation::Complements,
        Relation::Elaborates,
    ];
    links_by(reader, &guiding, lessons)
}

fn links_by<'l>(
    reader: &Reader,
    relations: &[Relation],
    lessons: impl Iterator<Item = &'l str>,
) -> Result<Vec<Link>, Error> {
    let lessons: Vec<_> = lessons.collect();
    if lessons.is_empty() {
        return Ok(Vec::new());
    }
    let conditions = vec![
        any_of(
            "relation",
            relations.iter().map(|relation| relation.as_str()),
        ),
        any_of("lesson", lessons),
    ];
    let found = reader.search::<Link>(&query::<Link>(conditions, newest("at"), MOST_LINKS))?;
    Ok(found.into_iter().map(|(read, _)| read.noun).collect())
}

/// Links a new lesson with those that share a trigger with it and propose what can't hold together with it.
pub(crate) fn new_contradictions(
    reader: &Reader,
    lesson: &Lesson,
    beside: &[Lesson],
    now: u64,
) -> Result<Vec<Link>, Error> {
    if lesson.trigger_fingerprints.is_empty() {
        return Ok(Vec::new());
    }
    let triggers = lesson.trigger_fingerprints.iter().map(String::as_str);
    let conditions = vec![any_of("fingerprint", triggers)];
    let sharing = query::<KeptLesson>(conditions, newest("updated-at"), COMPARED);
    let found = reader.search::<KeptLesson>(&sharing)?;
    let stored = found.iter().map(|(read, _)| &read.noun.lesson);
    let advice = advice::parse(&lesson.rule_text);
    let stance = Stance::new(&lesson.rule_text, &advice);
    let mut contradictions = Vec::new();
    for other in stored.chain(beside) {
        let shared = other
            .trigger_fingerprints
            .iter()
            .any(|trigger| lesson.trigger_fingerprints.contains(trigger));
        if other.id != lesson.id && shared && stance.conflicts_with(&other.rule_text) {
            contradictions.push(Link {
                source: lesson.id.clone(),
                relation: Relation::Contradicts,
                target: other.id.clone(),
                reason: "they give opposite advice for the same failure".to_owned(),
                at: now,
            });
        }
    }
    Ok(contradictions)
}

/// The other lesson of a link.
pub(crate) fn other<'l>(link: &'l Link, lesson: &str) -> &'l str {
    if link.source == lesson {
        &link.target
    } else {
        &link.source
    }
}
