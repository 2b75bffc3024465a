//! Runs, events and episodes: what a step does to a memory.

use crate::support::{World, ending, failure, run, success, violation};
use twiceshy_wit::memory::{
    BriefingRequest, Ending, EpisodeFilter, Episodes, Error, EventFilter, Events, NewRun, Observed,
    Outcome, Runs, Upkeep,
};

const EVERY_EVENT: EventFilter = EventFilter {
    fingerprint: None,
    run: None,
    domain: None,
    tag: None,
    limit: None,
};

#[test]
fn a_step_that_works_is_remembered_and_is_no_event() {
    let world = World::new();
    let engine = world.engine();
    let open = engine.start(&run("list files")).unwrap();
    let reaction = engine.observe(&open.id, &success("ls")).unwrap();
    assert!(reaction.failure.is_none() && reaction.hints.is_empty());
    let trace = engine.trace(&open.id, 0).unwrap();
    assert_eq!(
        (trace.len(), trace[0].feedback.action_text.as_str()),
        (1, "ls")
    );
    assert!(Events::find(&engine, &EVERY_EVENT).unwrap().is_empty());
}

#[test]
fn no_step_and_no_briefing_asks_a_model() {
    let world = World::new();
    let engine = world.engine();
    let refused = || failure("gridtool sort", "gridtool: unknown verb sort");
    for _ in 0..2 {
        let open = engine.start(&run("sort the sales")).unwrap();
        engine.brief(&open.id, &BriefingRequest::default()).unwrap();
        engine.observe(&open.id, &refused()).unwrap();
        engine
            .observe(&open.id, &success("gridtool order"))
            .unwrap();
        assert!(world.prompts.borrow().is_empty());
        // Whether one is asked for the score at the end is another matter.
        engine.finish(&open.id, &ending()).unwrap();
        world.prompts.borrow_mut().clear();
    }
}

#[test]
fn the_same_failure_elsewhere_is_one_fingerprint_and_counts_up() {
    let world = World::new();
    let engine = world.engine();
    let first = [failure(
        "cat a.txt",
        "cat: a.txt: No such file or directory",
    )];
    let second = [failure(
        "cat /srv/b/7.log",
        "cat: /srv/b/7.log: No such file or directory",
    )];
    let one = engine.submit(&run(""), &first, &ending()).unwrap();
    world.pass(60_000);
    let two = engine.submit(&run(""), &second, &ending()).unwrap();
    let (one, two) = (
        one.reactions[0].failure.clone().unwrap(),
        two.reactions[0].failure.clone().unwrap(),
    );
    assert_eq!(one.fingerprint, two.fingerprint);
    assert_eq!((one.occurrence, two.occurrence, two.runs), (1, 2, 2));
    assert!(
        !one.tags.contains(&"no_progress".to_owned()),
        "{:?}",
        one.tags
    );
    assert!(
        two.tags.contains(&"no_progress".to_owned()),
        "{:?}",
        two.tags
    );
}

#[test]
fn a_failure_that_comes_back_after_a_long_time_is_counted_but_no_standstill() {
    let world = World::new();
    let engine = world.engine();
    let step = [failure(
        "make",
        "make: *** No rule to make target 'x'.  Stop.",
    )];
    engine.submit(&run(""), &step, &ending()).unwrap();
    world.pass(40 * 24 * 60 * 60 * 1_000);
    let later = engine
        .submit(&run(""), &step, &ending())
        .unwrap()
        .reactions
        .remove(0)
        .failure
        .unwrap();
    assert_eq!(later.occurrence, 2);
    assert!(!later.tags.contains(&"no_progress".to_owned()));
}

#[test]
fn recurrence_within_a_run_and_across_runs_is_told_apart() {
    let world = World::new();
    let engine = world.engine();
    let step = failure("x", "fatal: not a git repository");
    for expected in [[(1, 1, 1), (2, 2, 1)], [(3, 1, 2), (4, 2, 2)]] {
        let open = engine.start(&run("")).unwrap();
        for (occurrence, in_run, runs) in expected {
            let event = engine.observe(&open.id, &step).unwrap().failure.unwrap();
            assert_eq!(
                (event.occurrence, event.occurrence_in_run, event.runs),
                (occurrence, in_run, runs)
            );
        }
        engine.finish(&open.id, &ending()).unwrap();
    }
}

