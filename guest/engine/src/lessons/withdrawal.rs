//! Withdrawal: what a deleted episode taught, out of everybody's sight until the episode is brought back or purged.
//!
//! Owns what an episode takes along when it is deleted. A lesson that was learned in it alone goes as a whole, with its
//! evidence, its links, what it has as a pattern and the skill that was made of it; one that others taught, too, stays
//! without the part that came from it. Nothing that looks for lessons has to know of those that are withdrawn.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Document, Order},
    memory::{Episode, Error, Link, Origin, PatternVersion, Relation, Source},
};

use super::{
    KeptEvidence, KeptLesson,
    entry::{self, Entry},
    patterns::{self, Body, Head},
    skills::{KeptSkill, KeptSkillVersion},
};
use crate::{
    analogy::Case,
    episodes::attempts,
    events::{Known, settled},
    limits,
    mining::{self, Attempt},
    store::{Batch, Desk, Kind, Noun, Reader, equals, from_body, newest, rebuilt, text, written},
};

/// Lessons that are looked at in one go.
const PAGE: u32 = 200;

/// Lessons of one episode.
const LISTED: u32 = 1_000;

/// Documents of one kind that a lesson takes along: all that is written fits into one commit.
const TAKEN: u32 = 200;

/// What is withdrawn of a lesson.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Withdrawn {
    lesson: String,
    /// What each deleted episode taught of it.
    parts: Vec<Part>,
    /// All of it, as kinds and bodies, if it was learned in deleted episodes alone.
    documents: Vec<(String, String)>,
}

/// What one episode taught of a lesson.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Part {
    episode: String,
    origins: Vec<Origin>,
    cases: Vec<Case>,
}

/// The attribute that names the episodes without which a lesson would not be there.
const ALONE: &str = "alone";

impl Noun for Withdrawn {
    const KIND: Kind = Kind::Withdrawn;

    fn id(&self) -> String {
        self.lesson.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let names: &[&str] = match self.documents.is_empty() {
            true => &["episode"],
            false => &["episode", ALONE],
        };
        let parts = self.parts.iter();
        let named = parts.flat_map(|part| names.iter().map(|name| text(name, &part.episode)));
        named.collect()
    }
}

/// The lessons that were learned in a deleted episode, and are withdrawn with it or without its part.
pub(crate) fn lessons_of(reader: &Reader, episode: &str) -> Result<Vec<String>, Error> {
    let of_it = equals("episode", episode);
    reader.ids(Kind::Withdrawn, of_it, Order::ById, LISTED)
}

/// The lessons that were learned in an episode alone, withdrawn or not.
pub(crate) fn learned_in_alone(reader: &Reader, episode: &str) -> Result<Vec<String>, Error> {
    let of_it = equals(ALONE, episode);
    let withdrawn = reader.ids(Kind::Withdrawn, of_it, Order::ById, LISTED)?;
    let mut alone: BTreeSet<_> = withdrawn.into_iter().collect();
    let of_it = vec![equals("origin", episode)];
    for kept in reader.find::<KeptLesson>(of_it, newest("updated-at"), LISTED)? {
        let lesson = kept.lesson;
        if lesson.origins.iter().all(|origin| origin.run == episode) {
            alone.insert(lesson.id);
        }
    }
    Ok(alone.into_iter().collect())
}

/// Withdraws what an episode taught. `name` gives the name that a procedure has by an episode's task.
pub(crate) fn withdraw(
    desk: &mut Desk,
    episode: &Episode,
    name: &dyn Fn(&Episode) -> String,
) -> Result<(), Error> {
    let attempts = attempts::all_attempts_of(desk, &episode.id)?;
    let going = Going {
        episode,
        attempts: &attempts,
        name,
    };
    loop {
        let of_it = equals("origin", &episode.id);
        let ids = desk.ids(Kind::Lesson, of_it, newest("updated-at"), PAGE)?;
        if ids.is_empty() {
            return Ok(());
        }
        for id in ids {
            desk.commit(|batch| withdraw_one(batch, &id, &going))?;
        }
    }
}

/// An episode that goes.
struct Going<'g> {
    episode: &'g Episode,
    attempts: &'g [Attempt],
    name: &'g dyn Fn(&Episode) -> String,
}

