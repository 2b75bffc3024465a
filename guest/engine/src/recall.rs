//! Recall: what is known that may help now, and why.
//!
//! Owns which lessons are looked at, their order, and the guards on how many are given. It changes
//! nothing: what is really shown in a run is entered there.

mod neighbours;
pub(crate) mod pool;
mod score;

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{
    host::Order,
    memory::{
        ContextRequest, Error, FailureContext, Fingerprint, Hint, Lane, Lesson, LessonKind, Recall,
        Scope, ScoreParts, TaskBundle, TaskContext, Trust,
    },
};

use crate::{
    advice,
    documents::{Kind, Read, any_of, newest, query},
    events::{Known, identify},
    insertion,
    lessons::{KeptLesson, recalled},
    limits,
    ports::Engine,
    text,
};
use score::Sought;

/// Lessons after a failure if the caller does not say.
const HINTS: u32 = 3;

/// Lessons before a task if the caller does not say.
const BRIEFED: u32 = 8;

/// Lessons at most.
const MOST_HINTS: u32 = 32;

/// How many lessons each way of looking may bring into the ranking.
const POOL: u32 = 32;

/// The same for each lesson that is asked for: who asks for few does not wait for many.
const POOL_FOR_EACH: u32 = 4;

/// Words that a lesson must share with what it does not name: below, a likeness of tags is chance.
const LEAST_LIKENESS: f64 = 0.3;

/// What a lesson must have in common with what it does not name, in kind and words together.
const LEAST_OWN: f64 = 0.10;

/// Of lessons that answer the same failure, those whose wrong action is less than half as like the one that
/// failed are about another action.
const FITTING: f64 = 0.5;

/// How like the action that failed must be to what a lesson calls wrong, if the lesson does not name the failure.
const LEAST_FIT: f64 = 0.2;

/// A best score below this is weak: what is meant for other domains is looked at, too.
const WEAK: f64 = 0.45;

/// What a lesson for another domain must have in common at least, in failure, kind or words.
const CROSS_DOMAIN_ANCHOR: f64 = 0.25;

/// What a lesson for another domain must score at least, before it is weighed down.
const CROSS_DOMAIN_SCORE: f64 = 0.20;

impl Recall for Engine<'_> {
    fn on_error(&self, failure: &FailureContext) -> Result<Vec<Hint>, Error> {
        self.hints(failure)
    }

    fn context(&self, request: &ContextRequest) -> Result<TaskBundle, Error> {
        self.context_for(request)
    }

    fn for_task(&self, task: &TaskContext) -> Result<Vec<Hint>, Error> {
        if task.recent_fingerprints.len() > limits::TRIGGERS {
            return Err(Error::InvalidArgument(format!(
                "recent-fingerprints has {} entries, at most {} are taken; give the newest",
                task.recent_fingerprints.len(),
                limits::TRIGGERS
            )));
        }
        self.hints_before(task)
    }
}

