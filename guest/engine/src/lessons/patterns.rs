//! Patterns: lessons with conditions of use, content and statistics.
//!
//! Owns what a pattern has besides its lesson, and which function does what. A pattern is never shown,
//! promoted or suppressed apart from its lesson: one document holds the status, and the lesson's entry brings the
//! pattern's index up to date in the same commit. How it is [kept](document), [checked](proposal),
//! [found](rank), [counted](evidence), [validated](validate), [changed](revision), [merged](merge) and
//! [cleared away](clearing) is the business of the modules below.

mod applicability;
mod binomial;
pub(crate) mod clearing;
mod document;
pub(crate) mod evidence;
pub(crate) mod merge;
pub(crate) mod proposal;
pub(crate) mod rank;
pub(crate) mod revision;
pub(crate) mod similar;
pub(crate) mod validate;

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{host::Order, memory::*};

use crate::{
    advice,
    episodes::Head as RunHead,
    lessons::{Entry, KeptLesson, links},
    limits, refusal,
    store::{Desk, Reader, equals, newest, query},
};
pub(crate) use document::{Application, Body, Head, rename};
use proposal::check_share;

/// Entries of a list within a pattern, as the contract has it.
const LISTED: usize = 32;

/// Patterns for a task if the caller does not say.
const APPLICABLE: u32 = 5;

/// Patterns for a task at most.
const MOST_APPLICABLE: u32 = 100;

/// Features of a task, as the contract has it.
const FEATURES: usize = 64;

pub(crate) fn add(desk: &mut Desk, pattern: &NewPattern) -> Result<Pattern, Error> {
    let mut proposals = vec![proposal::pattern_proposal(desk, pattern)?];
    let now = desk.now();
    let lessons = super::entry::with_vectors(desk, &mut proposals, |desk, proposals| {
        desk.commit(|batch| {
            check_known(batch, &proposals[0].kept.lesson, pattern.id.is_some())?;
            super::entry::enter(batch, proposals, &mut Vec::new(), now)
        })
    })?;
    get(desk, &lessons[0].id)
}

pub(crate) fn get(reader: &Reader, pattern: &str) -> Result<Pattern, Error> {
    let entry = pattern_entry(reader, pattern)?;
    Ok(assembled(&entry, &super::links::links_of(reader, pattern)?))
}

pub(crate) fn find(
    reader: &Reader,
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
    let found = reader.search::<KeptLesson>(&query::<KeptLesson>(
        conditions,
        newest("updated-at"),
        limit,
    ))?;
    let lessons = found
        .into_iter()
        .map(|(read, _)| read.noun.lesson)
        .collect();
    patterns_of(reader, lessons)
}

pub(crate) fn find_applicable(
    reader: &Reader,
    task: &TaskFeatures,
) -> Result<Vec<ApplicablePattern>, Error> {
    check_features(task)?;
    applicable(reader, task)
}

