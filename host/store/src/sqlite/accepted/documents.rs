//! Owns the documents of one kind as they are since the transaction of a group began, and the questions that can be
//! answered from them and from what was there before, without waiting until they are written.
//!
//! A group that takes in asks the same few questions of each episode. So a count that was asked for is kept up to date,
//! and documents are found by what they have.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use rusqlite::{OptionalExtension, params};
use twiceshy_documents::conditions::{compare, passes_all};
use twiceshy_wit::host::{
    Attribute, AttributeOrder, Condition, Document, Found, Order, Query, Stored, Test, Value,
};

use super::super::attributes::{self, Packed};
use super::super::database::Database;
use super::super::failure::Failure;
use super::super::find::{self, Effort};
use super::Latest;

/// More documents than these are not looked at one by one: it is shorter to wait.
const MOST: usize = 256;

/// What is known of one kind.
#[derive(Default)]
pub struct Documents {
    latest: HashMap<String, Latest>,
    /// How many of them were there before.
    replaced: usize,
    /// The ids of documents by each text that they have, or had, under a name; none until somebody asks.
    by_text: Option<HashMap<(String, String), Vec<String>>>,
    counts: Vec<Count>,
}

/// How many documents pass some conditions.
struct Count {
    conditions: Vec<Condition>,
    number: i64,
}

impl Documents {
    /// A document, if something was done to it.
    pub fn get(&self, id: &str) -> Option<&Latest> {
        self.latest.get(id)
    }

    /// Takes in what a document is from now on.
    pub fn insert(&mut self, before: &Database, id: &str, latest: Latest) -> Result<(), Failure> {
        for count in 0..self.counts.len() {
            let conditions = &self.counts[count].conditions;
            let passed = match self.latest.get(id) {
                Some(known) => known.passes(conditions),
                None => passed(before, &latest, conditions)?,
            };
            let change = i64::from(latest.passes(conditions)) - i64::from(passed);
            self.counts[count].number += change;
        }
        if let Some(document) = latest.document() {
            enter(&mut self.by_text, id, document);
        }
        if let Some(known) = self.latest.get_mut(id) {
            let was = known.was;
            *known = Latest { was, ..latest };
        } else {
            self.replaced += usize::from(latest.was.is_some());
            self.latest.insert(id.to_owned(), latest);
        }
        Ok(())
    }

    /// How many documents pass.
    pub fn count(
        &mut self,
        before: &Database,
        kind: &str,
        conditions: &[Condition],
    ) -> Result<u32, Failure> {
        let known = self.counts.iter().find(|one| one.conditions == conditions);
        let number = match known {
            Some(count) => count.number,
            None => {
                let mut number = i64::from(find::count(before, kind, conditions)?);
                for latest in self.latest.values() {
                    number += i64::from(latest.passes(conditions));
                    number -= i64::from(passed(before, latest, conditions)?);
                }
                self.counts.push(Count {
                    conditions: conditions.to_vec(),
                    number,
                });
                number
            }
        };
        Ok(u32::try_from(number).unwrap_or_default())
    }

    /// What a question finds; none if it is shorter to wait.
    pub fn find(
        &mut self,
        before: &Database,
        query: &Query,
    ) -> Result<Option<Vec<Found>>, Failure> {
        let order = match &query.order {
            Order::ById => None,
            Order::ByAttribute(order) => Some(order),
            Order::ByText(_) | Order::ByNearest(_) => return Ok(None),
        };
        let first = query.offset as usize;
        let last = first + query.limit as usize;
        if last > MOST || self.replaced > MOST {
            return Ok(None);
        }
        self.enter_all();
        let Some(passing) = self.passing(&query.conditions) else {
            return Ok(None);
        };
        // As many more as may be something else by now.
        let wider = Query {
            offset: 0,
            limit: (last + self.replaced) as u32,
            ..query.clone()
        };
        let mut found = find::find(before, &wider, Effort::default())?;
        found.retain(|found| !self.latest.contains_key(&found.document.key.id));
        if !passing.is_empty() {
            let mut keyed = Vec::with_capacity(found.len() + passing.len());
            for found in found {
                keyed.push((value_before(before, &found, order)?, found));
            }
            for (id, latest) in passing {
                let value = latest
                    .document()
                    .and_then(|document| value_of(&document.attributes, order?));
                if let Some(stored) = latest.stored(&query.kind, id)
                    && (order.is_none() || value.is_some())
                {
                    let score = 0.0;
                    keyed.push((
                        value,
                        Found {
                            document: stored,
                            score,
                        },
                    ));
                }
            }
            keyed.sort_by(|a, b| {
                let by_value = match (&a.0, &b.0, order) {
                    (Some(a), Some(b), Some(order)) => directed(order, a, b),
                    _ => Ordering::Equal,
                };
                by_value.then_with(|| a.1.document.key.id.cmp(&b.1.document.key.id))
            });
            found = keyed.into_iter().map(|(_, found)| found).collect();
        }
        found.truncate(last);
        found.drain(..first.min(found.len()));
        Ok(Some(found))
    }

