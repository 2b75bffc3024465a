//! Owns the documents of one kind as they are searched: by id, by attribute, by term and by vector.
//!
//! It holds heads alone. An attribute's index has its values in order, and under each value the documents in the order of
//! their ids, so that the answers of most questions are at the beginning of a walk.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use twiceshy_wit::host::{AttributeOrder, Condition, Error, Order, Query, Test, Value};

use crate::conditions::{compare, passes_all, same_type};
use crate::rank::{Asked, Bm25, Direction, affordable, best_first, counted};
use crate::record::Head;
use crate::validate;

type Id = Arc<str>;
type Name = Arc<str>;

/// A value in the order of the contract.
#[derive(Debug, Clone)]
struct Ordered(Arc<Value>);

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        compare(&self.0, &other.0)
    }
}

/// Documents under one value, in the order of their ids.
type Holders = BTreeSet<Id>;

/// The documents of one kind.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    documents: BTreeMap<Id, Arc<Document>>,
    attributes: BTreeMap<Name, BTreeMap<Ordered, Holders>>,
    /// How often each term occurs in each document that has it.
    postings: BTreeMap<Name, BTreeMap<Id, u64>>,
    /// How many documents have a text, and how many terms those have in all.
    texts: u64,
    tokens: u64,
}

/// A document without its content.
#[derive(Debug)]
struct Document {
    number: u64,
    version: u32,
    attributes: Box<[(Name, Ordered)]>,
    terms: Box<[Name]>,
    /// How many terms its text has.
    length: u64,
    vector: Box<[f32]>,
}

impl Document {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Value> {
        let attributes = self.attributes.iter();
        attributes
            .filter(move |(own, _)| &**own == name)
            .map(|(_, value)| &*value.0)
    }

    fn passes(&self, conditions: &[Condition]) -> bool {
        passes_all(conditions, |name| self.values(name))
    }

    /// The value that counts in an order: the first one in its direction.
    fn first_value<'a>(&'a self, order: &'a AttributeOrder) -> Option<&'a Value> {
        let values = self.values(&order.attribute);
        match order.descending {
            true => values.max_by(|a, b| compare(a, b)),
            false => values.min_by(|a, b| compare(a, b)),
        }
    }
}

/// A document that is part of an answer.
#[derive(Debug, PartialEq)]
pub(crate) struct Hit {
    pub id: Id,
    pub version: u32,
    pub score: f64,
}

/// The documents that can pass the conditions, as few as an index can tell.
enum Candidates<'a> {
    All,
    These(Vec<&'a Holders>),
}

impl Shelf {
    /// Puts a document in place of what had its id, or takes it away.
    pub fn set(&mut self, id: &str, head: Option<&Head>) {
        let id: Id = id.into();
        if let Some(before) = self.documents.remove(&id) {
            self.take_out(&id, &before);
        }
        if let Some(head) = head {
            self.put_in(id, head);
        }
    }

    fn take_out(&mut self, id: &Id, document: &Document) {
        for (name, value) in &document.attributes {
            let Some(values) = self.attributes.get_mut(name) else {
                continue;
            };
            if let Some(holders) = values.get_mut(value) {
                holders.remove(id);
                if holders.is_empty() {
                    values.remove(value);
                }
            }
        }
        for term in &document.terms {
            if let Some(documents) = self.postings.get_mut(term) {
                documents.remove(id);
                if documents.is_empty() {
                    self.postings.remove(term);
                }
            }
        }
        self.texts -= u64::from(document.length > 0);
        self.tokens -= document.length;
    }

    fn put_in(&mut self, id: Id, head: &Head) {
        let mut attributes = Vec::with_capacity(head.attributes.len());
        for (name, value) in &head.attributes {
            let name = shared(&self.attributes, name);
            let values = self.attributes.entry(name.clone()).or_default();
            let mut value = Ordered(Arc::new(value.clone()));
            if let Some((same, _)) = values.get_key_value(&value) {
                value = same.clone();
            }
            values.entry(value.clone()).or_default().insert(id.clone());
            attributes.push((name, value));
        }
        let mut terms = Vec::with_capacity(head.terms.len());
        for (term, frequency) in &head.terms {
            let term = shared(&self.postings, term);
            let documents = self.postings.entry(term.clone()).or_default();
            documents.insert(id.clone(), *frequency);
            terms.push(term);
        }
        let length = head.terms.iter().map(|(_, frequency)| frequency).sum();
        self.texts += u64::from(length > 0);
        self.tokens += length;
        let document = Document {
            number: head.number,
            version: head.version,
            attributes: attributes.into(),
            terms: terms.into(),
            length,
            vector: head.vector.as_slice().into(),
        };
        self.documents.insert(id, Arc::new(document));
    }

