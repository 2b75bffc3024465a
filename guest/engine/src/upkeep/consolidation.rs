//! Consolidation: periodic upkeep in six stages, a limited amount of work at each call.
//!
//! Owns which stages there are, how an interrupted one resumes, and that only one runs at a time. What each stage does is
//! in its own file; undoing it is the business of the [journal] and of [undo].

pub(crate) mod episodes;
pub(crate) mod errors;
mod expiry;
pub(crate) mod extraction;
mod generality;
pub(crate) mod journal;
pub(crate) mod leaving;
mod procedure;
pub(crate) mod refinement;
pub(crate) mod report;
mod showings;
pub(crate) mod similarity;
mod trial;
pub(crate) mod undo;
pub(crate) mod validation;
mod words;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{self, Attribute, Change, Level, Precondition, Put, Test},
    memory::{
        Consolidation, ConsolidationChange, ConsolidationReport, ConsolidationRequest, Error, Stage,
    },
};

use crate::{
    limits::DAY_MS,
    refusal,
    store::{
        Desk, Kind, Noun, Read, Reader, digest, equals, from_store, newest, number, query, text,
        written,
    },
    upkeep::reindex,
};
pub(crate) use expiry::{Forgotten, remove_journals};
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

/// For how many days what a consolidation changed is kept, if the caller does not say: who misses something notices within a
/// month.
const UNDO_DAYS: u32 = 30;

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
    #[serde(default = "undo_days")]
    undo_days: u32,
}

/// What an earlier version, which kept everything, would have been asked for.
fn undo_days() -> u32 {
    UNDO_DAYS
}

