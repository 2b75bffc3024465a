//! Lessons: units of knowledge and their lifecycle.
//!
//! Owns which changes of status are allowed. How a lesson is proposed is the business of [proposal], how it
//! is written of [entry], and when it is shown of recall.

pub(crate) mod activations;
pub(crate) mod distil;
pub(crate) mod links;
pub(crate) mod patterns;
pub(crate) mod skills;

pub(crate) mod entry;
pub(crate) mod proposal;
pub(crate) mod withdrawal;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Condition},
    memory::{
        Error, Lesson, LessonCandidate, LessonFilter, LessonKind, LessonStatus, Link, Relation,
        Scope, Source, Trust, Usefulness,
    },
};

use crate::{
    analogy::Case,
    limits, payload, refusal,
    store::{
        Desk, Kind, MODEL, Made, Noun, Reader, any_of, digest, equals, newest, number, query, text,
    },
    text as terms,
    usefulness::{Evidence, Totals},
};
pub(crate) use entry::{Entry, KeptEvidence};
pub(crate) use proposal::Proposal;

/// The beginning of a task by whose words its lessons are found, in bytes.
const TASK_WORDS_BYTES: usize = 1 << 10;

/// A lesson as it is kept: with the readable forms of its triggers, to be found by similar failures.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptLesson {
    pub(crate) lesson: Lesson,
    pub(crate) trigger_templates: Vec<String>,
    pub(crate) vector: Vec<f32>,
    /// What made the vector.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) vector_model: String,
    /// What it was learned from: what failed, what was printed, and what worked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) cases: Vec<Case>,
    /// Whether its advice was followed and never worked.
    #[serde(default)]
    refuted: bool,
    /// What it states as a pattern, its name, and when it applies: it is found by these words, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) statements: Vec<String>,
}

/// The attribute that says how far a lesson reaches.
const REACH: &str = "reach";

/// The value of the attribute `advice` for a lesson whose advice was followed and never worked.
pub(crate) const REFUTED: &str = "refuted";

impl KeptLesson {
    /// Takes over a vector with the id of what made it.
    pub(crate) fn take_vector(&mut self, made: &Made) {
        self.vector.clone_from(&made.vector);
        self.vector_model.clone_from(&made.model);
    }

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
            text(REACH, &reach(lesson)),
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
        if !self.vector.is_empty() {
            attributes.push(text(MODEL, &self.vector_model));
        }
        attributes.extend(self.refuted.then(|| text("advice", REFUTED)));
        let runs: BTreeSet<_> = lesson.origins.iter().map(|origin| &origin.run).collect();
        let runs = runs.into_iter().filter(|run| !run.is_empty());
        attributes.extend(runs.map(|run| text("origin", run)));
        attributes
    }

    fn terms(&self) -> String {
        let failed = self.cases.iter().map(|case| case.wrong.as_str());
        let texts = std::iter::once(self.lesson.rule_text.as_str())
            .chain(self.trigger_templates.iter().map(String::as_str))
            .chain(failed)
            .chain(self.statements.iter().map(String::as_str))
            .chain([beginning(&self.lesson.task)]);
        let words: Vec<_> = texts.flat_map(terms::indexed).collect();
        words.join(" ")
    }

    fn vector(&self) -> Vec<f32> {
        self.vector.clone()
    }
}

/// How far a lesson reaches, as it is found by it.
fn reach(lesson: &Lesson) -> String {
    match lesson.scope {
        Scope::Global => "global".to_owned(),
        Scope::Domain => format!("domain {}", lesson.domain),
        Scope::Task => format!("task {}", digest(&[lesson.task.trim()])),
    }
}

/// A condition that a lesson reaches a task of a domain. One that an earlier version wrote has no such attribute.
pub(crate) fn reaching(task: &str, domain: &str) -> Condition {
    let reaches = [
        "global".to_owned(),
        format!("domain {domain}"),
        format!("task {}", digest(&[task.trim()])),
    ];
    any_of(REACH, reaches.iter().map(String::as_str))
}

fn beginning(task: &str) -> &str {
    &task[..task.floor_char_boundary(TASK_WORDS_BYTES)]
}

