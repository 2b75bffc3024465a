//! The score of a lesson for a task or a failure.
//!
//! Owns the formula and its parts. Which lessons are considered, and how many are shown, is the business
//! of recall.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Fingerprint, Hint, Lane, Lesson, LessonStatus, Scope, ScoreParts};

use super::{
    Found,
    fit::{AtHand, Fit, Incident},
};
use crate::{
    advice, instant,
    lessons::KeptLesson,
    similarity::{Ordered, Scale, by_words, fused, in_common},
    text,
};

/// The age at which a lesson's recency has fallen to 1/e: 90 days.
const RECENCY_DAYS: f64 = 90.0;

/// What the similarity of a text counts in a score.
pub(super) const TEXT: f64 = 0.20;

/// What a lesson for another domain counts, compared with one for this domain.
const CROSS_DOMAIN_WEIGHT: f64 = 0.35;

/// What lessons are sought for: one failure, or a task with the failures it may bring.
pub(crate) struct Sought {
    /// The failures, the nearest first.
    pub(crate) failures: Vec<Fingerprint>,
    /// The words that lessons are compared with; none if nobody asks how similar they are.
    pub(crate) words: BTreeSet<String>,
    /// What has just failed; none before a task.
    pub(crate) incident: Option<Incident>,
    /// True before a task: its words say what it is about, not what went wrong.
    pub(crate) before: bool,
    /// The order of the task's words, before it.
    pub(crate) ordered: Option<Ordered>,
    pub(crate) task: String,
    pub(crate) domain: String,
    pub(crate) now: u64,
}

impl Sought {
    /// Scores a lesson that nobody looked for.
    pub(crate) fn hint(&self, kept: KeptLesson) -> Hint {
        let fit = self.fit(&kept, self.at_hand().as_ref());
        self.scored(Found::new(kept), fit).hint
    }

