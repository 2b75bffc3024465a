//! The report: every run, what they amount to, and the checks.

use serde::Serialize;

use crate::{
    checks::{self, Check},
    metrics::{Planting, RunMetrics},
    plan::{Arm, Phase, Plan},
    statistics::Interval,
    tools::Tool,
};

/// What an experiment found.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    /// What was done.
    pub plan: Plan,
    /// It was stopped early and is about the seeds that were finished.
    pub interrupted: bool,
    /// Whether all checks are met.
    pub ok: bool,
    /// The required results, measured.
    pub checks: Vec<Check>,
    /// What the runs amount to.
    pub levels: Vec<Level>,
    /// What became of the planted lessons.
    pub plantings: Vec<Planting>,
    /// Every run.
    pub runs: Vec<RunMetrics>,
}

/// The runs of one arm at one place in the plan, over all seeds. Without a run number, those of the whole phase.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Level {
    /// The arm.
    pub arm: Arm,
    /// The phase.
    pub phase: Phase,
    /// The tool.
    pub tool: Tool,
    /// The place among the runs of the phase, from 1.
    pub run: Option<u32>,
    /// Commands that failed, per run.
    pub tool_errors: Interval,
    /// Commands, per run.
    pub steps: Interval,
    /// Commands that the task takes.
    pub needed_steps: u32,
    /// The share of runs that passed.
    pub pass_rate: Interval,
    /// The evaluator's score.
    pub score: Interval,
    /// Lessons shown, per run.
    pub lesson_activations: Interval,
    /// Failures that an earlier run had already had, per run.
    pub recurring_errors: Interval,
    /// Promoted lessons in the memory.
    pub promoted: Interval,
    /// Suppressed lessons in the memory.
    pub suppressed: Interval,
    /// Helped of judged, over all runs together.
    pub retrieval_precision: Option<f64>,
}

impl Report {
    pub(crate) fn new(
        plan: Plan,
        runs: Vec<RunMetrics>,
        plantings: Vec<Planting>,
        interrupted: bool,
    ) -> Self {
        let checks = checks::of(&runs, &plantings);
        Self {
            interrupted,
            ok: !checks.is_empty() && checks.iter().all(|check| check.ok),
            checks,
            levels: levels(&runs),
            plan,
            plantings,
            runs,
        }
    }

    /// This report and another one about other seeds of the same plan, as one.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let plan = Plan {
            seeds: self.plan.seeds + other.plan.seeds,
            ..self.plan
        };
        let runs = [self.runs, other.runs].concat();
        let plantings = [self.plantings, other.plantings].concat();
        Self::new(plan, runs, plantings, self.interrupted || other.interrupted)
    }

    /// The learning curve of an arm in a phase with a tool.
    pub(crate) fn curve(&self, arm: Arm, phase: Phase, tool: Tool) -> Vec<&Level> {
        let levels = self.levels.iter();
        levels
            .filter(|level| level.is_of(arm, phase, tool) && level.run.is_some())
            .collect()
    }

    /// All runs of an arm in a phase with a tool.
    pub(crate) fn whole(&self, arm: Arm, phase: Phase, tool: Tool) -> Option<&Level> {
        self.levels
            .iter()
            .find(|level| level.is_of(arm, phase, tool) && level.run.is_none())
    }

    /// The same, from the third run.
    pub(crate) fn later(&self, arm: Arm, phase: Phase, tool: Tool) -> Option<Level> {
        let runs: Vec<&RunMetrics> = self
            .runs
            .iter()
            .filter(|run| run.arm == arm && run.phase == phase && run.tool == tool && run.run > 2)
            .collect();
        level(&runs, None)
    }

    /// What became of each planted lesson over all memories.
    pub(crate) fn fates(&self) -> Vec<Fate> {
        let mut fates: Vec<Fate> = Vec::new();
        for planting in &self.plantings {
            if fates.iter().any(|fate| fate.rule == planting.rule) {
                continue;
            }
            let of: Vec<&Planting> = self
                .plantings
                .iter()
                .filter(|other| other.rule == planting.rule)
                .collect();
            let gone = of.iter().filter(|one| one.gone.is_some());
            let until: Vec<u32> = gone.map(|one| one.shown_runs).collect();
            let shown = of.iter().filter(|one| one.first_shown.is_some()).count();
            fates.push(Fate {
                rule: planting.rule,
                fault: planting.fault.name(),
                tool: planting.tool.name(),
                memories: of.len(),
                shown,
                gone: until.len(),
                mean: until.iter().sum::<u32>() as f64 / until.len().max(1) as f64,
                slowest: until.iter().copied().max(),
                reason: of
                    .iter()
                    .map(|one| one.reason.as_str())
                    .find(|reason| !reason.is_empty())
                    .unwrap_or_default()
                    .to_owned(),
            });
        }
        fates
    }
}

