//! Recoveries: how runs went on after failures of one kind.
//!
//! Owns what is remembered of that for each fingerprint and domain, a few recoveries for each of the latest runs, whatever their
//! tasks were. Whether that tells what to do now is the business of [`ways`](crate::ways).

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{Episode, Error},
};

use crate::{
    mining::Attempt,
    store::{Batch, Kind, Noun, digest, text},
    ways::{self, RECOVERIES, Recovery},
};

/// The recoveries from one kind of failure.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Recoveries {
    pub(crate) id: String,
    pub(crate) domain: String,
    /// The latest last.
    pub(crate) latest: Vec<Recovery>,
}

impl Noun for Recoveries {
    const KIND: Kind = Kind::Recoveries;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![text("domain", &self.domain)]
    }
}

impl Recoveries {
    /// The id of what is known of a fingerprint in a domain.
    pub(crate) fn id_of(domain: &str, fingerprint: &str) -> String {
        format!("rec_{}", digest(&[domain, fingerprint]))
    }

    /// Takes in how a run of a task went on after each of its failures. Of more than a few the latest are kept.
    pub(crate) fn take(
        batch: &mut Batch,
        episode: &Episode,
        task: &str,
        attempts: &[Attempt],
    ) -> Result<(), Error> {
        let domain = episode.domain.as_str();
        let agent = episode.agent.as_str();
        for (fingerprint, recoveries) in ways::recoveries(&episode.id, task, agent, attempts) {
            let id = Self::id_of(domain, fingerprint);
            let mut known = match batch.load::<Self>(&id)? {
                Some(read) => read.noun,
                None => Self {
                    id,
                    domain: domain.to_owned(),
                    latest: Vec::new(),
                },
            };
            known.latest.extend(recoveries);
            let excess = known.latest.len().saturating_sub(RECOVERIES);
            known.latest.drain(..excess);
            batch.put(&known);
        }
        Ok(())
    }

    /// Takes out what a run did after a failure.
    pub(crate) fn forget(
        batch: &mut Batch,
        domain: &str,
        fingerprint: &str,
        run: &str,
    ) -> Result<(), Error> {
        let id = Self::id_of(domain, fingerprint);
        let Some(read) = batch.load::<Self>(&id)? else {
            return Ok(());
        };
        let mut known = read.noun;
        known.latest.retain(|one| one.run != run);
        match known.latest.is_empty() {
            true => batch.remove(Kind::Recoveries, &id),
            false => batch.put(&known),
        }
        Ok(())
    }
}
