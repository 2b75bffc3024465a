//! Lessons: units of knowledge, how they come in and where they stand in their life.
//!
//! Owns which moves a lesson's life has. How a lesson comes in is the business of the [proposal], how it
//! is written of the [entry], and when it is shown of recall.

mod entry;
mod proposal;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Condition, Precondition},
    memory::{
        Activation, ActivationFilter, Error, Explanation, Lesson, LessonCandidate, LessonFilter,
        LessonStatus, Lessons, Link, Relation, Source, Usefulness,
    },
};

use crate::{
    documents::{Kind, Noun, any_of, equals, newest, number, put, query, text},
    limits, payload,
    ports::Engine,
    text as terms,
    usefulness::{Evidence, Totals},
};
pub(crate) use entry::{Entry, KeptEvidence};
pub(crate) use proposal::Proposal;

/// The beginning of a task by whose words its lessons are found, in bytes.
const TASK_WORDS_BYTES: usize = 1 << 10;

/// A lesson as it is kept: with the readable forms of its triggers, to be found by like failures.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptLesson {
    pub(crate) lesson: Lesson,
    pub(crate) trigger_templates: Vec<String>,
    pub(crate) vector: Vec<f32>,
    /// Whether its advice was followed and never worked.
    #[serde(default)]
    refuted: bool,
}

/// The value of the attribute `advice` for a lesson whose advice was followed and never worked.
pub(crate) const REFUTED: &str = "refuted";

impl KeptLesson {
    /// Brings what the lesson says of its own use up to date.
    pub(crate) fn summarise(&mut self, evidence: &Evidence) {
        let mean = |totals: &Totals| {
            (totals.opportunities > 0).then(|| totals.utility / f64::from(totals.opportunities))
        };
        self.refuted = evidence.is_refuted();
        self.lesson.reliability = evidence.reliability;
        self.lesson.usefulness = Usefulness {
            activations: evidence.retrievals,
            shown_runs: evidence.with.runs,
            withheld_runs: evidence.without.runs,
            helped: evidence.helped,
            harmed: evidence.harmed,
            judged: evidence.with.opportunities,
            utility: mean(&evidence.with),
            withheld_utility: mean(&evidence.without),
            recurrence_drop: evidence.recurrence_drop(),
            regressions: evidence.regressions,
            losses: evidence.losses,
            last_shown_at: evidence.last_shown_at,
        };
    }
}

impl Noun for KeptLesson {
    const KIND: Kind = Kind::Lesson;

    fn id(&self) -> String {
        self.lesson.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let lesson = &self.lesson;
        let mut attributes = vec![
            text("status", lesson.status.as_str()),
            text("kind", lesson.kind.as_str()),
            text("domain", &lesson.domain),
            number("created-at", lesson.created_at as f64),
            number("updated-at", lesson.updated_at as f64),
        ];
        attributes.extend(
            lesson
                .trigger_fingerprints
                .iter()
                .map(|id| text("fingerprint", id)),
        );
        attributes.extend(lesson.tags.iter().map(|tag| text("tag", tag)));
        attributes.extend(self.refuted.then(|| text("advice", REFUTED)));
        let runs: BTreeSet<_> = lesson.origins.iter().map(|origin| &origin.run).collect();
        let runs = runs.into_iter().filter(|run| !run.is_empty());
        attributes.extend(runs.map(|run| text("origin", run)));
        attributes
    }

    fn terms(&self) -> String {
        let texts = std::iter::once(self.lesson.rule_text.as_str())
            .chain(self.trigger_templates.iter().map(String::as_str))
            .chain([beginning(&self.lesson.task)]);
        let words: Vec<_> = texts.flat_map(terms::telling).collect();
        words.join(" ")
    }

    fn vector(&self) -> Vec<f32> {
        self.vector.clone()
    }
}

fn beginning(task: &str) -> &str {
    &task[..task.floor_char_boundary(TASK_WORDS_BYTES)]
}

