//! Moves in grids and continuous worlds, and what the four channels say of them.

use serde_json::{Value, json};
use twiceshy_adapter::{Assess, Error, Feedback, Goal, Judge, PastStep, Step};
use twiceshy_adapter_navigation::{Navigation, payload};

fn goal(expectations: Value) -> Goal {
    Goal {
        task: "reach the goal".into(),
        domain: "navigation".into(),
        expectations: expectations.to_string(),
    }
}

fn step(before: Value, action: &str, after: Value) -> Step {
    Step {
        before: before.to_string(),
        action: json!({ "name": action }).to_string(),
        observation: after.to_string(),
    }
}

fn judged(expectations: Value, recent: &[PastStep], step: &Step) -> Feedback {
    let judge = Judge::<Navigation>::new();
    judge.assess(&goal(expectations), recent, step).unwrap()
}

/// A walk through some positions, and the feedback on its last move.
fn walk(expectations: &Value, positions: &[[f64; 2]]) -> Feedback {
    let mut recent: Vec<PastStep> = Vec::new();
    let mut last = None;
    for pair in positions.windows(2) {
        let step = step(
            json!({"position": pair[0]}),
            "forward",
            json!({"position": pair[1]}),
        );
        let from = recent.len().saturating_sub(16);
        let feedback = judged(expectations.clone(), &recent[from..], &step);
        recent.push(PastStep {
            step,
            feedback: feedback.clone(),
        });
        last = Some(feedback);
    }
    last.expect("at least one move")
}

fn conditions(feedback: &Feedback) -> Vec<&str> {
    let violations = feedback.constraint_failure.iter();
    violations
        .map(|violation| violation.condition.as_str())
        .collect()
}

#[test]
fn a_collision_fails_and_names_what_was_hit() {
    let before = json!({"position": [1, 1], "ahead": "wall"});
    let hit = step(
        before,
        "forward",
        json!({"position": [1, 1], "collision": "wall"}),
    );
    let feedback = judged(json!({"goal": [5, 1]}), &[], &hit);
    let failure = feedback.hard_failure.unwrap();
    assert_eq!(
        (failure.reason.as_str(), failure.evidence.as_str()),
        ("collision", "collision with wall")
    );
    assert_eq!(feedback.action_text, "forward [ahead: wall]");
    assert_eq!(feedback.progress_signal, Some(0.0));
}

#[test]
fn what_the_world_says_is_the_evidence() {
    let after = json!({"position": [1, 1], "collision": "door", "message": "the door is locked: a key is needed"});
    let feedback = judged(
        json!({}),
        &[],
        &step(json!({"position": [1, 1]}), "open", after),
    );
    assert_eq!(
        feedback.hard_failure.unwrap().evidence,
        "the door is locked: a key is needed"
    );
}

#[test]
fn a_forbidden_zone_fails_when_it_is_entered_and_is_told_as_long_as_it_lasts() {
    for zone in [
        json!({"name": "lava", "centre": [3, 0], "radius": 1}),
        json!({"name": "lava", "least": [2, -1], "most": [4, 1]}),
    ] {
        let expected = json!({"forbidden": [zone]});
        let enter = step(
            json!({"position": [1, 0]}),
            "forward",
            json!({"position": [2, 0]}),
        );
        let feedback = judged(expected.clone(), &[], &enter);
        assert_eq!(feedback.hard_failure.unwrap().reason, "forbidden zone");
        let stay = step(
            json!({"position": [2, 0]}),
            "forward",
            json!({"position": [3, 0]}),
        );
        let feedback = judged(expected.clone(), &[], &stay);
        assert!(feedback.hard_failure.is_none());
        assert_eq!(conditions(&feedback), ["stays out of the zone lava"]);
        let leave = step(
            json!({"position": [2, 0]}),
            "back",
            json!({"position": [1, 0]}),
        );
        assert!(judged(expected, &[], &leave).constraint_failure.is_empty());
    }
    let reported = json!({"forbidden": [{"name": "lava"}]});
    let enter = step(
        json!({"position": [1]}),
        "forward",
        json!({"position": [2], "zones": ["lava"]}),
    );
    assert!(judged(reported, &[], &enter).hard_failure.is_some());
}

