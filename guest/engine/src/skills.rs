//! Skills: procedures in steps, kept as the Markdown that a person edits.
//!
//! Owns skills by their names, their versions, and how they are found by keywords. A skill is a lesson of the kind
//! `skill`: whether it is shown is decided there. What its Markdown says is read in [`markdown`]; files are the
//! host's business.

mod from_pattern;
mod markdown;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Change, Order, Precondition},
    memory::{
        Error, Lesson, LessonCandidate, LessonKind, LessonStatus, Scope, Skill, SkillHit, Skills,
        Source,
    },
};

use crate::{
    documents::{Kind, Noun, Read, digest, equals, newest, number, put, query, text},
    lessons::{KeptLesson, is_recalled},
    limits, payload,
    ports::Engine,
    secrets, text as terms,
};
use markdown::Parsed;

/// Skills that are listed at most.
const LISTED: u32 = 1_000;

/// Skills that are found at most, and looked at in order to find them.
const FOUND: u32 = 64;

/// What a keyword counts that is not in the title: any long text has many words.
const BODY_WORD: f64 = 0.5;

/// A skill as it is kept. Its status is that of its lesson.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptSkill {
    pub(crate) slug: String,
    pub(crate) lesson: String,
    pub(crate) markdown: String,
    pub(crate) version: u32,
    pub(crate) updated_at: u64,
}

impl Noun for KeptSkill {
    const KIND: Kind = Kind::Skill;

    fn id(&self) -> String {
        self.slug.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![text("lesson", &self.lesson)]
    }

    fn terms(&self) -> String {
        let words: Vec<_> = terms::telling(&format!("{} {}", self.slug, self.markdown))
            .into_iter()
            .collect();
        words.join(" ")
    }
}

/// A version of a skill that was replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptSkillVersion(pub(crate) KeptSkill);

impl Noun for KeptSkillVersion {
    const KIND: Kind = Kind::SkillVersion;

    fn id(&self) -> String {
        format!("{}.{}", self.0.slug, self.0.version)
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![
            text("skill", &self.0.slug),
            number("version", f64::from(self.0.version)),
        ]
    }
}

impl KeptSkill {
    /// The skill for whoever asks.
    fn shown(self, status: LessonStatus) -> Result<Skill, Error> {
        let parsed = markdown::parse(&self.markdown)?;
        Ok(Skill {
            id: self.lesson,
            slug: self.slug,
            title: parsed.title,
            prerequisites: parsed.prerequisites,
            steps: parsed.steps,
            common_errors: parsed.common_errors,
            exit_criteria: parsed.exit_criteria,
            markdown: self.markdown,
            version: self.version,
            status,
            updated_at: self.updated_at,
        })
    }
}

/// The id of a skill's lesson. It stays when the text changes.
pub(crate) fn lesson_id(slug: &str) -> String {
    format!("les_{}", digest(&["skill", slug]))
}

