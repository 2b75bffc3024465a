//! Forgetting: takes the words of a purged episode out of documents that are about more than it.
//!
//! Owns what is left of a deleted episode beside its own documents: what failures of its kind are known by and cost, its
//! task, the patterns that were applied in it, the journals of consolidations, and contents in the archive that its account
//! names. What another episode or a lesson needs stays. What it was merged with, it left when it was
//! [deleted](super::deletion).

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Account, Activation, Episode, Error};

use super::consolidation::JournalEntry;
use crate::{
    episodes::{
        self, attempts, cold,
        tasks::{Task, task_id},
    },
    events::{Known, recoveries::Recoveries},
    lessons::patterns::{Application, Body},
    store::{Desk, Kind, ascending, equals, query},
    ways::Way,
};

/// Documents that are looked at in one go.
const PAGE: u32 = 200;

/// Activations of one episode that are looked at.
const ACTIVATIONS: u32 = 10_000;

/// What is to be forgotten of an episode, as it is known while its documents are still there.
pub(super) struct Traces {
    episode: Episode,
    /// Its failed actions.
    actions: Vec<String>,
    /// The lessons and patterns that it was shown or applied.
    shown: Vec<String>,
    /// The contents that its account names.
    contents: BTreeSet<String>,
}

impl Traces {
    pub(super) fn of(desk: &Desk, id: &str) -> Result<Self, Error> {
        let attempts = attempts::all_attempts_of(desk, id)?;
        let failed = attempts.into_iter().filter(|one| one.failure.is_some());
        let account = cold::account_of(desk, id)?;
        let of_it = vec![equals("run", id)];
        let shown = desk.find::<Activation>(of_it, ascending("at"), ACTIVATIONS)?;
        Ok(Self {
            episode: episodes::get(desk, id)?,
            actions: failed.map(|attempt| attempt.action).collect(),
            shown: shown.into_iter().map(|one| one.lesson).collect(),
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
        self.forget_applications(desk)?;
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

    /// It was applied in no pattern: none names it, and nothing says what kind of task it was.
    fn forget_applications(&self, desk: &mut Desk) -> Result<(), Error> {
        for pattern in &self.shown {
            desk.commit(|batch| {
                let id = Application::id_of(pattern, &self.episode.id);
                if batch.load::<Application>(&id)?.is_some() {
                    batch.remove(Kind::Application, &id);
                }
                if let Some(mut body) = batch.load::<Body>(pattern)? {
                    body.noun.forget_episode(&self.episode.id);
                    batch.put(&body.noun);
                }
                Ok(())
            })?;
        }
        Ok(())
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

/// Commits of consolidations that touched one of some memories can't be undone any more, and say nothing of it.
pub(super) fn forget_journals(desk: &mut Desk, ids: &BTreeSet<String>) -> Result<(), Error> {
    let mut page = query::<JournalEntry>(Vec::new(), ascending("at"), PAGE);
    loop {
        let found = desk.search::<JournalEntry>(&page)?;
        let some = found.len() as u32;
        let mut commits = BTreeSet::new();
        for (read, _) in &found {
            if ids.iter().any(|id| read.noun.mentions(id)) {
                commits.insert((read.noun.consolidation.clone(), read.noun.commit));
            }
        }
        for (consolidation, commit) in commits {
            for place in commit.. {
                let is_of_it = desk.commit(|batch| {
                    let id = JournalEntry::id_of(&consolidation, place);
                    let read = batch.load::<JournalEntry>(&id)?;
                    let Some(mut read) = read.filter(|read| read.noun.commit == commit) else {
                        return Ok(false);
                    };
                    read.noun.forget();
                    batch.put(&read.noun);
                    Ok(true)
                })?;
                if !is_of_it {
                    break;
                }
            }
        }
        if some < PAGE {
            return Ok(());
        }
        page.offset += PAGE;
    }
}

/// The contents in the archive that an account names.
fn contents(account: &Account) -> BTreeSet<String> {
    let artifacts = account.artifacts.iter();
    artifacts.filter_map(|one| one.hash.clone()).collect()
}
