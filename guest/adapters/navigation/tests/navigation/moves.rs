//! Single moves in grids and continuous worlds, and what the four channels say of them.

use serde_json::{Value, json};
use twiceshy_adapter::{Assess, Error, Judge, Step};
use twiceshy_adapter_navigation::{Navigation, payload};

use crate::support::{conditions, goal, judged, step};

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
    assert_eq!(feedback.action_text, "[wall] forward");
    assert_eq!(feedback.progress_signal, Some(0.0));
}

#[test]
fn what_was_hit_is_what_stood_ahead_where_the_world_does_not_say() {
    for (ahead, evidence) in [
        (json!("glass pane"), "collision with glass pane"),
        (json!(null), "collision with something"),
    ] {
        let hit = step(
            json!({"position": [1.5, 2.25], "ahead": ahead}),
            "drive",
            json!({"position": [1.5, 2.25], "collision": ""}),
        );
        let failure = judged(json!({}), &[], &hit).hard_failure.unwrap();
        assert_eq!(failure.evidence, evidence);
    }
}

#[test]
fn the_situation_comes_before_the_action_and_has_no_place_in_it() {
    for (before, text, told) in [
        (
            json!({"position": [3, 4], "ahead": "locked door"}),
            "[locked door] toggle",
            "toggle before locked door",
        ),
        (
            json!({"position": [5, 6], "ahead": "locked door", "carrying": ["key", "ball"]}),
            "[locked door, carrying ball and key] toggle",
            "toggle before locked door carrying ball and key",
        ),
        (
            json!({"position": [7, 8], "carrying": ["key"]}),
            "[carrying key] toggle",
            "toggle carrying key",
        ),
        (json!({"position": [9, 1]}), "toggle", "toggle"),
    ] {
        let stuck = judged(json!({}), &[], &step(before.clone(), "toggle", before));
        assert_eq!(stuck.action_text, text);
        assert_eq!(
            stuck.constraint_failure[0].evidence,
            format!("stuck: {told} changed nothing")
        );
    }
    // A turn is done to nothing that stands there.
    for (action, text) in [
        (json!({"name": "left", "turn": -90}), "left -90°"),
        (
            json!({"name": "drive", "vector": [0.5, 0], "turn": 90}),
            "[wall] drive (0.5, 0) 90°",
        ),
    ] {
        let moved = Step {
            before: json!({"position": [0, 0], "heading": 0, "ahead": "wall"}).to_string(),
            action: action.to_string(),
            observation: json!({"position": [0.5, 0], "heading": 270}).to_string(),
        };
        assert_eq!(judged(json!({}), &[], &moved).action_text, text);
    }
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
        assert_eq!(feedback.hard_failure.unwrap().reason, "unsafe zone");
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
fn a_zone_that_a_fast_move_leads_through_is_entered_all_the_same() {
    for zone in [
        json!({"name": "pool", "centre": [3, 0.5], "radius": 1}),
        json!({"name": "pool", "least": [2, -1], "most": [4, 1]}),
    ] {
        let far = step(
            json!({"position": [0, 0]}),
            "drive",
            json!({"position": [6, 0]}),
        );
        let failure = judged(json!({"forbidden": [zone]}), &[], &far).hard_failure;
        assert_eq!(failure.unwrap().evidence, "unsafe: crossed the zone pool");
        let beside = step(
            json!({"position": [0, 2]}),
            "drive",
            json!({"position": [6, 2]}),
        );
        let failure = judged(json!({"forbidden": [zone]}), &[], &beside).hard_failure;
        assert!(failure.is_none());
    }
}

#[test]
fn an_end_names_what_led_to_it() {
    let over = step(
        json!({"position": [3, 1], "ahead": "lava"}),
        "forward",
        json!({"position": [4, 1], "ended": true}),
    );
    let failure = judged(json!({}), &[], &over).hard_failure.unwrap();
    assert_eq!(
        failure.evidence,
        "unsafe: forward before lava ended the world before the goal was reached"
    );
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
fn noise_of_a_sensor_is_no_move_and_a_wheel_that_spins_is_stuck() {
    let world = json!({"resolution": 0.05, "turn-resolution": 1, "goal": [9, 0]});
    let before = json!({"position": [1, 1], "heading": 359.7, "distance": 8});
    let noise = json!({"position": [1.02, 0.99], "heading": 0.2, "distance": 8.01});
    let stuck = judged(world.clone(), &[], &step(before.clone(), "drive", noise));
    assert_eq!(conditions(&stuck), ["the move has an effect"]);
    let moved = json!({"position": [1.1, 1], "heading": 359.7, "distance": 7.9});
    let feedback = judged(world, &[], &step(before, "drive", moved));
    assert!(feedback.constraint_failure.is_empty());
    assert!(feedback.progress_signal > Some(0.0));
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
