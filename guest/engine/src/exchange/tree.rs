//! The tree: the memory as a directory that the memory hierarchy lays out, piece by piece.
//!
//! Owns the order of its files and where a piece ends. A file is always whole. What is in a file is the business of
//! its own module; importing a tree is that of the [intake](super::intake).

pub(crate) mod derived;
pub(crate) mod rest;

use serde::Serialize;
use serde_json::{Value, json};
use twiceshy_wit::{
    host::{Order, Query},
    memory::{Episode, Error, Handoff, Ledger, LessonKind, Link, TreeFile, TreePiece},
};

use super::{
    agent_files::{HandoffFile, LedgerFile},
    carried::Extension,
    layout,
    semantic_files::{AntiPattern, LinkRow, Note, Said},
};
use crate::{
    instant,
    lessons::{
        links, patterns,
        skills::{self, KeptSkill},
    },
    payload,
    store::{Kind, Noun, Reader, any_of, ascending, from_store, query},
};

/// Files and records of one piece.
const PIECE: u32 = 100;

/// Text of one piece from which on it is full, in bytes.
const PIECE_BYTES: usize = 4 << 20;

/// Records of one file of a list.
const LISTED: u32 = 500;

/// The parts of a tree, in their order.
const STAGES: [&str; 12] = [
    "episodic",
    "index",
    "patterns",
    "anti-patterns",
    "facts",
    "links",
    "skills",
    "ledgers",
    "handoffs",
    "learnings",
    "metrics",
    "rest",
];

/// Where an export stands.
#[derive(Debug, Clone, Default, PartialEq)]
struct Cursor {
    stage: usize,
    /// Records of the stage that are done.
    done: u32,
    /// The number of the next file: of the day, or of the list.
    number: u32,
    /// The day, or the kind of documents, that the number counts for.
    of: String,
}

/// A record of a list.
#[derive(Serialize)]
#[serde(untagged)]
enum Record {
    Note(Box<Note>),
    AntiPattern(Box<AntiPattern>),
    Link(LinkRow),
}

impl Cursor {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(4, ' ');
        let stage = parts.next()?;
        let cursor = Self {
            stage: STAGES.iter().position(|name| *name == stage)?,
            done: parts.next()?.parse().ok()?,
            number: parts.next()?.parse().ok()?,
            of: parts.next()?.to_owned(),
        };
        Some(cursor)
    }

    fn written(&self) -> String {
        let stage = STAGES[self.stage];
        format!("{stage} {} {} {}", self.done, self.number, self.of)
    }

    fn next_stage(&mut self) {
        *self = Self {
            stage: self.stage + 1,
            ..Self::default()
        };
    }
}

pub(super) fn tree_piece(reader: &Reader, after: Option<&str>) -> Result<TreePiece, Error> {
    let mut cursor = match after {
        None => Cursor::default(),
        Some(after) => Cursor::read(after).ok_or_else(|| {
            Error::InvalidArgument(format!(
                "`after` is `{}`, which is not the `next` of an earlier part; leave it out to start again",
                payload::kept_text(after, 100)
            ))
        })?,
    };
    let mut files = Vec::new();
    let full = |files: &[TreeFile]| {
        let bytes: usize = files.iter().map(|file| file.text.len()).sum();
        files.len() >= PIECE as usize || bytes >= PIECE_BYTES
    };
    while cursor.stage < STAGES.len() && !full(&files) {
        let over = match STAGES[cursor.stage] {
            "episodic" => episode_files(reader, &mut cursor, &mut files)?,
            "index" => index_file(reader, &mut files)?,
            "patterns" => note_files(reader, &mut cursor, &mut files, &patterns())?,
            "anti-patterns" => {
                note_files(reader, &mut cursor, &mut files, &[LessonKind::AntiPattern])?
            }
            "facts" => note_files(reader, &mut cursor, &mut files, &[LessonKind::Fact])?,
            "links" => link_files(reader, &mut cursor, &mut files)?,
            "skills" => skill_files(reader, &mut cursor, &mut files)?,
            "ledgers" => ledger_files(reader, &mut cursor, &mut files)?,
            "handoffs" => handoff_files(reader, &mut cursor, &mut files)?,
            "learnings" => derived::learning_files(reader, &mut cursor, &mut files)?,
            "metrics" => derived::metric_files(reader, &mut files)?,
            _ => rest::rest_files(reader, &mut cursor, &mut files)?,
        };
        if over {
            cursor.next_stage();
        }
    }
    let next = (cursor.stage < STAGES.len()).then(|| cursor.written());
    Ok(TreePiece { files, next })
}

