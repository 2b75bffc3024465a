//! Failures: similar errors are one pattern, and who is about to run into it again is warned.

use crate::support::{DAY, World};
use twiceshy_wit::memory::{
    Error, FailurePattern, FailureWarning, Failures, NewFailure, PatternFilter, Severity,
    WarningQuery,
};

const HYPOTHESIS: &str = "Add async context manager for file operations";

fn failure(module: &str, hypothesis: &str, details: &str) -> NewFailure {
    NewFailure {
        module_category: "agents/e".to_owned(),
        module_name: module.to_owned(),
        hypothesis: hypothesis.to_owned(),
        failure_type: None,
        failure_details: details.to_owned(),
    }
}

fn record(world: &World, module: &str, hypothesis: &str, details: &str) {
    Failures::record(&world.engine(), &failure(module, hypothesis, details)).unwrap();
}

fn patterns(
    world: &World,
    module: Option<&str>,
    of_type: Option<&str>,
    least: u32,
) -> Vec<FailurePattern> {
    let filter = PatternFilter {
        module_name: module.map(str::to_owned),
        failure_type: of_type.map(str::to_owned),
        min_count: Some(least),
    };
    world.engine().patterns(&filter).unwrap()
}

fn about(hypothesis: &str) -> WarningQuery {
    WarningQuery {
        module_name: "evolution".to_owned(),
        hypothesis: hypothesis.to_owned(),
        min_count: None,
        days: None,
        medium_from: None,
        high_from: None,
    }
}

fn warnings(world: &World, query: &WarningQuery) -> Vec<FailureWarning> {
    world.engine().check_warnings(query).unwrap()
}

#[test]
fn a_failure_is_put_into_its_category_by_whole_words() {
    let world = World::new();
    for (details, category) in [
        (
            "SyntaxError: invalid syntax at line 45: async with open(...)",
            "syntax",
        ),
        ("IndentationError: unexpected indent at line 120", "syntax"),
        ("mypy error: Cannot assign lambda to Callable", "type"),
        ("TypeError: unsupported operand", "type"),
        ("ImportError while importing test module", "import"),
        ("ModuleNotFoundError: No module named 'x'", "import"),
        ("pytest: 3 failed", "test"),
        ("AssertionError: 1 != 2", "test"),
        ("tests/test_parser.py FAILED", "test"),
        ("SyntaxError in tests/test_parser.py", "syntax"),
        (
            "the latest contest of prototypes was an important protest",
            "unknown",
        ),
        ("Segmentation fault", "unknown"),
        ("", "unknown"),
    ] {
        assert_eq!(world.engine().categorize(details), category, "{details}");
    }
}

#[test]
fn a_failure_is_recorded_with_its_members_and_a_given_type_is_kept() {
    let world = World::new();
    let engine = world.engine();
    let new = NewFailure {
        failure_type: Some("unknown".to_owned()),
        ..failure(
            "evolution",
            HYPOTHESIS,
            "SyntaxError: invalid syntax at line 45",
        )
    };
    let kept = Failures::record(&engine, &new).unwrap();
    assert_eq!(kept.failure_type, "unknown");
    assert_eq!(
        (kept.module_category.as_str(), kept.module_name.as_str()),
        ("agents/e", "evolution")
    );
    assert_eq!(kept.hypothesis, HYPOTHESIS);
    assert!(kept.fingerprint.starts_with("fp_") && kept.timestamp == world.clock.get());
    let other = Failures::record(&engine, &new).unwrap();
    assert_ne!(
        kept.id, other.id,
        "the same failure again is another record"
    );
    for broken in [
        NewFailure {
            failure_type: Some("latest".to_owned()),
            ..new.clone()
        },
        NewFailure {
            failure_details: " ".to_owned(),
            ..new.clone()
        },
        NewFailure {
            module_name: String::new(),
            ..new.clone()
        },
    ] {
        assert!(matches!(
            Failures::record(&engine, &broken),
            Err(Error::InvalidArgument(_))
        ));
    }
    assert_eq!(patterns(&world, None, None, 1)[0].count, 2);
}

