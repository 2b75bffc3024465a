//! Consolidation: the care of a memory in six stages, a bounded piece at each call.
//!
//! Owns which stages there are, how one goes on where it stood, and that only one is at work. What each stage does is
//! in a file of its own; that all of it can be taken back is the business of the [journal] and of [undo].

mod alike;
mod episodes;
mod errors;
mod extraction;
mod journal;
mod procedure;
mod refinement;
mod report;
mod trial;
mod undo;
mod validation;
mod words;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{self, Attribute, Level, Precondition, Test},
    memory::{
        Consolidation, ConsolidationChange, ConsolidationReport, ConsolidationRequest, Error, Stage,
    },
};

use crate::{
    documents::{Kind, Noun, Read, digest, equals, newest, number, put, query, text},
    limits::DAY_MS,
    payload,
    ports::{Engine, Ports, from_store},
};
use journal::Journal;
pub(crate) use journal::JournalEntry;
use trial::TrialArchive;

/// The stages, in their order.
const STAGES: [Stage; 6] = [
    Stage::Episodes,
    Stage::Extraction,
    Stage::Validation,
    Stage::Refinement,
    Stage::Indices,
    Stage::Report,
];

/// Episodes of the last hours in which patterns are sought, if the caller does not say.
const HOURS: u32 = 24;

/// Within how many days episodes must lie to be made one, if the caller does not say.
const WINDOW_DAYS: u32 = 7;

/// From which similarity on episodes are made one, if the caller does not say.
const EPISODE_SIMILARITY: f64 = 0.95;

/// From which similarity on patterns are the same, if the caller does not say.
const PATTERN_SIMILARITY: f64 = 0.9;

/// From which confidence on a pattern is taken, if the caller does not say.
const CONFIDENCE: f64 = 0.8;

/// How long nobody else goes on with a consolidation that somebody goes on with.
const LEASE_MS: u64 = 60 * 1_000;

/// Changes of one answer, and consolidations of one list, as the contract has it.
const TOLD: usize = 1_000;
const LISTED: u32 = 100;

/// What a consolidation was asked for, defaults filled in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Settings {
    stages: Vec<Stage>,
    hours: Option<u32>,
    window_days: u32,
    episode_similarity: f64,
    pattern_similarity: f64,
    confidence: f64,
}

impl Settings {
    fn of(request: &ConsolidationRequest) -> Result<Self, Error> {
        let share = |name: &str, value: Option<f64>, default: f64| match value {
            Some(value) if !(0.0..=1.0).contains(&value) => Err(Error::InvalidArgument(format!(
                "request.{name} is {value}; give a number from 0 to 1"
            ))),
            value => Ok(value.unwrap_or(default)),
        };
        let days = |name: &str, value: Option<u32>, most: u32| match value {
            Some(value) if value == 0 || value > most => Err(Error::InvalidArgument(format!(
                "request.{name} is {value}; give a number from 1 to {most}"
            ))),
            value => Ok(value),
        };
        let asked = |stage: &Stage| request.stages.is_empty() || request.stages.contains(stage);
        Ok(Self {
            stages: STAGES.into_iter().filter(asked).collect(),
            hours: days("hours", request.hours, 24 * 3_650)?,
            window_days: days("window-days", request.window_days, 365)?.unwrap_or(WINDOW_DAYS),
            episode_similarity: share(
                "episode-similarity",
                request.episode_similarity,
                EPISODE_SIMILARITY,
            )?,
            pattern_similarity: share(
                "pattern-similarity",
                request.pattern_similarity,
                PATTERN_SIMILARITY,
            )?,
            confidence: share("confidence", request.confidence, CONFIDENCE)?,
        })
    }
}

/// A consolidation as it is kept between its pieces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptConsolidation {
    id: String,
    started_at: u64,
    /// When somebody went on with it last.
    touched_at: u64,
    ended_at: Option<u64>,
    dry_run: bool,
    settings: Settings,
    /// Up to when an earlier one looked at mature episodes.
    episodes_from: u64,
    /// From when on episodes are searched for patterns.
    extraction_from: u64,
    /// Since when patterns may have changed that an earlier one did not compare.
    refinement_from: u64,
    /// The place of its stage in the settings.
    stage: usize,
    /// Where the stage goes on; empty at its beginning.
    position: String,
    done: u32,
    total: u32,
    report: Option<ConsolidationReport>,
    undone: bool,
}

/// The values of the attribute `state`.
const OPEN: &str = "open";
const ENDED: &str = "ended";
const UNDONE: &str = "undone";

