//! Danger: what a move must not do.
//!
//! Owns which moves fail outright, in the order in which they are reported, and which conditions of safety do not hold.

use twiceshy_adapter::{Failure, Seen, Violation};

use crate::{
    Navigation,
    payload::{Zone, one_line},
    point::{Line, Point},
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
    if after.collision.is_some() {
        return failure("collision", format!("collision with {}", obstacle(seen)));
    }
    let was_in = |zone: &Zone| {
        let before = seen.before.as_ref();
        before.is_some_and(|before| is_in(zone, &before.position, &before.zones))
    };
    for zone in expected.forbidden.iter().filter(|zone| !was_in(zone)) {
        let name = one_line(&zone.name);
        if is_in(zone, &after.position, &after.zones) {
            return failure("unsafe zone", format!("unsafe: entered the zone {name}"));
        }
        if is_crossed(zone, seen) {
            return failure("unsafe zone", format!("unsafe: crossed the zone {name}"));
        }
    }
    if left_the_world(seen, &after.position) {
        return failure("left the world", "left the bounds of the world".to_owned());
    }
    if after.ended && !way::is_reached(seen) {
        let action = seen.action.told(seen.before.as_ref());
        return failure(
            "ended",
            format!("unsafe: {action} ended the world before the goal was reached"),
        );
    }
    None
}

/// What was hit: what the world says, else what stood right before the agent.
fn obstacle(seen: &Seen<Navigation>) -> String {
    let told = seen.observation.collision.as_deref().map(one_line);
    told.filter(|told| !told.is_empty())
        .or_else(|| seen.before.as_ref()?.ahead())
        .unwrap_or_else(|| "something".to_owned())
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
    // Entering fails outright; staying there is reported as long as it lasts.
    for zone in &expected.forbidden {
        let before = seen.before.as_ref();
        if is_in(zone, &after.position, &after.zones)
            && before.is_some_and(|before| is_in(zone, &before.position, &before.zones))
        {
            violations.push(Violation {
                condition: format!("stays out of the zone {}", one_line(&zone.name)),
                evidence: format!("unsafe: still in the zone {}", one_line(&zone.name)),
            });
        }
    }
    violations.truncate(32);
    violations
}

/// Whether a position is in a zone: by what the world reports, or by where the zone is.
fn is_in(zone: &Zone, position: &Point, reported: &[String]) -> bool {
    let here = Line {
        from: position,
        to: position,
    };
    reported.contains(&zone.name) || is_touched(zone, here)
}

/// Whether the move led through a zone, and out of it again. A move along the axes of a grid ends on the next cell.
fn is_crossed(zone: &Zone, seen: &Seen<Navigation>) -> bool {
    let Some(before) = seen.before.as_ref().filter(|_| !seen.expectations.grid) else {
        return false;
    };
    let line = Line {
        from: &before.position,
        to: &seen.observation.position,
    };
    is_touched(zone, line)
}

/// Whether a line touches the place of a zone, if the zone has one.
fn is_touched(zone: &Zone, line: Line) -> bool {
    let round = || {
        let (centre, radius) = (zone.centre.as_deref()?, zone.radius?);
        Some(line.distance(centre)? <= radius)
    };
    let boxed = || Some(line.crosses(zone.least.as_deref()?, zone.most.as_deref()?));
    round() == Some(true) || boxed() == Some(true)
}

fn left_the_world(seen: &Seen<Navigation>, position: &Point) -> bool {
    let corners = (
        seen.expectations.least.as_deref(),
        seen.expectations.most.as_deref(),
    );
    let here = Line {
        from: position,
        to: position,
    };
    matches!(corners, (Some(least), Some(most)) if least.len() == position.len()
        && most.len() == position.len()
        && !here.crosses(least, most))
}
