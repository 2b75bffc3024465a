//! Which memories a bundle takes, and which it leaves out.

use super::*;

#[test]
fn memories_are_merged_by_the_weights_of_their_kind() {
    let world = World::new();
    let names = filled(&world);
    let asked = request("Implement a PATCH endpoint for todos in Express");
    let bundle = world.engine().context(&asked).unwrap();
    assert_eq!(bundle.work, Work::Implementation);
    let weights = &bundle.weights;
    assert_eq!(
        (weights.semantic, weights.episodic, weights.skills),
        (0.5, 0.3, 0.2)
    );
    for item in items(&bundle) {
        let weight = match item.kind {
            MemoryKind::Semantic | MemoryKind::Fact => 0.5,
            MemoryKind::Episodic => 0.3,
            MemoryKind::Skill => 0.2,
            MemoryKind::AntiPattern => 1.0,
        };
        assert!(
            (item.score - weight * item.fit).abs() < 1e-12,
            "{}",
            names[&item.id]
        );
    }
    let debugging = ContextRequest {
        work: Some(Work::Debugging),
        ..asked
    };
    let bundle = world.engine().context(&debugging).unwrap();
    assert_eq!(
        (bundle.weights.semantic, bundle.weights.episodic),
        (0.45, 0.4)
    );
}

#[test]
fn five_memories_come_and_what_to_avoid_besides_whatever_the_work_is() {
    let world = World::new();
    let engine = world.engine();
    for number in ["one", "two", "three", "four", "five", "six", "seven"] {
        let text = format!("Rotate the signing key of gateway {number} by hand");
        engine.propose(&rule(&text, LessonKind::Rule)).unwrap();
    }
    let avoid = "AVOID: rotating a signing key while the gateway serves requests";
    let avoid = engine
        .propose(&rule(avoid, LessonKind::AntiPattern))
        .unwrap()
        .id;
    let asked = request("rotate the signing key of the gateway");
    for work in [
        Work::Exploration,
        Work::Implementation,
        Work::Debugging,
        Work::Review,
        Work::Refactoring,
    ] {
        let asked = ContextRequest {
            work: Some(work),
            ..asked.clone()
        };
        let bundle = engine.context(&asked).unwrap();
        assert_eq!(bundle.applicable_patterns.len(), 5, "{work:?}");
        assert_eq!(ids(&bundle.avoid_these), [avoid.as_str()], "{work:?}");
    }
    let few = ContextRequest {
        limit: Some(2),
        ..asked.clone()
    };
    let bundle = engine.context(&few).unwrap();
    assert_eq!(
        (bundle.applicable_patterns.len(), bundle.avoid_these.len()),
        (2, 1)
    );
    let many = ContextRequest {
        limit: Some(50),
        ..asked
    };
    assert_eq!(engine.context(&many).unwrap().applicable_patterns.len(), 7);
}

#[test]
fn a_newer_memory_and_a_successful_one_fit_better() {
    let world = World::new();
    let engine = world.engine();
    episode(
        &engine,
        "failed",
        "resize the product images on upload",
        Outcome::Failure,
    );
    world.pass(1_000);
    episode(
        &engine,
        "passed",
        "resize the product pictures on upload",
        Outcome::Success,
    );
    let old = engine
        .propose(&rule("Resize images with libvips", LessonKind::Rule))
        .unwrap();
    world.pass(300 * 24 * 3_600_000);
    let new = engine
        .propose(&rule("Resize images with libraw", LessonKind::Rule))
        .unwrap();
    let bundle = engine.context(&request("resize images")).unwrap();
    assert_eq!(ids(&bundle.applicable_patterns), [new.id.as_str(), &old.id]);
    let [newer, older] = [0, 1].map(|place| &bundle.applicable_patterns[place]);
    // The same likeness and reliability; only the age differs: 0.7 + 0.2 · 0.5 + 0.1 · recency.
    let recency = (-10.0_f64).exp();
    assert!((newer.fit / older.fit - 0.9 / (0.8 + 0.1 * recency)).abs() < 1e-9);
    world.clock.set(crate::support::START + 2_000);
    // As alike in words as the other, and it went well.
    let bundle = engine
        .context(&request("resize the product on upload"))
        .unwrap();
    assert_eq!(ids(&bundle.similar_episodes), ["passed", "failed"]);
    let [passed, failed] = [0, 1].map(|place| &bundle.similar_episodes[place]);
    assert!(
        passed.fit > 1.05 * failed.fit,
        "more than a second of age does"
    );
}

#[test]
fn each_memory_comes_once() {
    let world = World::new();
    let engine = world.engine();
    let one = "Compress backups with zstd before the upload";
    engine.propose(&rule(one, LessonKind::Rule)).unwrap();
    // The same again, for another domain and in other words.
    let same = LessonCandidate {
        domain: Some("cli".to_owned()),
        ..rule(
            "Before the upload, compress the backups with zstd",
            LessonKind::Rule,
        )
    };
    engine.propose(&same).unwrap();
    for number in 0..3 {
        let name = format!("ep-{number}");
        episode(
            &engine,
            &name,
            "compress the nightly backups",
            Outcome::Success,
        );
        world.pass(1_000);
    }
    let bundle = engine
        .context(&request("compress the backups before the upload"))
        .unwrap();
    assert_eq!(bundle.applicable_patterns.len(), 1, "{bundle:?}");
    assert_eq!(bundle.similar_episodes.len(), 1, "{bundle:?}");
}

#[test]
fn of_two_that_contradict_each_other_one_comes_and_what_is_set_aside_never() {
    let world = World::new();
    let engine = world.engine();
    let about = |way: &str| LessonCandidate {
        trigger_texts: vec!["gridtool: unknown option --rows".to_owned()],
        ..rule(
            &format!("WRONG: gridtool count --rows 5 → CORRECT: gridtool count {way}"),
            LessonKind::Rule,
        )
    };
    engine.propose(&about("rows=5")).unwrap();
    world.pass(1_000);
    let newer = engine.propose(&about("five-rows")).unwrap();
    let asked = request("gridtool count of rows");
    let bundle = engine.context(&asked).unwrap();
    assert_eq!(ids(&bundle.applicable_patterns), [newer.id.as_str()]);
    for lesson in Lessons::find(&engine, &LessonFilter::default()).unwrap() {
        engine
            .set_status(&lesson.id, LessonStatus::Suppressed, "a test")
            .unwrap();
    }
    assert!(items(&engine.context(&asked).unwrap()).is_empty());
    assert_eq!(engine.context(&asked).unwrap().text, "");
}

#[test]
fn at_most_three_episodes_come_one_for_each_task() {
    let world = World::new();
    let engine = world.engine();
    for number in ["one", "two", "three", "four", "five"] {
        let task = format!("calibrate the pressure sensor of pump {number}");
        for run in ["a", "b"] {
            episode(&engine, &format!("{number}-{run}"), &task, Outcome::Success);
        }
    }
    let asked = request("calibrate the pressure sensor of the pump");
    let bundle = engine.context(&asked).unwrap();
    let tasks: BTreeSet<_> = ids(&bundle.similar_episodes)
        .into_iter()
        .map(|id| id.split('-').next().unwrap().to_owned())
        .collect();
    assert_eq!(
        (bundle.similar_episodes.len(), tasks.len()),
        (3, 3),
        "{bundle:?}"
    );
}
