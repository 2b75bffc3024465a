//! Courses of several moves, and whether they lead anywhere.

use serde_json::{Value, json};
use twiceshy_adapter::{Feedback, PastStep, Step};

use crate::support::{conditions, judged, step, walk};

/// A course through some observations, and the feedback on each move.
fn course(expectations: &Value, action: &str, observations: &[Value]) -> Vec<Feedback> {
    let mut recent: Vec<PastStep> = Vec::new();
    for pair in observations.windows(2) {
        let step: Step = step(pair[0].clone(), action, pair[1].clone());
        let from = recent.len().saturating_sub(16);
        let feedback = judged(expectations.clone(), &recent[from..], &step);
        recent.push(PastStep { step, feedback });
    }
    recent.into_iter().map(|past| past.feedback).collect()
}

/// Turns on one spot to these headings.
fn turns(headings: &[f64]) -> Vec<Feedback> {
    let poses: Vec<_> = headings
        .iter()
        .map(|heading| json!({"position": [2, 2], "heading": heading}))
        .collect();
    course(&json!({}), "turn", &poses)
}

fn troubles(course: &[Feedback]) -> Vec<&str> {
    let violations = course.iter().flat_map(|one| &one.constraint_failure);
    violations
        .map(|violation| violation.evidence.as_str())
        .collect()
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
fn staying_stuck_is_told_beside_the_move_that_had_no_effect() {
    let standing = json!({"position": [1, 1], "heading": 0, "ahead": "wall"});
    let same = vec![standing.clone(); 5];
    let feedback = course(&json!({}), "forward", &same);
    let (once, again) = (
        vec!["the move has an effect"],
        vec!["the move has an effect", "the agent gets away"],
    );
    let told: Vec<_> = feedback.iter().map(conditions).collect();
    assert_eq!(told, [once.clone(), once, again.clone(), again]);
    // Whatever has an effect ends it.
    let mut turned = same[..3].to_vec();
    turned.push(json!({"position": [1, 1], "heading": 90, "ahead": "floor"}));
    let feedback = course(&json!({}), "turn", &turned);
    assert!(feedback[2].constraint_failure.is_empty());
}

#[test]
fn turning_on_the_way_does_not_hide_going_to_and_fro() {
    // One cell on, two turns, and back again.
    let poses: Vec<_> = (0..6)
        .flat_map(|lap| {
            let (x, ahead) = if lap % 2 == 0 { (1, 0) } else { (0, 180) };
            [0, 90, 180].map(|turn| json!({"position": [x, 0], "heading": (ahead + turn) % 360}))
        })
        .collect();
    let feedback = course(&json!({}), "go", &poses);
    assert_eq!(
        troubles(&feedback),
        ["oscillating: the agent went to and fro between 2 places"]
    );
}

#[test]
fn what_is_changed_on_the_way_makes_going_to_and_fro_sensible() {
    // Things are carried from one place to the other.
    let poses: Vec<_> = (0..12)
        .map(|lap| match lap % 4 {
            0 => json!({"position": [0, 0]}),
            1 => json!({"position": [0, 0], "carrying": ["box"]}),
            2 => json!({"position": [1, 0], "carrying": ["box"]}),
            _ => json!({"position": [1, 0]}),
        })
        .collect();
    assert!(troubles(&course(&json!({}), "carry", &poses)).is_empty());
}

#[test]
fn turning_to_and_fro_is_told_also_across_north() {
    let feedback = turns(&[350.0, 10.0, 350.0, 10.0, 350.0, 10.0, 350.0]);
    assert_eq!(
        troubles(&feedback[..5]),
        [] as [&str; 0],
        "not before it is clear"
    );
    assert_eq!(
        troubles(&feedback[5..]),
        ["oscillating: the agent turned to and fro on one spot"]
    );
}

#[test]
fn looking_all_around_is_sensible_and_turning_round_and_round_is_not() {
    let quarters: Vec<f64> = (0..10).map(|turn| f64::from(turn * 90 % 360)).collect();
    let feedback = turns(&quarters);
    assert_eq!(troubles(&feedback[..7]), [] as [&str; 0]);
    assert_eq!(
        troubles(&feedback[7..8]),
        ["oscillating: the agent turned round and round on one spot"]
    );
    // Small turns take many moves, and are still one look around.
    let small: Vec<f64> = (0..40).map(|turn| f64::from(turn * 9)).collect();
    assert_eq!(troubles(&turns(&small)), [] as [&str; 0]);
}

#[test]
fn turns_on_the_way_do_not_hide_a_goal_that_recedes() {
    let poses: Vec<_> = (0..5)
        .flat_map(|x| [0, 90].map(|heading| json!({"position": [-x, 0], "heading": heading})))
        .collect();
    let feedback = course(&json!({"goal": [4, 0]}), "go", &poses);
    assert_eq!(
        troubles(&feedback),
        ["receding: 4 moves in a row led away from the goal"]
    );
}

#[test]
fn efficiency_counts_what_is_left_before_the_goal_is_reached() {
    let on_the_way = |travelled: f64, left: f64| {
        let after = json!({"position": [2, 0], "travelled": travelled, "distance": left});
        let moved = step(json!({"position": [1, 0]}), "forward", after);
        judged(json!({"best-way": 6}), &[], &moved).efficiency_signal
    };
    assert_eq!(on_the_way(2.0, 4.0), Some(1.0));
    assert_eq!(on_the_way(8.0, 4.0), Some(0.5));
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
