//! Health: how well a memory works.
//!
//! Owns the report: lessons by status, what showing them did, what recurs, and how tasks go from run
//! to run. It changes nothing.

use std::collections::BTreeMap;

use twiceshy_wit::{
    host::Order,
    memory::{
        Episode, Error, EventFilter, Health, Lesson, LessonStatus, LessonsByStatus, Link, Outcome,
        RecurringFailure, Relation, TaskStability,
    },
};

use crate::{
    endings::{self, too_old},
    episodes::{shelf, tasks::task_id},
    events::Known,
    lessons::{KeptLesson, entry, is_recalled, recalled},
    store::{Kind, Reader, equals, newest, query},
};

/// Entries of each list, as the contract has it.
const LISTED: usize = 20;

/// Episodes that are looked at, as the contract has it.
const EPISODES: u32 = 200;

/// Lessons that are looked at in one go.
const PAGE: u32 = 1_000;

/// Runs of one task that are compared, as the contract has it.
const RUNS_OF_TASK: usize = 50;

/// Runs whose mean is compared, and failures a run by which it is worse.
const REGRESSION: (usize, f64) = (3, 0.5);

/// What all lessons together say.
#[derive(Default)]
struct Sums {
    shown: u32,
    withheld: u32,
    helped: u32,
    harmed: u32,
    judged: u32,
    utility: f64,
    measured: u32,
    doubtful: Vec<Lesson>,
}

impl Sums {
    fn take(&mut self, lesson: Lesson) {
        let use_ = &lesson.usefulness;
        self.shown += use_.activations;
        self.withheld += use_.withheld_runs;
        self.helped += use_.helped;
        self.harmed += use_.harmed;
        self.judged += use_.judged;
        let recalled = is_recalled(lesson.status);
        if let (Some(utility), true) = (use_.utility, recalled) {
            self.utility += utility;
            self.measured += 1;
        }
        let harmful = use_.harmed > use_.helped;
        if lesson.status == LessonStatus::UnderReview || (recalled && harmful) {
            self.doubtful.push(lesson);
        }
    }
}

pub(crate) fn health(reader: &Reader) -> Result<Health, Error> {
    let mut sums = Sums::default();
    let mut lessons = query::<KeptLesson>(Vec::new(), Order::ById, PAGE);
    loop {
        let page = reader.search::<KeptLesson>(&lessons)?;
        let last = page.len() < PAGE as usize;
        page.into_iter()
            .for_each(|(read, _)| sums.take(read.noun.lesson));
        if last {
            break;
        }
        lessons.offset += PAGE;
    }
    sums.doubtful
        .sort_by(|left, right| left.reliability.total_cmp(&right.reliability));
    sums.doubtful.truncate(LISTED);
    let newest = query::<Episode>(Vec::new(), newest("ended-at"), EPISODES);
    let mut episodes: Vec<_> = reader
        .search::<Episode>(&newest)?
        .into_iter()
        .map(|(read, _)| read.noun)
        .collect();
    let deleted = shelf::deleted_among(reader, episodes.iter().map(|one| one.id.as_str()))?;
    episodes.retain(|episode| !deleted.contains(&episode.id));
    episodes.reverse();
    let (before, now) = episodes.split_at(episodes.len() / 2);
    Ok(Health {
        lessons: by_status(reader)?,
        shown: sums.shown,
        withheld: sums.withheld,
        helped: sums.helped,
        harmed: sums.harmed,
        judged: sums.judged,
        retrieval_precision: share(f64::from(sums.helped), sums.judged),
        utility: share(sums.utility, sums.measured),
        failures_per_run_before: failures_per_run(before),
        failures_per_run_now: failures_per_run(now),
        recurring: recurring(reader)?,
        contradictions: open_contradictions(reader)?,
        doubtful: sums.doubtful,
        stale: stale(reader)?,
        stability: stability(&episodes),
    })
}

fn by_status(reader: &Reader) -> Result<LessonsByStatus, Error> {
    let count =
        |status: LessonStatus| reader.count(Kind::Lesson, &[equals("status", status.as_str())]);
    Ok(LessonsByStatus {
        candidate: count(LessonStatus::Candidate)?,
        promoted: count(LessonStatus::Promoted)?,
        under_review: count(LessonStatus::UnderReview)?,
        suppressed: count(LessonStatus::Suppressed)?,
        deprecated: count(LessonStatus::Deprecated)?,
        archived: count(LessonStatus::Archived)?,
    })
}

