//! What the runs of some models teach about the failures of another.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_text::terms::term_set;
use twiceshy_wit::{adapter::Step, memory::Hint};

use super::{Failure, Inquiry, MEMORY, Measure, leave_one_out};
use crate::{
    advice::Advice,
    baseline::{Baseline, Past},
    command::Way,
    data::{ShellRun, ShellStep},
    report::{Answer, Row},
    setting::Mind,
};

/// Replays a run, and gives the hints after each of its steps: none after what a hook does not tell.
fn replay(mind: &mut Mind, way: Way, run: &ShellRun, is_finished: bool) -> Vec<Vec<Hint>> {
    mind.works(run.agent());
    let is_told = |step: &&ShellStep| way.tells(&step.action);
    let steps: Vec<Step> = run
        .steps
        .iter()
        .filter(is_told)
        .map(|step| match step.valid {
            true => way.success(&step.action, &step.observation),
            false => way.failure(&step.action, &step.observation),
        })
        .collect();
    let mut hints = mind.run(&run.task, &steps, is_finished).into_iter();
    let hints_after = |step: &ShellStep| match is_told(&step) {
        true => hints.next().unwrap_or_default(),
        false => Vec::new(),
    };
    run.steps.iter().map(hints_after).collect()
}

/// The failures of a run after which something worked, with the words that it brought.
fn overcome(run: &ShellRun) -> Vec<(usize, usize, BTreeSet<String>)> {
    let mut overcome = Vec::new();
    for (place, step) in run.steps.iter().enumerate().filter(|(_, step)| !step.valid) {
        let later = run
            .steps
            .iter()
            .skip(place + 1)
            .position(|later| later.valid);
        let Some(later) = later.map(|later| place + 1 + later) else {
            continue;
        };
        let before = term_set(&step.action);
        let new: BTreeSet<_> = term_set(&run.steps[later].action)
            .difference(&before)
            .cloned()
            .collect();
        if !new.is_empty() {
            overcome.push((place, later, new));
        }
    }
    overcome
}

/// Whether advice brings at least half of the words that the next working command brings.
pub(super) fn answer(advice: Option<&Advice>, new: &BTreeSet<String>) -> Answer {
    let Some(advice) = advice else {
        return Answer::Silent;
    };
    let brought = term_set(advice.correct.as_deref().unwrap_or_default());
    match 2 * brought.intersection(new).count() >= new.len() {
        true => Answer::Right,
        false => Answer::Wrong,
    }
}

/// For each model, the runs of all others are learned, then its own are replayed.
pub fn between_models(inquiry: &Inquiry) -> Vec<Row> {
    let mut models: BTreeMap<&str, Vec<&ShellRun>> = BTreeMap::new();
    for run in &inquiry.data.runs {
        models.entry(run.model()).or_default().push(run);
    }
    between(inquiry, Measure::Transfer, models.into_iter().collect())
}

/// Every other run is learned, then the rest is replayed; and the other way round.
pub fn between_halves(inquiry: &Inquiry) -> Vec<Row> {
    let half = |first: usize| inquiry.data.halves.iter().skip(first).step_by(2).collect();
    let halves = vec![("first half", half(0)), ("second half", half(1))];
    between(inquiry, Measure::Halves, halves)
}

/// For each part, the runs of all others are learned, then its own are replayed.
fn between(inquiry: &Inquiry, measure: Measure, parts: Vec<(&str, Vec<&ShellRun>)>) -> Vec<Row> {
    let mut row = inquiry.row(measure, MEMORY);
    let named = |baseline: Baseline| (baseline, inquiry.row(measure, baseline.name()));
    let mut baselines: Vec<_> = Baseline::ALL.into_iter().map(named).collect();
    leave_one_out(
        inquiry.mind(),
        0..parts.len(),
        &mut |mind, model| {
            for run in &parts[model].1 {
                replay(mind, inquiry.way, run, true);
            }
        },
        &mut |mind, model| {
            let others = parts
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != model);
            let past: Vec<_> = others
                .flat_map(|(_, (_, runs))| runs)
                .flat_map(|run| {
                    let past = |(failed, worked, _): (usize, usize, _)| Past {
                        error: run.steps[failed].observation.clone(),
                        command: run.steps[failed].action.clone(),
                        next: run.steps[worked].action.clone(),
                    };
                    overcome(run).into_iter().map(past)
                })
                .collect();
            let index = |(baseline, row)| {
                let baseline: Baseline = baseline;
                (baseline.index(past.clone()), row)
            };
            let mut indexes: Vec<_> = baselines
                .iter_mut()
                .map(|(baseline, row)| index((*baseline, row)))
                .collect();
            let (name, runs) = &parts[model];
            // Runs that never end teach nothing, so that all of a half can be asked in one memory.
            let mut asked = mind.copy();
            for run in runs {
                let overcome = overcome(run);
                if overcome.is_empty() {
                    continue;
                }
                if measure == Measure::Transfer {
                    asked = mind.copy();
                }
                let hints = replay(&mut asked, inquiry.way, run, false);
                for (place, later, new) in &overcome {
                    let failed = &run.steps[*place];
                    let hint = hints[*place].first();
                    let expected = [run.steps[*later].action.clone()];
                    let failure = Failure {
                        kind: name,
                        command: &failed.action,
                        output: &failed.observation,
                        names: &[],
                        expected: &expected,
                    };
                    let said = answer(hint.map(Advice::of).as_ref(), new);
                    inquiry.count(&mut row, said, &failure, hint);
                    for (index, row) in &mut indexes {
                        let best = index.best(&failed.observation, &failed.action);
                        row.add(answer(best.map(Past::advice).as_ref(), new));
                    }
                }
            }
        },
    );
    std::iter::once(row)
        .chain(baselines.into_iter().map(|(_, row)| row))
        .collect()
}
