//! Metrics: what tasks cost and how they went, day by day.
//!
//! Owns the figures of a day (UTC), and the *reward* of each run: what its efficiency signals and its judged lessons
//! come to, written with the episode so that a day is read from one small document a run, wherever its steps are.
//! It changes nothing by itself. How lessons fare over all time is the business of health.

use std::collections::BTreeSet;

use twiceshy_wit::{
    host::Condition,
    memory::{DayMetrics, Episode, Error, Metrics, Outcome},
};

use crate::{
    episodes::reward::Reward,
    instant,
    limits::DAY_MS,
    refusal,
    store::{Kind, Noun, Reader, ascending, at_least, at_most, query},
};

/// Days that are looked at if the caller does not say: a rolling week.
const DAYS: u32 = 7;

/// Days that are looked at at most, as the contract has it.
const MOST_DAYS: u32 = 400;

/// Documents that are read in one go.
const PAGE: u32 = 1_000;

/// What episodes of one day, or of several, add up to.
#[derive(Default)]
struct Sums {
    episodes: u32,
    successes: u32,
    steps: u32,
    failures: u32,
    retries: u32,
    agents: BTreeSet<String>,
    duration_ms: u64,
    new_lessons: u32,
    score: f64,
    scored: u32,
    efficiency: f64,
    signals: u32,
    helped: u32,
    harmed: u32,
    judged: u32,
}

impl Sums {
    fn take(&mut self, episode: Episode) {
        self.episodes += 1;
        self.successes += u32::from(episode.outcome == Outcome::Success);
        self.steps = self.steps.saturating_add(episode.steps);
        self.failures = self.failures.saturating_add(episode.failures);
        // Whatever failed beyond the first time of each failure.
        let kinds = episode.fingerprints.len() as u32;
        self.retries += episode.failures.saturating_sub(kinds);
        self.duration_ms += episode.ended_at.saturating_sub(episode.started_at);
        if !episode.agent.is_empty() {
            self.agents.insert(episode.agent);
        }
        if let Some(score) = episode.score {
            self.score += score;
            self.scored += 1;
        }
    }

    fn reward(&mut self, reward: &Reward) {
        self.efficiency += reward.efficiency;
        self.signals += reward.signals;
        self.helped += reward.helped;
        self.harmed += reward.harmed;
        self.judged += reward.judged;
    }

    /// Adds another stretch of time. An agent that worked in both counts once.
    fn add(&mut self, other: &Self) {
        self.episodes += other.episodes;
        self.successes += other.successes;
        self.steps = self.steps.saturating_add(other.steps);
        self.failures = self.failures.saturating_add(other.failures);
        self.retries += other.retries;
        self.agents.extend(other.agents.iter().cloned());
        self.duration_ms += other.duration_ms;
        self.new_lessons += other.new_lessons;
        self.score += other.score;
        self.scored += other.scored;
        self.efficiency += other.efficiency;
        self.signals += other.signals;
        self.helped += other.helped;
        self.harmed += other.harmed;
        self.judged += other.judged;
    }

    fn figures(&self, day: String) -> DayMetrics {
        let mean = |sum: f64, count: u32| (count > 0).then(|| sum / f64::from(count));
        let better = f64::from(self.helped) - f64::from(self.harmed);
        DayMetrics {
            day,
            episodes: self.episodes,
            successes: self.successes,
            steps: self.steps,
            failures: self.failures,
            retries: self.retries,
            agents: self.agents.len() as u32,
            duration_seconds: self.duration_ms as f64 / 1_000.0,
            new_lessons: self.new_lessons,
            score: mean(self.score, self.scored),
            efficiency: mean(self.efficiency, self.signals),
            preference: mean(better, self.judged),
        }
    }
}

/// How each of the last days went, today included.
pub(crate) fn metrics(reader: &Reader, days: Option<u32>) -> Result<Metrics, Error> {
    let days = days.unwrap_or(DAYS);
    refusal::within("days", days, 1..=MOST_DAYS)?;
    let today = reader.now() / DAY_MS;
    let first = today.saturating_sub(u64::from(days) - 1);
    let mut total = Sums::default();
    let mut figures = Vec::with_capacity(days as usize);
    for day in first..=today {
        let sums = sums_of(reader, day)?;
        total.add(&sums);
        figures.push(sums.figures(name(day)));
    }
    Ok(Metrics {
        days: figures,
        total: total.figures(format!("{}/{}", name(first), name(today))),
    })
}

/// What happened on a day, counted from the first day of 1970, UTC.
fn sums_of(reader: &Reader, day: u64) -> Result<Sums, Error> {
    let mut sums = Sums::default();
    each_of_day(reader, day, |episode: Episode| sums.take(episode))?;
    each_of_day(reader, day, |reward: Reward| sums.reward(&reward))?;
    sums.new_lessons = reader.count(Kind::Lesson, &within("created-at", day))?;
    Ok(sums)
}

/// Every document of a kind that ended on a day.
fn each_of_day<N: Noun>(reader: &Reader, day: u64, mut take: impl FnMut(N)) -> Result<(), Error> {
    let conditions = within("ended-at", day);
    // The number is asked for first: a document that can't be read is missing on its page.
    let documents = reader.count(N::KIND, &conditions)?;
    let mut query = query::<N>(conditions, ascending("ended-at"), PAGE);
    while query.offset < documents {
        let page = reader.search::<N>(&query)?;
        page.into_iter().for_each(|(read, _)| take(read.noun));
        query.offset += PAGE;
    }
    Ok(())
}

/// Conditions that an instant lies on a day.
fn within(attribute: &str, day: u64) -> Vec<Condition> {
    vec![
        at_least(attribute, (day * DAY_MS) as f64),
        at_most(attribute, ((day + 1) * DAY_MS - 1) as f64),
    ]
}

/// A day as `2026-01-06`.
fn name(day: u64) -> String {
    let mut name = instant::written(day * DAY_MS);
    name.truncate(name.find('T').unwrap_or(name.len()));
    name
}