#[test]
fn similar_errors_are_one_pattern_over_modules() {
    let world = World::new();
    for (module, line) in [("evolution", 45), ("experiment", 120), ("evolution", 7)] {
        world.pass(1_000);
        let details = format!("SyntaxError: invalid syntax at line {line}");
        record(&world, module, HYPOTHESIS, &details);
    }
    record(
        &world,
        "evolution",
        "Something else",
        "TypeError: unsupported operand",
    );
    let all = patterns(&world, None, None, 2);
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].failure_type.as_str(), all[0].count), ("syntax", 3));
    assert_eq!(all[0].modules, ["evolution", "experiment"]);
    assert_eq!(
        all[0].example_details[0],
        "SyntaxError: invalid syntax at line 7"
    );
    assert_eq!(all[0].example_details.len(), 3);
    assert_eq!(patterns(&world, Some("evolution"), None, 1).len(), 2);
    assert_eq!(
        patterns(&world, Some("evolution"), Some("syntax"), 1)[0].count,
        2
    );
    assert_eq!(patterns(&world, None, Some("test"), 1), []);
    let filter = PatternFilter {
        module_name: None,
        failure_type: Some("latest".to_owned()),
        min_count: None,
    };
    assert!(world.engine().patterns(&filter).is_err());
}

#[test]
fn a_recurring_failure_is_warned_of_and_a_novel_hypothesis_is_not() {
    let world = World::new();
    for line in 0..3 {
        assert_eq!(
            warnings(&world, &about(HYPOTHESIS)),
            [],
            "{line} are too few"
        );
        record(
            &world,
            "evolution",
            HYPOTHESIS,
            &format!("SyntaxError: invalid syntax at line {line}"),
        );
    }
    let told = warnings(
        &world,
        &about("add an async context-manager for file operations"),
    );
    assert_eq!(told.len(), 1);
    assert_eq!(
        told[0].hypothesis,
        "add an async context-manager for file operations"
    );
    assert_eq!(
        (told[0].failure_type.as_str(), told[0].severity),
        ("syntax", Severity::Low)
    );
    assert_eq!(told[0].similar_failures[0].count, 3);
    assert!(
        (0.7..=1.0).contains(&told[0].confidence),
        "{}",
        told[0].confidence
    );
    assert_eq!(
        warnings(
            &world,
            &about("Remove async context manager for file operations")
        ),
        []
    );
    assert_eq!(warnings(&world, &about("Rename the module")), []);
    let elsewhere = WarningQuery {
        module_name: "experiment".to_owned(),
        ..about(HYPOTHESIS)
    };
    assert_eq!(warnings(&world, &elsewhere), []);
    world.pass(31 * DAY);
    assert_eq!(warnings(&world, &about(HYPOTHESIS)), [], "long ago");
    let longer = WarningQuery {
        days: Some(60),
        ..about(HYPOTHESIS)
    };
    assert_eq!(warnings(&world, &longer).len(), 1);
}

#[test]
fn the_thresholds_of_warnings_can_be_set_for_a_call() {
    let world = World::new();
    record(
        &world,
        "evolution",
        HYPOTHESIS,
        "SyntaxError: invalid syntax at line 45",
    );
    let once = WarningQuery {
        min_count: Some(1),
        ..about(HYPOTHESIS)
    };
    assert_eq!(warnings(&world, &once)[0].severity, Severity::Low);
    let severe = WarningQuery {
        medium_from: Some(1),
        ..once.clone()
    };
    assert_eq!(warnings(&world, &severe)[0].severity, Severity::Medium);
    let severe = WarningQuery {
        high_from: Some(1),
        ..once
    };
    assert_eq!(warnings(&world, &severe)[0].severity, Severity::High);
    for line in 1..10 {
        record(
            &world,
            "evolution",
            HYPOTHESIS,
            &format!("SyntaxError: invalid syntax at line {line}"),
        );
        let severity = warnings(
            &world,
            &WarningQuery {
                min_count: Some(1),
                ..about(HYPOTHESIS)
            },
        )[0]
        .severity;
        let expected = match line + 1 {
            10.. => Severity::High,
            5.. => Severity::Medium,
            _ => Severity::Low,
        };
        assert_eq!(severity, expected, "{line}");
    }
}

#[test]
fn confidence_rises_with_number_and_likeness_and_falls_with_age() {
    let confidence = |count: u32, hypothesis: &str, age: u64| {
        let world = World::new();
        for line in 0..count {
            record(
                &world,
                "evolution",
                HYPOTHESIS,
                &format!("SyntaxError: invalid syntax at line {line}"),
            );
        }
        world.pass(age);
        warnings(&world, &about(hypothesis))[0].confidence
    };
    let base = confidence(3, HYPOTHESIS, 0);
    assert_eq!(base, 0.75);
    assert!(confidence(4, HYPOTHESIS, 0) > base);
    assert!(confidence(3, HYPOTHESIS, DAY) < base);
    assert!(
        confidence(
            3,
            "Add async context manager method for file operations (slow)",
            0
        ) < base
    );
    assert!(confidence(200, HYPOTHESIS, 0) <= 1.0);
}
