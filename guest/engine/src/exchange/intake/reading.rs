//! The files of a tree, read and checked.
//!
//! Owns what is refused before anything is looked up or written: paths, sizes, damaged text, documents that don't belong.

use std::collections::BTreeSet;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use twiceshy_wit::{
    host::Document,
    memory::{Error, LessonKind, Link, NewPattern, TreeFile},
};

use super::super::{
    agent_files::{HandoffFile, LedgerFile},
    carried::{self, Extension},
    episode_file::EpisodeFile,
    layout::{self, Place},
    members::refused,
    semantic_files::{AntiPattern, LinkRow, Note, Said, records},
};
use crate::{
    lessons::{KeptLesson, skills},
    limits, payload,
    store::{Kind, Noun, Reader},
};

/// A file that holds nothing but documents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RestFile {
    twiceshy: Extension,
}

/// A record of knowledge: a pattern, an anti-pattern or a fact.
pub(super) struct Knowledge {
    pub(super) place: String,
    pub(super) kind: LessonKind,
    pub(super) said: Said,
    pub(super) new: NewPattern,
    /// How often it was used elsewhere, and when last.
    pub(super) usage: (u32, Option<u64>),
    pub(super) carried: Option<CarriedLesson>,
}

/// A lesson with its documents, as it was exported.
pub(super) struct CarriedLesson {
    pub(super) id: String,
    pub(super) documents: Vec<Document>,
    pub(super) edited: bool,
}

/// The files of a tree, read and checked.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) rest: Vec<Document>,
    pub(super) episodes: Vec<(String, EpisodeFile)>,
    pub(super) knowledge: Vec<Knowledge>,
    pub(super) links: Vec<(String, Link)>,
    pub(super) skills: Vec<(String, String, String)>,
    pub(super) ledgers: Vec<(String, LedgerFile)>,
    pub(super) handoffs: Vec<(String, HandoffFile)>,
    pub(super) learnings: Vec<(String, AntiPattern)>,
    pub(super) ignored: Vec<String>,
}

impl Tree {
    /// The ids of the memories that the tree brings.
    pub(super) fn ids(&self) -> BTreeSet<String> {
        let episodes = self.episodes.iter().map(|(_, file)| file.id.clone());
        let knowledge = self.knowledge.iter().filter_map(|one| match &one.carried {
            Some(carried) => Some(carried.id.clone()),
            None => one.new.id.clone(),
        });
        let skills = self
            .skills
            .iter()
            .map(|(_, slug, _)| skills::lesson_id(slug));
        let rest = self
            .rest
            .iter()
            .filter(|one| one.key.kind == Kind::Lesson.as_str());
        let rest = rest.map(|document| document.key.id.clone());
        episodes
            .chain(knowledge)
            .chain(skills)
            .chain(rest)
            .collect()
    }
}

/// Reads and checks files.
pub(super) fn tree(reader: &Reader, files: &[TreeFile]) -> Result<Tree, Error> {
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    if bytes > limits::FILE_BYTES {
        return Err(Error::InvalidArgument(format!(
            "the files have {} MiB, and at most {} are allowed at once; import them in parts",
            bytes >> 20,
            limits::FILE_BYTES >> 20
        )));
    }
    let mut tree = Tree::default();
    let mut paths = BTreeSet::new();
    for TreeFile { path, text } in files {
        if !layout::is_within(path) {
            return Err(Error::InvalidArgument(format!(
                "the path `{}` must be within the tree, such as skills/debugging.md; nothing was imported",
                show(path)
            )));
        }
        if !paths.insert(path) {
            return Err(refused(path, "it occurs twice"));
        }
        match layout::place(path) {
            Some(place) => read_file(reader, &mut tree, place, path, text)?,
            None => tree
                .ignored
                .push(format!("{path}: it is not part of the layout")),
        }
    }
    Ok(tree)
}

