//! Owns the store over bytes under keys: the whole contract of a store, and of an archive, for a host that can keep bytes.
//!
//! A kind of documents is read when it is first searched, and followed from then on: nothing is read at the start, and
//! nobody else may write to the same bytes meanwhile. What is kept for a search is dropped when a commit fails, because it
//! is not known then what was written.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use sha2::{Digest, Sha256};
use twiceshy_wit::host::{
    Archive, Bytes, Change, Condition, Error, Found, Key, Precondition, Query, Store, Stored, Write,
};

use crate::rank::BUDGET;
use crate::record::{
    ARRIVALS, Body, CURRENT_FORM, FORM, Head, Lengths, after, archive_key, body_from, body_key,
    corrupt, from_bytes, head_key, heads_of, id_of, lengths_key, to_bytes,
};
use crate::shelf::{Hit, Shelf};
use crate::{validate, version};

/// How many entries are asked for at once.
const PAGE: usize = 1_000;
/// The largest content of the archive, in bytes.
const LARGEST_CONTENT: usize = 64 << 20;

/// A store, and an archive, over bytes under keys.
#[derive(Debug, Default)]
pub struct ByteStore<B> {
    bytes: B,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The kinds that have been searched.
    shelves: BTreeMap<String, Shelf>,
    /// The number of the latest document, once it is known.
    arrivals: Option<u64>,
}

/// What a batch makes of a store.
#[derive(Default)]
struct Changed<'a> {
    /// The documents that it is about, by kind and id.
    slots: BTreeMap<(&'a str, &'a str), Slot<'a>>,
    lengths: BTreeMap<&'a str, Lengths>,
    /// The number of the latest document, now and before.
    arrivals: u64,
    arrivals_before: u64,
}

/// A document that a batch changes.
struct Slot<'a> {
    /// Whether it was there before the batch.
    existed: bool,
    /// What it is by now, if it is there.
    head: Option<Head>,
    body: &'a str,
}

