//! Moves a memory from one store to another while others write to the first.
//!
//! A round compares what both hold and copies what is missing, changed or gone; every document that was copied is read
//! from both sides and its digests are compared. Rounds follow each other until little is left. The last one holds the
//! writers of the source, so that at its end both hold the same: the same documents with the same versions, in the
//! order of their arrival, and the same contents in cold storage. A mark in the target says where it comes from until
//! then, so that a move that was interrupted goes on, and no other memory is written over.

mod digest;
mod placed;
mod plan;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sha2::{Digest as _, Sha256};
use twiceshy_wit::host::{Archive, Document, Error, Key};

use digest::{Digest, of_document, shown};
use placed::Placed;
use plan::plan;

/// The kind of the mark, and its id: no part of any memory.
const MARK: (&str, &str) = ("migration", "from");

/// So many documents are copied at once, and about so many bytes as they are kept.
const MOST_AT_ONCE: usize = 256;
const BYTES_AT_ONCE: u64 = 4 << 20;

/// The last round begins when the one before it found so few changes, or after so many rounds: writers that never
/// pause would otherwise be followed for ever.
const FEW: usize = 256;
const MOST_ROUNDS: u32 = 8;

/// So often the last round is made again if the target is not equal then.
const LAST_ROUNDS: u32 = 3;

/// A document in a list: enough to see whether it changed since it was listed before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// How often it was written.
    pub version: u32,
    /// A hash of its content as this store keeps it; means nothing to another store, nor to another process.
    pub mark: u64,
    /// The bytes of its content as it is kept.
    pub bytes: u64,
}

/// A document with its version.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// The document; its text is the terms by which it is found.
    pub document: Document,
    /// How often it was written.
    pub version: u32,
}

/// What holds the writers of a store back until it is dropped.
pub trait Hold {}

/// A store whose documents can be listed, read and written with their versions.
pub trait Whole {
    /// The kinds of its documents.
    ///
    /// # Errors
    /// If the store can't be read.
    fn kinds(&self) -> Result<Vec<String>, Error>;

    /// The documents of a kind in the order of their arrival.
    ///
    /// # Errors
    /// If the store can't be read.
    fn entries(&self, kind: &str) -> Result<Vec<Entry>, Error>;

    /// Documents by their ids, in that order. What is not there is left out.
    ///
    /// # Errors
    /// If the store can't be read.
    fn documents(&self, kind: &str, ids: &[&str]) -> Result<Vec<Kept>, Error>;

    /// Removes documents, then writes others with the versions that they have, all in one commit that need not wait for
    /// the disk. What is new arrives in the order given.
    ///
    /// # Errors
    /// If the store can't be written; then nothing was changed.
    fn place(&self, removed: &[Key], put: &[Kept]) -> Result<(), Error>;

    /// Waits until nobody writes, and lets nobody write until the hold is dropped. Reading goes on.
    ///
    /// # Errors
    /// If others do not stop writing.
    fn hold(&self) -> Result<Box<dyn Hold + '_>, Error>;

    /// Brings everything that was placed to the disk, and the indices up to date.
    ///
    /// # Errors
    /// If the store can't be written.
    fn settle(&self) -> Result<(), Error>;
}

/// An archive whose contents can be listed.
pub trait Contents: Archive {
    /// The names of all contents, in their order.
    ///
    /// # Errors
    /// If the archive can't be read.
    fn names(&self) -> Result<BTreeSet<String>, Error>;
}

/// One end of a move.
#[derive(Clone, Copy)]
pub struct Side<'s> {
    /// The documents.
    pub store: &'s dyn Whole,
    /// Cold storage.
    pub archive: &'s dyn Contents,
    /// Where it is, for a person; without a password.
    pub place: &'s str,
}

/// What a move is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Documents are copied, and compared on both sides.
    Documents,
    /// Contents of cold storage are copied, and compared.
    Archive,
    /// The writers of the source wait, and what they wrote last is copied.
    Last,
}

/// How far a stage has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Which stage.
    pub stage: Stage,
    /// So many documents or contents are done.
    pub done: u64,
    /// Of so many, as far as it is known.
    pub total: u64,
}

/// The documents of a kind, or the contents of an archive, which are the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    /// The kind.
    pub name: String,
    /// How many.
    pub count: u64,
    /// The SHA-256 over all of them in their order, in hexadecimal digits.
    pub sha256: String,
}

