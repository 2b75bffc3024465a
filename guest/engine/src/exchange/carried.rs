//! Carried documents: what no other format can hold, exported along so that nothing is lost.
//!
//! Owns the extension member `twiceshy` of exported records, which documents belong to a run and to a lesson, and how
//! carried documents are imported: checked as the nouns they are, masked, and only where nothing exists yet. What
//! other members of a record say is the business of the formats.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twiceshy_wit::{
    host::{Condition, Document, Order, Query},
    memory::{
        Activation, Episode, Error, Event, Handoff, Ledger, Link, PatternVersion, TraceStep,
        ValidationGate,
    },
};

use crate::{
    decisions::{KeptDecision, failures::KeptFailure, wordings::KeptWording},
    episodes::{
        self, KeptAccount, KeptConsolidated, KeptLifecycle, cold,
        experience::{KeptExperience, KeptSettings, Use},
        reward::Reward,
        tasks::Task,
    },
    events::{Known, recoveries::Recoveries},
    lessons::{
        KeptEvidence, KeptLesson,
        patterns::{Application, Body, Head},
        skills::{KeptSkill, KeptSkillVersion},
        withdrawal::Withdrawn,
    },
    runs::OpenRun,
    secrets,
    store::{Desk, Kind, Noun, Reader, ascending, equals, from_store, written},
    upkeep::consolidation::{JournalEntry, KeptConsolidation},
    working::{ColdContent, KeptMetadata},
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
            Err(format!("documents of kind `{kind}` can't be imported"))
        }
    };
}

carried! {
    Run => OpenRun,
    Step => TraceStep,
    Event => Event,
    Fingerprint => Known,
    Recoveries => Recoveries,
    Episode => Episode,
    Account => KeptAccount,
    Lifecycle => KeptLifecycle,
    Consolidated => KeptConsolidated,
    Experience => KeptExperience,
    ExperienceSettings => KeptSettings,
    ExperienceUse => Use,
    Lesson => KeptLesson,
    Evidence => KeptEvidence,
    Activation => Activation,
    Application => Application,
    Consolidation => KeptConsolidation,
    ConsolidationChange => JournalEntry,
    Gate => ValidationGate,
    Link => Link,
    Pattern => Head,
    PatternBody => Body,
    PatternVersion => PatternVersion,
    Reward => Reward,
    Task => Task,
    Decision => KeptDecision,
    Failure => KeptFailure,
    Wording => KeptWording,
    WorkingCold => ColdContent,
    WorkingMetadata => KeptMetadata,
    Skill => KeptSkill,
    SkillVersion => KeptSkillVersion,
    Withdrawn => Withdrawn,
    Ledger => Ledger,
    Handoff => Handoff,
}

/// The kinds of documents that belong to a run or episode by their id, in the order in which they are written.
const OF_RUN_BY_ID: [Kind; 9] = [
    Kind::Run,
    Kind::WorkingMetadata,
    Kind::Reward,
    Kind::Consolidated,
    Kind::Account,
    Kind::ExperienceUse,
    Kind::Experience,
    Kind::Lifecycle,
    Kind::Episode,
];

/// The kinds that belong to it by the attribute `run`, and in what order.
const OF_RUN: [(Kind, &str); 3] = [
    (Kind::Event, "at"),
    (Kind::Activation, "at"),
    (Kind::WorkingCold, "number"),
];

/// The kinds that belong to a lesson by its id.
const OF_LESSON_BY_ID: [Kind; 4] = [
    Kind::Evidence,
    Kind::PatternBody,
    Kind::Pattern,
    Kind::Lesson,
];

/// The kinds that belong to it by the attribute `pattern`.
const OF_LESSON: [Kind; 2] = [Kind::Application, Kind::PatternVersion];

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
                return Err(format!("`twiceshy.documents.{kind}` does not belong here"));
            }
            for (at, body) in bodies.iter().enumerate() {
                let document = rebuilt(kind, masked(body.clone()))
                    .map_err(|error| format!("`twiceshy.documents.{kind}[{at}]`: {error}"))?;
                documents.push(document);
            }
        }
        // By what an episode is found depends on what happened to it.
        if let (Some(episode), Some(lifecycle)) =
            (self.noun::<Episode>()?, self.noun::<KeptLifecycle>()?)
        {
            let mut document = written(&episode);
            document.attributes = episodes::attributes(&episode, &lifecycle);
            for document in [document, written(&lifecycle)] {
                documents.retain(|known| known.key != document.key);
                documents.push(document);
            }
        }
        // And an account is found by what its episode says.
        if let (Some(episode), Some(account)) =
            (self.noun::<Episode>()?, self.noun::<KeptAccount>()?)
        {
            let key = Kind::Account.key(&account.id());
            let document = documents.iter_mut().find(|document| document.key == key);
            if let Some(document) = document.filter(|_| account.episode == episode.id) {
                document.attributes = episodes::restrictions(&episode);
            }
        }
        Ok(documents)
    }
}

/// The kinds of documents that belong to a run or an episode.
pub(super) fn of_run() -> Vec<Kind> {
    let by_attribute = OF_RUN.map(|(kind, _)| kind).into_iter().chain([Kind::Step]);
    by_attribute.chain(OF_RUN_BY_ID).collect()
}

