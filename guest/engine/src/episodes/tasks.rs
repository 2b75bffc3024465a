//! Tasks: what is known about a task from all its runs.
//!
//! Owns which failures a task brings, what they cost without help, what worked in it, and how its runs go. Runs of the
//! same words in the same domain are runs of the same task.

use serde::{Deserialize, Serialize};
use twiceshy_wit::{host::Attribute, memory::Episode};

use crate::{
    events::causes::{Causes, Cost},
    limits,
    store::{Kind, Noun, digest, number, text},
    text as terms,
    usefulness::TaskBaseline,
    ways::{WAYS, Way},
};

/// A task as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Task {
    pub(crate) id: String,
    pub(crate) task: String,
    pub(crate) domain: String,
    /// All its runs.
    pub(crate) runs: u32,
    /// Its runs in which nothing was shown, neither a lesson nor experience.
    pub(crate) unaided: Course,
    /// Its runs in which something was shown, and no lesson did anything.
    #[serde(default)]
    pub(crate) unhelped: Course,
    /// The failures it brings, in the order of their first appearance.
    pub(crate) failures: Vec<TaskFailure>,
    pub(crate) last_at: u64,
    /// The fewest steps in which it succeeded.
    #[serde(default)]
    pub(crate) fewest_steps: Option<u32>,
    /// What worked in its latest runs, those of the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) ways: Vec<Way>,
}

/// How some runs went, added up.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Course {
    pub(crate) runs: u32,
    pub(crate) failures: f64,
    pub(crate) steps: f64,
    /// By referees other than the signals.
    pub(crate) score: f64,
    pub(crate) scored_runs: u32,
    pub(crate) passes: u32,
}

/// A failure that a task brings.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct TaskFailure {
    pub(crate) fingerprint: String,
    /// Runs in which a lesson that answers it was shown.
    pub(crate) treated_runs: u32,
    /// What it cost in all other runs, in failed steps.
    pub(crate) untreated_cost: f64,
    pub(crate) last_at: u64,
    /// The actions that met it, and what each of them cost.
    #[serde(default, skip_serializing_if = "Causes::is_empty")]
    pub(crate) causes: Causes,
}

/// Causes that are kept of one failure of a task.
const CAUSES: usize = 4;

/// Runs of a task whose ways are kept.
const RUNS: usize = 8;

impl Noun for Task {
    const KIND: Kind = Kind::Task;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![
            text("domain", &self.domain),
            number("last-at", self.last_at as f64),
        ]
    }

    fn terms(&self) -> String {
        terms::indexed(&self.task).join(" ")
    }
}

/// The id of a task: its words and its domain. None for a run without a task.
pub(crate) fn task_id(domain: &str, task: &str) -> Option<String> {
    let words = terms::terms(task).join(" ");
    (!words.is_empty()).then(|| format!("task_{}", digest(&[domain, &words])))
}

/// A run that ended, as its task takes it in.
#[derive(Clone, Copy)]
pub(crate) struct EndedRun<'e> {
    pub(crate) episode: &'e Episode,
    /// Whether the run was shown experience.
    pub(crate) told_experience: bool,
    pub(crate) passed: bool,
    /// Its score, by a referee other than the signals.
    pub(crate) score: Option<f64>,
}

impl Task {
    pub(crate) fn new(id: String, episode: &Episode) -> Self {
        Self {
            id,
            task: episode.task.clone(),
            domain: episode.domain.clone(),
            runs: 0,
            unaided: Course::default(),
            unhelped: Course::default(),
            failures: Vec::new(),
            last_at: 0,
            fewest_steps: None,
            ways: Vec::new(),
        }
    }

    /// What failures of a kind cost in a run in which no lesson that answers them was shown: the mean, and
    /// from how many runs it is known. Only the causes that `is_about` says count, all of them without it.
    pub(crate) fn untreated(
        &self,
        fingerprint: &str,
        is_about: Option<&dyn Fn(&str) -> bool>,
    ) -> (f64, u32) {
        let known = self
            .failures
            .iter()
            .find(|failure| failure.fingerprint == fingerprint);
        let Some(failure) = known else {
            return (0.0, self.runs);
        };
        let (treated_runs, cost) = match is_about.filter(|_| !failure.causes.is_empty()) {
            None => (failure.treated_runs, failure.untreated_cost),
            Some(is_about) => {
                let causes = failure.causes.about(is_about);
                causes.fold((0, 0.0), |(treated, cost), cause| {
                    (treated.max(cause.treated_runs), cost + cause.untreated_cost)
                })
            }
        };
        match self.runs.saturating_sub(treated_runs) {
            0 => (0.0, 0),
            runs => (cost / f64::from(runs), runs),
        }
    }

