//! Links: typed relations between two lessons.
//!
//! Owns how relations are kept and found, and which new lessons contradict others. What a contradiction
//! means for what is shown is the business of recall.

use twiceshy_wit::{
    host::{Attribute, Precondition},
    memory::{Error, Lesson, Link, Links, Neighbourhood, Relation, Walk},
};

use crate::{
    advice,
    documents::{Kind, Noun, any_of, digest, equals, newest, number, put, query, remove, text},
    lessons::{KeptLesson, unknown},
    limits, payload,
    ports::Engine,
};

/// Lessons with a common trigger that a new one is compared with.
const COMPARED: u32 = 64;

impl Noun for Link {
    const KIND: Kind = Kind::Link;

    fn id(&self) -> String {
        let (first, second) = match self.relation {
            // Holds both ways, so it is the same link whoever says it.
            Relation::Contradicts | Relation::RelatedTo | Relation::Complements
                if self.target < self.source =>
            {
                (&self.target, &self.source)
            }
            _ => (&self.source, &self.target),
        };
        format!("link_{}", digest(&[first, self.relation.as_str(), second]))
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

impl Links for Engine<'_> {
    fn relate(&self, link: &Link) -> Result<Link, Error> {
        self.put_link(link)
    }

    fn unrelate(&self, link: &Link) -> Result<(), Error> {
        self.remove_link(link)
    }

    fn of_memory(&self, id: &str) -> Result<Vec<Link>, Error> {
        if self.load::<KeptLesson>(id)?.is_none() {
            return Err(unknown(id));
        }
        self.links_of(id)
    }

    fn around(&self, _walk: &Walk) -> Result<Neighbourhood, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn contradictions(&self, _limit: u32) -> Result<Vec<Link>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }
}

impl Engine<'_> {
    pub(crate) fn put_link(&self, link: &Link) -> Result<Link, Error> {
        if link.source == link.target {
            return Err(Error::InvalidArgument(
                "source and target are the same lesson; name two".to_owned(),
            ));
        }
        for lesson in [&link.source, &link.target] {
            if self.load::<KeptLesson>(lesson)?.is_none() {
                return Err(unknown(lesson));
            }
        }
        let link = Link {
            reason: payload::kept_text(&link.reason, limits::ACTION_BYTES),
            at: self.now(),
            ..link.clone()
        };
        self.change(|_| Ok((vec![put(&link, Precondition::Anything)], link.clone())))
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

    pub(crate) fn links_of(&self, lesson: &str) -> Result<Vec<Link>, Error> {
        let query = query::<Link>(vec![equals("lesson", lesson)], newest("at"), 1_000);
        let found = self.search::<Link>(&query)?;
        Ok(found.into_iter().map(|(read, _)| read.noun).collect())
    }

    /// The contradictions of some lessons.
    pub(crate) fn contradictions_of<'l>(
        &self,
        lessons: impl Iterator<Item = &'l str>,
    ) -> Result<Vec<Link>, Error> {
        let lessons: Vec<_> = lessons.collect();
        if lessons.is_empty() {
            return Ok(Vec::new());
        }
        let conditions = vec![
            equals("relation", Relation::Contradicts.as_str()),
            any_of("lesson", lessons),
        ];
        let found = self.search::<Link>(&query::<Link>(conditions, newest("at"), 1_000))?;
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
