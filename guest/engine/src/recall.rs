//! Recall: what is known that may help now, and why.
//!
//! Owns the score of a lesson and the order of hints. It changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::{
    host::Order,
    memory::{
        Error, FailureContext, Fingerprint, Hint, Lane, Lesson, LessonStatus, Recall, Scope,
        ScoreParts, TaskContext,
    },
};

use crate::{
    documents::{Read, any_of, equals, newest, query},
    events::{Known, identify},
    lessons::KeptLesson,
    ports::Engine,
    text,
};

/// Hints if the caller does not say.
const HINTS: u32 = 3;

/// Hints at most.
const MOST_HINTS: u32 = 32;

/// How many lessons each way of looking may bring into the ranking.
const POOL: u32 = 64;

/// Words that a lesson must share with a failure it does not name: below, a likeness of tags is chance.
const LEAST_LIKENESS: f64 = 0.3;

/// The age at which a lesson's recency has fallen to 1/e: 90 days.
const RECENCY_MS: f64 = 90.0 * 24.0 * 60.0 * 60.0 * 1_000.0;

impl Recall for Engine<'_> {
    fn on_error(&self, failure: &FailureContext) -> Result<Vec<Hint>, Error> {
        self.hints(failure)
    }

    fn for_task(&self, _: &TaskContext) -> Result<Vec<Hint>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }
}

/// A failure as it is compared with lessons.
struct Failure<'f> {
    context: &'f FailureContext,
    fingerprint: Fingerprint,
    terms: BTreeSet<String>,
    now: u64,
}

impl Engine<'_> {
    /// Lessons for a failure: those that answer its very fingerprint first, then by score.
    pub(crate) fn hints(&self, context: &FailureContext) -> Result<Vec<Hint>, Error> {
        let limit = context.limit.unwrap_or(HINTS).min(MOST_HINTS) as usize;
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
        let terms = text::term_set(&fingerprint.template);
        let failure = Failure {
            context,
            fingerprint,
            terms,
            now: self.now(),
        };
        let mut hints = self.scored(&failure, self.exact(&failure)?, false);
        if hints.len() < limit {
            let known: BTreeSet<_> = hints.iter().map(|hint| hint.lesson.id.clone()).collect();
            let pool = self.alike(&failure)?;
            let more = self.scored(&failure, pool, true);
            hints.extend(
                more.into_iter()
                    .filter(|hint| !known.contains(&hint.lesson.id)),
            );
        }
        hints.truncate(limit);
        Ok(hints)
    }

    /// Lessons that answer the very fingerprint.
    fn exact(&self, failure: &Failure) -> Result<Vec<(KeptLesson, f64)>, Error> {
        let conditions = vec![equals("fingerprint", &failure.fingerprint.id), recalled()];
        let found = self.search(&query::<KeptLesson>(conditions, newest("updated-at"), POOL))?;
        Ok(found
            .into_iter()
            .map(|(read, _)| (read.noun, 0.0))
            .collect())
    }

    /// Lessons that are like the failure in words, in kind or in meaning, each with its cosine if known.
    fn alike(&self, failure: &Failure) -> Result<Vec<(KeptLesson, f64)>, Error> {
        let mut pool: BTreeMap<String, (KeptLesson, f64)> = BTreeMap::new();
        let mut add = |found: Vec<(Read<KeptLesson>, f64)>, is_cosine: bool| {
            for (read, score) in found {
                let cosine = if is_cosine { score } else { 0.0 };
                let place = pool
                    .entry(read.noun.lesson.id.clone())
                    .or_insert((read.noun, cosine));
                place.1 = place.1.max(cosine);
            }
        };
        let words: Vec<_> = failure.terms.iter().map(String::as_str).collect();
        if !words.is_empty() {
            let order = Order::ByText(words.join(" "));
            add(
                self.search(&query::<KeptLesson>(vec![recalled()], order, POOL))?,
                false,
            );
        }
        let tags = failure.fingerprint.tags.iter().map(String::as_str);
        let conditions = vec![any_of("tag", tags), recalled()];
        add(
            self.search(&query::<KeptLesson>(conditions, newest("updated-at"), POOL))?,
            false,
        );
        let vector = self.vector_of(&failure.fingerprint.template);
        if !vector.is_empty() {
            let order = Order::ByNearest(vector);
            match self.search(&query::<KeptLesson>(vec![recalled()], order, POOL)) {
                Ok(found) => add(found, true),
                Err(error) => self.warn(&format!("vectors left out: {}", error.message())),
            }
        }
        Ok(pool.into_values().collect())
    }

    /// Scores lessons that reach the failure, best first.
    fn scored(&self, failure: &Failure, pool: Vec<(KeptLesson, f64)>, anchored: bool) -> Vec<Hint> {
        let mut hints: Vec<_> = pool
            .into_iter()
            .filter(|(kept, _)| reaches(&kept.lesson, failure.context))
            .map(|(kept, cosine)| failure.hint(kept, cosine))
            .filter(|hint| !anchored || hint.parts.text_similarity >= LEAST_LIKENESS)
            .collect();
        hints.sort_by(|left, right| {
            right
                .parts
                .fingerprint_match
                .total_cmp(&left.parts.fingerprint_match)
                .then(right.score.total_cmp(&left.score))
                .then(right.lesson.updated_at.cmp(&left.lesson.updated_at))
                .then(left.lesson.id.cmp(&right.lesson.id))
        });
        hints
    }
}

impl Failure<'_> {
    fn hint(&self, kept: KeptLesson, cosine: f64) -> Hint {
        let lesson = kept.lesson;
        let shared = lesson
            .tags
            .iter()
            .filter(|tag| self.fingerprint.tags.contains(tag))
            .count();
        let all = lesson.tags.len() + self.fingerprint.tags.len() - shared;
        let in_words = std::iter::once(&lesson.rule_text)
            .chain(&kept.trigger_templates)
            .map(|words| text::likeness(&self.terms, &text::term_set(words)))
            .fold(0.0, f64::max);
        let age = self.now.saturating_sub(lesson.updated_at) as f64;
        let parts = ScoreParts {
            fingerprint_match: f64::from(u8::from(
                lesson.trigger_fingerprints.contains(&self.fingerprint.id),
            )),
            tag_overlap: if all == 0 {
                0.0
            } else {
                shared as f64 / all as f64
            },
            text_similarity: in_words.max(cosine).clamp(0.0, 1.0),
            reliability: lesson.reliability,
            recency: (-age / RECENCY_MS).exp(),
        };
        Hint {
            score: score(&parts),
            parts,
            lane: Lane::Strict,
            lesson,
        }
    }
}

/// The score that the learning memory prescribes.
fn score(parts: &ScoreParts) -> f64 {
    0.40 * parts.fingerprint_match
        + 0.25 * parts.tag_overlap
        + 0.20 * parts.text_similarity
        + 0.10 * parts.reliability
        + 0.05 * parts.recency
}

/// Only these are shown.
fn recalled() -> twiceshy_wit::host::Condition {
    any_of(
        "status",
        [
            LessonStatus::Candidate.as_str(),
            LessonStatus::Promoted.as_str(),
        ],
    )
}

/// Whether a lesson is meant for such a step at all.
fn reaches(lesson: &Lesson, context: &FailureContext) -> bool {
    match lesson.scope {
        Scope::Global => true,
        Scope::Domain => lesson.domain == context.domain,
        Scope::Task => {
            let same_domain = lesson.domain.is_empty() || lesson.domain == context.domain;
            same_domain && lesson.task.trim() == context.task.trim()
        }
    }
}
