//! Carried documents: what of a memory no other format has, taken along so that nothing is lost.
//!
//! Owns the extension member `twiceshy` of exported records, which documents belong to a run and to a lesson, and how
//! carried documents are taken in: checked as the nouns they are, masked, and only where nothing is there yet. What
//! other members of a record say is the business of the formats.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twiceshy_wit::{
    host::{Change, Condition, Document, Order, Precondition, Query},
    memory::{Activation, Episode, Error, Event, Fingerprint, Link, TraceStep},
};

use crate::{
    decisions::KeptDecision,
    documents::{Kind, Noun, Read, equals, put},
    episodes::{KeptConsolidated, KeptLifecycle, shelved},
    events::{Known, settled},
    failures::KeptFailure,
    lessons::{KeptEvidence, KeptLesson},
    metrics::Reward,
    ports::{Engine, from_store},
    runs::OpenRun,
    secrets,
    skills::{KeptSkill, KeptSkillVersion},
    tasks::Task,
    wordings::KeptWording,
};

/// Documents that are read in one go.
const PAGE: u32 = 1_000;

/// Documents that are written with one commit: room is left for what is counted with them.
const BATCH: usize = 500;

/// Names each kind that is carried, and the noun that it is.
macro_rules! carried {
    ($($kind:ident => $noun:ty,)+) => {
        /// The kinds that are carried.
        pub(super) const KINDS: &[Kind] = &[$(Kind::$kind),+];

        /// A body as the document that its noun would be written as.
        fn rebuilt(kind: &str, body: Value) -> Result<Document, String> {
            $(if kind == Kind::$kind.as_str() {
                return document::<$noun>(body);
            })+
            Err(format!("`{kind}` is not a kind of document that is taken in"))
        }
    };
}

carried! {
    Run => OpenRun,
    Step => TraceStep,
    Event => Event,
    Fingerprint => Known,
    Episode => Episode,
    Lifecycle => KeptLifecycle,
    Consolidated => KeptConsolidated,
    Lesson => KeptLesson,
    Evidence => KeptEvidence,
    Activation => Activation,
    Link => Link,
    Reward => Reward,
    Task => Task,
    Decision => KeptDecision,
    Failure => KeptFailure,
    Wording => KeptWording,
    Skill => KeptSkill,
    SkillVersion => KeptSkillVersion,
}

/// The kinds of documents that belong to a run or episode by their id, in the order in which they are written.
const OF_RUN_BY_ID: [Kind; 5] = [
    Kind::Run,
    Kind::Reward,
    Kind::Consolidated,
    Kind::Lifecycle,
    Kind::Episode,
];

/// The kinds that belong to it by the attribute `run`.
const OF_RUN: [Kind; 3] = [Kind::Step, Kind::Event, Kind::Activation];

/// The kinds that belong to a lesson by its id.
const OF_LESSON: [Kind; 2] = [Kind::Evidence, Kind::Lesson];

/// The extension member: bodies of documents by their kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Extension {
    pub(super) documents: BTreeMap<String, Vec<Value>>,
    /// A short name for what the record said when it was written, where that can't be made from the documents alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) said: Option<String>,
}

impl Extension {
    pub(super) fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The first body of a kind.
    pub(super) fn first(&self, kind: Kind) -> Option<&Value> {
        self.documents.get(kind.as_str())?.first()
    }

    /// The first noun of a kind, if it is one.
    pub(super) fn noun<N: Noun>(&self) -> Result<Option<N>, String> {
        let body = self.first(N::KIND).cloned();
        body.map(|body| read(masked(body))).transpose()
    }

    /// All nouns of a kind.
    pub(super) fn nouns<N: Noun>(&self) -> Result<Vec<N>, String> {
        let bodies = self.documents.get(N::KIND.as_str());
        let bodies = bodies.into_iter().flatten().cloned();
        bodies.map(|body| read(masked(body))).collect()
    }

    /// Takes in a noun instead of what there was of its kind.
    pub(super) fn set<N: Noun>(&mut self, noun: &N) {
        let body = serde_json::to_value(noun).expect("a noun is plain data");
        self.documents
            .insert(N::KIND.as_str().to_owned(), vec![body]);
    }

    pub(super) fn push(&mut self, kind: Kind, body: Value) {
        let bodies = self.documents.entry(kind.as_str().to_owned());
        bodies.or_default().push(body);
    }

