//! A trial: what a store and an archive would hold if changes were made that are not.
//!
//! Owns answering queries about documents as they would be. A document that would be new stands where the newest
//! stand, and is not found by words or vectors, which only the real store can weigh.

use std::{cell::RefCell, collections::BTreeMap};

use sha2::{Digest, Sha256};
use twiceshy_documents::conditions::passes_all;
use twiceshy_wit::host::{
    Archive, Attribute, Condition, Document, Error, Found, Key, Order, Query, Store, Stored,
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
    passes_all(conditions, |name| {
        let named = attributes.iter().filter(move |one| one.name == name);
        named.map(|one| &one.value)
    })
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
