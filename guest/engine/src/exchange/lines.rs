//! JSON Lines: events, lessons, episodes and experience, one record a line.
//!
//! Owns the pieces of such files both ways. What an episode's line has is the business of the episode file, which has
//! the same members.

mod elsewhere;

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use twiceshy_wit::{
    host::{Document, Order},
    memory::{Error, Event, Exported, Imported, LineKind, Link, NewExperience, Relation},
};

use super::{
    carried::{Extension, of_lesson, of_run},
    members::{inward, numbered, outward, refused},
};
use crate::{
    episodes::experience::{KeptExperience, evolve},
    lessons::{KeptLesson, Proposal, entry, links, proposal},
    limits, payload,
    store::{self, Desk, Kind, Noun, Reader, ascending, query, written},
};

/// Records of one piece.
const PIECE: u32 = 200;

/// Text of one piece from which on it is full, in bytes.
const PIECE_BYTES: usize = 4 << 20;

/// Lessons that come from elsewhere and are written with one commit.
const BATCH: usize = 100;

/// The member that holds what the others don't.
pub(super) const EXTENSION: &str = "twiceshy";

/// What a line is to become.
enum ReadLine {
    /// Documents as they were, with the one that says whether it is there already.
    Documents(Kind, String, Vec<Document>),
    /// A lesson that comes from elsewhere.
    Proposal(Box<Proposal>),
    /// An experience that comes from elsewhere.
    Experience(Box<NewExperience>),
}

pub(super) fn lines(
    reader: &Reader,
    kind: LineKind,
    after: Option<&str>,
) -> Result<Exported, Error> {
    let first = match after {
        None => 0,
        Some(after) => after.parse().map_err(|_| {
            Error::InvalidArgument(format!(
                "`after` is `{}`, which is not the `next` of an earlier part; leave it out to start again",
                payload::kept_text(after, 100)
            ))
        })?,
    };
    let (noun, order) = match kind {
        LineKind::Events => (Kind::Event, ascending("at")),
        LineKind::Lessons => (Kind::Lesson, Order::ById),
        LineKind::Episodes => (Kind::Episode, ascending("ended-at")),
        LineKind::Experience => (Kind::Experience, Order::ById),
    };
    let ids = ids(reader, noun, order, first, PIECE)?;
    let mut text = String::new();
    let mut records = 0;
    for id in &ids {
        if text.len() > PIECE_BYTES {
            break;
        }
        let line = match kind {
            LineKind::Events => event_line(reader, id)?,
            LineKind::Lessons => lesson_line(reader, id)?,
            LineKind::Episodes => super::episode_intake::episode_line(reader, id)?,
            LineKind::Experience => experience_line(reader, id)?,
        };
        text.push_str(&line);
        text.push('\n');
        records += 1;
    }
    let more = records < ids.len() as u32 || ids.len() == PIECE as usize;
    Ok(Exported {
        text,
        records,
        next: more.then(|| (first + records).to_string()),
    })
}

fn event_line(reader: &Reader, id: &str) -> Result<String, Error> {
    let mut extension = Extension::default();
    super::carried::carry_by_id(reader, &mut extension, &[Kind::Event, Kind::Step], id)?;
    let event = extension.documents.remove(Kind::Event.as_str());
    let event = event
        .and_then(|mut bodies| bodies.pop())
        .unwrap_or_default();
    Ok(line(outward(event), extension))
}

fn lesson_line(reader: &Reader, id: &str) -> Result<String, Error> {
    let mut extension = super::carried::carried_of_lesson(reader, id)?;
    let mut bodies = extension.documents.remove(Kind::Lesson.as_str());
    let body = bodies.as_mut().and_then(Vec::pop).unwrap_or_default();
    let Value::Object(mut kept) = body else {
        return Err(Error::Storage(format!(
            "The document lesson/{id} can't be read. `upkeep.verify` lists what is damaged."
        )));
    };
    let mut lesson = outward(kept.remove("lesson").unwrap_or_default());
    extension.push(Kind::Lesson, Value::Object(kept));
    let links = links::links_of(reader, id)?
        .into_iter()
        .filter(|link| link.source == id);
    let mut links: Vec<_> = links.map(|link| written_link(&link)).collect();
    links.sort_by_key(Value::to_string);
    if let Value::Object(members) = &mut lesson {
        members.insert("links".to_owned(), Value::Array(links));
    }
    Ok(line(lesson, extension))
}

/// An experience with the episode that it is.
fn experience_line(reader: &Reader, id: &str) -> Result<String, Error> {
    let mut extension = super::carried::carried_of_run(reader, id)?;
    let body = extension.documents.get_mut(Kind::Experience.as_str());
    let Some(Value::Object(kept)) = body.and_then(|bodies| bodies.first_mut()) else {
        return Err(Error::Storage(format!(
            "The document experience/{id} can't be read. `upkeep.verify` lists what is damaged."
        )));
    };
    let entry = outward(kept.remove("entry").unwrap_or_default());
    Ok(line(entry, extension))
}

