//! Aging: steps and accounts of old episodes move to cold storage, and back.
//!
//! Owns the order of things, so that nothing is lost wherever it is interrupted: a content is kept first, then one
//! commit takes the documents away and names the content. If the second never comes, the content is an orphan that the
//! next attempt meets again under the same name.

use twiceshy_wit::{
    host::{Change, Precondition},
    memory::{Aging, Episode, Error, Lifecycle, TraceStep},
};

use super::{
    account::KeptAccount,
    cold::{PART_BYTES, PART_STEPS, PartHead, part},
    lifecycle::{DUE, KeptLifecycle, kept_warm_from, shelved},
};
use crate::{
    documents::{Kind, Noun, Read, ascending, at_least, at_most, equals, put, query, remove},
    ports::{Engine, from_host},
};

/// Episodes of one call at most.
const MOST_AGED: u32 = 1_000;

/// What was moved of one episode, in bytes; none if nothing was.
#[derive(Default)]
struct Moved {
    trace: Option<usize>,
    account: Option<usize>,
}

/// An episode about to be aged, with its lifecycle.
type Due = (Read<Episode>, Read<KeptLifecycle>);

impl Engine<'_> {
    pub(super) fn age_episodes(&self, limit: u32, dry_run: bool) -> Result<Aging, Error> {
        let now = self.now();
        let limit = limit.min(MOST_AGED);
        // A phase lasts up to its last millisecond.
        let conditions = vec![at_most(DUE, now as f64 - 1.0)];
        let due = query::<Episode>(conditions, ascending(DUE), limit + 1);
        let mut due = self.search::<Episode>(&due)?;
        let more = due.len() > limit as usize;
        due.truncate(limit as usize);
        let mut aging = Aging {
            traces: 0,
            accounts: 0,
            kib: 0,
            more,
        };
        let mut bytes = 0;
        for (read, _) in due {
            let moved = match dry_run {
                true => self.movable(&read.noun, now)?,
                false => self.moved(&read.noun.id, now)?,
            };
            aging.traces += u32::from(moved.trace.is_some());
            aging.accounts += u32::from(moved.account.is_some());
            bytes += moved.trace.unwrap_or(0) + moved.account.unwrap_or(0);
        }
        aging.kib = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        Ok(aging)
    }

    /// What would be moved of an episode.
    fn movable(&self, episode: &Episode, now: u64) -> Result<Moved, Error> {
        let lifecycle = self.lifecycle(&episode.id)?;
        let mut moved = Moved::default();
        if lifecycle.noun.is_trace_due(episode, now) {
            let mut first = lifecycle.noun.cold_steps;
            loop {
                let steps = self.warm_part(&episode.id, first)?;
                let Some((last, _)) = steps.last() else { break };
                first = last.noun.index + 1;
                let sizes = steps.iter().map(|(_, size)| size);
                *moved.trace.get_or_insert_default() += sizes.sum::<usize>();
            }
        }
        if lifecycle.noun.is_account_due(episode, now) {
            let account = self.load::<KeptAccount>(&episode.id)?;
            moved.account = account.map(|read| account_content(&read.noun).len());
        }
        Ok(moved)
    }

    /// Moves what is due of an episode.
    fn moved(&self, episode: &str, now: u64) -> Result<Moved, Error> {
        let mut moved = Moved::default();
        while let Some(bytes) = self.move_part(episode, now)? {
            *moved.trace.get_or_insert_default() += bytes;
        }
        moved.account = self.move_account(episode, now)?;
        if moved.trace.is_none() && moved.account.is_none() {
            // It was due by its attributes alone: those are brought up to date, or it would be due for ever.
            self.refresh(episode)?;
        }
        Ok(moved)
    }

    /// Writes an episode as it is, with the attributes that its lifecycle gives it.
    fn refresh(&self, id: &str) -> Result<(), Error> {
        self.change(|_| match self.due(id)? {
            Some((episode, lifecycle)) => Ok((shelved(&episode, &lifecycle), ())),
            None => Ok((Vec::new(), ())),
        })
    }

    /// Moves the next part of an episode's steps: its size, or none if nothing is due.
    fn move_part(&self, id: &str, now: u64) -> Result<Option<usize>, Error> {
        self.change(|_| {
            let Some((episode, mut lifecycle)) = self.due(id)? else {
                return Ok((Vec::new(), None));
            };
            if !lifecycle.noun.is_trace_due(&episode.noun, now) {
                return Ok((Vec::new(), None));
            }
            let first = lifecycle.noun.cold_steps;
            let steps = self.warm_part(id, first)?;
            let nouns: Vec<_> = steps.iter().map(|(read, _)| &read.noun).collect();
            let follow = (first..).zip(&nouns);
            if nouns.is_empty() || follow.into_iter().any(|(index, step)| step.index != index) {
                self.warn(&format!(
                    "steps of the episode `{id}` are missing; upkeep.verify says more"
                ));
                lifecycle.noun.kept_warm_until = Some(kept_warm_from(now));
                return Ok((shelved(&episode, &lifecycle), None));
            }
            let head = PartHead {
                episode: id.to_owned(),
                first,
                steps: nouns.len() as u32,
                before: lifecycle.noun.cold_trace.take(),
            };
            let content = part(&head, &nouns);
            let name = self.ports.archive.keep(&content).map_err(from_host)?;
            lifecycle.noun.cold_trace = Some(name);
            lifecycle.noun.cold_steps = first + head.steps;
            let mut batch = shelved(&episode, &lifecycle);
            let gone = steps.iter().map(|(read, _)| {
                let precondition = Precondition::At(read.version);
                remove(Kind::Step, &read.noun.id(), precondition)
            });
            batch.extend(gone);
            Ok((batch, Some(content.len())))
        })
    }

    /// Moves the account of an episode: its size, or none if there is none or it is not due.
    fn move_account(&self, id: &str, now: u64) -> Result<Option<usize>, Error> {
        self.change(|_| {
            let Some((episode, mut lifecycle)) = self.due(id)? else {
                return Ok((Vec::new(), None));
            };
            if !lifecycle.noun.is_account_due(&episode.noun, now) {
                return Ok((Vec::new(), None));
            }
            lifecycle.noun.account_settled = true;
            let Some(account) = self.load::<KeptAccount>(id)? else {
                return Ok((shelved(&episode, &lifecycle), None));
            };
            let content = account_content(&account.noun);
            let name = self.ports.archive.keep(&content).map_err(from_host)?;
            lifecycle.noun.cold_account = Some(name);
            let mut batch = shelved(&episode, &lifecycle);
            let precondition = Precondition::At(account.version);
            batch.push(remove(Kind::Account, id, precondition));
            Ok((batch, Some(content.len())))
        })
    }

    /// An episode that is still there, with its lifecycle.
    fn due(&self, id: &str) -> Result<Option<Due>, Error> {
        match self.load::<Episode>(id)? {
            Some(episode) => Ok(Some((episode, self.lifecycle(id)?))),
            None => Ok(None),
        }
    }

    /// The next steps that make a part, each with its size.
    fn warm_part(&self, id: &str, first: u32) -> Result<Vec<(Read<TraceStep>, usize)>, Error> {
        let conditions = vec![equals("run", id), at_least("index", f64::from(first))];
        let steps = query::<TraceStep>(conditions, ascending("index"), PART_STEPS);
        let mut part = Vec::new();
        let mut bytes = 0;
        for (read, _) in self.search::<TraceStep>(&steps)? {
            let size = serde_json::to_vec(&read.noun).map_or(0, |line| line.len() + 1);
            bytes += size;
            if bytes > PART_BYTES && !part.is_empty() {
                break;
            }
            part.push((read, size));
        }
        Ok(part)
    }

    pub(super) fn restore_episode(&self, id: &str) -> Result<Lifecycle, Error> {
        let now = self.now();
        while self.restore_part(id, now)? {}
        self.change_lifecycle_with(id, |lifecycle| {
            let mut batch = Vec::new();
            if let Some(name) = lifecycle.cold_account.take() {
                let account = self.fetched_account(id, &name)?;
                batch.push(put(&account, Precondition::Absent));
                lifecycle.account_settled = false;
                lifecycle.kept_warm_until = Some(kept_warm_from(now));
            }
            Ok(batch)
        })
    }

    /// Brings back the last part of an episode's steps; false if there is none.
    pub(crate) fn restore_part(&self, id: &str, now: u64) -> Result<bool, Error> {
        self.change(|_| {
            let episode = self.episode(id)?;
            let mut lifecycle = self.lifecycle(id)?;
            let Some(name) = lifecycle.noun.cold_trace.take() else {
                return Ok((Vec::new(), false));
            };
            let (head, steps) = self.fetched_part(id, &name)?;
            lifecycle.noun.cold_steps = head.first;
            lifecycle.noun.cold_trace = head.before;
            lifecycle.noun.kept_warm_until = Some(kept_warm_from(now));
            let mut batch: Vec<Change> = shelved(&episode, &lifecycle);
            batch.extend(steps.iter().map(|step| put(step, Precondition::Absent)));
            Ok((batch, true))
        })
    }
}

fn account_content(account: &KeptAccount) -> Vec<u8> {
    serde_json::to_vec(account).expect("an account is plain data")
}
