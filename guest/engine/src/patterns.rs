//! Patterns: lessons with a category, applicability, content and statistics.
//!
//! Owns what a pattern has beside the lesson that it is, and which function does what. A pattern is never shown,
//! promoted or suppressed apart from its lesson: one document holds the status, and the lesson's entry brings the
//! pattern's index up to date in the same commit. How it is [kept](document), [checked](proposal),
//! [found](rank), [counted](evidence), [validated](validate), [changed](revision), [merged](merge) and
//! [cleared away](clearing) is the business of the modules below.

mod applicability;
mod binomial;
mod clearing;
mod document;
mod evidence;
mod merge;
mod proposal;
mod rank;
mod revision;
mod similar;
mod validate;

use std::collections::BTreeMap;

use twiceshy_wit::memory::*;

use crate::{
    advice,
    documents::{Kind, Read, equals, newest, query},
    lessons::{Entry, KeptLesson},
    limits, links,
    ports::Engine,
};
pub(crate) use document::{Application, Body, Head};
use proposal::{check_share, invalid, too_many};

/// Entries of a list within a pattern, as the contract has it.
const LISTED: usize = 32;

/// Patterns for a task if the caller does not say.
const APPLICABLE: u32 = 5;

/// Patterns for a task at most.
const MOST_APPLICABLE: u32 = 100;

/// Features of a task, as the contract has it.
const FEATURES: usize = 64;

impl Patterns for Engine<'_> {
    fn add(&self, pattern: &NewPattern) -> Result<Pattern, Error> {
        let mut proposals = vec![self.pattern_proposal(pattern)?];
        let now = self.now();
        let lessons = self.with_vectors(&mut proposals, |proposals| {
            self.change(|_| {
                self.check_known(&proposals[0].kept.lesson, pattern.id.is_some())?;
                self.entered(proposals, &mut Vec::new(), now)
            })
        })?;
        Patterns::get(self, &lessons[0].id)
    }

    fn get(&self, pattern: &str) -> Result<Pattern, Error> {
        let entry = self.pattern_entry(pattern)?;
        Ok(assembled(&entry, &self.links_of(pattern)?))
    }

    fn find(
        &self,
        kind: Option<LessonKind>,
        status: Option<LessonStatus>,
        limit: u32,
    ) -> Result<Vec<Pattern>, Error> {
        let restrictions = [
            ("kind", kind.map(|kind| kind.as_str())),
            ("status", status.map(|status| status.as_str())),
        ];
        let conditions = restrictions
            .into_iter()
            .filter_map(|(name, value)| Some(equals(name, value?)))
            .collect();
        let limit = limits::listed(Some(limit));
        let found = self.search::<KeptLesson>(&query::<KeptLesson>(
            conditions,
            newest("updated-at"),
            limit,
        ))?;
        let lessons = found
            .into_iter()
            .map(|(read, _)| read.noun.lesson)
            .collect();
        self.patterns_of(lessons)
    }

    fn find_applicable(&self, task: &TaskFeatures) -> Result<Vec<ApplicablePattern>, Error> {
        check_features(task)?;
        let limit = task.limit.unwrap_or(APPLICABLE).min(MOST_APPLICABLE) as usize;
        let ranked = self.applicable(task, limit)?;
        let keys: Vec<_> = ranked
            .iter()
            .map(|ranked| Kind::Lesson.key(&ranked.head.id))
            .collect();
        let mut lessons = Vec::with_capacity(keys.len());
        if !keys.is_empty() {
            for stored in self.read(&keys)? {
                lessons.push(Read::<KeptLesson>::parse(&stored)?.noun.lesson);
            }
        }
        let patterns = self.patterns_of(lessons)?;
        let mut patterns: BTreeMap<_, _> = patterns
            .into_iter()
            .map(|pattern| (pattern.lesson.id.clone(), pattern))
            .collect();
        Ok(ranked
            .into_iter()
            .filter_map(|ranked| {
                Some(ApplicablePattern {
                    pattern: patterns.remove(&ranked.head.id)?,
                    score: ranked.score,
                    parts: ranked.parts,
                })
            })
            .collect())
    }

    fn update(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error> {
        self.updated(pattern, update)
    }

    fn history(&self, pattern: &str) -> Result<Vec<PatternVersion>, Error> {
        self.versions(pattern)
    }

    fn record_application(
        &self,
        pattern: &str,
        episode: &str,
        outcome: Outcome,
    ) -> Result<Pattern, Error> {
        self.apply(pattern, episode, outcome)
    }

    fn gate(&self) -> Result<ValidationGate, Error> {
        self.kept_gate()
    }

    fn set_gate(&self, gate: &ValidationGate) -> Result<ValidationGate, Error> {
        self.keep_gate(gate)
    }

    fn validate(&self, pattern: &str) -> Result<Validation, Error> {
        self.validated(pattern, false)
    }

    fn validate_all(
        &self,
        after: &str,
        limit: u32,
        dry_run: bool,
    ) -> Result<Vec<Validation>, Error> {
        self.validated_after(after, limit, dry_run)
    }

    fn refine(&self, pattern: &str, update: &PatternUpdate) -> Result<Pattern, Error> {
        self.refined(pattern, update)
    }

    fn deprecate(
        &self,
        pattern: &str,
        reason: &str,
        superseded_by: &str,
    ) -> Result<Pattern, Error> {
        self.deprecated(pattern, reason, superseded_by)
    }

    fn similar(&self, pattern: &str, least: f64) -> Result<Vec<SimilarPattern>, Error> {
        check_share("least", least)?;
        self.alike_patterns(pattern, least)
    }

    fn merge(&self, patterns: &[String], reason: &str) -> Result<Pattern, Error> {
        self.merged(patterns, reason)
    }

    fn prune(&self, dry_run: bool) -> Result<Vec<Validation>, Error> {
        self.cleared(dry_run)
    }
}