impl Noun for KeptConsolidation {
    const KIND: Kind = Kind::Consolidation;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let state = match (self.undone, self.ended_at) {
            (true, _) => UNDONE,
            (false, None) => OPEN,
            (false, Some(_)) => ENDED,
        };
        let mut attributes = vec![
            text("state", state),
            number("started-at", self.started_at as f64),
        ];
        let behind = self.settings.stages.iter().take(match self.ended_at {
            Some(_) => self.settings.stages.len(),
            None => self.stage,
        });
        for stage in behind.filter(|_| !self.undone) {
            match stage {
                Stage::Episodes => {
                    attributes.push(number("episodes-until", self.mature_until() as f64));
                }
                Stage::Extraction => {
                    attributes.push(number("extraction-until", self.started_at as f64));
                }
                Stage::Refinement => {
                    attributes.push(number("refinement-until", self.started_at as f64));
                }
                _ => {}
            }
        }
        attributes
    }
}

impl KeptConsolidation {
    fn current(&self) -> Stage {
        let last = self.settings.stages.len() - 1;
        self.settings.stages[self.stage.min(last)]
    }

    /// Up to when episodes have ended that are mature.
    fn mature_until(&self) -> u64 {
        self.started_at
            .saturating_sub(episodes::MATURE_DAYS * DAY_MS)
    }

    /// Takes note of a piece that is done.
    fn advance(&mut self, piece: Piece, now: u64) {
        self.touched_at = now;
        self.done = piece.done;
        self.total = piece.total.max(piece.done);
        match piece.next {
            Some(position) => self.position = position,
            None => {
                self.position.clear();
                self.stage += 1;
                if self.stage >= self.settings.stages.len() {
                    self.ended_at = Some(now);
                }
            }
        }
    }

    fn answer(&self, stage: Stage, changes: Vec<ConsolidationChange>) -> Consolidation {
        Consolidation {
            id: self.id.clone(),
            started_at: self.started_at,
            ended_at: self.ended_at,
            dry_run: self.dry_run,
            stage,
            done: self.done,
            total: self.total,
            next: self.ended_at.is_none().then(|| self.id.clone()),
            changes,
            report: self.report.clone(),
            undone: self.undone,
        }
    }
}

/// What a stage did at one call.
struct Piece {
    /// Where it goes on; none if the stage is over.
    next: Option<String>,
    done: u32,
    total: u32,
}

impl Piece {
    /// The stage is over.
    fn last(total: u32) -> Self {
        Self {
            next: None,
            done: total,
            total,
        }
    }
}

