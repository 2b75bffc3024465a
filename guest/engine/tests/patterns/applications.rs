//! What an application in an episode says about a pattern.

use super::*;

#[test]
fn an_application_counts_once_for_each_episode_and_is_a_use_of_the_lesson() {
    let world = World::new();
    let engine = world.engine();
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    let one = episode(&world, "", Outcome::Success, 10);
    let two = episode(&world, "", Outcome::Failure, 10);
    for _ in 0..3 {
        engine
            .record_application(&id, &one, Outcome::Success)
            .unwrap();
    }
    let pattern = engine
        .record_application(&id, &two, Outcome::Failure)
        .unwrap();
    let evidence = &pattern.evidence;
    assert_eq!(
        (
            evidence.applications,
            evidence.successes,
            evidence.success_rate
        ),
        (2, 1, 0.5)
    );
    assert_eq!(evidence.supporting_episodes, [one.as_str()]);
    assert_eq!(evidence.counter_episodes, [two.as_str()]);
    assert_eq!(
        (pattern.usage_count, pattern.last_used),
        (2, Some(START + 20))
    );
    assert_eq!(pattern.lesson.usefulness.activations, 2);
    let activations = engine
        .activations(&ActivationFilter {
            lesson: Some(id.clone()),
            ..ActivationFilter::default()
        })
        .unwrap();
    assert_eq!(activations.len(), 2);
    // Somebody thinks better of an outcome: the episode still counts once.
    let pattern = engine
        .record_application(&id, &two, Outcome::Success)
        .unwrap();
    assert_eq!(
        (
            pattern.evidence.applications,
            pattern.evidence.successes,
            pattern.usage_count
        ),
        (2, 2, 2)
    );
    assert!(
        message(engine.record_application(&id, "run_nobody", Outcome::Success))
            .contains("run_nobody")
    );
    assert!(
        engine
            .record_application("les_nobody", &one, Outcome::Success)
            .is_err()
    );
    assert!(engine.verify().unwrap().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn applications_in_any_order_and_number_give_the_same_evidence(
        recorded in prop::collection::vec((0_usize..6, any::<bool>()), 1..24),
    ) {
        let evidence = |recorded: &[(usize, bool)]| {
            let world = World::new();
            let engine = world.engine();
            let id = engine.add(&new(LessonKind::Strategy, "measure first")).unwrap().lesson.id;
            let episodes: Vec<_> = (0..6).map(|_| episode(&world, "", Outcome::Success, 10)).collect();
            for (at, success) in recorded {
                let outcome = if *success { Outcome::Success } else { Outcome::Failure };
                engine.record_application(&id, &episodes[*at], outcome).unwrap();
            }
            Patterns::get(&engine, &id).unwrap().evidence
        };
        // The last word on each episode is what counts.
        let mut last = std::collections::BTreeMap::new();
        for (at, success) in &recorded {
            last.insert(*at, *success);
        }
        let last: Vec<_> = last.into_iter().collect();
        let (told, once) = (evidence(&recorded), evidence(&last));
        prop_assert_eq!(told.applications, last.len() as u32);
        prop_assert_eq!((told.applications, told.successes), (once.applications, once.successes));
        prop_assert_eq!((told.confidence, told.significance), (once.confidence, once.significance));
        prop_assert_eq!(told.supporting_episodes.len(), once.supporting_episodes.len());
    }
}

#[test]
fn what_an_application_saves_in_cost_is_measured() {
    let world = World::new();
    let engine = world.engine();
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    let priced = |cost: f64| {
        let started = engine.start(&run("sort the table")).unwrap();
        let account = Account {
            resource_usage: vec![Measure {
                name: "cost".to_owned(),
                value: cost,
            }],
            ..Account::default()
        };
        let described = Description {
            account: Some(account),
            ..Description::default()
        };
        engine.describe(&started.id, &described).unwrap();
        let ending = Ending {
            outcome: Some(Outcome::Success),
            score: None,
            referee: None,
        };
        engine.finish(&started.id, &ending).unwrap();
        started.id
    };
    for cost in [3.0, 5.0, 4.0, 4.0, 4.0] {
        priced(cost);
    }
    for cost in [1.0, 2.0] {
        let applied = priced(cost);
        engine
            .record_application(&id, &applied, Outcome::Success)
            .unwrap();
    }
    let evidence = engine.validate(&id).unwrap().evidence;
    assert_eq!(evidence.average_cost_saving, 4.0 - 1.5);
}