    /// How many documents pass.
    pub fn count(&self, conditions: &[Condition]) -> usize {
        match (conditions, self.candidates(conditions)) {
            ([], _) => self.documents.len(),
            // The holders of one value are the documents that have it.
            ([one], Candidates::These(holders)) if matches!(one.test, Test::Equals(_)) => {
                holders.iter().map(|holders| holders.len()).sum()
            }
            (_, candidates) => self.passing(candidates, conditions).count(),
        }
    }

    /// The length of the vectors, by the first one that differs from `length`.
    pub fn other_length(&self, length: usize) -> Option<usize> {
        let mut lengths = self.documents.values().map(|one| one.vector.len());
        lengths.find(|other| *other > 0 && *other != length)
    }

    /// The page of an answer, with so much to spend on a question of text.
    pub fn find(&self, query: &Query, budget: u64) -> Result<Vec<Hit>, Error> {
        let conditions = query.conditions.as_slice();
        let (skipped, limit) = (query.offset as usize, query.limit as usize);
        let candidates = self.candidates(conditions);
        let unscored = |id: &Id| self.hit(id, 0.0);
        Ok(match &query.order {
            Order::ById => {
                let passing = self.passing(candidates, conditions);
                let page = passing.skip(skipped).take(limit);
                page.filter_map(|(id, _)| unscored(id)).collect()
            }
            Order::ByAttribute(order) => {
                let few = skipped.saturating_add(limit).saturating_mul(32).max(256);
                let ids = match candidates {
                    Candidates::These(holders) if size(&holders) <= few => {
                        let candidates = Candidates::These(holders);
                        self.sorted(self.passing(candidates, conditions), order)
                    }
                    _ => self.walked(order, conditions, skipped.saturating_add(limit)),
                };
                let page = ids.into_iter().skip(skipped).take(limit);
                page.filter_map(unscored).collect()
            }
            Order::ByText(text) => {
                let scored = self.by_text(conditions, text, budget);
                self.best(scored, skipped, limit)
            }
            Order::ByNearest(vector) => {
                let mut lengths = self.documents.values().map(|one| one.vector.len());
                if let Some(length) = lengths.find(|length| *length > 0) {
                    validate::same_length("order.by-nearest", &query.kind, vector.len(), length)?;
                }
                let direction = Direction::new(vector);
                let with_vector = self.passing(candidates, conditions);
                let scored = with_vector
                    .filter(|(_, document)| !document.vector.is_empty())
                    .map(|(id, document)| (direction.cosine(&document.vector), document, id));
                self.best(scored.collect(), skipped, limit)
            }
        })
    }

    fn hit(&self, id: &Id, score: f64) -> Option<Hit> {
        self.documents.get(id).map(|document| Hit {
            id: id.clone(),
            version: document.version,
            score,
        })
    }

