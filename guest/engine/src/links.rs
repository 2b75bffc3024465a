//! Links: typed relations between two memories, which are lessons, skills or episodes.
//!
//! Owns how relations are kept and told from either side, and which new lessons contradict others. What can be reached
//! over them is the business of the [walk]; what they mean for what is shown, of recall.

mod walk;

use twiceshy_wit::{
    host::{Attribute, Precondition},
    memory::{Error, Lesson, Link, Links, Neighbourhood, Relation, Walk},
};

use crate::{
    advice,
    documents::{Kind, Noun, any_of, digest, newest, number, put, query, remove, text},
    lessons::KeptLesson,
    limits, payload,
    ports::Engine,
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

/// The one way of saying a link, whoever says it.
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

/// A link told from a memory's side: the memory is its source, if there is a word for that. None if the link is about
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

impl Links for Engine<'_> {
    fn relate(&self, link: &Link) -> Result<Link, Error> {
        self.put_link(link)
    }

    fn unrelate(&self, link: &Link) -> Result<(), Error> {
        self.remove_link(link)
    }

    fn of_memory(&self, id: &str) -> Result<Vec<Link>, Error> {
        self.memory(id)?;
        self.links_of(id)
    }

    fn around(&self, walk: &Walk) -> Result<Neighbourhood, Error> {
        self.walked(walk)
    }

    fn contradictions(&self, limit: u32) -> Result<Vec<Link>, Error> {
        self.unresolved(limits::listed(Some(limit)) as usize)
    }
}

impl Engine<'_> {
    pub(crate) fn put_link(&self, link: &Link) -> Result<Link, Error> {
        if link.source == link.target {
            return Err(Error::InvalidArgument(
                "source and target are the same memory; name two".to_owned(),
            ));
        }
        let link = Link {
            reason: payload::kept_text(&link.reason, limits::ACTION_BYTES),
            at: self.now(),
            ..link.clone()
        };
        self.change(|_| {
            for memory in [&link.source, &link.target] {
                self.memory(memory)?;
            }
            Ok((vec![put(&link, Precondition::Anything)], link.clone()))
        })
    }

    pub(crate) fn remove_link(&self, link: &Link) -> Result<(), Error> {
        let id = link.id();
        if self.load::<Link>(&id)?.is_none() {
            return Err(Error::NotFound(format!(
                "`{}` has no relation {} to `{}`; links.of-memory lists its relations",
                link.source,
                link.relation.as_str(),
                link.target
            )));
        }
        self.change(|_| {
            let change = remove(Kind::Link, &id, Precondition::Anything);
            Ok((vec![change], ()))
        })
    }

    /// The links of a memory, told from its side, newest first.
    pub(crate) fn links_of(&self, memory: &str) -> Result<Vec<Link>, Error> {
        let links = self.links_of_all(std::iter::once(memory))?;
        Ok(links
            .iter()
            .filter_map(|link| seen_from(link, memory))
            .collect())
    }

    /// The links of some memories as they were told, newest first.
    pub(crate) fn links_of_all<'m>(
        &self,
        memories: impl Iterator<Item = &'m str>,
    ) -> Result<Vec<Link>, Error> {
        let query = query::<Link>(vec![any_of("lesson", memories)], newest("at"), MOST_LINKS);
        let found = self.search::<Link>(&query)?;
        Ok(found.into_iter().map(|(read, _)| read.noun).collect())
    }

    /// The contradictions of some lessons.
    pub(crate) fn contradictions_of<'l>(
        &self,
        lessons: impl Iterator<Item = &'l str>,
    ) -> Result<Vec<Link>, Error> {
        self.links_by(&[Relation::Contradicts], lessons)
    }

    /// The links of some lessons that say which of them belong together and which do not.
    pub(crate) fn guiding_links<'l>(
        &self,
        lessons: impl Iterator<Item = &'l str>,
    ) -> Result<Vec<Link>, Error> {
        let guiding = [
            Relation::Contradicts,
            Relation::Supersedes,
            Relation::SupersededBy,
            Relation::Complements,
            Relation::Elaborates,
        ];
        self.links_by(&guiding, lessons)
    }

    fn links_by<'l>(
        &self,
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
        let found = self.search::<Link>(&query::<Link>(conditions, newest("at"), MOST_LINKS))?;
        Ok(found.into_iter().map(|(read, _)| read.noun).collect())
    }

    /// Links a new lesson with those that share a trigger with it and propose what can't hold together with it.
    pub(crate) fn new_contradictions(
        &self,
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
        let found = self.search::<KeptLesson>(&sharing)?;
        let stored = found.iter().map(|(read, _)| &read.noun.lesson);
        let mut contradictions = Vec::new();
        for other in stored.chain(beside) {
            let shared = other
                .trigger_fingerprints
                .iter()
                .any(|trigger| lesson.trigger_fingerprints.contains(trigger));
            if other.id != lesson.id
                && shared
                && advice::conflict(&lesson.rule_text, &other.rule_text)
            {
                contradictions.push(Link {
                    source: lesson.id.clone(),
                    relation: Relation::Contradicts,
                    target: other.id.clone(),
                    reason: "they answer the same failure with what can't both be right".to_owned(),
                    at: now,
                });
            }
        }
        Ok(contradictions)
    }
}

/// The other lesson of a link.
pub(crate) fn other<'l>(link: &'l Link, lesson: &str) -> &'l str {
    if link.source == lesson {
        &link.target
    } else {
        &link.source
    }
}