#[test]
fn a_condition_that_does_not_hold_is_a_failure_of_its_own_channel() {
    let world = World::new();
    let engine = world.engine();
    let steps = [violation("make report", "artifact report.csv exists")];
    let event = engine
        .submit(&run(""), &steps, &ending())
        .unwrap()
        .reactions
        .remove(0)
        .failure
        .unwrap();
    assert!(event.constraint_failure && !event.hard_failure);
    assert!(
        event.tags.contains(&"constraint_failed".to_owned()),
        "{:?}",
        event.tags
    );
}

#[test]
fn no_progress_is_a_failure_and_its_transition_is_the_evidence() {
    let world = World::new();
    let engine = world.engine();
    let moved = |from: u32, to: u32, progress| {
        let mut step = success("forward");
        step.step.before = format!(r#"{{"x": {from}, "room": "hall"}}"#);
        step.step.observation = format!(r#"{{"x": {to}, "room": "hall"}}"#);
        step.feedback.progress_signal = Some(progress);
        step
    };
    let steps = [
        moved(1, 2, 0.5),
        moved(2, 2, 0.0),
        moved(7, 7, 0.0),
        moved(2, 1, -0.5),
    ];
    let reactions = engine
        .submit(&run(""), &steps, &ending())
        .unwrap()
        .reactions;
    assert!(reactions[0].failure.is_none());
    let events: Vec<_> = reactions[1..]
        .iter()
        .map(|r| r.failure.clone().unwrap())
        .collect();
    assert_eq!(
        events[0].fingerprint, events[1].fingerprint,
        "other numbers, same transition"
    );
    assert!(
        events[0].tags.contains(&"state_stall".to_owned()),
        "{:?}",
        events[0].tags
    );
    assert!(
        events[2]
            .tags
            .contains(&"goal_distance_increase".to_owned()),
        "{:?}",
        events[2].tags
    );
    assert_eq!(events[0].progress_delta, Some(-0.5));
}

#[test]
fn an_event_says_how_efficient_its_step_was_and_how_that_changed() {
    let world = World::new();
    let engine = world.engine();
    let measured = |mut step: Observed, efficiency| {
        step.feedback.efficiency_signal = efficiency;
        step
    };
    let refused = || failure("gridtool sort", "gridtool: unknown verb sort");
    let steps = [
        measured(refused(), Some(0.75)),
        measured(success("gridtool order"), Some(1.0)),
        measured(refused(), None),
        measured(refused(), Some(0.25)),
    ];
    let submitted = engine.submit(&run(""), &steps, &ending()).unwrap();
    let deltas: Vec<_> = submitted
        .reactions
        .iter()
        .filter_map(|reaction| reaction.failure.as_ref())
        .map(|event| (event.efficiency_signal, event.efficiency_delta))
        .collect();
    // The change is counted from the last signal there was, be it of a step that worked.
    assert_eq!(
        deltas,
        [(Some(0.75), None), (None, None), (Some(0.25), Some(-0.75))]
    );
    let kept = Events::find(&engine, &EVERY_EVENT).unwrap();
    let kept: Vec<_> = kept.iter().map(|event| event.efficiency_delta).collect();
    assert!(kept.contains(&Some(-0.75)), "{kept:?}");
}

#[test]
fn a_run_ends_as_an_episode_and_takes_no_more_steps() {
    let world = World::new();
    let engine = world.engine();
    let open = engine.start(&run("build it")).unwrap();
    engine
        .observe(&open.id, &failure("make", "error: boom"))
        .unwrap();
    world.pass(1_000);
    engine.observe(&open.id, &success("make")).unwrap();
    let episode = engine
        .finish(
            &open.id,
            &Ending {
                outcome: None,
                score: Some(0.75),
                referee: None,
            },
        )
        .unwrap();
    assert_eq!(episode.outcome, Outcome::Success, "by its last step");
    assert_eq!(
        (episode.steps, episode.failures, episode.score),
        (2, 1, Some(0.75))
    );
    assert_eq!(episode.ended_at - episode.started_at, 1_000);
    assert_eq!(Episodes::get(&engine, &open.id).unwrap(), episode);
    for refused in [
        engine.observe(&open.id, &success("ls")).unwrap_err(),
        engine.finish(&open.id, &ending()).unwrap_err(),
        Runs::get(&engine, &open.id).unwrap_err(),
        engine
            .start(&NewRun {
                id: Some(open.id.clone()),
                ..run("")
            })
            .unwrap_err(),
    ] {
        assert!(matches!(refused, Error::Conflict(_)), "{refused:?}");
    }
    assert_eq!(engine.trace(&open.id, 1).unwrap().len(), 1);
}

#[test]
fn outcomes_follow_the_last_step_unless_somebody_knows_better() {
    let world = World::new();
    let engine = world.engine();
    let outcome = |steps: &[_], said| {
        let ending = Ending {
            outcome: said,
            score: None,
            referee: None,
        };
        engine
            .submit(&run(""), steps, &ending)
            .unwrap()
            .episode
            .outcome
    };
    assert_eq!(outcome(&[], None), Outcome::Abandoned);
    assert_eq!(
        outcome(&[success("a"), failure("b", "error: x")], None),
        Outcome::Failure
    );
    assert_eq!(
        outcome(&[failure("b", "error: x"), success("a")], None),
        Outcome::Success
    );
    assert_eq!(
        outcome(&[success("a")], Some(Outcome::Partial)),
        Outcome::Partial
    );
    let partial = EpisodeFilter {
        outcome: Some(Outcome::Partial),
        ..EpisodeFilter::default()
    };
    assert_eq!(Episodes::find(&engine, &partial).unwrap().len(), 1);
}

#[test]
fn every_domain_that_an_adapter_may_have_can_be_the_domain_of_a_run() {
    let world = World::new();
    let engine = world.engine();
    let of = |length: usize| NewRun {
        domain: "d".repeat(length),
        ..run("any")
    };
    assert!(engine.start(&of(64)).is_ok());
    assert!(engine.start(&of(65)).is_err());
}

#[test]
fn bad_input_is_refused_by_name_and_changes_nothing() {
    let world = World::new();
    let engine = world.engine();
    let mut wrong_signal = success("x");
    wrong_signal.feedback.efficiency_signal = Some(1.5);
    let refusals = [
        (
            engine
                .start(&NewRun {
                    domain: "Not A Domain".into(),
                    ..run("")
                })
                .unwrap_err(),
            "run.domain",
        ),
        (
            engine
                .start(&NewRun {
                    id: Some("a b".into()),
                    ..run("")
                })
                .unwrap_err(),
            "run.id",
        ),
        (
            engine.start(&run(&"x".repeat(1 << 20))).unwrap_err(),
            "run.task",
        ),
        (
            engine
                .submit(&run(""), &[wrong_signal], &ending())
                .unwrap_err(),
            "efficiency-signal",
        ),
        (
            engine
                .submit(
                    &run(""),
                    &[],
                    &Ending {
                        outcome: None,
                        score: Some(f64::NAN),
                        referee: None,
                    },
                )
                .unwrap_err(),
            "score",
        ),
        (
            engine
                .submit(&run(""), &vec![success("x"); 201], &ending())
                .unwrap_err(),
            "200",
        ),
    ];
    for (refusal, named) in refusals {
        let Error::InvalidArgument(message) = &refusal else {
            panic!("{refusal:?}")
        };
        assert!(message.contains(named), "{message}");
    }
    assert!(matches!(
        engine.observe("nobody", &success("x")),
        Err(Error::NotFound(_))
    ));
    assert!(matches!(
        Runs::get(&engine, &"x".repeat(10_000)),
        Err(Error::NotFound(_))
    ));
    let status = engine.status().unwrap();
    assert_eq!((status.events, status.episodes, status.runs), (0, 0, 0));
}

#[test]
fn events_are_found_by_what_they_are() {
    let world = World::new();
    let engine = world.engine();
    let steps = [
        failure("cat x", "cat: x: No such file or directory"),
        failure("rm y", "rm: cannot remove 'y': Permission denied"),
    ];
    let submitted = engine.submit(&run(""), &steps, &ending()).unwrap();
    let second = submitted.reactions[1].failure.clone().unwrap();
    let by = |filter| {
        let found = Events::find(&engine, &filter).unwrap();
        found.into_iter().map(|event| event.id).collect::<Vec<_>>()
    };
    let fingerprint = Some(second.fingerprint.clone());
    assert_eq!(
        by(EventFilter {
            fingerprint,
            ..EVERY_EVENT
        }),
        [second.id.as_str()]
    );
    let tag = Some("permission".to_owned());
    assert_eq!(by(EventFilter { tag, ..EVERY_EVENT }), [second.id.as_str()]);
    assert_eq!(
        by(EventFilter {
            limit: Some(1),
            ..EVERY_EVENT
        })
        .len(),
        1
    );
    assert_eq!(
        by(EventFilter {
            domain: Some("robots".into()),
            ..EVERY_EVENT
        })
        .len(),
        0
    );
    assert_eq!(Events::get(&engine, &second.id).unwrap(), second);
    assert!(matches!(Events::get(&engine, "x"), Err(Error::NotFound(_))));
}

#[test]
fn recent_steps_come_oldest_first_and_from_the_domain_alone() {
    let world = World::new();
    let engine = world.engine();
    for number in 0..6 {
        world.pass(1);
        engine
            .submit(&run(""), &[success(&format!("step {number}"))], &ending())
            .unwrap();
    }
    let other = NewRun {
        domain: "robots".into(),
        ..run("")
    };
    engine
        .submit(&other, &[success("forward")], &ending())
        .unwrap();
    let recent = engine.recent_steps("cli", 3).unwrap();
    let texts: Vec<_> = recent
        .iter()
        .map(|past| past.feedback.action_text.as_str())
        .collect();
    assert_eq!(texts, ["step 3", "step 4", "step 5"]);
}

#[test]
fn the_latest_steps_come_oldest_first_and_from_the_run_alone() {
    let world = World::new();
    let engine = world.engine();
    let (one, other) = (
        engine.start(&run("one")).unwrap().id,
        engine.start(&run("other")).unwrap().id,
    );
    for number in 0..4 {
        for (name, id) in [("one", &one), ("other", &other)] {
            world.pass(1);
            engine
                .observe(id, &success(&format!("{name} {number}")))
                .unwrap();
        }
    }
    let texts = |id: &str, limit| -> Vec<String> {
        let latest = engine.latest_steps(id, limit).unwrap();
        latest
            .into_iter()
            .map(|past| past.feedback.action_text)
            .collect()
    };
    assert_eq!(texts(&one, 3), ["one 1", "one 2", "one 3"]);
    engine.finish(&other, &ending()).unwrap();
    assert_eq!(texts(&other, 2), ["other 2", "other 3"]);
    assert_eq!(texts("nobody", 2), [""; 0]);
}

#[test]
fn secrets_are_masked_in_everything_that_is_kept_or_answered() {
    let world = World::new();
    let engine = world.engine();
    let secret = format!("{}{}", "gh", "p_0123456789abcdefghijABCDEFGHIJ012345");
    let mut step = failure(
        &format!("curl -H 'Authorization: Bearer {secret}'"),
        &format!("error: bad token {secret}"),
    );
    step.step.before = format!(r#"{{"env": "TOKEN={secret}"}}"#);
    let submitted = engine
        .submit(&run(&format!("use {secret}")), &[step], &ending())
        .unwrap();
    let trace = engine.trace(&submitted.episode.id, 0).unwrap();
    let everything = format!(
        "{}{}",
        serde_json::to_string(&submitted).unwrap(),
        serde_json::to_string(&trace).unwrap()
    );
    assert!(!everything.contains(&secret), "{everything}");
}

#[test]
fn the_same_inputs_at_the_same_time_give_the_same_bytes() {
    let bytes = || {
        let world = World::new();
        let engine = world.engine();
        let steps = [
            failure("cat x", "cat: x: No such file or directory"),
            success("ls"),
        ];
        let submitted = engine.submit(&run("look"), &steps, &ending()).unwrap();
        serde_json::to_string(&submitted).unwrap()
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn two_runs_of_the_same_task_at_the_same_moment_have_two_ids() {
    let world = World::new();
    let engine = world.engine();
    let (one, two) = (
        engine.start(&run("x")).unwrap(),
        engine.start(&run("x")).unwrap(),
    );
    assert_ne!(one.id, two.id);
    assert_eq!(engine.status().unwrap().runs, 2);
}

#[test]
fn a_sound_memory_verifies_without_findings() {
    let world = World::new();
    let engine = world.engine();
    for number in 0..20 {
        let steps = [
            failure("x", &format!("error: thing {number} is missing")),
            success("y"),
        ];
        engine.submit(&run(""), &steps, &ending()).unwrap();
    }
    let open = engine.start(&run("")).unwrap();
    engine
        .observe(&open.id, &failure("z", "error: thing 3 is missing"))
        .unwrap();
    assert_eq!(engine.verify().unwrap(), []);
}