    /// Makes the documents known by their texts, if they are not.
    fn enter_all(&mut self) {
        if self.by_text.is_some() {
            return;
        }
        self.by_text = Some(HashMap::new());
        for (id, latest) in &self.latest {
            if let Some(document) = latest.document() {
                enter(&mut self.by_text, id, document);
            }
        }
    }

    /// The documents here that pass; none if too many have to be looked at.
    fn passing(&self, conditions: &[Condition]) -> Option<Vec<(&str, &Latest)>> {
        let by_text = self.by_text.as_ref()?;
        let ids = |condition: &Condition| -> Option<Vec<&str>> {
            let texts = match &condition.test {
                Test::Equals(text) => std::slice::from_ref(text),
                Test::AnyOf(texts) => texts,
                _ => return None,
            };
            let mut ids = Vec::new();
            for value in texts {
                let Value::Text(text) = value else {
                    return None;
                };
                let key = (condition.attribute.clone(), text.clone());
                ids.extend(by_text.get(&key).into_iter().flatten().map(String::as_str));
            }
            Some(ids)
        };
        let fewest = conditions.iter().filter_map(ids).min_by_key(Vec::len);
        let ids: BTreeSet<&str> = match fewest {
            Some(ids) if ids.len() <= MOST => ids.into_iter().collect(),
            None if self.latest.len() <= MOST => self.latest.keys().map(String::as_str).collect(),
            _ => return None,
        };
        let passing = ids
            .into_iter()
            .filter_map(|id| Some((id, self.latest.get(id)?)))
            .filter(|(_, latest)| latest.passes(conditions));
        Some(passing.collect())
    }
}

fn enter(
    by_text: &mut Option<HashMap<(String, String), Vec<String>>>,
    id: &str,
    document: &Document,
) {
    let Some(by_text) = by_text else { return };
    for Attribute { name, value } in &document.attributes {
        if let Value::Text(text) = value {
            let ids = by_text.entry((name.clone(), text.clone())).or_default();
            if ids.last().is_none_or(|last| last != id) {
                ids.push(id.to_owned());
            }
        }
    }
}

/// Whether what stood in a document's place before passed.
fn passed(before: &Database, latest: &Latest, conditions: &[Condition]) -> Result<bool, Failure> {
    let Some(doc) = latest.was else {
        return Ok(false);
    };
    let row = before
        .prepare_cached("SELECT kind, attributes FROM documents WHERE doc = ?1")?
        .query_row([doc], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
        });
    let (kind, packed) = row?;
    for condition in conditions {
        let name = before.name(kind, &condition.attribute)?;
        if !attributes::passes(&packed, name, &condition.test) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn directed(order: &AttributeOrder, a: &Value, b: &Value) -> Ordering {
    match order.descending {
        true => compare(b, a),
        false => compare(a, b),
    }
}

/// The value by which a document is put in order: its first one.
fn value_of(attributes: &[Attribute], order: &AttributeOrder) -> Option<Value> {
    let own = attributes
        .iter()
        .filter(|one| one.name == order.attribute)
        .map(|one| &one.value);
    own.min_by(|a, b| directed(order, a, b)).cloned()
}

/// The same of a document that was there before.
fn value_before(
    before: &Database,
    found: &Found,
    order: Option<&AttributeOrder>,
) -> Result<Option<Value>, Failure> {
    let Some(order) = order else { return Ok(None) };
    let Stored { key, .. } = &found.document;
    let kind = before.kind(&key.kind)?;
    let name = before.name(kind, &order.attribute)?;
    let packed: Option<Vec<u8>> = before
        .prepare_cached("SELECT attributes FROM documents WHERE kind = ?1 AND id = ?2")?
        .query_row(params![kind, key.id], |row| row.get(0))
        .optional()?;
    let packed = packed.unwrap_or_default();
    let own = attributes::unpacked(&packed).filter(|(one, _)| *one == name);
    let values = own.map(|(_, value)| match value {
        Packed::Number(number) => Value::Number(number),
        Packed::Text(text) => Value::Text(text.to_owned()),
    });
    Ok(values.min_by(|a, b| directed(order, a, b)))
}

impl Latest {
    /// Whether the document is there and passes.
    fn passes(&self, conditions: &[Condition]) -> bool {
        self.document().is_some_and(|document| {
            passes_all(conditions, |name| {
                let own = document.attributes.iter();
                own.filter(move |one| one.name == name)
                    .map(|one| &one.value)
            })
        })
    }
}
