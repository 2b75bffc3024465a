//! The required results, each measured and compared with its target.
//!
//! Owns what exactly is compared with what. A check whose phase was not done is left out.

use serde::Serialize;

use crate::{
    metrics::{Planting, RunMetrics},
    plan::{Arm, Phase},
    report::by_seed,
    statistics::{Interval, mean, median},
    tools::Tool,
};

/// By how much the second run must have fewer errors than the first.
const LEAST_DROP: f64 = 0.70;

/// How far retention may be from the best level that was reached.
const RETENTION: f64 = 1.05;

/// After how many runs that showed it a planted lesson must be gone.
const GONE_WITHIN: u32 = 10;

/// In how many runs a lesson must be shown before it can be suppressed for what it did.
const LEAST_EVIDENCE: u32 = 3;

/// The least share of shown lessons that help.
const LEAST_PRECISION: f64 = 0.8;

/// A required result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// What is required, in words.
    pub name: String,
    /// What was measured, in words.
    pub measured: String,
    /// What it must be, in words.
    pub target: String,
    /// Whether it is.
    pub ok: bool,
}

/// All checks for which there are runs.
pub(crate) fn of(runs: &[RunMetrics], plantings: &[Planting]) -> Vec<Check> {
    let mut checks = Vec::new();
    for phase in [Phase::A, Phase::B] {
        checks.extend(second_run(runs, phase));
    }
    checks.extend(retention(runs));
    checks.extend(transfer(runs));
    checks.extend(planted_gone(plantings));
    checks.extend(planted_harmless(runs));
    checks.extend(precision(runs));
    checks.extend(never_worse(runs));
    checks
}

/// The runs of one arm that are wanted.
fn pick(runs: &[RunMetrics], arm: Arm, wanted: impl Fn(&RunMetrics) -> bool) -> Vec<&RunMetrics> {
    let of = runs.iter().filter(|run| run.arm == arm && wanted(run));
    of.collect()
}

fn errors(run: &RunMetrics) -> f64 {
    f64::from(run.tool_errors)
}

fn steps(run: &RunMetrics) -> f64 {
    f64::from(run.steps)
}

/// Two arms compared seed by seed: the first less the second.
fn difference(one: &[&RunMetrics], other: &[&RunMetrics]) -> Option<Interval> {
    let (one, other) = (by_seed(one, &errors), by_seed(other, &errors));
    let pairs: Vec<f64> = one
        .iter()
        .zip(&other)
        .map(|(one, other)| one - other)
        .collect();
    Interval::of(&pairs)
}

fn second_run(runs: &[RunMetrics], phase: Phase) -> Vec<Check> {
    let of = |number| {
        pick(runs, Arm::Memory, |run| {
            run.phase == phase && run.run == number
        })
    };
    let (first, second) = (of(1), of(2));
    let Some(needed) = second.first().map(|run| run.needed_steps) else {
        return Vec::new();
    };
    let (before, after) = (
        mean(&by_seed(&first, &errors)),
        mean(&by_seed(&second, &errors)),
    );
    let drop = if before > 0.0 {
        1.0 - after / before
    } else {
        0.0
    };
    let taken = by_seed(&second, &steps);
    vec![
        Check {
            name: format!(
                "phase {}: the second run has fewer tool errors than the first",
                phase.letter()
            ),
            measured: format!("{:.0} % fewer ({before:.1} → {after:.1})", 100.0 * drop),
            target: format!("at least {:.0} % fewer", 100.0 * LEAST_DROP),
            ok: drop >= LEAST_DROP,
        },
        Check {
            name: format!(
                "phase {}: the second run takes no more steps than needed",
                phase.letter()
            ),
            measured: format!("median {:.0}, mean {:.1}", median(&taken), mean(&taken)),
            target: format!("median {needed}"),
            ok: median(&taken) <= f64::from(needed),
        },
    ]
}

/// The tool's level after another tool was learned, against the best that it had reached: the best three runs
/// in a row, because a single run is mostly noise.
fn retention(runs: &[RunMetrics]) -> Option<Check> {
    let again = pick(runs, Arm::Memory, |run| run.phase == Phase::C);
    if again.is_empty() {
        return None;
    }
    let level = |number: u32| {
        let of = pick(runs, Arm::Memory, |run| {
            run.phase == Phase::A && run.run == number
        });
        mean(&by_seed(&of, &steps))
    };
    let last = runs
        .iter()
        .filter(|run| run.phase == Phase::A)
        .map(|run| run.run)
        .max()?;
    let curve: Vec<f64> = (1..=last).map(level).collect();
    let best = curve
        .windows(curve.len().min(3))
        .map(mean)
        .min_by(f64::total_cmp)?;
    let now = mean(&by_seed(&again, &steps));
    Some(Check {
        name: "phase C: gridtool stays as good as it was before fluxtool was learned".into(),
        measured: format!(
            "{now:.2} steps a run, {best:.2} at its best ({:+.1} %)",
            100.0 * (now / best - 1.0)
        ),
        target: format!("at most {:.0} % more", 100.0 * (RETENTION - 1.0)),
        ok: now <= RETENTION * best,
    })
}