    /// How its runs go without any help: when nothing was shown, or else when no lesson did anything.
    pub(crate) fn baseline(&self) -> TaskBaseline {
        let course = match self.unaided.runs {
            0 => &self.unhelped,
            _ => &self.unaided,
        };
        let mean = |sum: f64| sum / f64::from(course.runs.max(1));
        TaskBaseline {
            runs: course.runs,
            failures: mean(course.failures),
            steps: mean(course.steps),
            score: match course.scored_runs {
                0 => None,
                scored => Some(course.score / f64::from(scored)),
            },
            pass_rate: mean(f64::from(course.passes)),
        }
    }

    /// The failures it brings, the ones seen last first.
    pub(crate) fn latest_failures(&self) -> Vec<String> {
        let mut failures: Vec<_> = self.failures.iter().collect();
        failures.sort_by_key(|failure| std::cmp::Reverse(failure.last_at));
        failures
            .into_iter()
            .map(|failure| failure.fingerprint.clone())
            .collect()
    }

    /// Takes in a run: what each failure cost, and which failures a lesson did something about: by fingerprint, and by
    /// fingerprint and action.
    pub(crate) fn take(
        &mut self,
        ended: &EndedRun,
        costs: &[Cost],
        treated: &[String],
        is_treated: &dyn Fn(&str, &str) -> bool,
    ) {
        let EndedRun {
            episode,
            told_experience,
            passed,
            score,
        } = *ended;
        let seen = costs.iter().map(|cost| &cost.fingerprint);
        for fingerprint in seen.chain(treated) {
            self.failure(fingerprint);
        }
        for failure in &mut self.failures {
            let id = failure.fingerprint.as_str();
            let own: Vec<_> = costs.iter().filter(|cost| cost.fingerprint == id).collect();
            if treated.iter().any(|treated| treated == id) {
                failure.treated_runs += 1;
            } else {
                let steps: u32 = own.iter().map(|cost| cost.steps).sum();
                failure.untreated_cost += f64::from(steps);
            }
            let is_treated = |action: &str| is_treated(id, action);
            failure
                .causes
                .take(&own, &is_treated, CAUSES, episode.ended_at);
            if !own.is_empty() {
                failure.last_at = failure.last_at.max(episode.ended_at);
            }
        }
        if episode.lessons.is_empty() && !told_experience {
            self.unaided.add(episode, passed, score);
        } else if treated.is_empty() {
            self.unhelped.add(episode, passed, score);
        }
        if passed {
            let fewest = self.fewest_steps.unwrap_or(u32::MAX);
            self.fewest_steps = Some(fewest.min(episode.steps));
        }
        self.runs += 1;
        self.last_at = self.last_at.max(episode.ended_at);
    }

    /// Takes in what worked in a run, at its end. Of more than a few runs the latest are kept.
    pub(crate) fn take_ways(&mut self, ways: &[Way]) {
        let last = &ways[ways.len().saturating_sub(WAYS)..];
        self.ways.extend_from_slice(last);
        let mut runs = Vec::new();
        for way in self.ways.iter().rev() {
            if !runs.contains(&way.run) {
                runs.push(way.run.clone());
            }
        }
        runs.truncate(RUNS);
        self.ways.retain(|way| runs.contains(&way.run));
    }

    /// Enters a failure if there is room: the one that was not seen for longest makes room.
    fn failure(&mut self, fingerprint: &str) {
        let known = |failure: &TaskFailure| failure.fingerprint == fingerprint;
        if self.failures.iter().any(known) {
            return;
        }
        if self.failures.len() >= limits::FINGERPRINTS_PER_RUN {
            let oldest = (0..self.failures.len()).min_by_key(|at| self.failures[*at].last_at);
            self.failures.remove(oldest.unwrap_or(0));
        }
        self.failures.push(TaskFailure {
            fingerprint: fingerprint.to_owned(),
            treated_runs: 0,
            untreated_cost: 0.0,
            last_at: 0,
            causes: Causes::default(),
        });
    }
}

impl Course {
    /// Adds a run; `score` only by a referee other than the signals.
    pub(crate) fn add(&mut self, episode: &Episode, passed: bool, score: Option<f64>) {
        self.runs += 1;
        self.failures += f64::from(episode.failures);
        self.steps += f64::from(episode.steps);
        self.passes += u32::from(passed);
        if let Some(score) = score {
            self.score += score;
            self.scored_runs += 1;
        }
    }
}
