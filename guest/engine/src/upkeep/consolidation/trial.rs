//! A trial: what a store and an archive would hold if changes were made that are not.
//!
//! Owns answering queries about documents as they would be. A document that would be new stands where the newest
//! stand, and is not found by words or vectors, which only the real store can weigh.

use std::{cell::RefCell, cmp::Ordering, collections::BTreeMap};

use sha2::{Digest, Sha256};
use twiceshy_wit::host::{
    Archive, Attribute, Condition, Document, Error, Found, Key, Order, Query, Store, Stored, Test,
    Value,
};

/// Documents of one answer, as the store's contract has it.
const MOST_FOUND: u32 = 10_000;

/// A document as it would be, with its version; none if it would be gone.
type Tried = Option<(Document, u32)>;

/// Documents as they would be.
#[derive(Default)]
pub(super) struct Trial {
    documents: RefCell<BTreeMap<(String, String), Tried>>,
}

impl Trial {
    /// Takes note of a document that would be written, or removed.
    pub(super) fn note(&self, key: Key, document: Option<Document>, version: u32) {
        let tried = document.map(|document| (document, version));
        self.documents
            .borrow_mut()
            .insert((key.kind, key.id), tried);
    }

    /// The documents of a kind that would be written.
    pub(super) fn written(&self, kind: &str) -> Vec<Document> {
        let documents = self.documents.borrow();
        let of_kind = documents.iter().filter(|((of, _), _)| of == kind);
        let written = of_kind.filter_map(|(_, tried)| tried.as_ref());
        written.map(|(document, _)| document.clone()).collect()
    }

    fn is_about(&self, kind: &str) -> bool {
        self.documents.borrow().keys().any(|(of, _)| of == kind)
    }

    /// What is stored under some keys, or would be.
    pub(super) fn get_many(&self, store: &dyn Store, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        let mut found = store.get_many(keys)?.into_iter().peekable();
        let documents = self.documents.borrow();
        let mut answer = Vec::with_capacity(keys.len());
        for key in keys {
            let stored = found.next_if(|stored| stored.key == *key);
            match documents.get(&(key.kind.clone(), key.id.clone())) {
                Some(tried) => answer.extend(tried.as_ref().map(stored_as)),
                None => answer.extend(stored),
            }
        }
        Ok(answer)
    }

    /// What is found, or would be.
    pub(super) fn find(&self, store: &dyn Store, query: &Query) -> Result<Vec<Found>, Error> {
        if !self.is_about(&query.kind) {
            return store.find(query);
        }
        let documents = self.documents.borrow();
        // Those that would be changed may stand elsewhere, or nowhere.
        let tried = documents.keys().filter(|(kind, _)| *kind == query.kind);
        let wanted = query.offset.saturating_add(query.limit);
        let wanted = wanted.saturating_add(tried.count() as u32);
        let mut seen = Vec::new();
        let mut found = Vec::new();
        for real in first_of(store, query, wanted)? {
            let key = &real.document.key;
            match documents.get(&(key.kind.clone(), key.id.clone())) {
                None => found.push(real),
                Some(Some(tried)) if passes(&tried.0.attributes, &query.conditions) => {
                    seen.push(key.id.clone());
                    found.push(Found {
                        document: stored_as(tried),
                        score: real.score,
                    });
                }
                Some(_) => {}
            }
        }
        let of_kind = documents
            .iter()
            .filter(|((kind, _), _)| *kind == query.kind);
        let new: Vec<_> = of_kind
            .filter_map(|(_, tried)| tried.as_ref())
            .filter(|(document, _)| !seen.contains(&document.key.id))
            .filter(|(document, _)| passes(&document.attributes, &query.conditions))
            .map(|tried| Found {
                document: stored_as(tried),
                score: 0.0,
            })
            .collect();
        match &query.order {
            Order::ById => {
                found.extend(new);
                found.sort_by(|left, right| left.document.key.id.cmp(&right.document.key.id));
            }
            Order::ByAttribute(order) if order.descending => {
                found.splice(0..0, new);
            }
            Order::ByAttribute(_) => found.extend(new),
            Order::ByText(_) | Order::ByNearest(_) => {}
        }
        let page = found.into_iter().skip(query.offset as usize);
        Ok(page.take(query.limit as usize).collect())
    }

