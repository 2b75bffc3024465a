//! The batch: a unit of work. It reads documents, remembers their versions, and collects what is to be written.
//!
//! Owns the preconditions: **what was read is written only if nobody changed it since, and what was not read is new.**
//! Each noun adds its part through one function that takes a `&mut Batch`; the [desk](super::desk) commits the whole
//! or prepares it again.

use std::ops::Deref;

use twiceshy_wit::host::{Attribute, Change, Document, Key, Precondition, Put, Removal};

use super::{
    documents::{Kind, Noun, written},
    reader::Reader,
};

/// What is to be written at once.
pub(crate) struct Batch<'b> {
    reader: Reader<'b>,
    changes: Vec<Change>,
    attempt: u32,
}

impl<'b> Deref for Batch<'b> {
    type Target = Reader<'b>;

    fn deref(&self) -> &Reader<'b> {
        &self.reader
    }
}

impl<'b> Batch<'b> {
    pub(super) fn new(reader: Reader<'b>, attempt: u32) -> Self {
        Self {
            reader,
            changes: Vec::new(),
            attempt,
        }
    }

    /// How often this batch was prepared before.
    pub(crate) fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Writes a noun: the one that was read, if nobody changed it since, or else a new one.
    pub(crate) fn put<N: Noun>(&mut self, noun: &N) {
        self.put_document(written(noun));
    }

    /// Writes a new noun: there must be none of its id, whatever was read.
    pub(crate) fn add<N: Noun>(&mut self, noun: &N) {
        self.changes.push(Change::Put(Put {
            document: written(noun),
            precondition: Precondition::Absent,
        }));
    }

    /// Writes a noun whatever is there. Only for what belongs to a document that this batch checks, or that says the
    /// same, whatever process writes it.
    pub(crate) fn put_owned<N: Noun>(&mut self, noun: &N) {
        self.changes.push(Change::Put(Put {
            document: written(noun),
            precondition: Precondition::Anything,
        }));
    }

    /// Writes a noun that was read, found by other attributes than its own content says.
    pub(crate) fn put_found_by<N: Noun>(&mut self, noun: &N, attributes: Vec<Attribute>) {
        self.put(noun);
        if let Some(Change::Put(put)) = self.changes.last_mut() {
            put.document.attributes = attributes;
        }
    }

    /// Writes a document as it is: the one that was read, if nobody changed it since, or else a new one.
    pub(crate) fn put_document(&mut self, document: Document) {
        let precondition = self.precondition(&document.key);
        self.changes.push(Change::Put(Put {
            document,
            precondition,
        }));
    }

    /// Removes the document that was read, if nobody changed it since. One that was not there must not be there yet.
    pub(crate) fn remove(&mut self, kind: Kind, id: &str) {
        self.remove_document(kind.key(id));
    }

    /// The same by its key.
    pub(crate) fn remove_document(&mut self, key: Key) {
        let precondition = self.precondition(&key);
        self.changes
            .push(Change::Remove(Removal { key, precondition }));
    }

    /// Removes a document whatever it is. Only for what belongs to a document that this batch checks.
    pub(crate) fn remove_owned(&mut self, kind: Kind, id: &str) {
        self.changes.push(Change::Remove(Removal {
            key: kind.key(id),
            precondition: Precondition::Anything,
        }));
    }

    /// Forgets what was put: nothing is to be written after all.
    pub(crate) fn discard(&mut self) {
        self.changes.clear();
    }

    /// How many changes there are.
    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes
    }

    fn precondition(&self, key: &Key) -> Precondition {
        let key = (key.kind.clone(), key.id.clone());
        let versions = self.reader.versions.map(|versions| versions.borrow());
        match versions.and_then(|versions| versions.get(&key).copied().flatten()) {
            Some(version) => Precondition::At(version),
            None => Precondition::Absent,
        }
    }
}
