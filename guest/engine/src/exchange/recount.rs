//! What is counted of a failure, counted anew from its events, whichever memory they came from.

use std::collections::BTreeSet;

use twiceshy_wit::{
    host::Precondition,
    memory::{Error, Event, Fingerprint},
};

use crate::{
    documents::{Kind, Read, ascending, equals, put},
    events::{Known, settled},
    ports::Engine,
};

impl Engine<'_> {
    /// Brings what is counted of a failure up to date with its events.
    pub(super) fn recount(&self, fingerprint: &str) -> Result<(), Error> {
        self.change(|_| {
            let events = self.count(Kind::Event, &[equals("fingerprint", fingerprint)])?;
            let known = self.load::<Known>(fingerprint)?;
            if let Some(known) = &known
                && known.noun.occurrences.saturating_sub(known.noun.pruned) == events
            {
                return Ok((Vec::new(), ()));
            }
            let bodies = self.bodies(
                Kind::Event,
                vec![equals("fingerprint", fingerprint)],
                ascending("at"),
            )?;
            let events: Vec<Event> = bodies
                .into_iter()
                .filter_map(|body| serde_json::from_value(body).ok())
                .collect();
            let Some(last) = events.last() else {
                return Ok((Vec::new(), ()));
            };
            let (mut noun, version) = match known {
                Some(Read { noun, version }) => (noun, version),
                None => {
                    let mut tags = last.tags.clone();
                    tags.retain(|tag| tag != "no_progress");
                    let fingerprint = Fingerprint {
                        id: fingerprint.to_owned(),
                        template: last.template.clone(),
                        tags: settled(tags),
                    };
                    (Known::new(&fingerprint, events[0].at), 0)
                }
            };
            let runs: BTreeSet<_> = events.iter().map(|event| &event.run).collect();
            noun.occurrences = noun.pruned.saturating_add(events.len() as u32);
            noun.runs = noun.runs.max(runs.len() as u32);
            noun.first_at = noun.first_at.min(events[0].at);
            noun.last_at = noun.last_at.max(last.at);
            let precondition = match version {
                0 => Precondition::Absent,
                version => Precondition::At(version),
            };
            Ok((vec![put(&noun, precondition)], ()))
        })
    }
}