impl Skills for Engine<'_> {
    fn put(&self, slug: &str, markdown: &str) -> Result<Skill, Error> {
        self.put_skill(slug, markdown, Source::Person, |_, _| Ok(Vec::new()))
    }

    fn get(&self, slug: &str) -> Result<Skill, Error> {
        let kept = self.load::<KeptSkill>(slug)?.ok_or_else(|| unknown(slug))?;
        let status = self.status_of(&kept.noun.lesson)?;
        kept.noun.shown(status)
    }

    fn history(&self, slug: &str) -> Result<Vec<Skill>, Error> {
        self.load::<KeptSkill>(slug)?.ok_or_else(|| unknown(slug))?;
        let versions =
            query::<KeptSkillVersion>(vec![equals("skill", slug)], newest("version"), LISTED);
        let mut found = self.search::<KeptSkillVersion>(&versions)?;
        found.reverse();
        let replaced = found.into_iter().map(|(read, _)| read.noun.0);
        replaced
            .map(|kept| kept.shown(LessonStatus::Deprecated))
            .collect()
    }

    fn all(&self) -> Result<Vec<Skill>, Error> {
        let query = query::<KeptSkill>(Vec::new(), Order::ById, LISTED);
        let found = self.search::<KeptSkill>(&query)?;
        self.in_use(found.into_iter().map(|(read, _)| read.noun).collect())
    }

    fn find(&self, task: &str, limit: u32) -> Result<Vec<SkillHit>, Error> {
        let sought = terms::telling(&task[..task.floor_char_boundary(limits::TASK_BYTES)]);
        if sought.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let words: Vec<_> = sought.iter().map(String::as_str).collect();
        let query = query::<KeptSkill>(Vec::new(), Order::ByText(words.join(" ")), FOUND);
        let found = self.search::<KeptSkill>(&query)?;
        let skills = self.in_use(found.into_iter().map(|(read, _)| read.noun).collect())?;
        let mut hits = Vec::with_capacity(skills.len());
        for skill in skills {
            let title = terms::telling(&format!("{} {}", skill.slug, skill.title));
            let body = terms::telling(&skill.markdown);
            let weight = |word: &String| match (title.contains(word), body.contains(word)) {
                (true, _) => 1.0,
                (false, true) => BODY_WORD,
                (false, false) => 0.0,
            };
            let score = sought.iter().map(weight).sum::<f64>() / sought.len() as f64;
            let keywords = sought
                .iter()
                .filter(|word| weight(word) > 0.0)
                .cloned()
                .collect();
            hits.push(SkillHit {
                skill,
                score,
                keywords,
            });
        }
        hits.retain(|hit| hit.score > 0.0);
        hits.sort_by(|left, right| {
            let order = right.score.total_cmp(&left.score);
            order.then_with(|| left.skill.slug.cmp(&right.skill.slug))
        });
        hits.truncate(limit as usize);
        Ok(hits)
    }

    fn retire(&self, slug: &str, reason: &str) -> Result<Skill, Error> {
        if reason.trim().is_empty() {
            return Err(Error::InvalidArgument(
                "reason is empty; say why, so that it can be understood later".to_owned(),
            ));
        }
        let now = self.now();
        let kept = self
            .load::<KeptSkill>(slug)?
            .ok_or_else(|| unknown(slug))?
            .noun;
        let status = self.change(|_| {
            let mut entry = self.skill_entry(&kept.lesson)?;
            if !entry.is_recalled() {
                return Ok((Vec::new(), entry.kept.lesson.status));
            }
            entry.become_status(LessonStatus::Deprecated, reason, now);
            Ok((entry.changes(), LessonStatus::Deprecated))
        })?;
        kept.shown(status)
    }

    fn make_of_pattern(&self, pattern: &str, slug: &str) -> Result<Skill, Error> {
        self.skill_from_pattern(pattern, slug)
    }
}