    /// How many are found, or would be.
    pub(super) fn count(
        &self,
        store: &dyn Store,
        kind: &str,
        conditions: &[Condition],
    ) -> Result<u32, Error> {
        if !self.is_about(kind) {
            return store.count(kind, conditions);
        }
        let query = Query {
            kind: kind.to_owned(),
            conditions: conditions.to_vec(),
            order: Order::ById,
            offset: 0,
            limit: u32::MAX,
        };
        Ok(self.find(store, &query)?.len() as u32)
    }
}

/// The first of what is stored, however many are wanted.
fn first_of(store: &dyn Store, query: &Query, wanted: u32) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    loop {
        let page = Query {
            offset: found.len() as u32,
            limit: MOST_FOUND.min(wanted - found.len() as u32),
            ..query.clone()
        };
        let some = store.find(&page)?;
        let is_last = some.len() < page.limit as usize;
        found.extend(some);
        if is_last || found.len() >= wanted as usize {
            return Ok(found);
        }
    }
}

fn stored_as((document, version): &(Document, u32)) -> Stored {
    Stored {
        key: document.key.clone(),
        version: *version,
        body: document.body.clone(),
    }
}

/// Whether a document with these attributes is what is asked for.
fn passes(attributes: &[Attribute], conditions: &[Condition]) -> bool {
    conditions.iter().all(|condition| {
        let mut values = attributes
            .iter()
            .filter(|attribute| attribute.name == condition.attribute)
            .map(|attribute| &attribute.value);
        match &condition.test {
            Test::Equals(wanted) => values.any(|value| value == wanted),
            Test::AnyOf(all) => values.any(|value| all.contains(value)),
            Test::AtLeast(least) => {
                values.any(|value| compared(value, least).is_some_and(Ordering::is_ge))
            }
            Test::AtMost(most) => {
                values.any(|value| compared(value, most).is_some_and(Ordering::is_le))
            }
            Test::Missing => values.next().is_none(),
        }
    })
}

/// The order of two values of one type.
fn compared(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.partial_cmp(right),
        (Value::Text(left), Value::Text(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
        _ => None,
    }
}

/// An archive that keeps nothing, but says under which name it would.
pub(super) struct TrialArchive<'a>(pub(super) &'a dyn Archive);

impl Archive for TrialArchive<'_> {
    fn keep(&self, content: &[u8]) -> Result<String, Error> {
        let hash = Sha256::digest(content);
        let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = format!("sha256:{digits}");
        match self.0.fetch(&name) {
            Err(Error::Unavailable(reason)) => Err(Error::Unavailable(reason)),
            _ => Ok(name),
        }
    }

    fn fetch(&self, name: &str) -> Result<Vec<u8>, Error> {
        self.0.fetch(name)
    }

    fn discard(&self, _: &str) -> Result<(), Error> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{any_of, at_least, at_most, equals, number, text};

    #[test]
    fn conditions_hold_for_what_would_be_written_as_in_a_store() {
        let attributes = [text("tag", "a"), text("tag", "b"), number("at", 5.0)];
        let missing = |name: &str| Condition {
            attribute: name.to_owned(),
            test: Test::Missing,
        };
        let passes = |condition: Condition| super::passes(&attributes, &[condition]);
        assert!(passes(equals("tag", "b")) && !passes(equals("tag", "c")));
        assert!(passes(any_of("tag", ["c", "a"])) && !passes(any_of("tag", [])));
        assert!(passes(at_least("at", 5.0)) && !passes(at_least("at", 5.1)));
        assert!(passes(at_most("at", 5.0)) && !passes(at_most("tag", 5.0)));
        assert!(passes(missing("other")) && !passes(missing("at")));
    }
}
