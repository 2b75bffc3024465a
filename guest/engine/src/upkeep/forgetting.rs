//! Forgetting: takes the words of a purged episode out of documents that are about more than it.
//!
//! Owns what is left of an episode beside its own documents: what failures of its kind are known by and cost, its task,
//! the journals of consolidations, what the episodes that one stands for differ in, and contents in the archive that
//! its account names. What another episode or a lesson needs stays.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Account, Episode, Error};

use super::consolidation::JournalEntry;
use crate::{
    episodes::{
        self, attempts, cold,
        lifecycle::{KeptConsolidated, KeptLifecycle},
        tasks::{Task, task_id},
    },
    events::{Known, recoveries::Recoveries},
    store::{Desk, Kind, Noun, ascending, equals, query},
    ways::Way,
};

/// Documents that are looked at in one go.
const PAGE: u32 = 200;

/// What is to be forgotten of an episode, as it is known while its documents are still there.
pub(super) struct Traces {
    episode: Episode,
    /// Its failed actions.
    actions: Vec<String>,
    consolidated_into: Option<String>,
    /// The contents that its account names.
    contents: BTreeSet<String>,
}

impl Traces {
    pub(super) fn of(desk: &Desk, lifecycle: &KeptLifecycle) -> Result<Self, Error> {
        let read = episodes::load_episode(desk, &lifecycle.episode)?;
        let attempts = attempts::all_attempts_of(desk, &lifecycle.episode)?;
        let failed = attempts.into_iter().filter(|one| one.failure.is_some());
        let account = cold::account_of(desk, &lifecycle.episode)?;
        Ok(Self {
            episode: read.noun,
            actions: failed.map(|attempt| attempt.action).collect(),
            consolidated_into: lifecycle.consolidated_into.clone(),
            contents: contents(&account),
        })
    }

    /// Takes its actions out of what is known of failures and of its task. Its steps are still there.
    pub(super) fn forget_causes(&self, desk: &mut Desk) -> Result<(), Error> {
        for id in &self.episode.fingerprints {
            desk.commit(|batch| {
                if let Some(mut known) = batch.load::<Known>(id)?
                    && known.noun.causes.forget(&self.actions)
                {
                    batch.put(&known.noun);
                }
                Recoveries::forget(batch, &self.episode.domain, id, &self.episode.id)
            })?;
        }
        let Some(id) = task_id(&self.episode.domain, &self.episode.task) else {
            return Ok(());
        };
        desk.commit(|batch| {
            if let Some(mut task) = batch.load::<Task>(&id)? {
                for failure in &mut task.noun.failures {
                    failure.causes.forget(&self.actions);
                }
                let is_another = |way: &Way| way.run != self.episode.id;
                task.noun.ways.retain(is_another);
                batch.put(&task.noun);
            }
            Ok(())
        })
    }

    /// Takes its other words out. Its events are gone, and nothing is left but the episode itself.
    pub(super) fn forget(&self, desk: &mut Desk) -> Result<(), Error> {
        self.forget_failures(desk)?;
        self.forget_task(desk)?;
        self.forget_difference(desk)?;
        self.forget_journals(desk)?;
        self.discard_contents(desk)
    }

    /// A failure that nothing else met is no longer known.
    fn forget_failures(&self, desk: &mut Desk) -> Result<(), Error> {
        for id in &self.episode.fingerprints {
            desk.commit(|batch| {
                let of_it = [equals("fingerprint", id)];
                let is_needed = batch.count(Kind::Event, &of_it)? > 0
                    || batch.count(Kind::Lesson, &of_it)? > 0
                    || batch.count(Kind::Episode, &of_it)? > 1;
                if !is_needed && batch.load::<Known>(id)?.is_some() {
                    batch.remove(Kind::Fingerprint, id);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// A task that no other episode had is no longer known.
    fn forget_task(&self, desk: &mut Desk) -> Result<(), Error> {
        let Some(id) = task_id(&self.episode.domain, &self.episode.task) else {
            return Ok(());
        };
        desk.commit(|batch| {
            let is_needed = batch.count(Kind::Episode, &episodes::of_task(&id))? > 1;
            if !is_needed && batch.load::<Task>(&id)?.is_some() {
                batch.remove(Kind::Task, &id);
            }
            Ok(())
        })
    }

    /// The episode that stood for it no longer says how it differed.
    fn forget_difference(&self, desk: &mut Desk) -> Result<(), Error> {
        let Some(representative) = &self.consolidated_into else {
            return Ok(());
        };
        desk.commit(|batch| {
            if let Some(mut read) = batch.load::<KeptConsolidated>(representative)? {
                let variations = &mut read.noun.0.variations;
                variations.retain(|one| one.episode != self.episode.id);
                batch.put(&read.noun);
            }
            Ok(())
        })
    }

    /// A commit of a consolidation that touched it can't be undone any more, and says nothing of it.
    fn forget_journals(&self, desk: &mut Desk) -> Result<(), Error> {
        let mut page = query::<JournalEntry>(Vec::new(), ascending("at"), PAGE);
        loop {
            let found = desk.search::<JournalEntry>(&page)?;
            let some = found.len() as u32;
            for (read, _) in found {
                if read.noun.mentions(&self.episode.id) {
                    desk.commit(|batch| {
                        if let Some(mut read) = batch.load::<JournalEntry>(&read.noun.id())? {
                            read.noun.forget();
                            batch.put(&read.noun);
                        }
                        Ok(())
                    })?;
                }
            }
            if some < PAGE {
                return Ok(());
            }
            page.offset += PAGE;
        }
    }

    /// Contents that no other account names are discarded.
    fn discard_contents(&self, desk: &mut Desk) -> Result<(), Error> {
        if self.contents.is_empty() {
            return Ok(());
        }
        let mut left = self.contents.clone();
        let mut page = query::<Episode>(Vec::new(), ascending("ended-at"), PAGE);
        loop {
            let found = desk.search::<Episode>(&page)?;
            let some = found.len() as u32;
            let others = found.into_iter().map(|(read, _)| read.noun.id);
            for id in others.filter(|id| *id != self.episode.id) {
                let named = contents(&cold::account_of(desk, &id)?);
                left.retain(|name| !named.contains(name));
            }
            if some < PAGE || left.is_empty() {
                break;
            }
            page.offset += PAGE;
        }
        for name in left {
            if let Err(error) = desk.archive.discard(&name) {
                desk.warn(&format!("{name} stays in the archive: {}", error.message()));
            }
        }
        Ok(())
    }
}

/// The contents in the archive that an account names.
fn contents(account: &Account) -> BTreeSet<String> {
    let artifacts = account.artifacts.iter();
    artifacts.filter_map(|one| one.hash.clone()).collect()
}
