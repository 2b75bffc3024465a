//! Skills: procedures in steps, kept as the Markdown that a person edits.
//!
//! Owns skills by their names, their versions, and how they are found by keywords. A skill is a lesson of the kind
//! `skill`: whether it is shown is decided there. What its Markdown says is read in [`markdown`]; files are the
//! host's business.

pub(crate) mod from_pattern;
mod markdown;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Order},
    memory::{
        Error, Lesson, LessonCandidate, LessonKind, LessonStatus, Scope, Skill, SkillHit, Source,
    },
};

use crate::{
    lessons::{self, KeptLesson, is_recalled},
    limits, payload,
    refusal::{self, Unit},
    secrets, similarity,
    store::{Batch, Desk, Kind, Noun, Read, Reader, digest, equals, newest, number, query, text},
    text as terms,
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
        terms::indexed(&format!("{} {}", self.slug, self.markdown)).join(" ")
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
    /// The skill as the contract has it.
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

pub(crate) fn put(desk: &mut Desk, slug: &str, markdown: &str) -> Result<Skill, Error> {
    put_skill(desk, slug, markdown, Source::Person, |_, _, _| {})
}

pub(crate) fn get(reader: &Reader, slug: &str) -> Result<Skill, Error> {
    let kept = reader
        .load::<KeptSkill>(slug)?
        .ok_or_else(|| unknown(slug))?;
    let status = status_of(reader, &kept.noun.lesson)?;
    kept.noun.shown(status)
}

pub(crate) fn history(reader: &Reader, slug: &str) -> Result<Vec<Skill>, Error> {
    reader
        .load::<KeptSkill>(slug)?
        .ok_or_else(|| unknown(slug))?;
    let versions =
        query::<KeptSkillVersion>(vec![equals("skill", slug)], newest("version"), LISTED);
    let mut found = reader.search::<KeptSkillVersion>(&versions)?;
    found.reverse();
    let replaced = found.into_iter().map(|(read, _)| read.noun.0);
    replaced
        .map(|kept| kept.shown(LessonStatus::Deprecated))
        .collect()
}

pub(crate) fn all(reader: &Reader) -> Result<Vec<Skill>, Error> {
    Ok(first_in_use(reader, Order::ById, LISTED)?.0)
}

/// The first skills in use in an order, at most so many, and the store's score of each by its name. Retired ones are passed
/// over, however many there are.
fn first_in_use(
    reader: &Reader,
    order: Order,
    most: u32,
) -> Result<(Vec<Skill>, BTreeMap<String, f64>), Error> {
    let mut page = query::<KeptSkill>(Vec::new(), order, most);
    let (mut skills, mut scores) = (Vec::new(), BTreeMap::new());
    loop {
        let found = reader.search::<KeptSkill>(&page)?;
        let is_last = found.len() < most as usize;
        scores.extend(
            found
                .iter()
                .map(|(read, score)| (read.noun.slug.clone(), *score)),
        );
        let kept = found.into_iter().map(|(read, _)| read.noun);
        skills.extend(in_use(reader, kept.collect())?);
        if is_last || skills.len() >= most as usize {
            skills.truncate(most as usize);
            return Ok((skills, scores));
        }
        page.offset += most;
    }
}

/// The skills that fit a task best, in the one order of all that is found: by words, of which rare ones say more, and by
/// meaning where an embedder reads whole texts. Among those that fit about as well the share of keywords decides.
pub(crate) fn find(desk: &Desk, task: &str, limit: u32) -> Result<Vec<SkillHit>, Error> {
    let task = &task[..task.floor_char_boundary(limits::TASK_BYTES)];
    let sought = terms::telling(task);
    if sought.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let order = Order::ByText(terms::asked(task).join(" "));
    let (skills, scores) = first_in_use(desk, order, FOUND)?;
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
    let scores: Vec<_> = (hits.iter())
        .map(|hit| scores.get(&hit.skill.slug).copied())
        .collect();
    let words = similarity::by_words(&scores, false, |at| hits[at].score);
    let similarities = beside_meaning(desk, task, &hits, words);
    let mut hits: Vec<_> = hits.into_iter().zip(similarities).collect();
    similarity::best_fitting_first(
        &mut hits,
        similarity::LESSONS_FIT_AS_WELL,
        |(_, similarity)| *similarity,
        |(left, _), (right, _)| {
            let order = right.score.total_cmp(&left.score);
            order.then_with(|| left.skill.slug.cmp(&right.skill.slug))
        },
    );
    hits.truncate(limit as usize);
    Ok(hits.into_iter().map(|(hit, _)| hit).collect())
}

/// How similar skills are by their words and by the meaning of their lessons, if an embedder reads whole texts.
fn beside_meaning(desk: &Desk, task: &str, hits: &[SkillHit], words: Vec<f64>) -> Vec<f64> {
    let meaning = match hits.len() {
        // Of one there is no order.
        0 | 1 => return words,
        _ => desk.meaning_of(task),
    };
    if meaning.is_empty() {
        return words;
    }
    let conditions = vec![
        equals("kind", LessonKind::Skill.as_str()),
        meaning.is_comparable(),
    ];
    let order = Order::ByNearest(meaning.vector.clone());
    match desk.search::<KeptLesson>(&query::<KeptLesson>(conditions, order, FOUND)) {
        Ok(near) => {
            let cosine = |hit: &SkillHit| {
                let own = near
                    .iter()
                    .find(|(read, _)| read.noun.lesson.id == hit.skill.id);
                own.map(|(_, cosine)| *cosine)
            };
            let cosines: Vec<_> = hits.iter().map(cosine).collect();
            similarity::fused(&words, &cosines, meaning.scale, meaning.is_of_words())
        }
        Err(error) => {
            desk.warn(&format!("searched by words only: {}", error.message()));
            words
        }
    }
}

pub(crate) fn retire(desk: &mut Desk, slug: &str, reason: &str) -> Result<Skill, Error> {
    refusal::not_empty(
        "reason",
        reason,
        "say why, so that it can be understood later",
    )?;
    let now = desk.now();
    let kept = desk
        .load::<KeptSkill>(slug)?
        .ok_or_else(|| unknown(slug))?
        .noun;
    let status = desk.commit(|batch| {
        let mut entry = skill_entry(batch, &kept.lesson)?;
        if !entry.is_recalled() {
            return Ok(entry.kept.lesson.status);
        }
        entry.become_status(LessonStatus::Deprecated, reason, now);
        entry.put(batch);
        Ok(LessonStatus::Deprecated)
    })?;
    kept.shown(status)
}

/// Keeps a skill: a new one, or a new version. `besides` says what else is written with it, given the lesson's id.
fn put_skill(
    desk: &mut Desk,
    slug: &str,
    markdown: &str,
    source: Source,
    besides: impl Fn(&mut Batch, &str, u64),
) -> Result<Skill, Error> {
    let markdown = checked(slug, markdown)?;
    let parsed = markdown::parse(&markdown)?;
    let now = desk.now();
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
    let mut proposals = [super::proposal::proposal(desk, &candidate)?.under(&id)];
    super::entry::with_vectors(desk, &mut proposals, |desk, proposals| {
        desk.commit(|batch| {
            let known = batch.load::<KeptSkill>(slug)?;
            let mut skill = KeptSkill {
                slug: slug.to_owned(),
                lesson: id.clone(),
                markdown: markdown.clone(),
                version: 1,
                updated_at: now,
            };
            let Some(Read { noun: known, .. }) = known else {
                besides(batch, &id, now);
                let lessons = super::entry::enter(batch, proposals, &mut Vec::new(), now)?;
                batch.add(&skill);
                let status = first_status(&lessons);
                return skill.shown(status);
            };
            let mut entry = skill_entry(batch, &id)?;
            let same = known.markdown == markdown;
            if same && entry.is_recalled() {
                return known.shown(entry.kept.lesson.status);
            }
            if !entry.is_recalled() {
                if entry.kept.lesson.status == LessonStatus::Archived {
                    return Err(Error::Conflict(format!(
                        "Skill `{slug}` is archived and can't be changed. Choose another name."
                    )));
                }
                entry.become_status(LessonStatus::Promoted, "written again", now);
            }
            if same {
                skill = known;
            } else {
                skill.version = known.version.saturating_add(1);
                entry.kept.lesson.rule_text.clone_from(&rule);
                entry.kept.lesson.updated_at = now;
                entry.kept.take_vector(&proposals[0].made());
                batch.add(&KeptSkillVersion(known));
                batch.put(&skill);
            }
            besides(batch, &id, now);
            entry.put(batch);
            let status = entry.kept.lesson.status;
            skill.shown(status)
        })
    })
}

fn skill_entry(reader: &Reader, lesson: &str) -> Result<lessons::Entry, Error> {
    let entry = super::entry::entries(reader, &[lesson.to_owned()])?.pop();
    entry.ok_or_else(|| lessons::unknown(lesson))
}

fn status_of(reader: &Reader, lesson: &str) -> Result<LessonStatus, Error> {
    let kept = reader.load::<KeptLesson>(lesson)?;
    let kept = kept.ok_or_else(|| lessons::unknown(lesson))?;
    Ok(kept.noun.lesson.status)
}

/// Those of some skills whose lessons are shown.
pub(crate) fn in_use(reader: &Reader, skills: Vec<KeptSkill>) -> Result<Vec<Skill>, Error> {
    let lessons = skills.iter().map(|skill| &skill.lesson);
    let lessons = reader.load_by_id::<KeptLesson>(lessons)?;
    let mut shown = Vec::with_capacity(skills.len());
    for skill in skills {
        if let Some(read) = lessons.get(&skill.lesson)
            && is_recalled(read.noun.lesson.status)
        {
            shown.push(skill.shown(read.noun.lesson.status)?);
        }
    }
    Ok(shown)
}

fn first_status(lessons: &[Lesson]) -> LessonStatus {
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
            "`slug` is `{}`; it must be 1 to {} lowercase letters, digits or dashes, such as `api-implementation`",
            payload::kept_text(slug, 100),
            limits::SLUG_BYTES
        )));
    }
    refusal::at_most(
        "markdown",
        markdown.len(),
        Unit::Bytes,
        limits::SKILL_BYTES,
        "split it into two skills",
    )?;
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
    refusal::unknown("skill", slug, "skills.all")
}