    /// What has just failed, as lessons are compared with it.
    pub(super) fn at_hand(&self) -> Option<AtHand<'_>> {
        self.incident.as_ref().map(Incident::at_hand)
    }

    /// Scores a lesson, and says how it fits what has just failed. None if it is about another action.
    pub(super) fn fitted(&self, found: Found, at_hand: Option<&AtHand>) -> Option<Fitted> {
        let fit = self.fit(&found.kept, at_hand);
        (fit != Fit::Misses).then(|| self.scored(found, fit))
    }

    /// Says how similar the lessons for a task are by the one measure of everything that is found: by the store's scores and by
    /// meaning. Whether each has enough in common with the task is decided already.
    pub(super) fn measure(&self, lessons: &mut [Fitted]) {
        let scores: Vec<_> = lessons.iter().map(|one| one.words).collect();
        let words = by_words(&scores, true, |at| lessons[at].in_words);
        let cosines: Vec<_> = lessons.iter().map(|one| Some(one.near?.0)).collect();
        let scale = lessons.iter().find_map(|one| Some(one.near?.1));
        let similarities = fused(&words, &cosines, scale.unwrap_or_default(), false);
        for (fitted, similarity) in lessons.iter_mut().zip(similarities) {
            let similarity = self.in_order(similarity, &fitted.hint.lesson.rule_text);
            fitted.closeness = similarity.clamp(0.0, 1.0);
        }
    }

    fn fit(&self, kept: &KeptLesson, at_hand: Option<&AtHand>) -> Fit {
        match at_hand {
            Some(at_hand) => at_hand.fit(kept, self.is_answered_by(&kept.lesson)),
            None => Fit::Unknown,
        }
    }

    fn scored(&self, found: Found, fit: Fit) -> Fitted {
        let nearness = found.nearness();
        let Found { kept, words, near } = found;
        let lane = if self.is_reached_by(&kept.lesson) {
            Lane::Strict
        } else {
            Lane::CrossDomain
        };
        let (parts, in_words) = self.parts(&kept, &fit, nearness);
        let weight = match lane {
            Lane::Strict => 1.0,
            Lane::CrossDomain => CROSS_DOMAIN_WEIGHT,
        };
        let text = match (&fit, &self.incident) {
            (Fit::Applies { command, .. }, Some(incident)) => incident.rule(command),
            _ => None,
        };
        let text = text.unwrap_or_else(|| kept.lesson.rule_text.clone());
        Fitted {
            closeness: parts.text_similarity,
            hint: Hint {
                score: weight * score(&parts),
                parts,
                lane,
                text,
                lesson: kept.lesson,
            },
            fit,
            in_words,
            words,
            near,
        }
    }

    /// Whether the lesson names one of the failures.
    fn is_answered_by(&self, lesson: &Lesson) -> bool {
        let answers = |failure: &Fingerprint| lesson.trigger_fingerprints.contains(&failure.id);
        self.failures.iter().any(answers)
    }

    /// The parts of a lesson's score, and how similar it is by words alone.
    fn parts(&self, kept: &KeptLesson, fit: &Fit, nearness: f64) -> (ScoreParts, f64) {
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
        let in_words = match fit {
            // What failed, and how, says more than the words of a rule.
            Fit::Applies { degree, .. } => *degree,
            Fit::InForm(degree) | Fit::InWords(degree) if answered.is_some() => *degree,
            _ => self.similarity_in_words(kept),
        };
        let parts = ScoreParts {
            fingerprint_match: f64::from(u8::from(answered.is_some())),
            tag_overlap,
            text_similarity: in_words
                .max(self.in_order(nearness, &lesson.rule_text))
                .clamp(0.0, 1.0),
            reliability: lesson.reliability,
            recency: instant::recency(lesson.updated_at, self.now, RECENCY_DAYS),
        };
        (parts, in_words)
    }

    /// How similar what a lesson says is to what is sought, by words. A failure is compared with others of its kind, of which neither
    /// says more than the other.
    fn similarity_in_words(&self, kept: &KeptLesson) -> f64 {
        let lesson = &kept.lesson;
        let learned_in = self.before.then_some(&lesson.task);
        std::iter::once(&lesson.rule_text)
            .chain(&kept.trigger_templates)
            .chain(&kept.statements)
            .chain(learned_in)
            .filter(|_| !self.words.is_empty())
            .map(|words| {
                let said = text::telling(words);
                let similarity = match self.before {
                    true => in_common(&self.words, &said),
                    false => text::similarity(&self.words, &said),
                };
                self.in_order(similarity, words)
            })
            .fold(0.0, f64::max)
    }

    /// What is left of a similarity with a text, if the task goes the other way. An error goes nowhere.
    fn in_order(&self, similarity: f64, text: &str) -> f64 {
        match &self.ordered {
            Some(ordered) => ordered.similarity(similarity, text),
            None => similarity,
        }
    }

    /// Whether a lesson was learned in the very task.
    pub(super) fn is_same_task(&self, lesson: &Lesson) -> bool {
        let task = self.task.trim();
        !task.is_empty() && lesson.task.trim() == task
    }

    /// Whether a task names the program of a lesson that has proven itself: whoever uses that program anew needs what is known
    /// of it, whatever else the task is about.
    pub(super) fn is_about_its_program(&self, lesson: &Lesson) -> bool {
        let is_proven = lesson.status == LessonStatus::Promoted && lesson.usefulness.helped > 0;
        let program = || advice::program(&lesson.rule_text);
        self.before && is_proven && program().is_some_and(|program| self.names(&program))
    }

    /// Whether the task has a word as it is.
    fn names(&self, word: &str) -> bool {
        let is_mark = |c: char| c.is_whitespace() || "\"'`,;:!?()[]{}".contains(c);
        let words = self.task.split(is_mark);
        let mut words = words.map(|word| word.trim_end_matches('.'));
        words.any(|named| named == word)
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

/// A lesson with its score, and how it fits what has just failed.
pub(super) struct Fitted {
    pub(super) hint: Hint,
    pub(super) fit: Fit,
    /// How near it comes beside others: its similarity, in the order in which words and meaning find.
    closeness: f64,
    /// How similar it is by words alone.
    in_words: f64,
    /// The store's score for its words, and its cosine with what that says, if it came that way.
    words: Option<f64>,
    near: Option<(f64, Scale)>,
}

impl Fitted {
    /// How well it fits what has failed, where that is known.
    pub(super) fn degree(&self) -> Option<f64> {
        match self.fit {
            Fit::Applies { degree, .. } => Some(degree),
            Fit::InForm(degree) | Fit::InWords(degree) => Some(degree / 2.0),
            Fit::Misses | Fit::Unknown => None,
        }
    }

    /// How much more than its parts say its score is beside others.
    pub(super) fn gain(&self) -> f64 {
        TEXT * (self.closeness - self.hint.parts.text_similarity)
    }
}

/// The score that the learning memory prescribes.
fn score(parts: &ScoreParts) -> f64 {
    0.40 * parts.fingerprint_match
        + 0.25 * parts.tag_overlap
        + TEXT * parts.text_similarity
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
