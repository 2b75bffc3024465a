//! How a pattern changes: versions, refinement, deprecation, merging, and what is cleared away.

use super::*;

#[test]
fn an_update_makes_a_new_version_and_keeps_the_old_one() {
    let world = World::new();
    let engine = world.engine();
    let first = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap();
    let id = first.lesson.id.as_str();
    world.pass(1_000);
    let changed = engine
        .update(
            id,
            &PatternUpdate {
                name: Some("Measure".to_owned()),
                summary: Some("measure twice".to_owned()),
                applicability: Some(applying(&["tuning"], &[])),
                ..update("once was too little")
            },
        )
        .unwrap();
    assert_eq!(
        (changed.version, changed.summary.as_str()),
        (2, "measure twice")
    );
    assert_eq!(
        (changed.lesson.rule_text.as_str(), changed.lesson.updated_at),
        ("measure twice", START + 1_000)
    );
    assert_eq!(
        (changed.lesson.created_at, changed.lesson.status),
        (START, LessonStatus::Candidate)
    );
    assert_eq!(Patterns::get(&engine, id).unwrap(), changed);
    let third = engine
        .update(
            id,
            &PatternUpdate {
                explanation: Some("because".to_owned()),
                ..update("more words")
            },
        )
        .unwrap();
    assert_eq!(
        (third.version, third.summary.as_str()),
        (3, "measure twice")
    );
    let history = engine.history(id).unwrap();
    let told: Vec<_> = history
        .iter()
        .map(|one| (one.version, one.reason.as_str(), one.until))
        .collect();
    assert_eq!(
        told,
        [
            (1, "once was too little", START + 1_000),
            (2, "more words", START + 1_000)
        ]
    );
    assert_eq!(history[0].pattern, first);
    assert_eq!(history[1].pattern, changed);
    // It is found by what it is now.
    promote(&engine, id);
    assert!(engine.find_applicable(&task("", "")).unwrap().is_empty());
    assert_eq!(
        ids(&engine.find_applicable(&task("tuning", "")).unwrap()),
        [id]
    );
    assert!(message(engine.update(id, &update("for nothing"))).contains("changes nothing"));
    assert!(
        message(engine.update(
            id,
            &PatternUpdate {
                name: Some("x".to_owned()),
                ..update(" ")
            }
        ))
        .contains("reason")
    );
    assert!(engine.history("les_nobody").is_err());
    assert_eq!(engine.history(id).unwrap().len(), 2);
}

#[test]
fn a_refined_pattern_is_narrower_and_begins_anew() {
    let world = World::new();
    let engine = world.engine();
    let mut given = new(LessonKind::Strategy, "measure first");
    given.applicability = Some(applying(&["tuning", "sorting"], &[]));
    let id = engine.add(&given).unwrap().lesson.id;
    apply(&world, &id, 3, 4);
    let narrowed = |applicability| PatternUpdate {
        applicability: Some(applicability),
        ..update("fails when sorting")
    };
    let narrower = narrowed(applying(&["tuning"], &[]));
    assert!(message(engine.refine(&id, &narrower)).contains("Only a pattern under review"));
    promote(&engine, &id);
    assert_eq!(
        engine.validate(&id).unwrap().to_status,
        LessonStatus::UnderReview
    );
    for (wrong, named) in [
        (update("why"), "`applicability` is missing"),
        (
            narrowed(applying(&["tuning", "loading"], &[])),
            "`problem-types` has more",
        ),
        (
            narrowed(applying(&[], &["cli"])),
            "`problem-types` has more",
        ),
        (
            narrowed(applying(&["tuning", "sorting"], &[])),
            "the same as before",
        ),
    ] {
        let told = message(engine.refine(&id, &wrong));
        assert!(told.contains(named), "{told}");
    }
    world.pass(1_000);
    let refined = engine.refine(&id, &narrower).unwrap();
    assert_eq!(
        (refined.lesson.status, refined.version),
        (LessonStatus::Promoted, 2)
    );
    assert_eq!(refined.applicability.problem_types, ["tuning"]);
    assert_eq!(
        (refined.evidence.applications, refined.evidence.confidence),
        (0, 0.0)
    );
    assert_eq!(refined.evidence.last_validated, Some(world.clock.get()));
    assert_eq!(refined.usage_count, 7);
    assert_eq!(
        engine.history(&id).unwrap()[0]
            .pattern
            .evidence
            .applications,
        7
    );
    // What was before counts no longer.
    apply(&world, &id, 4, 0);
    assert_eq!(
        engine.validate(&id).unwrap().answer,
        ValidationAnswer::InsufficientEvidence
    );
    apply(&world, &id, 1, 0);
    assert_eq!(engine.validate(&id).unwrap().evidence.applications, 5);
}