/// What was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// By kind.
    pub collections: Vec<Collection>,
    /// Cold storage.
    pub archive: Collection,
    /// Whether an earlier attempt had begun it.
    pub resumed: bool,
    /// How many rounds it took, the last one included.
    pub rounds: u32,
    /// How many documents changed in the source while they were moved.
    pub changed_meanwhile: u64,
}

/// A document that is known to be the same on both sides.
struct Same {
    version: u32,
    mark: u64,
    digest: Digest,
}

struct Move<'s, 'p> {
    from: Side<'s>,
    to: Side<'s>,
    same: BTreeMap<String, HashMap<String, Same>>,
    /// Documents of the same version whose contents differ, by kind.
    different: HashSet<(String, String)>,
    /// Contents of the archive that were compared.
    compared: BTreeSet<String>,
    placed: Placed,
    progress: &'p mut dyn FnMut(Progress),
    stage: Stage,
    done: u64,
    total: u64,
}

/// Moves everything from one side to the other, which must be empty or hold what an earlier attempt left.
///
/// # Errors
/// `invalid-argument` if the target holds something else; `conflict` if somebody else writes to it meanwhile; what either
/// store says; `corrupt` if the sides still differ at the end.
pub fn migrate(from: Side, to: Side, progress: &mut dyn FnMut(Progress)) -> Result<Moved, Error> {
    let resumed = begin(from, to)?;
    let moved = copy(from, to, resumed, progress);
    if matches!(moved, Err(Error::Conflict(_))) {
        // To go on would write over what somebody else wrote: the target is a memory of its own now.
        to.store.place(&[mark_key()], &[])?;
    }
    moved
}