fn transfer(runs: &[RunMetrics]) -> Option<Check> {
    let of = |arm| pick(runs, arm, |run| run.phase == Phase::D && run.run == 1);
    let (with, without) = (of(Arm::Memory), of(Arm::NoMemory));
    let difference = difference(&with, &without)?;
    Some(Check {
        name: "phase D: the first run of another task has fewer errors than a cold one".into(),
        measured: format!(
            "{:.1} instead of {:.1} (difference {:.1} to {:.1})",
            mean(&by_seed(&with, &errors)),
            mean(&by_seed(&without, &errors)),
            difference.low,
            difference.high
        ),
        target: "fewer, beyond noise".into(),
        ok: difference.high < 0.0,
    })
}

/// Every bad lesson that was shown must go. One that was shown in fewer runs than suppression asks for as
/// evidence can't have been judged; such lessons are counted apart.
fn planted_gone(plantings: &[Planting]) -> Option<Check> {
    if plantings.is_empty() {
        return None;
    }
    let of =
        |wanted: &dyn Fn(&Planting) -> bool| plantings.iter().filter(|one| wanted(one)).count();
    let gone = of(&|one| one.gone.is_some() && one.shown_runs <= GONE_WITHIN);
    let late = of(&|one| one.gone.is_some() && one.shown_runs > GONE_WITHIN);
    let stays = of(&|one| one.gone.is_none() && one.shown_runs >= LEAST_EVIDENCE);
    let scarce = of(&|one| one.gone.is_none() && (1..LEAST_EVIDENCE).contains(&one.shown_runs));
    let never = of(&|one| one.gone.is_none() && one.shown_runs == 0);
    let slowest = plantings
        .iter()
        .filter(|one| one.gone.is_some())
        .map(|one| one.shown_runs)
        .max()
        .unwrap_or(0);
    Some(Check {
        name: "planted: every bad lesson that is shown is suppressed".into(),
        measured: format!(
            "{gone} gone after at most {slowest} runs that showed it, {late} later, {stays} not; \
             {scarce} shown in fewer than {LEAST_EVIDENCE} runs, {never} never shown"
        ),
        target: format!("all within {GONE_WITHIN} runs that show it"),
        ok: gone > 0 && late == 0 && stays == 0,
    })
}

/// The last runs of the plan, with and without planted lessons.
fn planted_harmless(runs: &[RunMetrics]) -> Option<Check> {
    let phase = runs.iter().map(|run| run.phase).max()?;
    let last = runs
        .iter()
        .filter(|run| run.phase == phase)
        .map(|run| run.run)
        .max()?;
    let of = |arm| pick(runs, arm, |run| run.phase == phase && run.run + 3 > last);
    let (with, without) = (of(Arm::Planted), of(Arm::Memory));
    let difference = difference(&with, &without)?;
    Some(Check {
        name: "planted: the final error rate is no worse than without bad lessons".into(),
        measured: format!(
            "{:.2} errors a run instead of {:.2} (difference {:+.2} to {:+.2})",
            mean(&by_seed(&with, &errors)),
            mean(&by_seed(&without, &errors)),
            difference.low,
            difference.high
        ),
        target: "no worse, beyond noise".into(),
        ok: difference.low <= 0.0,
    })
}

fn precision(runs: &[RunMetrics]) -> Option<Check> {
    let of = pick(runs, Arm::Memory, |_| true);
    let judged: u32 = of.iter().map(|run| run.judged).sum();
    let helped: u32 = of.iter().map(|run| run.helped).sum();
    let harmed: u32 = of.iter().map(|run| run.harmed).sum();
    if of.is_empty() {
        return None;
    }
    let share = f64::from(helped) / f64::from(judged.max(1));
    Some(Check {
        name: "retrieval precision: lessons that helped, of those that were shown and had something to do".into(),
        measured: format!("{share:.3} ({helped} of {judged}; {harmed} harmed)"),
        target: format!("at least {LEAST_PRECISION}"),
        ok: share >= LEAST_PRECISION,
    })
}

fn never_worse(runs: &[RunMetrics]) -> Option<Check> {
    let mut places = 0;
    let mut worse = Vec::new();
    for phase in Phase::ALL {
        for tool in Tool::ALL {
            let is_here = |run: &RunMetrics| run.phase == phase && run.tool == tool;
            let last = runs
                .iter()
                .filter(|run| is_here(run))
                .map(|run| run.run)
                .max();
            for number in 1..=last.unwrap_or(0) {
                let of = |arm| pick(runs, arm, |run| is_here(run) && run.run == number);
                let Some(difference) = difference(&of(Arm::Memory), &of(Arm::NoMemory)) else {
                    continue;
                };
                places += 1;
                if difference.low > 0.0 {
                    worse.push(format!("{} {} run {number}", phase.letter(), tool.name()));
                }
            }
        }
    }
    (places > 0).then(|| Check {
        name: "memory is never worse than no memory".into(),
        measured: match worse.is_empty() {
            true => format!("worse at none of {places} places"),
            false => format!("worse at {}", worse.join(", ")),
        },
        target: "nowhere, beyond noise".into(),
        ok: worse.is_empty(),
    })
}

#[cfg(test)]
mod tests;