#[test]
fn a_deprecated_pattern_names_its_successor_and_stays_on_record() {
    let world = World::new();
    let engine = world.engine();
    let old = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    let successor = engine
        .add(&new(LessonKind::Strategy, "profile first"))
        .unwrap()
        .lesson
        .id;
    promote(&engine, &old);
    assert!(message(engine.deprecate(&old, "old", &old)).contains("itself"));
    assert!(engine.deprecate(&old, "old", "les_nobody").is_err());
    assert!(message(engine.deprecate(&old, "", &successor)).contains("reason"));
    let gone = engine
        .deprecate(&old, "profiles say more", &successor)
        .unwrap();
    assert_eq!(gone.lesson.status, LessonStatus::Deprecated);
    assert_eq!(gone.superseded_by.as_deref(), Some(successor.as_str()));
    assert_eq!(
        gone.deprecation_reason.as_deref(),
        Some("profiles say more")
    );
    assert_eq!(Patterns::get(&engine, &old).unwrap(), gone);
    assert!(engine.find_applicable(&task("", "")).unwrap().is_empty());
    assert!(message(engine.deprecate(&old, "again", "")).contains("can't be deprecated"));
    assert!(message(engine.deprecate(&successor, "back", &old)).contains("deprecated itself"));
}

#[test]
fn merged_patterns_are_one_with_all_their_evidence() {
    let world = World::new();
    let engine = world.engine();
    let add = |summary: &str, types: &[&str], least: Option<f64>, source: &str| {
        let mut given = new(LessonKind::Strategy, summary);
        given.applicability = Some(Applicability {
            least_complexity: least,
            context_conditions: vec![
                requirement("tests", FeatureTest::Present, ""),
                requirement(summary, FeatureTest::Present, ""),
            ],
            ..applying(types, &["cli"])
        });
        given.source_episodes = vec![source.to_owned()];
        engine.add(&given).unwrap().lesson.id
    };
    let weak = add("sort tables", &["sorting"], Some(0.3), "ep-1");
    let sure = add("sort tables by index", &["ordering"], Some(0.1), "ep-2");
    apply(&world, &weak, 1, 1);
    apply(&world, &sure, 3, 0);
    let shared = episode(&world, "", Outcome::Success, 10);
    for id in [&weak, &sure] {
        engine
            .record_application(id, &shared, Outcome::Success)
            .unwrap();
    }
    let merged = engine
        .merge(&[weak.clone(), sure.clone()], "the same")
        .unwrap();
    assert_eq!((&merged.lesson.id, merged.version), (&sure, 2));
    assert_eq!(merged.applicability.problem_types, ["ordering", "sorting"]);
    assert_eq!(merged.applicability.domains, ["cli"]);
    assert_eq!(merged.applicability.least_complexity, Some(0.1));
    assert_eq!(
        merged.applicability.context_conditions,
        [requirement("tests", FeatureTest::Present, "")]
    );
    // 3 of its own, 2 of the other's, and the one that both were applied in.
    assert_eq!(
        (merged.evidence.applications, merged.evidence.successes),
        (6, 5)
    );
    assert_eq!(merged.usage_count, 4 + 3);
    let runs: Vec<_> = merged
        .lesson
        .origins
        .iter()
        .map(|one| one.run.as_str())
        .collect();
    assert_eq!(runs, ["ep-2", "ep-1"]);
    let gone = Patterns::get(&engine, &weak).unwrap();
    assert_eq!(gone.lesson.status, LessonStatus::Deprecated);
    assert_eq!(gone.superseded_by.as_deref(), Some(sure.as_str()));
    assert_eq!(engine.validate(&sure).unwrap().evidence.applications, 6);
    assert_eq!(engine.history(&sure).unwrap().len(), 1);
    assert!(message(engine.merge(&[weak.clone(), sure.clone()], "again")).contains("deprecated"));
    assert!(message(engine.merge(std::slice::from_ref(&sure), "one")).contains("give 2 to 32"));
    assert!(engine.verify().unwrap().is_empty());
}

