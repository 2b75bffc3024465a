//! The intake of a tree: all files are read and checked, then kept in an order in which each finds what it refers to.
//!
//! Owns that order, what becomes of each record, and the counts. What a file says is the business of its own module.

use std::collections::BTreeSet;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use twiceshy_wit::{
    host::{Document, Precondition},
    memory::{
        Error, Handoff, Ledger, LessonKind, Link, NewPattern, PatternUpdate, Patterns, Skills,
        TreeFile, TreeImport,
    },
};

use super::{
    agent_files::{HandoffFile, LedgerFile},
    carried::{self, Extension},
    episode_file::EpisodeFile,
    layout::{self, Place},
    members::refused,
    semantic_files::{AntiPattern, LinkRow, Note, Said, records},
};
use crate::{
    documents::{Kind, Noun, Read, put},
    lessons::KeptLesson,
    limits, payload,
    ports::Engine,
    skills::{self, KeptSkill},
};

/// What becomes of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Added,
    Changed,
    Known,
}

/// A file that holds nothing but documents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RestFile {
    twiceshy: Extension,
}

/// A record of knowledge: a pattern, an anti-pattern or a fact.
struct Knowledge {
    place: String,
    kind: LessonKind,
    said: Said,
    new: NewPattern,
    /// How often it was used elsewhere, and when last.
    usage: (u32, Option<u64>),
    carried: Option<CarriedLesson>,
}

/// A lesson with its documents, as it was exported.
struct CarriedLesson {
    id: String,
    documents: Vec<Document>,
    edited: bool,
}

/// The files of a tree, read and checked.
#[derive(Default)]
struct Tree {
    rest: Vec<Document>,
    episodes: Vec<(String, EpisodeFile)>,
    knowledge: Vec<Knowledge>,
    links: Vec<(String, Link)>,
    skills: Vec<(String, String, String)>,
    ledgers: Vec<(String, LedgerFile)>,
    handoffs: Vec<(String, HandoffFile)>,
    learnings: Vec<(String, AntiPattern)>,
    ignored: Vec<String>,
}