fn read_file(
    reader: &Reader,
    tree: &mut Tree,
    place: Place,
    path: &str,
    text: &str,
) -> Result<(), Error> {
    let text = text.trim_start_matches('\u{feff}');
    match place {
        Place::Episode => tree.episodes.push((path.to_owned(), parsed(path, text)?)),
        Place::Index => {
            if let Err(error) = serde_json::from_str::<Value>(text) {
                let ignored = format!("{path}: it is damaged ({error}), and will be rebuilt");
                tree.ignored.push(ignored);
            }
        }
        Place::Notes(kind) => {
            for (at, note) in listed::<Note>(path, text)?.into_iter().enumerate() {
                let place = format!("{path}: [{at}] `{}`", show(&note.id));
                tree.knowledge
                    .push(read_note(reader, place, kind, note, &mut tree.links)?);
            }
        }
        Place::AntiPatterns => {
            for (at, one) in listed::<AntiPattern>(path, text)?.into_iter().enumerate() {
                let place = format!("{path}: [{at}]");
                let said = one.said();
                let carried = carried_lesson(&place, one.twiceshy.as_ref(), &said)?;
                tree.knowledge.push(Knowledge {
                    place,
                    kind: LessonKind::AntiPattern,
                    new: one.as_new(),
                    usage: (0, None),
                    said,
                    carried,
                });
            }
        }
        Place::Links => {
            let now = reader.now();
            let rows = listed::<LinkRow>(path, text)?;
            let links = rows.iter().map(|row| (path.to_owned(), row.link(now)));
            // What a file of its own says of a link, with its reason, goes before what a note says.
            tree.links.splice(0..0, links);
        }
        Place::Skill(slug) => {
            skills::check(&slug, text).map_err(|error| refused(path, error.message()))?;
            tree.skills.push((path.to_owned(), slug, text.to_owned()));
        }
        Place::Ledger => tree.ledgers.push((path.to_owned(), parsed(path, text)?)),
        Place::Handoff => tree.handoffs.push((path.to_owned(), parsed(path, text)?)),
        Place::Learnings => {
            let learnings = listed::<AntiPattern>(path, text)?.into_iter();
            tree.learnings
                .extend(learnings.map(|one| (path.to_owned(), one)));
        }
        Place::Metrics => {}
        Place::Rest => {
            let RestFile { twiceshy } = parsed(path, text)?;
            let documents = twiceshy.rebuilt(carried::KINDS);
            tree.rest
                .extend(documents.map_err(|error| refused(path, error))?);
        }
    }
    Ok(())
}

fn read_note(
    reader: &Reader,
    place: String,
    kind: LessonKind,
    note: Note,
    links: &mut Vec<(String, Link)>,
) -> Result<Knowledge, Error> {
    let said = note.said();
    let carried = carried_lesson(&place, note.twiceshy.as_ref(), &said)?;
    if let Some(carried) = &carried
        && carried.id != note.id
    {
        return Err(refused(
            &place,
            "the id was changed by hand; remove `twiceshy` to import it as another memory",
        ));
    }
    let own = note.own_links(reader.now()).into_iter();
    links.extend(own.map(|link| (place.clone(), link)));
    Ok(Knowledge {
        place,
        kind,
        new: note.as_new(kind),
        usage: note.usage(),
        said,
        carried,
    })
}

/// A text from outside in a message.
pub(super) fn show(text: &str) -> String {
    payload::kept_text(text, 100)
}

fn parsed<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| refused(path, error))
}

fn listed<T: DeserializeOwned>(path: &str, text: &str) -> Result<Vec<T>, Error> {
    records(text).map_err(|error| refused(path, error))
}

/// The documents of a lesson that came along, and whether what its record says was changed since.
fn carried_lesson(
    place: &str,
    extension: Option<&Extension>,
    said: &Said,
) -> Result<Option<CarriedLesson>, Error> {
    let Some(extension) = extension else {
        return Ok(None);
    };
    let documents = extension.rebuilt(&carried::of_lesson());
    let documents = documents.map_err(|error| refused(place, error))?;
    let lesson = extension.noun::<KeptLesson>();
    let lesson = lesson.map_err(|error| refused(place, error))?;
    let lesson = lesson.ok_or_else(|| refused(place, "twiceshy.documents.lesson is missing"))?;
    Ok(Some(CarriedLesson {
        id: lesson.id(),
        documents,
        edited: extension.said.as_ref() != Some(&said.digest()),
    }))
}