/// The kinds of documents that no file of the hierarchy has a place for. Runs stand for all documents of open ones, and
/// lessons for those that are skills.
pub(super) fn without_place() -> Vec<Kind> {
    let placed = [Kind::Link, Kind::Ledger, Kind::Handoff];
    let belongs = |kind: &Kind| {
        let of_others = of_run().into_iter().chain(of_lesson()).chain(placed);
        of_others.into_iter().any(|other| other == *kind)
    };
    let stands = |kind: &Kind| matches!(kind, Kind::Run | Kind::Lesson);
    let rest = KINDS.iter().copied();
    rest.filter(|kind| stands(kind) || !belongs(kind)).collect()
}

/// The kinds of documents that belong to a lesson.
pub(super) fn of_lesson() -> Vec<Kind> {
    OF_LESSON.into_iter().chain(OF_LESSON_BY_ID).collect()
}

fn read<N: Noun>(body: Value) -> Result<N, String> {
    serde_json::from_value(body).map_err(|error| error.to_string())
}

fn document<N: Noun>(body: Value) -> Result<Document, String> {
    Ok(written(&read::<N>(body)?))
}

/// A body whose texts hold no secrets, even if somebody wrote them into the file.
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

/// All bodies of a kind for which the conditions hold, in an order.
pub(super) fn bodies(
    reader: &Reader,
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
        let page = reader.store.find(&query).map_err(from_store)?;
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
    reader: &Reader,
    extension: &mut Extension,
    kinds: &[Kind],
    id: &str,
) -> Result<(), Error> {
    let keys: Vec<_> = kinds.iter().map(|kind| kind.key(id)).collect();
    for stored in reader.read(&keys)? {
        let kind = kinds.iter().find(|kind| kind.as_str() == stored.key.kind);
        if let Some(kind) = kind {
            extension.push(*kind, body(&stored.key.id, *kind, &stored.body)?);
        }
    }
    Ok(())
}

/// All documents of a run or an episode. What is in cold storage is brought from there, so that they are whole by
/// themselves.
pub(super) fn carried_of_run(reader: &Reader, id: &str) -> Result<Extension, Error> {
    let mut extension = Extension::default();
    carry_by_id(reader, &mut extension, &OF_RUN_BY_ID, id)?;
    if let Some(mut lifecycle) = extension.noun::<KeptLifecycle>().map_err(Error::Storage)? {
        if lifecycle.cold_account.is_some() && extension.first(Kind::Account).is_none() {
            let account = KeptAccount {
                episode: id.to_owned(),
                account: cold::account_of(reader, id)?,
            };
            extension.set(&account);
        }
        lifecycle.cold_account = None;
        lifecycle.cold_trace = None;
        lifecycle.cold_steps = 0;
        lifecycle.account_settled = false;
        extension.set(&lifecycle);
    }
    let mut first = 0;
    loop {
        let steps = cold::steps_from(reader, id, first, PAGE)?;
        for step in &steps {
            let body = serde_json::to_value(step).expect("a step is plain data");
            extension.push(Kind::Step, body);
        }
        if steps.len() < PAGE as usize {
            break;
        }
        first += PAGE;
    }
    for (kind, order) in OF_RUN {
        for body in bodies(reader, kind, vec![equals("run", id)], ascending(order))? {
            extension.push(kind, body);
        }
    }
    Ok(extension)
}

/// All documents of a lesson.
pub(super) fn carried_of_lesson(reader: &Reader, id: &str) -> Result<Extension, Error> {
    let mut extension = Extension::default();
    carry_by_id(reader, &mut extension, &OF_LESSON_BY_ID, id)?;
    for kind in OF_LESSON {
        for body in bodies(reader, kind, vec![equals("pattern", id)], Order::ById)? {
            extension.push(kind, body);
        }
    }
    Ok(extension)
}

/// Writes those of some documents that are not there yet. In several commits if they are many; what was written
/// before is left alone, so that doing it again goes on where it stood.
///
/// The fingerprints of events that are written are added to `failures`; the caller then brings their counts up to
/// date with [`recount`](Self::recount).
pub(super) fn add_documents(
    desk: &mut Desk,
    documents: &[Document],
    failures: &mut BTreeSet<String>,
) -> Result<(), Error> {
    for some in documents.chunks(BATCH) {
        desk.commit(|batch| {
            let keys: Vec<_> = some.iter().map(|document| document.key.clone()).collect();
            let there: BTreeSet<_> = batch
                .read(&keys)?
                .into_iter()
                .map(|stored| (stored.key.kind, stored.key.id))
                .collect();
            for document in some {
                if !there.contains(&(document.key.kind.clone(), document.key.id.clone())) {
                    batch.put_document(document.clone());
                }
            }
            Ok(())
        })?;
        for document in some
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

fn body(id: &str, kind: Kind, text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|error| {
        Error::Storage(format!(
            "The document {}/{id} can't be read ({error}). `upkeep.verify` lists what is damaged.",
            kind.as_str()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds that are derived from others, or not needed elsewhere, each with its reason.
    const LEFT_BEHIND: &[(&str, &str)] = &[
        (
            "embedding",
            "a vector is made anew by whoever has an embedder",
        ),
        ("working", "the context of an open run ends with it"),
        ("working-item", "as the working memory that it is part of"),
        (
            "working-snapshot",
            "as the working memory that it is one of",
        ),
    ];

    #[test]
    fn every_kind_of_document_is_carried_or_left_behind_for_a_reason() {
        let source = include_str!("../store/documents.rs");
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
