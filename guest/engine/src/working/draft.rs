//! A draft: a working memory about to be changed, until it is committed whole or not at all.
//!
//! Owns reading and writing contents by number. What is made and thrown away in one change is never written. Where
//! room comes from is the business of `room`.

use std::collections::BTreeMap;

use twiceshy_wit::memory::{Error, Section, VariableScope, VariableType, WorkingSize};

use super::head::{ColdContent, Content, Entry, Head, Sort, content_id};
use crate::store::{Batch, Kind, Read, Reader};

/// Documents that a store reads in one go.
const KEYS: usize = 1_000;

/// A content to put in.
pub(super) struct New {
    pub(super) id: String,
    pub(super) sort: Sort,
    pub(super) section: Section,
    pub(super) scope: Option<VariableScope>,
    pub(super) kind: Option<VariableType>,
    pub(super) needed_by: Vec<String>,
}

impl New {
    pub(super) fn of(id: &str, sort: Sort, section: Section) -> Self {
        Self {
            id: id.to_owned(),
            sort,
            section,
            scope: None,
            kind: None,
            needed_by: Vec::new(),
        }
    }
}

/// A working memory about to be changed.
pub(super) struct Draft<'e> {
    reader: Reader<'e>,
    pub(super) head: Head,
    pub(super) now: u64,
    /// Contents that are new.
    fresh: BTreeMap<u32, String>,
    /// Contents that go.
    gone: Vec<u32>,
    /// Contents that were moved out.
    cold: Vec<ColdContent>,
    pub(super) pruned: Vec<String>,
    pub(super) warning: Option<String>,
}

impl<'e> Draft<'e> {
    /// The reader of the batch that it is part of.
    pub(super) fn reader(&self) -> &Reader<'e> {
        &self.reader
    }

    pub(super) fn new(reader: &Reader<'e>, head: Head, now: u64) -> Self {
        Self {
            reader: *reader,
            head,
            now,
            fresh: BTreeMap::new(),
            gone: Vec::new(),
            cold: Vec::new(),
            pruned: Vec::new(),
            warning: None,
        }
    }

    /// Puts a content in; one of the same id goes.
    pub(super) fn put(&mut self, new: New, body: String) {
        let accesses = match self.head.find(&new.id) {
            Some(place) => {
                let old = self.head.entries.remove(place);
                self.discard(old.number);
                old.accesses
            }
            None => 0,
        };
        let lasting = matches!(
            new.kind,
            Some(VariableType::Accumulator | VariableType::Metadata)
        );
        let of_subtask = new.scope == Some(VariableScope::ExecutionScope)
            || new.kind == Some(VariableType::ControlFlow);
        let mut entry = Entry {
            id: new.id,
            sort: new.sort,
            section: new.section,
            number: self.head.next,
            whole: None,
            tokens: 0,
            accesses,
            at: self.now,
            age: self.head.results,
            scope: new.scope,
            kind: new.kind,
            bound: of_subtask && !lasting && self.head.subtask.is_some(),
            needed_by: new.needed_by,
        };
        entry.tokens = entry.cost(&self.head.shown(&entry, &body));
        self.fresh.insert(entry.number, body);
        self.head.next += 1;
        self.head.entries.push(entry);
    }

    /// Takes a content out for good.
    pub(super) fn take_out(&mut self, place: usize) -> Entry {
        let entry = self.head.entries.remove(place);
        self.discard(entry.number);
        entry
    }

    /// Puts a shorter text in the place of a content; the whole is moved out, unless it is already.
    pub(super) fn shorten(&mut self, place: usize, text: String) -> Result<(), Error> {
        self.move_out(place)?;
        let number = self.head.next;
        self.head.next += 1;
        let entry = &mut self.head.entries[place];
        let old = std::mem::replace(&mut entry.number, number);
        entry.whole.get_or_insert(old);
        entry.tokens = entry.cost(&text);
        self.fresh.insert(number, text);
        self.discard(old);
        Ok(())
    }

    /// Keeps the whole of a content outside of the prompt.
    pub(super) fn move_out(&mut self, place: usize) -> Result<(), Error> {
        let entry = &self.head.entries[place];
        if entry.is_reference() {
            return Ok(());
        }
        let cold = ColdContent {
            run: self.head.run.clone(),
            item: entry.id.clone(),
            number: entry.number,
            body: self.body(entry.number)?,
        };
        self.cold.push(cold);
        Ok(())
    }

    /// A content by its number.
    pub(super) fn body(&self, number: u32) -> Result<String, Error> {
        match self.fresh.get(&number) {
            Some(body) => Ok(body.clone()),
            None => working_content(&self.reader, &self.head.run, number),
        }
    }

    fn discard(&mut self, number: u32) {
        // What is below the guard may be in a snapshot.
        if self.fresh.remove(&number).is_none() && number >= self.head.guard {
            self.gone.push(number);
        }
    }

    /// Puts what is to be committed, and says what it did to the size.
    pub(super) fn done(mut self, batch: &mut Batch) -> WorkingSize {
        let tokens = self.head.tokens();
        self.head.operations = self.head.operations.saturating_add(1);
        self.head.peak = self.head.peak.max(tokens);
        batch.put(&self.head);
        // The head, which is checked, owns the contents.
        let run = &self.head.run;
        for (number, body) in self.fresh {
            batch.put_owned(&Content {
                run: run.clone(),
                number,
                body,
            });
        }
        for cold in &self.cold {
            batch.put_owned(cold);
        }
        for number in &self.gone {
            batch.remove_owned(Kind::WorkingItem, &content_id(run, *number));
        }
        WorkingSize {
            tokens,
            budget: self.head.whole_budget(),
            pruned: self.pruned,
            warning: self.warning,
        }
    }
}

/// A content by its number, wherever it is.
pub(super) fn working_content(reader: &Reader, run: &str, number: u32) -> Result<String, Error> {
    match working_contents(reader, run, &[number])?.remove(&number) {
        Some(body) => Ok(body),
        None => Err(Error::Storage(format!(
            "Content {number} of the working memory of run `{run}` is missing. Start again with `working.init`."
        ))),
    }
}

/// Contents by number, wherever they are.
pub(super) fn working_contents(
    reader: &Reader,
    run: &str,
    numbers: &[u32],
) -> Result<BTreeMap<u32, String>, Error> {
    let keys: Vec<_> = numbers
        .iter()
        .map(|number| content_id(run, *number))
        .flat_map(|id| [Kind::WorkingItem, Kind::WorkingCold].map(|kind| kind.key(&id)))
        .collect();
    let mut contents = BTreeMap::new();
    for keys in keys.chunks(KEYS) {
        for stored in reader.read(keys)? {
            // Both kinds have a number and a body.
            let content = Read::<Content>::parse(&stored)?.noun;
            contents.insert(content.number, content.body);
        }
    }
    Ok(contents)
}
