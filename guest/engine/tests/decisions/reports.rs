//! Reports about decisions: by type, by list, by reason, in numbers.

use super::*;

#[test]
fn a_question_by_type_gives_a_record_or_patterns() {
    let world = World::new();
    let engine = world.engine();
    Decisions::record(
        &engine,
        &rejection("Cache parsed files", "SyntaxError: bad"),
    )
    .unwrap();
    let question = |query_type: &str| DecisionQuestion {
        module: MODULE.to_owned(),
        hypothesis: Some("cache the parsed files".to_owned()),
        description: None,
        query_type: query_type.to_owned(),
        days: None,
    };
    let answer = engine.query(&question("was_rejected")).unwrap();
    assert!(answer.found && answer.similarity == 1.0 && answer.record.is_some());
    assert!(!engine.query(&question("was-accepted")).unwrap().found);
    let answer = engine.query(&question("get_patterns")).unwrap();
    assert_eq!((answer.found, answer.patterns[0].count), (true, 1));
    assert!(matches!(
        engine.query(&question("was-held")),
        Err(Error::InvalidArgument(_))
    ));
}

#[test]
fn a_list_of_hypotheses_is_filtered_with_reasons_and_novel_ones_stay_in_order() {
    let world = World::new();
    let engine = world.engine();
    Decisions::record(
        &engine,
        &rejection("Add global registry", "Principle violation: global state"),
    )
    .unwrap();
    Decisions::record(&engine, &decision("Add type annotations", "accepted")).unwrap();
    let mut list = HypothesisList {
        module: MODULE.to_owned(),
        hypotheses: [
            "Zip the logs",
            "add a global registry",
            "Add type hints",
            "Index by date",
        ]
        .map(str::to_owned)
        .to_vec(),
        days: None,
        keep_rejected: None,
    };
    let filtered = engine.filter(&list).unwrap();
    assert_eq!(filtered.kept, ["Zip the logs", "Index by date"]);
    let reasons: Vec<_> = filtered
        .dropped
        .iter()
        .map(|dropped| dropped.reason.as_str())
        .collect();
    assert_eq!(
        reasons,
        [
            "rejected before: Principle violation: global state",
            "accepted before: because"
        ]
    );
    list.keep_rejected = Some(true);
    let filtered = engine.filter(&list).unwrap();
    assert_eq!(
        filtered.kept,
        ["Zip the logs", "add a global registry", "Index by date"]
    );
    world.pass(8 * DAY);
    assert_eq!(engine.filter(&list).unwrap().kept, list.hypotheses);
}

#[test]
fn rejections_are_grouped_by_their_reason_with_at_most_five_examples() {
    let world = World::new();
    let engine = world.engine();
    for number in 0..7 {
        world.pass(1_000);
        let reason = format!("mypy error: Incompatible return type {number}");
        Decisions::record(&engine, &rejection(&format!("Try {number}"), &reason)).unwrap();
    }
    for (hypothesis, reason) in [
        ("a1", "pytest: 2 failed"),
        ("a2", "the latest build contested it"),
        (
            "a3",
            "CodeJudge verdict: REJECT - Global state breaks composability",
        ),
        ("a4", "ModuleNotFoundError: no module named x"),
        ("a5", "SyntaxError: invalid syntax in tests/test_a.py"),
        ("a6", "pytest: 3 failed"),
    ] {
        Decisions::record(&engine, &rejection(hypothesis, reason)).unwrap();
    }
    let patterns = engine.failure_patterns(MODULE).unwrap();
    let counts: Vec<_> = patterns
        .iter()
        .map(|found| (found.pattern.as_str(), found.count))
        .collect();
    assert_eq!(
        counts,
        [
            ("Type error", 7),
            ("Test failure", 2),
            ("Import error", 1),
            ("Other", 1),
            ("Principle violation", 1),
            ("Syntax error", 1)
        ]
    );
    assert_eq!(patterns[0].examples.len(), 5);
    assert_eq!(
        patterns[0].examples[0],
        "mypy error: Incompatible return type 6"
    );
    assert_eq!(engine.failure_patterns("another").unwrap(), []);
    assert_eq!(engine.failure_patterns("").unwrap(), patterns);
}

#[test]
fn statistics_count_by_module_reason_and_time() {
    let world = World::new();
    let engine = world.engine();
    assert_eq!(engine.stats().unwrap().last_updated, None);
    for number in 0..40_u64 {
        world.pass(DAY);
        // Hard at first, later better.
        let outcome = if number < 20 && number % 4 != 0 {
            "rejected"
        } else {
            "accepted"
        };
        let new = NewDecision {
            module: if number < 10 { "hard" } else { "soft" }.to_owned(),
            rationale: Some("pytest failed".to_owned()),
            ..decision(&format!("Idea {number}"), outcome)
        };
        Decisions::record(&engine, &new).unwrap();
    }
    Decisions::record(&engine, &decision("Tension", "held")).unwrap();
    let stats = engine.stats().unwrap();
    assert_eq!(
        (
            stats.total_records,
            stats.accepted,
            stats.rejected,
            stats.held
        ),
        (41, 25, 15, 1)
    );
    assert_eq!(stats.rejection_reasons[0].name, "Test failure");
    assert_eq!(stats.rejection_reasons[0].count, 15);
    assert_eq!(stats.hardest_modules[0].module, "hard");
    assert_eq!(stats.hardest_modules[0].reject_rate, 0.7);
    assert_eq!(stats.modules.len(), 3);
    assert_eq!(stats.acceptance.len(), 10);
    assert!(stats.acceptance[0].acceptance_rate < 0.5);
    assert_eq!(stats.acceptance[9].acceptance_rate, 1.0);
    assert_eq!(stats.last_updated, Some(world.clock.get()));
}