pub(crate) fn propose(desk: &mut Desk, candidate: &LessonCandidate) -> Result<Lesson, Error> {
    let lessons = entry::keep(desk, vec![proposal::proposal(desk, candidate)?])?;
    Ok(lessons.into_iter().next().expect("one was proposed"))
}

pub(crate) fn find(reader: &Reader, filter: &LessonFilter) -> Result<Vec<Lesson>, Error> {
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
    let found = reader.search::<KeptLesson>(&query)?;
    Ok(found
        .into_iter()
        .map(|(read, _)| read.noun.lesson)
        .collect())
}

pub(crate) fn get(reader: &Reader, lesson: &str) -> Result<Lesson, Error> {
    match reader.load::<KeptLesson>(lesson)? {
        Some(read) => Ok(read.noun.lesson),
        None => Err(unknown(lesson)),
    }
}

pub(crate) fn set_status(
    desk: &mut Desk,
    lesson: &str,
    status: LessonStatus,
    reason: &str,
) -> Result<Lesson, Error> {
    check_reason(reason)?;
    let now = desk.now();
    desk.commit(|batch| {
        let mut entry = entry::entry(batch, lesson)?;
        let from = entry.kept.lesson.status;
        if !may_become(from, status) {
            return Err(Error::Conflict(format!(
                "Lesson `{lesson}` is {} and can't become {}.",
                from.as_str(),
                status.as_str()
            )));
        }
        entry.become_status(status, reason, now);
        entry.put(batch);
        Ok(entry.kept.lesson)
    })
}

pub(crate) fn revise(
    desk: &mut Desk,
    lesson: &str,
    rule_text: &str,
    reason: &str,
) -> Result<Lesson, Error> {
    check_reason(reason)?;
    let now = desk.now();
    let known = entry::entry(desk, lesson)?.kept.lesson;
    let made = proposal::proposal(desk, &revision(&known, rule_text))?.made();
    desk.commit(|batch| {
        let mut old = entry::entry(batch, lesson)?;
        let revision = revision(&old.kept.lesson, rule_text);
        let mut revised = proposal::without_vector(batch, &revision)?;
        revised.kept.take_vector(&made);
        if revised.kept.lesson.id == *lesson {
            return Err(Error::InvalidArgument(
                "`rule-text` says the same as before; there is nothing to revise".to_owned(),
            ));
        }
        if !may_become(old.kept.lesson.status, LessonStatus::Deprecated) {
            return Err(Error::Conflict(format!(
                "Lesson `{lesson}` is {} and can't be revised. Propose a new one with `lessons.propose`.",
                old.kept.lesson.status.as_str()
            )));
        }
        let proposals = std::slice::from_ref(&revised);
        let mut lessons = entry::enter(batch, proposals, &mut Vec::new(), now)?;
        let new = lessons.remove(0);
        old.become_status(LessonStatus::Deprecated, reason, now);
        let link = Link {
            source: new.id.clone(),
            relation: Relation::Supersedes,
            target: lesson.to_owned(),
            reason: payload::kept_text(reason, limits::ACTION_BYTES),
            at: now,
        };
        old.put(batch);
        batch.put_owned(&link);
        Ok(new)
    })
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
    refusal::not_empty(
        "reason",
        reason,
        "say why, so that the change can be understood later",
    )?;
    Ok(())
}

/// Whether a lesson is a way out of a task: it is found by its task, not by its words.
pub(crate) fn is_way(lesson: &Lesson) -> bool {
    let mut origins = lesson.origins.iter();
    lesson.kind == LessonKind::Recovery
        && lesson.scope == Scope::Task
        && origins.any(|origin| origin.source == Source::Trace)
}

/// Whether a lesson is somebody's word that has not helped here yet: an agent's or a model's, or what came with a clone or an
/// import.
pub(crate) fn is_claim(lesson: &Lesson) -> bool {
    lesson.trust == Trust::Claimed && lesson.usefulness.helped == 0
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
    refusal::unknown("lesson", lesson, "lessons.find")
}

/// A lesson that says nothing, for tests to begin with.
#[cfg(test)]
pub(crate) fn blank() -> Lesson {
    use twiceshy_wit::memory::Trust;
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
