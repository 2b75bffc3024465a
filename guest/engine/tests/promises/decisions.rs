//! What decisions say together: how modules fare, why hypotheses are rejected, whether it converges.

use twiceshy_wit::memory::{DecisionStats, Decisions, NewDecision};

use crate::support::{DAY, World};

const TYPES: &str = "mypy error: Incompatible return type";
const TESTS: &str = "pytest: 2 failed";
const SYNTAX: &str = "SyntaxError: invalid syntax";
const PRINCIPLE: &str = "Principle violation: global state";

fn record(world: &World, module: &str, outcome: &str, reason: Option<&str>) {
    world.pass(DAY);
    let decision = NewDecision {
        module: module.to_owned(),
        hypothesis: format!("Idea of day {}", world.clock.get() / DAY),
        description: None,
        outcome: outcome.to_owned(),
        rationale: Some("measured".to_owned()),
        rejection_reason: reason.map(str::to_owned),
    };
    Decisions::record(&world.engine(), &decision).unwrap();
}

fn stats(world: &World) -> DecisionStats {
    world.engine().stats().unwrap()
}

#[test]
fn a_group_of_rejections_has_the_name_that_the_statistics_count_it_by() {
    let world = World::new();
    for reason in [TYPES, TYPES, TYPES, TESTS, TESTS, SYNTAX] {
        record(&world, "evolution", "rejected", Some(reason));
    }
    let groups = world.engine().failure_patterns("evolution").unwrap();
    let groups: Vec<_> = groups
        .iter()
        .map(|group| (group.pattern.as_str(), group.count))
        .collect();
    let counted = stats(&world).rejection_reasons;
    let counted: Vec<_> = counted
        .iter()
        .map(|reason| (reason.name.as_str(), reason.count))
        .collect();
    assert_eq!(
        groups,
        [("Type error", 3), ("Test failure", 2), ("Syntax error", 1)]
    );
    assert_eq!(groups, counted);
}

#[test]
fn each_module_has_its_own_numbers() {
    let world = World::new();
    for (module, outcomes) in [
        ("evolution", ["accepted", "rejected", "rejected", "held"]),
        (
            "experiment",
            ["accepted", "accepted", "accepted", "rejected"],
        ),
    ] {
        for outcome in outcomes {
            record(
                &world,
                module,
                outcome,
                (outcome == "rejected").then_some(TESTS),
            );
        }
    }
    let modules = stats(&world).modules;
    let modules: Vec<_> = modules
        .iter()
        .map(|one| (one.module.as_str(), one.accepted, one.rejected, one.held))
        .collect();
    assert_eq!(modules, [("evolution", 1, 2, 1), ("experiment", 3, 1, 0)]);
}

#[test]
fn the_hardest_modules_come_in_the_order_of_their_reject_rate() {
    let world = World::new();
    for (module, accepted, rejected) in [
        ("easy", 4, 0),
        ("middling", 6, 6),
        ("hard", 1, 3),
        ("hardest", 0, 3),
        ("seldom", 0, 2),
    ] {
        for _ in 0..accepted {
            record(&world, module, "accepted", None);
        }
        for _ in 0..rejected {
            record(&world, module, "rejected", Some(TESTS));
        }
    }
    let hardest = stats(&world).hardest_modules;
    let hardest: Vec<_> = hardest
        .iter()
        .map(|one| (one.module.as_str(), one.reject_rate))
        .collect();
    // Two decisions say nothing yet, and a module without a rejection is not hard.
    assert_eq!(
        hardest,
        [("hardest", 1.0), ("hard", 0.75), ("middling", 0.5)]
    );
}

#[test]
fn the_reasons_for_rejection_come_by_how_common_they_are() {
    let world = World::new();
    for (reason, count) in [(SYNTAX, 1), (TESTS, 4), (PRINCIPLE, 2), (TYPES, 3)] {
        for _ in 0..count {
            record(&world, "evolution", "rejected", Some(reason));
        }
    }
    record(&world, "evolution", "rejected", Some("nobody liked it"));
    record(&world, "evolution", "accepted", None);
    let reasons = stats(&world).rejection_reasons;
    let reasons: Vec<_> = reasons
        .iter()
        .map(|reason| (reason.name.as_str(), reason.count))
        .collect();
    assert_eq!(
        reasons,
        [
            ("Test failure", 4),
            ("Type error", 3),
            ("Principle violation", 2),
            ("Other", 1),
            ("Syntax error", 1)
        ]
    );
}

#[test]
fn whether_it_converges_is_seen_by_the_share_that_is_accepted_over_time() {
    let world = World::new();
    // Of every ten days one more is accepted than of the ten before.
    for tenth in 0..10 {
        for day in 0..10 {
            let outcome = if day < tenth { "accepted" } else { "rejected" };
            record(
                &world,
                "evolution",
                outcome,
                (outcome == "rejected").then_some(TESTS),
            );
        }
    }
    let periods = stats(&world).acceptance;
    assert_eq!(periods.len(), 10);
    let counted: u32 = periods.iter().map(|one| one.accepted + one.rejected).sum();
    assert_eq!(counted, 100);
    for pair in periods.windows(2) {
        assert!(
            pair[0].start < pair[1].start && pair[0].acceptance_rate < pair[1].acceptance_rate,
            "{pair:?}"
        );
    }
}