/// Takes in lines: all of them are read and checked before any is kept.
pub(super) fn take_lines(
    desk: &mut Desk,
    kind: LineKind,
    text: &str,
    check_only: bool,
) -> Result<Imported, Error> {
    if text.len() > limits::FILE_BYTES {
        return Err(Error::InvalidArgument(format!(
            "the text has {} MiB, and at most {} are allowed at once; `twiceshy import` splits larger files",
            text.len() >> 20,
            limits::FILE_BYTES >> 20
        )));
    }
    if kind == LineKind::Episodes {
        return super::episode_intake::take_episode_lines(desk, text, check_only);
    }
    let mut read = Vec::new();
    let mut links = Vec::new();
    for (number, line) in numbered(text) {
        let place = format!("line {number}");
        let value = object(line).map_err(|reason| refused(&place, reason))?;
        let one = match kind {
            LineKind::Events => event(value),
            LineKind::Lessons => lesson(desk, value, &mut links),
            LineKind::Experience => experience(value),
            LineKind::Episodes => unreachable!("read above"),
        };
        read.push(one.map_err(|reason| refused(&place, reason))?);
    }
    let mut imported = Imported {
        records: read.len() as u32,
        added: 0,
        known: 0,
    };
    let mut seen = BTreeSet::new();
    for one in &read {
        let (kind, id) = match one {
            ReadLine::Documents(kind, id, _) => (*kind, id.clone()),
            ReadLine::Proposal(proposal) => (Kind::Lesson, proposal.id().to_owned()),
            ReadLine::Experience(_) => {
                imported.added += 1;
                continue;
            }
        };
        let known = desk.has(&[kind], &id)? || !seen.insert((kind.as_str(), id));
        imported.known += u32::from(known);
        imported.added += u32::from(!known);
    }
    if !check_only {
        keep_lines(desk, read, links)?;
    }
    Ok(imported)
}

fn keep_lines(desk: &mut Desk, read: Vec<ReadLine>, links: Vec<Link>) -> Result<(), Error> {
    let mut documents = Vec::new();
    let mut proposals = Vec::new();
    for one in read {
        match one {
            ReadLine::Documents(_, _, carried) => documents.extend(carried),
            ReadLine::Proposal(proposal) => proposals.push(*proposal),
            ReadLine::Experience(new) => {
                evolve::take_experience(desk, &new)?;
            }
        }
    }
    let mut failures = BTreeSet::new();
    super::carried::add_documents(desk, &documents, &mut failures)?;
    failures
        .iter()
        .try_for_each(|id| super::recount::recount(desk, id))?;
    while !proposals.is_empty() {
        let rest = proposals.split_off(proposals.len().min(BATCH));
        // One that is there already stays as it is: the same file again changes nothing.
        let mut new = Vec::with_capacity(proposals.len());
        for proposal in proposals {
            if !desk.has(&[Kind::Lesson], proposal.id())? {
                new.push(proposal);
            }
        }
        entry::keep(desk, new)?;
        proposals = rest;
    }
    add_links(desk, &links)
}

/// Keeps those links whose both ends are there.
pub(super) fn add_links(desk: &mut Desk, links: &[Link]) -> Result<(), Error> {
    let mut whole = Vec::new();
    for link in links {
        if is_memory(desk, &link.source)? && is_memory(desk, &link.target)? {
            whole.push(written(link));
        } else {
            desk.warn(&format!(
                "the link {} {} {} was skipped: there is no such memory",
                link.source,
                link.relation.as_str(),
                link.target
            ));
        }
    }
    super::carried::add_documents(desk, &whole, &mut BTreeSet::new())
}

/// Whether an id is that of a lesson or an episode.
pub(super) fn is_memory(reader: &Reader, id: &str) -> Result<bool, Error> {
    if id.is_empty() || id.len() > limits::ID_BYTES || id.contains('\0') {
        return Ok(false);
    }
    reader.has(&[Kind::Lesson, Kind::Episode], id)
}