impl<B: Bytes> ByteStore<B> {
    /// The store that is kept in `bytes`. Nothing is read yet.
    pub fn new(bytes: B) -> Self {
        Self {
            bytes,
            state: Mutex::default(),
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> Result<T, Error>) -> Result<T, Error> {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn values(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let mut values = Vec::with_capacity(keys.len());
        for page in keys.chunks(PAGE) {
            let found = self.bytes.get(page)?;
            if found.len() != page.len() {
                return Err(Error::Other(format!(
                    "bytes.get: {} values for {} keys; return one for each key, in their order",
                    found.len(),
                    page.len()
                )));
            }
            values.extend(found);
        }
        Ok(values)
    }

    fn value(&self, key: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.values(&[key.to_owned()])?.pop().flatten())
    }

    /// The documents of a kind, read if this is the first question about it.
    fn shelf<'s>(&self, state: &'s mut State, kind: &str) -> Result<&'s Shelf, Error> {
        if !state.shelves.contains_key(kind) {
            state.shelves.insert(kind.to_owned(), self.read(kind)?);
        }
        Ok(&state.shelves[kind])
    }

    fn read(&self, kind: &str) -> Result<Shelf, Error> {
        let mut shelf = Shelf::default();
        let (mut first, end) = heads_of(kind);
        loop {
            let entries = self.bytes.scan(&first, &end, PAGE as u32)?;
            for entry in &entries {
                let head: Head = from_bytes(&entry.key, &entry.value)?;
                shelf.set(&id_of(&entry.key)?, Some(&head));
            }
            match entries.last() {
                Some(last) if entries.len() >= PAGE => first = after(&last.key),
                _ => return Ok(shelf),
            }
        }
    }

    /// The number of the latest document. Also says no to bytes that a later version wrote.
    fn arrivals(&self, state: &mut State) -> Result<u64, Error> {
        if let Some(arrivals) = state.arrivals {
            return Ok(arrivals);
        }
        let form = self.value(FORM)?;
        let form = form.map_or(Ok(CURRENT_FORM), |form| from_bytes(FORM, &form))?;
        if form != CURRENT_FORM {
            return Err(Error::Unavailable(format!(
                "the memory has form {form}, and this version knows form {CURRENT_FORM}; use a newer version"
            )));
        }
        let arrivals = self.value(ARRIVALS)?;
        let arrivals = arrivals.map_or(Ok(0), |bytes| from_bytes(ARRIVALS, &bytes))?;
        state.arrivals = Some(arrivals);
        Ok(arrivals)
    }

    fn write(&self, batch: &[Change], durable: bool) -> Result<(), Error> {
        validate::batch(batch)?;
        if batch.is_empty() {
            return Ok(());
        }
        self.with(|state| {
            let changed = self.changed(state, batch)?;
            if let Err(error) = self.bytes.commit(&changed.writes()?, durable) {
                *state = State::default();
                return Err(error);
            }
            state.arrivals = Some(changed.arrivals);
            for ((kind, id), slot) in &changed.slots {
                if let Some(shelf) = state.shelves.get_mut(*kind) {
                    shelf.set(id, slot.head.as_ref());
                }
            }
            Ok(())
        })
    }

    /// What a batch makes of the documents.
    fn changed<'a>(&self, state: &mut State, batch: &'a [Change]) -> Result<Changed<'a>, Error> {
        let arrivals = self.arrivals(state)?;
        let mut changed = Changed {
            arrivals,
            arrivals_before: arrivals,
            ..Changed::default()
        };
        let mut names: Vec<&Key> = batch.iter().map(|change| parts(change).0).collect();
        names.sort_unstable_by(|a, b| (&a.kind, &a.id).cmp(&(&b.kind, &b.id)));
        names.dedup();
        let keys: Vec<String> = names.iter().map(|key| head_key(key)).collect();
        for ((name, key), bytes) in names.iter().zip(&keys).zip(self.values(&keys)?) {
            let head: Option<Head> = bytes.map(|bytes| from_bytes(key, &bytes)).transpose()?;
            let (existed, body) = (head.is_some(), "");
            let slot = Slot {
                existed,
                head,
                body,
            };
            changed.slots.insert((&name.kind, &name.id), slot);
        }
        for change in batch {
            let (key, precondition) = parts(change);
            let place = (key.kind.as_str(), key.id.as_str());
            let before = changed
                .slots
                .get_mut(&place)
                .and_then(|slot| slot.head.take());
            let present = before.as_ref().map(|head| head.version);
            version::check(key, present, precondition)?;
            if let Some(head) = &before {
                self.count_length(&mut changed, &key.kind, &head.vector, |n| {
                    n.saturating_sub(1)
                })?;
            }
            if let Change::Put(put) = change {
                let number = before.map_or_else(
                    || {
                        changed.arrivals += 1;
                        changed.arrivals
                    },
                    |head| head.number,
                );
                let head = Head::new(&put.document, version::next(key, present)?, number);
                self.count_length(&mut changed, &key.kind, &head.vector, |count| count + 1)?;
                if let Some(slot) = changed.slots.get_mut(&place) {
                    slot.head = Some(head);
                    slot.body = &put.document.body;
                }
            }
        }
        self.check_vectors(&changed, batch)?;
        Ok(changed)
    }

    /// Counts a vector of a kind in or out.
    fn count_length<'a>(
        &self,
        changed: &mut Changed<'a>,
        kind: &'a str,
        vector: &[f32],
        count: impl Fn(u64) -> u64,
    ) -> Result<(), Error> {
        if vector.is_empty() {
            return Ok(());
        }
        if !changed.lengths.contains_key(kind) {
            let key = lengths_key(kind);
            let known = self.value(&key)?;
            let known = known.map_or(Ok(Lengths::new()), |bytes| from_bytes(&key, &bytes))?;
            changed.lengths.insert(kind, known);
        }
        let lengths = changed.lengths.entry(kind).or_default();
        let length = vector.len() as u64;
        if !lengths.iter().any(|(one, _)| *one == length) {
            lengths.push((length, 0));
        }
        for one in lengths.iter_mut().filter(|(one, _)| *one == length) {
            one.1 = count(one.1);
        }
        lengths.retain(|(_, count)| *count > 0);
        Ok(())
    }

    /// The rule of one length is about the state after the batch, so that all vectors of a kind can be replaced together.
    fn check_vectors(&self, changed: &Changed, batch: &[Change]) -> Result<(), Error> {
        for (index, change) in batch.iter().enumerate() {
            let Change::Put(put) = change else { continue };
            let Key { kind, id } = &put.document.key;
            if changed
                .lengths
                .get(kind.as_str())
                .is_none_or(|all| all.len() < 2)
            {
                continue;
            }
            let slot = changed.slots.get(&(kind.as_str(), id.as_str()));
            let head = slot.and_then(|slot| slot.head.as_ref());
            let length = head.map_or(0, |head| head.vector.len());
            if length == 0 {
                continue;
            }
            // Which of several other lengths is named depends on the ids.
            let mut shelf = self.read(kind)?;
            for ((of, id), slot) in &changed.slots {
                if of == kind {
                    shelf.set(id, slot.head.as_ref());
                }
            }
            if let Some(other) = shelf.other_length(length) {
                let member = format!("batch[{index}].document.vector");
                validate::same_length(&member, kind, length, other)?;
            }
        }
        Ok(())
    }
}

