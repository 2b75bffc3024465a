//! The journal of a consolidation: every document as it was before it was changed.
//!
//! Owns a store in front of the real one while a stage runs: whatever commits through it, its own code or
//! another part of the ports, is written down in the same commit, so that nothing changes unrecorded and all of it
//! can be undone. A dry run goes through the same store, which then keeps the changes to itself, as a
//! [trial](super::trial). What a change means in words is the business of [words]; undoing it, of
//! [undo](super::undo).

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{
        Attribute, Change, Condition, Document, Error, Found, Key, Precondition, Put, Query,
        Removal, Store, Stored,
    },
    memory::{self, ConsolidationChange, Stage},
};

use super::{trial::Trial, words};
use crate::store::{
    self, Kind, Noun, Reader, digest, equals, from_store, newest, number, query, text, written,
};

/// What one entry holds of documents as they were, in bytes: a document of the store takes twice as much.
const ENTRY_BYTES: usize = 4 << 20;

/// A document as it was before a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum State {
    /// It was not there.
    Absent,
    /// It had this body.
    Body(String),
    /// It had the body that it has after the change, but for what lies between its beginning and its end.
    Differing {
        beginning: usize,
        end: usize,
        between: String,
    },
    /// It went to cold storage in this very change, and is read from there.
    Cold,
}

impl State {
    /// How a body was, as a difference from how it is.
    fn differing(before: &str, after: &str) -> Self {
        let same = |pairs: &mut dyn Iterator<Item = (u8, u8)>| {
            pairs.take_while(|(left, right)| left == right).count()
        };
        let beginning = same(&mut before.bytes().zip(after.bytes()));
        let beginning = before.floor_char_boundary(beginning);
        let (left, right) = (&before[beginning..], &after[beginning..]);
        let end = same(&mut left.bytes().rev().zip(right.bytes().rev()));
        let end = left.len() - left.ceil_char_boundary(left.len() - end);
        Self::Differing {
            beginning,
            end,
            between: left[..left.len() - end].to_owned(),
        }
    }

    /// The body as it was, given the one after the change.
    pub(super) fn body(&self, after: Option<&str>) -> Option<String> {
        match self {
            Self::Body(body) => Some(body.clone()),
            Self::Differing {
                beginning,
                end,
                between,
            } => {
                let after = after?;
                let tail = after.get(after.len().checked_sub(*end)?..)?;
                Some(format!("{}{between}{tail}", after.get(..*beginning)?))
            }
            Self::Absent | Self::Cold => None,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Body(text) | Self::Differing { between: text, .. } => text.len(),
            Self::Absent | Self::Cold => 0,
        }
    }
}

/// One document of a change.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Changed {
    pub(super) kind: String,
    pub(super) id: String,
    pub(super) before: State,
    /// The digest of its body after the change; none if it is gone.
    pub(super) after: Option<String>,
}

impl Changed {
    pub(super) fn key(&self) -> Key {
        Key {
            kind: self.kind.clone(),
            id: self.id.clone(),
        }
    }
}

/// One commit of a consolidation, as it is kept: one document, or several for a very large one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct JournalEntry {
    pub(crate) consolidation: String,
    /// Its place among the entries, from 0.
    pub(super) place: u32,
    /// The first place of the commit it belongs to.
    pub(crate) commit: u32,
    pub(super) at: u64,
    /// What was done, in words.
    pub(super) changes: Vec<ConsolidationChange>,
    pub(super) documents: Vec<Changed>,
    pub(super) undone: bool,
}

impl JournalEntry {
    /// The id of the entry at a place.
    pub(crate) fn id_of(consolidation: &str, place: u32) -> String {
        format!("{consolidation}.{place:08}")
    }

    /// Whether it says anything of a document, by its id.
    pub(crate) fn mentions(&self, id: &str) -> bool {
        let within = |text: &str| text.contains(id);
        let changes = serde_json::to_string(&self.changes).unwrap_or_default();
        within(&changes)
            || self.documents.iter().any(|changed| {
                within(&changed.id)
                    || match &changed.before {
                        State::Body(text) | State::Differing { between: text, .. } => within(text),
                        State::Absent | State::Cold => false,
                    }
            })
    }

    /// Forgets what it holds. From now on it can't be undone.
    pub(crate) fn forget(&mut self) {
        self.changes.clear();
        self.documents.clear();
        self.undone = true;
    }
}

/// The attribute that an entry has as long as it was not taken back.
pub(super) const STANDING: &str = "standing";

impl Noun for JournalEntry {
    const KIND: Kind = Kind::ConsolidationChange;

    fn id(&self) -> String {
        Self::id_of(&self.consolidation, self.place)
    }

    fn attributes(&self) -> Vec<Attribute> {
        let mut attributes = vec![
            text("consolidation", &self.consolidation),
            number("place", f64::from(self.place)),
            number("at", self.at as f64),
        ];
        attributes.extend((!self.undone).then(|| text(STANDING, &self.consolidation)));
        attributes
    }
}

