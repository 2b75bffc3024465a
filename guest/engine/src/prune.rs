//! Pruning: the only way by which anything is removed.
//!
//! Owns what belongs together when it goes. It works in small commits, each of which leaves the memory
//! whole, so that it can be interrupted and done again.

use std::collections::BTreeMap;

use twiceshy_wit::{
    host::{Change, Condition, Precondition},
    memory::{
        Activation, Episode, Error, Event, LessonStatus, Link, PatternVersion, Pruned, TraceStep,
    },
};

use crate::{
    consolidation::JournalEntry,
    decisions::KeptDecision,
    documents::{Kind, Noun, ascending, at_most, equals, newest, put, query, remove},
    episodes,
    failures::KeptFailure,
    lessons::KeptLesson,
    patterns::Application,
    ports::Engine,
    records::{self, AT, Record},
    working::ColdContent,
};

/// Documents of one kind that are read in one go.
const PAGE: u32 = 1_000;

/// Documents that are removed in one commit, with room for the counters that change with them.
const AT_ONCE: usize = 400;

impl Engine<'_> {
    pub(crate) fn remove_before(&self, before: u64, dry_run: bool) -> Result<Pruned, Error> {
        let mut pruned = Pruned::default();
        let Some(last) = before.checked_sub(1) else {
            return Ok(pruned);
        };
        let conditions = vec![at_most("ended-at", last as f64)];
        let mut episodes = query::<Episode>(conditions, ascending("ended-at"), PAGE);
        loop {
            let page = self.search::<Episode>(&episodes)?;
            let found = page.len() as u32;
            for (read, _) in page {
                self.remove_episode(&read.noun.id, &mut pruned, dry_run)?;
            }
            if found < PAGE {
                break;
            }
            if dry_run {
                episodes.offset += PAGE;
            }
        }
        pruned.lessons = self.remove_lessons(last, dry_run)?;
        // What consolidation keeps to be undone holds what is to go.
        self.remove_where::<JournalEntry>(&at_most(AT, last as f64), dry_run)?;
        pruned.decisions = self.remove_records::<KeptDecision>(before, dry_run)?;
        pruned.failures = self.remove_records::<KeptFailure>(before, dry_run)?;
        Ok(pruned)
    }

    /// Removes an episode with everything that belongs to it, in cold storage, too.
    pub(crate) fn remove_episode(
        &self,
        id: &str,
        pruned: &mut Pruned,
        dry_run: bool,
    ) -> Result<(), Error> {
        let lifecycle = self.lifecycle(id)?.noun;
        pruned.episodes += 1;
        pruned.events += self.remove_events(id, dry_run)?;
        pruned.steps += self.remove_all::<TraceStep>(id, dry_run)? + lifecycle.cold_steps;
        pruned.activations += self.remove_all::<Activation>(id, dry_run)?;
        if dry_run {
            return Ok(());
        }
        let cold = self.cold_names(&lifecycle);
        self.remove_in_order::<ColdContent>(&equals("run", id), "number")?;
        self.remove_in_order::<Link>(&equals("lesson", id), AT)?;
        // The episode goes last: while it is there, what is left of it is found again.
        let batch = episodes::removal(id);
        self.change(|_| Ok((batch.clone(), ())))?;
        for name in cold {
            // What is left behind is an orphan that nobody names.
            if let Err(error) = self.ports.archive.discard(&name) {
                self.warn(&format!(
                    "{name} stays in cold storage: {}",
                    error.message()
                ));
            }
        }
        Ok(())
    }

    /// Removes the events of a run; their fingerprints note that they are gone.
    fn remove_events(&self, run: &str, dry_run: bool) -> Result<u32, Error> {
        if dry_run {
            return self.count(Kind::Event, &[equals("run", run)]);
        }
        let mut removed = 0;
        loop {
            let some = self.change(|_| {
                let page = query::<Event>(vec![equals("run", run)], newest("at"), AT_ONCE as u32);
                let events = self.search::<Event>(&page)?;
                let ids = events
                    .iter()
                    .map(|(read, _)| read.noun.fingerprint.as_str());
                let mut known = self.known(ids)?;
                let mut batch = Vec::with_capacity(2 * events.len());
                let mut gone: BTreeMap<&str, u32> = BTreeMap::new();
                for (read, _) in &events {
                    *gone.entry(&read.noun.fingerprint).or_default() += 1;
                    batch.push(remove(
                        Kind::Event,
                        &read.noun.id,
                        Precondition::At(read.version),
                    ));
                }
                for (fingerprint, count) in gone {
                    if let Some(known) = known.get_mut(fingerprint) {
                        known.noun.pruned += count;
                        batch.push(put(&known.noun, Precondition::At(known.version)));
                    }
                }
                Ok((batch, events.len() as u32))
            })?;
            removed += some;
            if (some as usize) < AT_ONCE {
                return Ok(removed);
            }
        }
    }

    /// Removes all documents of a kind that belong to a run.
    fn remove_all<N: Noun>(&self, run: &str, dry_run: bool) -> Result<u32, Error> {
        self.remove_where::<N>(&equals("run", run), dry_run)
    }

    /// Removes records that were made before a time. Their wordings stay: they are an index, and others may have
    /// the same.
    fn remove_records<R: Record>(&self, before: u64, dry_run: bool) -> Result<u32, Error> {
        self.remove_where::<R>(&records::until(before), dry_run)
    }

    /// Removes all documents of a kind that meet a condition, the oldest first.
    fn remove_where<N: Noun>(&self, condition: &Condition, dry_run: bool) -> Result<u32, Error> {
        let conditions = vec![condition.clone()];
        if dry_run {
            return self.count(N::KIND, &conditions);
        }
        self.remove_in_order::<N>(condition, AT)
    }

    /// Removes all documents of a kind that meet a condition, in the order of an attribute.
    fn remove_in_order<N: Noun>(&self, condition: &Condition, order: &str) -> Result<u32, Error> {
        let page = query::<N>(vec![condition.clone()], ascending(order), AT_ONCE as u32);
        let mut removed = 0;
        loop {
            let found = self.search::<N>(&page)?;
            let batch: Vec<Change> = found
                .iter()
                .map(|(read, _)| remove(N::KIND, &read.noun.id(), Precondition::Anything))
                .collect();
            let some = batch.len();
            self.change(|_| Ok((batch.clone(), ())))?;
            removed += some as u32;
            if some < AT_ONCE {
                return Ok(removed);
            }
        }
    }

    /// Removes what a lesson has as a pattern.
    fn remove_pattern(&self, id: &str) -> Result<(), Error> {
        let own = equals("pattern", id);
        self.remove_in_order::<Application>(&own, "at")?;
        self.remove_in_order::<PatternVersion>(&own, "version")?;
        let batch = [Kind::PatternBody, Kind::Pattern]
            .map(|kind| remove(kind, id, Precondition::Anything))
            .to_vec();
        self.change(|_| Ok((batch.clone(), ())))
    }

    /// Removes archived lessons that were changed last up to a time, with their evidence and their links.
    fn remove_lessons(&self, last: u64, dry_run: bool) -> Result<u32, Error> {
        let conditions = vec![
            equals("status", LessonStatus::Archived.as_str()),
            at_most("updated-at", last as f64),
        ];
        if dry_run {
            return self.count(Kind::Lesson, &conditions);
        }
        let mut removed = 0;
        let archived = query::<KeptLesson>(conditions, ascending("updated-at"), PAGE);
        loop {
            let page = self.search::<KeptLesson>(&archived)?;
            let found = page.len() as u32;
            for (read, _) in page {
                let id = &read.noun.lesson.id;
                let batch = vec![
                    remove(Kind::Lesson, id, Precondition::Anything),
                    remove(Kind::Evidence, id, Precondition::Anything),
                ];
                // The lesson goes last: while it is there, what is left of it is found again.
                self.remove_in_order::<Link>(&equals("lesson", id), AT)?;
                self.remove_pattern(id)?;
                self.change(|_| Ok((batch.clone(), ())))?;
                removed += 1;
            }
            if found < PAGE {
                return Ok(removed);
            }
        }
    }
}