/// The same for a task of which a run says more than a caller may.
pub(crate) fn applicable(
    reader: &Reader,
    task: &TaskFeatures,
) -> Result<Vec<ApplicablePattern>, Error> {
    let limit = task.limit.unwrap_or(APPLICABLE).min(MOST_APPLICABLE) as usize;
    let ranked = rank::applicable(reader, task, limit)?;
    let ids = ranked.iter().map(|ranked| &ranked.head.id);
    let lessons = reader.load_all::<KeptLesson>(ids)?.into_iter();
    let patterns = patterns_of(reader, lessons.map(|read| read.noun.lesson).collect())?;
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

/// Those of some lessons that are not to be shown for a task: patterns whose conditions do not hold.
pub(crate) fn hidden(
    reader: &Reader,
    lessons: impl Iterator<Item = impl AsRef<str>>,
    task: &TaskFeatures,
) -> Result<BTreeSet<String>, Error> {
    let heads = reader.load_by_id::<Head>(lessons)?.into_iter();
    let hidden =
        heads.filter(|(_, read)| !applicability::may_apply(&read.noun.applicability, task));
    Ok(hidden.map(|(id, _)| id).collect())
}

/// A task of which its words, its domain and what is said of its run are known.
pub(crate) fn features_in(task: &str, domain: &str, head: &RunHead) -> TaskFeatures {
    TaskFeatures {
        task_type: head.task_type.clone(),
        features: head.features(),
        ..features(task, domain)
    }
}

/// A task of which only its words and its domain are known.
pub(crate) fn features(task: &str, domain: &str) -> TaskFeatures {
    TaskFeatures {
        task: task.to_owned(),
        task_type: String::new(),
        domain: domain.to_owned(),
        complexity: None,
        capabilities: Vec::new(),
        features: Vec::new(),
        category: None,
        limit: None,
    }
}

/// All patterns of a kind, of one status or of any, by id.
pub(crate) fn all(
    reader: &Reader,
    kind: LessonKind,
    status: Option<LessonStatus>,
) -> Result<Vec<Pattern>, Error> {
    let mut conditions = vec![equals("kind", kind.as_str())];
    conditions.extend(status.map(|status| equals("status", status.as_str())));
    let mut page = query::<KeptLesson>(conditions, Order::ById, PAGE);
    let mut patterns = Vec::new();
    loop {
        let found = reader.search::<KeptLesson>(&page)?;
        let some = found.len() as u32;
        let lessons = found.into_iter().map(|(read, _)| read.noun.lesson);
        patterns.extend(patterns_of(reader, lessons.collect())?);
        if some < PAGE {
            return Ok(patterns);
        }
        page.offset += PAGE;
    }
}

/// Lessons that are read in one go.
const PAGE: u32 = 500;

pub(crate) fn similar(
    desk: &mut Desk,
    pattern: &str,
    least: f64,
) -> Result<Vec<SimilarPattern>, Error> {
    check_share("least", least)?;
    similar::similar_patterns(desk, pattern, least)
}

fn check_features(task: &TaskFeatures) -> Result<(), Error> {
    for (member, count) in [
        ("features", task.features.len()),
        ("capabilities", task.capabilities.len()),
    ] {
        refusal::entries(member, count, FEATURES)?;
    }
    refusal::bytes("task", task.task.len(), limits::TASK_BYTES)?;
    check_share("complexity", task.complexity.unwrap_or(0.0))
}

/// Refuses a pattern whose id stands for something else.
fn check_known(reader: &Reader, lesson: &Lesson, chosen: bool) -> Result<(), Error> {
    let Some(known) = super::entry::entries(reader, std::slice::from_ref(&lesson.id))?.pop() else {
        return Ok(());
    };
    let said = advice::normalised(&known.kept.lesson.rule_text);
    // An id that was made stands for the words, whatever they became since.
    if chosen && said != advice::normalised(&lesson.rule_text) {
        return Err(Error::Conflict(format!(
            "The id `{}` belongs to another pattern. `patterns.update` changes that one.",
            lesson.id
        )));
    }
    match known.head {
        Some(head) if head.kind != lesson.kind => Err(Error::Conflict(format!(
            "The kind is {}, but pattern `{}` has the same content and is a {}. Say what is different.",
            lesson.kind.as_str(),
            lesson.id,
            head.kind.as_str()
        ))),
        _ => Ok(()),
    }
}

/// A lesson as a pattern about to be changed: with the head and the body that it has, or would have.
pub(crate) fn pattern_entry(reader: &Reader, pattern: &str) -> Result<Entry, Error> {
    let mut entry = super::entry::entry(reader, pattern)?;
    read_words(reader, &mut entry)?;
    Ok(entry)
}

/// Gives the entry of a lesson the head and the body that it has, or would have.
pub(crate) fn read_words(reader: &Reader, entry: &mut Entry) -> Result<(), Error> {
    let lesson = &entry.kept.lesson;
    let body = match entry.head {
        Some(_) => reader.load::<Body>(&lesson.id)?.map(|read| read.noun),
        None => None,
    };
    entry.body = Some(body.unwrap_or_else(|| Body::of(lesson)));
    if entry.head.is_none() {
        entry.head = Some(Head::of(lesson));
    }
    Ok(())
}

/// Lessons as the patterns that they are, in their order.
pub(crate) fn patterns_of(reader: &Reader, lessons: Vec<Lesson>) -> Result<Vec<Pattern>, Error> {
    if lessons.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = lessons.iter().map(|lesson| lesson.id.clone()).collect();
    let mut heads = reader.load_by_id::<Head>(&ids)?;
    let mut bodies = reader.load_by_id::<Body>(heads.keys())?;
    let links = super::links::links_of_all(reader, ids.iter().map(String::as_str))?;
    Ok(lessons
        .into_iter()
        .map(|lesson| {
            let head = heads.remove(&lesson.id);
            let head = head.map_or_else(|| Head::of(&lesson), |read| read.noun);
            let body = bodies.remove(&lesson.id);
            let body = body.map_or_else(|| Body::of(&lesson), |read| read.noun);
            joined(&lesson, &head, &body, &links)
        })
        .collect())
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
