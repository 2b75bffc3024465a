//! The score of a lesson for what is sought.
//!
//! Owns the formula and its parts. Which lessons are looked at, and how many are shown, is the business
//! of recall.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Fingerprint, Hint, Lane, Lesson, Scope, ScoreParts};

use crate::{advice, lessons::KeptLesson, text};

/// The age at which a lesson's recency has fallen to 1/e: 90 days.
const RECENCY_MS: f64 = 90.0 * 24.0 * 60.0 * 60.0 * 1_000.0;

/// What a lesson for another domain counts, compared with one for this domain.
const CROSS_DOMAIN_WEIGHT: f64 = 0.35;

/// What lessons are sought for: one failure, or a task with the failures it may bring.
pub(crate) struct Sought {
    /// The failures, the nearest first.
    pub(crate) failures: Vec<Fingerprint>,
    /// The words that lessons are compared with.
    pub(crate) words: BTreeSet<String>,
    /// The words of the action that failed; empty if it is not known.
    pub(crate) action: BTreeSet<String>,
    /// True before a task: its words say what it is about, not what went wrong.
    pub(crate) before: bool,
    pub(crate) task: String,
    pub(crate) domain: String,
    pub(crate) now: u64,
}

impl Sought {
    /// Scores a lesson. `cosine` is the likeness of the vectors, 0 if unknown.
    pub(crate) fn hint(&self, kept: KeptLesson, cosine: f64) -> Hint {
        let lane = if self.is_reached_by(&kept.lesson) {
            Lane::Strict
        } else {
            Lane::CrossDomain
        };
        let parts = self.parts(&kept, cosine);
        let weight = match lane {
            Lane::Strict => 1.0,
            Lane::CrossDomain => CROSS_DOMAIN_WEIGHT,
        };
        Hint {
            score: weight * score(&parts),
            parts,
            lane,
            lesson: kept.lesson,
        }
    }

    fn parts(&self, kept: &KeptLesson, cosine: f64) -> ScoreParts {
        let lesson = &kept.lesson;
        let answered = self
            .failures
            .iter()
            .find(|failure| lesson.trigger_fingerprints.contains(&failure.id));
        // Of several failures, the lesson is compared with the one that it answers, or is nearest to.
        let tag_overlap = match answered {
            Some(failure) => overlap(&lesson.tags, &failure.tags),
            None => self
                .failures
                .iter()
                .map(|failure| overlap(&lesson.tags, &failure.tags))
                .fold(0.0, f64::max),
        };
        let learned_in = self.before.then_some(&lesson.task);
        let in_words = std::iter::once(&lesson.rule_text)
            .chain(&kept.trigger_templates)
            .chain(learned_in)
            .map(|words| text::likeness(&self.words, &text::telling(words)))
            .fold(0.0, f64::max);
        let in_words = match (answered, self.fit(lesson)) {
            // Of those that answer the very failure, the action says which one is meant.
            (Some(_), Some(fit)) => fit,
            _ => in_words,
        };
        let age = self.now.saturating_sub(lesson.updated_at) as f64;
        ScoreParts {
            fingerprint_match: f64::from(u8::from(answered.is_some())),
            tag_overlap,
            text_similarity: in_words.max(cosine).clamp(0.0, 1.0),
            reliability: lesson.reliability,
            recency: (-age / RECENCY_MS).exp(),
        }
    }

    /// How like the action that failed is to what a lesson calls wrong; none if either is unknown.
    pub(super) fn fit(&self, lesson: &Lesson) -> Option<f64> {
        if self.action.is_empty() {
            return None;
        }
        let wrong = advice::parse(&lesson.rule_text).wrong?;
        Some(text::likeness(&self.action, &text::term_set(&wrong)))
    }

    /// Whether a lesson was learned in the very task.
    pub(super) fn is_same_task(&self, lesson: &Lesson) -> bool {
        let task = self.task.trim();
        !task.is_empty() && lesson.task.trim() == task
    }

    /// Whether a lesson is meant for this at all.
    pub(super) fn is_reached_by(&self, lesson: &Lesson) -> bool {
        match lesson.scope {
            Scope::Global => true,
            Scope::Domain => lesson.domain == self.domain,
            Scope::Task => {
                let same_domain = lesson.domain.is_empty() || lesson.domain == self.domain;
                same_domain && self.is_same_task(lesson)
            }
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

/// The share of tags that both have.
fn overlap(left: &[String], right: &[String]) -> f64 {
    let shared = left.iter().filter(|tag| right.contains(tag)).count();
    match left.len() + right.len() - shared {
        0 => 0.0,
        all => shared as f64 / all as f64,
    }
}