impl Going<'_> {
    /// Whether a case happened in it.
    fn has(&self, case: &Case) -> bool {
        happened(case, self.attempts)
    }
}

/// Whether a case is what happened in some steps.
fn happened(case: &Case, attempts: &[Attempt]) -> bool {
    let printed = |attempt: &Attempt| Case::new("", &attempt.evidence, "").evidence;
    attempts.iter().any(|attempt| {
        attempt.failure.is_some()
            && attempt.action.contains(&case.wrong)
            && printed(attempt) == case.evidence
    })
}

fn withdraw_one(batch: &mut Batch, id: &str, going: &Going) -> Result<(), Error> {
    let Some(mut entry) = entry::entries(batch, &[id.to_owned()])?.pop() else {
        return Ok(());
    };
    let kept = batch.load::<Withdrawn>(id)?.map(|read| read.noun);
    let mut withdrawn = kept.unwrap_or_default();
    id.clone_into(&mut withdrawn.lesson);
    let part = part_of(batch, &mut entry, going)?;
    withdrawn
        .parts
        .retain(|known| known.episode != part.episode);
    withdrawn.parts.push(part);
    match entry.kept.lesson.origins.is_empty() {
        true => {
            withdrawn.documents.clear();
            take_whole(batch, &entry.kept, &mut withdrawn.documents)?;
        }
        false => {
            without(batch, &mut entry, going)?;
            entry.put(batch);
        }
    }
    batch.put(&withdrawn);
    Ok(())
}

/// Takes the part of an episode out of a lesson.
fn part_of(reader: &Reader, entry: &mut Entry, going: &Going) -> Result<Part, Error> {
    let kept = &mut entry.kept;
    let origins = std::mem::take(&mut kept.lesson.origins);
    let is_own = |origin: &Origin| origin.run == going.episode.id;
    let (own, others): (Vec<_>, Vec<_>) = origins.into_iter().partition(is_own);
    kept.lesson.origins = others;
    let (mut cases, mut stay) = (Vec::new(), Vec::new());
    for case in std::mem::take(&mut kept.cases) {
        let is_own = going.has(&case) && !happened_elsewhere(reader, &case, &kept.lesson.origins)?;
        if is_own { &mut cases } else { &mut stay }.push(case);
    }
    kept.cases = stay;
    Ok(Part {
        episode: going.episode.id.clone(),
        origins: own,
        cases,
    })
}

