//! Evidence: what the applications of a pattern show.
//!
//! Owns which applications count, the confidence, and the comparison with episodes of the same kind without the pattern.
//! What follows from it is the business of the validation.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use twiceshy_wit::memory::{
    Activation, Episode, EpisodeFilter, Error, Measure, Moment, Outcome, Pattern, PatternEvidence,
};

use super::{binomial, document::Application};
use crate::{
    episodes,
    lessons::{Entry, links},
    limits::DAY_MS,
    store::{Batch, Desk, Kind, Noun, Reader, at_least, equals, newest, query},
};

/// Applications count for so many days.
pub(super) const COUNTED_DAYS: u64 = 90;

/// Applications that count at most: the newest.
const COUNTED: u32 = 1_000;

/// The rate that chance alone has.
const CHANCE: f64 = 0.5;

/// Episodes that are named for and against a pattern, as the contract has it.
const NAMED: usize = 256;

/// Kinds of task that a pattern is compared in: those it was applied in most.
const COMPARED_KINDS: usize = 8;

/// Episodes of one kind of task that a pattern is compared with: the newest.
const COMPARED: u32 = 256;

/// Episodes without a pattern from which a base rate is known.
const LEAST_COMPARED: u32 = 5;

/// The confidence of the document, from 0 to 1.
pub(super) fn confidence(success_rate: f64, applications: u32, significance: f64) -> f64 {
    let sample = 1.0 - twiceshy_text::number::exp(-f64::from(applications) / 20.0);
    (0.5 * success_rate + 0.3 * sample + 0.2 * (1.0 - significance)).clamp(0.0, 1.0)
}

/// Brings evidence up to date with the applications that count, newest first.
pub(super) fn count(evidence: &mut PatternEvidence, counted: &[Application], claimed: f64) {
    let succeeded = |one: &&Application| one.outcome == Outcome::Success;
    let named = |wanted: bool| {
        let ids = counted.iter().filter(|one| succeeded(one) == wanted);
        let mut ids: Vec<_> = ids.take(NAMED).map(|one| one.episode.clone()).collect();
        ids.reverse();
        ids
    };
    evidence.supporting_episodes = named(true);
    evidence.counter_episodes = named(false);
    evidence.applications = counted.len() as u32;
    evidence.successes = counted.iter().filter(succeeded).count() as u32;
    let (successes, applications) = (evidence.successes, evidence.applications);
    if applications == 0 {
        evidence.success_rate = 0.0;
        evidence.significance = 1.0;
        evidence.confidence = claimed;
        return;
    }
    evidence.success_rate = f64::from(successes) / f64::from(applications);
    evidence.significance = binomial::at_least(successes, applications, CHANCE);
    evidence.confidence = confidence(evidence.success_rate, applications, evidence.significance);
}

/// The measure by which an account says what an episode cost.
const COST: &str = "cost";

