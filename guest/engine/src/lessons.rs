//! Lessons: units of knowledge, how they come in and where they stand in their life.
//!
//! Owns what makes two lessons the same one and which moves a lesson's life has. When a lesson is
//! shown is the business of recall.

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Precondition},
    memory::{
        Activation, ActivationFilter, Error, Explanation, Fingerprint, Lesson, LessonCandidate,
        LessonFilter, LessonKind, LessonStatus, Lessons, Link, Origin, Scope, Source, Trust,
        Usefulness,
    },
};

use crate::{
    documents::{Kind, Noun, Read, digest, equals, newest, number, put, query, text},
    events::{Known, identify, settled},
    limits, payload,
    ports::Engine,
    runs::check_domain,
    secrets::is_secret,
    text as terms,
};

/// What a lesson is to be relied on before anything is known of it.
const FIRST_RELIABILITY: f64 = 0.5;

/// A lesson as it is kept: with the readable forms of its triggers, to be found by like failures.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptLesson {
    pub(crate) lesson: Lesson,
    pub(crate) trigger_templates: Vec<String>,
    pub(crate) vector: Vec<f32>,
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
            text("domain", &lesson.domain),
            number("updated-at", lesson.updated_at as f64),
        ];
        attributes.extend(
            lesson
                .trigger_fingerprints
                .iter()
                .map(|id| text("fingerprint", id)),
        );
        attributes.extend(lesson.tags.iter().map(|tag| text("tag", tag)));
        attributes
    }

    fn terms(&self) -> String {
        let mut words = terms::terms(&self.lesson.rule_text);
        words.extend(
            self.trigger_templates
                .iter()
                .flat_map(|template| terms::terms(template)),
        );
        words.join(" ")
    }

    fn vector(&self) -> Vec<f32> {
        self.vector.clone()
    }
}

impl Lessons for Engine<'_> {
    fn propose(&self, candidate: &LessonCandidate) -> Result<Lesson, Error> {
        let (kept, tags) = self.lesson_of(candidate)?;
        let vector = self.vector_of(&kept.lesson.rule_text);
        match self.keep(&kept, &tags, &vector) {
            // Another embedder than before makes vectors of another length, which a store refuses.
            Err(Error::InvalidArgument(reason)) if !vector.is_empty() => {
                self.warn(&format!("a lesson is kept without its vector: {reason}"));
                self.keep(&kept, &tags, &[])
            }
            kept => kept,
        }
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
        if reason.trim().is_empty() {
            return Err(Error::InvalidArgument(
                "reason is empty; say why, so that the lesson's life can be understood later"
                    .to_owned(),
            ));
        }
        let now = self.now();
        self.change(|_| {
            let Some(Read {
                noun: mut kept,
                version,
            }) = self.load::<KeptLesson>(lesson)?
            else {
                return Err(unknown(lesson));
            };
            let from = kept.lesson.status;
            if !may_become(from, status) {
                return Err(Error::Conflict(format!(
                    "the lesson `{lesson}` is {} and can't become {}",
                    from.as_str(),
                    status.as_str()
                )));
            }
            kept.lesson.status = status;
            kept.lesson.status_reason = payload::kept_text(reason, limits::ACTION_BYTES);
            kept.lesson.updated_at = now;
            Ok((vec![put(&kept, Precondition::At(version))], kept.lesson))
        })
    }

    fn hand_in(&self, _: &str, _: &str) -> Result<Vec<Lesson>, Error> {
        todo()
    }

    fn mine(&self, _: &str) -> Result<Vec<Lesson>, Error> {
        todo()
    }

    fn revise(&self, _: &str, _: &str, _: &str) -> Result<Lesson, Error> {
        todo()
    }

    fn relate(&self, _: &Link) -> Result<Link, Error> {
        todo()
    }

    fn unrelate(&self, _: &Link) -> Result<(), Error> {
        todo()
    }

    fn links(&self, _: &str) -> Result<Vec<Link>, Error> {
        todo()
    }

    fn activations(&self, _: &ActivationFilter) -> Result<Vec<Activation>, Error> {
        todo()
    }

    fn explain(&self, _: &str) -> Result<Explanation, Error> {
        todo()
    }
}

fn todo<T>() -> Result<T, Error> {
    Err(Error::Unavailable("not built yet".to_owned()))
}