#[test]
fn the_edge_of_the_world_and_an_end_without_the_goal_fail() {
    let world = json!({"least": [0, 0], "most": [9, 9], "goal": [9, 9]});
    let out = step(
        json!({"position": [9, 1]}),
        "forward",
        json!({"position": [10, 1]}),
    );
    assert_eq!(
        judged(world.clone(), &[], &out)
            .hard_failure
            .unwrap()
            .reason,
        "left the world"
    );
    let over = step(
        json!({"position": [3, 1]}),
        "forward",
        json!({"position": [4, 1], "ended": true}),
    );
    assert_eq!(
        judged(world.clone(), &[], &over)
            .hard_failure
            .unwrap()
            .reason,
        "ended"
    );
    let there = step(
        json!({"position": [8, 9]}),
        "forward",
        json!({"position": [9, 9], "ended": true}),
    );
    let feedback = judged(world, &[], &there);
    assert!(feedback.hard_failure.is_none());
    assert_eq!(feedback.progress_signal, Some(1.0));
}

#[test]
fn a_move_without_effect_is_stuck_and_a_turn_is_not() {
    let standing = json!({"position": [1, 1], "heading": 0});
    let stuck = judged(
        json!({}),
        &[],
        &step(standing.clone(), "forward", standing.clone()),
    );
    assert_eq!(conditions(&stuck), ["the move has an effect"]);
    assert_eq!(
        stuck.constraint_failure[0].evidence,
        "stuck: forward changed nothing"
    );
    let turned = step(
        standing.clone(),
        "turn left",
        json!({"position": [1, 1], "heading": 90}),
    );
    assert!(
        judged(json!({}), &[], &turned)
            .constraint_failure
            .is_empty()
    );
    let taken = step(
        standing.clone(),
        "pick up",
        json!({"position": [1, 1], "heading": 0, "carrying": ["key"]}),
    );
    assert!(judged(json!({}), &[], &taken).constraint_failure.is_empty());
    let full_turn = step(
        standing,
        "turn",
        json!({"position": [1, 1], "heading": 360}),
    );
    assert!(
        !judged(json!({}), &[], &full_turn)
            .constraint_failure
            .is_empty()
    );
}

#[test]
fn looking_around_is_not_stuck() {
    let look = Step {
        before: json!({"position": [1, 1]}).to_string(),
        action: json!({"name": "look", "moves": false}).to_string(),
        observation: json!({"position": [1, 1]}).to_string(),
    };
    assert!(judged(json!({}), &[], &look).constraint_failure.is_empty());
}

#[test]
fn going_to_and_fro_is_told_and_going_on_is_not() {
    let (a, b) = ([0.0, 0.0], [1.0, 0.0]);
    let feedback = walk(&json!({}), &[a, b, a, b, a, b, a]);
    assert_eq!(conditions(&feedback), ["the course leads on"]);
    let on: Vec<_> = (0..8).map(|x| [f64::from(x), 0.0]).collect();
    assert!(walk(&json!({}), &on).constraint_failure.is_empty());
    // Once round a room is a way to look at it.
    let round = [a, b, [1.0, 1.0], [0.0, 1.0], a, b, [1.0, 1.0]];
    assert!(walk(&json!({}), &round).constraint_failure.is_empty());
}

#[test]
fn progress_is_the_share_of_the_way_that_was_left() {
    let near = step(
        json!({"position": [0, 0]}),
        "forward",
        json!({"position": [1, 0]}),
    );
    assert_eq!(
        judged(json!({"goal": [4, 0]}), &[], &near).progress_signal,
        Some(0.25)
    );
    let grid = step(
        json!({"position": [0, 0]}),
        "forward",
        json!({"position": [0, 1]}),
    );
    assert_eq!(
        judged(json!({"goal": [2, 2], "grid": true}), &[], &grid).progress_signal,
        Some(0.25)
    );
    // A detour as the crow flies says nothing; a longer way that the world knows is a step back.
    let away = step(
        json!({"position": [1, 0]}),
        "left",
        json!({"position": [0, 0]}),
    );
    assert_eq!(
        judged(json!({"goal": [4, 0]}), &[], &away).progress_signal,
        None
    );
    let back = step(
        json!({"position": [1, 0], "distance": 4}),
        "left",
        json!({"position": [0, 0], "distance": 5}),
    );
    assert_eq!(
        judged(json!({"goal": [4, 0]}), &[], &back).progress_signal,
        Some(-0.25)
    );
}

#[test]
fn a_goal_that_recedes_for_long_is_told() {
    let away: Vec<_> = (0..6).map(|x| [f64::from(-x), 0.0]).collect();
    let feedback = walk(&json!({"goal": [4, 0]}), &away);
    assert_eq!(conditions(&feedback), ["the goal comes nearer"]);
    assert!(
        walk(&json!({"goal": [4, 0]}), &away[..3])
            .constraint_failure
            .is_empty()
    );
}