fn check_features(task: &TaskFeatures) -> Result<(), Error> {
    for (member, count) in [
        ("features", task.features.len()),
        ("capabilities", task.capabilities.len()),
    ] {
        if count > FEATURES {
            return Err(too_many(member, count, FEATURES));
        }
    }
    if task.task.len() > limits::TASK_BYTES {
        return Err(invalid(&format!(
            "task has {} bytes, at most {} are taken; shorten it",
            task.task.len(),
            limits::TASK_BYTES
        )));
    }
    check_share("complexity", task.complexity.unwrap_or(0.0))
}

impl Engine<'_> {
    /// Refuses a pattern whose id stands for something else.
    fn check_known(&self, lesson: &Lesson, chosen: bool) -> Result<(), Error> {
        let Some(known) = self.entries(std::slice::from_ref(&lesson.id))?.pop() else {
            return Ok(());
        };
        let said = advice::normalised(&known.kept.lesson.rule_text);
        // An id that was made stands for the words, whatever they became since.
        if chosen && said != advice::normalised(&lesson.rule_text) {
            return Err(Error::Conflict(format!(
                "id `{}` is taken by another pattern; patterns.update changes it",
                lesson.id
            )));
        }
        match known.head {
            Some(head) if head.kind != lesson.kind => Err(Error::Conflict(format!(
                "kind is {}, but `{}` says the same, which is a {}; say what is different",
                lesson.kind.as_str(),
                lesson.id,
                head.kind.as_str()
            ))),
            _ => Ok(()),
        }
    }

    /// A lesson as a pattern about to be changed: with the head and the body that it has, or would have.
    pub(crate) fn pattern_entry(&self, pattern: &str) -> Result<Entry, Error> {
        let mut entry = self.entry(pattern)?;
        let lesson = &entry.kept.lesson;
        let body = match entry.head {
            Some(_) => self.load::<Body>(pattern)?.map(|read| read.noun),
            None => None,
        };
        entry.body = Some(body.unwrap_or_else(|| Body::of(lesson)));
        if entry.head.is_none() {
            entry.head = Some(Head::of(lesson));
        }
        Ok(entry)
    }

    /// Lessons as the patterns that they are, in their order.
    pub(crate) fn patterns_of(&self, lessons: Vec<Lesson>) -> Result<Vec<Pattern>, Error> {
        if lessons.is_empty() {
            return Ok(Vec::new());
        }
        let keys = |kind: Kind| {
            let ids = lessons.iter().map(|lesson| kind.key(&lesson.id));
            ids.collect::<Vec<_>>()
        };
        let mut heads = BTreeMap::new();
        for stored in self.read(&keys(Kind::Pattern))? {
            heads.insert(stored.key.id.clone(), Read::<Head>::parse(&stored)?.noun);
        }
        let mut bodies = BTreeMap::new();
        if !heads.is_empty() {
            for stored in self.read(&keys(Kind::PatternBody))? {
                bodies.insert(stored.key.id.clone(), Read::<Body>::parse(&stored)?.noun);
            }
        }
        let ids = lessons.iter().map(|lesson| lesson.id.as_str());
        let links = self.links_of_all(ids)?;
        Ok(lessons
            .into_iter()
            .map(|lesson| {
                let head = heads.remove(&lesson.id);
                let head = head.unwrap_or_else(|| Head::of(&lesson));
                let body = bodies.remove(&lesson.id);
                let body = body.unwrap_or_else(|| Body::of(&lesson));
                joined(&lesson, &head, &body, &links)
            })
            .collect())
    }
}

/// A pattern as the contract has it.
fn assembled(entry: &Entry, links: &[Link]) -> Pattern {
    let head = entry.head.as_ref().expect("a pattern's entry has a head");
    let body = entry.body.as_ref().expect("a pattern's entry has a body");
    let mut lesson = entry.kept.clone();
    lesson.summarise(&entry.evidence);
    let mut head = head.clone();
    head.follow(&lesson.lesson);
    joined(&lesson.lesson, &head, body, links)
}

fn joined(lesson: &Lesson, head: &Head, body: &Body, all: &[Link]) -> Pattern {
    let related = |relation: Relation| -> Vec<String> {
        let own = all
            .iter()
            .filter_map(|link| links::seen_from(link, &lesson.id));
        let mut related: Vec<_> = own
            .filter(|link| link.relation == relation)
            .map(|link| link.target)
            .collect();
        related.sort();
        related
    };
    let (body, head) = (body.clone(), head.clone());
    Pattern {
        name: head.name,
        version: head.version,
        summary: body.summary,
        explanation: body.explanation,
        correct_approach: body.correct_approach,
        incorrect_approach: body.incorrect_approach,
        applicability: head.applicability,
        content: body.content,
        guidance: body.guidance,
        evidence: body.evidence,
        usage_count: head.usage,
        last_used: head.last_used,
        superseded_by: related(Relation::SupersededBy).pop(),
        deprecation_reason: (lesson.status == LessonStatus::Deprecated)
            .then(|| lesson.status_reason.clone()),
        specializes: related(Relation::Specializes).pop(),
        generalizes: related(Relation::Generalizes),
        contradicts: related(Relation::Contradicts),
        complements: related(Relation::Complements),
        lesson: lesson.clone(),
    }
}