fn copy(
    from: Side,
    to: Side,
    resumed: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Moved, Error> {
    let mut moving = Move {
        from,
        to,
        same: BTreeMap::new(),
        different: HashSet::new(),
        compared: BTreeSet::new(),
        placed: Placed::new(to.place, resumed),
        progress,
        stage: Stage::Documents,
        done: 0,
        total: 0,
    };
    let (mut rounds, mut changed_meanwhile) = (0, 0);
    loop {
        let changed = moving.round()?;
        rounds += 1;
        if rounds > 1 {
            changed_meanwhile += changed as u64;
        }
        if changed <= FEW || rounds == MOST_ROUNDS {
            break;
        }
    }
    moving.begin_stage(Stage::Archive, 0);
    moving.archive()?;
    let hold = from.store.hold()?;
    moving.begin_stage(Stage::Last, 0);
    let mut moved = None;
    for _ in 0..LAST_ROUNDS {
        changed_meanwhile += moving.round()? as u64;
        rounds += 1;
        moving.archive()?;
        moved = moving.equal()?;
        if moved.is_some() {
            break;
        }
    }
    let Some((collections, archive)) = moved else {
        return Err(Error::Corrupt(format!(
            "{} and {} still differ after everything was copied; run `twiceshy doctor` on both, then try again",
            from.place, to.place
        )));
    };
    to.store.settle()?;
    to.store.place(&[mark_key()], &[])?;
    to.store.settle()?;
    drop(hold);
    // What was purged in the last moment leaves no word behind.
    moving.forget_discarded()?;
    Ok(Moved {
        collections,
        archive,
        resumed,
        rounds,
        changed_meanwhile,
    })
}

fn mark_key() -> Key {
    Key {
        kind: MARK.0.into(),
        id: MARK.1.into(),
    }
}

/// Marks the target as the target of this move. Says whether it was that before.
fn begin(from: Side, to: Side) -> Result<bool, Error> {
    if let Some(mark) = to.store.documents(MARK.0, &[MARK.1])?.pop() {
        if mark.document.body == from.place {
            return Ok(true);
        }
        return Err(Error::InvalidArgument(format!(
            "{} holds a part of {}, which was not moved to its end; finish that, or choose an empty memory",
            to.place, mark.document.body
        )));
    }
    let mut count = to.archive.names()?.len();
    for kind in to.store.kinds()? {
        count += to.store.entries(&kind)?.len();
    }
    if count > 0 {
        return Err(Error::InvalidArgument(format!(
            "{} is not empty: it holds {count} documents and contents; choose an empty memory",
            to.place
        )));
    }
    let document = Document {
        key: mark_key(),
        body: from.place.to_owned(),
        attributes: Vec::new(),
        text: String::new(),
        vector: Vec::new(),
    };
    to.store.place(
        &[],
        &[Kept {
            document,
            version: 1,
        }],
    )?;
    Ok(false)
}

impl Move<'_, '_> {
    fn begin_stage(&mut self, stage: Stage, total: u64) {
        (self.stage, self.done, self.total) = (stage, 0, total);
        self.tell();
    }

    fn advance(&mut self, by: usize) {
        self.done += by as u64;
        self.total = self.total.max(self.done);
        self.tell();
    }

    fn tell(&mut self) {
        (self.progress)(Progress {
            stage: self.stage,
            done: self.done,
            total: self.total,
        });
    }

    /// The kinds of both sides, without the mark.
    fn kinds(&self) -> Result<BTreeSet<String>, Error> {
        let mut kinds: BTreeSet<String> = self.from.store.kinds()?.into_iter().collect();
        kinds.extend(self.to.store.kinds()?);
        kinds.remove(MARK.0);
        Ok(kinds)
    }

    /// Copies what is missing, changed or gone, and compares what was not compared yet. Returns how many documents had
    /// to be changed in the target.
    fn round(&mut self) -> Result<usize, Error> {
        let mut changed = 0;
        for kind in self.kinds()? {
            changed += match self.round_of(&kind) {
                // All vectors of a kind have one length. If the source got vectors of another length meanwhile, those
                // that were copied before stand in the way.
                Err(Error::InvalidArgument(_)) => {
                    let old = self.to.store.entries(&kind)?;
                    self.remove(&kind, old.iter().map(|entry| entry.id.as_str()))?;
                    self.same.remove(&kind);
                    old.len() + self.round_of(&kind)?
                }
                result => result?,
            };
        }
        Ok(changed)
    }

    fn round_of(&mut self, kind: &str) -> Result<usize, Error> {
        let source = self.from.store.entries(kind)?;
        let target = self.to.store.entries(kind)?;
        self.placed.check(kind, &target)?;
        if self.stage == Stage::Documents {
            self.total += source.len() as u64;
        }
        let mut same = self.same.remove(kind).unwrap_or_default();
        let is_same = |entry: &Entry, there: &Entry| match same.get(&entry.id) {
            Some(same) => {
                same.version == entry.version
                    && same.mark == entry.mark
                    && there.version == entry.version
            }
            None => {
                there.version == entry.version
                    && !self
                        .different
                        .contains(&(kind.to_owned(), entry.id.clone()))
            }
        };
        let plan = plan(&source, &target, is_same);
        let changes = plan.removed.len().max(plan.put.len());
        self.remove(kind, plan.removed.iter().map(String::as_str))?;
        for id in &plan.removed {
            same.remove(id);
        }
        for chunk in chunks(plan.put.iter().map(|place| &source[*place])) {
            let ids: Vec<&str> = chunk.iter().map(|entry| entry.id.as_str()).collect();
            let documents = self.from.store.documents(kind, &ids)?;
            self.to.store.place(&[], &documents)?;
            self.placed.put(kind, &documents);
            for id in ids {
                same.remove(id);
            }
        }
        self.same.insert(kind.to_owned(), same);
        self.compare(kind, &source)?;
        Ok(changes)
    }

    fn remove<'i>(&mut self, kind: &str, ids: impl Iterator<Item = &'i str>) -> Result<(), Error> {
        let keys: Vec<Key> = ids
            .map(|id| Key {
                kind: kind.to_owned(),
                id: id.to_owned(),
            })
            .collect();
        for some in keys.chunks(MOST_AT_ONCE) {
            self.to.store.place(some, &[])?;
            self.placed.remove(kind, some);
        }
        Ok(())
    }

    /// Reads what is not known to be the same from both sides.
    fn compare(&mut self, kind: &str, source: &[Entry]) -> Result<(), Error> {
        let mut same = self.same.remove(kind).unwrap_or_default();
        let unknown: Vec<&Entry> = source
            .iter()
            .filter(|entry| !same.contains_key(&entry.id))
            .collect();
        self.advance(source.len() - unknown.len());
        for chunk in chunks(unknown.into_iter()) {
            let ids: Vec<&str> = chunk.iter().map(|entry| entry.id.as_str()).collect();
            let here = digests(self.from.store.documents(kind, &ids)?);
            let there = digests(self.to.store.documents(kind, &ids)?);
            for entry in &chunk {
                let key = (kind.to_owned(), entry.id.clone());
                self.different.remove(&key);
                // What is not in both is gone or new since it was listed.
                let (Some((version, digest)), Some((_, other))) =
                    (here.get(&entry.id), there.get(&entry.id))
                else {
                    continue;
                };
                if digest != other {
                    self.different.insert(key);
                // Of one that changed since it was listed the next round reads again.
                } else if *version == entry.version {
                    let (version, mark, digest) = (*version, entry.mark, *digest);
                    let known = Same {
                        version,
                        mark,
                        digest,
                    };
                    same.insert(entry.id.clone(), known);
                }
            }
            self.advance(chunk.len());
        }
        self.same.insert(kind.to_owned(), same);
        Ok(())
    }

    /// Copies contents that are missing, and removes those that the source has no more.
    fn archive(&mut self) -> Result<(), Error> {
        let source = self.from.archive.names()?;
        let target = self.to.archive.names()?;
        self.placed.check_contents(&target)?;
        if self.stage == Stage::Archive {
            self.total = source.len() as u64;
        }
        for name in &source {
            if self.compared.contains(name) && target.contains(name) {
                continue;
            }
            if !target.contains(name) {
                let content = match self.from.archive.fetch(name) {
                    // Purged meanwhile.
                    Err(Error::Corrupt(_)) if !self.from.archive.names()?.contains(name) => {
                        continue;
                    }
                    content => content?,
                };
                // Noted before it is there, so that it is never taken for somebody else's.
                self.placed.keep(name);
                self.to.archive.keep(&content)?;
            }
            // A content is its name's, or it can't be fetched.
            self.to.archive.fetch(name)?;
            self.compared.insert(name.clone());
            self.advance(1);
        }
        for name in target.difference(&source) {
            self.to.archive.discard(name)?;
        }
        Ok(())
    }

    fn forget_discarded(&self) -> Result<(), Error> {
        let source = self.from.archive.names()?;
        for name in self.compared.difference(&source) {
            self.to.archive.discard(name)?;
        }
        Ok(())
    }

    /// What both sides hold, if it is the same.
    fn equal(&self) -> Result<Option<(Vec<Collection>, Collection)>, Error> {
        let mut collections = Vec::new();
        for kind in self.kinds()? {
            let source = self.from.store.entries(&kind)?;
            let target = self.to.store.entries(&kind)?;
            let is_equal = source.len() == target.len()
                && source
                    .iter()
                    .zip(&target)
                    .all(|(a, b)| a.id == b.id && a.version == b.version);
            let same = self.same.get(&kind);
            let mut hash = Sha256::new();
            for entry in &source {
                match same.and_then(|same| same.get(&entry.id)) {
                    Some(one) if one.version == entry.version && one.mark == entry.mark => {
                        hash.update(one.digest);
                    }
                    _ => return Ok(None),
                }
            }
            if !is_equal {
                return Ok(None);
            }
            if !source.is_empty() {
                collections.push(Collection {
                    name: kind,
                    count: source.len() as u64,
                    sha256: shown(&hash.finalize()),
                });
            }
        }
        let (source, target) = (self.from.archive.names()?, self.to.archive.names()?);
        if source != target || !source.iter().all(|name| self.compared.contains(name)) {
            return Ok(None);
        }
        let mut hash = Sha256::new();
        for name in &source {
            hash.update(name.as_bytes());
        }
        let archive = Collection {
            name: "archive".into(),
            count: source.len() as u64,
            sha256: shown(&hash.finalize()),
        };
        Ok(Some((collections, archive)))
    }
}