/// Heads of episodes in the order of their ends.
fn heads(reader: &Reader, first: u32, limit: u32) -> Result<Vec<Episode>, Error> {
    let mut query = query::<Episode>(Vec::new(), ascending("ended-at"), limit);
    query.offset = first;
    let found = reader.search::<Episode>(&query)?;
    Ok(found.into_iter().map(|(read, _)| read.noun).collect())
}

fn episode_files(
    reader: &Reader,
    cursor: &mut Cursor,
    files: &mut Vec<TreeFile>,
) -> Result<bool, Error> {
    let heads = heads(reader, cursor.done, PIECE)?;
    let mut bytes = 0;
    for head in &heads {
        if bytes >= PIECE_BYTES {
            return Ok(false);
        }
        let path = numbered(cursor, head);
        let file = file(path, &super::episode_file::episode_file(reader, &head.id)?);
        bytes += file.text.len();
        files.push(file);
        cursor.done += 1;
    }
    Ok(heads.len() < PIECE as usize)
}

/// The temporal index: which episode is in which file, by day.
fn index_file(reader: &Reader, files: &mut Vec<TreeFile>) -> Result<bool, Error> {
    let mut cursor = Cursor::default();
    let mut entries = Vec::new();
    loop {
        let heads = heads(reader, cursor.done, 1_000)?;
        for head in &heads {
            let path = numbered(&mut cursor, head);
            entries.push(json!({
                "id": head.id,
                "file": path.strip_prefix("episodic/").unwrap_or(&path),
                "timestamp": instant::written(head.started_at),
                "outcome": head.outcome.as_str(),
            }));
        }
        cursor.done += heads.len() as u32;
        if heads.len() < 1_000 {
            break;
        }
    }
    files.push(file(
        "episodic/index.json".to_owned(),
        &json!({ "episodes": entries }),
    ));
    Ok(true)
}

fn note_files(
    reader: &Reader,
    cursor: &mut Cursor,
    files: &mut Vec<TreeFile>,
    kinds: &[LessonKind],
) -> Result<bool, Error> {
    let query = Query {
        kind: Kind::Lesson.as_str().to_owned(),
        conditions: vec![any_of("kind", kinds.iter().map(|kind| kind.as_str()))],
        order: Order::ById,
        offset: cursor.done,
        limit: LISTED,
    };
    let found = reader.store.find(&query).map_err(from_store)?;
    let name = STAGES[cursor.stage];
    let mut records = Vec::with_capacity(found.len());
    for found in &found {
        let id = &found.document.key.id;
        let pattern = patterns::get(reader, id)?;
        let kind = pattern.lesson.kind;
        let mut extension = super::carried::carried_of_lesson(reader, id)?;
        extension.said = Some(Said::by(&pattern, kind).digest());
        let record = match kind {
            LessonKind::AntiPattern => {
                let mut record = AntiPattern::of(&pattern);
                record.twiceshy = Some(extension);
                Record::AntiPattern(Box::new(record))
            }
            _ => {
                let mut record = Note::of(&pattern, &links::links_of(reader, id)?);
                record.twiceshy = Some(extension);
                Record::Note(Box::new(record))
            }
        };
        records.push(record);
    }
    Ok(list(cursor, files, "semantic", name, &records))
}

