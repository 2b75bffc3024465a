//! The acceptance criteria of the learning memory, each measured end to end: our tools, the sandboxed
//! adapter, the component, and an executor that nothing but the memory helps.

use std::sync::{OnceLock, atomic::AtomicBool};

use twiceshy::{Adapter, MapStore, MemoryComponent};
use twiceshy_experiment::{Arm, Fault, Lab, Phase, Plan, Report, RunMetrics, Site};

use crate::support::compiled;

/// Does a plan with the components.
pub fn perform(plan: &Plan) -> Report {
    let cache = compiled();
    let component = MemoryComponent::bundled(&cache).expect("the memory component");
    let lab = Lab {
        adapter: &Adapter::cli(&cache).expect("the adapter"),
        memories: &|site: &Site| {
            let memory = component.over(MapStore::new());
            Ok(Box::new(memory.clock(site.clock.clone()).build()))
        },
        executor: None,
        watch: &|_| {},
        stop: &AtomicBool::new(false),
        threads: 2,
    };
    lab.perform(plan).expect("an experiment")
}

/// One experiment for all criteria but the first.
fn report() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| {
        perform(&Plan {
            seeds: 6,
            first_seed: 101,
            runs: [12, 8, 4, 2],
            evaluator: true,
        })
    })
}

/// The mean of a value over runs.
fn mean(
    report: &Report,
    arm: Arm,
    wanted: impl Fn(&RunMetrics) -> bool,
    value: impl Fn(&RunMetrics) -> u32,
) -> f64 {
    let of: Vec<_> = report
        .runs
        .iter()
        .filter(|run| run.arm == arm && wanted(run))
        .collect();
    assert!(!of.is_empty(), "there are such runs");
    of.iter().map(|run| f64::from(value(run))).sum::<f64>() / of.len() as f64
}

#[test]
fn the_memory_works_without_contracts_made_for_a_task() {
    // Nobody tells the memory whether a run succeeded: it has the signals of the steps and nothing else.
    let report = perform(&Plan {
        seeds: 4,
        first_seed: 201,
        runs: [8, 8, 1, 1],
        evaluator: false,
    });
    for phase in [Phase::A, Phase::B] {
        let errors = |arm| {
            mean(
                &report,
                arm,
                |run| run.phase == phase && run.run > 2,
                |run| run.tool_errors,
            )
        };
        let (with, without) = (errors(Arm::Memory), errors(Arm::NoMemory));
        assert!(
            with < 0.3 * without,
            "{phase:?}: {with} of {without} errors a run"
        );
    }
    let promoted = mean(
        &report,
        Arm::Memory,
        |run| run.phase == Phase::D,
        |run| run.promoted,
    );
    assert!(promoted >= 1.0, "{promoted} lessons were promoted");
}

#[test]
fn key_errors_of_a_new_tool_recur_less_over_the_runs() {
    let recurring = |arm, runs: std::ops::RangeInclusive<u32>| {
        mean(
            report(),
            arm,
            |run| run.phase == Phase::B && runs.contains(&run.run),
            |run| run.recurring_errors,
        )
    };
    let (early, late) = (recurring(Arm::Memory, 2..=3), recurring(Arm::Memory, 6..=8));
    assert!(
        late < early || late == 0.0,
        "{early} at first, {late} later"
    );
    let without = recurring(Arm::NoMemory, 6..=8);
    assert!(
        late < 0.2 * without,
        "{late} with memory, {without} without"
    );
}

#[test]
fn tool_a_does_not_get_worse_by_learning_tool_b() {
    let steps = |phase, first| {
        mean(
            report(),
            Arm::Memory,
            // A run from which a lesson is withheld is the price of measuring, and falls to either side by lot.
            |run| run.phase == phase && run.run >= first && run.withheld == 0,
            |run| run.steps,
        )
    };
    let (before, after) = (steps(Phase::A, 6), steps(Phase::C, 1));
    assert!(
        after <= 1.05 * before,
        "{before} steps a run before, {after} after"
    );
}

#[test]
fn suppression_strikes_harmful_and_contradictory_lessons() {
    for fault in [Fault::Harmful, Fault::Contradictory] {
        let suppressed = report()
            .plantings
            .iter()
            .filter(|planting| planting.fault == fault && planting.status == "suppressed");
        assert!(
            suppressed.count() >= 1,
            "{fault:?}: {:#?}",
            report().plantings
        );
    }
}

#[test]
fn a_shown_lesson_helps_more_often_than_it_harms() {
    for arm in [Arm::Memory, Arm::Planted] {
        let helped = mean(report(), arm, |_| true, |run| run.helped);
        let harmed = mean(report(), arm, |_| true, |run| run.harmed);
        assert!(
            helped > 4.0 * harmed,
            "{arm:?}: {helped} helped, {harmed} harmed, a run"
        );
    }
}