    /// The documents, as their nouns would write them. What is none of the allowed kinds is refused.
    pub(super) fn rebuilt(&self, allowed: &[Kind]) -> Result<Vec<Document>, String> {
        let mut documents = Vec::new();
        for (kind, bodies) in &self.documents {
            if !allowed.iter().any(|allowed| allowed.as_str() == kind) {
                return Err(format!("twiceshy.documents.{kind} does not belong here"));
            }
            for (at, body) in bodies.iter().enumerate() {
                let document = rebuilt(kind, masked(body.clone()))
                    .map_err(|error| format!("twiceshy.documents.{kind}[{at}]: {error}"))?;
                documents.push(document);
            }
        }
        // By what an episode is found depends on what happened to it.
        if let (Some(episode), Some(lifecycle)) =
            (self.noun::<Episode>()?, self.noun::<KeptLifecycle>()?)
        {
            let fresh = |noun| Read { noun, version: 0 };
            let changes = shelved(
                &Read {
                    noun: episode,
                    version: 0,
                },
                &fresh(lifecycle),
            );
            for change in changes {
                if let Change::Put(put) = change {
                    documents.retain(|document| document.key != put.document.key);
                    documents.push(put.document);
                }
            }
        }
        Ok(documents)
    }
}

/// The kinds of documents that belong to a run or an episode.
pub(super) fn of_run() -> Vec<Kind> {
    OF_RUN.into_iter().chain(OF_RUN_BY_ID).collect()
}

/// The kinds of documents that no file of the hierarchy has a place for. Lessons stand for those that are skills.
pub(super) fn without_place() -> Vec<Kind> {
    let placed = [
        Kind::Reward,
        Kind::Consolidated,
        Kind::Lifecycle,
        Kind::Episode,
        Kind::Evidence,
        Kind::Link,
    ];
    let rest = KINDS.iter().copied();
    rest.filter(|kind| !placed.contains(kind) && !OF_RUN.contains(kind))
        .collect()
}

/// The kinds of documents that belong to a lesson.
pub(super) fn of_lesson() -> Vec<Kind> {
    OF_LESSON.to_vec()
}

fn read<N: Noun>(body: Value) -> Result<N, String> {
    serde_json::from_value(body).map_err(|error| error.to_string())
}

fn document<N: Noun>(body: Value) -> Result<Document, String> {
    match put(&read::<N>(body)?, Precondition::Absent) {
        Change::Put(put) => Ok(put.document),
        Change::Remove(_) => unreachable!("a put is a put"),
    }
}