fn link_files(
    reader: &Reader,
    cursor: &mut Cursor,
    files: &mut Vec<TreeFile>,
) -> Result<bool, Error> {
    let mut query = query::<Link>(Vec::new(), Order::ById, LISTED);
    query.offset = cursor.done;
    let found = reader.search::<Link>(&query)?;
    let records: Vec<_> = found
        .iter()
        .map(|(read, _)| Record::Link(LinkRow::of(&read.noun)))
        .collect();
    Ok(list(cursor, files, "semantic", "links", &records))
}

/// The next nouns of a kind, and whether they are the last.
fn page<N: Noun>(reader: &Reader, cursor: &mut Cursor, most: u32) -> Result<(Vec<N>, bool), Error> {
    let mut query = query::<N>(Vec::new(), Order::ById, most);
    query.offset = cursor.done;
    let found = reader.search::<N>(&query)?;
    cursor.done += found.len() as u32;
    let over = found.len() < most as usize;
    Ok((found.into_iter().map(|(read, _)| read.noun).collect(), over))
}

fn skill_files(
    reader: &Reader,
    cursor: &mut Cursor,
    files: &mut Vec<TreeFile>,
) -> Result<bool, Error> {
    let (found, over) = page::<KeptSkill>(reader, cursor, PIECE)?;
    for skill in skills::in_use(reader, found)? {
        files.push(TreeFile {
            path: format!("skills/{}.md", skill.slug),
            text: skill.markdown,
        });
    }
    Ok(over)
}

fn ledger_files(
    reader: &Reader,
    cursor: &mut Cursor,
    files: &mut Vec<TreeFile>,
) -> Result<bool, Error> {
    let (found, over) = page::<Ledger>(reader, cursor, PIECE)?;
    for noun in &found {
        let mut extension = Extension::default();
        extension.set(noun);
        let mut written = LedgerFile::of(noun);
        written.twiceshy = Some(extension);
        files.push(file(format!("ledgers/{}.json", noun.agent_id), &written));
    }
    Ok(over)
}

fn handoff_files(
    reader: &Reader,
    cursor: &mut Cursor,
    files: &mut Vec<TreeFile>,
) -> Result<bool, Error> {
    let (found, over) = page::<Handoff>(reader, cursor, PIECE)?;
    for noun in &found {
        let mut extension = Extension::default();
        extension.set(noun);
        let mut written = HandoffFile::of(noun);
        written.twiceshy = Some(extension);
        files.push(file(format!("handoffs/{}.json", noun.id), &written));
    }
    Ok(over)
}

/// The kinds of lessons that are in the file of patterns.
fn patterns() -> Vec<LessonKind> {
    use LessonKind::*;
    vec![
        Rule,
        Strategy,
        Decomposition,
        Sequence,
        ToolSelection,
        Failure,
        Recovery,
        Optimization,
        Domain,
    ]
}

/// The path of an episode: filed by the day on which it ended, numbered in the order of the day.
fn numbered(cursor: &mut Cursor, head: &Episode) -> String {
    let day = instant::day(head.ended_at);
    if cursor.of != day {
        cursor.of = day;
        cursor.number = 0;
    }
    cursor.number += 1;
    format!("episodic/{}/task-{:03}.json", cursor.of, cursor.number)
}

/// Adds the file of some records of a list. Says whether the list is over.
fn list(
    cursor: &mut Cursor,
    files: &mut Vec<TreeFile>,
    directory: &str,
    name: &str,
    records: &[Record],
) -> bool {
    let over = records.len() < LISTED as usize;
    cursor.done += records.len() as u32;
    cursor.number += 1;
    if !records.is_empty() || cursor.number == 1 {
        files.push(file(layout::part(directory, name, cursor.number), &records));
    }
    over
}

fn value(record: &impl Serialize) -> Value {
    serde_json::to_value(record).expect("a record is plain data")
}

fn file(path: String, content: &impl Serialize) -> TreeFile {
    let mut text = serde_json::to_string_pretty(content).expect("a file is plain data");
    text.push('\n');
    TreeFile { path, text }
}