/// The short name of a body, by which it is known again.
pub(super) fn digest_of(body: &str) -> String {
    digest(&[body])
}

/// A store that writes down what is changed through it.
pub(super) struct Journal<'s> {
    store: &'s dyn Store,
    consolidation: &'s str,
    stage: Cell<Stage>,
    at: u64,
    place: Cell<u32>,
    reason: RefCell<String>,
    changes: RefCell<Vec<ConsolidationChange>>,
    /// How many episodes a bound kept from being compared.
    not_compared: Cell<u32>,
    /// What would be written, if it is a dry run.
    trial: Option<Trial>,
}

impl<'s> Journal<'s> {
    pub(super) fn new(
        reader: &Reader<'s>,
        consolidation: &'s str,
        stage: Stage,
        dry_run: bool,
    ) -> Result<Self, memory::Error> {
        let place = if dry_run {
            0
        } else {
            let of_this = vec![equals("consolidation", consolidation)];
            let last = query::<JournalEntry>(of_this, newest("place"), 1);
            let last = reader.search::<JournalEntry>(&last)?;
            last.first().map_or(0, |(read, _)| read.noun.place + 1)
        };
        Ok(Self {
            store: reader.store,
            consolidation,
            stage: Cell::new(stage),
            at: reader.now(),
            place: Cell::new(place),
            reason: RefCell::default(),
            changes: RefCell::default(),
            not_compared: Cell::new(0),
            trial: dry_run.then(Trial::default),
        })
    }

    /// Says why what follows is done, for changes that don't say it themselves.
    pub(super) fn because(&self, reason: &str) {
        reason.clone_into(&mut self.reason.borrow_mut());
    }

    /// Takes note of episodes that a bound keeps from being compared.
    pub(super) fn pass_over(&self, episodes: u32) {
        self.not_compared
            .set(self.not_compared.get().saturating_add(episodes));
    }

    /// How many were passed over.
    pub(super) fn not_compared(&self) -> u32 {
        self.not_compared.get()
    }

    /// Says which stage does what follows.
    pub(super) fn enter(&self, stage: Stage) {
        self.stage.set(stage);
    }

    /// The documents of a kind that a dry run would write.
    pub(super) fn tried(&self, kind: &str) -> Vec<Document> {
        let trial = self.trial.as_ref();
        trial.map_or_else(Vec::new, |trial| trial.written(kind))
    }

    /// Everything that was changed, in words.
    pub(super) fn into_changes(self) -> Vec<ConsolidationChange> {
        self.changes.into_inner()
    }

    /// The documents that a batch really changes, each with its body before and after.
    fn effects<'b>(&self, batch: &'b [Change]) -> Result<Vec<Effect<'b>>, Error> {
        let mut effects: BTreeMap<(String, String), Effect> = BTreeMap::new();
        for change in batch {
            let (key, after) = match change {
                Change::Put(put) => (&put.document.key, Some(&put.document)),
                Change::Remove(removal) => (&removal.key, None),
            };
            let effect = effects
                .entry((key.kind.clone(), key.id.clone()))
                .or_insert_with(|| Effect {
                    key: key.clone(),
                    version: 0,
                    before: None,
                    after: None,
                });
            effect.after = after;
        }
        let keys: Vec<_> = effects.values().map(|effect| effect.key.clone()).collect();
        for stored in self.get_many(&keys)? {
            let key = (stored.key.kind, stored.key.id);
            if let Some(effect) = effects.get_mut(&key) {
                effect.version = stored.version;
                effect.before = Some(stored.body);
            }
        }
        Ok(effects.into_values().collect())
    }

    fn entries(&self, effects: &[Effect], changes: &[ConsolidationChange]) -> Vec<JournalEntry> {
        let commit = self.place.get();
        let new = |place| JournalEntry {
            consolidation: self.consolidation.to_owned(),
            place,
            commit,
            at: self.at,
            changes: Vec::new(),
            documents: Vec::new(),
            undone: false,
        };
        let mut entries = vec![new(commit)];
        entries[0].changes = changes.to_vec();
        let mut bytes = 0;
        for effect in effects.iter().filter(|effect| effect.is_real()) {
            let changed = effect.changed();
            let size = changed.before.bytes();
            if bytes > 0 && bytes + size > ENTRY_BYTES {
                bytes = 0;
                entries.push(new(commit + entries.len() as u32));
            }
            bytes += size + effect.key.id.len();
            let last = entries.last_mut().expect("there is one");
            last.documents.push(changed);
        }
        entries
    }
}

/// What a batch does to one document.
struct Effect<'b> {
    key: Key,
    version: u32,
    before: Option<String>,
    after: Option<&'b Document>,
}