/// Documents by their ids: version and digest.
fn digests(documents: Vec<Kept>) -> HashMap<String, (u32, Digest)> {
    documents
        .into_iter()
        .map(|kept| {
            let digest = of_document(&kept);
            (kept.document.key.id, (kept.version, digest))
        })
        .collect()
}

/// Entries in their order, as many at once as may be copied at once.
fn chunks<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<Vec<&'e Entry>> {
    let mut all: Vec<Vec<&Entry>> = Vec::new();
    let mut bytes = 0;
    for entry in entries {
        match all.last_mut() {
            Some(last) if last.len() < MOST_AT_ONCE && bytes + entry.bytes <= BYTES_AT_ONCE => {
                last.push(entry);
            }
            _ => {
                all.push(vec![entry]);
                bytes = 0;
            }
        }
        bytes += entry.bytes;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_copied_at_once_than_fits() {
        let entry = |bytes| Entry {
            id: String::new(),
            version: 1,
            mark: 0,
            bytes,
        };
        let small: Vec<Entry> = (0..600).map(|_| entry(10)).collect();
        let lengths: Vec<usize> = chunks(small.iter()).iter().map(Vec::len).collect();
        assert_eq!(lengths, [256, 256, 88]);
        let large: Vec<Entry> = (0..3).map(|_| entry(BYTES_AT_ONCE)).collect();
        let lengths: Vec<usize> = chunks(large.iter()).iter().map(Vec::len).collect();
        assert_eq!(lengths, [1, 1, 1]);
    }
}