impl Lessons for Engine<'_> {
    fn propose(&self, candidate: &LessonCandidate) -> Result<Lesson, Error> {
        let lessons = self.keep(vec![self.proposal(candidate)?])?;
        Ok(lessons.into_iter().next().expect("one was proposed"))
    }

    fn distil(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        self.ask_for_lessons(episode)
    }

    fn find(&self, filter: &LessonFilter) -> Result<Vec<Lesson>, Error> {
        let restrictions = [
            ("status", filter.status.map(|status| status.as_str())),
            ("fingerprint", filter.fingerprint.as_deref()),
            ("domain", filter.domain.as_deref()),
        ];
        let conditions = restrictions
            .into_iter()
            .filter_map(|(name, value)| Some(equals(name, value?)))
            .collect();
        let query = query::<KeptLesson>(
            conditions,
            newest("updated-at"),
            limits::listed(filter.limit),
        );
        let found = self.search::<KeptLesson>(&query)?;
        Ok(found
            .into_iter()
            .map(|(read, _)| read.noun.lesson)
            .collect())
    }

    fn get(&self, lesson: &str) -> Result<Lesson, Error> {
        match self.load::<KeptLesson>(lesson)? {
            Some(read) => Ok(read.noun.lesson),
            None => Err(unknown(lesson)),
        }
    }

    fn set_status(
        &self,
        lesson: &str,
        status: LessonStatus,
        reason: &str,
    ) -> Result<Lesson, Error> {
        check_reason(reason)?;
        let now = self.now();
        self.change(|_| {
            let mut entry = self.entry(lesson)?;
            let from = entry.kept.lesson.status;
            if !may_become(from, status) {
                return Err(Error::Conflict(format!(
                    "the lesson `{lesson}` is {} and can't become {}",
                    from.as_str(),
                    status.as_str()
                )));
            }
            entry.become_status(status, reason, now);
            Ok((entry.changes(), entry.kept.lesson))
        })
    }

    fn hand_in(&self, episode: &str, candidates: &str) -> Result<Vec<Lesson>, Error> {
        self.take_candidates(episode, candidates)
    }

    fn mine(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        self.mine_episode(episode)
    }

    fn revise(&self, lesson: &str, rule_text: &str, reason: &str) -> Result<Lesson, Error> {
        check_reason(reason)?;
        let now = self.now();
        self.change(|_| {
            let mut old = self.entry(lesson)?;
            let revised = self.proposal(&revision(&old.kept.lesson, rule_text))?;
            if revised.kept.lesson.id == *lesson {
                return Err(Error::InvalidArgument(
                    "rule-text says the same as before; nothing to revise".to_owned(),
                ));
            }
            if !may_become(old.kept.lesson.status, LessonStatus::Deprecated) {
                return Err(Error::Conflict(format!(
                    "the lesson `{lesson}` is {}; propose a new one with lessons.propose",
                    old.kept.lesson.status.as_str()
                )));
            }
            let (mut batch, mut lessons) =
                self.entered(std::slice::from_ref(&revised), &mut Vec::new(), now)?;
            let new = lessons.remove(0);
            old.become_status(LessonStatus::Deprecated, reason, now);
            let link = Link {
                source: new.id.clone(),
                relation: Relation::Supersedes,
                target: lesson.to_owned(),
                reason: payload::kept_text(reason, limits::ACTION_BYTES),
                at: now,
            };
            batch.extend(old.changes());
            batch.push(put(&link, Precondition::Anything));
            Ok((batch, new))
        })
    }

    fn activations(&self, filter: &ActivationFilter) -> Result<Vec<Activation>, Error> {
        self.find_activations(filter)
    }

    fn explain(&self, lesson: &str) -> Result<Explanation, Error> {
        self.explanation(self.entry(lesson)?.kept.lesson)
    }
}

/// The same lesson in other words, as a candidate.
fn revision(lesson: &Lesson, rule_text: &str) -> LessonCandidate {
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    LessonCandidate {
        rule_text: rule_text.to_owned(),
        trigger_fingerprints: lesson.trigger_fingerprints.clone(),
        trigger_texts: Vec::new(),
        tags: lesson.tags.clone(),
        scope_hint: Some(lesson.scope),
        kind: Some(lesson.kind),
        domain: given(&lesson.domain),
        task: given(&lesson.task),
        run: None,
        steps: Vec::new(),
        source: Some(Source::Person),
    }
}

pub(crate) fn check_reason(reason: &str) -> Result<(), Error> {
    if reason.trim().is_empty() {
        return Err(Error::InvalidArgument(
            "reason is empty; say why, so that the lesson's life can be understood later"
                .to_owned(),
        ));
    }
    Ok(())
}

/// The statuses in which a lesson is shown.
const RECALLED: [LessonStatus; 2] = [LessonStatus::Candidate, LessonStatus::Promoted];

/// Whether a lesson of this status is shown.
pub(crate) fn is_recalled(status: LessonStatus) -> bool {
    RECALLED.contains(&status)
}

/// A condition that a lesson is shown.
pub(crate) fn recalled() -> Condition {
    any_of("status", RECALLED.iter().map(|status| status.as_str()))
}

/// The moves that a lesson's life has.
pub(crate) fn may_become(from: LessonStatus, to: LessonStatus) -> bool {
    use LessonStatus::{Archived, Candidate, Deprecated, Promoted, Suppressed, UnderReview};
    match (from, to) {
        // What is archived stays for audit, and nothing is unproven again.
        (Archived, _) | (_, Candidate) => false,
        (Candidate | UnderReview, Promoted | Suppressed) => true,
        (Promoted, UnderReview | Suppressed | Deprecated) => true,
        (UnderReview, Deprecated) | (Candidate, UnderReview | Deprecated) => true,
        // A person may think better of it; a deprecated lesson may prove right after all.
        (Suppressed | Deprecated, Promoted | UnderReview) => true,
        (_, Archived) => true,
        _ => false,
    }
}

pub(crate) fn unknown(lesson: &str) -> Error {
    Error::NotFound(format!(
        "there is no lesson `{lesson}`; lessons.find lists them"
    ))
}

/// A lesson that says nothing, for tests to begin with.
#[cfg(test)]
pub(crate) fn blank() -> Lesson {
    use twiceshy_wit::memory::{LessonKind, Scope, Trust};
    Lesson {
        id: "les_0".to_owned(),
        rule_text: String::new(),
        kind: LessonKind::Rule,
        scope: Scope::Global,
        domain: String::new(),
        task: String::new(),
        trigger_fingerprints: Vec::new(),
        tags: Vec::new(),
        status: LessonStatus::Candidate,
        status_reason: String::new(),
        reliability: 0.5,
        origins: Vec::new(),
        trust: Trust::Claimed,
        usefulness: Usefulness::default(),
        created_at: 0,
        updated_at: 0,
    }
}