impl Engine<'_> {
    pub(super) fn take_tree(
        &self,
        files: &[TreeFile],
        check_only: bool,
    ) -> Result<TreeImport, Error> {
        let tree = self.tree(files)?;
        let ids = tree.ids();
        let mut import = TreeImport {
            added: 0,
            changed: 0,
            known: 0,
            ignored: tree.ignored.clone(),
        };
        // First without writing: what would be refused is refused before anything is changed.
        self.go_through(&tree, &ids, true, &mut import)?;
        if check_only {
            return Ok(import);
        }
        let mut written = import.clone();
        self.go_through(&tree, &ids, false, &mut written)?;
        Ok(import)
    }

    /// Goes through all records in an order in which each finds what it refers to.
    fn go_through(
        &self,
        tree: &Tree,
        ids: &BTreeSet<String>,
        dry: bool,
        import: &mut TreeImport,
    ) -> Result<(), Error> {
        let mut failures = BTreeSet::new();
        let mut count = |fate: Fate| match fate {
            Fate::Added => import.added += 1,
            Fate::Changed => import.changed += 1,
            Fate::Known => import.known += 1,
        };
        for document in &tree.rest {
            let memories = [Kind::Decision.as_str(), Kind::Failure.as_str()];
            if memories.contains(&document.key.kind.as_str()) {
                let held = !self.read(std::slice::from_ref(&document.key))?.is_empty();
                count(if held { Fate::Known } else { Fate::Added });
            }
        }
        if !dry {
            self.add_documents(&tree.rest, &mut failures)?;
        }
        let mut seen = BTreeSet::new();
        for (path, file) in &tree.episodes {
            if !seen.insert(&file.id) {
                return Err(refused(
                    path,
                    format!("the id `{}` is there twice", file.id),
                ));
            }
            count(self.take_episode(path, file, dry, &mut failures)?);
        }
        for knowledge in &tree.knowledge {
            count(self.take_knowledge(knowledge, dry)?);
        }
        for (path, learning) in &tree.learnings {
            let new = learning.from_elsewhere();
            let source = new.source_episodes.first();
            let derived = match source {
                Some(id) => ids.contains(id) || self.is_memory(id)?,
                None => false,
            };
            if !derived {
                let knowledge = Knowledge {
                    place: path.clone(),
                    kind: LessonKind::AntiPattern,
                    said: learning.said(),
                    new,
                    usage: (0, None),
                    carried: None,
                };
                count(self.take_knowledge(&knowledge, dry)?);
            }
        }
        for (path, slug, text) in &tree.skills {
            count(self.take_skill(path, slug, text, dry)?);
        }
        let mut links = BTreeSet::new();
        for (path, link) in &tree.links {
            if !links.insert(link.id()) {
                continue;
            }
            let ends = [&link.source, &link.target];
            let mut missing = None;
            for end in ends {
                if !ids.contains(end) && !self.is_memory(end)? {
                    missing = Some(end);
                }
            }
            if let Some(missing) = missing {
                import.ignored.push(format!(
                    "{path}: the link {} {} {}: there is no memory `{}`",
                    show(&link.source),
                    link.relation.as_str(),
                    show(&link.target),
                    show(missing),
                ));
                continue;
            }
            let held = self.holds(Kind::Link, &link.id())?;
            match held {
                true => import.known += 1,
                false => import.added += 1,
            }
            if !dry && !held {
                self.add_documents(&[super::lines::document(link)], &mut failures)?;
            }
        }
        let mut count = |fate: Fate| match fate {
            Fate::Added => import.added += 1,
            Fate::Changed => import.changed += 1,
            Fate::Known => import.known += 1,
        };
        for (path, file) in &tree.ledgers {
            count(self.take_ledger(path, file, dry)?);
        }
        for (path, file) in &tree.handoffs {
            count(self.take_handoff(path, file, dry)?);
        }
        failures.iter().try_for_each(|id| self.recount(id))
    }

    /// Reads and checks files.
    fn tree(&self, files: &[TreeFile]) -> Result<Tree, Error> {
        let bytes: usize = files.iter().map(|file| file.text.len()).sum();
        if bytes > limits::FILE_BYTES {
            return Err(Error::InvalidArgument(format!(
                "the files have {} MiB, at most {} are taken at once; hand them in in parts",
                bytes >> 20,
                limits::FILE_BYTES >> 20
            )));
        }
        let mut tree = Tree::default();
        let mut paths = BTreeSet::new();
        for TreeFile { path, text } in files {
            if !layout::is_within(path) {
                return Err(Error::InvalidArgument(format!(
                    "the path `{}` is not one within a tree, such as skills/debugging.md; nothing was taken in",
                    show(path)
                )));
            }
            if !paths.insert(path) {
                return Err(refused(path, "it is there twice"));
            }
            match layout::place(path) {
                Some(place) => self.read_file(&mut tree, place, path, text)?,
                None => tree
                    .ignored
                    .push(format!("{path}: it is not part of the layout")),
            }
        }
        Ok(tree)
    }

    fn read_file(
        &self,
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
                    let ignored = format!("{path}: it is damaged ({error}); it is made anew");
                    tree.ignored.push(ignored);
                }
            }
            Place::Notes(kind) => {
                for (at, note) in listed::<Note>(path, text)?.into_iter().enumerate() {
                    let place = format!("{path}: [{at}] `{}`", show(&note.id));
                    tree.knowledge
                        .push(self.note(place, kind, note, &mut tree.links)?);
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
                        new: one.from_elsewhere(),
                        usage: (0, None),
                        said,
                        carried,
                    });
                }
            }
            Place::Links => {
                let now = self.now();
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

    fn note(
        &self,
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
                "the id was changed by hand; leave `twiceshy` out to take it in as another one",
            ));
        }
        let own = note.own_links(self.now()).into_iter();
        links.extend(own.map(|link| (place.clone(), link)));
        Ok(Knowledge {
            place,
            kind,
            new: note.from_elsewhere(kind),
            usage: note.usage(),
            said,
            carried,
        })
    }

    fn take_knowledge(&self, one: &Knowledge, dry: bool) -> Result<Fate, Error> {
        let at = |error: Error| match error {
            Error::InvalidArgument(reason) => refused(&one.place, reason),
            error => error,
        };
        let (id, edited) = match &one.carried {
            Some(carried) => (carried.id.clone(), carried.edited),
            None => (self.pattern_id(&one.new).map_err(at)?, true),
        };
        let held = self.holds(Kind::Lesson, &id)?;
        if !dry && let Some(carried) = &one.carried {
            self.add_documents(&carried.documents, &mut BTreeSet::new())?;
        }
        if !held && one.carried.is_none() {
            if !dry {
                let added = Patterns::add(self, &one.new).map_err(at)?;
                self.used_elsewhere(&added.lesson.id, one.usage)?;
            }
            return Ok(Fate::Added);
        }
        if !edited || (!held && dry) {
            return Ok(if held { Fate::Known } else { Fate::Added });
        }
        let pattern = Patterns::get(self, &id)?;
        let update = one.said.update(&pattern, one.kind_of(&pattern.lesson.kind));
        let changes = says_something(&update);
        if changes && !dry {
            Patterns::update(self, &id, &update).map_err(at)?;
        }
        Ok(match (held, changes) {
            (false, _) => Fate::Added,
            (true, true) => Fate::Changed,
            (true, false) => Fate::Known,
        })
    }

    /// Notes how often a pattern was used elsewhere.
    fn used_elsewhere(&self, id: &str, (times, last): (u32, Option<u64>)) -> Result<(), Error> {
        if times == 0 {
            return Ok(());
        }
        self.change(|_| {
            let mut entry = self.pattern_entry(id)?;
            entry.pattern().0.was_used(times, last);
            Ok((entry.changes(), ()))
        })
    }

    fn take_skill(&self, path: &str, slug: &str, text: &str, dry: bool) -> Result<Fate, Error> {
        let known = self.load::<KeptSkill>(slug)?;
        let same = match &known {
            Some(known) => known.noun.markdown == skills::checked(slug, text)?,
            None => false,
        };
        if same {
            return Ok(Fate::Known);
        }
        if !dry {
            let kept = Skills::put(self, slug, text);
            kept.map_err(|error| refused(path, error.message()))?;
        }
        Ok(match known {
            Some(_) => Fate::Changed,
            None => Fate::Added,
        })
    }

    fn take_ledger(&self, path: &str, file: &LedgerFile, dry: bool) -> Result<Fate, Error> {
        check_agent(path, "agent_id", &file.agent_id)?;
        let carried = carried::<Ledger>(path, file.twiceshy.as_ref(), Kind::Ledger)?;
        let mut plain = file.clone();
        plain.twiceshy = None;
        let edited = carried
            .as_ref()
            .is_none_or(|ledger| LedgerFile::of(ledger) != plain);
        let checkpoints = carried.map_or(1, |ledger| ledger.checkpoints);
        self.take_document(dry, edited, &file.agent_id, |known: Option<&Ledger>| {
            let known = known.map(|ledger| ledger.checkpoints);
            plain.ledger(known.unwrap_or(checkpoints))
        })
    }

    fn take_handoff(&self, path: &str, file: &HandoffFile, dry: bool) -> Result<Fate, Error> {
        let digits = file.id.strip_prefix("handoff-").unwrap_or_default();
        if digits.is_empty()
            || digits.len() > 9
            || !digits.bytes().all(|byte| byte.is_ascii_digit())
        {
            let id = show(&file.id);
            return Err(refused(
                path,
                format!("id is `{id}`, which is not one such as handoff-001"),
            ));
        }
        let carried = carried::<Handoff>(path, file.twiceshy.as_ref(), Kind::Handoff)?;
        let mut plain = file.clone();
        plain.twiceshy = None;
        let edited = carried
            .as_ref()
            .is_none_or(|handoff| HandoffFile::of(handoff) != plain);
        let taken_up_at = carried.and_then(|handoff| handoff.taken_up_at);
        self.take_document(dry, edited, &file.id, |known: Option<&Handoff>| {
            plain.handoff(known.map_or(taken_up_at, |known| known.taken_up_at))
        })
    }

    /// Keeps a noun that is one document: if it is not there, or if it was changed by hand.
    fn take_document<N: Noun + PartialEq>(
        &self,
        dry: bool,
        edited: bool,
        id: &str,
        told: impl Fn(Option<&N>) -> N,
    ) -> Result<Fate, Error> {
        self.change(|_| {
            let known = self.load::<N>(id)?;
            if known.is_some() && !edited {
                return Ok((Vec::new(), Fate::Known));
            }
            let noun = masked(&told(known.as_ref().map(|known| &known.noun)))?;
            let (fate, precondition) = match known {
                Some(Read { noun: known, .. }) if known == noun => {
                    return Ok((Vec::new(), Fate::Known));
                }
                Some(Read { version, .. }) => (Fate::Changed, Precondition::At(version)),
                None => (Fate::Added, Precondition::Absent),
            };
            let change = put(&noun, precondition);
            Ok((if dry { Vec::new() } else { vec![change] }, fate))
        })
    }
}