impl Engine<'_> {
    /// Keeps a skill: a new one, or a new version. `besides` says what else is written with it, given the lesson's id.
    fn put_skill(
        &self,
        slug: &str,
        markdown: &str,
        source: Source,
        besides: impl Fn(&str, u64) -> Result<Vec<Change>, Error>,
    ) -> Result<Skill, Error> {
        let markdown = checked(slug, markdown)?;
        let parsed = markdown::parse(&markdown)?;
        let now = self.now();
        let id = lesson_id(slug);
        let rule = rule_text(slug, &parsed);
        let candidate = LessonCandidate {
            rule_text: rule.clone(),
            trigger_fingerprints: Vec::new(),
            trigger_texts: Vec::new(),
            tags: Vec::new(),
            scope_hint: Some(Scope::Global),
            kind: Some(LessonKind::Skill),
            domain: None,
            task: None,
            run: None,
            steps: Vec::new(),
            source: Some(source),
        };
        let mut proposals = [self.proposal(&candidate)?.under(&id)];
        self.with_vectors(&mut proposals, |proposals| {
            self.change(|_| {
                let known = self.load::<KeptSkill>(slug)?;
                let mut batch = besides(&id, now)?;
                let mut skill = KeptSkill {
                    slug: slug.to_owned(),
                    lesson: id.clone(),
                    markdown: markdown.clone(),
                    version: 1,
                    updated_at: now,
                };
                let Some(Read {
                    noun: known,
                    version,
                }) = known
                else {
                    let (changes, lessons) = self.entered(proposals, &mut Vec::new(), now)?;
                    batch.extend(changes);
                    batch.push(put(&skill, Precondition::Absent));
                    let status = status_of(&lessons);
                    return Ok((batch, skill.shown(status)?));
                };
                let mut entry = self.skill_entry(&id)?;
                let same = known.markdown == markdown;
                if same && entry.is_recalled() {
                    return Ok((Vec::new(), known.shown(entry.kept.lesson.status)?));
                }
                if !entry.is_recalled() {
                    if entry.kept.lesson.status == LessonStatus::Archived {
                        return Err(Error::Conflict(format!(
                            "the skill `{slug}` is archived and stays so; choose another name"
                        )));
                    }
                    entry.become_status(LessonStatus::Promoted, "written anew", now);
                }
                if same {
                    skill = known;
                } else {
                    skill.version = known.version.saturating_add(1);
                    entry.kept.lesson.rule_text.clone_from(&rule);
                    entry.kept.lesson.updated_at = now;
                    entry.kept.vector = proposals[0].vector().to_vec();
                    batch.push(put(&KeptSkillVersion(known), Precondition::Absent));
                    batch.push(put(&skill, Precondition::At(version)));
                }
                batch.extend(entry.changes());
                let status = entry.kept.lesson.status;
                Ok((batch, skill.shown(status)?))
            })
        })
    }

    fn skill_entry(&self, lesson: &str) -> Result<crate::lessons::Entry, Error> {
        let entry = self.entries(&[lesson.to_owned()])?.pop();
        entry.ok_or_else(|| crate::lessons::unknown(lesson))
    }

    fn status_of(&self, lesson: &str) -> Result<LessonStatus, Error> {
        let kept = self.load::<KeptLesson>(lesson)?;
        let kept = kept.ok_or_else(|| crate::lessons::unknown(lesson))?;
        Ok(kept.noun.lesson.status)
    }

    /// Those of some skills whose lessons are shown.
    pub(crate) fn in_use(&self, skills: Vec<KeptSkill>) -> Result<Vec<Skill>, Error> {
        if skills.is_empty() {
            return Ok(Vec::new());
        }
        let keys: Vec<_> = skills
            .iter()
            .map(|skill| Kind::Lesson.key(&skill.lesson))
            .collect();
        let mut status = BTreeMap::new();
        for stored in self.read(&keys)? {
            let kept = Read::<KeptLesson>::parse(&stored)?.noun;
            status.insert(kept.lesson.id.clone(), kept.lesson.status);
        }
        let mut shown = Vec::with_capacity(skills.len());
        for skill in skills {
            if let Some(status) = status
                .get(&skill.lesson)
                .filter(|status| is_recalled(**status))
            {
                shown.push(skill.shown(*status)?);
            }
        }
        Ok(shown)
    }
}

fn status_of(lessons: &[Lesson]) -> LessonStatus {
    lessons
        .first()
        .map_or(LessonStatus::Candidate, |lesson| lesson.status)
}

/// The masked text of a skill, if its name and size are fit to be kept.
pub(crate) fn checked(slug: &str, markdown: &str) -> Result<String, Error> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if slug.is_empty()
        || slug.len() > limits::SLUG_BYTES
        || !slug.bytes().all(allowed)
        || slug.starts_with('-')
        || secrets::is_secret(slug)
    {
        return Err(Error::InvalidArgument(format!(
            "slug `{}` is not 1 to {} lowercase letters, digits and dashes, such as `api-implementation`",
            payload::kept_text(slug, 100),
            limits::SLUG_BYTES
        )));
    }
    if markdown.len() > limits::SKILL_BYTES {
        return Err(Error::InvalidArgument(format!(
            "markdown has {} bytes, at most {} are taken; make two skills of it",
            markdown.len(),
            limits::SKILL_BYTES
        )));
    }
    Ok(secrets::mask(markdown).into_owned())
}

/// Refuses a skill that can't be kept.
pub(crate) fn check(slug: &str, markdown: &str) -> Result<(), Error> {
    markdown::parse(&checked(slug, markdown)?).map(|_| ())
}

/// What recall shows of a skill: what it is for, and its name. A short text is what a task's few words are like.
fn rule_text(slug: &str, parsed: &Parsed) -> String {
    format!("Skill: {} ({slug})", parsed.title)
}

fn unknown(slug: &str) -> Error {
    Error::NotFound(format!(
        "there is no skill `{}`; skills.all lists them",
        payload::kept_text(slug, 100)
    ))
}
