//! Which patterns apply to a task, in which order, and which are like another.

use super::*;

#[test]
fn a_candidate_is_not_used_in_planning_and_a_promoted_one_is() {
    let world = World::new();
    let engine = world.engine();
    let pattern = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap();
    let id = pattern.lesson.id.as_str();
    assert!(engine.find_applicable(&task("", "cli")).unwrap().is_empty());
    promote(&engine, id);
    assert_eq!(
        ids(&engine.find_applicable(&task("", "cli")).unwrap()),
        [id]
    );
    // Whatever moves the lesson moves the pattern.
    for status in [LessonStatus::UnderReview, LessonStatus::Suppressed] {
        engine.set_status(id, status, "doubt").unwrap();
        let mut asked = task("", "cli");
        assert!(engine.find_applicable(&asked).unwrap().is_empty());
        asked.category = Some(LessonKind::Strategy);
        assert!(engine.find_applicable(&asked).unwrap().is_empty());
    }
}

#[test]
fn a_category_brings_its_candidates_too_and_nothing_else() {
    let world = World::new();
    let engine = world.engine();
    let kinds = [
        LessonKind::Strategy,
        LessonKind::Decomposition,
        LessonKind::Sequence,
        LessonKind::ToolSelection,
        LessonKind::Failure,
        LessonKind::Recovery,
        LessonKind::Optimization,
        LessonKind::Domain,
    ];
    for kind in kinds {
        engine
            .add(&new(kind, &format!("what {} says", kind.as_str())))
            .unwrap();
    }
    for kind in kinds {
        let asked = TaskFeatures {
            category: Some(kind),
            ..task("any", "cli")
        };
        let found = engine.find_applicable(&asked).unwrap();
        assert_eq!(found.len(), 1, "{kind:?}");
        assert_eq!(found[0].pattern.lesson.kind, kind);
    }
}

