//! The course: whether moves lead anywhere.
//!
//! Owns what is told of a move without effect, of going to and fro, and of a goal that recedes. It looks at the
//! recent moves; those that can't be read are passed over.

use twiceshy_adapter::{Seen, Violation};

use crate::{
    Navigation,
    payload::Observation,
    point::is_same,
    way::{self, left},
};

/// Moves after which going to and fro is told: as many as show a cycle of two places three times.
const CYCLE: usize = 6;

/// The most places that a cycle has.
const PLACES: usize = 3;

/// Moves in a row that lead away from the goal as the crow flies: a detour round an obstacle is shorter, or the
/// world knows the real way.
const RECEDING: usize = 4;

/// The conditions of a sensible course that do not hold.
pub(crate) fn violations(seen: &Seen<Navigation>) -> Vec<Violation> {
    if way::is_reached(seen) {
        return Vec::new();
    }
    let violation = |condition: &str, evidence: String| Violation {
        condition: condition.to_owned(),
        evidence,
    };
    let action = seen.action.text(seen.before.as_ref());
    let mut violations = Vec::new();
    if seen.action.is_move()
        && let Some(before) = &seen.before
        && is_unchanged(before, &seen.observation)
    {
        violations.push(violation(
            "the move has an effect",
            format!("stuck: {action} changed nothing"),
        ));
    } else if let Some(places) = cycle(seen) {
        violations.push(violation(
            "the course leads on",
            format!("oscillating: the last {CYCLE} moves went round {places} places"),
        ));
    }
    if recedes(seen) {
        violations.push(violation(
            "the goal comes nearer",
            format!("receding: {RECEDING} moves in a row led away from the goal"),
        ));
    }
    violations
}

/// Whether nothing of the world that an agent can see was changed.
fn is_unchanged(before: &Observation, after: &Observation) -> bool {
    is_same(&before.position, &after.position)
        && is_same_heading(before.heading, after.heading)
        && before.carrying == after.carrying
        && before.state == after.state
        && before.ahead == after.ahead
}

fn is_same_heading(before: Option<f64>, after: Option<f64>) -> bool {
    match (before, after) {
        (Some(before), Some(after)) => {
            let turned = (before - after).rem_euclid(360.0);
            turned.min(360.0 - turned) < 1e-3
        }
        _ => true,
    }
}

/// The number of places that the last moves went round, if they did: each of them was visited at least twice, nothing
/// else of the world was changed, and there was more than one.
fn cycle(seen: &Seen<Navigation>) -> Option<usize> {
    let mut last: Vec<Observation> = seen.past().map(|past| past.observation).collect();
    last.push(seen.observation.clone());
    let last = &last[last.len().checked_sub(CYCLE)?..];
    let unchanged =
        |one: &Observation| one.carrying == last[0].carrying && one.state == last[0].state;
    if !last.iter().all(unchanged) {
        return None;
    }
    let mut places: Vec<(&Observation, usize)> = Vec::new();
    for one in last {
        match places
            .iter_mut()
            .find(|(place, _)| is_same(&place.position, &one.position))
        {
            Some((_, visits)) => *visits += 1,
            None => places.push((one, 1)),
        }
    }
    let round =
        (2..=PLACES).contains(&places.len()) && places.iter().all(|(_, visits)| *visits > 1);
    round.then_some(places.len())
}

/// Whether the last moves all led away from the goal.
fn recedes(seen: &Seen<Navigation>) -> bool {
    let mut ways: Vec<f64> = seen
        .past()
        .filter_map(|past| left(seen, &past.observation))
        .collect();
    ways.extend(left(seen, &seen.observation));
    // A single move that makes the real way longer is told by the progress signal.
    let Some(first) = ways.len().checked_sub(RECEDING + 1) else {
        return false;
    };
    ways[first..]
        .windows(2)
        .all(|pair| pair[1] > pair[0] + 1e-9)
}