/// The failures that were seen most, with the lessons that answer them.
fn recurring(reader: &Reader) -> Result<Vec<RecurringFailure>, Error> {
    let most = query::<Known>(Vec::new(), newest("occurrences"), LISTED as u32);
    let mut recurring = Vec::new();
    for (read, _) in reader.search::<Known>(&most)? {
        let known = read.noun;
        let met = EventFilter {
            fingerprint: Some(known.fingerprint.id.clone()),
            run: None,
            domain: None,
            tag: None,
            limit: Some(1),
        };
        // Deleted episodes alone may have met it.
        let is_met = known.pruned > 0 || !shelf::found_events(reader, &met)?.is_empty();
        if known.occurrences < 2 || !is_met {
            continue;
        }
        recurring.push(RecurringFailure {
            lessons: answers(reader, &known.fingerprint.id)?,
            occurrences: known.occurrences,
            runs: known.runs,
            last_at: known.last_at,
            fingerprint: known.fingerprint,
        });
    }
    Ok(recurring)
}

/// The lessons that answer a failure and are recalled.
fn answers(reader: &Reader, fingerprint: &str) -> Result<Vec<String>, Error> {
    let conditions = vec![equals("fingerprint", fingerprint), recalled()];
    let query = query::<KeptLesson>(conditions, newest("updated-at"), LISTED as u32);
    let found = reader.search::<KeptLesson>(&query)?;
    let lessons = found.into_iter().map(|(read, _)| read.noun.lesson.id);
    Ok(lessons.collect())
}

/// Contradictions between lessons that are both recalled.
fn open_contradictions(reader: &Reader) -> Result<Vec<Link>, Error> {
    let conditions = vec![equals("relation", Relation::Contradicts.as_str())];
    let links = reader.search::<Link>(&query::<Link>(conditions, newest("at"), PAGE))?;
    let mut open = Vec::new();
    for (read, _) in links {
        let ids = [read.noun.source.clone(), read.noun.target.clone()];
        let entries = entry::entries(reader, &ids)?;
        if entries.iter().filter(|entry| entry.is_recalled()).count() == ids.len() {
            open.push(read.noun);
        }
        if open.len() == LISTED {
            break;
        }
    }
    Ok(open)
}

/// Lessons that the next run archives.
fn stale(reader: &Reader) -> Result<Vec<String>, Error> {
    let now = reader.now();
    let old = endings::aged(reader, now, LISTED as u32)?;
    let entries = entry::entries(reader, &old)?;
    Ok(entries
        .into_iter()
        .filter(|entry| too_old(entry, now).is_some())
        .map(|entry| entry.kept.lesson.id)
        .collect())
}

fn share(sum: f64, count: u32) -> Option<f64> {
    (count > 0).then(|| sum / f64::from(count))
}

fn failures_per_run(episodes: &[Episode]) -> Option<f64> {
    let failures: u32 = episodes.iter().map(|episode| episode.failures).sum();
    share(f64::from(failures), episodes.len() as u32)
}

/// How the tasks of some episodes went, oldest first; those that regressed first, then those with most runs.
fn stability(episodes: &[Episode]) -> Vec<TaskStability> {
    let mut tasks: BTreeMap<String, Vec<&Episode>> = BTreeMap::new();
    for episode in episodes {
        if let Some(id) = task_id(&episode.domain, &episode.task) {
            tasks.entry(id).or_default().push(episode);
        }
    }
    let mut stability: Vec<_> = tasks
        .into_values()
        .filter(|runs| runs.len() >= 2)
        .map(|runs| of_task(&runs[runs.len().saturating_sub(RUNS_OF_TASK)..]))
        .collect();
    stability.sort_by(|left, right| {
        right
            .regressed
            .cmp(&left.regressed)
            .then(right.runs.cmp(&left.runs))
            .then_with(|| left.task.cmp(&right.task))
    });
    stability.truncate(LISTED);
    stability
}

fn of_task(runs: &[&Episode]) -> TaskStability {
    let (first, last) = (runs[0], runs[runs.len() - 1]);
    let passed = runs
        .iter()
        .filter(|run| run.outcome == Outcome::Success)
        .count();
    let (window, worse) = REGRESSION;
    let means: Vec<_> = runs
        .windows(window)
        .map(|runs| runs.iter().map(|run| f64::from(run.failures)).sum::<f64>() / window as f64)
        .collect();
    let regressed = match means.split_last() {
        Some((now, before)) => before.iter().any(|best| now - best > worse),
        None => false,
    };
    TaskStability {
        task: last.task.clone(),
        domain: last.domain.clone(),
        runs: runs.len() as u32,
        first_failures: first.failures,
        best_failures: runs.iter().map(|run| run.failures).min().unwrap_or(0),
        last_failures: last.failures,
        first_steps: first.steps,
        last_steps: last.steps,
        pass_rate: passed as f64 / runs.len() as f64,
        regressed,
    }
}
