//! Owns a store in memory: the contract without a disk, for tests and for embedders that keep nothing.
//!
//! It goes through all documents of a kind for every question; that is simple, deterministic and fast
//! enough for thousands of documents. It does not outlive its process.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use twiceshy_wit::host::{
    Attribute, AttributeOrder, Change, Condition, Document, Error, Found, Key, Order, Query, Store,
    Stored, Value,
};

use twiceshy_documents::conditions::{compare, passes_all};
use twiceshy_documents::rank::{Asked, BUDGET, Bm25, Direction, affordable, best_first, counted};
use twiceshy_documents::{validate, version};

/// A store in memory.
#[derive(Debug, Default)]
pub struct MapStore {
    state: RwLock<State>,
}

#[derive(Debug, Default, Clone)]
struct State {
    kinds: Kinds,
    /// How many documents ever came into the store: the number of the latest.
    arrivals: u64,
}

/// Entries are shared between a store and its copies, and never change.
type Kinds = BTreeMap<String, BTreeMap<String, Arc<Entry>>>;

/// A document as it is kept: what questions are asked about is worked out when it is written.
#[derive(Debug)]
struct Entry {
    /// Grows with every document that is new, and stays when it is written again.
    number: u64,
    version: u32,
    body: String,
    attributes: Vec<Attribute>,
    /// How often each term occurs in the text, and how many there are in all.
    frequencies: BTreeMap<String, u64>,
    length: u64,
    vector: Vec<f32>,
}

/// A copy goes its own way: what is written to one is not in the other.
impl Clone for MapStore {
    fn clone(&self) -> Self {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        Self {
            state: RwLock::new(state.clone()),
        }
    }
}

impl MapStore {
    /// A store with nothing in it.
    pub fn new() -> MapStore {
        MapStore::default()
    }

    /// Everything that is kept, one text for each document, for tests that look for a word anywhere.
    pub fn texts(&self) -> Vec<String> {
        self.read(|kinds| {
            let all = kinds.iter().flat_map(|(kind, entries)| {
                let text = move |(id, entry): (&String, &Arc<Entry>)| {
                    format!(
                        "{kind} {id} {} {:?} {:?}",
                        entry.body, entry.attributes, entry.frequencies
                    )
                };
                entries.iter().map(text)
            });
            all.collect()
        })
    }

    fn read<T>(&self, read: impl FnOnce(&Kinds) -> T) -> T {
        read(
            &self
                .state
                .read()
                .unwrap_or_else(PoisonError::into_inner)
                .kinds,
        )
    }

    /// Finds documents with every term of a question of text, whatever that costs: what the contract's answers are
    /// measured against.
    pub fn find_exactly(&self, query: &Query) -> Result<Vec<Found>, Error> {
        self.find_within(query, u64::MAX)
    }

    /// Finds documents, with so much to spend on a question of text.
    pub(crate) fn find_within(&self, query: &Query, budget: u64) -> Result<Vec<Found>, Error> {
        validate::query(query)?;
        self.read(|kinds| {
            let Some(all) = kinds.get(&query.kind) else {
                return Ok(Vec::new());
            };
            let passing: Vec<Candidate> = all
                .iter()
                .filter(|(_, entry)| entry.passes(&query.conditions))
                .map(|(id, entry)| Candidate {
                    id,
                    entry,
                    score: 0.0,
                })
                .collect();
            let ranked = match &query.order {
                Order::ById => passing,
                Order::ByAttribute(order) => by_attribute(passing, order),
                Order::ByText(text) => by_text(passing, all, text, budget),
                Order::ByNearest(vector) => by_nearest(passing, all, &query.kind, vector)?,
            };
            let page = ranked
                .into_iter()
                .skip(query.offset as usize)
                .take(query.limit as usize);
            Ok(page.map(|candidate| candidate.found(&query.kind)).collect())
        })
    }
}

impl Store for MapStore {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        validate::keys(keys)?;
        Ok(self.read(|kinds| {
            let entry = |key: &Key| {
                kinds
                    .get(&key.kind)?
                    .get(&key.id)
                    .map(|entry| entry.stored(key))
            };
            keys.iter().filter_map(entry).collect()
        }))
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        validate::batch(batch)?;
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let State { kinds, arrivals } = &mut *state;
        let mut undo = Vec::new();
        let result = batch
            .iter()
            .try_for_each(|change| apply(kinds, arrivals, change, &mut undo))
            .and_then(|()| check_vectors(kinds, batch));
        if result.is_err() {
            for (key, before) in undo.into_iter().rev() {
                set(kinds, &key, before);
            }
        }
        result
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        self.commit(batch)
    }

    fn optimize(&self) -> Result<(), Error> {
        Ok(())
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        self.find_within(query, BUDGET)
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        validate::conditions(kind, conditions)?;
        let count = self.read(|kinds| {
            let all = kinds.get(kind).into_iter().flat_map(BTreeMap::values);
            all.filter(|entry| entry.passes(conditions)).count()
        });
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }
}

/// Puts an entry in place, or takes it away, and returns what was there.
fn set(kinds: &mut Kinds, key: &Key, entry: Option<Arc<Entry>>) -> Option<Arc<Entry>> {
    match entry {
        Some(entry) => kinds
            .entry(key.kind.clone())
            .or_default()
            .insert(key.id.clone(), entry),
        None => kinds.get_mut(&key.kind)?.remove(&key.id),
    }
}