/// The part of an account that says what an episode cost.
#[derive(Deserialize)]
struct Priced {
    account: Usage,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Usage {
    #[serde(default)]
    resource_usage: Vec<Measure>,
}

impl Priced {
    fn cost(&self) -> Option<f64> {
        let mut measures = self.account.resource_usage.iter();
        let cost = measures.find(|one| one.name.eq_ignore_ascii_case(COST))?;
        Some(cost.value)
    }
}

/// Episodes of the same kinds of task without a pattern.
#[derive(Debug, Default, PartialEq)]
struct Base {
    rate: Option<f64>,
    duration: Option<f64>,
    cost: Option<f64>,
}

/// The applications of a pattern that count, newest first.
pub(super) fn applications(
    reader: &Reader,
    pattern: &str,
    round: u32,
    now: u64,
) -> Result<Vec<Application>, Error> {
    let since = now.saturating_sub(COUNTED_DAYS * DAY_MS);
    let conditions = vec![
        equals("of", &Application::of(pattern, round)),
        at_least("at", since as f64),
    ];
    let found = reader.search(&query::<Application>(conditions, newest("at"), COUNTED))?;
    Ok(found.into_iter().map(|(read, _)| read.noun).collect())
}

/// Compares the applications that count with episodes of the same kinds without the pattern.
pub(super) fn compare(
    reader: &Reader,
    evidence: &mut PatternEvidence,
    counted: &[Application],
) -> Result<(), Error> {
    let base = base(reader, counted)?;
    evidence.base_rate = base.rate;
    evidence.base_significance = base
        .rate
        .map(|rate| binomial::at_least(evidence.successes, evidence.applications, rate));
    evidence.success_rate_improvement = base.rate.map_or(0.0, |rate| evidence.success_rate - rate);
    let saved = |without: Option<f64>, with: Option<f64>| {
        without
            .zip(with)
            .map_or(0.0, |(without, with)| without - with)
    };
    let durations = counted.iter().map(|one| Some(one.duration));
    evidence.average_time_saving = saved(base.duration, mean(durations));
    evidence.average_cost_saving = saved(base.cost, mean(counted.iter().map(|one| one.cost)));
    Ok(())
}

/// What episodes without the pattern come to, kind by kind, each weighing as much as it has applications.
fn base(reader: &Reader, counted: &[Application]) -> Result<Base, Error> {
    let applied: BTreeSet<_> = counted.iter().map(|one| one.episode.as_str()).collect();
    let mut kinds: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for one in counted {
        *kinds.entry((&one.task_type, &one.domain)).or_default() += 1;
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)));
    let (mut rates, mut durations, mut costs) = (Vec::new(), Vec::new(), Vec::new());
    let mut compared = 0;
    for ((task_type, domain), weight) in kinds.into_iter().take(COMPARED_KINDS) {
        let filter = EpisodeFilter {
            domain: Some(domain.to_owned()),
            task_type: Some(task_type.to_owned()).filter(|name| !name.is_empty()),
            limit: Some(COMPARED),
            ..EpisodeFilter::default()
        };
        let mut episodes = episodes::find(reader, &filter)?;
        episodes.retain(|episode| {
            episode.task_type == task_type && !applied.contains(episode.id.as_str())
        });
        if episodes.is_empty() {
            continue;
        }
        compared += episodes.len() as u32;
        let succeeded = episodes
            .iter()
            .filter(|episode| episode.outcome == Outcome::Success);
        let rate = succeeded.count() as f64 / episodes.len() as f64;
        rates.push((rate, weight));
        let mean_duration = mean(episodes.iter().map(|episode| Some(duration(episode))));
        durations.extend(mean_duration.map(|mean| (mean, weight)));
        let mean_cost = mean(costs_of(reader, &episodes)?.into_iter());
        costs.extend(mean_cost.map(|mean| (mean, weight)));
    }
    if compared < LEAST_COMPARED {
        return Ok(Base::default());
    }
    Ok(Base {
        rate: weighted(&rates),
        duration: weighted(&durations),
        cost: weighted(&costs),
    })
}

/// What episodes cost, in their order; none where nobody said.
pub(super) fn costs_of(reader: &Reader, episodes: &[Episode]) -> Result<Vec<Option<f64>>, Error> {
    let mut costs = BTreeMap::new();
    for page in episodes.chunks(COMPARED as usize) {
        let keys: Vec<_> = page
            .iter()
            .map(|episode| Kind::Account.key(&episode.id))
            .collect();
        for stored in reader.read(&keys)? {
            if let Ok(priced) = serde_json::from_str::<Priced>(&stored.body) {
                costs.insert(stored.key.id, priced.cost());
            }
        }
    }
    let known = episodes.iter().map(|one| costs.remove(&one.id).flatten());
    Ok(known.collect())
}

/// Records that a pattern was applied in an episode. The same episode counts once.
pub(crate) fn apply(
    desk: &mut Desk,
    pattern: &str,
    episode: &str,
    outcome: Outcome,
) -> Result<Pattern, Error> {
    apply_all(desk, pattern, &[(episode.to_owned(), outcome)])
}

/// Records at once that a pattern was applied in some episodes. Each counts once. At most 400.
pub(crate) fn apply_all(
    desk: &mut Desk,
    pattern: &str,
    episodes: &[(String, Outcome)],
) -> Result<Pattern, Error> {
    let ended = episodes.iter().map(|(id, _)| episodes::get(desk, id));
    let ended = ended.collect::<Result<Vec<_>, _>>()?;
    let costs = costs_of(desk, &ended)?;
    let now = desk.now();
    let since = now.saturating_sub(COUNTED_DAYS * DAY_MS);
    desk.commit(|batch| {
        let mut entry = super::pattern_entry(batch, pattern)?;
        let links = links::links_of(batch, pattern)?;
        let round = entry.pattern().0.round;
        let mut counted = applications(batch, pattern, round, now)?;
        for ((ended, cost), (_, outcome)) in ended.iter().zip(&costs).zip(episodes) {
            let application = Application {
                pattern: pattern.to_owned(),
                round,
                episode: ended.id.clone(),
                outcome: *outcome,
                at: ended.ended_at,
                duration: duration(ended),
                cost: *cost,
                task_type: ended.task_type.clone(),
                domain: ended.domain.clone(),
            };
            let known = batch.load::<Application>(&application.id())?;
            let known = known.map(|read| read.noun);
            if known.as_ref() == Some(&application) {
                continue;
            }
            if known.is_none() {
                activate(batch, &mut entry, ended)?;
            }
            // The pattern, whose version is checked, owns its applications.
            batch.put_owned(&application);
            counted.retain(|one| one.episode != application.episode);
            counted.extend((application.at >= since).then_some(application));
        }
        if batch.len() == 0 {
            return Ok(super::assembled(&entry, &links));
        }
        counted.sort_by(|left, right| {
            right
                .at
                .cmp(&left.at)
                .then(left.episode.cmp(&right.episode))
        });
        let (head, body) = entry.pattern();
        count(&mut body.evidence, &counted, body.claimed_confidence);
        head.weigh(&body.evidence);
        entry.put(batch);
        Ok(super::assembled(&entry, &links))
    })
}