impl Engine<'_> {
    /// Does one piece of a consolidation.
    pub(crate) fn consolidate_piece(
        &self,
        request: &ConsolidationRequest,
    ) -> Result<Consolidation, Error> {
        let settings = Settings::of(request)?;
        if request.dry_run.unwrap_or(false) {
            return self.try_all(settings);
        }
        let Read { mut noun, version } = match request.after.as_deref() {
            None => self.taken_up(settings)?,
            Some(id) => self.gone_on(id)?,
        };
        let stage = noun.current();
        if noun.ended_at.is_some() {
            return Ok(noun.answer(stage, Vec::new()));
        }
        let id = noun.id.clone();
        let journal = Journal::new(self, &id, stage, false)?;
        let engine = Engine::new(Ports {
            store: &journal,
            ..self.ports
        });
        let piece = engine.piece(&noun, &journal)?;
        if stage == Stage::Report {
            noun.report = Some(self.consolidation_report(&id)?);
        }
        noun.advance(piece, self.now());
        self.save(&noun, version)?;
        let mut changes = journal.into_changes();
        changes.truncate(TOLD);
        Ok(noun.answer(stage, changes))
    }

    /// Does all of a consolidation, but changes nothing: each piece sees what those before it would have done.
    fn try_all(&self, settings: Settings) -> Result<Consolidation, Error> {
        let mut plan = self.planned(settings, true, 0)?;
        let id = plan.id.clone();
        let journal = Journal::new(self, &id, plan.current(), true)?;
        let archive = TrialArchive(self.ports.archive);
        let engine = Engine::new(Ports {
            store: &journal,
            archive: &archive,
            ..self.ports
        });
        while plan.ended_at.is_none() {
            journal.enter(plan.current());
            let piece = engine.piece(&plan, &journal)?;
            plan.advance(piece, self.now());
        }
        let mut changes = journal.into_changes();
        changes.truncate(TOLD);
        Ok(plan.answer(plan.current(), changes))
    }

    /// One piece of the stage that a consolidation is in.
    fn piece(&self, plan: &KeptConsolidation, journal: &Journal) -> Result<Piece, Error> {
        let stage = plan.current();
        let piece = match stage {
            Stage::Episodes => self.consolidate_episodes(plan, journal),
            Stage::Extraction => self.extract(plan, journal),
            Stage::Validation => self.validate_patterns(plan, journal),
            Stage::Refinement => self.refine_patterns(plan, journal),
            Stage::Indices => {
                let optimized = self.ports.store.optimize().map_err(from_store);
                optimized.map(|()| Piece::last(1))
            }
            Stage::Report => Ok(Piece::last(1)),
        };
        match piece {
            // A host without cold storage, say, is no reason not to do the rest.
            Err(Error::Unavailable(reason)) => {
                let left_out = format!("{} is left out: {reason}", stage.as_str());
                self.ports.log.write(Level::Info, &left_out);
                Ok(Piece::last(0))
            }
            piece => piece,
        }
    }

    /// Writes down how far a consolidation is, if nobody else went on with it.
    fn save(&self, plan: &KeptConsolidation, version: u32) -> Result<(), Error> {
        let saved = self
            .ports
            .store
            .commit(&[put(plan, Precondition::At(version))]);
        match saved {
            Err(host::Error::Conflict(_)) => Err(Error::Busy(format!(
                "somebody else goes on with the consolidation `{}`; nothing is lost, leave it to them",
                plan.id
            ))),
            saved => saved.map_err(from_store),
        }
    }

    /// The consolidation to go on with: one that is not over and that nobody is at work on, or a new one.
    fn taken_up(&self, settings: Settings) -> Result<Read<KeptConsolidation>, Error> {
        let now = self.now();
        let open = query::<KeptConsolidation>(vec![equals("state", OPEN)], newest("started-at"), 1);
        if let Some((read, _)) = self.search::<KeptConsolidation>(&open)?.pop() {
            let plan = &read.noun;
            if now < plan.touched_at.saturating_add(LEASE_MS) {
                return Err(Error::Busy(format!(
                    "the consolidation `{}` is at work, {} s ago it went on; wait for it, or go on with it by `after`",
                    plan.id,
                    now.saturating_sub(plan.touched_at) / 1_000
                )));
            }
            return Ok(read);
        }
        self.change(|attempt| {
            let plan = self.planned(settings.clone(), false, attempt)?;
            let change = put(&plan, Precondition::Absent);
            Ok((
                vec![change],
                Read {
                    noun: plan,
                    version: 1,
                },
            ))
        })
    }

    /// A consolidation that the caller goes on with.
    fn gone_on(&self, id: &str) -> Result<Read<KeptConsolidation>, Error> {
        self.load::<KeptConsolidation>(id)?
            .ok_or_else(|| unknown(id))
    }

    /// A new consolidation.
    fn planned(
        &self,
        settings: Settings,
        dry_run: bool,
        attempt: u32,
    ) -> Result<KeptConsolidation, Error> {
        let now = self.now();
        let until = |attribute: &str| -> Result<Option<u64>, Error> {
            let there = host::Condition {
                attribute: attribute.to_owned(),
                test: Test::AtLeast(host::Value::Number(0.0)),
            };
            let last = query::<KeptConsolidation>(vec![there], newest(attribute), 1);
            let last = self.search::<KeptConsolidation>(&last)?.pop();
            Ok(last.map(|(read, _)| match attribute {
                "episodes-until" => read.noun.mature_until(),
                _ => read.noun.started_at,
            }))
        };
        let extraction_from = match settings.hours {
            Some(hours) => hours_before(now, hours),
            None => {
                let day = hours_before(now, HOURS);
                until("extraction-until")?.map_or(day, |last| last.min(day))
            }
        };
        Ok(KeptConsolidation {
            id: format!("con_{}", digest(&[&now.to_string(), &attempt.to_string()])),
            started_at: now,
            touched_at: now,
            ended_at: None,
            dry_run,
            episodes_from: until("episodes-until")?.unwrap_or(0),
            extraction_from,
            refinement_from: until("refinement-until")?.unwrap_or(0),
            settings,
            stage: 0,
            position: String::new(),
            done: 0,
            total: 0,
            report: None,
            undone: false,
        })
    }

    /// Consolidations, newest first, with what they changed.
    pub(crate) fn list_consolidations(&self, limit: u32) -> Result<Vec<Consolidation>, Error> {
        let all = query::<KeptConsolidation>(Vec::new(), newest("started-at"), limit.min(LISTED));
        let found = self.search::<KeptConsolidation>(&all)?;
        let told = |(read, _): (Read<KeptConsolidation>, f64)| {
            let plan = read.noun;
            Ok(plan.answer(plan.current(), self.changes_of(&plan.id, TOLD)?))
        };
        found.into_iter().map(told).collect()
    }
}

fn hours_before(now: u64, hours: u32) -> u64 {
    now.saturating_sub(u64::from(hours) * 60 * 60 * 1_000)
}

fn unknown(id: &str) -> Error {
    Error::NotFound(format!(
        "there is no consolidation `{}`; upkeep.consolidations lists them",
        payload::kept_text(id, 100)
    ))
}
