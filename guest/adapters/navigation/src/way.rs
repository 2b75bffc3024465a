//! The way: how far the goal still is, and how much of the way that was gone was needed.
//!
//! Owns the two signals. Their values are chosen so that a move in which nothing went wrong never has a progress of 0
//! or less, which would make it a failure.

use twiceshy_adapter::Seen;

use crate::{
    Navigation,
    payload::Observation,
    point::{blocks, distance},
};

/// How near is near enough by default.
const TOLERANCE: f64 = 0.5;

/// Whether the goal is reached.
pub(crate) fn is_reached(seen: &Seen<Navigation>) -> bool {
    let near = || {
        let goal = seen.expectations.goal.as_deref()?;
        let far = distance(&seen.observation.position, goal)?;
        Some(far <= seen.expectations.tolerance.unwrap_or(TOLERANCE))
    };
    seen.observation.reached || near() == Some(true)
}

/// The way that is left from somewhere: as the world knows it, else as the crow flies or along the grid.
pub(crate) fn left(seen: &Seen<Navigation>, from: &Observation) -> Option<f64> {
    let expected = &seen.expectations;
    let guess = || {
        let goal = expected.goal.as_deref()?;
        match expected.grid {
            true => blocks(&from.position, goal),
            false => distance(&from.position, goal),
        }
    };
    from.distance.or_else(guess)
}

/// How much closer the move came, as a share of the way that was left before it.
///
/// Where the world knows the real way, a longer one is a step back. As the crow flies, a detour looks like one, so
/// that only moves that come nearer are reported; what leads away for long is a violated condition by itself. A move that
/// failed came no closer.
pub(crate) fn progress(seen: &Seen<Navigation>, failed: bool) -> Option<f64> {
    if failed {
        return Some(0.0);
    }
    if is_reached(seen) {
        return Some(1.0);
    }
    let before = left(seen, seen.before.as_ref()?)?;
    let after = left(seen, &seen.observation)?;
    if (before - after).abs() <= seen.expectations.resolution() {
        return None;
    }
    let gained = ((before - after) / before.max(f64::MIN_POSITIVE)).clamp(-1.0, 1.0);
    let known = seen.observation.distance.is_some();
    match gained {
        gained if gained > 0.0 => Some(gained),
        gained if gained < 0.0 && known => Some(gained),
        _ => None,
    }
}

/// The way that was needed as a share of the way that was gone: of the whole course where the best one is known, counting
/// what is left at least, else of the recent moves.
pub(crate) fn efficiency(seen: &Seen<Navigation>) -> Option<f64> {
    let left = match is_reached(seen) {
        true => Some(0.0),
        false => left(seen, &seen.observation),
    };
    if let (Some(best), Some(gone), Some(left)) =
        (seen.expectations.best_way, seen.observation.travelled, left)
        && gone > 0.0
    {
        return Some((best / (gone + left)).clamp(0.0, 1.0));
    }
    let mut course: Vec<Vec<f64>> = Vec::new();
    for past in seen.past() {
        if course.is_empty() {
            course.extend(past.before.map(|before| before.position));
        }
        course.push(past.observation.position);
    }
    if course.is_empty() {
        course.push(seen.before.as_ref()?.position.clone());
    }
    course.push(seen.observation.position.clone());
    let measure = |from: &[f64], to: &[f64]| match seen.expectations.grid {
        true => blocks(from, to),
        false => distance(from, to),
    };
    let mut gone = 0.0;
    for pair in course.windows(2) {
        gone += measure(&pair[0], &pair[1])?;
    }
    let led = measure(course.first()?, course.last()?)?;
    // A share of no way at all, or of one that is beyond all numbers, is none.
    let share = led / gone;
    (share >= 0.0).then(|| share.min(1.0))
}
