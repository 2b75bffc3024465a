//! The counts of a failure, counted again from its events, whichever memory they came from.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Error, Event, Fingerprint};

use crate::{
    events::{Known, settled},
    store::{Desk, Kind, ascending, equals},
};

/// Brings what is counted of a failure up to date with its events.
pub(super) fn recount(desk: &mut Desk, fingerprint: &str) -> Result<(), Error> {
    desk.commit(|batch| {
        let events = batch.count(Kind::Event, &[equals("fingerprint", fingerprint)])?;
        let known = batch.load::<Known>(fingerprint)?;
        if let Some(known) = &known
            && known.noun.occurrences.saturating_sub(known.noun.pruned) == events
        {
            return Ok(());
        }
        let bodies = super::carried::bodies(
            batch,
            Kind::Event,
            vec![equals("fingerprint", fingerprint)],
            ascending("at"),
        )?;
        let events: Vec<Event> = bodies
            .into_iter()
            .filter_map(|body| serde_json::from_value(body).ok())
            .collect();
        let Some(last) = events.last() else {
            return Ok(());
        };
        let mut noun = match known {
            Some(read) => read.noun,
            None => {
                let mut tags = last.tags.clone();
                tags.retain(|tag| tag != "no_progress");
                let fingerprint = Fingerprint {
                    id: fingerprint.to_owned(),
                    template: last.template.clone(),
                    tags: settled(tags),
                };
                Known::new(&fingerprint, events[0].at)
            }
        };
        let runs: BTreeSet<_> = events.iter().map(|event| &event.run).collect();
        noun.occurrences = noun.pruned.saturating_add(events.len() as u32);
        noun.runs = noun.runs.max(runs.len() as u32);
        noun.first_at = noun.first_at.min(events[0].at);
        noun.last_at = noun.last_at.max(last.at);
        batch.put(&noun);
        Ok(())
    })
}