impl Changed<'_> {
    /// The bytes that make it so.
    fn writes(&self) -> Result<Vec<Write>, Error> {
        let mut writes = Vec::new();
        for ((kind, id), slot) in &self.slots {
            let key = Key {
                kind: (*kind).to_owned(),
                id: (*id).to_owned(),
            };
            match &slot.head {
                Some(head) => {
                    let (version, body) = (head.version, slot.body);
                    writes.push(written(head_key(&key), head)?);
                    writes.push(written(body_key(&key), &Body { version, body })?);
                }
                None if slot.existed => {
                    writes.extend([removed(head_key(&key)), removed(body_key(&key))])
                }
                None => {}
            }
        }
        for (kind, lengths) in &self.lengths {
            writes.push(written(lengths_key(kind), lengths)?);
        }
        if self.arrivals > self.arrivals_before {
            writes.push(written(ARRIVALS.into(), &self.arrivals)?);
        }
        if self.arrivals_before == 0 {
            writes.push(written(FORM.into(), &CURRENT_FORM)?);
        }
        Ok(writes)
    }
}

impl<B: Bytes> Store for ByteStore<B> {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        validate::keys(keys)?;
        let names: Vec<String> = keys.iter().map(body_key).collect();
        let mut found = Vec::with_capacity(keys.len());
        for ((key, name), bytes) in keys.iter().zip(&names).zip(self.values(&names)?) {
            if let Some(bytes) = bytes {
                let Body { version, body } = body_from(name, &bytes)?;
                found.push(Stored {
                    key: key.clone(),
                    version,
                    body: body.to_owned(),
                });
            }
        }
        Ok(found)
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        self.write(batch, true)
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        self.write(batch, false)
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        validate::query(query)?;
        let hits = self.with(|state| self.shelf(state, &query.kind)?.find(query, BUDGET))?;
        let key = |hit: &Hit| Key {
            kind: query.kind.clone(),
            id: hit.id.to_string(),
        };
        let names: Vec<String> = hits.iter().map(|hit| body_key(&key(hit))).collect();
        let mut found = Vec::with_capacity(hits.len());
        for ((hit, name), bytes) in hits.iter().zip(&names).zip(self.values(&names)?) {
            let bytes = bytes.ok_or_else(|| corrupt(name, "there are none"))?;
            let Body { version, body } = body_from(name, &bytes)?;
            if version != hit.version {
                return Err(corrupt(name, format_args!("they are of version {version}")));
            }
            let document = Stored {
                key: key(hit),
                version,
                body: body.to_owned(),
            };
            found.push(Found {
                document,
                score: hit.score,
            });
        }
        Ok(found)
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        validate::conditions(kind, conditions)?;
        let count = self.with(|state| Ok(self.shelf(state, kind)?.count(conditions)))?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    fn optimize(&self) -> Result<(), Error> {
        Ok(())
    }
}

impl<B: Bytes> Archive for ByteStore<B> {
    fn keep(&self, content: &[u8]) -> Result<String, Error> {
        if content.len() > LARGEST_CONTENT {
            return Err(Error::InvalidArgument(format!(
                "content: is {} bytes long, and at most {LARGEST_CONTENT} are allowed",
                content.len()
            )));
        }
        let name = name_of(content);
        let key = archive_key(&name);
        if self.value(&key)?.as_deref() != Some(content) {
            let value = Some(content.to_vec());
            self.bytes.commit(&[Write { key, value }], true)?;
        }
        Ok(name)
    }

    fn fetch(&self, name: &str) -> Result<Vec<u8>, Error> {
        let key = archive_key(checked(name)?);
        let content = self.value(&key)?;
        let content =
            content.ok_or_else(|| Error::Corrupt(format!("there is no content `{name}`")))?;
        if name_of(&content) != name {
            return Err(corrupt(&key, "their hash is another"));
        }
        Ok(content)
    }

    fn discard(&self, name: &str) -> Result<(), Error> {
        let key = archive_key(checked(name)?);
        self.bytes.commit(&[removed(key)], true)
    }
}

fn parts(change: &Change) -> (&Key, &Precondition) {
    match change {
        Change::Put(put) => (&put.document.key, &put.precondition),
        Change::Remove(removal) => (&removal.key, &removal.precondition),
    }
}

fn written(key: String, record: &impl Serialize) -> Result<Write, Error> {
    let value = Some(to_bytes(record)?);
    Ok(Write { key, value })
}

fn removed(key: String) -> Write {
    Write { key, value: None }
}

fn name_of(content: &[u8]) -> String {
    let digits = Sha256::digest(content);
    let digits = digits.iter().map(|byte| format!("{byte:02x}"));
    format!("sha256:{}", digits.collect::<String>())
}

/// The name of a content, if it can be one.
fn checked(name: &str) -> Result<&str, Error> {
    let digits = name.strip_prefix("sha256:").unwrap_or_default();
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() == 64 && digits.bytes().all(is_digit) {
        return Ok(name);
    }
    let shown: String = name.chars().take(80).collect();
    Err(Error::InvalidArgument(format!(
        "name: {shown:?} is not `sha256:` and 64 hexadecimal digits"
    )))
}
