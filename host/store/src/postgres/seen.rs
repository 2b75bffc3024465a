//! Owns what a store saw last of documents: what it read and what it wrote itself.
//!
//! A commit is worked out from it without asking the server, which looks whether it is still so before it makes the commit.
//! So it may be out of date, and is forgotten at will.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use twiceshy_wit::host::{Change, Precondition};

use super::commit::{Known, NUMBERS, Present, key, place};

/// So many documents are remembered.
const MOST: usize = 2_048;

/// Of commits of more documents nothing is remembered: whoever writes many at once does not write them again.
const MOST_AT_ONCE: usize = 64;

type Documents = HashMap<(i32, String), Arc<Present>>;

/// Documents by their keys.
#[derive(Debug, Default)]
pub struct Seen(Mutex<Documents>);

impl Seen {
    fn documents(&self) -> MutexGuard<'_, Documents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is likely to be under the keys of a batch. What was not seen is likely not to be there, if it is put whether
    /// it is there or not. None if nothing can be said about a key.
    pub fn known<'b>(&self, batch: &'b [Change], kinds: &BTreeMap<&str, i32>) -> Option<Known<'b>> {
        let documents = self.documents();
        let mut known = Known::new();
        for change in batch {
            let (kind, id) = place(key(change), kinds);
            if known.contains_key(&(kind, id)) {
                continue;
            }
            let present = documents.get(&(kind, id.to_owned())).cloned();
            let may_be_missing = match change {
                Change::Put(put) => !matches!(put.precondition, Precondition::At(_)),
                Change::Remove(_) => false,
            };
            if present.is_none() && !may_be_missing {
                return None;
            }
            known.insert((kind, id), present);
        }
        Some(known)
    }

    /// Remembers a document that was read.
    pub fn read(&self, kind: i32, id: &str, present: Present) {
        self.make_room()
            .insert((kind, id.to_owned()), Arc::new(present));
    }

    fn make_room(&self) -> MutexGuard<'_, Documents> {
        let mut documents = self.documents();
        if documents.len() >= MOST {
            documents.clear();
        }
        documents
    }

    /// Remembers what is under the keys of a commit that was made.
    pub fn note(&self, after: Vec<((i32, &str), Option<Present>)>, number: i64) {
        let is_remembered = after.len() <= MOST_AT_ONCE;
        let mut documents = self.make_room();
        for ((kind, id), present) in after {
            let key = (kind, id.to_owned());
            match present.filter(|_| is_remembered) {
                Some(mut present) => {
                    if present.doc < NUMBERS {
                        present.doc += number * NUMBERS;
                    }
                    documents.insert(key, Arc::new(present));
                }
                None => drop(documents.remove(&key)),
            }
        }
    }

    /// Forgets documents that are not as they were seen.
    pub fn forget<'k>(&self, keys: impl Iterator<Item = (i32, &'k str)>) {
        let mut documents = self.documents();
        for (kind, id) in keys {
            documents.remove(&(kind, id.to_owned()));
        }
    }
}
