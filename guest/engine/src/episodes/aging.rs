//! Aging: steps and accounts of old episodes move to cold storage, and back.
//!
//! Owns the order of things, so that nothing is lost wherever it is interrupted: a content is kept first, then one
//! commit takes the documents away and names the content. If the second never comes, the content is an orphan that the
//! next attempt meets again under the same name.

use twiceshy_wit::memory::{Aging, Episode, Error, Lifecycle, TraceStep};

use super::{
    account::KeptAccount,
    cold::{PART_BYTES, PART_STEPS, PartHead, part},
    lifecycle::{DUE, KeptLifecycle, kept_warm_from},
};
use crate::{
    episodes::lifecycle,
    store::{
        Desk, Kind, Noun, Read, Reader, ascending, at_least, at_most, equals, from_host, query,
    },
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

pub(crate) fn age_episodes(desk: &mut Desk, limit: u32, dry_run: bool) -> Result<Aging, Error> {
    let now = desk.now();
    let limit = limit.min(MOST_AGED);
    // A phase lasts up to its last millisecond.
    let conditions = vec![at_most(DUE, now as f64 - 1.0)];
    let due = query::<Episode>(conditions, ascending(DUE), limit + 1);
    let mut due = desk.search::<Episode>(&due)?;
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
            true => movable(desk, &read.noun, now)?,
            false => moved(desk, &read.noun.id, now)?,
        };
        aging.traces += u32::from(moved.trace.is_some());
        aging.accounts += u32::from(moved.account.is_some());
        bytes += moved.trace.unwrap_or(0) + moved.account.unwrap_or(0);
    }
    aging.kib = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
    Ok(aging)
}

/// What would be moved of an episode.
fn movable(reader: &Reader, episode: &Episode, now: u64) -> Result<Moved, Error> {
    let lifecycle = super::lifecycle::lifecycle(reader, &episode.id)?;
    let mut moved = Moved::default();
    if lifecycle.noun.is_trace_due(episode, now) {
        let mut first = lifecycle.noun.cold_steps;
        loop {
            let steps = warm_part(reader, &episode.id, first)?;
            let Some((last, _)) = steps.last() else { break };
            first = last.noun.index + 1;
            let sizes = steps.iter().map(|(_, size)| size);
            *moved.trace.get_or_insert_default() += sizes.sum::<usize>();
        }
    }
    if lifecycle.noun.is_account_due(episode, now) {
        let account = reader.load::<KeptAccount>(&episode.id)?;
        moved.account = account.map(|read| account_content(&read.noun).len());
    }
    Ok(moved)
}

/// Moves what is due of an episode.
fn moved(desk: &mut Desk, episode: &str, now: u64) -> Result<Moved, Error> {
    let mut moved = Moved::default();
    while let Some(bytes) = move_part(desk, episode, now)? {
        *moved.trace.get_or_insert_default() += bytes;
    }
    moved.account = move_account(desk, episode, now)?;
    if moved.trace.is_none() && moved.account.is_none() {
        // It was due by its attributes alone: those are brought up to date, or it would be due for ever.
        refresh(desk, episode)?;
    }
    Ok(moved)
}

/// Writes an episode as it is, with the attributes that its lifecycle gives it.
fn refresh(desk: &mut Desk, id: &str) -> Result<(), Error> {
    desk.commit(|batch| {
        if let Some((episode, lifecycle)) = due(batch, id)? {
            lifecycle::put(batch, &episode.noun, &lifecycle.noun);
        }
        Ok(())
    })
}

/// Moves the next part of an episode's steps: its size, or none if nothing is due.
fn move_part(desk: &mut Desk, id: &str, now: u64) -> Result<Option<usize>, Error> {
    desk.commit(|batch| {
        let Some((episode, mut lifecycle)) = due(batch, id)? else {
            return Ok(None);
        };
        if !lifecycle.noun.is_trace_due(&episode.noun, now) {
            return Ok(None);
        }
        let first = lifecycle.noun.cold_steps;
        let steps = warm_part(batch, id, first)?;
        let nouns: Vec<_> = steps.iter().map(|(read, _)| &read.noun).collect();
        let follow = (first..).zip(&nouns);
        if nouns.is_empty() || follow.into_iter().any(|(index, step)| step.index != index) {
            batch.warn(&format!(
                "Steps of episode `{id}` are missing. `upkeep.verify` says more."
            ));
            lifecycle.noun.kept_warm_until = Some(kept_warm_from(now));
            lifecycle::put(batch, &episode.noun, &lifecycle.noun);
            return Ok(None);
        }
        let head = PartHead {
            episode: id.to_owned(),
            first,
            steps: nouns.len() as u32,
            before: lifecycle.noun.cold_trace.take(),
        };
        let content = part(&head, &nouns);
        let name = batch.archive.keep(&content).map_err(from_host)?;
        lifecycle.noun.cold_trace = Some(name);
        lifecycle.noun.cold_steps = first + head.steps;
        lifecycle::put(batch, &episode.noun, &lifecycle.noun);
        for (read, _) in &steps {
            batch.remove(Kind::Step, &read.noun.id());
        }
        Ok(Some(content.len()))
    })
}