/// A lesson as it was, or one that comes from elsewhere: that one is a candidate, whatever it was there.
fn lesson(
    desk: &Desk,
    mut value: Map<String, Value>,
    links: &mut Vec<Link>,
) -> Result<ReadLine, String> {
    let Some(extension) = value.remove(EXTENSION) else {
        let candidate = elsewhere::candidate(&value)?;
        let proposal = proposal::proposal(desk, &candidate);
        let mut proposal = proposal.map_err(|error| error.message().to_owned())?;
        proposal.kept.cases = elsewhere::cases(&value)?;
        return Ok(ReadLine::Proposal(Box::new(proposal)));
    };
    let mut extension: Extension = read(extension)?;
    let related = value.remove("links").unwrap_or_default();
    let bodies = extension.documents.get_mut(Kind::Lesson.as_str());
    let Some(Value::Object(kept)) = bodies.and_then(|bodies| bodies.first_mut()) else {
        return Err(
            "`twiceshy.documents.lesson` is missing; remove `twiceshy` to import it as a candidate"
                .to_owned(),
        );
    };
    kept.insert("lesson".to_owned(), inward(Value::Object(value))?);
    let documents = extension.rebuilt(&of_lesson())?;
    let lesson: KeptLesson = extension.noun()?.ok_or("it has no lesson")?;
    let id = lesson.id();
    links.extend(read_links(&id, related)?);
    Ok(ReadLine::Documents(Kind::Lesson, id, documents))
}

/// A line: the members, and the extension behind them.
fn line(members: Value, extension: Extension) -> String {
    let Value::Object(mut members) = members else {
        return members.to_string();
    };
    if !extension.is_empty() {
        let extension = serde_json::to_value(extension).expect("an extension is plain data");
        members.insert(EXTENSION.to_owned(), extension);
    }
    Value::Object(members).to_string()
}

fn object(line: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(line) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err("it must be a JSON object".to_owned()),
        Err(error) => Err(format!("it is not JSON: {error}")),
    }
}

pub(super) fn read<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn event(mut value: Map<String, Value>) -> Result<ReadLine, String> {
    let extension = value.remove(EXTENSION);
    let mut extension: Extension = extension.map(read).transpose()?.unwrap_or_default();
    extension.push(Kind::Event, inward(Value::Object(value))?);
    let documents = extension.rebuilt(&[Kind::Event, Kind::Step])?;
    let event: Event = extension.noun()?.ok_or("it has no event")?;
    if !elsewhere::is_fingerprint(&event.fingerprint) {
        return Err(format!(
            "fingerprint is `{}`; it must be a fingerprint such as fp_0123456789abcdef",
            payload::kept_text(&event.fingerprint, 100)
        ));
    }
    Ok(ReadLine::Documents(Kind::Event, event.id, documents))
}

/// An experience as it was, with its episode, or one that comes from elsewhere.
fn experience(mut value: Map<String, Value>) -> Result<ReadLine, String> {
    let Some(extension) = value.remove(EXTENSION) else {
        return elsewhere::experience(value).map(|new| ReadLine::Experience(Box::new(new)));
    };
    let mut extension: Extension = read(extension)?;
    let bodies = extension.documents.get_mut(Kind::Experience.as_str());
    let Some(Value::Object(kept)) = bodies.and_then(|bodies| bodies.first_mut()) else {
        return Err("`twiceshy.documents.experience` is missing; remove `twiceshy` to import it as a new entry".to_owned());
    };
    kept.insert("entry".to_owned(), inward(Value::Object(value))?);
    let documents = extension.rebuilt(&of_run())?;
    let kept: KeptExperience = extension.noun()?.ok_or("it has no experience")?;
    Ok(ReadLine::Documents(Kind::Experience, kept.id(), documents))
}

/// A link as it stands beside its source.
fn written_link(link: &Link) -> Value {
    outward(serde_json::json!({
        "to": link.target,
        "relation": link.relation.as_str().replace('-', "_"),
        "reason": link.reason,
        "at": link.at,
    }))
}

/// The links that stand beside a lesson.
fn read_links(source: &str, value: Value) -> Result<Vec<Link>, String> {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Written {
        to: String,
        relation: super::members::Word<Relation>,
        #[serde(default)]
        reason: String,
        at: super::members::At,
    }
    let links: Option<Vec<Written>> = read(value).map_err(|error| format!("links: {error}"))?;
    let links = links.unwrap_or_default().into_iter();
    Ok(links
        .map(|link| Link {
            source: source.to_owned(),
            relation: link.relation.0,
            target: link.to,
            reason: payload::kept_text(&link.reason, limits::ACTION_BYTES),
            at: link.at.0,
        })
        .collect())
}

/// The ids of documents of a kind, in an order.
pub(super) fn ids(
    reader: &Reader,
    kind: Kind,
    order: Order,
    first: u32,
    limit: u32,
) -> Result<Vec<String>, Error> {
    let mut query = query::<KeptLesson>(Vec::new(), order, limit);
    query.kind = kind.as_str().to_owned();
    query.offset = first;
    let found = reader.store.find(&query).map_err(store::from_store)?;
    Ok(found
        .into_iter()
        .map(|found| found.document.key.id)
        .collect())
}
