//! The reader: how documents are read as nouns, with the clock and the log beside it.
//!
//! Owns reading, and nothing else: code with only a reader can neither commit nor ask a model. The reader of a
//! [batch](super::batch) also remembers which version of each document it read.

use std::{cell::RefCell, collections::BTreeMap};

use twiceshy_wit::{
    host::{Archive, Clock, Condition, Key, Level, Log, Order, Query, Store, Stored},
    memory::Error,
};

use super::{
    documents::{Kind, Noun, Read, query},
    errors::from_store,
};
use crate::limits;

/// The version at which each document was first read; none if it was not there.
pub(crate) type Versions = RefCell<BTreeMap<(String, String), Option<u32>>>;

/// Reads documents.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) archive: &'a dyn Archive,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) log: &'a dyn Log,
    /// Where versions are remembered, if anybody wants to know them.
    pub(super) versions: Option<&'a Versions>,
}

impl Reader<'_> {
    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Reads documents by key, in the order of `keys`; what is missing is left out.
    pub(crate) fn read(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        let stored = self.store.get_many(keys).map_err(from_store)?;
        self.remember(stored.iter());
        if let Some(versions) = self.versions {
            let mut versions = versions.borrow_mut();
            for key in keys {
                let name = (key.kind.clone(), key.id.clone());
                versions.entry(name).or_insert(None);
            }
        }
        Ok(stored)
    }

    /// Reads one noun by its id.
    pub(crate) fn load<N: Noun>(&self, id: &str) -> Result<Option<Read<N>>, Error> {
        // An id that no store can hold is not stored anywhere.
        if id.is_empty() || id.len() > limits::ID_BYTES || id.contains('\0') {
            return Ok(None);
        }
        match self.read(&[N::KIND.key(id)])?.first() {
            Some(stored) => Read::parse(stored).map(Some),
            None => Ok(None),
        }
    }

    /// Whether there is a document of one of some kinds with an id.
    pub(crate) fn has(&self, kinds: &[Kind], id: &str) -> Result<bool, Error> {
        let keys: Vec<_> = kinds.iter().map(|kind| kind.key(id)).collect();
        Ok(!self.read(&keys)?.is_empty())
    }

    /// Reads nouns by their ids, in the order of `ids`; what is missing is left out.
    pub(crate) fn load_all<N: Noun>(
        &self,
        ids: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Vec<Read<N>>, Error> {
        let stored = self.read_all::<N>(ids)?;
        stored.iter().map(Read::parse).collect()
    }

    /// The same, each by its id.
    pub(crate) fn load_by_id<N: Noun>(
        &self,
        ids: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<BTreeMap<String, Read<N>>, Error> {
        let stored = self.read_all::<N>(ids)?;
        let parse = |stored: &Stored| Ok((stored.key.id.clone(), Read::parse(stored)?));
        stored.iter().map(parse).collect()
    }

    /// Documents of one kind by their ids. A store is not asked for nothing.
    fn read_all<N: Noun>(
        &self,
        ids: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Vec<Stored>, Error> {
        let ids = ids.into_iter();
        let keys: Vec<_> = ids.map(|id| N::KIND.key(id.as_ref())).collect();
        match keys.is_empty() {
            true => Ok(Vec::new()),
            false => self.read(&keys),
        }
    }

    /// Finds nouns, each with the store's score. A document that can't be read is left out with a warning,
    /// so that one damaged document does not take the whole memory with it.
    pub(crate) fn search<N: Noun>(&self, query: &Query) -> Result<Vec<(Read<N>, f64)>, Error> {
        self.search_where(query, |_| true)
    }

    /// The same, but those alone whose ids are wanted are parsed.
    pub(crate) fn search_where<N: Noun>(
        &self,
        query: &Query,
        mut is_wanted: impl FnMut(&str) -> bool,
    ) -> Result<Vec<(Read<N>, f64)>, Error> {
        let found = self.store.find(query).map_err(from_store)?;
        self.remember(found.iter().map(|found| &found.document));
        let mut nouns = Vec::with_capacity(found.len());
        for found in found {
            if !is_wanted(&found.document.key.id) {
                continue;
            }
            match Read::parse(&found.document) {
                Ok(noun) => nouns.push((noun, found.score)),
                Err(error) => self.warn(&format!("skipped: {}", error.message())),
            }
        }
        Ok(nouns)
    }

    /// Finds nouns by their attributes, without the store's scores.
    pub(crate) fn find<N: Noun>(
        &self,
        conditions: Vec<Condition>,
        order: Order,
        limit: u32,
    ) -> Result<Vec<N>, Error> {
        let found = self.search::<N>(&query::<N>(conditions, order, limit))?;
        Ok(found.into_iter().map(|(read, _)| read.noun).collect())
    }

    /// The ids of documents that meet a condition.
    pub(crate) fn ids(
        &self,
        kind: Kind,
        condition: Condition,
        order: Order,
        limit: u32,
    ) -> Result<Vec<String>, Error> {
        let query = Query {
            kind: kind.as_str().to_owned(),
            conditions: vec![condition],
            order,
            offset: 0,
            limit,
        };
        let found = self.store.find(&query).map_err(from_store)?;
        let ids = found.into_iter().map(|found| found.document.key.id);
        Ok(ids.collect())
    }

    pub(crate) fn count(&self, kind: Kind, conditions: &[Condition]) -> Result<u32, Error> {
        let counted = self.store.count(kind.as_str(), conditions);
        counted.map_err(from_store)
    }

    pub(crate) fn warn(&self, message: &str) {
        self.log.write(Level::Warn, message);
    }

    /// Logs what was done, for debugging.
    pub(crate) fn debug(&self, message: &str) {
        self.log.write(Level::Debug, message);
    }

    /// Remembers versions. The first one counts: if another process writes between two reads, the commit is refused.
    fn remember<'d>(&self, documents: impl Iterator<Item = &'d Stored>) {
        if let Some(versions) = self.versions {
            let mut versions = versions.borrow_mut();
            for document in documents {
                let key = (document.key.kind.clone(), document.key.id.clone());
                versions.entry(key).or_insert(Some(document.version));
            }
        }
    }
}
