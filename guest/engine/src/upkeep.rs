//! Upkeep: how much a memory holds, and whether it is consistent.
//!
//! Owns the counts and the checks across documents. Whether the store's own file is sound is the
//! store's business.

pub(crate) mod consolidation;
pub(crate) mod deletion;
mod forgetting;
pub(crate) mod health;
pub(crate) mod inventory;
pub(crate) mod metrics;
pub(crate) mod prune;
pub(crate) mod reindex;

use twiceshy_wit::{
    host::Order,
    memory::{Activation, Episode, Error, Event, Finding, Link, MemoryStatus, PatternVersion},
};

use crate::{
    decisions::{KeptDecision, failures::KeptFailure},
    episodes::{
        KeptAccount, KeptLifecycle, cold, experience::KeptExperience, lifecycle, reward::Reward,
        tasks::Task,
    },
    events::Known,
    lessons::{
        KeptEvidence, KeptLesson,
        patterns::{Application, Head},
    },
    runs::OpenRun,
    store::{self, Kind, Noun, Reader, equals, from_store, query},
};

/// Findings of one check, as the contract has it.
const FINDINGS: usize = 100;

/// Documents that are looked at in one go.
const PAGE: u32 = 1_000;

pub(crate) fn status(reader: &Reader) -> Result<MemoryStatus, Error> {
    Ok(MemoryStatus {
        events: reader.count(Kind::Event, &[])?,
        episodes: reader.count(Kind::Episode, &[])?,
        lessons: reader.count(Kind::Lesson, &[])?,
        runs: reader.count(Kind::Run, &[])?,
        fingerprints: reader.count(Kind::Fingerprint, &[])?,
        activations: reader.count(Kind::Activation, &[])?,
        decisions: reader.count(Kind::Decision, &[])?,
        failures: reader.count(Kind::Failure, &[])?,
    })
}

pub(crate) fn verify(reader: &Reader) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    each::<Known>(reader, &mut findings, |known| {
        let id = &known.fingerprint.id;
        let events = reader.count(Kind::Event, &[equals("fingerprint", id)])?;
        let counted = known.occurrences.saturating_sub(known.pruned);
        Ok((events != counted)
            .then(|| format!("counts {counted} occurrences, but there are {events} events")))
    })?;
    each::<Event>(reader, &mut findings, |event| {
        let known = reader.read(&[
            Kind::Fingerprint.key(&event.fingerprint),
            Kind::Step.key(&event.id),
        ])?;
        let there = match known.as_slice() {
            [known] if known.key.kind == Kind::Fingerprint.as_str() => {
                event.step < lifecycle::lifecycle(reader, &event.run)?.noun.cold_steps
            }
            known => known.len() == 2,
        };
        Ok((!there).then(|| "its fingerprint or its step is missing".to_owned()))
    })?;
    each::<Episode>(reader, &mut findings, |episode| {
        cold::wrong_with_steps(reader, episode)
    })?;
    let run_or_episode = [Kind::Run, Kind::Episode];
    each::<KeptLifecycle>(reader, &mut findings, |lifecycle| {
        let there = reader.has(&[Kind::Episode], &lifecycle.episode)?;
        Ok((!there).then(|| "its episode is missing".to_owned()))
    })?;
    each::<KeptAccount>(reader, &mut findings, |account| {
        let there = reader.has(&run_or_episode, &account.episode)?;
        Ok((!there).then(|| "its episode is missing".to_owned()))
    })?;
    each::<OpenRun>(reader, &mut findings, |open| {
        let steps = reader.count(Kind::Step, &[equals("run", &open.run.id)])?;
        Ok((steps != open.run.steps)
            .then(|| format!("has {} steps, but {steps} are stored", open.run.steps)))
    })?;
    each::<KeptLesson>(reader, &mut findings, |_| Ok(None))?;
    each::<KeptEvidence>(reader, &mut findings, |evidence| {
        let there = reader.has(&[Kind::Lesson], &evidence.lesson)?;
        Ok((!there).then(|| "its lesson is missing".to_owned()))
    })?;
    each::<Activation>(reader, &mut findings, |activation| {
        let there = reader.has(&run_or_episode, &activation.run)?;
        Ok((!there).then(|| "its run is missing".to_owned()))
    })?;
    each::<Reward>(reader, &mut findings, |reward| {
        let there = reader.has(&[Kind::Episode], &reward.run)?;
        Ok((!there).then(|| "its episode is missing".to_owned()))
    })?;
    each::<Link>(reader, &mut findings, |link| {
        for end in [&link.source, &link.target] {
            if !reader.has(&[Kind::Lesson, Kind::Episode], end)? {
                return Ok(Some(format!("its end `{end}` is missing")));
            }
        }
        Ok(None)
    })?;
    each::<Head>(reader, &mut findings, |head| {
        let own = reader.read(&[Kind::Lesson.key(&head.id), Kind::PatternBody.key(&head.id)])?;
        Ok((own.len() != 2).then(|| "its lesson or its words are missing".to_owned()))
    })?;
    each::<Application>(reader, &mut findings, |_| Ok(None))?;
    each::<PatternVersion>(reader, &mut findings, |_| Ok(None))?;
    each::<KeptExperience>(reader, &mut findings, |kept| {
        let id = &kept.entry.id;
        let has_episode = reader.has(&[Kind::Episode], id)?;
        Ok((!has_episode).then(|| "its episode is missing".to_owned()))
    })?;
    each::<Task>(reader, &mut findings, |_| Ok(None))?;
    each::<KeptDecision>(reader, &mut findings, |_| Ok(None))?;
    each::<KeptFailure>(reader, &mut findings, |_| Ok(None))?;
    Ok(findings)
}

/// Looks at every document of a kind; one that can't be read is a finding by itself.
fn each<N: Noun>(
    reader: &Reader,
    findings: &mut Vec<Finding>,
    mut check: impl FnMut(&N) -> Result<Option<String>, Error>,
) -> Result<(), Error> {
    let mut query = query::<N>(Vec::new(), Order::ById, PAGE);
    loop {
        let page = reader.store.find(&query).map_err(from_store)?;
        for found in &page {
            let stored = &found.document;
            let problem = match store::Read::<N>::parse(stored) {
                Ok(read) => check(&read.noun)?,
                Err(error) => Some(error.message().to_owned()),
            };
            if let Some(problem) = problem {
                let document = format!("{}/{}", stored.key.kind, stored.key.id);
                findings.push(Finding { document, problem });
                if findings.len() >= FINDINGS {
                    return Ok(());
                }
            }
        }
        if page.len() < PAGE as usize {
            return Ok(());
        }
        query.offset += PAGE;
    }
}
