//! Upkeep: how much a memory holds, and whether it contradicts itself.
//!
//! Owns the counts and the checks across documents. Whether the store's own file is sound is the
//! store's business.

use twiceshy_wit::{
    host::Order,
    memory::{
        Activation, Consolidation, ConsolidationRequest, Episode, Error, Event, Finding, Health,
        Inventory, Link, MemoryStatus, Metrics, PatternVersion, Pruned, Upkeep,
    },
};

use crate::{
    decisions::KeptDecision,
    documents::{Kind, Noun, equals, query},
    episodes::{KeptAccount, KeptLifecycle},
    events::Known,
    experience::KeptExperience,
    failures::KeptFailure,
    lessons::{KeptEvidence, KeptLesson},
    metrics::Reward,
    patterns::{Application, Head},
    ports::{Engine, from_store},
    runs::OpenRun,
    tasks::Task,
};

/// Findings of one check, as the contract has it.
const FINDINGS: usize = 100;

/// Documents that are looked at in one go.
const PAGE: u32 = 1_000;

impl Upkeep for Engine<'_> {
    fn status(&self) -> Result<MemoryStatus, Error> {
        Ok(MemoryStatus {
            events: self.count(Kind::Event, &[])?,
            episodes: self.count(Kind::Episode, &[])?,
            lessons: self.count(Kind::Lesson, &[])?,
            runs: self.count(Kind::Run, &[])?,
            fingerprints: self.count(Kind::Fingerprint, &[])?,
            activations: self.count(Kind::Activation, &[])?,
            decisions: self.count(Kind::Decision, &[])?,
            failures: self.count(Kind::Failure, &[])?,
        })
    }

    fn verify(&self) -> Result<Vec<Finding>, Error> {
        let mut findings = Vec::new();
        self.each::<Known>(&mut findings, |known| {
            let id = &known.fingerprint.id;
            let events = self.count(Kind::Event, &[equals("fingerprint", id)])?;
            let counted = known.occurrences.saturating_sub(known.pruned);
            Ok((events != counted)
                .then(|| format!("counts {counted} occurrences, but there are {events} events")))
        })?;
        self.each::<Event>(&mut findings, |event| {
            let known = self.read(&[
                Kind::Fingerprint.key(&event.fingerprint),
                Kind::Step.key(&event.id),
            ])?;
            let there = match known.as_slice() {
                [known] if known.key.kind == Kind::Fingerprint.as_str() => {
                    event.step < self.lifecycle(&event.run)?.noun.cold_steps
                }
                known => known.len() == 2,
            };
            Ok((!there).then(|| "its fingerprint or its step is missing".to_owned()))
        })?;
        self.each::<Episode>(&mut findings, |episode| self.wrong_with_steps(episode))?;
        self.each::<KeptLifecycle>(&mut findings, |lifecycle| {
            let episode = self.read(&[Kind::Episode.key(&lifecycle.episode)])?;
            Ok(episode
                .is_empty()
                .then(|| "its episode is missing".to_owned()))
        })?;
        self.each::<KeptAccount>(&mut findings, |account| {
            let run = [
                Kind::Run.key(&account.episode),
                Kind::Episode.key(&account.episode),
            ];
            let run = self.read(&run)?;
            Ok(run.is_empty().then(|| "its episode is missing".to_owned()))
        })?;
        self.each::<OpenRun>(&mut findings, |open| {
            let steps = self.count(Kind::Step, &[equals("run", &open.run.id)])?;
            Ok((steps != open.run.steps)
                .then(|| format!("has {} steps, but {steps} are stored", open.run.steps)))
        })?;
        self.each::<KeptLesson>(&mut findings, |_| Ok(None))?;
        self.each::<KeptEvidence>(&mut findings, |evidence| {
            let lesson = self.read(&[Kind::Lesson.key(&evidence.lesson)])?;
            Ok(lesson
                .is_empty()
                .then(|| "its lesson is missing".to_owned()))
        })?;
        self.each::<Activation>(&mut findings, |activation| {
            let run = [
                Kind::Run.key(&activation.run),
                Kind::Episode.key(&activation.run),
            ];
            let run = self.read(&run)?;
            Ok(run.is_empty().then(|| "its run is missing".to_owned()))
        })?;
        self.each::<Reward>(&mut findings, |reward| {
            let run = self.read(&[Kind::Episode.key(&reward.run)])?;
            Ok(run.is_empty().then(|| "its episode is missing".to_owned()))
        })?;
        self.each::<Link>(&mut findings, |link| {
            for end in [&link.source, &link.target] {
                let memory = self.read(&[Kind::Lesson.key(end), Kind::Episode.key(end)])?;
                if memory.is_empty() {
                    return Ok(Some(format!("`{end}`, which it relates, is missing")));
                }
            }
            Ok(None)
        })?;
        self.each::<Head>(&mut findings, |head| {
            let own = self.read(&[Kind::Lesson.key(&head.id), Kind::PatternBody.key(&head.id)])?;
            Ok((own.len() != 2).then(|| "its lesson or its words are missing".to_owned()))
        })?;
        self.each::<Application>(&mut findings, |_| Ok(None))?;
        self.each::<PatternVersion>(&mut findings, |_| Ok(None))?;
        self.each::<KeptExperience>(&mut findings, |kept| {
            let id = &kept.entry.id;
            let parts = self.read(&[Kind::Episode.key(id), Kind::ExperienceUse.key(id)])?;
            Ok((parts.len() != 2).then(|| "its episode or its use is missing".to_owned()))
        })?;
        self.each::<Task>(&mut findings, |_| Ok(None))?;
        self.each::<KeptDecision>(&mut findings, |_| Ok(None))?;
        self.each::<KeptFailure>(&mut findings, |_| Ok(None))?;
        Ok(findings)
    }

    fn report(&self) -> Result<Health, Error> {
        self.health()
    }

    fn consolidate(&self, request: &ConsolidationRequest) -> Result<Consolidation, Error> {
        self.consolidate_piece(request)
    }

    fn consolidations(&self, limit: u32) -> Result<Vec<Consolidation>, Error> {
        self.list_consolidations(limit)
    }

    fn undo_consolidation(&self, consolidation: &str, after: &str) -> Result<Consolidation, Error> {
        self.undo_piece(consolidation, after)
    }

    fn take_inventory(&self) -> Result<Inventory, Error> {
        self.inventory()
    }

    fn metrics_of_days(&self, days: Option<u32>) -> Result<Metrics, Error> {
        self.metrics(days)
    }

    fn prune(&self, before: u64, dry_run: bool) -> Result<Pruned, Error> {
        self.remove_before(before, dry_run)
    }
}

impl Engine<'_> {
    /// Looks at every document of a kind; one that can't be read is a finding by itself.
    fn each<N: Noun>(
        &self,
        findings: &mut Vec<Finding>,
        mut check: impl FnMut(&N) -> Result<Option<String>, Error>,
    ) -> Result<(), Error> {
        let mut query = query::<N>(Vec::new(), Order::ById, PAGE);
        loop {
            let page = self.ports.store.find(&query).map_err(from_store)?;
            for found in &page {
                let stored = &found.document;
                let problem = match crate::documents::Read::<N>::parse(stored) {
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
}