impl Knowledge {
    /// How what is said is read: an anti-pattern has other members than a note.
    fn kind_of(&self, stored: &LessonKind) -> LessonKind {
        match self.kind {
            LessonKind::AntiPattern => LessonKind::AntiPattern,
            _ if *stored == LessonKind::AntiPattern => LessonKind::Rule,
            _ => *stored,
        }
    }
}

impl Tree {
    /// The ids of the memories that the tree brings.
    fn ids(&self) -> BTreeSet<String> {
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

/// A text from outside in a message.
fn show(text: &str) -> String {
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

/// The noun that came along with a record, if it did.
fn carried<N: Noun>(
    path: &str,
    extension: Option<&Extension>,
    kind: Kind,
) -> Result<Option<N>, Error> {
    let Some(extension) = extension else {
        return Ok(None);
    };
    let checked = extension.rebuilt(&[kind]);
    checked.map_err(|error| refused(path, error))?;
    extension.noun().map_err(|error| refused(path, error))
}

/// A noun whose texts hold no secrets.
fn masked<N: Noun>(noun: &N) -> Result<N, Error> {
    let mut extension = Extension::default();
    extension.set(noun);
    let masked = extension.noun().map_err(Error::Other)?;
    masked.ok_or_else(|| Error::Other("a noun was lost".to_owned()))
}

fn says_something(update: &PatternUpdate) -> bool {
    update.summary.is_some()
        || update.explanation.is_some()
        || update.correct_approach.is_some()
        || update.incorrect_approach.is_some()
        || update.applicability.is_some()
}

fn check_agent(path: &str, member: &str, agent: &str) -> Result<(), Error> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    match (1..=64).contains(&agent.len()) && agent.bytes().all(allowed) {
        true => Ok(()),
        false => Err(refused(
            path,
            format!(
                "{member} is `{}`, which is not 1 to 64 letters, digits, dashes, dots and underscores",
                show(agent)
            ),
        )),
    }
}