/// An application is a use of the lesson: where it was not shown in the run, it is entered as if it had been.
fn activate(batch: &mut Batch, entry: &mut Entry, episode: &Episode) -> Result<(), Error> {
    let lesson = entry.kept.lesson.id.clone();
    let evidence = &mut entry.evidence;
    evidence.last_shown_at = evidence.last_shown_at.max(Some(episode.ended_at));
    evidence.last_used_at = evidence.last_used_at.max(Some(episode.ended_at));
    let id = format!("{}.{lesson}", episode.id);
    // Among what was summed up its activation may be, and nothing counts twice.
    let is_summed_up = entry
        .earlier
        .is_some_and(|sum| episode.ended_at <= sum.until);
    if is_summed_up || !batch.read(&[Kind::Activation.key(&id)])?.is_empty() {
        return Ok(());
    }
    evidence.retrievals = evidence.retrievals.saturating_add(1);
    let activation = Activation {
        id,
        lesson,
        run: episode.id.clone(),
        step: 0,
        moment: Moment::BeforeRun,
        fingerprint: None,
        withheld: false,
        showings: 1,
        at: episode.ended_at,
        score: 0.0,
        outcome: None,
    };
    batch.add(&activation);
    Ok(())
}

/// How long an episode took, in milliseconds.
fn duration(episode: &Episode) -> f64 {
    episode.ended_at.saturating_sub(episode.started_at) as f64
}

/// The mean of what is known; none if nothing is.
fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let known: Vec<_> = values.flatten().collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

fn weighted(values: &[(f64, u32)]) -> Option<f64> {
    let weights: u32 = values.iter().map(|(_, weight)| weight).sum();
    let sum: f64 = values
        .iter()
        .map(|(value, weight)| value * f64::from(*weight))
        .sum();
    (weights > 0).then(|| sum / f64::from(weights))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counted(successes: u32, applications: u32) -> PatternEvidence {
        let mut evidence = super::super::document::none(0.0);
        let applications: Vec<_> = (0..applications)
            .map(|at| Application {
                pattern: "les_1".to_owned(),
                round: 0,
                episode: format!("run_{at}"),
                outcome: if at < successes {
                    Outcome::Success
                } else {
                    Outcome::Failure
                },
                at: u64::from(at),
                duration: 0.0,
                cost: None,
                task_type: String::new(),
                domain: "cli".to_owned(),
            })
            .collect();
        count(&mut evidence, &applications, 0.0);
        evidence
    }

    #[test]
    fn the_worked_figures_of_the_document_hold() {
        for (successes, applications, significance, confidence) in [
            (5, 5, 0.03125, 0.760),
            (7, 8, 0.0352, 0.729),
            (6, 7, 0.0625, 0.705),
        ] {
            let evidence = counted(successes, applications);
            assert!((evidence.significance - significance).abs() < 5e-5);
            assert!(
                (evidence.confidence - confidence).abs() < 5e-4,
                "{successes} of {applications}: {}",
                evidence.confidence
            );
        }
    }

    #[test]
    fn without_applications_only_the_claim_is_known() {
        let mut evidence = counted(5, 5);
        count(&mut evidence, &[], 0.3);
        assert_eq!((evidence.confidence, evidence.significance), (0.3, 1.0));
        assert_eq!((evidence.applications, evidence.success_rate), (0, 0.0));
    }

    #[test]
    fn the_newest_episodes_are_named_and_the_newest_last() {
        let evidence = counted(0, 300);
        // Newest first in, so `run_0` is the newest.
        assert_eq!(evidence.counter_episodes.len(), NAMED);
        assert_eq!(
            evidence.counter_episodes.last().map(String::as_str),
            Some("run_0")
        );
        assert_eq!(evidence.applications, 300);
    }

    proptest! {
        #[test]
        fn confidence_is_between_nothing_and_one(rate in 0.0..=1.0_f64, count in 0_u32..100_000, p in 0.0..=1.0_f64) {
            prop_assert!((0.0..=1.0).contains(&confidence(rate, count, p)));
        }
    }
}
