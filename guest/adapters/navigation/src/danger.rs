//! Danger: what a move must not do.
//!
//! Owns which moves fail outright, in the order in which they are told, and which conditions of safety do not hold.

use twiceshy_adapter::{Failure, Seen, Violation};

use crate::{
    Navigation,
    payload::{Zone, one_line},
    point::{Point, distance},
    way,
};

/// Why the move failed outright; none if it did not.
pub(crate) fn failure(seen: &Seen<Navigation>) -> Option<Failure> {
    let (after, expected) = (&seen.observation, &seen.expectations);
    let says = after.message.as_deref().unwrap_or_default().trim();
    let failure = |reason: &str, evidence: String| {
        let evidence = match says {
            "" => evidence,
            says => says.to_owned(),
        };
        Some(Failure {
            reason: reason.to_owned(),
            evidence,
        })
    };
    if let Some(obstacle) = &after.collision {
        return failure(
            "collision",
            format!("collision with {}", one_line(obstacle)),
        );
    }
    let entered = expected.forbidden.iter().find(|zone| {
        let before = seen.before.as_ref();
        is_in(zone, &after.position, &after.zones)
            && !before.is_some_and(|before| is_in(zone, &before.position, &before.zones))
    });
    if let Some(zone) = entered {
        return failure(
            "forbidden zone",
            format!("entered the forbidden zone {}", one_line(&zone.name)),
        );
    }
    if left_the_world(seen, &after.position) {
        return failure("left the world", "left the bounds of the world".to_owned());
    }
    if after.ended && !way::is_reached(seen) {
        return failure(
            "ended",
            "the world ended before the goal was reached".to_owned(),
        );
    }
    None
}

/// The conditions of safety that do not hold.
pub(crate) fn violations(seen: &Seen<Navigation>) -> Vec<Violation> {
    let (after, expected) = (&seen.observation, &seen.expectations);
    let mut violations = Vec::new();
    if let (Some(least), Some(clearance)) = (expected.clearance, after.clearance)
        && clearance < least
    {
        violations.push(Violation {
            condition: format!("the clearance is at least {least}"),
            evidence: format!("the clearance is {clearance}"),
        });
    }
    // Entering fails outright; staying there is told as long as it lasts.
    for zone in &expected.forbidden {
        let before = seen.before.as_ref();
        if is_in(zone, &after.position, &after.zones)
            && before.is_some_and(|before| is_in(zone, &before.position, &before.zones))
        {
            violations.push(Violation {
                condition: format!("stays out of the zone {}", one_line(&zone.name)),
                evidence: format!("still in the forbidden zone {}", one_line(&zone.name)),
            });
        }
    }
    violations.truncate(32);
    violations
}

/// Whether a position is in a zone: by what the world reports, or by where the zone is.
fn is_in(zone: &Zone, position: &Point, reported: &[String]) -> bool {
    let round = || {
        let (centre, radius) = (zone.centre.as_deref()?, zone.radius?);
        Some(distance(centre, position)? <= radius)
    };
    let boxed = || {
        Some(is_between(
            zone.least.as_deref()?,
            position,
            zone.most.as_deref()?,
        ))
    };
    reported.contains(&zone.name) || round() == Some(true) || boxed() == Some(true)
}

fn left_the_world(seen: &Seen<Navigation>, position: &Point) -> bool {
    let corners = (
        seen.expectations.least.as_deref(),
        seen.expectations.most.as_deref(),
    );
    matches!(corners, (Some(least), Some(most)) if least.len() == position.len()
        && most.len() == position.len()
        && !is_between(least, position, most))
}

fn is_between(least: &Point, position: &Point, most: &Point) -> bool {
    least.len() == position.len()
        && most.len() == position.len()
        && position
            .iter()
            .zip(least.iter().zip(most))
            .all(|(at, (least, most))| least <= at && at <= most)
}