impl Engine<'_> {
    /// Lessons for a failure: those that answer its very fingerprint; only if there are none, those that are
    /// like it.
    pub(crate) fn hints(&self, context: &FailureContext) -> Result<Vec<Hint>, Error> {
        let fingerprint = match &context.fingerprint {
            None => identify(&context.evidence),
            Some(id) => match self.load::<Known>(id)? {
                Some(known) => known.noun.fingerprint,
                None => Fingerprint {
                    id: id.clone(),
                    ..identify(&context.evidence)
                },
            },
        };
        let sought = Sought {
            words: text::telling(&fingerprint.template),
            action: text::term_set(context.action_text.as_deref().unwrap_or_default()),
            before: false,
            task: context.task.clone(),
            domain: context.domain.clone(),
            now: self.now(),
            failures: vec![fingerprint],
        };
        let limit = context.limit.unwrap_or(HINTS).min(MOST_HINTS) as usize;
        let mut pool = self.exact(&sought)?;
        let answered = pool.iter().any(|found| {
            let lesson = &found.kept.lesson;
            sought.is_reached_by(lesson) && !is_no_news(lesson)
        });
        if !answered {
            pool = merged(pool, self.alike(&sought, limit)?);
        }
        self.guarded(&sought, ranked(&sought, pool), limit, context.tokens)
    }

    /// Lessons for a task and for the failures that it may bring.
    pub(crate) fn hints_before(&self, context: &TaskContext) -> Result<Vec<Hint>, Error> {
        let keys: Vec<_> = context
            .recent_fingerprints
            .iter()
            .filter(|id| !id.is_empty() && id.len() <= limits::ID_BYTES && !id.contains('\0'))
            .map(|id| Kind::Fingerprint.key(id))
            .collect();
        let mut failures = Vec::with_capacity(keys.len());
        if !keys.is_empty() {
            for stored in self.read(&keys)? {
                failures.push(Read::<Known>::parse(&stored)?.noun.fingerprint);
            }
        }
        let sought = Sought {
            failures,
            words: text::telling(&context.task),
            action: BTreeSet::new(),
            before: true,
            task: context.task.clone(),
            domain: context.domain.clone(),
            now: self.now(),
        };
        let limit = context.limit.unwrap_or(BRIEFED).min(MOST_HINTS) as usize;
        let pool = merged(self.exact(&sought)?, self.alike(&sought, limit)?);
        self.guarded(&sought, ranked(&sought, pool), limit, context.tokens)
    }

    /// Lessons that answer the very failures.
    fn exact(&self, sought: &Sought) -> Result<Vec<Found>, Error> {
        if sought.failures.is_empty() {
            return Ok(Vec::new());
        }
        let ids = sought.failures.iter().map(|failure| failure.id.as_str());
        let conditions = vec![any_of("fingerprint", ids), recalled()];
        let pool = POOL.max(2 * sought.failures.len() as u32);
        let found = self.search(&query::<KeptLesson>(conditions, newest("updated-at"), pool))?;
        Ok(found
            .into_iter()
            .map(|(read, _)| Found::new(read.noun, 0.0))
            .collect())
    }

    /// Lessons that are like what is sought in words or in meaning.
    fn alike(&self, sought: &Sought, limit: usize) -> Result<Vec<Found>, Error> {
        let pool_size = POOL.min(POOL_FOR_EACH * limit as u32);
        let mut pool: BTreeMap<String, Found> = BTreeMap::new();
        let mut add = |read: Read<KeptLesson>, cosine: f64| {
            let place = pool
                .entry(read.noun.lesson.id.clone())
                .or_insert_with(|| Found::new(read.noun, cosine));
            place.cosine = place.cosine.max(cosine);
        };
        let words: Vec<_> = sought.words.iter().map(String::as_str).collect();
        if !words.is_empty() {
            let order = Order::ByText(words.join(" "));
            for (read, _) in
                self.search(&query::<KeptLesson>(vec![recalled()], order, pool_size))?
            {
                add(read, 0.0);
            }
        }
        let meant = match sought.failures.first() {
            Some(failure) if !sought.before => &failure.template,
            _ => &sought.task,
        };
        let vector = self.vector_of(meant);
        if !vector.is_empty() {
            let order = Order::ByNearest(vector);
            match self.search(&query::<KeptLesson>(vec![recalled()], order, pool_size)) {
                Ok(found) => found
                    .into_iter()
                    .for_each(|(read, cosine)| add(read, cosine)),
                Err(error) => self.warn(&format!("vectors left out: {}", error.message())),
            }
        }
        Ok(pool.into_values().collect())
    }

    /// The best of some hints: none beside one that contradicts it and is more reliable, not too many from one
    /// run or about one kind of failure, and no more than fit.
    fn guarded(
        &self,
        sought: &Sought,
        hints: Vec<Hint>,
        limit: usize,
        tokens: Option<u32>,
    ) -> Result<Vec<Hint>, Error> {
        let looked: BTreeSet<_> = hints.iter().map(|hint| hint.lesson.id.clone()).collect();
        let links = self.guiding_links(looked.iter().map(String::as_str))?;
        let hints = each_way_first(neighbours::unopposed(hints, &links));
        // One bad run, or one kind of failure, never fills the whole answer.
        let most_alike = (limit * 3).div_ceil(4).max(2);
        let mut room = tokens.unwrap_or(u32::MAX);
        let (mut runs, mut tags) = (BTreeMap::new(), BTreeMap::new());
        let mut given = Vec::new();
        for hint in hints {
            if given.len() >= limit {
                break;
            }
            let run = hint.lesson.origins.first().map(|origin| &origin.run);
            let run = run.filter(|run| !run.is_empty()).cloned();
            let tag = hint.lesson.tags.first().cloned();
            let full = |counts: &BTreeMap<String, usize>, name: &Option<String>| {
                let count = name.as_ref().and_then(|name| counts.get(name));
                count.is_some_and(|count| *count >= most_alike)
            };
            // What the same task taught is what it needs, however much of it came from one run.
            let crowded =
                !sought.is_same_task(&hint.lesson) && (full(&runs, &run) || full(&tags, &tag));
            let size = insertion::tokens(&hint.lesson.rule_text);
            if crowded || size > room {
                continue;
            }
            room -= size;
            run.into_iter()
                .for_each(|run| *runs.entry(run).or_default() += 1);
            tag.into_iter()
                .for_each(|tag| *tags.entry(tag).or_default() += 1);
            given.push(hint);
        }
        if given.len() < limit {
            let room = neighbours::Room {
                places: limit - given.len(),
                tokens: room,
            };
            self.add_neighbours(sought, &mut given, &looked, &links, room)?;
        }
        Ok(given)
    }

    /// Lessons none of which contradicts or supersedes another.
    fn without_contradictions(&self, hints: Vec<Hint>) -> Result<Vec<Hint>, Error> {
        let ids = hints.iter().map(|hint| hint.lesson.id.as_str());
        let links = self.guiding_links(ids)?;
        Ok(neighbours::unopposed(hints, &links))
    }
}

