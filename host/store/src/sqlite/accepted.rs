//! Owns the commits of a group that were accepted and may not be in the tables yet: one thread writes them while others
//! go on.
//!
//! A commit is accepted if nothing but the file can make it fail. What it says is kept here until the group is durable,
//! so that documents are read as if it were written. Everything else is as it was when the transaction of the group
//! began, because nobody else can write meanwhile.

mod documents;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use twiceshy_documents::version;
use twiceshy_wit::host::{Change, Condition, Document, Found, Key, Query, Stored};

use super::commit::{Place, Places, key_and_precondition, place};
use super::database::{Database, UNKNOWN};
use super::failure::Failure;
use super::{find, read_document, vectors};
use documents::Documents;

/// So many bytes of accepted documents are kept at most, before the group is made durable.
const MOST_BYTES: usize = 64 << 20;

/// A batch, and where its documents are as far as it is known.
pub struct Batch {
    pub changes: Arc<[Change]>,
    pub places: Places,
}

/// What was accepted since the transaction of a group began.
pub struct Accepted {
    /// Sees the file as it was then.
    before: Database,
    /// By kind, what documents are since then.
    kinds: HashMap<String, Documents>,
    /// The length of the vectors of a kind.
    lengths: HashMap<String, usize>,
    bytes: usize,
    /// What no thread has begun to write.
    pub waiting: VecDeque<Batch>,
}

/// A document as a batch left it.
struct Latest {
    /// None if it was removed.
    version: Option<u32>,
    changes: Arc<[Change]>,
    at: usize,
    /// The row in which it was before, if it was there.
    was: Option<i64>,
}

impl Latest {
    /// The document, if it is there.
    fn document(&self) -> Option<&Document> {
        match &self.changes[self.at] {
            Change::Put(put) => Some(&put.document),
            Change::Remove(_) => None,
        }
    }

    fn stored(&self, kind: &str, id: &str) -> Option<Stored> {
        Some(Stored {
            key: Key {
                kind: kind.to_owned(),
                id: id.to_owned(),
            },
            version: self.version?,
            body: self.document()?.body.clone(),
        })
    }
}

impl Accepted {
    /// Nothing, over the file as this connection sees it from now on.
    pub fn new(before: Database) -> rusqlite::Result<Self> {
        // A transaction sees the moment of its first question.
        before.execute_batch("BEGIN; SELECT 1 FROM kinds LIMIT 1")?;
        Ok(Self {
            before,
            kinds: HashMap::new(),
            lengths: HashMap::new(),
            bytes: 0,
            waiting: VecDeque::new(),
        })
    }

    /// The connection, when nothing is asked of it any more.
    pub fn into_connection(self) -> rusqlite::Result<Database> {
        self.before.execute_batch("COMMIT")?;
        Ok(self.before)
    }

    /// How many documents of a kind pass, as the group left them.
    pub fn count(&mut self, kind: &str, conditions: &[Condition]) -> Result<u32, Failure> {
        match self.kinds.get_mut(kind) {
            Some(documents) => documents.count(&self.before, kind, conditions),
            None => find::count(&self.before, kind, conditions),
        }
    }

    /// What a question finds, as the group left it; none if that is known only when everything is written.
    pub fn find(&mut self, query: &Query) -> Result<Option<Vec<Found>>, Failure> {
        match self.kinds.get_mut(&query.kind) {
            Some(documents) => documents.find(&self.before, query),
            None => find::find(&self.before, query, find::Effort::default()).map(Some),
        }
    }

    /// Whether so much was accepted that it should be made durable.
    pub fn is_large(&self) -> bool {
        self.bytes > MOST_BYTES
    }

    /// Accepts a batch, unless something but the file could still make it fail. A batch that must be refused is refused.
    pub fn accept(&mut self, batch: &[Change]) -> Result<bool, Failure> {
        let mut places = Places::with_capacity(batch.len());
        let mut versions = Vec::with_capacity(batch.len());
        let mut keys = BTreeSet::new();
        for change in batch {
            let (key, precondition) = key_and_precondition(change);
            if !keys.insert((&key.kind, &key.id)) {
                return Ok(false);
            }
            let (place, present) = self.present(key)?;
            version::check(key, present, precondition)?;
            places.push(place);
            versions.push(match change {
                Change::Put(put) => {
                    let length = put.document.vector.len();
                    if length > 0 && self.length(&key.kind)? != Some(length) {
                        return Ok(false);
                    }
                    Some(version::next(key, present)?)
                }
                Change::Remove(_) => None,
            });
        }
        let changes: Arc<[Change]> = batch.into();
        for (at, version) in versions.into_iter().enumerate() {
            let (key, _) = key_and_precondition(&changes[at]);
            if let Change::Put(put) = &changes[at] {
                let vector = put.document.vector.len() * size_of::<f32>();
                self.bytes += put.document.body.len() + put.document.text.len() + vector;
            }
            let latest = Latest {
                version,
                changes: changes.clone(),
                at,
                was: match places[at] {
                    Place::At(doc) => Some(doc),
                    Place::Nowhere | Place::Unknown => None,
                },
            };
            if !self.kinds.contains_key(&key.kind) {
                self.kinds.insert(key.kind.clone(), Documents::default());
            }
            if let Some(documents) = self.kinds.get_mut(&key.kind) {
                documents.insert(&self.before, &key.id, latest)?;
            }
        }
        self.waiting.push_back(Batch { changes, places });
        Ok(true)
    }

    /// The documents of some keys, those that there are.
    pub fn read(&self, keys: &[Key]) -> Result<Vec<Stored>, Failure> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            match self.latest(key) {
                None => match self.before.kind(&key.kind)? {
                    UNKNOWN => {}
                    kind => found.extend(read_document(&self.before, kind, key)?),
                },
                Some(latest) => found.extend(latest.stored(&key.kind, &key.id)),
            }
        }
        Ok(found)
    }

    fn latest(&self, key: &Key) -> Option<&Latest> {
        self.kinds.get(&key.kind)?.get(&key.id)
    }

    /// Where a document is, as far as it is known without looking into what is being written, and its version.
    fn present(&self, key: &Key) -> Result<(Place, Option<u32>), Failure> {
        if let Some(latest) = self.latest(key) {
            let place = match latest.version {
                Some(_) => Place::Unknown,
                None => Place::Nowhere,
            };
            return Ok((place, latest.version));
        }
        place(&self.before, key)
    }

    fn length(&mut self, kind: &str) -> Result<Option<usize>, Failure> {
        if let Some(length) = self.lengths.get(kind) {
            return Ok(Some(*length));
        }
        let length = vectors::length(&self.before, self.before.kind(kind)?)?;
        if let Some(length) = length {
            self.lengths.insert(kind.to_owned(), length);
        }
        Ok(length)
    }
}