#[test]
fn patterns_of_little_value_are_put_under_review_or_archived_and_none_is_deleted() {
    let world = World::new();
    let engine = world.engine();
    let add = |summary: &str, source| {
        let mut given = new(LessonKind::Strategy, summary);
        given.id = Some(summary.to_owned());
        given.source = source;
        engine.add(&given).unwrap();
    };
    for id in [
        "contradicted",
        "fine",
        "hardly-used",
        "never-used",
        "unsure",
    ] {
        add(id, None);
    }
    add("vouched", Some(Source::Person));
    apply(&world, "hardly-used", 2, 0);
    apply(&world, "contradicted", 0, 5);
    apply(&world, "unsure", 3, 5);
    apply(&world, "fine", 5, 0);
    let moved = |dry: bool| -> Vec<(String, LessonStatus)> {
        let moved = Patterns::prune(&engine, dry).unwrap();
        moved
            .into_iter()
            .map(|one| (one.pattern, one.to_status))
            .collect()
    };
    let expect = |moved: Vec<(String, LessonStatus)>, expected: &[(&str, LessonStatus)]| {
        let moved: Vec<_> = moved
            .iter()
            .map(|(id, status)| (id.as_str(), *status))
            .collect();
        assert_eq!(moved, expected);
    };
    let doubtful = [
        ("contradicted", LessonStatus::UnderReview),
        ("unsure", LessonStatus::UnderReview),
    ];
    expect(moved(true), &doubtful);
    expect(moved(true), &doubtful);
    expect(moved(false), &doubtful);
    expect(moved(false), &[]);
    world.pass(179 * DAY);
    expect(moved(false), &[]);
    world.pass(DAY);
    expect(
        moved(false),
        &[
            ("hardly-used", LessonStatus::UnderReview),
            ("never-used", LessonStatus::Archived),
        ],
    );
    assert_eq!(Patterns::find(&engine, None, None, 100).unwrap().len(), 6);
    assert_eq!(
        Patterns::get(&engine, "vouched").unwrap().lesson.status,
        LessonStatus::Candidate
    );
}

#[test]
fn what_is_pruned_from_the_archive_takes_its_pattern_with_it() {
    let world = World::new();
    let engine = world.engine();
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    apply(&world, &id, 2, 0);
    engine
        .update(
            &id,
            &PatternUpdate {
                name: Some("M".to_owned()),
                ..update("short")
            },
        )
        .unwrap();
    engine
        .set_status(&id, LessonStatus::Archived, "done")
        .unwrap();
    world.pass(DAY);
    Upkeep::prune(&engine, world.clock.get(), false).unwrap();
    assert!(Patterns::get(&engine, &id).is_err());
    let again = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap();
    assert_eq!(
        (
            again.lesson.id.as_str(),
            again.evidence.applications,
            again.version
        ),
        (id.as_str(), 0, 1)
    );
    assert!(engine.history(&id).unwrap().is_empty());
}