/// A body whose texts hold no secrets, whoever wrote them into the file.
fn masked(mut body: Value) -> Value {
    fn mask(value: &mut Value) {
        match value {
            Value::String(text) => {
                let masked = match text.starts_with(['{', '[']) {
                    true => secrets::mask_json(text),
                    false => secrets::mask(text),
                };
                if let std::borrow::Cow::Owned(masked) = masked {
                    *text = masked;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(mask),
            Value::Object(members) => members.values_mut().for_each(mask),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    mask(&mut body);
    body
}

impl Engine<'_> {
    /// All bodies of a kind for which the conditions hold, in an order.
    pub(super) fn bodies(
        &self,
        kind: Kind,
        conditions: Vec<Condition>,
        order: Order,
    ) -> Result<Vec<Value>, Error> {
        let mut query = Query {
            kind: kind.as_str().to_owned(),
            conditions,
            order,
            offset: 0,
            limit: PAGE,
        };
        let mut bodies = Vec::new();
        loop {
            let page = self.ports.store.find(&query).map_err(from_store)?;
            let full = page.len() == PAGE as usize;
            for found in page {
                bodies.push(body(&found.document.key.id, kind, &found.document.body)?);
            }
            if !full {
                return Ok(bodies);
            }
            query.offset += PAGE;
        }
    }

    /// The documents with some ids, each kind by itself.
    pub(super) fn carry_by_id(
        &self,
        extension: &mut Extension,
        kinds: &[Kind],
        id: &str,
    ) -> Result<(), Error> {
        let keys: Vec<_> = kinds.iter().map(|kind| kind.key(id)).collect();
        for stored in self.read(&keys)? {
            let kind = kinds.iter().find(|kind| kind.as_str() == stored.key.kind);
            if let Some(kind) = kind {
                extension.push(*kind, body(&stored.key.id, *kind, &stored.body)?);
            }
        }
        Ok(())
    }

    /// All documents of a run or an episode.
    pub(super) fn carried_of_run(&self, id: &str) -> Result<Extension, Error> {
        let mut extension = Extension::default();
        self.carry_by_id(&mut extension, &OF_RUN_BY_ID, id)?;
        for kind in OF_RUN {
            let order = match kind {
                Kind::Step => crate::documents::ascending("index"),
                _ => crate::documents::ascending("at"),
            };
            for body in self.bodies(kind, vec![equals("run", id)], order)? {
                extension.push(kind, body);
            }
        }
        Ok(extension)
    }

    /// All documents of a lesson.
    pub(super) fn carried_of_lesson(&self, id: &str) -> Result<Extension, Error> {
        let mut extension = Extension::default();
        self.carry_by_id(&mut extension, &OF_LESSON, id)?;
        Ok(extension)
    }

    /// Whether a document is there.
    pub(super) fn holds(&self, kind: Kind, id: &str) -> Result<bool, Error> {
        Ok(!self.read(&[kind.key(id)])?.is_empty())
    }

    /// Writes those of some documents that are not there yet. In several commits if they are many; what was written
    /// before is left alone, so that doing it again goes on where it stood.
    ///
    /// The fingerprints of events that are written are added to `failures`; whoever is done brings their counts up to
    /// date with [`recount`](Self::recount).
    pub(super) fn add_documents(
        &self,
        documents: &[Document],
        failures: &mut BTreeSet<String>,
    ) -> Result<(), Error> {
        for batch in documents.chunks(BATCH) {
            self.change(|_| {
                let keys: Vec<_> = batch.iter().map(|document| document.key.clone()).collect();
                let there: BTreeSet<_> = self
                    .read(&keys)?
                    .into_iter()
                    .map(|stored| (stored.key.kind, stored.key.id))
                    .collect();
                let new = batch.iter().filter(|document| {
                    !there.contains(&(document.key.kind.clone(), document.key.id.clone()))
                });
                let changes = new.map(|document| {
                    Change::Put(twiceshy_wit::host::Put {
                        document: document.clone(),
                        precondition: Precondition::Absent,
                    })
                });
                Ok((changes.collect(), ()))
            })?;
            for document in batch
                .iter()
                .filter(|one| one.key.kind == Kind::Event.as_str())
            {
                if let Ok(event) = serde_json::from_str::<Event>(&document.body) {
                    failures.insert(event.fingerprint);
                }
            }
        }
        Ok(())
    }

    /// Brings what is counted of a failure up to date with its events.
    pub(super) fn recount(&self, fingerprint: &str) -> Result<(), Error> {
        self.change(|_| {
            let events = self.count(Kind::Event, &[equals("fingerprint", fingerprint)])?;
            let known = self.load::<Known>(fingerprint)?;
            if let Some(known) = &known
                && known.noun.occurrences.saturating_sub(known.noun.pruned) == events
            {
                return Ok((Vec::new(), ()));
            }
            let order = crate::documents::ascending("at");
            let bodies =
                self.bodies(Kind::Event, vec![equals("fingerprint", fingerprint)], order)?;
            let events: Vec<Event> = bodies
                .into_iter()
                .filter_map(|body| read(body).ok())
                .collect();
            let Some(last) = events.last() else {
                return Ok((Vec::new(), ()));
            };
            let (mut noun, version) = match known {
                Some(Read { noun, version }) => (noun, version),
                None => {
                    let mut tags = last.tags.clone();
                    tags.retain(|tag| tag != "no_progress");
                    let fingerprint = Fingerprint {
                        id: fingerprint.to_owned(),
                        template: last.template.clone(),
                        tags: settled(tags),
                    };
                    (Known::new(&fingerprint, events[0].at), 0)
                }
            };
            let runs: BTreeSet<_> = events.iter().map(|event| &event.run).collect();
            noun.occurrences = noun.pruned.saturating_add(events.len() as u32);
            noun.runs = noun.runs.max(runs.len() as u32);
            noun.first_at = noun.first_at.min(events[0].at);
            noun.last_at = noun.last_at.max(last.at);
            let precondition = match version {
                0 => Precondition::Absent,
                version => Precondition::At(version),
            };
            Ok((vec![put(&noun, precondition)], ()))
        })
    }
}

fn body(id: &str, kind: Kind, text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|error| {
        Error::Storage(format!(
            "the document {}/{id} can't be read ({error}); upkeep.verify lists what is damaged",
            kind.as_str()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds that are made anew from others, or that nobody needs elsewhere, each with its reason.
    const LEFT_BEHIND: &[(&str, &str)] =
        &[("account", "not there yet"), ("embedding", "not there yet")];

    #[test]
    fn every_kind_of_document_is_carried_or_left_behind_for_a_reason() {
        let source = include_str!("../documents.rs");
        let names = source.lines().filter_map(|line| {
            let name = line.trim().strip_prefix("Self::")?.split_once("=> \"")?.1;
            name.strip_suffix("\",")
        });
        for name in names {
            let carried = KINDS.iter().any(|kind| kind.as_str() == name);
            let left = LEFT_BEHIND.iter().any(|(kind, _)| *kind == name);
            assert!(
                carried != left,
                "the kind `{name}`: carried {carried}, left behind {left}"
            );
        }
    }

    #[test]
    fn names_and_hashes_are_not_taken_for_secrets() {
        let hash = "0123456789abcdef".repeat(4);
        let plain = serde_json::json!({
            "id": "les_0123456789abcdef", "cold-trace": format!("sha256:{hash}"),
            "session": "s-1", "action": "{\"command\":[\"ls\"]}",
        });
        assert_eq!(masked(plain.clone()), plain);
        let token = format!("ghp_{}", "a1B2".repeat(9));
        let secret = serde_json::json!({ "deep": [{ "text": format!("use {token}") }] });
        assert!(!masked(secret).to_string().contains(&token));
    }
}
