//! A check that is not met says so.

use super::*;
use crate::{executor::Following, planted::Fault};

/// A run in which nothing is remarkable.
fn run(arm: Arm, phase: Phase, seed: u32, number: u32, tool_errors: u32) -> RunMetrics {
    RunMetrics {
        seed,
        arm,
        phase,
        tool: Tool::Gridtool,
        task: "t",
        run: number,
        ordinal: number,
        docs: false,
        passed: true,
        score: 1.0,
        steps: 6 + tool_errors,
        needed_steps: 6,
        tool_errors,
        executor_troubles: 0,
        fingerprints: tool_errors,
        recurring_errors: 0,
        lesson_activations: 4,
        withheld: 0,
        helped: 4,
        harmed: 0,
        judged: 4,
        retrieval_precision: Some(1.0),
        following: Following::default(),
        promoted: 0,
        suppressed: 0,
    }
}

/// An experiment in which memory brings errors from ten down to `later`.
fn experiment(later: u32) -> Vec<RunMetrics> {
    let mut runs = Vec::new();
    for phase in Phase::ALL {
        for seed in 1..=5 {
            for number in 1..=4 {
                let with = if number == 1 && phase != Phase::C {
                    10
                } else {
                    later
                };
                let with = if phase == Phase::D && number == 1 {
                    later.max(1)
                } else {
                    with
                };
                runs.push(run(Arm::Memory, phase, seed, number, with));
                runs.push(run(Arm::Planted, phase, seed, number, with));
                runs.push(run(Arm::NoMemory, phase, seed, number, 10));
            }
        }
    }
    runs
}

fn planting(shown_runs: u32, gone: Option<u32>) -> Planting {
    Planting {
        seed: 1,
        lesson: "les_1".into(),
        fault: Fault::Harmful,
        tool: Tool::Gridtool,
        rule: "r",
        first_shown: Some(2),
        shown_runs,
        gone,
        status: String::new(),
        reason: String::new(),
    }
}

fn failed(runs: &[RunMetrics], plantings: &[Planting]) -> Vec<String> {
    let checks = of(runs, plantings);
    assert_eq!(checks.len(), 10);
    checks
        .into_iter()
        .filter(|check| !check.ok)
        .map(|check| check.name.split(':').next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn a_memory_that_helps_meets_all_checks() {
    assert_eq!(failed(&experiment(0), &[planting(3, Some(4))]), [""; 0]);
}

#[test]
fn a_memory_that_does_nothing_fails_what_asks_for_help() {
    let failed = failed(&experiment(10), &[planting(3, Some(4))]);
    assert_eq!(
        failed,
        ["phase A", "phase A", "phase B", "phase B", "phase D"]
    );
}

#[test]
fn a_planted_lesson_that_stays_or_goes_late_is_told() {
    for planting in [planting(3, None), planting(11, Some(20))] {
        assert_eq!(failed(&experiment(0), &[planting]), ["planted"]);
    }
    // One that was shown twice can't have been judged.
    assert_eq!(
        failed(&experiment(0), &[planting(2, None), planting(3, Some(5))]),
        [""; 0]
    );
}

#[test]
fn a_memory_that_forgets_or_harms_is_told() {
    let mut runs = experiment(0);
    for run in runs
        .iter_mut()
        .filter(|run| run.phase == Phase::C && run.arm == Arm::Memory)
    {
        run.tool_errors = 11;
        run.steps = 17;
        run.helped = 0;
        run.harmed = 4;
    }
    for run in runs
        .iter_mut()
        .filter(|run| run.phase == Phase::D && run.arm == Arm::Planted)
    {
        run.tool_errors += 2;
    }
    assert_eq!(
        failed(&runs, &[planting(3, Some(4))]),
        [
            "phase C",
            "planted",
            "retrieval precision",
            "memory is never worse than no memory"
        ]
    );
}
