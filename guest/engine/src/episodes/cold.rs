//! Cold storage: steps and accounts of old episodes, outside of the store.
//!
//! Owns their form and how they are read. Steps go in parts, the first ones first: each part is a content of JSON Lines
//! whose first line names the part before it, so that the lifecycle needs to name the last part only. What is not in a
//! part is a document. When anything moves is the business of [aging](super::aging).

use serde::{Deserialize, Serialize};
use twiceshy_wit::memory::{Account, Episode, Error, TraceStep};

use super::{KeptLifecycle, account::KeptAccount};
use crate::store::{Kind, Read, Reader, ascending, at_least, equals, from_host, newest, query};

/// Steps of one part: with them, their removal fits into one commit.
pub(super) const PART_STEPS: u32 = 400;

/// A part in bytes, about: fits into memory many times.
pub(super) const PART_BYTES: usize = 8 << 20;

/// How often steps are read again when somebody moves them meanwhile.
const MOST_READINGS: u32 = 8;

/// The first line of a part.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct PartHead {
    pub(super) episode: String,
    /// Its first step.
    pub(super) first: u32,
    /// How many steps it has.
    pub(super) steps: u32,
    /// The name of the part before it.
    pub(super) before: Option<String>,
}

/// A part as it is kept.
pub(super) fn part(head: &PartHead, steps: &[&TraceStep]) -> Vec<u8> {
    let mut lines = serde_json::to_vec(head).expect("a head is plain data");
    for step in steps {
        lines.push(b'\n');
        serde_json::to_writer(&mut lines, step).expect("a step is plain data");
    }
    lines.push(b'\n');
    lines
}

fn unreadable(name: &str, reason: impl std::fmt::Display) -> Error {
    Error::Storage(format!(
        "The content `{name}` in cold storage can't be read ({reason}). Restore it from a backup."
    ))
}

/// A part by its name.
pub(super) fn fetched_part(
    reader: &Reader,
    episode: &str,
    name: &str,
) -> Result<(PartHead, Vec<TraceStep>), Error> {
    let content = reader.archive.fetch(name).map_err(from_host)?;
    let text = std::str::from_utf8(&content).map_err(|error| unreadable(name, error))?;
    let mut lines = text.lines();
    let head: PartHead = serde_json::from_str(lines.next().unwrap_or_default())
        .map_err(|error| unreadable(name, error))?;
    let steps = lines
        .map(|line| serde_json::from_str(line).map_err(|error| unreadable(name, error)))
        .collect::<Result<Vec<TraceStep>, _>>()?;
    if head.episode != episode || head.steps as usize != steps.len() {
        return Err(unreadable(name, "it holds something else"));
    }
    Ok((head, steps))
}

/// Steps of an episode that are in cold storage: from `first` on, before `end`.
fn cold_steps(
    reader: &Reader,
    lifecycle: &KeptLifecycle,
    first: u32,
    end: u32,
) -> Result<Vec<TraceStep>, Error> {
    let mut found = Vec::new();
    let mut name = lifecycle.cold_trace.clone();
    while let Some(part) = name {
        let (head, steps) = fetched_part(reader, &lifecycle.episode, &part)?;
        found.extend(
            steps
                .into_iter()
                .rev()
                .filter(|step| (first..end).contains(&step.index)),
        );
        name = head.before.filter(|_| head.first > first);
    }
    found.reverse();
    Ok(found)
}

/// Steps of a run or an episode in their order, from a step on, wherever they are.
pub(crate) fn steps_from(
    reader: &Reader,
    run: &str,
    first: u32,
    limit: u32,
) -> Result<Vec<TraceStep>, Error> {
    settled(reader, run, |lifecycle| {
        let end = first.saturating_add(limit);
        let mut steps = match first < lifecycle.cold_steps {
            true => cold_steps(reader, lifecycle, first, end)?,
            false => Vec::new(),
        };
        let missing = limit - (steps.len() as u32).min(limit);
        let from = first.max(lifecycle.cold_steps);
        let conditions = vec![equals("run", run), at_least("index", f64::from(from))];
        let warm = query::<TraceStep>(conditions, ascending("index"), missing);
        let warm = reader.search::<TraceStep>(&warm)?;
        steps.extend(warm.into_iter().map(|(read, _)| read.noun));
        Ok(steps)
    })
}