impl Effect<'_> {
    fn body_after(&self) -> Option<&str> {
        self.after.map(|document| document.body.as_str())
    }

    fn is_real(&self) -> bool {
        self.before.as_deref() != self.body_after()
    }

    fn changed(&self) -> Changed {
        let cold = self.key.kind == Kind::Step.as_str();
        Changed {
            kind: self.key.kind.clone(),
            id: self.key.id.clone(),
            before: match (&self.before, self.body_after()) {
                (None, _) => State::Absent,
                (Some(_), None) if cold => State::Cold,
                (Some(before), None) => State::Body(before.clone()),
                (Some(before), Some(after)) => State::differing(before, after),
            },
            after: self.body_after().map(digest_of),
        }
    }

    /// What must hold so that the state before is the one that was written down.
    fn precondition(&self) -> Precondition {
        match self.before {
            None => Precondition::Absent,
            Some(_) => Precondition::At(self.version),
        }
    }
}

impl Store for Journal<'_> {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        match &self.trial {
            Some(trial) => trial.get_many(self.store, keys),
            None => self.store.get_many(keys),
        }
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        let effects = self.effects(batch)?;
        if !effects.iter().any(Effect::is_real) {
            // What is already so needs no new version.
            return Ok(());
        }
        let reason = self.reason.borrow();
        let real = effects.iter().filter(|effect| effect.is_real());
        let changes: Vec<_> = real
            .filter_map(|effect| {
                let (before, after) = (effect.before.as_deref(), effect.body_after());
                words::of(self.stage.get(), &effect.key, before, after, &reason)
            })
            .collect();
        if let Some(trial) = &self.trial {
            for effect in effects {
                trial.note(effect.key, effect.after.cloned(), effect.version + 1);
            }
        } else {
            let entries = self.entries(&effects, &changes);
            let mut all = certain(batch, &effects);
            all.extend(entries.iter().map(|entry| {
                Change::Put(Put {
                    document: written(entry),
                    precondition: Precondition::Absent,
                })
            }));
            self.store.commit(&all)?;
            self.place.set(self.place.get() + entries.len() as u32);
        }
        self.changes.borrow_mut().extend(changes);
        Ok(())
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        self.commit(batch)
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        match &self.trial {
            Some(trial) => trial.find(self.store, query),
            None => self.store.find(query),
        }
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        match &self.trial {
            Some(trial) => trial.count(self.store, kind, conditions),
            None => self.store.count(kind, conditions),
        }
    }

    fn optimize(&self) -> Result<(), Error> {
        match &self.trial {
            Some(_) => Ok(()),
            None => self.store.optimize(),
        }
    }
}

/// The batch, with the first change of each document bound to the state that was written down.
fn certain(batch: &[Change], effects: &[Effect]) -> Vec<Change> {
    let mut bound: BTreeMap<(String, String), &Effect> = effects
        .iter()
        .map(|effect| ((effect.key.kind.clone(), effect.key.id.clone()), effect))
        .collect();
    let mut bind = |key: &Key, given: Precondition| {
        let effect = bound.remove(&(key.kind.clone(), key.id.clone()));
        match (given, effect) {
            (Precondition::Anything, Some(effect)) => effect.precondition(),
            (given, _) => given,
        }
    };
    batch
        .iter()
        .map(|change| match change {
            Change::Put(put) => Change::Put(Put {
                precondition: bind(&put.document.key, put.precondition.clone()),
                document: put.document.clone(),
            }),
            Change::Remove(removal) => Change::Remove(Removal {
                precondition: bind(&removal.key, removal.precondition.clone()),
                key: removal.key.clone(),
            }),
        })
        .collect()
}

/// The first changes of a consolidation, in words.
pub(super) fn changes_of(
    reader: &Reader,
    consolidation: &str,
    most: usize,
) -> Result<Vec<ConsolidationChange>, memory::Error> {
    let of_this = vec![equals("consolidation", consolidation)];
    let mut page = query::<JournalEntry>(of_this, store::ascending("place"), 200);
    let mut changes = Vec::new();
    loop {
        let found = reader.store.find(&page).map_err(from_store)?;
        for found in &found {
            let entry = store::Read::<JournalEntry>::parse(&found.document)?;
            changes.extend(entry.noun.changes);
        }
        if changes.len() >= most || found.len() < page.limit as usize {
            changes.truncate(most);
            return Ok(changes);
        }
        page.offset += page.limit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_difference_is_kept() {
        let state = State::differing("{a:1,list:[жук]}", "{a:2,list:[жар]}");
        assert_eq!(state.bytes(), "1,list:[жук".len());
        assert_eq!(State::differing("same", "same").bytes(), 0);
    }

    proptest! {
        #[test]
        fn a_body_comes_back_from_what_it_became(before in "[aжb]{0,12}", after in "[aжb]{0,12}") {
            let state = State::differing(&before, &after);
            prop_assert_eq!(state.body(Some(&after)), Some(before));
        }
    }
}
