//! What a move knows to be in its target. Whatever else is there was written by somebody else, and is not the move's to remove.
//!
//! The target is empty when a move begins. What an interrupted one left is taken as it is found when the move goes on.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use twiceshy_wit::host::{Error, Key};

use super::{Entry, Kept};

/// The documents and contents that a move put into its target.
pub struct Placed {
    /// Where the target is, for a person.
    place: String,
    /// Whether what is found first is what an earlier attempt left.
    resumes: bool,
    /// The versions of documents, by kind and id.
    documents: BTreeMap<String, HashMap<String, u32>>,
    contents: Option<BTreeSet<String>>,
}

impl Placed {
    /// Nothing is known to be there yet.
    pub fn new(place: &str, resumes: bool) -> Placed {
        Placed {
            place: place.to_owned(),
            resumes,
            documents: BTreeMap::new(),
            contents: (!resumes).then(BTreeSet::new),
        }
    }

    /// Refuses to go on if the documents of a kind are not those that were put there.
    pub fn check(&mut self, kind: &str, found: &[Entry]) -> Result<(), Error> {
        if self.resumes && !self.documents.contains_key(kind) {
            let all = found.iter().map(|entry| (entry.id.clone(), entry.version));
            self.documents.insert(kind.to_owned(), all.collect());
            return Ok(());
        }
        let placed = self.documents.entry(kind.to_owned()).or_default();
        let is_placed = |entry: &&Entry| placed.get(&entry.id) == Some(&entry.version);
        if found.len() == placed.len() && found.iter().all(|entry| is_placed(&entry)) {
            return Ok(());
        }
        let other = found.iter().find(|entry| !is_placed(entry));
        let what = match other {
            Some(entry) => format!("the {kind} `{}` is", entry.id),
            None => format!("some {kind} was removed and is"),
        };
        Err(self.refusal(&what))
    }

    /// Notes documents that were put there.
    pub fn put(&mut self, kind: &str, documents: &[Kept]) {
        let placed = self.documents.entry(kind.to_owned()).or_default();
        for kept in documents {
            placed.insert(kept.document.key.id.clone(), kept.version);
        }
    }

    /// Notes documents that were taken away.
    pub fn remove(&mut self, kind: &str, keys: &[Key]) {
        let placed = self.documents.entry(kind.to_owned()).or_default();
        for key in keys {
            placed.remove(&key.id);
        }
    }

    /// Refuses to go on if there are contents that were not put there.
    pub fn check_contents(&mut self, found: &BTreeSet<String>) -> Result<(), Error> {
        let Some(placed) = &self.contents else {
            self.contents = Some(found.clone());
            return Ok(());
        };
        match found.difference(placed).next() {
            Some(name) => Err(self.refusal(&format!("the content {name} is"))),
            None => Ok(()),
        }
    }

    /// Notes a content that is put there.
    pub fn keep(&mut self, name: &str) {
        self.contents
            .get_or_insert_default()
            .insert(name.to_owned());
    }

    fn refusal(&self, what: &str) -> Error {
        Error::Conflict(format!(
            "{} was written by somebody else while the memory was moved there: {what} not what was copied; nothing of it was \
             removed. Choose an empty memory that nobody uses yet",
            self.place
        ))
    }
}
