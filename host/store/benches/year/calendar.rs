//! The days of a simulated year: work by day, consolidation by night.
//!
//! Owns the order of things and what is measured. Where documents lie, and how large that is, is said by whoever runs
//! it.

use std::{cell::Cell, collections::BTreeMap, time::Instant};

use serde::Serialize;
use twiceshy_engine::Engine;
use twiceshy_wit::memory::{
    ConsolidationRequest, EpisodeFilter, Episodes, LessonFilter, LessonStatus, Lessons, Phase,
    Upkeep,
};

use super::{
    agent::{Job, Taught, probe},
    chance::Chance,
    trade::{FAMILIES, families},
};

/// 2025-01-01, in milliseconds.
pub const START: u64 = 1_735_689_600_000;

/// A day in milliseconds.
pub const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// Known failures for which the memory is asked at the end of each day.
const PROBES: usize = 60;

/// How large a year is.
pub struct Plan {
    pub seed: u64,
    pub days: u32,
    pub runs: u32,
    /// How much time passes from one day of work to the next, in days.
    pub stride: u64,
}

/// What is seen of one day.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Day {
    pub day: u32,
    pub runs: u32,
    pub reached: u32,
    pub failures: u32,
    /// Failures whose way out was found in an earlier run, and for which the memory is asked.
    pub known: u32,
    /// Those for which recall brings it.
    pub recalled: u32,
    /// Lessons shown before runs, and those that are about the tool at hand.
    pub briefed: u32,
    pub relevant: u32,
    #[serde(skip)]
    pub recall_us: Vec<u32>,
    pub recall_us_median: u32,
    pub recall_us_p95: u32,
    /// What the night changed, and how long it took.
    pub changes: u32,
    pub night_ms: u32,
    pub store_bytes: u64,
    pub archive_bytes: u64,
}

/// What the nights did, by stage and kind of change.
pub type Tally = BTreeMap<String, u32>;

/// Lives through a year. `sizes` gives the bytes of the store and of the archive.
pub fn live(
    plan: &Plan,
    clock: &Cell<u64>,
    engine: &Engine,
    sizes: &dyn Fn() -> (u64, u64),
    told: &mut dyn FnMut(&Day),
) -> (Vec<Day>, Tally) {
    let chance = Chance { seed: plan.seed };
    let trades = families(&chance, plan.days);
    let mut taught = Taught::new();
    let mut days = Vec::new();
    let mut tally = Tally::new();
    for number in 0..plan.days {
        let begin = START + u64::from(number) * plan.stride * DAY_MS;
        let mut day = Day {
            day: number,
            ..Day::default()
        };
        for run in 0..plan.runs {
            let at = u64::from(number) << 20 | u64::from(run);
            clock.set(
                clock
                    .get()
                    .max(begin + u64::from(run) * DAY_MS / 2 / u64::from(plan.runs)),
            );
            let family = chance.bits(2, at, 0) as usize % FAMILIES;
            let job = Job {
                family: &trades[family],
                number: family,
                day: number,
                luck: Chance {
                    seed: chance.bits(3, at, 0),
                },
            };
            job.work(engine, &mut taught, &mut day, &|| {
                clock.set(clock.get() + 1_500)
            });
        }
        clock.set(clock.get().max(begin + DAY_MS * 3 / 4));
        probe(engine, &trades, &taught, PROBES, &mut day);
        let before = Instant::now();
        day.changes = night(engine, &mut tally);
        day.night_ms = before.elapsed().as_millis() as u32;
        day.recall_us.sort_unstable();
        let at = |share: f64| {
            let place = (day.recall_us.len() as f64 * share) as usize;
            day.recall_us.get(place).copied().unwrap_or(0)
        };
        (day.recall_us_median, day.recall_us_p95) = (at(0.5), at(0.95));
        (day.store_bytes, day.archive_bytes) = sizes();
        told(&day);
        days.push(day);
    }
    (days, tally)
}

/// One consolidation, to its end. Gives the number of changes.
pub fn night(engine: &Engine, tally: &mut Tally) -> u32 {
    let mut request = ConsolidationRequest::default();
    let mut changes = 0;
    loop {
        let piece = engine.consolidate(&request).expect("a piece of a night");
        for change in &piece.changes {
            let what = change.change.split([':', '→']).next().unwrap_or_default();
            let what: String = what.chars().filter(|c| !c.is_ascii_digit()).collect();
            let what = match what.split_once(" into ") {
                Some((what, _)) => what.to_owned(),
                None => what.trim().to_owned(),
            };
            *tally
                .entry(format!("{}: {what}", change.stage.as_str()))
                .or_default() += 1;
        }
        changes += piece.changes.len() as u32;
        request.after = piece.next;
        if request.after.is_none() {
            return changes;
        }
    }
}

/// How many episodes are in each phase.
pub fn phases(engine: &Engine) -> BTreeMap<&'static str, usize> {
    let all = [Phase::Active, Phase::Mature, Phase::Aged, Phase::Archived];
    let count = |phase: Phase| {
        let filter = EpisodeFilter {
            phase: Some(phase),
            limit: Some(1_000),
            ..EpisodeFilter::default()
        };
        let found = Episodes::find(engine, &filter).expect("episodes");
        (phase.as_str(), found.len())
    };
    all.into_iter().map(count).collect()
}

/// Lessons whose origins can't be shown down to their steps.
pub fn lost_origins(engine: &Engine) -> Vec<String> {
    let mut lost = Vec::new();
    for status in [LessonStatus::Candidate, LessonStatus::Promoted] {
        let filter = LessonFilter {
            status: Some(status),
            limit: Some(1_000),
            ..LessonFilter::default()
        };
        for lesson in Lessons::find(engine, &filter).expect("lessons") {
            let told = engine.explain(&lesson.id).expect("an explanation");
            let named: usize = lesson.origins.iter().map(|origin| origin.steps.len()).sum();
            let runs = lesson
                .origins
                .iter()
                .filter(|origin| !origin.run.is_empty());
            let runs_there = runs
                .clone()
                .all(|origin| Episodes::get(engine, &origin.run).is_ok());
            if told.steps.len() < named.min(50) || !runs_there {
                lost.push(lesson.id);
            }
        }
    }
    lost
}