#[test]
fn patterns_are_filtered_by_kind_of_task_features_conditions_and_anti_conditions() {
    let world = World::new();
    let engine = world.engine();
    let add = |summary: &str, applicability: Applicability| {
        let mut given = new(LessonKind::Strategy, summary);
        given.applicability = Some(applicability);
        let id = engine.add(&given).unwrap().lesson.id;
        promote(&engine, &id);
        id
    };
    let anywhere = add("anywhere", Applicability::default());
    let typed = add(
        "for refactoring",
        applying(&["Refactoring", "cleanup"], &[]),
    );
    let placed = add("in python", applying(&[], &["python"]));
    let both = add(
        "refactoring in python",
        applying(&["refactoring"], &["python", "rust"]),
    );
    let hard = add(
        "only for hard ones",
        Applicability {
            least_complexity: Some(0.5),
            ..Applicability::default()
        },
    );
    let able = add(
        "needs a browser",
        Applicability {
            required_capabilities: vec!["browser".to_owned()],
            ..Applicability::default()
        },
    );
    let tested = add(
        "only with tests",
        Applicability {
            context_conditions: vec![
                requirement("tests", FeatureTest::AtLeast, "3"),
                requirement("framework", FeatureTest::Equals, "PyTest"),
            ],
            ..Applicability::default()
        },
    );
    let open = add(
        "not in production",
        Applicability {
            anti_conditions: vec![requirement("stage", FeatureTest::Contains, "prod")],
            ..Applicability::default()
        },
    );
    let found = |asked: &TaskFeatures| -> Vec<String> {
        let asked = TaskFeatures {
            limit: Some(100),
            ..asked.clone()
        };
        let found = engine.find_applicable(&asked).unwrap();
        let mut ids: Vec<_> = found.into_iter().map(|one| one.pattern.lesson.id).collect();
        ids.sort();
        ids
    };
    let sorted = |ids: &[&String]| -> Vec<String> {
        let mut ids: Vec<_> = ids.iter().map(|id| (*id).clone()).collect();
        ids.sort();
        ids
    };
    // What is not known of the task: its kind and its domain must be named, complexity and capabilities need not.
    assert_eq!(
        found(&task("", "")),
        sorted(&[&anywhere, &hard, &able, &open])
    );
    assert_eq!(
        found(&task("refactoring", "")),
        sorted(&[&anywhere, &hard, &able, &open, &typed])
    );
    assert_eq!(
        found(&task("REFACTORING", "rust")),
        sorted(&[&anywhere, &hard, &able, &open, &typed, &both])
    );
    assert_eq!(
        found(&task("debugging", "python")),
        sorted(&[&anywhere, &hard, &able, &open, &placed])
    );
    let mut asked = task("", "");
    asked.complexity = Some(0.4);
    asked.capabilities = vec!["shell".to_owned()];
    assert_eq!(found(&asked), sorted(&[&anywhere, &open]));
    asked.complexity = Some(0.5);
    asked.capabilities.push("Browser".to_owned());
    assert_eq!(found(&asked), sorted(&[&anywhere, &open, &hard, &able]));
    let feature = |name: &str, value: &str| Feature {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    asked.features = vec![
        feature("tests", "12"),
        feature("framework", "pytest"),
        feature("stage", "Production"),
    ];
    assert_eq!(found(&asked), sorted(&[&anywhere, &hard, &able, &tested]));
    asked.features = vec![feature("tests", "2"), feature("framework", "pytest")];
    assert_eq!(found(&asked), sorted(&[&anywhere, &hard, &able, &open]));
    asked.features = vec![feature("x", "y"); 65];
    assert!(message(engine.find_applicable(&asked)).contains("features` has 65"));
}

#[test]
fn patterns_are_ranked_by_the_formula_and_five_are_given() {
    let world = World::new();
    let engine = world.engine();
    for at in 0..40 {
        let mut given = new(LessonKind::Strategy, &format!("way {at}"));
        given.confidence = Some(f64::from(at) / 40.0);
        let id = engine.add(&given).unwrap().lesson.id;
        promote(&engine, &id);
    }
    let mut given = new(LessonKind::Strategy, "sort the table by size");
    given.applicability = Some(applying(&["sorting"], &["cli"]));
    let proven = engine.add(&given).unwrap().lesson.id;
    apply(&world, &proven, 8, 1);
    engine.validate(&proven).unwrap();
    world.pass(45 * DAY);
    let mut asked = task("sorting", "cli");
    asked.task = "sort the table by size".to_owned();
    let found = engine.find_applicable(&asked).unwrap();
    assert_eq!(found.len(), 5);
    let best = &found[0];
    assert_eq!(best.pattern.lesson.id, proven);
    let parts = &best.parts;
    let p = 10.0 / 512.0;
    let success = 8.0 / 9.0;
    let confidence = 0.5 * success + 0.3 * (1.0 - (-9.0_f64 / 20.0).exp()) + 0.2 * (1.0 - p);
    assert!((parts.confidence - confidence).abs() < 1e-12);
    assert!((parts.success_rate - success).abs() < 1e-12);
    assert!((parts.usage - 10.0_f64.ln() / 10.0).abs() < 1e-12);
    assert!((parts.recency - (-0.5_f64).exp()).abs() < 1e-6);
    // It names the kind and the domain, no complexity and no conditions; its words are `about sort table size`.
    let words = 2.0 * 3.0 / (4.0 + 3.0);
    assert!(
        (parts.match_quality - (2.0 + words) / 5.0).abs() < 1e-12,
        "{parts:?}"
    );
    let score = 0.4 * parts.confidence
        + 0.3 * parts.success_rate
        + 0.15 * parts.usage
        + 0.1 * parts.recency
        + 0.05 * parts.match_quality;
    assert!((best.score - score).abs() < 1e-12);
    // The others by what they claim, the surest first, although forty are there.
    let claimed: Vec<_> = found[1..]
        .iter()
        .map(|one| one.pattern.evidence.confidence)
        .collect();
    assert_eq!(
        claimed,
        [39.0 / 40.0, 38.0 / 40.0, 37.0 / 40.0, 36.0 / 40.0]
    );
}

#[test]
fn similar_patterns_are_found_by_words_structure_and_applicability() {
    let world = World::new();
    let engine = world.engine();
    let add = |kind, summary: &str, applicability| {
        let mut given = new(kind, summary);
        given.name = "sorting".to_owned();
        given.applicability = Some(applicability);
        engine.add(&given).unwrap().lesson.id
    };
    let here = applying(&["sorting"], &["cli"]);
    let own = add(
        LessonKind::Strategy,
        "sort large tables by an index",
        here.clone(),
    );
    let twin = add(
        LessonKind::Strategy,
        "by index: sort large tables",
        here.clone(),
    );
    let other_kind = add(
        LessonKind::Recovery,
        "sort tables by index where large",
        here,
    );
    let elsewhere = add(
        LessonKind::Strategy,
        "sort large table by indexes",
        applying(&["loading"], &["web"]),
    );
    let unlike = add(
        LessonKind::Strategy,
        "restart the server at night",
        applying(&[], &[]),
    );
    let found = engine.similar(&own, 0.5).unwrap();
    let told: Vec<_> = found
        .iter()
        .map(|one| {
            (
                one.pattern.lesson.id.as_str(),
                (one.similarity * 1000.0).round(),
            )
        })
        .collect();
    assert_eq!(told[0], (twin.as_str(), 1000.0));
    assert_eq!(told[1], (elsewhere.as_str(), 943.0), "{told:?}");
    assert!(told.iter().any(|one| one.0 == other_kind && one.1 < 1000.0));
    assert!(!told.iter().any(|one| one.0 == unlike));
    assert_eq!(engine.similar(&own, 0.99).unwrap().len(), 1);
    assert!(engine.similar(&own, 1.5).is_err());
}
