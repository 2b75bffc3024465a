//! The newest steps of a domain.
//!
//! They are looked for in the runs that are open and in those that ended last. An index of all steps by their time would be
//! written with every step, and going through them without one takes the longer the more is remembered.

use std::collections::BTreeSet;

use twiceshy_wit::{
    adapter::PastStep,
    memory::{Episode, Error, TraceStep},
};

use super::{MOST_PAST_STEPS, OpenRun, past};
use crate::{
    episodes::{cold, shelf},
    store::{Reader, equals, newest, query},
};

/// How many open runs and how many episodes are looked at, as the contract has it.
const LOOKED_AT: u32 = 16;

/// Steps among which is looked for what worked.
const WORKED_LATELY: usize = 256;

pub(crate) fn recent_steps(
    reader: &Reader,
    domain: &str,
    limit: u32,
) -> Result<Vec<PastStep>, Error> {
    let steps = newest_steps(reader, domain, limit.min(MOST_PAST_STEPS) as usize)?;
    Ok(steps.into_iter().map(past).collect())
}

/// What worked lately in a domain, each action once.
pub(crate) fn worked_lately(reader: &Reader, domain: &str) -> Result<BTreeSet<String>, Error> {
    let steps = newest_steps(reader, domain, WORKED_LATELY)?.into_iter();
    let worked = steps.filter(|step| step.fingerprint.is_none());
    Ok(worked.map(|step| step.feedback.action_text).collect())
}

fn newest_steps(reader: &Reader, domain: &str, limit: usize) -> Result<Vec<TraceStep>, Error> {
    let of_domain = || vec![equals("domain", domain)];
    let open = query::<OpenRun>(of_domain(), newest("started-at"), LOOKED_AT);
    let mut steps = Newest::new(limit);
    for (read, _) in reader.search::<OpenRun>(&open)? {
        steps.add(cold::last_steps(reader, &read.noun.run.id, limit as u32)?);
    }
    let ended = query::<Episode>(of_domain(), newest("ended-at"), LOOKED_AT);
    let ended: Vec<_> = reader.search::<Episode>(&ended)?;
    let ids = ended.iter().map(|(read, _)| read.noun.id.as_str());
    let deleted = shelf::deleted_among(reader, ids)?;
    for (read, _) in &ended {
        let episode = &read.noun;
        if steps.are_all_after(episode.ended_at) {
            break;
        }
        if !deleted.contains(&episode.id) {
            steps.add(cold::last_steps(reader, &episode.id, limit as u32)?);
        }
    }
    Ok(steps.0)
}

/// The newest of the steps that were added, oldest first, and how many are wanted.
struct Newest(Vec<TraceStep>, usize);

impl Newest {
    fn new(limit: usize) -> Self {
        Self(Vec::new(), limit)
    }

    /// Adds steps of one run. Of steps at one time, those of a run are in its order.
    fn add(&mut self, mut steps: Vec<TraceStep>) {
        steps.append(&mut self.0);
        steps.sort_by(|a, b| {
            let by_run = || b.run.cmp(&a.run).then_with(|| a.index.cmp(&b.index));
            a.at.cmp(&b.at).then_with(by_run)
        });
        let excess = steps.len().saturating_sub(self.1);
        self.0 = steps.split_off(excess);
    }

    /// Whether there are as many as wanted, and none was at a time or before it.
    fn are_all_after(&self, time: u64) -> bool {
        self.0.len() == self.1 && self.0.first().is_none_or(|oldest| oldest.at > time)
    }
}