fn apply(
    kinds: &mut Kinds,
    arrivals: &mut u64,
    change: &Change,
    undo: &mut Vec<(Key, Option<Arc<Entry>>)>,
) -> Result<(), Error> {
    let (key, precondition) = match change {
        Change::Put(put) => (&put.document.key, &put.precondition),
        Change::Remove(removal) => (&removal.key, &removal.precondition),
    };
    let present = kinds
        .get(&key.kind)
        .and_then(|all| all.get(&key.id))
        .map(|entry| (entry.version, entry.number));
    let version = present.map(|(version, _)| version);
    version::check(key, version, precondition)?;
    let entry = match change {
        Change::Put(put) => {
            let version = version::next(key, version)?;
            let number = present.map_or_else(
                || {
                    *arrivals += 1;
                    *arrivals
                },
                |(_, number)| number,
            );
            Some(Arc::new(Entry::new(&put.document, version, number)))
        }
        Change::Remove(_) => None,
    };
    let before = set(kinds, key, entry);
    undo.push((key.clone(), before));
    Ok(())
}

/// The rule of one length is about the state after the batch, so that all vectors of a kind can be
/// replaced together.
fn check_vectors(kinds: &Kinds, batch: &[Change]) -> Result<(), Error> {
    for (index, change) in batch.iter().enumerate() {
        let Change::Put(put) = change else { continue };
        let Key { kind, id } = &put.document.key;
        let all = &kinds[kind];
        let Some(length) = all
            .get(id)
            .map(|entry| entry.vector.len())
            .filter(|length| *length > 0)
        else {
            continue;
        };
        let other = all
            .values()
            .map(|entry| entry.vector.len())
            .find(|other| *other > 0 && *other != length);
        if let Some(other) = other {
            validate::same_length(
                &format!("batch[{index}].document.vector"),
                kind,
                length,
                other,
            )?;
        }
    }
    Ok(())
}

impl Entry {
    fn new(document: &Document, version: u32, number: u64) -> Entry {
        let frequencies = counted(&document.text);
        let length = frequencies.values().sum();
        Entry {
            number,
            version,
            body: document.body.clone(),
            attributes: document.attributes.clone(),
            frequencies,
            length,
            vector: document.vector.clone(),
        }
    }

    fn stored(&self, key: &Key) -> Stored {
        Stored {
            key: key.clone(),
            version: self.version,
            body: self.body.clone(),
        }
    }

    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Value> {
        self.attributes
            .iter()
            .filter(move |attribute| attribute.name == name)
            .map(|attribute| &attribute.value)
    }

    fn passes(&self, conditions: &[Condition]) -> bool {
        passes_all(conditions, |name| self.values(name))
    }
}

/// A document that may be part of an answer.
struct Candidate<'a> {
    id: &'a str,
    entry: &'a Entry,
    score: f64,
}

impl Candidate<'_> {
    fn found(&self, kind: &str) -> Found {
        let key = Key {
            kind: kind.to_owned(),
            id: self.id.to_owned(),
        };
        Found {
            document: self.entry.stored(&key),
            score: self.score,
        }
    }
}

/// Candidates come in the order of their ids, and sorting is stable, so that ties stay in that order.
fn by_attribute<'a>(
    candidates: Vec<Candidate<'a>>,
    order: &'a AttributeOrder,
) -> Vec<Candidate<'a>> {
    let direction = |a: &Value, b: &Value| {
        if order.descending {
            compare(b, a)
        } else {
            compare(a, b)
        }
    };
    let mut ranked: Vec<(&Value, Candidate)> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let first = candidate
                .entry
                .values(&order.attribute)
                .min_by(|a, b| direction(a, b))?;
            Some((first, candidate))
        })
        .collect();
    ranked.sort_by(|a, b| direction(a.0, b.0));
    ranked.into_iter().map(|(_, candidate)| candidate).collect()
}

fn by_text<'a>(
    candidates: Vec<Candidate<'a>>,
    all: &BTreeMap<String, Arc<Entry>>,
    text: &str,
    budget: u64,
) -> Vec<Candidate<'a>> {
    let texts = || all.values().filter(|entry| entry.length > 0);
    let hits = |term: &String| {
        let hits = texts().filter(|entry| entry.frequencies.contains_key(term));
        hits.count() as u64
    };
    let asked = counted(text).into_iter().map(|(term, times)| Asked {
        hits: hits(&term),
        term,
        times,
    });
    let asked = affordable(asked.collect(), budget);
    let tokens = texts().map(|entry| entry.length).sum();
    let bm25 = Bm25::new(texts().count() as u64, tokens, &asked);
    let scored = candidates.into_iter().filter_map(|mut candidate| {
        let entry = candidate.entry;
        for (index, asked) in asked.iter().enumerate() {
            if let Some(frequency) = entry.frequencies.get(&asked.term) {
                candidate.score += bm25.part(index, *frequency, entry.length);
            }
        }
        (candidate.score > 0.0).then_some(candidate)
    });
    sorted_by_score(scored.collect())
}

fn by_nearest<'a>(
    candidates: Vec<Candidate<'a>>,
    all: &BTreeMap<String, Arc<Entry>>,
    kind: &str,
    vector: &[f32],
) -> Result<Vec<Candidate<'a>>, Error> {
    if let Some(length) = all
        .values()
        .map(|entry| entry.vector.len())
        .find(|length| *length > 0)
    {
        validate::same_length("order.by-nearest", kind, vector.len(), length)?;
    }
    let direction = Direction::new(vector);
    let scored = candidates
        .into_iter()
        .filter(|candidate| !candidate.entry.vector.is_empty())
        .map(|mut candidate| {
            candidate.score = direction.cosine(&candidate.entry.vector);
            candidate
        });
    Ok(sorted_by_score(scored.collect()))
}

fn sorted_by_score(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|a, b| best_first((a.score, a.entry.number), (b.score, b.entry.number)));
    candidates
}