impl Settings {
    fn of(request: &ConsolidationRequest) -> Result<Self, Error> {
        let share = |name: &str, value: Option<f64>, default: f64| match value {
            Some(value) if !(0.0..=1.0).contains(&value) => Err(Error::InvalidArgument(format!(
                "`request.{name}` is {value}; it must be from 0 to 1"
            ))),
            value => Ok(value.unwrap_or(default)),
        };
        let days = |name: &str, value: Option<u32>, most: u32| match value {
            Some(value) if value == 0 || value > most => Err(Error::InvalidArgument(format!(
                "`request.{name}` is {value}; it must be from 1 to {most}"
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
            undo_days: days("undo-days", request.undo_days, 3_650)?.unwrap_or(UNDO_DAYS),
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
    /// How many episodes a bound kept from being compared so far.
    #[serde(default)]
    not_compared: u32,
    report: Option<ConsolidationReport>,
    undone: bool,
    /// Why its journal is no longer there, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forgotten: Option<Forgotten>,
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

/// Does one piece of a consolidation.
pub(crate) fn consolidate_piece(
    desk: &mut Desk,
    request: &ConsolidationRequest,
) -> Result<Consolidation, Error> {
    let settings = Settings::of(request)?;
    if request.dry_run.unwrap_or(false) {
        return try_all(desk, settings);
    }
    let Read { mut noun, version } = match request.after.as_deref() {
        None => open_or_new(desk, settings)?,
        Some(id) => by_id(desk, id)?,
    };
    let stage = noun.current();
    if noun.ended_at.is_some() {
        return Ok(noun.answer(stage, Vec::new()));
    }
    let id = noun.id.clone();
    let journal = Journal::new(desk, &id, stage, false)?;
    let piece = match stage {
        Stage::Indices => update_indices(desk, &noun)?,
        _ => piece(&mut desk.over(&journal, desk.archive), &noun, &journal)?,
    };
    noun.not_compared = noun.not_compared.saturating_add(journal.not_compared());
    if stage == Stage::Report {
        noun.report = Some(report::consolidation_report(desk, &id, noun.not_compared)?);
    }
    noun.advance(piece, desk.now());
    save(desk, &noun, version)?;
    let mut changes = journal.into_changes();
    changes.truncate(TOLD);
    Ok(noun.answer(stage, changes))
}

/// Does all of a consolidation, but changes nothing: each piece sees what those before it would have done.
fn try_all(desk: &Desk, settings: Settings) -> Result<Consolidation, Error> {
    let mut plan = planned(desk, settings, true, 0)?;
    let id = plan.id.clone();
    let journal = Journal::new(desk, &id, plan.current(), true)?;
    let archive = TrialArchive(desk.archive);
    let mut trial = desk.over(&journal, &archive);
    while plan.ended_at.is_none() {
        journal.enter(plan.current());
        let piece = piece(&mut trial, &plan, &journal)?;
        plan.advance(piece, desk.now());
    }
    let mut changes = journal.into_changes();
    changes.truncate(TOLD);
    Ok(plan.answer(plan.current(), changes))
}

/// One piece of the stage that a consolidation is in.
fn piece(desk: &mut Desk, plan: &KeptConsolidation, journal: &Journal) -> Result<Piece, Error> {
    let stage = plan.current();
    let piece = match stage {
        Stage::Episodes => episodes::consolidate_episodes(desk, plan, journal),
        Stage::Extraction => extraction::extract(desk, plan, journal),
        Stage::Validation => validation::validate_patterns(desk, plan, journal),
        Stage::Refinement => refinement::refine_patterns(desk, plan, journal),
        Stage::Indices => {
            let optimized = desk.store.optimize().map_err(from_store);
            optimized.map(|()| Piece::last(1))
        }
        Stage::Report => Ok(Piece::last(1)),
    };
    match piece {
        // A host without cold storage, say, is no reason not to do the rest.
        Err(Error::Unavailable(reason)) => {
            let left_out = format!("{} was skipped: {reason}", stage.as_str());
            desk.log.write(Level::Info, &left_out);
            Ok(Piece::last(0))
        }
        piece => piece,
    }
}

/// Removes journals that are past their time, brings the store's indices up to date, then embeds what has no vector of the present embedder, piece by piece. None of
/// it is written into the journal: vectors are made of what is there, and nobody needs to take them back.
fn update_indices(desk: &mut Desk, plan: &KeptConsolidation) -> Result<Piece, Error> {
    let position = plan.position.as_str();
    if position.is_empty() {
        let days = plan.settings.undo_days;
        let last = plan.started_at.saturating_sub(u64::from(days) * DAY_MS);
        if remove_journals(desk, last, &Forgotten::After(days))? {
            return Ok(Piece {
                next: Some(String::new()),
                done: 0,
                total: 1,
            });
        }
        match desk.store.optimize().map_err(from_store) {
            Ok(()) | Err(Error::Unavailable(_)) => {}
            Err(error) => return Err(error),
        }
    }
    match reindex::reindex_piece(desk, position) {
        Ok(piece) => Ok(Piece {
            next: piece.next,
            done: piece.done,
            total: piece.total,
        }),
        Err(Error::Unavailable(_)) => Ok(Piece::last(1)),
        // An embedder that does not answer is no reason not to do the rest.
        Err(error) => {
            let reason = error.message();
            desk.warn(&format!("vectors were not brought up to date: {reason}"));
            Ok(Piece::last(1))
        }
    }
}

/// Writes down how far a consolidation is, if nobody else went on with it.
fn save(desk: &mut Desk, plan: &KeptConsolidation, version: u32) -> Result<(), Error> {
    let put = Put {
        document: written(plan),
        precondition: Precondition::At(version),
    };
    let saved = desk.store.commit(&[Change::Put(put)]);
    match saved {
        Err(host::Error::Conflict(_)) => Err(Error::Busy(format!(
            "Another process resumed consolidation `{}`. Nothing is lost; leave it to that process.",
            plan.id
        ))),
        saved => saved.map_err(from_store),
    }
}

/// The consolidation to go on with: one that is not over and that nobody is at work on, or a new one.
fn open_or_new(desk: &mut Desk, settings: Settings) -> Result<Read<KeptConsolidation>, Error> {
    let now = desk.now();
    let open = query::<KeptConsolidation>(vec![equals("state", OPEN)], newest("started-at"), 1);
    if let Some((read, _)) = desk.search::<KeptConsolidation>(&open)?.pop() {
        let plan = &read.noun;
        if now < plan.touched_at.saturating_add(LEASE_MS) {
            return Err(Error::Busy(format!(
                "Consolidation `{}` is already running (last active {} s ago). Wait, or pass `after` to resume it.",
                plan.id,
                now.saturating_sub(plan.touched_at) / 1_000
            )));
        }
        return Ok(read);
    }
    desk.commit(|batch| {
        let plan = planned(batch, settings.clone(), false, batch.attempt())?;
        batch.add(&plan);
        Ok(Read {
            noun: plan,
            version: 1,
        })
    })
}

/// A consolidation that the caller goes on with.
fn by_id(reader: &Reader, id: &str) -> Result<Read<KeptConsolidation>, Error> {
    reader
        .load::<KeptConsolidation>(id)?
        .ok_or_else(|| unknown(id))
}

/// A new consolidation.
fn planned(
    reader: &Reader,
    settings: Settings,
    dry_run: bool,
    attempt: u32,
) -> Result<KeptConsolidation, Error> {
    let now = reader.now();
    let until = |attribute: &str| -> Result<Option<u64>, Error> {
        let there = host::Condition {
            attribute: attribute.to_owned(),
            test: Test::AtLeast(host::Value::Number(0.0)),
        };
        let last = query::<KeptConsolidation>(vec![there], newest(attribute), 1);
        let last = reader.search::<KeptConsolidation>(&last)?.pop();
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
        not_compared: 0,
        report: None,
        undone: false,
        forgotten: None,
    })
}

/// Consolidations, newest first, with what they changed.
pub(crate) fn list_consolidations(
    reader: &Reader,
    limit: u32,
) -> Result<Vec<Consolidation>, Error> {
    let all = query::<KeptConsolidation>(Vec::new(), newest("started-at"), limit.min(LISTED));
    let found = reader.search::<KeptConsolidation>(&all)?;
    let told = |(read, _): (Read<KeptConsolidation>, f64)| {
        let plan = read.noun;
        Ok(plan.answer(plan.current(), journal::changes_of(reader, &plan.id, TOLD)?))
    };
    found.into_iter().map(told).collect()
}

fn hours_before(now: u64, hours: u32) -> u64 {
    now.saturating_sub(u64::from(hours) * 60 * 60 * 1_000)
}

fn unknown(id: &str) -> Error {
    refusal::unknown("consolidation", id, "upkeep.consolidations")
}

/// Where a page begins: a time, and how many that ended at that time were seen.
fn place(position: &str) -> Option<(u64, u32)> {
    let (at, offset) = position.split_once(' ')?;
    Some((at.parse().ok()?, offset.parse().ok()?))
}
