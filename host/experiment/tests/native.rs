//! The experiment over the native engine: what it promises of itself, whatever the memory is like.

mod support;

use std::sync::OnceLock;

use support::perform;
use twiceshy_experiment::{Arm, Paint, Phase, Plan, Report, RunMetrics, page, table};

fn report() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| {
        let plan = Plan {
            seeds: 3,
            first_seed: 1,
            runs: [4, 4, 2, 2],
            evaluator: true,
        };
        perform(&plan, &|_| {})
    })
}

fn runs(arm: Arm) -> impl Iterator<Item = &'static RunMetrics> {
    report().runs.iter().filter(move |run| run.arm == arm)
}

#[test]
fn without_memory_the_executor_solves_everything_and_learns_nothing() {
    assert!(runs(Arm::NoMemory).all(|run| run.passed && run.lesson_activations == 0));
    // With documentation it is better than later without: nothing carries over.
    for seed in 1..=3 {
        let errors = |number| {
            let mut of = runs(Arm::NoMemory);
            let of = of.find(|run| run.seed == seed && run.phase == Phase::A && run.run == number);
            of.expect("a run").tool_errors
        };
        assert!(errors(1) < errors(2) && errors(1) < errors(4));
    }
}

#[test]
fn arms_differ_in_nothing_until_the_memory_knows_something() {
    let first = |arm: Arm| -> Vec<_> {
        runs(arm)
            .filter(|run| run.ordinal == 1)
            .map(|run| (run.seed, run.steps, run.tool_errors, run.fingerprints))
            .collect()
    };
    assert_eq!(first(Arm::Memory), first(Arm::NoMemory));
}

#[test]
fn seeds_differ() {
    let of = |seed| -> Vec<_> {
        let of = runs(Arm::NoMemory).filter(|run| run.seed == seed);
        of.map(|run| run.tool_errors).collect()
    };
    assert_ne!(of(1), of(2));
}

#[test]
fn planted_lessons_are_in_the_planted_memories_only() {
    let seeds: Vec<_> = report()
        .plantings
        .iter()
        .map(|planting| planting.seed)
        .collect();
    for seed in 1..=3 {
        assert_eq!(seeds.iter().filter(|one| **one == seed).count(), 7);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let plan = &report().plan;
    let one_by_one = (1..=3)
        .map(|seed| {
            let plan = Plan {
                seeds: 1,
                first_seed: seed,
                ..plan.clone()
            };
            perform(&plan, &|_| {})
        })
        .reduce(Report::with)
        .expect("three reports");
    let json = |report: &Report| serde_json::to_string(report).expect("JSON");
    assert!(json(report()) == json(&one_by_one));
}

#[test]
fn both_forms_of_the_report_name_every_check() {
    let (text, page) = (table(report(), Paint::Plain), page(report()));
    assert_eq!(report().checks.len(), 10);
    for check in &report().checks {
        assert!(
            text.contains(&check.name) && page.contains(&check.name),
            "{}",
            check.name
        );
    }
    assert!(!text.contains('\x1b') && table(report(), Paint::Colours).contains('\x1b'));
}

#[test]
fn every_run_is_measured_by_what_happened_in_it() {
    for run in &report().runs {
        assert!((0.0..=1.0).contains(&run.score), "{run:?}");
        assert!(run.steps >= run.tool_errors, "{run:?}");
        assert!(
            !run.passed || run.steps - run.tool_errors >= run.needed_steps,
            "{run:?}"
        );
        assert!(run.fingerprints <= run.tool_errors, "{run:?}");
        assert!(run.recurring_errors <= run.tool_errors, "{run:?}");
        assert!(run.helped + run.harmed <= run.judged, "{run:?}");
        assert!(run.judged <= run.lesson_activations, "{run:?}");
        let precision = (run.judged > 0).then(|| f64::from(run.helped) / f64::from(run.judged));
        assert_eq!(run.retrieval_precision, precision, "{run:?}");
    }
    // Of two runs that solve the same task, the one with fewer steps scores at least as well.
    let solved = || report().runs.iter().filter(|run| run.passed);
    for (one, other) in solved().flat_map(|one| solved().map(move |other| (one, other))) {
        if one.task == other.task && one.steps < other.steps {
            assert!(one.score >= other.score, "{one:?} {other:?}");
        }
    }
    // Where nothing is known yet, nothing recurs and nothing is shown.
    for run in report().runs.iter().filter(|run| run.ordinal == 1) {
        assert_eq!(run.recurring_errors, 0, "{run:?}");
    }
}

#[test]
fn with_a_memory_failures_recur_less_and_lessons_are_shown_promoted_and_suppressed() {
    let sum = |arm: Arm, of: fn(&RunMetrics) -> u32| runs(arm).map(of).sum::<u32>();
    for of in [
        (|run| run.recurring_errors) as fn(&RunMetrics) -> u32,
        |run| run.tool_errors,
        |run| run.steps,
    ] {
        assert!(sum(Arm::Memory, of) < sum(Arm::NoMemory, of));
    }
    let counts: [fn(&RunMetrics) -> u32; 3] = [
        |run| run.lesson_activations,
        |run| run.promoted,
        |run| run.suppressed,
    ];
    for of in counts {
        assert_eq!(sum(Arm::NoMemory, of), 0);
        assert!(sum(Arm::Planted, of) > 0);
    }
    assert!(sum(Arm::Memory, counts[0]) > 0 && sum(Arm::Memory, counts[1]) > 0);
}