#[test]
fn too_little_clearance_is_told() {
    let close = step(
        json!({"position": [0]}),
        "drive",
        json!({"position": [1], "clearance": 0.1}),
    );
    let feedback = judged(json!({"clearance": 0.3}), &[], &close);
    assert_eq!(conditions(&feedback), ["the clearance is at least 0.3"]);
}

#[test]
fn efficiency_is_the_way_needed_over_the_way_gone() {
    let there = step(
        json!({"position": [4, 0]}),
        "forward",
        json!({"position": [5, 0], "travelled": 10, "reached": true}),
    );
    assert_eq!(
        judged(json!({"best-way": 5}), &[], &there).efficiency_signal,
        Some(0.5)
    );
    let straight: Vec<_> = (0..5).map(|x| [f64::from(x), 0.0]).collect();
    assert_eq!(walk(&json!({}), &straight).efficiency_signal, Some(1.0));
    let round = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    let efficiency = walk(&json!({}), &round).efficiency_signal.unwrap();
    assert!((efficiency - 2f64.sqrt() / 2.0).abs() < 1e-12);
    assert_eq!(
        walk(&json!({"grid": true}), &round).efficiency_signal,
        Some(1.0)
    );
}

#[test]
fn what_does_not_fit_is_refused_by_its_name() {
    let judge = Judge::<Navigation>::new();
    let fine = step(
        json!({"position": [0]}),
        "forward",
        json!({"position": [1]}),
    );
    let cases = [
        (
            json!({}),
            step(json!({"position": []}), "forward", json!({"position": [1]})),
            "before.position",
        ),
        (
            json!({}),
            step(json!({"position": [0]}), " ", json!({"position": [1]})),
            "action.name",
        ),
        (
            json!({"goal": [1, 2, 3, 4]}),
            fine.clone(),
            "expectations.goal",
        ),
        (
            json!({"clearance": -1}),
            fine.clone(),
            "expectations.clearance",
        ),
        (
            json!({"forbidden": [{"name": "pit", "radius": 1}]}),
            fine.clone(),
            "expectations.forbidden[0]",
        ),
        (json!({"gaol": [1]}), fine, "expectations"),
    ];
    for (expectations, step, member) in cases {
        match judge.assess(&goal(expectations), &[], &step) {
            Err(Error::InvalidInput(cause)) => assert!(cause.starts_with(member), "{cause}"),
            other => panic!("{member}: {other:?}"),
        }
    }
    let mut other = goal(json!({}));
    other.domain = "cli".into();
    let fine = step(
        json!({"position": [0]}),
        "forward",
        json!({"position": [1]}),
    );
    assert!(matches!(
        judge.assess(&other, &[], &fine),
        Err(Error::Unsupported(_))
    ));
}

#[test]
fn the_schemas_list_exactly_the_members_that_are_read() {
    fn known(name: &str, payload: &str) -> Vec<String> {
        let (mut fine, wrong) = (
            step(json!({"position": [0]}), "go", json!({"position": [1]})),
            r#"{"?": 0}"#,
        );
        let mut expected = goal(json!({}));
        match payload {
            "action" => fine.action = wrong.into(),
            "observation" => fine.observation = wrong.into(),
            _ => expected.expectations = wrong.into(),
        }
        let Err(Error::InvalidInput(told)) =
            Judge::<Navigation>::new().assess(&expected, &[], &fine)
        else {
            panic!("{name}")
        };
        let mut members: Vec<_> = told
            .split_once("expected ")
            .unwrap()
            .1
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        members.sort();
        members
    }
    for (payload, schema) in [
        ("action", payload::ACTION_SCHEMA),
        ("observation", payload::OBSERVATION_SCHEMA),
        ("expectations", payload::EXPECTATIONS_SCHEMA),
    ] {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let mut listed: Vec<_> = schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        listed.sort();
        assert_eq!(listed, known(payload, payload));
    }
}

proptest::proptest! {
    #[test]
    fn signals_stay_within_their_range_and_the_answer_is_always_the_same(
        positions in proptest::collection::vec([-1e6f64..1e6, -1e6f64..1e6], 2..20),
        target in [-1e6f64..1e6, -1e6f64..1e6],
        grid in proptest::bool::ANY,
    ) {
        let expected = json!({"goal": target, "grid": grid});
        let feedback = walk(&expected, &positions);
        if let Some(progress) = feedback.progress_signal {
            proptest::prop_assert!((-1.0..=1.0).contains(&progress));
        }
        if let Some(efficiency) = feedback.efficiency_signal {
            proptest::prop_assert!((0.0..=1.0).contains(&efficiency));
        }
        proptest::prop_assert_eq!(walk(&expected, &positions), feedback);
    }
}