/// A lesson that was looked at.
struct Found {
    kept: KeptLesson,
    cosine: f64,
}

impl Found {
    fn new(kept: KeptLesson, cosine: f64) -> Self {
        Self { kept, cosine }
    }
}

/// Brings forward the best hint for each right way; others that lead the same way follow after all.
fn each_way_first(hints: Vec<Hint>) -> Vec<Hint> {
    let mut ways = BTreeSet::new();
    let (mut first, again): (Vec<_>, Vec<_>) = hints.into_iter().partition(|hint| {
        let way = advice::parse(&hint.lesson.rule_text).correct;
        way.is_none_or(|way| ways.insert(way))
    });
    first.extend(again);
    first
}

/// Two lots of lessons as one, each lesson once.
fn merged(mut pool: Vec<Found>, more: Vec<Found>) -> Vec<Found> {
    for found in more {
        let known = |one: &&mut Found| one.kept.lesson.id == found.kept.lesson.id;
        match pool.iter_mut().find(known) {
            Some(one) => one.cosine = one.cosine.max(found.cosine),
            None => pool.push(found),
        }
    }
    pool
}

/// Scores lessons and orders them, best first. A lesson for another domain is the last way out: one at most,
/// and only if nothing that is meant for this domain fits well.
fn ranked(sought: &Sought, pool: Vec<Found>) -> Vec<Hint> {
    let hints = pool
        .into_iter()
        .map(|found| sought.hint(found.kept, found.cosine));
    let (mut strict, mut others): (Vec<_>, Vec<_>) =
        hints.partition(|hint| hint.lane == Lane::Strict);
    // A mere warning fits its own action best of all, and says nothing of what to do instead.
    let fit = |hint: &Hint| {
        let names_a_way = advice::parse(&hint.lesson.rule_text).correct.is_some();
        sought.fit(&hint.lesson).filter(|_| names_a_way)
    };
    if !sought.before {
        strict.retain(|hint| !is_no_news(&hint.lesson));
    }
    let best_fit = strict.iter().filter_map(fit).fold(0.0, f64::max);
    strict.retain(|hint| {
        let parts = &hint.parts;
        if parts.fingerprint_match >= 1.0 {
            // The same error text may answer quite different actions.
            return fit(hint).is_none_or(|fit| fit >= FITTING * best_fit);
        }
        parts.text_similarity >= LEAST_LIKENESS
            && own(parts) >= LEAST_OWN
            && fit(hint).is_none_or(|fit| fit >= LEAST_FIT)
    });
    strict.sort_by(better);
    let weak = strict.first().is_none_or(|best| best.score < WEAK);
    if weak {
        others.retain(transfers);
        others.sort_by(better);
        strict.extend(others.into_iter().next());
    }
    strict
}

/// Whether a lesson is a warning that was found in earlier runs: after the failure it says what has just been
/// seen. It is of use before.
fn is_no_news(lesson: &Lesson) -> bool {
    lesson.kind == LessonKind::AntiPattern && lesson.trust == Trust::Observed
}

/// Whether a lesson for another domain has enough in common with what is sought.
fn transfers(hint: &Hint) -> bool {
    let parts = &hint.parts;
    let anchor = parts
        .fingerprint_match
        .max(parts.tag_overlap)
        .max(parts.text_similarity);
    hint.lesson.scope == Scope::Domain
        && anchor >= CROSS_DOMAIN_ANCHOR
        && own(parts) >= CROSS_DOMAIN_SCORE
}

/// What a lesson has in common with what is sought, apart from what it is worth by itself.
fn own(parts: &ScoreParts) -> f64 {
    0.40 * parts.fingerprint_match + 0.25 * parts.tag_overlap + 0.20 * parts.text_similarity
}

fn better(left: &Hint, right: &Hint) -> std::cmp::Ordering {
    right
        .parts
        .fingerprint_match
        .total_cmp(&left.parts.fingerprint_match)
        .then(right.score.total_cmp(&left.score))
        .then(right.lesson.updated_at.cmp(&left.lesson.updated_at))
        .then(left.lesson.id.cmp(&right.lesson.id))
}