    /// The fewest documents that one of the conditions leaves.
    fn candidates(&self, conditions: &[Condition]) -> Candidates<'_> {
        let mut best: Option<(usize, Vec<&Holders>)> = None;
        for condition in conditions {
            let room = best.as_ref().map_or(self.documents.len(), |best| best.0);
            if let Some(holders) = self.holders(condition, room) {
                best = Some((size(&holders), holders));
            }
        }
        best.map_or(Candidates::All, |(_, holders)| Candidates::These(holders))
    }

    /// The documents that pass one condition, unless an index can't tell or they are more than `room`.
    fn holders(&self, condition: &Condition, room: usize) -> Option<Vec<&Holders>> {
        let ordered = |value: &Value| Ordered(Arc::new(value.clone()));
        let values = self.attributes.get(condition.attribute.as_str());
        let Some(values) = values else {
            return (condition.test != Test::Missing).then(Vec::new);
        };
        let range: Box<dyn Iterator<Item = (&Ordered, &Holders)>> = match &condition.test {
            Test::Missing => return None,
            Test::Equals(value) => return Some(values.get(&ordered(value)).into_iter().collect()),
            Test::AnyOf(wanted) => {
                let wanted: BTreeSet<_> = wanted.iter().map(ordered).collect();
                let all: Vec<_> = wanted.iter().filter_map(|one| values.get(one)).collect();
                return (size(&all) <= room).then_some(all);
            }
            Test::AtLeast(least) => Box::new(
                values
                    .range(ordered(least)..)
                    .take_while(move |(value, _)| same_type(&value.0, least)),
            ),
            Test::AtMost(most) => Box::new(
                values
                    .range((Bound::Unbounded, Bound::Included(ordered(most))))
                    .rev()
                    .take_while(move |(value, _)| same_type(&value.0, most)),
            ),
        };
        let (mut found, mut count) = (Vec::new(), 0);
        for (_, holders) in range {
            count += holders.len();
            if count > room {
                return None;
            }
            found.push(holders);
        }
        Some(found)
    }

    /// The candidates that pass all conditions, each once, in the order of their ids.
    fn passing<'a>(
        &'a self,
        candidates: Candidates<'a>,
        conditions: &'a [Condition],
    ) -> Box<dyn Iterator<Item = (&'a Id, &'a Document)> + 'a> {
        let passes = move |(_, document): &(&Id, &Document)| document.passes(conditions);
        let with_document = |id| Some((id, &**self.documents.get(id)?));
        match candidates {
            Candidates::All => {
                let all = self.documents.iter().map(|(id, one)| (id, &**one));
                Box::new(all.filter(passes))
            }
            Candidates::These(holders) => match holders.as_slice() {
                [one] => Box::new(one.iter().filter_map(with_document).filter(passes)),
                several => {
                    let mut ids: Vec<&Id> = several.iter().copied().flatten().collect();
                    ids.sort_unstable();
                    ids.dedup();
                    Box::new(ids.into_iter().filter_map(with_document).filter(passes))
                }
            },
        }
    }

    /// Documents by an attribute. They come in the order of their ids, and sorting is stable, so that ties stay so.
    fn sorted<'a>(
        &self,
        passing: impl Iterator<Item = (&'a Id, &'a Document)>,
        order: &AttributeOrder,
    ) -> Vec<&'a Id> {
        let mut valued: Vec<(Ordered, &Id)> = passing
            .filter_map(|(id, document)| {
                let first = document.first_value(order)?;
                Some((Ordered(Arc::new(first.clone())), id))
            })
            .collect();
        valued.sort_by(|(a, _), (b, _)| match order.descending {
            true => b.cmp(a),
            false => a.cmp(b),
        });
        valued.into_iter().map(|(_, id)| id).collect()
    }

    /// The first documents by an attribute, found on a walk through its index.
    fn walked(&self, order: &AttributeOrder, conditions: &[Condition], most: usize) -> Vec<&Id> {
        let Some(values) = self.attributes.get(order.attribute.as_str()) else {
            return Vec::new();
        };
        let values: Box<dyn Iterator<Item = (&Ordered, &Holders)>> = match order.descending {
            true => Box::new(values.iter().rev()),
            false => Box::new(values.iter()),
        };
        let ids = values.flat_map(|(value, holders)| holders.iter().map(move |id| (value, id)));
        let counts = |(value, id): &(&Ordered, &Id)| {
            let document = self.documents.get(*id);
            document.is_some_and(|document| {
                // Of several values the first one in the direction counts, and the others come later.
                let first = document.first_value(order);
                first.is_some_and(|first| compare(first, &value.0).is_eq())
                    && document.passes(conditions)
            })
        };
        ids.filter(counts).map(|(_, id)| id).take(most).collect()
    }

    fn by_text<'a>(
        &'a self,
        conditions: &[Condition],
        text: &str,
        budget: u64,
    ) -> Vec<(f64, &'a Document, &'a Id)> {
        let hits = |term: &str| self.postings.get(term).map_or(0, BTreeMap::len) as u64;
        let asked = counted(text).into_iter().map(|(term, times)| Asked {
            hits: hits(&term),
            term,
            times,
        });
        let asked = affordable(asked.collect(), budget);
        let bm25 = Bm25::new(self.texts, self.tokens, &asked);
        // Term by term from the rarest on, so that each sum is made in the order of the contract.
        let mut scores: BTreeMap<&Id, (f64, &Document)> = BTreeMap::new();
        for (index, asked) in asked.iter().enumerate() {
            for (id, frequency) in self.postings.get(asked.term.as_str()).into_iter().flatten() {
                let Some(document) = self.documents.get(id) else {
                    continue;
                };
                let score = &mut scores.entry(id).or_insert((0.0, document)).0;
                *score += bm25.part(index, *frequency, document.length);
            }
        }
        scores
            .into_iter()
            .filter(|(_, (score, document))| *score > 0.0 && document.passes(conditions))
            .map(|(id, (score, document))| (score, document, id))
            .collect()
    }

    /// A page of scored documents, best first.
    fn best(
        &self,
        mut scored: Vec<(f64, &Document, &Id)>,
        skipped: usize,
        limit: usize,
    ) -> Vec<Hit> {
        let order = |a: &(f64, &Document, &Id), b: &(f64, &Document, &Id)| {
            best_first((a.0, a.1.number), (b.0, b.1.number))
        };
        let wanted = skipped.saturating_add(limit);
        if wanted > 0 && wanted < scored.len() {
            scored.select_nth_unstable_by(wanted - 1, order);
            scored.truncate(wanted);
        }
        scored.sort_unstable_by(order);
        let page = scored.into_iter().skip(skipped).take(limit);
        page.filter_map(|(score, _, id)| self.hit(id, score))
            .collect()
    }
}

fn size(holders: &[&Holders]) -> usize {
    holders.iter().map(|holders| holders.len()).sum()
}

/// A name as a map has it already, so that each is kept once.
fn shared<T>(map: &BTreeMap<Name, T>, name: &str) -> Name {
    map.get_key_value(name)
        .map_or_else(|| name.into(), |(name, _)| name.clone())
}
