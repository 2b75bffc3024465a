//! A draft: a working memory about to be changed, until it is committed whole or not at all.
//!
//! Owns reading and writing contents by number. What is made and thrown away in one change is never written. Where
//! room comes from is the business of `room`.

use std::collections::BTreeMap;

use twiceshy_wit::{
    host::{Change, Precondition},
    memory::{Error, Section, VariableScope, VariableType, WorkingSize},
};

use super::head::{ColdContent, Content, Entry, Head, Sort, content_id};
use crate::{
    documents::{Kind, Read, put, remove},
    ports::Engine,
};

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
    engine: &'e Engine<'e>,
    pub(super) head: Head,
    version: Option<u32>,
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
    pub(super) fn new(engine: &'e Engine<'e>, head: Head, version: Option<u32>, now: u64) -> Self {
        Self {
            engine,
            head,
            version,
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
            None => self.engine.working_content(&self.head.run, number),
        }
    }

    fn discard(&mut self, number: u32) {
        // What is below the guard may be in a snapshot.
        if self.fresh.remove(&number).is_none() && number >= self.head.guard {
            self.gone.push(number);
        }
    }

    /// What is to be committed, and what it did to the size.
    pub(super) fn done(mut self) -> (Vec<Change>, WorkingSize) {
        let tokens = self.head.tokens();
        self.head.operations = self.head.operations.saturating_add(1);
        self.head.peak = self.head.peak.max(tokens);
        let size = WorkingSize {
            tokens,
            budget: self.head.whole_budget(),
            pruned: self.pruned,
            warning: self.warning,
        };
        // The head, which is checked, owns the contents.
        let precondition = match self.version {
            Some(version) => Precondition::At(version),
            None => Precondition::Absent,
        };
        let mut batch = vec![put(&self.head, precondition)];
        let run = &self.head.run;
        for (number, body) in self.fresh {
            let content = Content {
                run: run.clone(),
                number,
                body,
            };
            batch.push(put(&content, Precondition::Anything));
        }
        batch.extend(
            self.cold
                .iter()
                .map(|cold| put(cold, Precondition::Anything)),
        );
        batch.extend(self.gone.iter().map(|number| {
            remove(
                Kind::WorkingItem,
                &content_id(run, *number),
                Precondition::Anything,
            )
        }));
        (batch, size)
    }
}

impl Engine<'_> {
    /// A content by its number, wherever it is.
    pub(super) fn working_content(&self, run: &str, number: u32) -> Result<String, Error> {
        match self.working_contents(run, &[number])?.remove(&number) {
            Some(body) => Ok(body),
            None => Err(Error::Storage(format!(
                "the content {number} of the working memory of `{run}` is gone; begin it anew with working.init"
            ))),
        }
    }

    /// Contents by number, wherever they are.
    pub(super) fn working_contents(
        &self,
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
            for stored in self.read(keys)? {
                // Both kinds have a number and a body.
                let content = Read::<Content>::parse(&stored)?.noun;
                contents.insert(content.number, content.body);
            }
        }
        Ok(contents)
    }
}