fn happened_elsewhere(reader: &Reader, case: &Case, origins: &[Origin]) -> Result<bool, Error> {
    for origin in origins.iter().filter(|origin| !origin.run.is_empty()) {
        let attempts = attempts::all_attempts_of(reader, &origin.run).unwrap_or_default();
        if happened(case, &attempts) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes what only one episode has out of a lesson that others taught, too: what it is about, what it is named after and what
/// triggers it.
fn without(batch: &mut Batch, entry: &mut Entry, going: &Going) -> Result<(), Error> {
    let origins = entry.kept.lesson.origins.iter().map(|origin| &origin.run);
    let runs: BTreeSet<_> = origins.filter(|run| !run.is_empty()).cloned().collect();
    let others = batch.load_all::<Episode>(&runs)?;
    let others: Vec<_> = others.into_iter().map(|read| read.noun).collect();
    let (kept, gone) = (&mut entry.kept, going.episode);
    let lesson = &mut kept.lesson;
    if lesson.task == gone.task && !others.iter().any(|other| other.task == gone.task) {
        lesson.task = others
            .first()
            .map_or(String::new(), |other| other.task.clone());
    }
    let is_left = |list: fn(&Episode) -> &Vec<String>, value: &String| {
        !list(gone).contains(value) || others.iter().any(|other| list(other).contains(value))
    };
    let triggers = lesson.trigger_fingerprints.len();
    lesson
        .trigger_fingerprints
        .retain(|id| is_left(|episode| &episode.fingerprints, id));
    lesson
        .tags
        .retain(|tag| is_left(|episode| &episode.tags, tag));
    lesson.tags = settled(std::mem::take(&mut lesson.tags));
    if lesson.trigger_fingerprints.len() < triggers {
        let known = batch.load_all::<Known>(&lesson.trigger_fingerprints)?;
        let templates = known.into_iter().map(|read| read.noun.fingerprint.template);
        kept.trigger_templates = templates.collect();
        kept.trigger_templates.sort();
        kept.trigger_templates.dedup();
    }
    if entry.head.is_some() {
        patterns::read_words(batch, entry)?;
        let (old, new) = ((going.name)(gone), others.first().map(going.name));
        let types: BTreeSet<_> = others.iter().map(|other| &other.task_type).collect();
        let is_gone = |name: &String| *name == gone.task_type && !types.contains(name);
        entry
            .pattern()
            .0
            .applicability
            .problem_types
            .retain(|name| !is_gone(name));
        if let Some(new) = new
            && entry.pattern().0.name == old
            && old != new
        {
            rename(batch, entry, &old, &new)?;
        }
    }
    Ok(())
}

/// Names a procedure after another episode's task. Its earlier versions and the skill that was made of it, which have the old
/// name, go.
fn rename(batch: &mut Batch, entry: &mut Entry, old: &str, new: &str) -> Result<(), Error> {
    let renamed = |text: &String| text.replace(old, new);
    entry.kept.lesson.rule_text = renamed(&entry.kept.lesson.rule_text);
    let statements = &mut entry.kept.statements;
    statements.iter_mut().for_each(|text| *text = renamed(text));
    entry.kept.vector.clear();
    entry.kept.vector_model.clear();
    let (head, body) = entry.pattern();
    patterns::rename(head, body, old, new);
    let id = entry.kept.lesson.id.clone();
    for version in versions_of(batch, &id)? {
        batch.remove_owned(Kind::PatternVersion, &version.id());
    }
    for skill in skills_of(batch, &id)? {
        take_whole(batch, &skill, &mut Vec::new())?;
    }
    Ok(())
}

/// Takes a lesson away with all that it has, and notes it.
fn take_whole(
    batch: &mut Batch,
    kept: &KeptLesson,
    documents: &mut Vec<(String, String)>,
) -> Result<(), Error> {
    let id = kept.lesson.id.as_str();
    for skill in skills_of(batch, id)? {
        take_whole(batch, &skill, documents)?;
    }
    take(batch, std::slice::from_ref(kept), documents);
    let evidence = batch.load::<KeptEvidence>(id)?.map(|read| read.noun);
    take(batch, evidence.as_slice(), documents);
    let head = batch.load::<Head>(id)?.map(|read| read.noun);
    take(batch, head.as_slice(), documents);
    let body = batch.load::<Body>(id)?.map(|read| read.noun);
    take(batch, body.as_slice(), documents);
    take(batch, &versions_of(batch, id)?, documents);
    let links = batch.find::<Link>(vec![equals("lesson", id)], newest("at"), TAKEN)?;
    take(batch, &links, documents);
    let own = vec![equals("lesson", id)];
    for skill in batch.find::<KeptSkill>(own, Order::ById, TAKEN)? {
        let versions = vec![equals("skill", &skill.slug)];
        let versions = batch.find::<KeptSkillVersion>(versions, newest("version"), TAKEN)?;
        take(batch, &versions, documents);
        take(batch, std::slice::from_ref(&skill), documents);
    }
    Ok(())
}

fn take<N: Noun>(batch: &mut Batch, nouns: &[N], documents: &mut Vec<(String, String)>) {
    for noun in nouns {
        let document = written(noun);
        let taken = (document.key.kind, document.body);
        if !documents.contains(&taken) {
            documents.push(taken);
            batch.remove_owned(N::KIND, &noun.id());
        }
    }
}

fn versions_of(reader: &Reader, pattern: &str) -> Result<Vec<PatternVersion>, Error> {
    let own = vec![equals("pattern", pattern)];
    reader.find::<PatternVersion>(own, newest("version"), TAKEN)
}

/// The lessons of skills that were made of a pattern, and that nobody wrote.
fn skills_of(reader: &Reader, pattern: &str) -> Result<Vec<KeptLesson>, Error> {
    let links = reader.find::<Link>(vec![equals("lesson", pattern)], newest("at"), TAKEN)?;
    let made = links
        .into_iter()
        .filter(|link| link.relation == Relation::DerivedFrom && link.target == pattern);
    let made: Vec<_> = made.map(|link| link.source).collect();
    let mut skills = Vec::new();
    for read in reader.load_all::<KeptLesson>(&made)? {
        let mut origins = read.noun.lesson.origins.iter();
        if origins.all(|origin| origin.run.is_empty() && origin.source == Source::Trace) {
            skills.push(read.noun);
        }
    }
    Ok(skills)
}

/// Brings back what was withdrawn with an episode.
pub(crate) fn bring_back(desk: &mut Desk, episode: &str) -> Result<(), Error> {
    each(desk, episode, |batch, withdrawn, part| {
        let id = withdrawn.lesson.clone();
        let mut entry = entry::entries(batch, std::slice::from_ref(&id))?.pop();
        if let Some(entry) = &mut entry {
            part.put_back(&mut entry.kept);
            entry.put(batch);
            return Ok(());
        }
        for (kind, body) in std::mem::take(&mut withdrawn.documents) {
            let mut document = document(&kind, &body)?;
            if document.key == Kind::Lesson.key(&id) {
                let mut kept: KeptLesson = from_body(&body)?;
                part.put_back(&mut kept);
                document = written(&kept);
            }
            // Somebody may have made it again.
            if batch.read(std::slice::from_ref(&document.key))?.is_empty() {
                batch.put_document(document);
            }
        }
        Ok(())
    })
}

/// A document of a lesson from its body.
fn document(kind: &str, body: &str) -> Result<Document, Error> {
    match kind {
        "evidence" => rebuilt::<KeptEvidence>(body),
        "lesson" => rebuilt::<KeptLesson>(body),
        "link" => rebuilt::<Link>(body),
        "pattern" => rebuilt::<Head>(body),
        "pattern-body" => rebuilt::<Body>(body),
        "pattern-version" => rebuilt::<PatternVersion>(body),
        "skill" => rebuilt::<KeptSkill>(body),
        "skill-version" => rebuilt::<KeptSkillVersion>(body),
        kind => Err(Error::Other(format!(
            "documents of kind `{kind}` can't be brought back"
        ))),
    }
}

impl Part {
    /// Adds what the episode taught.
    fn put_back(&self, kept: &mut KeptLesson) {
        for origin in &self.origins {
            let lesson = &mut kept.lesson;
            if lesson.origins.len() < limits::ORIGINS_PER_LESSON && !lesson.origins.contains(origin)
            {
                lesson.origins.push(origin.clone());
            }
        }
        for case in &self.cases {
            if kept.cases.len() < mining::CASES && !kept.cases.contains(case) {
                kept.cases.push(case.clone());
            }
        }
    }
}

/// Forgets what was withdrawn with an episode.
pub(crate) fn forget(desk: &mut Desk, episode: &str) -> Result<(), Error> {
    each(desk, episode, |_, _, _| Ok(()))
}

/// Takes the part of an episode out of each lesson of which one is withdrawn. What nobody is left for goes.
fn each(
    desk: &mut Desk,
    episode: &str,
    go: impl Fn(&mut Batch, &mut Withdrawn, &Part) -> Result<(), Error>,
) -> Result<(), Error> {
    loop {
        let of_it = equals("episode", episode);
        let ids = desk.ids(Kind::Withdrawn, of_it, Order::ById, PAGE)?;
        if ids.is_empty() {
            return Ok(());
        }
        for id in ids {
            desk.commit(|batch| {
                let Some(mut withdrawn) = batch.load::<Withdrawn>(&id)?.map(|read| read.noun)
                else {
                    return Ok(());
                };
                let parts = std::mem::take(&mut withdrawn.parts);
                let is_own = |part: &Part| part.episode == episode;
                let (own, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_own);
                withdrawn.parts = others;
                for part in &own {
                    go(batch, &mut withdrawn, part)?;
                }
                match withdrawn.parts.is_empty() {
                    true => batch.remove(Kind::Withdrawn, &id),
                    false => batch.put(&withdrawn),
                }
                Ok(())
            })?;
        }
    }
}
