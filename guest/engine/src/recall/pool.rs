//! The pool: lessons of any kind that may help with a task, before they are ranked.
//!
//! Owns how lessons are searched when context for a task is collected: by kind, by the task's words and those of
//! its topics, by meaning, and by the failures that the task brought before. All of it are bounded reads. It applies
//! recall's own score and its rule for contradictions; how well each fits is the business of the context.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{
    host::{Condition, Order},
    memory::{Error, Hint, LessonKind, TaskContext, TaskFeatures},
};

use super::{Found, Sought, WIDE_POOL, first_reaching, transfers};
use crate::{
    episodes::tasks::{Task, task_id},
    events,
    lessons::{KeptLesson, recalled},
    similarity::{Ordered, Scale},
    store::{Desk, Reader, any_of, query},
    text,
};

/// How many lessons each way of looking brings: some for each that is shown, because the best by words need not fit best.
const FOR_EACH_SHOWN: u32 = 3;
const LEAST: u32 = 16;
const MOST: u32 = 32;

/// Failures of the same task for which lessons are sought.
const FAILURES: usize = 8;

/// A lesson that may be of use.
pub(crate) struct Pooled {
    /// With recall's own score.
    pub(crate) hint: Hint,
    /// The readable forms of the failures it answers, and what it states as a pattern.
    pub(crate) templates: Vec<String>,
    /// The store's score for the task's own words; none if it came another way.
    pub(crate) score: Option<f64>,
    /// Its cosine with the task, and what that says; none if it is far, or without vectors.
    pub(crate) near: Option<(f64, Scale)>,
}

/// What lessons are sought by.
pub(crate) struct Wanted<'w> {
    pub(crate) kinds: &'w [LessonKind],
    /// Words, separated by spaces; each text is a question of its own. The first are the task's own.
    pub(crate) words: &'w [&'w str],
}

/// Lessons that may be of use for a task of which `context.limit` are shown, each once; of two that contradict each other
/// the better one. Where none of the nearest may be shown, more of them are looked at.
pub(crate) fn pooled(
    desk: &Desk,
    context: &TaskContext,
    wanted: &[Wanted],
    features: &TaskFeatures,
) -> Result<Vec<Pooled>, Error> {
    let few = FOR_EACH_SHOWN.saturating_mul(context.limit.unwrap_or(0));
    let pooled = looked_at(desk, context, wanted, features, few.clamp(LEAST, MOST))?;
    match pooled.is_empty() {
        true => looked_at(desk, context, wanted, features, WIDE_POOL),
        false => Ok(pooled),
    }
}

/// The same, by so many lessons for each way of looking.
fn looked_at(
    desk: &Desk,
    context: &TaskContext,
    wanted: &[Wanted],
    features: &TaskFeatures,
    most: u32,
) -> Result<Vec<Pooled>, Error> {
    let mut sought = Sought {
        failures: failures_of(desk, context)?,
        words: BTreeSet::new(),
        incident: None,
        before: true,
        ordered: Some(Ordered::new(&context.task)),
        task: context.task.clone(),
        domain: context.domain.clone(),
        now: desk.now(),
    };
    let mut pool: BTreeMap<String, Found> = BTreeMap::new();
    let mut add = |found: Found| super::add(&mut pool, found);
    for found in super::exact(desk, &sought)? {
        add(found);
    }
    for wanted in wanted {
        let limits = [most, most / 2, most];
        for (at, (words, limit)) in wanted.words.iter().zip(limits).enumerate() {
            if words.is_empty() {
                continue;
            }
            let order = Order::ByText((*words).to_owned());
            let query = query::<KeptLesson>(conditions(wanted.kinds), order, limit);
            for (read, score) in first_reaching(desk, &sought, &query, &[])? {
                add(Found {
                    words: Some(score).filter(|_| at == 0),
                    ..Found::new(read.noun)
                });
            }
        }
    }
    let kinds: Vec<_> = wanted
        .iter()
        .flat_map(|wanted| wanted.kinds)
        .copied()
        .collect();
    for found in near(desk, &sought, conditions(&kinds), most) {
        add(found);
    }
    let mut besides = BTreeMap::new();
    let mut hints = Vec::with_capacity(pool.len());
    let words = text::telling(&context.task);
    for (id, found) in pool {
        let (failures, statements) = (&found.kept.trigger_templates, &found.kept.statements);
        let said: Vec<_> = failures.iter().chain(statements).cloned().collect();
        besides.insert(id, (said, found.words, found.near));
        // How similar its words are is asked only of a lesson for another domain.
        let is_reached = sought.is_reached_by(&found.kept.lesson);
        sought.words = match is_reached {
            true => BTreeSet::new(),
            false => words.clone(),
        };
        let hint = sought.hint(found.kept);
        if is_reached || transfers(&hint) {
            hints.push(hint);
        }
    }
    let hints = super::showable(desk, hints, features)?;
    let hints = super::without_contradictions(desk, hints)?;
    Ok(hints
        .into_iter()
        .map(|hint| {
            let (templates, score, near) = besides.remove(&hint.lesson.id).unwrap_or_default();
            Pooled {
                hint,
                templates,
                score,
                near,
            }
        })
        .collect())
}

/// What the very task failed in before.
fn failures_of(
    reader: &Reader,
    context: &TaskContext,
) -> Result<Vec<twiceshy_wit::memory::Fingerprint>, Error> {
    let task = match task_id(&context.domain, &context.task) {
        Some(id) => reader.load::<Task>(&id)?,
        None => None,
    };
    let mut failures = task
        .map(|read| read.noun.latest_failures())
        .unwrap_or_default();
    failures.truncate(FAILURES);
    let known = events::load_known(reader, failures.iter().map(String::as_str))?;
    Ok(failures
        .iter()
        .filter_map(|id| Some(known.get(id)?.noun.fingerprint.clone()))
        .collect())
}

/// The lessons nearest in meaning.
fn near(desk: &Desk, sought: &Sought, mut conditions: Vec<Condition>, most: u32) -> Vec<Found> {
    let meaning = desk.meaning_of(&sought.task);
    if meaning.is_empty() {
        return Vec::new();
    }
    conditions.push(meaning.is_comparable());
    let order = Order::ByNearest(meaning.vector.clone());
    let page = query::<KeptLesson>(conditions, order, most);
    match first_reaching(desk, sought, &page, &[]) {
        Ok(found) => found
            .into_iter()
            .map(|(read, cosine)| Found {
                near: Some((cosine, meaning.scale)),
                ..Found::new(read.noun)
            })
            .collect(),
        Err(error) => {
            desk.warn(&format!("searched by words only: {}", error.message()));
            Vec::new()
        }
    }
}

fn conditions(kinds: &[LessonKind]) -> Vec<Condition> {
    vec![
        recalled(),
        any_of("kind", kinds.iter().map(|kind| kind.as_str())),
    ]
}