/// The newest steps of a run or an episode in their order, wherever they are.
pub(crate) fn last_steps(reader: &Reader, run: &str, limit: u32) -> Result<Vec<TraceStep>, Error> {
    settled(reader, run, |lifecycle| {
        let warm = query::<TraceStep>(vec![equals("run", run)], newest("index"), limit);
        let warm = reader.search::<TraceStep>(&warm)?;
        let missing = limit - (warm.len() as u32).min(limit);
        let end = lifecycle.cold_steps;
        let mut steps = match end.min(missing) {
            0 => Vec::new(),
            some => cold_steps(reader, lifecycle, end - some, end)?,
        };
        steps.extend(warm.into_iter().rev().map(|(read, _)| read.noun));
        Ok(steps)
    })
}

/// Reads steps again if somebody moved them meanwhile.
fn settled(
    reader: &Reader,
    run: &str,
    read: impl Fn(&KeptLifecycle) -> Result<Vec<TraceStep>, Error>,
) -> Result<Vec<TraceStep>, Error> {
    let mut lifecycle = super::lifecycle::lifecycle(reader, run)?;
    for _ in 0..MOST_READINGS {
        let steps = read(&lifecycle.noun)?;
        let after = super::lifecycle::lifecycle(reader, run)?;
        if after.noun.cold_steps == lifecycle.noun.cold_steps {
            return Ok(steps);
        }
        lifecycle = after;
    }
    Err(Error::Busy(format!(
        "The steps of `{run}` are being moved to cold storage. Try again later."
    )))
}

/// The account of an episode, wherever it is; empty if there is none.
pub(crate) fn account_of(reader: &Reader, episode: &str) -> Result<Account, Error> {
    if let Some(read) = reader.load::<KeptAccount>(episode)? {
        return Ok(read.noun.account);
    }
    match super::lifecycle::lifecycle(reader, episode)?
        .noun
        .cold_account
    {
        Some(name) => Ok(fetched_account(reader, episode, &name)?.account),
        None => Ok(Account::default()),
    }
}

/// An account in cold storage by its name.
pub(super) fn fetched_account(
    reader: &Reader,
    episode: &str,
    name: &str,
) -> Result<KeptAccount, Error> {
    let content = reader.archive.fetch(name).map_err(from_host)?;
    let kept: KeptAccount =
        serde_json::from_slice(&content).map_err(|error| unreadable(name, error))?;
    if kept.episode != episode {
        return Err(unreadable(name, "it holds something else"));
    }
    Ok(kept)
}

/// What is wrong with the steps of an episode, if anything is: as many as it has must be there, as documents or in
/// cold storage.
pub(crate) fn wrong_with_steps(
    reader: &Reader,
    episode: &Episode,
) -> Result<Option<String>, Error> {
    let Read { noun, .. } = super::lifecycle::lifecycle(reader, &episode.id)?;
    let warm = reader.count(Kind::Step, &[equals("run", &episode.id)])?;
    if warm + noun.cold_steps != episode.steps {
        return Ok(Some(format!(
            "has {} steps, but {} are stored",
            episode.steps,
            warm + noun.cold_steps
        )));
    }
    let checked =
        cold_steps(reader, &noun, 0, noun.cold_steps).and_then(|steps| match &noun.cold_account {
            Some(name) => fetched_account(reader, &episode.id, name).map(|_| steps),
            None => Ok(steps),
        });
    Ok(match checked {
        Ok(steps) if steps.len() as u32 == noun.cold_steps => None,
        Ok(steps) => Some(format!(
            "should have {} steps in cold storage, but has {}",
            noun.cold_steps,
            steps.len()
        )),
        // Nobody can tell without the archive.
        Err(Error::Unavailable(_)) => None,
        Err(error) => Some(error.message().to_owned()),
    })
}

/// The names of everything that an episode has in cold storage.
pub(crate) fn cold_names(reader: &Reader, lifecycle: &KeptLifecycle) -> Vec<String> {
    let mut names: Vec<_> = lifecycle.cold_account.iter().cloned().collect();
    let mut name = lifecycle.cold_trace.clone();
    while let Some(part) = name {
        name = match fetched_part(reader, &lifecycle.episode, &part) {
            Ok((head, _)) => head.before,
            Err(_) => None,
        };
        names.push(part);
    }
    names
}