/// What became of a planted lesson over all memories.
pub(crate) struct Fate {
    pub(crate) rule: &'static str,
    pub(crate) fault: &'static str,
    pub(crate) tool: &'static str,
    /// In how many memories it was planted, shown, and gone in the end.
    pub(crate) memories: usize,
    pub(crate) shown: usize,
    pub(crate) gone: usize,
    /// Runs that showed it until it was gone.
    pub(crate) mean: f64,
    pub(crate) slowest: Option<u32>,
    /// Why, in the words of one of the memories.
    pub(crate) reason: String,
}

impl Level {
    fn is_of(&self, arm: Arm, phase: Phase, tool: Tool) -> bool {
        self.arm == arm && self.phase == phase && self.tool == tool
    }
}

/// Every level that has runs.
fn levels(runs: &[RunMetrics]) -> Vec<Level> {
    let mut levels = Vec::new();
    for phase in Phase::ALL {
        for tool in Tool::ALL {
            for arm in Arm::ALL {
                let of: Vec<&RunMetrics> = runs
                    .iter()
                    .filter(|run| run.phase == phase && run.tool == tool && run.arm == arm)
                    .collect();
                let last = of.iter().map(|run| run.run).max().unwrap_or(0);
                let numbers = (1..=last).map(Some).chain([None]);
                levels.extend(numbers.filter_map(|number| {
                    let at: Vec<&RunMetrics> = of
                        .iter()
                        .copied()
                        .filter(|run| number.is_none_or(|number| run.run == number))
                        .collect();
                    level(&at, number)
                }));
            }
        }
    }
    levels
}

fn level(runs: &[&RunMetrics], run: Option<u32>) -> Option<Level> {
    let first = runs.first()?;
    let interval = |value: &dyn Fn(&RunMetrics) -> f64| Interval::of(&by_seed(runs, value));
    let judged: u32 = runs.iter().map(|run| run.judged).sum();
    let helped: u32 = runs.iter().map(|run| run.helped).sum();
    Some(Level {
        arm: first.arm,
        phase: first.phase,
        tool: first.tool,
        run,
        tool_errors: interval(&|run| f64::from(run.tool_errors))?,
        steps: interval(&|run| f64::from(run.steps))?,
        needed_steps: first.needed_steps,
        pass_rate: interval(&|run| f64::from(u8::from(run.passed)))?,
        score: interval(&|run| run.score)?,
        lesson_activations: interval(&|run| f64::from(run.lesson_activations))?,
        recurring_errors: interval(&|run| f64::from(run.recurring_errors))?,
        promoted: interval(&|run| f64::from(run.promoted))?,
        suppressed: interval(&|run| f64::from(run.suppressed))?,
        retrieval_precision: (judged > 0).then(|| f64::from(helped) / f64::from(judged)),
    })
}

/// The mean of a value for each seed, in the order of the seeds.
pub(crate) fn by_seed(runs: &[&RunMetrics], value: &dyn Fn(&RunMetrics) -> f64) -> Vec<f64> {
    let mut sums: std::collections::BTreeMap<u32, (f64, u32)> = std::collections::BTreeMap::new();
    for run in runs {
        let (sum, count) = sums.entry(run.seed).or_default();
        *sum += value(run);
        *count += 1;
    }
    sums.into_values()
        .map(|(sum, count)| sum / f64::from(count))
        .collect()
}