/// Moves the account of an episode: its size, or none if there is none or it is not due.
fn move_account(desk: &mut Desk, id: &str, now: u64) -> Result<Option<usize>, Error> {
    desk.commit(|batch| {
        let Some((episode, mut lifecycle)) = due(batch, id)? else {
            return Ok(None);
        };
        if !lifecycle.noun.is_account_due(&episode.noun, now) {
            return Ok(None);
        }
        lifecycle.noun.account_settled = true;
        let Some(account) = batch.load::<KeptAccount>(id)? else {
            lifecycle::put(batch, &episode.noun, &lifecycle.noun);
            return Ok(None);
        };
        let content = account_content(&account.noun);
        let name = batch.archive.keep(&content).map_err(from_host)?;
        lifecycle.noun.cold_account = Some(name);
        lifecycle::put(batch, &episode.noun, &lifecycle.noun);
        batch.remove(Kind::Account, id);
        Ok(Some(content.len()))
    })
}

/// An episode that is still there, with its lifecycle.
fn due(reader: &Reader, id: &str) -> Result<Option<Due>, Error> {
    match reader.load::<Episode>(id)? {
        Some(episode) => Ok(Some((episode, super::lifecycle::lifecycle(reader, id)?))),
        None => Ok(None),
    }
}

/// The next steps that make a part, each with its size.
fn warm_part(
    reader: &Reader,
    id: &str,
    first: u32,
) -> Result<Vec<(Read<TraceStep>, usize)>, Error> {
    let conditions = vec![equals("run", id), at_least("index", f64::from(first))];
    let steps = query::<TraceStep>(conditions, ascending("index"), PART_STEPS);
    let mut part = Vec::new();
    let mut bytes = 0;
    for (read, _) in reader.search::<TraceStep>(&steps)? {
        let size = serde_json::to_vec(&read.noun).map_or(0, |line| line.len() + 1);
        bytes += size;
        if bytes > PART_BYTES && !part.is_empty() {
            break;
        }
        part.push((read, size));
    }
    Ok(part)
}

pub(crate) fn restore_episode(desk: &mut Desk, id: &str) -> Result<Lifecycle, Error> {
    let now = desk.now();
    while restore_part(desk, id, now)? {}
    super::lifecycle::change_lifecycle_with(desk, id, |batch, lifecycle| {
        if let Some(name) = lifecycle.cold_account.take() {
            let account = super::cold::fetched_account(batch, id, &name)?;
            let episode = super::load_episode(batch, id)?;
            account.put(batch, &episode.noun);
            lifecycle.account_settled = false;
            lifecycle.kept_warm_until = Some(kept_warm_from(now));
        }
        Ok(())
    })
}

/// Brings back the last part of an episode's steps; false if there is none.
pub(crate) fn restore_part(desk: &mut Desk, id: &str, now: u64) -> Result<bool, Error> {
    desk.commit(|batch| {
        let episode = super::load_episode(batch, id)?;
        let mut lifecycle = lifecycle::lifecycle(batch, id)?;
        let Some(name) = lifecycle.noun.cold_trace.take() else {
            return Ok(false);
        };
        let (head, steps) = super::cold::fetched_part(batch, id, &name)?;
        lifecycle.noun.cold_steps = head.first;
        lifecycle.noun.cold_trace = head.before;
        lifecycle.noun.kept_warm_until = Some(kept_warm_from(now));
        lifecycle::put(batch, &episode.noun, &lifecycle.noun);
        for step in &steps {
            batch.add(step);
        }
        Ok(true)
    })
}

fn account_content(account: &KeptAccount) -> Vec<u8> {
    serde_json::to_vec(account).expect("an account is plain data")
}