/// The moves that a lesson's life has.
fn may_become(from: LessonStatus, to: LessonStatus) -> bool {
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

impl Engine<'_> {
    /// Keeps a lesson, or brings the one that is known already up to date.
    fn keep(&self, kept: &KeptLesson, tags: &[String], vector: &[f32]) -> Result<Lesson, Error> {
        let now = self.now();
        self.change(|_| {
            let mut kept = kept.clone();
            let triggers = self.triggers(&kept.lesson.trigger_fingerprints)?;
            let precondition = match self.load::<KeptLesson>(&kept.lesson.id)? {
                Some(Read { noun, version }) => {
                    kept.lesson = merged(noun.lesson, &kept.lesson);
                    kept.trigger_templates.extend(noun.trigger_templates);
                    Precondition::At(version)
                }
                None => {
                    kept.lesson.created_at = now;
                    Precondition::Absent
                }
            };
            kept.lesson.updated_at = now;
            kept.lesson.tags.extend(tags.iter().cloned());
            kept.lesson
                .tags
                .extend(triggers.iter().flat_map(|known| known.tags.iter().cloned()));
            kept.lesson.tags = settled(kept.lesson.tags);
            kept.trigger_templates
                .extend(triggers.into_iter().map(|known| known.template));
            kept.trigger_templates.sort();
            kept.trigger_templates.dedup();
            kept.vector = vector.to_vec();
            Ok((vec![put(&kept, precondition)], kept.lesson))
        })
    }

    /// A checked, masked lesson from a proposal, and the tags of the texts it names as triggers.
    fn lesson_of(&self, candidate: &LessonCandidate) -> Result<(KeptLesson, Vec<String>), Error> {
        check(candidate)?;
        let rule = payload::kept_text(candidate.rule_text.trim(), limits::RULE_CHARS * 4);
        let named: Vec<_> = candidate
            .trigger_texts
            .iter()
            .map(|text| identify(text))
            .collect();
        let mut triggers = candidate.trigger_fingerprints.clone();
        triggers.extend(named.iter().map(|fingerprint| fingerprint.id.clone()));
        triggers.sort();
        triggers.dedup();
        let domain = candidate.domain.clone().unwrap_or_default();
        let task = payload::kept_text(
            &candidate.task.clone().unwrap_or_default(),
            limits::TASK_BYTES,
        );
        let scope = candidate.scope_hint.unwrap_or(match domain.as_str() {
            "" => Scope::Global,
            _ => Scope::Domain,
        });
        let reach = match scope {
            Scope::Task => format!("task {domain} {task}"),
            Scope::Domain => format!("domain {domain}"),
            Scope::Global => "global".to_owned(),
        };
        let words = terms::terms(&rule).join(" ");
        let source = candidate.source.unwrap_or(Source::Agent);
        let lesson = Lesson {
            id: format!("les_{}", digest(&[&words, &triggers.join(" "), &reach])),
            rule_text: rule,
            kind: candidate.kind.unwrap_or(LessonKind::Rule),
            scope,
            domain,
            task,
            trigger_fingerprints: triggers,
            tags: candidate.tags.clone(),
            status: LessonStatus::Candidate,
            status_reason: "proposed".to_owned(),
            reliability: FIRST_RELIABILITY,
            origins: vec![Origin {
                run: candidate.run.clone().unwrap_or_default(),
                steps: candidate.steps.clone(),
                source,
                at: self.now(),
            }],
            trust: trust_in(source),
            usefulness: Usefulness {
                activations: 0,
                shown_runs: 0,
                withheld_runs: 0,
                helped: 0,
                harmed: 0,
                utility: None,
                withheld_utility: None,
                recurrence_drop: None,
                regressions: 0,
                losses: 0,
                last_shown_at: None,
            },
            created_at: 0,
            updated_at: 0,
        };
        let mut tags: Vec<_> = named.iter().flat_map(|found| found.tags.clone()).collect();
        if candidate.tags.is_empty() && lesson.trigger_fingerprints.is_empty() {
            tags.extend(crate::tags::of_text(&lesson.rule_text));
        }
        let trigger_templates = named
            .into_iter()
            .map(|fingerprint| fingerprint.template)
            .collect();
        Ok((
            KeptLesson {
                lesson,
                trigger_templates,
                vector: Vec::new(),
            },
            tags,
        ))
    }

    /// What is known of the triggers of a lesson.
    fn triggers(&self, ids: &[String]) -> Result<Vec<Fingerprint>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let keys: Vec<_> = ids.iter().map(|id| Kind::Fingerprint.key(id)).collect();
        let stored = self.read(&keys)?;
        stored
            .iter()
            .map(|stored| Ok(Read::<Known>::parse(stored)?.noun.fingerprint))
            .collect()
    }

    /// The vector of a text, if the host has an embedder.
    pub(crate) fn vector_of(&self, text: &str) -> Vec<f32> {
        match self.ports.embedder.embed(&[text.to_owned()]) {
            Ok(mut vectors) if vectors.len() == 1 => vectors.remove(0),
            Ok(vectors) => {
                self.warn(&format!(
                    "the embedder gave {} vectors for one text",
                    vectors.len()
                ));
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }
}

/// A known lesson with what a new proposal of it adds.
fn merged(mut known: Lesson, new: &Lesson) -> Lesson {
    known.tags.extend(new.tags.iter().cloned());
    for origin in &new.origins {
        let said = |known: &Origin| known.run == origin.run && known.source == origin.source;
        if !known.origins.iter().any(said) && known.origins.len() < limits::ORIGINS_PER_LESSON {
            known.origins.push(origin.clone());
        }
    }
    known.trust = known.trust.max(new.trust);
    known
}

/// How far the word of a source goes.
fn trust_in(source: Source) -> Trust {
    match source {
        Source::Person => Trust::Vouched,
        Source::Trace => Trust::Observed,
        Source::Agent | Source::Model => Trust::Claimed,
    }
}

fn check(candidate: &LessonCandidate) -> Result<(), Error> {
    let invalid = |text: String| Err(Error::InvalidArgument(text));
    let characters = candidate.rule_text.trim().chars().count();
    if characters == 0 {
        return invalid(
            "rule-text is empty; say what to do, such as `WRONG: … → CORRECT: …`".to_owned(),
        );
    }
    if characters > limits::RULE_CHARS {
        return invalid(format!(
            "rule-text has {characters} characters, at most {} are taken; say it shorter",
            limits::RULE_CHARS
        ));
    }
    let lists = [
        ("trigger-fingerprints", &candidate.trigger_fingerprints),
        ("trigger-texts", &candidate.trigger_texts),
        ("tags", &candidate.tags),
    ];
    for (name, list) in lists {
        if list.len() > limits::TRIGGERS {
            return invalid(format!(
                "{name} has {} entries, at most {} are taken",
                list.len(),
                limits::TRIGGERS
            ));
        }
    }
    for id in &candidate.trigger_fingerprints {
        let digits = id.strip_prefix("fp_").unwrap_or_default();
        if digits.len() != 16 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return invalid(format!(
                "trigger-fingerprints: `{}` is not a fingerprint such as fp_0123456789abcdef; \
                 events.fingerprint-of makes one from a text, or use trigger-texts",
                payload::kept_text(id, 100)
            ));
        }
    }
    for tag in &candidate.tags {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if tag.is_empty() || tag.len() > 64 || !tag.chars().all(allowed) || is_secret(tag) {
            return invalid(format!(
                "tags: `{}` is not 1 to 64 lowercase letters, digits and underscores",
                payload::kept_text(tag, 100)
            ));
        }
    }
    if let Some(domain) = &candidate.domain {
        check_domain("domain", domain)?;
    }
    let task = candidate.task.as_deref().unwrap_or_default();
    match candidate.scope_hint {
        Some(Scope::Task) if task.trim().is_empty() => {
            invalid("the scope `task` needs the task; give `task`".to_owned())
        }
        Some(Scope::Domain) if candidate.domain.is_none() => {
            invalid("the scope `domain` needs the domain; give `domain`".to_owned())
        }
        _ if task.len() > limits::TASK_BYTES => invalid(format!(
            "task has {} bytes, at most {} are taken",
            task.len(),
            limits::TASK_BYTES
        )),
        _ => Ok(()),
    }
}

fn unknown(lesson: &str) -> Error {
    Error::NotFound(format!(
        "there is no lesson `{lesson}`; lessons.find lists them"
    ))
}
